"""EM for the latent variables model (section 4), on grouped counts.

The E-step is `Problem.expectation`. The M-step for the weights is (4.3)-(4.4). The M-step for mu solves,
for each group, equation (4.7):  W_H (mu - HE_i) + J_i sigma(mu) - sum_k n_ik z_ik = 0.
"""

import numpy as np

from wsclust.estimators.likelihood import State, sigmoid, weights_from

# The largest change of rho at which a fit stops, unless it is told another: by EM, alone or with Newton's method after
# it (`ascent.climb`), and at W_H = 0, where the model is not identified and EM would go on for thousands of steps.
TOLERANCE, TOLERANCE_WITHOUT_WEIGHT = 1e-8, 1e-5


def em_step(problem, state, expectation):
    """The M-step: the state that maximises the expected complete log-likelihood."""
    sad, happy = weights_from(problem, expectation.by_bin)
    return State(*quality_step(problem, state, expectation), sad, happy)


def quality_step(problem, state, expectation):
    """The M-step for the groups: (mu, sigma(mu), 1 - sigma(mu)), each (I,)."""
    if np.isinf(problem.he_weight):
        return state.quality, state.share, state.complement
    if problem.he_weight == 0:
        # sigma(mu_i) is the share of happy events; mu itself may go to infinity, and is not needed.
        events = expectation.by_group + expectation.sad_by_group
        share, complement = expectation.by_group / events, expectation.sad_by_group / events
        return state.quality, share, complement
    quality = solve_quality(
        problem.he_weight, problem.evaluation, problem.sizes, expectation.by_group, state.quality
    )
    return quality, sigmoid(quality), sigmoid(-quality)


def solve_quality(he_weight, evaluation, sizes, happy_events, guess=None):
    """The root mu_i of (4.7) for every group, by Newton's method kept inside a bracket.

    Arguments: W_H > 0; HE_i, J_i and sum_k n_ik z_ik, each (I,); a first guess. The left-hand side rises
    with slope at least W_H and changes sign in [HE - (J - z) / W_H, HE + z / W_H]. Plain Newton from HE gets
    there on data that the model describes, but not from everywhere: in the middle of a wide bracket sigma is flat.

    >>> mu = solve_quality(10.0, np.array([1.0]), np.array([100.0]), np.array([40.0]))
    >>> float(10 * (mu[0] - 1) + 100 * sigmoid(mu[0]) - 40).__abs__() < 1e-9
    True
    """
    low = evaluation - (sizes - happy_events) / he_weight
    high = evaluation + happy_events / he_weight
    mu = (low + high) / 2 if guess is None else np.clip(guess, low, high)
    moved = high - low
    for _ in range(200):
        share = sigmoid(mu)
        excess = he_weight * (mu - evaluation) + sizes * share - happy_events
        below = excess < 0
        low, high = np.where(below, mu, low), np.where(below, high, mu)
        step = excess / (he_weight + sizes * share * (1 - share))
        new = mu - step
        # From a small step on Newton squares the error, so what it leaves is rounding. Until then, a
        # bracket alone lets it hop to and fro inside: each move must also be half of the one before.
        small = np.abs(step) <= 1e-8 * (1 + np.abs(mu))
        astray = ~small & ((new < low) | (new > high) | (np.abs(step) > moved / 2))
        if astray.any():
            new = np.where(astray, (low + high) / 2, new)
        moved = np.abs(new - mu)
        mu = new
        if small.all():
            return mu
    return mu
