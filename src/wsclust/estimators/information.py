r"""Standard errors by formula: curvature of the objective and how the groups' slopes differ (a sandwich).

Every estimate here moves, when group i is given a little more weight, by an influence f_i (K,), and

    Var(rho) = I / (I - 1) sum_i (f_i - mean f)^2,

since the groups are the sample. No fit is repeated: it costs a few iterations, not 200 fits.

* direct: f_ik = n_ik (s_i - rho_k) / (2 + n_k)
* moments: f_i = (Omega' Omega)^+ omega_i (s_i - omega_i . rho) / sqrt(1 - leverage_i), since a fit
  comes too near to its own labels where bins are not few beside the groups
* latent: with g_i the slope of group i's objective in w = (w0, w1), its mu_i at its best for each w, and H
  the observed information of the penalised likelihood (Louis 1982; here the second derivatives themselves,
  mu eliminated, `curvature`),

      f_ik = (n_ik (z_ik - rho_k) + sum_l dS_k/dw_l (H^-1 g_i)_l) / (2 + n_k),   S_k = sum_i n_ik z_ik.

  With v_i, h_i and c_ik = n / d^2 as there and m_k = (-w1_k, w0_k),
  dS_k/dw_l = [k = l] m_k sum_i v_i c_ik - w0_k w1_k m_l sum_i v_i^2 c_ik c_il / h_i.
  At W_H = 0 there is no information: mu is free.
* additive: `profile_information`

How often their 95% intervals hold the truth: `wsclust.intervals`.
"""

import numpy as np
from scipy.linalg import cho_solve

from wsclust.estimators.curvature import curvature_at, free, meets_quality
from wsclust.estimators.influence import curvature_with_information, factored, spread_over_groups
from wsclust.estimators.likelihood import Problem
from wsclust.estimators.prior import pseudo_observations
from wsclust.estimators.profile_information import posterior_influences


def group_errors(data, fit, method, he_weight=np.inf, prior="half", pseudo_events=2.0):
    """Standard error of a posterior by the formulas above, (K,).

    Arguments: `data`, GroupedCounts; `fit`, the Fit of `method`, one of "direct", "moments", "latent"
    and "additive"; `he_weight`, W_H of a latent fit; `prior` and `pseudo_events` of a direct or latent fit
    (their pseudo-observations are taken as fixed). An additive fit knows its own. NaN in a bin without
    events.

    Raises ValueError where W_H is 0, or where the objective is not curved downwards at the fit.

    >>> from wsclust.counts import GroupedCounts
    >>> from wsclust.estimators.direct import direct
    >>> data = GroupedCounts([[9, 1], [8, 2], [2, 8], [1, 9]], label=[0.9, 0.7, 0.2, 0.2])
    >>> group_errors(data, direct(data), "direct").round(2)
    array([0.11, 0.08])
    """
    influences = {"direct": _direct, "moments": _moments, "latent": _latent, "additive": _additive}[method]
    problem = Problem(data, he_weight, pseudo_observations(data, prior, pseudo_events))
    errors = spread_over_groups(influences(problem, fit), len(data.label))
    return np.where(data.totals > 0, errors, np.nan)


def _direct(problem, fit):
    for rows in problem.blocks():
        differences = problem.label[rows, None] - fit.posterior
        yield problem.counts[rows] * differences / problem.weighed


def _moments(problem, fit):
    seen = problem.totals > 0
    omega = problem.counts / problem.sizes[:, None]
    left = problem.label - omega[:, seen] @ fit.posterior[seen]
    influence = np.zeros_like(omega)
    weights = omega[:, seen] @ np.linalg.pinv(omega[:, seen].T @ omega[:, seen])
    leverage = np.sum(weights * omega[:, seen], axis=1)
    # A group that alone determines a bin has leverage 1 and leaves nothing to divide.
    influence[:, seen] = weights * (left / np.sqrt(np.maximum(1 - leverage, 1e-6)))[:, None]
    yield influence


def _latent(problem, fit):
    towards = _response(problem, fit.state)
    weights = np.vstack([fit.sad, fit.happy])
    for rows in problem.blocks():
        ratio = problem.counts[rows] / fit.state.mixture(rows, weights)
        of_sad, of_happy = fit.state.complement[rows, None] * ratio, fit.share[rows, None] * ratio
        own = of_happy * fit.happy - problem.counts[rows] * fit.posterior
        yield (own + free(np.hstack([of_sad, of_happy])) @ towards.T) / problem.weighed


def _additive(_, fit):
    return posterior_influences(fit.problem, fit.state)


def _response(problem, state):
    """How S (K,) moves with a slope in the free weights, dS/dw H^-1: (K, 2K - 2)."""
    at = curvature_with_information(problem, state, curvature_at)
    moves = np.hstack([np.diag(at.facing)] * 2)
    moves -= (state.sad * state.happy)[:, None] * np.tile(at.coupling, (1, 2))
    information = factored(-free(free(at.hessian).T))
    return cho_solve(information, free(moves * meets_quality(state)).T).T
