"""Raking: the intercept of each group for which the model gives back exactly the group's label.

An event of group i in bin k is happy with probability q_ik = sigma(c_i + beta_k). The label s_i is the share
of happy events in the group, so that for any beta (K,) there is one intercept c_i with

    sum_k W_ik sigma(c_i + beta_k) = s_i,        W_ik = n_ik / J_i.

The answer is then rho_k = sum_i n_ik q_ik / n_k. With beta = 0 every q_ik is s_i, and rho_k is the direct
estimate without its pseudo-observations: (1 + n_k rho_k) / (2 + n_k) is equation (3.1).
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

_CELLS_AT_ONCE = 1 << 20
_MOST_STEPS = 100


def rake(composition, log_odds, label):
    """The intercepts c (I,) with sum_k W_ik sigma(c_i + beta_k) = s_i.

    Arguments: `composition` W (I, K), rows of shares that add up to 1; `log_odds` beta (K,), finite;
    `label` s (I,) in [0, 1]. A label of 0 or 1 has an intercept of minus or plus infinity.

    The root is bracketed by logit(s_i) - max beta and logit(s_i) - min beta; Newton's method on the logit of
    both sides, which is nearly straight, is held in that bracket.

    >>> rake(np.array([[0.5, 0.5]]), np.array([-1.0, 1.0]), np.array([0.5]))
    array([0.])
    """
    intercepts = logit(label)
    inside = np.isfinite(intercepts)
    wanted, shares, target = intercepts[inside], composition[inside], label[inside]
    low, high = wanted - log_odds.max(), wanted - log_odds.min()
    at = np.clip(wanted - shares @ log_odds, low, high)
    for _ in range(_MOST_STEPS):
        q = expit(at[:, None] + log_odds)
        mean = np.einsum("ik,ik->i", shares, q)
        slope = np.einsum("ik,ik,ik->i", shares, q, 1 - q)
        low, high = np.where(mean <= target, at, low), np.where(mean >= target, at, high)
        with np.errstate(divide="ignore", invalid="ignore"):
            following = at - (logit(mean) - wanted) * mean * (1 - mean) / slope
        held = (following >= low) & (following <= high)
        following = np.where(held, following, (low + high) / 2)
        moved = np.abs(following - at)
        at = following
        if not (moved > 1e-13 * (1 + np.abs(at))).any():
            break
    intercepts[inside] = at
    return intercepts


def response(composition, q):
    """h (I, K), how the intercept follows beta: dc_i / dbeta_k = -h_ik, h_ik prop. to W_ik q_ik (1 - q_ik).

    Rows add up to 1; those of a group whose label is 0 or 1, where nothing moves, are 0.
    """
    moving = composition * q * (1 - q)
    total = moving.sum(axis=1, keepdims=True)
    return np.divide(moving, total, out=np.zeros_like(moving), where=total > 0)


@dataclass(frozen=True, eq=False)
class LeftOpen:
    """What noisy labels leave open of the groups' shares: covariance diag(variance) + common common'.

    `variance` (I,) is that of each group's share given its label; `common` (I,) what all shares are off by together,
    for one standard error of the mean that calibrated labels are drawn towards.
    """

    variance: np.ndarray
    common: np.ndarray

    def of_all(self, sizes):
        """Of the share of all events, as one group; `sizes` (I,) are the groups' events."""
        weights = sizes / sizes.sum()
        return LeftOpen(np.array([weights**2 @ self.variance]), np.array([weights @ self.common]))


@dataclass(frozen=True, eq=False)
class RakedAnswer:
    """What beta says of the bins: `posterior` rho (K,), `intercepts` c (I,), `slope` drho/dbeta (K, K).

    `lift` (K,) is drho / dc, for a change of all intercepts alike.
    `own_variance` (K,) is the variance of the share of happy events among the n_k events of a bin that
    remains when beta is known: the outcomes are drawn with q_ik, and each group's total is its label's.
    `label_covariance` (K, K) is the covariance of rho that comes from what the labels leave open, 0 for exact ones.
    """

    posterior: np.ndarray
    intercepts: np.ndarray
    slope: np.ndarray
    lift: np.ndarray
    own_variance: np.ndarray
    label_covariance: np.ndarray


