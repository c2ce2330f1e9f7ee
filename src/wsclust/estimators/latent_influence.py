r"""How the latent fit moves with a group's weight: what its standard errors by formula are made of.

With g_i the slope of group i's objective in w = (w0, w1), its mu_i at its best for each w, and H the observed
information of the penalised likelihood (Louis 1982; here the second derivatives themselves, mu eliminated,
`curvature`), group i's influence on rho is

    f_ik = (n_ik (z_ik - rho_k) + sum_l dS_k/dw_l (H^-1 g_i)_l) / (2 + n_k),   S_k = sum_i n_ik z_ik.

With v_i, h_i and c_ik = n / d^2 as there and m_k = (-w1_k, w0_k),
dS_k/dw_l = [k = l] m_k sum_i v_i c_ik - w0_k w1_k m_l sum_i v_i^2 c_ik c_il / h_i.
At W_H = 0 there is no information: mu is free.
"""

from collections.abc import Iterator

import numpy as np
from scipy.linalg import cho_solve

from wsclust.counts import GroupedCounts
from wsclust.estimators.curvature import curvature_at, free, meets_quality
from wsclust.estimators.estimate import LatentEstimate
from wsclust.estimators.information import curvature_with_information, factored
from wsclust.estimators.likelihood import Problem
from wsclust.estimators.prior import pseudo_observations


def latent_influence(
    data: GroupedCounts,
    estimate: LatentEstimate,
    he_weight: float = float("inf"),
    prior: str = "half",
    pseudo_events: float = 2.0,
    **_: object,
) -> Iterator[np.ndarray]:
    """The influence of each group, in blocks of groups, each a matrix of rows f_i (K,).

    Arguments: `data`, GroupedCounts; its LatentEstimate at W_H = `he_weight` with these pseudo-observations, which
    are taken as fixed. Raises ValueError where W_H is 0, with more bins than Newton's method takes, and where the
    objective is not curved downwards at the estimate.
    """
    problem = Problem(data, he_weight, pseudo_observations(data, prior, pseudo_events))
    towards = _response(problem, estimate.state)
    weights = np.vstack([estimate.sad, estimate.happy])
    for rows in problem.blocks():
        ratio = problem.counts[rows] / estimate.state.mixture(rows, weights)
        of_sad, of_happy = estimate.state.complement[rows, None] * ratio, estimate.share[rows, None] * ratio
        own = of_happy * estimate.happy - problem.counts[rows] * estimate.posterior
        yield (own + free(np.hstack([of_sad, of_happy])) @ towards.T) / problem.weighed


def _response(problem, state):
    """How S (K,) moves with a slope in the free weights, dS/dw H^-1: (K, 2K - 2)."""
    at = curvature_with_information(problem, state, curvature_at)
    moves = np.hstack([np.diag(at.facing)] * 2)
    moves -= (state.sad * state.happy)[:, None] * np.tile(at.coupling, (1, 2))
    information = factored(-free(free(at.hessian).T))
    return cho_solve(information, free(moves * meets_quality(state)).T).T
