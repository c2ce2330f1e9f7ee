"""From labels and outcomes to the bins' rates: the mixture over priors, raked through all groups.

The mean of beta over the mixture is drawn in as an average of probabilities is, beta_k / sqrt(1 + pi v_k / 8)
with v_k its variance. beta counts from its mean over all events, since the intercepts take up the rest.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from wsclust.audit.posterior import AuditRows, Mixture, component, linearised, mixture
from wsclust.audit.priors import middle_prior, priors
from wsclust.audit.raking import LeftOpen, RakedAnswer, raked_answer
from wsclust.columns.names import levels_in_words


@dataclass(frozen=True, eq=False)
class AuditPosterior:
    """The posterior: the `table` of priors, the `rows`, the mixture `mixed` and what they say of the bins.

    `log_odds` beta (K,) has mean 0 over all events; `answer` is the RakedAnswer; `spread` (K, K) the
    covariance of its rho that comes from beta, the shift and the labels; `of_intercepts`, what noisy labels leave
    open of the intercepts of the groups in `rows`, None for exact labels.
    """

    table: list
    rows: AuditRows
    mixed: Mixture
    log_odds: np.ndarray
    answer: RakedAnswer
    spread: np.ndarray
    of_intercepts: LeftOpen | None


def posterior_of(data, outcomes, kernel, tilt=None, shift_sd=0.0, left_open=None):
    """The AuditPosterior of bins with the factors' `kernel` M (K, K) and the weak answer's `tilt` (K,).

    Arguments: `data`, GroupedCounts; `outcomes`, AuditedOutcomes; `shift_sd`, SD of what all labels may be
    off by in log-odds; `left_open`, the LeftOpen of noisy labels, None for exact ones.
    """
    table = priors(kernel, tilt)
    rows = rows_of(data, outcomes, middle_prior(kernel, tilt), tilt, shift_sd)
    mixed = mixture(
        [component(rows, prior, tilt, shift_sd) for prior in table], np.array([p.weight for p in table])
    )
    # beta less its mean over all events, which the intercepts take up; the shift stays as it is.
    n_bins = len(data.totals)
    centring = np.eye(n_bins + 1)
    centring[:-1, :-1] -= data.totals / data.totals.sum()
    mean, covariance = centring @ mixed.mean, centring @ mixed.covariance @ centring.T
    drawn_in = mean[:-1] / np.sqrt(1 + np.pi * np.diag(covariance)[:-1] / 8)
    answer = raked_answer(data, drawn_in, mean[-1], left_open)
    slope = np.column_stack([answer.slope, answer.lift])
    spread = slope @ covariance @ slope.T + answer.label_covariance
    of_intercepts = None
    if left_open is not None:
        used = _audited_groups(data, outcomes)
        q = expit(answer.intercepts[used, None] - mean[-1] + drawn_in)
        moving = (data.counts[used] * q * (1 - q)).sum(axis=1) / data.sizes[used]
        of_intercepts = LeftOpen(left_open.variance[used] / moving**2, left_open.common[used] / moving)
    return AuditPosterior(table, rows, mixed, mean[:-1], answer, spread, of_intercepts)


def rows_of(data, outcomes, prior, tilt=None, shift_sd=0.0):
    """The AuditRows at one prior's mode, of groups with audited events and a label inside (0, 1)."""
    used = _audited_groups(data, outcomes)
    composition = data.counts[used] / data.sizes[used, None]
    return linearised(
        composition, data.label[used], outcomes.events[used], outcomes.happy[used], prior, tilt, shift_sd
    )


def _audited_groups(data, outcomes):
    return (outcomes.events.sum(axis=1) > 0) & (data.label > 0) & (data.label < 1)


def centred_tilt(weak, data):
    """The tilt x (K,) of a weak answer, log(w1 / w0), with mean 0 over all events.

    Argument: `weak`, a fit with `happy` and `sad` (K,), or the tilt itself. Raises ValueError where it has
    another length than K or is not finite.

    >>> from wsclust.counts import GroupedCounts
    >>> data = GroupedCounts([[50, 50]], label=[0.5])
    >>> centred_tilt([1.0, 3.0], data)
    array([-1.,  1.])
    """
    if hasattr(weak, "happy"):
        with np.errstate(divide="ignore", invalid="ignore"):
            tilt = np.log(weak.happy) - np.log(weak.sad)
    else:
        tilt = np.asarray(weak, dtype=float)
    if tilt.shape != data.totals.shape:
        raise ValueError(f"weak: a tilt of {tilt.size} bins, but the data have {data.totals.size}")
    if not np.isfinite(tilt).all():
        k = int(np.argmin(np.isfinite(tilt)))
        where = levels_in_words(data.bins.iloc[k])
        raise ValueError(
            f"weak: log(w1 / w0) is {tilt[k]:g} in {where}; expected a finite number in every bin"
        )
    return tilt - data.totals @ tilt / data.totals.sum()
