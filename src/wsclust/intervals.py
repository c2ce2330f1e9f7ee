"""95% intervals of posteriors, from standard errors by half-samples or by the information.

The interval is normal on the plain scale, rho_k -+ 1.96 se_k, cut off at 0 and 1 where the method's
estimates are probabilities; those by moments may lie anywhere, and so may their intervals. On the logit
scale an interval needs no cutting but missed the truth more often, as estimates of rare behaviour tend to
be too near to 0, where logits vary little on the side that matters.

How often they hold the truth, by simulation: `results/coverage/`, and a table in the README. An interval does
so as often as the estimate's bias allows: the standard error knows nothing of it. Half-samples of few small
groups also vary less than the full sample does, since the prior holds them.
"""

import numpy as np

NORMAL_95 = 1.959963984540054  # the 97.5% point of the standard normal distribution


def half_sample_intervals(posterior, halves, bounded=True):
    """Standard errors and 95% intervals: (se, lower, upper), each (K,).

    Arguments: `posterior` (K,), the full sample's estimate; `halves` (B, K), the estimates of B half-samples
    of the groups, NaN where one has none; `bounded`, whether to cut the intervals off at 0 and 1.
    A bin that fewer than two half-samples could estimate has NaN in all three.

    >>> se, lower, upper = half_sample_intervals(np.array([0.9]), np.array([[0.8], [0.9], [0.95]]))
    >>> se.round(3), lower.round(3), upper.round(3)
    (array([0.076]), array([0.75]), array([1.]))
    """
    known = np.isfinite(halves)
    count = known.sum(axis=0)
    mean = np.where(known, halves, 0).sum(axis=0) / np.maximum(count, 1)
    squares = np.where(known, halves - mean, 0) ** 2
    se = np.where(count >= 2, np.sqrt(squares.sum(axis=0) / np.maximum(count - 1, 1)), np.nan)
    return (se, *normal_interval(posterior, se, bounded))


def normal_interval(posterior, se, bounded=True):
    """posterior -+ 1.96 se, each (K,), cut off at 0 and 1 where `bounded`: (lower, upper)."""
    lower, upper = posterior - NORMAL_95 * se, posterior + NORMAL_95 * se
    return (np.clip(lower, 0, 1), np.clip(upper, 0, 1)) if bounded else (lower, upper)
