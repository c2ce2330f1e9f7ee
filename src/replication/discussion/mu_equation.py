"""The M-step of mu, (4.6) and (4.7): its one root, what it maximises, and the sign of log f0; two errata.

log f0 stands in (4.6) with a plus sign inside an argmin: that minimum is the maximum of the posterior only where f0 is
flat, as in (4.7). And before (4.6) the update of mu "must maximize the marginal log-likelihood". What (4.7) maximises
is the expected complete-data log-likelihood, as an M-step does; the two maxima meet at a fixed point of EM alone.
"""

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from wsclust.estimators.em import solve_quality


def mu_cases(rng, cases=2000):
    """Inputs of equation (4.7): W_H, HE, J and the happy events, (cases,) each."""
    he_weight, evaluation = 10 ** rng.uniform(-2, 3, cases), rng.normal(0, 3, cases)
    sizes = rng.integers(1, 1001, cases).astype(float)
    return he_weight, evaluation, sizes, sizes * rng.random(cases)


def roots_of_mu(rng):
    """Fewest and most sign changes of (4.7) in its bracket, and the largest residual of its solver."""
    he_weight, evaluation, sizes, happy = (value[:, None] for value in mu_cases(rng))

    def left(mu):
        return he_weight * (mu - evaluation) + sizes * expit(mu) - happy

    low, high = evaluation - (sizes - happy) / he_weight, evaluation + happy / he_weight
    changes = (np.diff(np.sign(left(low + (high - low) * np.linspace(0, 1, 501))), axis=1) != 0).sum(axis=1)
    found = [
        solve_quality(w, e, s, z)[0]
        for w, e, s, z in zip(he_weight[:, 0], evaluation, sizes, happy, strict=True)
    ]
    residual = np.abs(left(np.array(found)[:, None])) / (sizes + he_weight)
    return changes.min(), changes.max(), residual.max()


def label_share_deviation(rng, step=1e-4):
    """How far d mu / d HE, by differences, is from W_H / (W_H + J v)."""
    he_weight, evaluation, sizes, happy = mu_cases(rng, 200)
    deviation = []
    for w, e, s, z in zip(he_weight, evaluation, sizes, happy, strict=True):
        ends = solve_quality(w, np.array([e - step, e, e + step]), np.full(3, s), np.full(3, z))
        share = expit(ends[1])
        deviation.append((ends[2] - ends[0]) / (2 * step) - w / (w + s * share * (1 - share)))
    # The differences' own error is of the order of step squared.
    return round(float(np.abs(deviation).max()), 6)


def share_convex(rng, log_prior):
    """The share of cases in which what (4.6) minimises, with - log f0, is convex in mu between -8 and 8."""
    he_weight, evaluation, sizes, happy = (value[:, None] for value in mu_cases(rng))
    mu = np.linspace(-8, 8, 401)
    objective = he_weight / 2 * (mu - evaluation) ** 2 - happy * mu + sizes * np.logaddexp(0, mu)
    second = np.diff(objective - log_prior(mu), 2, axis=1)
    return (second > -1e-9 * np.abs(objective).max(axis=1, keepdims=True)).all(axis=1).mean()


def mu_with_prior(sign, he_weight=10.0, evaluation=1.0, size=5, happy=3.0):
    """Stationary point of (4.6) where f0 is standard normal and log f0 has this sign."""

    def slope(mu):
        return he_weight * (mu - evaluation) + size * expit(mu) - happy + sign * -mu

    return brentq(slope, -10, 10)


def most_probable_mu(he_weight=10.0, evaluation=1.0, size=5, happy=3.0):
    """The mu that maximises rater noise x clicks x standard normal prior."""

    def log_posterior(mu):
        return -he_weight / 2 * (mu - evaluation) ** 2 + happy * mu - size * np.logaddexp(0, mu) - mu**2 / 2

    return _argmax(log_posterior)


def update_of_mu(group, state, he_weight):
    """The M-step's mu of one group with counts (K,), and where two log-likelihoods are largest.

    Returns what (4.7) gives from the z of `state`, the maximum of the expected complete-data log-likelihood and that of
    the marginal one, each with the labels' penalty.
    """
    happy_of = state.share[0] * state.happy
    z = happy_of / (happy_of + (1 - state.share[0]) * state.sad)
    evaluation = state.quality[0]
    size, happy = group.sum(), group @ z
    printed = solve_quality(he_weight, *(np.array([value]) for value in (evaluation, size, happy)))[0]

    def expected(mu):
        return happy * mu - size * np.logaddexp(0, mu)

    def marginal(mu):
        return np.log(np.outer(expit(-mu), state.sad) + np.outer(expit(mu), state.happy)) @ group

    def penalised(log_likelihood):
        return lambda mu: log_likelihood(mu) - he_weight / 2 * (mu - evaluation) ** 2

    return printed, *(_argmax(penalised(curve)) for curve in (expected, marginal))


def _argmax(function):
    """Where a function of an array is largest between -10 and 10, on a fine grid and then finer ones."""
    low, high = -10.0, 10.0
    for _ in range(12):
        mu = np.linspace(low, high, 401)
        best, width = mu[np.argmax(function(mu))], (high - low) / 20
        low, high = best - width, best + width
    return float(best)
