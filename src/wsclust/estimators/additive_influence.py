r"""Influences of the groups on an additive fit, for standard errors in the manner of `information`.

A little more weight for group i moves beta by

    (-H)^-1 X' A' (n_i z_i - n_i r - t_i B 1),   t_i = sum_k n_ik (r_k - l) / (M l (1 - l)),

with H the penalised Hessian in beta, and A, l, M and r as in `profile`. Its events move logit(l) by t_i at a
given zeta, and so eta and the z of every group, which B = diag(sum_i V_ik) - V' diag(1 / h) V turns into
events. rho_k moves by r_k (1 - r_k) times what zeta_k does.
"""

import numpy as np
from scipy.linalg import cho_solve
from scipy.sparse import diags_array

from wsclust.estimators.information import curvature_with_information, factored
from wsclust.estimators.profile import profile_curvature


def additive_influence(_, estimate, **settings):
    """The influence of each group on the posterior of an AdditiveEstimate, in blocks of groups (rows, K)."""
    problem, state = estimate.problem, estimate.state
    return coefficient_influences(
        problem, state, diags_array(state.rate * (1 - state.rate)) @ problem.design.columns
    )


def coefficient_influences(problem, state, contrasts):
    """The influence of each group on contrasts @ beta, in blocks of groups (rows, q).

    Arguments: an AdditiveProblem; its AdditiveState at the mode; `contrasts` (q, d), sparse.

    Raises ValueError where W_H is 0, the bins are too many, or the objective is not curved downwards.
    """
    at = curvature_with_information(problem, state, profile_curvature)
    of_beta = cho_solve(factored(-at.hessian), contrasts.T.toarray())
    of_log_odds = problem.design.columns @ of_beta
    # A: what moves every zeta alike moves no eta.
    towards = of_log_odds - at.turning @ of_log_odds
    met = at.response.sum(axis=1) @ towards
    events = problem.weighed
    mean = events @ state.rate / events.sum()
    turns = (state.rate - mean) / (events.sum() * mean * (1 - mean))
    weights = np.vstack([state.sad, state.happy])
    for rows in problem.blocks():
        counts = problem.counts[rows]
        happy = state.share[rows, None] * state.happy * counts / state.mixture(rows, weights)
        yield (happy - counts * state.rate) @ towards - np.outer(counts @ turns, met)
