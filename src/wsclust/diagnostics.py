"""Can a latent fit be believed? Two figures that need no outcome, and the verdict that they give.

* Held-out label R2: fit on a random half A of the groups and predict the labels of the others,

      1 - sum_i J_i (s_i - Omega_i rho_A)^2 / sum_i J_i (s_i - mean_A)^2,

  Omega_i the group's shares of the bins and mean_A the weighted mean label of A; the mean over halvings.
  Beside it stands what the fitted model itself implies: the same figure on counts drawn from the fit.
* Shuffle ratio: the spread of rho over bins (SD, weights n_k) by its mean spread over fits with the labels
  shuffled among the groups, that is, where nothing is to be found. Both take the labels as exact, whatever
  W_H is: where it is finite and events are many, labels choose little but the mode, and shuffled ones find
  the bins as well.

The thresholds come from 84 real designs whose outcomes are known, with the groups' own shares as labels and
W_H = infinity. There, the model's fit to the counts, second modes, the distance of w0 and w1 and the
dispersion did not tell good designs from bad ones. No check is certain: if what happy and sad events do
depends on the group linearly in its label, that hides in w0 and w1. In the election of 2020 (ANES, voters by
state) R2 was .39 and .36 was implied, and yet the estimate was worse than guessing the mean.
"""

import warnings
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from wsclust.estimators.fit import ConvergenceWarning
from wsclust.estimators.latent import latent

HALVINGS = 40
SHUFFLES = 20
IMPLIED = 20  # halvings of drawn counts: they cost a draw each, and need fewer digits
GOOD_R2, FAIR_R2, NO_R2 = 0.5, 0.2, 0.0
FAIR_RATIO, NO_RATIO = 2.6, 1.5

USE, LIKELY, UNSURE, DO_NOT_USE = "use", "likely", "unsure", "do not use"
WARNED = UNSURE, DO_NOT_USE
_DIRECT = "prefer --method direct: weak, but seldom far wrong, and it ranks bins nearly as well"
MEANINGS = {
    USE: "17 of 17 real designs with such figures beat both the mean and the direct estimate, with which a "
    "failure rate of up to about 22% is still compatible",
    LIKELY: "7 of 8 real designs with such figures beat guessing the mean",
    UNSURE: f"real designs with such figures went either way; {_DIRECT}",
    DO_NOT_USE: f"33 of 42 real designs with such figures were worse than guessing the mean; {_DIRECT}",
}
NOTHING_TO_CHECK = f"labels and bins differ too little between the groups to check anything; {_DIRECT}"
AS_IMPLIED = (
    "R2 is about what the fitted model implies, so more groups or events, or a cap, may change the verdict"
)
_ABOUT = 0.1  # R2 this close to what the model implies is as the model implies
CAUTION = (
    "no check is certain: what changes in step with the groups' labels cannot be told from the outcome "
    "(election of 2020, ANES: R2 .39 with .36 implied, and worse than guessing)"
)


@dataclass(frozen=True)
class Check:
    """The figures: `label_r2`, what the model implies for it, `shuffle_ratio`; NaN where there is none."""

    label_r2: float
    label_r2_implied: float
    shuffle_ratio: float

    @property
    def verdict(self):
        """One of the four verdicts."""
        return verdict(self.label_r2, self.shuffle_ratio)

    @property
    def meaning(self):
        """What became of real designs with such figures, and what to do."""
        if _unknown(self.label_r2, self.shuffle_ratio):
            return NOTHING_TO_CHECK
        meaning = MEANINGS[self.verdict]
        if self.verdict in WARNED and self.label_r2 > self.label_r2_implied - _ABOUT:
            meaning += f"; {AS_IMPLIED}"
        return meaning


def verdict(label_r2, shuffle_ratio):
    """The verdict of two figures: a key of MEANINGS.

    >>> verdict(0.77, 15.6), verdict(0.34, 3.9), verdict(0.14, 2.4), verdict(0.3, 1.4)
    ('use', 'likely', 'unsure', 'do not use')
    """
    if _unknown(label_r2, shuffle_ratio):
        return DO_NOT_USE  # nothing to go by, as where all labels are equal
    if label_r2 > GOOD_R2:
        return USE
    if label_r2 >= FAIR_R2 and shuffle_ratio >= FAIR_RATIO:
        return LIKELY
    return UNSURE if label_r2 > NO_R2 and shuffle_ratio >= NO_RATIO else DO_NOT_USE


def _unknown(label_r2, shuffle_ratio):
    return np.isnan(label_r2) or np.isnan(shuffle_ratio)


