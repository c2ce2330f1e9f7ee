"""From labels and outcomes to the bins' rates: the mixture over priors, raked through all groups.

The mean of beta over the mixture is drawn in as an average of probabilities is, beta_k / sqrt(1 + pi v_k / 8)
with v_k its variance. beta counts from its mean over all events, since the intercepts take up the rest.
"""

from dataclasses import dataclass

import numpy as np

from wsclust.audit.posterior import AuditRows, Mixture, component, linearised, mixture
from wsclust.audit.priors import middle_prior, priors
from wsclust.audit.raking import RakedAnswer, raked_answer
from wsclust.columns.names import levels_in_words


@dataclass(frozen=True, eq=False)
class AuditPosterior:
    """The posterior: the `table` of priors, the `rows`, the mixture `mixed` and what they say of the bins.

    `log_odds` beta (K,) has mean 0 over all events; `answer` is the RakedAnswer; `spread` (K, K) the
    covariance of its rho that comes from beta, the shift and the labels.
    """

    table: list
    rows: AuditRows
    mixed: Mixture
    log_odds: np.ndarray
    answer: RakedAnswer
    spread: np.ndarray


def posterior_of(data, outcomes, kernel, tilt=None, shift_sd=0.0, label_variance=None):
    """The AuditPosterior of bins with the factors' `kernel` M (K, K) and the weak answer's `tilt` (K,).

    Arguments: `data`, GroupedCounts; `outcomes`, AuditedOutcomes; `shift_sd`, SD of what all labels may be
    off by in log-odds; `label_variance` (I,), that of each group's share given its label, None for exact labels.
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
    answer = raked_answer(data, drawn_in, mean[-1], label_variance)
    slope = np.column_stack([answer.slope, answer.lift])
    spread = slope @ covariance @ slope.T + answer.label_covariance
    return AuditPosterior(table, rows, mixed, mean[:-1], answer, spread)


def rows_of(data, outcomes, prior, tilt=None, shift_sd=0.0):
    """The AuditRows at one prior's mode, of groups with audited events and a label inside (0, 1)."""
    used = (outcomes.events.sum(axis=1) > 0) & (data.label > 0) & (data.label < 1)
    composition = data.counts[used] / data.sizes[used, None]
    return linearised(
        composition, data.label[used], outcomes.events[used], outcomes.happy[used], prior, tilt, shift_sd
    )


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