def raked_answer(data, log_odds, shift=0.0, left_open=None):
    """Rake all groups to their labels and average over the events of each bin.

    Arguments: `data`, GroupedCounts; `log_odds` beta (K,); `shift`, added to all intercepts once they are
    raked, for labels that are all off; `left_open`, the LeftOpen of noisy labels, None for exact ones. Returns a
    RakedAnswer. A bin without events has the probability that a group of all events would give it, and a variance of
    its own of 0.

    With v_ik = n_ik q_ik (1 - q_ik) the slope is (diag sum_i v_i - sum_i v_i v_i' / sum_k v_ik) / n_k, and
    the own variance its diagonal by n_k. A change of s_i moves rho_k by J_i v_ik / (n_k sum_k v_ik).

    >>> from wsclust.counts import GroupedCounts
    >>> data = GroupedCounts([[8, 2], [2, 8]], label=[0.9, 0.1])
    >>> raked_answer(data, np.zeros(2)).posterior.round(2)
    array([0.74, 0.26])
    """
    n_groups, n_bins = data.counts.shape
    totals = data.totals
    intercepts = np.empty(n_groups)
    happy, own = np.zeros(n_bins), np.zeros(n_bins)
    shared, of_labels = np.zeros((2, n_bins, n_bins))
    of_common = np.zeros(n_bins)
    rows_at_once = max(1, _CELLS_AT_ONCE // n_bins)
    for start in range(0, n_groups, rows_at_once):
        rows = slice(start, start + rows_at_once)
        counts = data.counts[rows]
        composition = counts / data.sizes[rows, None]
        intercepts[rows] = rake(composition, log_odds, data.label[rows]) + shift
        q = expit(intercepts[rows, None] + log_odds)
        happy += np.einsum("ik,ik->k", counts, q)
        moving = counts * q * (1 - q)
        own += moving.sum(axis=0)
        unshifted = expit(intercepts[rows, None] - shift + log_odds) if shift else q
        responses = response(composition, unshifted)
        shared += moving.T @ responses
        if left_open is not None:
            by_label = data.sizes[rows, None] * responses * _ratio(q * (1 - q), unshifted * (1 - unshifted))
            of_labels += by_label.T @ (left_open.variance[rows, None] * by_label)
            of_common += left_open.common[rows] @ by_label
    slope = np.diag(own) - shared
    of_labels += np.outer(of_common, of_common)
    seen = totals > 0
    of_all = totals / totals.sum()
    intercept = rake(of_all[None], log_odds, np.array([data.mean_label]))
    follows = response(of_all[None], expit(intercept + log_odds)[None])
    q = expit(intercept + shift + log_odds)
    elsewhere = (q * (1 - q))[:, None] * (np.eye(n_bins) - follows)
    events = np.where(seen, totals, 1.0)
    return RakedAnswer(
        np.where(seen, happy / events, q),
        intercepts,
        np.where(seen[:, None], slope / events[:, None], elsewhere),
        np.where(seen, own / events, q * (1 - q)),
        np.where(seen, np.diag(slope) / events**2, 0.0),
        np.where(np.outer(seen, seen), of_labels / np.outer(events, events), 0.0),
    )


def _ratio(one, other):
    return np.divide(one, other, out=np.zeros_like(one), where=other > 0)


def pooled(data):
    """The same events as one group, whose label is the share of all: one intercept for everybody.

    >>> from wsclust.counts import GroupedCounts
    >>> pooled(GroupedCounts([[8, 2], [2, 8]], label=[0.9, 0.1])).counts
    array([[10., 10.]])
    """
    return type(data)(data.totals[None], [data.mean_label], None, data.bins)
