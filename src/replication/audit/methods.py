"""What one can make of an audit: with and without the groups' labels, with and without a weak answer.

Each takes an `Audit` and returns a posterior (K,):

* alone: a logistic regression of the audited outcomes on main effects of the factors with a ridge, its size
  averaged by evidence; no label is used;
* slope: the weak answer's log-odds times one slope, raked to the labels;
* shares: the audited answer without a weak answer;
* full: the audited answer.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from wsclust.audit.audited import audited
from wsclust.audit.kernel import factor_kernel
from wsclust.audit.model import centred_tilt, rows_of
from wsclust.audit.outcomes import AuditedOutcomes
from wsclust.audit.posterior import AuditRows, component, mixture
from wsclust.audit.priors import SHAPES, Prior
from wsclust.audit.raking import raked_answer
from wsclust.counts import GroupedCounts

_RIDGES = (0.1, 0.3, 0.9, 2.0)
_LEVEL_SD = 5.0


@dataclass(frozen=True, eq=False)
class Audit:
    """What there is to go by: `data`, the `outcomes` looked up, a `weak` fit and the `ordered` factors."""

    data: GroupedCounts
    outcomes: AuditedOutcomes
    weak: object
    ordered: tuple = ()


def full(audit):
    """The AuditedFit with the weak answer."""
    return audited(audit.data, audit.outcomes, audit.weak, audit.ordered)


def shares(audit):
    """The AuditedFit without a weak answer."""
    return audited(audit.data, audit.outcomes, None, audit.ordered)


def slope(audit):
    """The posterior (K,) of one slope on the weak answer."""
    data, outcomes = audit.data, audit.outcomes
    tilt = centred_tilt(audit.weak, data)
    _, _, mean, sd = SHAPES[-1]
    prior = Prior("weak", 1.0, 0.0, 0.0, mean, sd, mean * tilt, sd**2 * np.outer(tilt, tilt))
    rows = rows_of(data, outcomes, prior, tilt)
    part = component(rows, prior, tilt)
    variance = part.slope_variance * tilt**2
    return raked_answer(data, part.slope * tilt / np.sqrt(1 + np.pi * variance / 8)).posterior


def alone(audit):
    """The posterior (K,) of the audited outcomes alone."""
    # One group that responds to nothing, with an intercept of its own: a plain logistic regression.
    trials, happy = audit.outcomes.events.sum(axis=0), audit.outcomes.happy.sum(axis=0)
    n_bins = len(trials)
    bins = np.flatnonzero(trials)
    rows = AuditRows(
        np.zeros(len(bins), dtype=int),
        bins,
        trials[bins],
        happy[bins],
        np.zeros(1),
        np.zeros((1, n_bins)),
        np.zeros(n_bins + 1),
    )
    kernel = factor_kernel(audit.data.bins, audit.ordered)
    components = [
        component(
            rows,
            Prior("none", 1.0, size, 0.0, 0.0, 0.0, np.zeros(n_bins), _LEVEL_SD**2 + size**2 * kernel),
        )
        for size in _RIDGES
    ]
    mixed = mixture(components, np.full(len(_RIDGES), 1 / len(_RIDGES)))
    variance = np.diag(mixed.covariance)[:-1]
    return expit(mixed.mean[:-1] / np.sqrt(1 + np.pi * variance / 8))
