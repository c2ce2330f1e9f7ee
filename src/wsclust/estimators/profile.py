r"""The additive model's likelihood, its M-step and its curvature, with w0 and the qualities eliminated.

The model is that of section 4 with log(w1_k / w0_k) = eta_k a sum over columns X, and w0 free. With m_k the
events of bin k and its pseudo-observations, M their sum and r = sigma(zeta), zeta = X beta, the best w0 is

    w1 = m r / (l M),   w0 = m (1 - r) / ((1 - l) M),   l = sum m r / M,   eta = zeta - logit(l):

the weighted logistic regression of the M-step has no more parameters than that, as in a case-control study
(Prentice & Pyke 1979). So the objective is a function of beta and mu alone, with no constraint, and the
intercept stands in for l. (4.3)-(4.4) become the regression of a pi + c_k successes out of m_k on X, with
c_k = sum_i n_ik z_ik, and (4.8) is r_k.

The derivatives, from those of the objective in eta with w0 at its best for it, by the chain rule. With
u = m r (1 - r) / (M l (1 - l)), d eta = A d zeta with A = I - 1 u', g = a pi + c - m r, and V, h, first from
`curvature` (V_ik = v_i curvature_ik w0_k w1_k):

    gradient  A' (g - V' (first / h))
    Hessian   A' [diag(sum_i V_ik) - V' diag(1 / h) V] A - diag(m r (1 - r)) + M l (1 - l) u u'
              - (sum g) [diag(u (1 - 2 r)) - (1 - 2 l) u u'];

in beta X' gradient - P beta, and X' Hessian X - P. At W_H = infinity the terms in h are absent.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from wsclust.estimators.curvature import Sums, sums_at
from wsclust.estimators.em import quality_step
from wsclust.estimators.likelihood import Problem, State, sigmoid
from wsclust.estimators.newton import quality_change

_REGRESSION_STEPS = 100


@dataclass(frozen=True, eq=False)
class AdditiveState(State):
    """A State whose weights follow from `coefficients` beta (d,); `rate` is r (K,)."""

    coefficients: np.ndarray
    rate: np.ndarray


class AdditiveProblem(Problem):
    """A Problem whose weights are those of a Design, with the penalty of its coefficients."""

    def __init__(self, data, he_weight, pseudo, design):
        super().__init__(data, he_weight, pseudo)
        self.design = design

    def penalty(self, state):
        return super().penalty(state) - self.design.penalty @ np.square(state.coefficients) / 2

    def posterior(self, state, expectation):
        return state.rate


def additive_state(problem, coefficients, quality, share, complement):
    """The AdditiveState of beta, and of mu, sigma(mu) and 1 - sigma(mu)."""
    log_odds = problem.design.log_odds(coefficients)
    rate, rest = sigmoid(log_odds), sigmoid(-log_odds)
    happy, sad = problem.weighed * rate, problem.weighed * rest
    return AdditiveState(quality, share, complement, sad / sad.sum(), happy / happy.sum(), coefficients, rate)


def additive_start(problem):
    """The start of section 4: mu_i = HE_i, and the logistic regression of the labels on X."""
    guess = np.zeros(len(problem.design.penalty))
    coefficients = regression(problem, problem.label @ problem.counts, guess)
    return additive_state(problem, coefficients, problem.evaluation, problem.label, 1 - problem.label)


def additive_em_step(problem, state, expectation):
    """The M-step: the regression for the weights, (4.7) for mu."""
    coefficients = regression(problem, expectation.by_bin, state.coefficients)
    return additive_state(problem, coefficients, *quality_step(problem, state, expectation))


def regression(problem, by_bin, coefficients):
    """beta of the penalised logistic regression of the happy events by bin (K,), by Newton from a guess."""
    design, events = problem.design, problem.weighed
    happy = problem.pseudo_happy + by_bin

    def value_at(coefficients, log_odds):
        log_likelihood = happy @ log_odds - events @ np.logaddexp(0, log_odds)
        return log_likelihood - design.penalty @ np.square(coefficients) / 2

    log_odds = design.log_odds(coefficients)
    value = value_at(coefficients, log_odds)
    for _ in range(_REGRESSION_STEPS):
        rate = sigmoid(log_odds)
        slope = design.columns.T @ (happy - events * rate) - design.penalty * coefficients
        step = design.solve(events * rate * (1 - rate), slope)
        moved = design.log_odds(step)
        fraction = 1.0
        while fraction > 1e-6:
            reached = value_at(coefficients + fraction * step, log_odds + fraction * moved)
            if reached >= value - 4 * np.finfo(float).eps * abs(value):
                break
            fraction /= 2
        coefficients, log_odds, value = coefficients + fraction * step, log_odds + fraction * moved, reached
        # The next step would be the square of this one.
        if np.abs(moved).max() < 1e-6:
            break
    return coefficients


@dataclass(frozen=True, eq=False)
class ProfileCurvature:
    """Derivatives in beta: `gradient` (d,) and `hessian` (d, d); `turning` u (K,) and the Sums over groups.

    `response` (K, K) is what a change of eta does to c: diag(sum_i V_ik) - V' diag(1 / h) V.
    """

    gradient: np.ndarray
    hessian: np.ndarray
    turning: np.ndarray
    response: np.ndarray
    sums: Sums


def profile_curvature(problem, state):
    """The ProfileCurvature at an AdditiveState; None where mu cannot be eliminated."""
    sums = sums_at(problem, state)
    if sums is None:
        return None
    rate, events, design = state.rate, problem.weighed, problem.design
    mean = events @ rate / events.sum()
    spread = events.sum() * mean * (1 - mean)
    binomial = events * rate * (1 - rate)
    turning = binomial / spread
    both = state.sad * state.happy
    left = problem.pseudo_happy + state.happy * sums.slopes[1] - events * rate
    gradient = left - both * sums.pulled
    gradient = gradient - turning * gradient.sum()
    response = np.diag(both * sums.corners[1]) - np.outer(both, both) * sums.coupling
    across = response.sum(axis=1)
    hessian = response - np.outer(turning, across) - np.outer(across, turning)
    outer = across.sum() + spread + left.sum() * (1 - 2 * mean)
    hessian += outer * np.outer(turning, turning)
    hessian -= np.diag(binomial + left.sum() * turning * (1 - 2 * rate))
    columns = design.columns
    return ProfileCurvature(
        columns.T @ gradient - design.penalty * state.coefficients,
        columns.T @ (columns.T @ hessian).T - np.diag(design.penalty),
        turning,
        response,
        sums,
    )


def additive_newton_step(problem, state):
    """The Newton direction (quality, coefficients); None where it would not ascend."""
    at = profile_curvature(problem, state)
    if at is None:
        return None
    try:
        coefficients = cho_solve(cho_factor(-at.hessian, check_finite=False), at.gradient, check_finite=False)
    except LinAlgError:
        return None
    log_odds = problem.design.log_odds(coefficients)
    turned = state.sad * state.happy * (log_odds - at.turning @ log_odds)
    return quality_change(problem, state, at.sums.eliminated, turned), coefficients


def additive_step_along(problem, state, direction, fraction):
    """The state a fraction of the way along a Newton direction."""
    quality, coefficients = (fraction * part for part in direction)
    coefficients = state.coefficients + coefficients
    if np.isinf(problem.he_weight):
        return additive_state(problem, coefficients, state.quality, state.share, state.complement)
    quality = state.quality + quality
    return additive_state(problem, coefficients, quality, sigmoid(quality), sigmoid(-quality))
