r"""Slope and curvature of the objective that EM climbs, with the group qualities eliminated.

The Hessian is an arrow. With p = sigma(mu), v = p (1 - p), ratio = n / d and curvature = n / d^2:

* w0_k and w1_k touch only the cells of bin k, so their block is K matrices of 2 x 2;
* each mu_i has one second derivative,
  h_i = v (1 - 2p) (ratio (w1 - w0))_i - v^2 (curvature (w1 - w0)^2)_i - W_H;
* mu_i meets w1_k in v_i curvature_ik w0_k, and w0_k in -v_i curvature_ik w1_k.

Eliminating mu leaves the Schur complement in w = (w0, w1), 2K x 2K, whose only matrix product is
curvature' diag(v^2 / h) curvature. The two constraints sum w = 1 are kept by changes that sum to zero: the
last bin of each distribution takes up what the others change. That also removes what would be two null
directions of softmax weights.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Sums:
    """The log-likelihood's derivatives summed over groups, mu eliminated where W_H is finite.

    `slopes` (2, K): in w0 and w1. `corners` (3, K): minus the second derivatives in w0, in both, and in w1.
    `coupling` (K, K), `pulled` (K,): sum_i of v_i^2 curvature_ik curvature_il / h_i, and of v_i first_i
    curvature_ik / h_i, with first_i the slope in mu_i. `eliminated` has for each block of groups its rows,
    v, first and h. At W_H = infinity mu is fixed: `coupling` and `pulled` are 0 and `eliminated` empty.
    """

    slopes: np.ndarray
    corners: np.ndarray
    coupling: np.ndarray
    pulled: np.ndarray
    eliminated: list


@dataclass(frozen=True, eq=False)
class Curvature:
    """Derivatives at a state: `gradient` (2K,) and `hessian` (2K, 2K) in (w0, w1), mu eliminated.

    `facing` (K,) is sum_i v_i curvature_ik; `coupling` and `eliminated` are those of the Sums.
    """

    gradient: np.ndarray
    hessian: np.ndarray
    facing: np.ndarray
    coupling: np.ndarray
    eliminated: list


def sums_at(problem, state):
    """The Sums of a `likelihood.Problem` at a State; None where some h_i >= 0.

    There, mu_i has no maximum that moves smoothly with w, and cannot be eliminated.
    """
    fixed = np.isinf(problem.he_weight)
    n_bins = len(state.sad)
    weights = np.vstack([state.sad, state.happy])
    difference = state.happy - state.sad
    slopes = np.zeros((2, n_bins))
    corners = np.zeros((3, n_bins))
    coupling = np.zeros((n_bins, n_bins))
    pulled = np.zeros(n_bins)
    eliminated = []
    for rows in problem.blocks():
        share = state.share[rows]
        both = np.column_stack([state.complement[rows], share])
        mixture = both @ weights
        ratio = problem.counts[rows] / mixture
        curvature = np.divide(ratio, mixture, out=mixture)
        slopes += both.T @ ratio
        corners += np.vstack([both[:, 0] ** 2, both[:, 0] * share, share**2]) @ curvature
        if fixed:
            continue
        slope = share * (1 - share)
        tilt = ratio @ difference
        second = slope * (1 - 2 * share) * tilt - slope**2 * (curvature @ difference**2) - problem.he_weight
        if second.max() >= 0:
            return None
        first = slope * tilt - problem.he_weight * (state.quality[rows] - problem.evaluation[rows])
        scaled = curvature * (slope / np.sqrt(-second))[:, None]
        coupling -= scaled.T @ scaled
        pulled += (slope * first / second) @ curvature
        eliminated.append((rows, slope, first, second))
    return Sums(slopes, corners, coupling, pulled, eliminated)


def curvature_at(problem, state):
    """The Curvature of a `likelihood.Problem` at a State; None where mu cannot be eliminated."""
    sums = sums_at(problem, state)
    if sums is None:
        return None
    n_bins = len(state.sad)
    corners = sums.corners
    gradient = sums.slopes + [problem.pseudo_sad / state.sad, problem.pseudo_happy / state.happy]
    hessian = np.zeros((2, n_bins, 2, n_bins))
    diagonal = np.arange(n_bins)
    hessian[0, diagonal, 0, diagonal] = -corners[0] - problem.pseudo_sad / state.sad**2
    hessian[1, diagonal, 1, diagonal] = -corners[2] - problem.pseudo_happy / state.happy**2
    hessian[0, diagonal, 1, diagonal] = hessian[1, diagonal, 0, diagonal] = -corners[1]
    hessian = hessian.reshape(2 * n_bins, 2 * n_bins)
    gradient = gradient.ravel()
    if sums.eliminated:
        meeting = meets_quality(state)
        hessian = hessian - np.outer(meeting, meeting) * np.tile(sums.coupling, (2, 2))
        gradient = gradient - meeting * np.tile(sums.pulled, 2)
    return Curvature(gradient, hessian, corners[1], sums.coupling, sums.eliminated)


def meets_quality(state):
    """How mu_i's gradient changes with (w0, w1), apart from v_i curvature_ik: m = (-w1, w0), (2K,)."""
    return np.concatenate([-state.happy, state.sad])


def free(derivatives):
    """Derivatives in (w0, w1), along the last axis, in what is free: all bins but the last of each.

    >>> free(np.array([5.0, 2.0, 1.0, 7.0, 3.0, 1.0]))
    array([4., 1., 6., 2.])
    """
    n_bins = derivatives.shape[-1] // 2
    keep = np.delete(np.arange(2 * n_bins), [n_bins - 1, 2 * n_bins - 1])
    last = np.repeat([n_bins - 1, 2 * n_bins - 1], n_bins - 1)
    return derivatives[..., keep] - derivatives[..., last]


def with_last(changes):
    """Changes of all of (w0, w1), (2K,), from those of the free: each distribution's sum to zero.

    >>> with_last(np.array([0.2, 0.1, -0.3, 0.1]))
    array([ 0.2,  0.1, -0.3, -0.3,  0.1,  0.2])
    """
    of_each = changes.reshape(2, -1)
    return np.column_stack([of_each, -of_each.sum(axis=1)]).ravel()
