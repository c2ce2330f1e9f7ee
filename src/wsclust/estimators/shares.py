"""The share of happy events in a group, from its events alone, once the bins of happy and of sad events are known.

With w_0 and w_1 given, the events of group i have the likelihood l_i(p) = sum_k n_ik log((1 - p) w0_k + p w1_k), which
is concave in the share p: the mixture of section 4 for one group. The interval holds every p whose likelihood is less
than 1.92 below the largest (Wilks 1938), so it stays within [0, 1] and is not symmetric near the ends. Where the events
of a group vary `spread_i` times as much as a mixture's, l_i is divided by it (a quasi-likelihood, Wedderburn 1974).
"""

from functools import partial

import numpy as np
from scipy.special import logit

from wsclust.group_parts import blocks_of_groups

_HALVINGS = 44  # of [0, 1], to 6e-14
_DROP_95 = 1.920729410347062  # half the 95% point of the chi-squared distribution with one degree of freedom


def shares_by_events(counts, sad, happy, spread=1.0):
    """The share of largest likelihood with its 95% interval: three arrays (I,), in [0, 1].

    Arguments: `counts` (I, K); `sad` and `happy` (K,), w_0 and w_1, above 0; `spread`, one number or one per group.
    A group without events has NaN and the interval [0, 1].

    >>> share, lower, upper = shares_by_events(np.array([[70, 30], [0, 0]]), np.array([0.4, 0.6]), np.array([0.9, 0.1]))
    >>> share.round(3), lower.round(2), upper.round(2)
    (array([0.6, nan]), array([0.41, 0.  ]), array([0.77, 1.  ]))
    """
    counts = np.asarray(counts, dtype=float)
    share = np.full(len(counts), np.nan)
    for rows in blocks_of_groups(len(counts)):
        block = counts[rows]

        def falls(p, block=block):
            """Whether the likelihood falls at p already."""
            return (block * (happy - sad) / _mixture(p, sad, happy)).sum(axis=1) < 0

        share[rows] = _crossing(falls, np.zeros(len(block)), np.ones(len(block)))
    lower, upper = intervals_of_shares(counts, share, sad, happy, spread)
    share[counts.sum(axis=1) == 0] = np.nan
    return share, lower, upper


def intervals_of_shares(counts, share, sad, happy, spread, he_weight=0.0, label=None):
    """The 95% interval of shares that are known already: (lower, upper), each (I,).

    Arguments as for `shares_by_events`; `share` (I,), where the likelihood is largest; `he_weight` and `label` (I,), of
    a fit in which labels pull: the likelihood then has the penalty -W_H / 2 (logit p - HE_i)^2.
    """
    lower, upper = np.empty(len(share)), np.empty(len(share))
    spread = np.broadcast_to(np.asarray(spread, dtype=float), share.shape)
    for rows in blocks_of_groups(len(share)):
        evaluation = logit(label[rows]) if he_weight else None
        drop = partial(_drop, counts[rows], sad, happy, spread[rows], he_weight, evaluation, share[rows])
        lower[rows] = _crossing(
            lambda p, drop=drop: drop(p) <= _DROP_95, np.zeros(len(share[rows])), share[rows]
        )
        upper[rows] = _crossing(
            lambda p, drop=drop: drop(p) > _DROP_95, share[rows], np.ones(len(share[rows]))
        )
    return lower, upper


def _drop(counts, sad, happy, spread, he_weight, evaluation, at, p):
    """How much lower the penalised log-likelihood is at p than at the share, (I,)."""

    def height(share):
        found = (counts * np.log(_mixture(share, sad, happy))).sum(axis=1) / spread
        if he_weight:
            found -= he_weight / 2 * (logit(share) - evaluation) ** 2
        return found

    return height(at) - height(p)


def spread_of_groups(excess, sizes):
    """How much more than a mixture's the events of each group vary, (I,): 1 + c (J_i - 1), at least 1.

    So it is where events of one group are correlated alike in all (the variance of a Dirichlet-multinomial). Arguments:
    `excess` (I,), the variation found over what the fit says (`check.misfit`); `sizes` (I,) J_i. Gives a function of
    other groups' sizes.

    >>> spread_of_groups(np.array([3.0, 5.0]), np.array([101.0, 201.0]))(np.array([1.0, 51.0]))
    array([1., 2.])
    """
    usable = np.isfinite(excess) & (sizes > 1)
    pairs = (sizes[usable] - 1).sum()
    correlation = max((excess[usable] - 1).sum() / pairs, 0.0) if pairs else 0.0
    return lambda of_sizes: 1 + correlation * np.maximum(np.asarray(of_sizes, dtype=float) - 1, 0)


def _mixture(p, sad, happy):
    return sad + p[:, None] * (happy - sad)


def _crossing(beyond, start, end):
    """Where `beyond`, false and then true from start to end, becomes true; the end where it never does, by halving."""
    low, high = start, end
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        is_beyond = beyond(middle)
        low, high = np.where(is_beyond, low, middle), np.where(is_beyond, middle, high)
    return np.where(high == end, end, np.where(low == start, start, (low + high) / 2))
