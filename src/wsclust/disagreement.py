r"""Do events and labels agree? The error of the labels that would explain how far apart they are.

Take labels with an error of SD s on the logit scale. Given its label, a group's share p_i of happy events
then has mean c_i, the calibrated label, and variance V_i(s); both follow from s and the labels alone
(`wsclust.calibration`). Fit the latent model with W_H = infinity to the labels c_i, and take the slope and
the information of each group's likelihood in its share there,

    g_i = sum_k n_ik D_k / d_ik,   F_i = J_i sum_k D_k^2 / d_ik,

with D = w1 - w0 and d_ik = (1 - c_i) w0_k + c_i w1_k.
Since sum_k D_k = 0, E g_i = F_i (p_i - c_i) and, over p_i, E g_i^2 = F_i + (1 - 1/J_i) F_i^2 V_i, exactly.
The error that explains the events is the s at which

    T(s) = sum_i a_i ((g_i^2 - F_i) / F_i^2 - (1 - 1/J_i) V_i(s)) = 0,   a_i = (1 / F_i + V_i(s))^-2,

and the s not refuted at 5% are those with |T| below 1.96 of its standard error. That is the one over groups,
times what a jackknife over blocks of groups finds it too small by at the root: w0, w1 and the variance of mu
are estimated too.

T falls from s = 0 on; it rises again near the largest s, where w0 and w1 would have to leave [0, 1]. The
first root is meant.

It says "as if": groups whose happy events have other habits than those of other groups look like labels
with an error. It needs events that tell the groups' shares: with few events per group all s are compatible.
"""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from scipy.optimize import brentq
from scipy.special import logit

from wsclust.calibration import LEAST_RELIABLE, calibrated_moments
from wsclust.estimators.latent import latent
from wsclust.intervals import NORMAL_95

_STEPS = 24
_BLOCKS = 20


@dataclass(frozen=True)
class Disagreement:
    """The SD of the labels' error, in logits, that explains the events, and the ends of its 95% interval.

    `most` is the largest SD that was considered, at which the labels would hold next to nothing; `upper`
    equals it where no error is refuted as too large, and `label_sd` where none is large enough.
    """

    label_sd: float
    lower: float
    upper: float
    most: float

    def summary(self, stated=0.0):
        """One line, beside the SD of the labels' error that the user states.

        >>> Disagreement(0.53, 0.31, 0.78, 1.1).summary()
        "labels and events disagree as if the labels' error were 0.53 (0.31 to 0.78; stated 0)"
        """
        if self.upper >= self.most and self.lower <= 0:
            return "too few events to tell whether labels and events disagree"
        return (
            f"labels and events disagree as if the labels' error were {self.label_sd:.2f} "
            f"({self.lower:.2f} to {self.upper:.2f}; stated {stated:g})"
        )


def label_disagreement(data):
    """The error of the labels that would explain the events: a Disagreement.

    Argument: `data`, GroupedCounts, with its labels as they were given, not calibrated. It takes some twenty
    to forty fits with W_H = infinity.

    Raises ValueError where there are fewer than three groups, where a label is 0 or 1, or where all labels
    are equal.

    >>> from wsclust.planning.design import Design
    >>> from wsclust.planning.simulate import drawn
    >>> data = drawn(Design.from_curve(300, 200, bins=5, label_sd=0.5), np.random.default_rng(1))
    >>> label_disagreement(data).summary()
    "labels and events disagree as if the labels' error were 0.51 (0.41 to 0.56; stated 0)"
    """
    if len(data.label) < 3:
        raise ValueError(f"{len(data.label)} groups: at least 3 are needed to compare labels with events")
    extreme = (data.label == 0) | (data.label == 1)
    if extreme.any():
        i = int(np.argmax(extreme))
        raise ValueError(
            f"group {data.groups[i]}: label {data.label[i]:g} has an infinite logit; clip the labels (say to "
            "[0.001, 0.999])"
        )
    if np.ptp(data.label) == 0:
        raise ValueError(f"all labels are {data.label[0]:g}; labels that differ are needed")
    most = float(np.sqrt((1 - LEAST_RELIABLE) * np.var(logit(data.label), ddof=1)))
    excess = cache(lambda label_sd: _excess(data, label_sd))
    label_sd = _first_below(excess, 0.0, most)
    level = NORMAL_95 * _inflation(data, label_sd)
    return Disagreement(label_sd, _first_below(excess, level, most), _first_below(excess, -level, most), most)


def _first_below(excess, level, most):
    """The smallest s at which T by its standard error is at most `level`; `most` where it never is."""
    before = 0.0
    for label_sd in np.linspace(0, most, _STEPS + 1):
        if excess(label_sd) <= level:
            if label_sd == 0:
                return 0.0
            return float(brentq(lambda s: excess(s) - level, before, label_sd, xtol=1e-3))
        before = label_sd
    return most


def _excess(data, label_sd):
    """T(s) by its standard error over groups."""
    terms = _terms(data, label_sd)
    return terms.sum() / np.sqrt(len(terms) * np.var(terms, ddof=1))


def _inflation(data, label_sd):
    """The standard error of T by the jackknife over that over groups, 1 or more."""
    n_groups = len(data.label)
    n_blocks = min(_BLOCKS, n_groups)
    block = np.arange(n_groups) % n_blocks
    means = [_terms(data.subset(block != left_out), label_sd).mean() for left_out in range(n_blocks)]
    jackknifed = (n_blocks - 1) ** 2 / n_blocks * np.var(means, ddof=1)
    return max(1.0, np.sqrt(jackknifed * n_groups / np.var(_terms(data, label_sd), ddof=1)))


def _terms(data, label_sd):
    """What each group adds to T(s), (I,)."""
    share, variance = calibrated_moments(data.label, label_sd)
    fit = latent(replace(data, label=share), he_weight=np.inf, tolerance=1e-6)
    difference = fit.happy - fit.sad
    mixture = (1 - share)[:, None] * fit.sad + share[:, None] * fit.happy
    slope = (data.counts * (difference / mixture)).sum(axis=1)
    information = data.sizes * (difference**2 / mixture).sum(axis=1)
    terms = (slope**2 - information) / information**2 - (1 - 1 / data.sizes) * variance
    return terms / (1 / information + variance) ** 2