def check_fit(estimator, data, fit, rng_of_role, sizes=None, progress=lambda done, total, what: None):
    """Both figures of a latent fit, from some 80 more fits, most of them of half of the groups.

    Arguments: `estimator`, a function from GroupedCounts to a LatentFit; `data`, GroupedCounts of two
    groups or more; `fit`, its LatentFit; `rng_of_role`, a function from "halvings", "implied" and "shuffles"
    to a generator; `sizes` (I,), events in each group before any cap (default those of `data`); `progress`,
    called with the fits done and to do and what they are. Returns a Check.

    >>> from wsclust.counts import GroupedCounts
    >>> from wsclust.estimators.latent import latent
    >>> exact = lambda data: latent(data, he_weight=np.inf)
    >>> share = np.linspace(0.1, 0.9, 30)
    >>> data = GroupedCounts(100 * np.column_stack([share, 1 - share]), share)
    >>> check_fit(exact, data, exact(data), lambda role: np.random.default_rng(1)).verdict
    'use'
    """
    done, total = 0, HALVINGS + IMPLIED + SHUFFLES

    def counted(sample, estimator=estimator):
        nonlocal done
        answer = estimator(sample)
        done += 1
        progress(done, total, "check")
        return answer

    exact = partial(latent, he_weight=np.inf)

    with warnings.catch_warnings():
        # The full fit and the half-samples say it already.
        warnings.simplefilter("ignore", ConvergenceWarning)
        rng = rng_of_role("halvings")
        held_out = mean_label_r2(counted, (data for _ in range(HALVINGS)), rng)
        rng = rng_of_role("implied")
        implied = mean_label_r2(counted, (drawn(data, fit, rng, sizes) for _ in range(IMPLIED)), rng)
        shuffled = partial(counted, estimator=exact)
        ratio = shuffle_ratio(shuffled, data, exact(data).posterior, rng_of_role("shuffles"))
    return Check(held_out, implied, ratio)


def mean_label_r2(estimator, samples, rng):
    """The mean of `label_r2` over samples, each halved anew; NaN where none has one."""
    values = np.array([label_r2(estimator, sample, rng) for sample in samples])
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else np.nan


def label_r2(estimator, data, rng):
    """R2 of the labels of one random half of the groups, predicted from a fit to the other.

    A bin that the fitted half never saw predicts that half's mean label. NaN where the labels of the
    predicted half all equal that mean, but for rounding.
    """
    n_groups = len(data.label)
    training = np.zeros(n_groups, dtype=bool)
    training[rng.choice(n_groups, n_groups // 2, replace=False)] = True
    train, test = data.subset(training), data.subset(~training)
    mean = train.share
    posterior = np.where(train.totals > 0, estimator(train).posterior, mean)
    if np.allclose(test.label, mean, rtol=0, atol=1e-9):
        return np.nan
    predicted = test.counts @ posterior / test.sizes
    left, total = (test.sizes @ (test.label - guess) ** 2 for guess in (predicted, mean))
    return float(1 - left / total)


def drawn(data, fit, rng, sizes=None):
    """Counts as the fitted model has them: J_i events of shares (1 - p_i) w0 + p_i w1, the labels kept.

    `sizes` (I,) are the events to draw (default those of `data`), whole ones; the counts are then weighted to
    the sizes of `data`, as by a cap.
    """
    sizes = np.maximum(np.rint(data.sizes if sizes is None else sizes), 1).astype(np.int64)
    happy = rng.binomial(sizes, np.clip(fit.share, 0, 1))
    counts = rng.multinomial(happy, fit.happy)
    counts += rng.multinomial(sizes - happy, fit.sad)
    return replace(data, counts=counts * (data.sizes / sizes)[:, None])


def shuffle_ratio(estimator, data, posterior, rng):
    """Spread of the posterior over bins by its mean over fits with shuffled labels."""
    spreads = [
        spread(estimator(replace(data, label=rng.permutation(data.label))).posterior, data.totals)
        for _ in range(SHUFFLES)
    ]
    by_chance = float(np.mean(spreads))
    return spread(posterior, data.totals) / by_chance if by_chance > 0 else np.nan


def spread(values, weights):
    """Weighted standard deviation.

    >>> spread(np.array([0.0, 1.0]), np.array([1.0, 3.0])).round(3)
    np.float64(0.433)
    """
    mean = weights @ values / weights.sum()
    return np.sqrt(weights @ (values - mean) ** 2 / weights.sum())
