"""The way to a mode that `latent` and `additive` share: EM first, then Newton's method, never downhill.

EM alone needs hundreds of iterations for digits that mean something, since it slows down as it nears the
mode. So EM makes the first steps, which choose the mode, and Newton's method on the same objective the
last few. At W_H = 0, where the model is not identified, and with very many bins EM alone is used.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from wsclust.estimators.em import TOLERANCE, TOLERANCE_WITHOUT_WEIGHT
from wsclust.estimators.estimate import ConvergenceWarning

# Newton's method takes over where EM is near its mode: after so many steps, and once a step of EM changes
# rho by less than the bound of the first weight that W_H reaches. From further away it left EM's mode in a
# few fits of a thousand with W_H <= .1, and in none of a thousand with W_H >= 1 within .01. At W_H =
# infinity the objective is concave in (w0, w1): there is one mode, and no need to be near it.
_EM_STEPS_FIRST = 10
_NEAR_MODE = ((1.0, 1e-2), (0.0, 1e-3))
_EM_STEPS_FIRST_IF_CONCAVE = 3
MOST_BINS = 1_000  # a step of Newton's costs (2K)^3, one of EM I K: with more bins EM goes alone


@dataclass(frozen=True)
class Steps:
    """How the states of a model move.

    `em(problem, state, expectation)` is the state after an M-step; `newton(problem, state)` a direction, or
    None where it would not ascend; `along(problem, state, direction, fraction)` the state a fraction of the
    way, or None where there is none.
    """

    em: Callable
    newton: Callable
    along: Callable


def climb(problem, state, steps, name, tolerance, max_iterations, solver):
    """Climb from a state to a mode: (posterior, iterations, converged, objective, state), as a LatentEstimate has.

    Arguments: a `likelihood.Problem`; a State; the `Steps`; the `name` that a ConvergenceWarning has; the
    largest change of rho at which to stop, or None for the default; the most iterations; "newton" or "em".
    """
    he_weight = problem.he_weight
    if tolerance is None:
        tolerance = TOLERANCE if he_weight > 0 else TOLERANCE_WITHOUT_WEIGHT
    few = len(problem.totals) <= MOST_BINS and not problem.sparse
    polish = solver == "newton" and he_weight > 0 and few
    em_first, near = _EM_STEPS_FIRST, next(bound for weight, bound in _NEAR_MODE if he_weight >= weight)
    if np.isinf(he_weight):
        em_first, near = _EM_STEPS_FIRST_IF_CONCAVE, np.inf
    trace, previous, trusted = [], None, False
    for iteration in range(1, max_iterations + 1):
        expectation = problem.expectation(state)
        trace.append(expectation.objective)
        posterior = problem.posterior(state, expectation)
        change = np.inf if previous is None else np.abs(posterior - previous).max()
        # Newton's last step squares the error; EM's leaves many times what it moved, so beside Newton it
        # is believed at a thousandth only.
        enough = tolerance if trusted or not polish else tolerance / 1000
        converged = bool(change < enough)
        if converged or iteration == max_iterations:
            break
        previous = posterior
        following = None
        if polish and iteration > em_first and (trusted or change < near):
            following = _newton(problem, state, steps, expectation.objective)
        trusted = following is not None
        state = steps.em(problem, state, expectation) if following is None else following
    if not converged:
        warnings.warn(
            f"{name}: rho still changed by {change:.2g} after {max_iterations} iterations "
            f"(tolerance {tolerance:g}); raise max_iterations or the tolerance",
            ConvergenceWarning,
            stacklevel=3,
        )
    return posterior, iteration, converged, np.array(trace), state


def check_settings(data, he_weight, max_iterations, solver):
    """Raise ValueError where W_H, the iterations, the solver, or a label at a finite W_H cannot be used."""
    if not he_weight >= 0:
        raise ValueError(f"he_weight={he_weight}: expected a number from 0 to infinity")
    if not max_iterations >= 1:
        raise ValueError(f"max_iterations={max_iterations}: expected 1 or more")
    if solver not in ("newton", "em"):
        raise ValueError(f"solver={solver}: expected newton or em")
    extreme = (data.label == 0) | (data.label == 1)
    if np.isfinite(he_weight) and extreme.any():
        i = np.flatnonzero(extreme)[0]
        raise ValueError(
            f"group {data.groups[i]}: label {data.label[i]:g} has an infinite logit ({extreme.sum():,} such "
            f"group{'s' if extreme.sum() > 1 else ''}); pull the labels off 0 and 1 with clip=0.001 "
            "(clip_labels in Python), or take them as exact with he_weight=inf"
        )


def with_expected_labels(data, he_weight):
    """The data with calibrated labels, where something is said of the labels' noise; W_H is then infinite.

    Raises ValueError where it is not: a finite W_H would reckon with the same noise again.
    """
    noise = getattr(data, "noise", None)  # sparse counts have none
    if noise is None:
        return data
    if he_weight != np.inf:
        raise ValueError(
            f"he_weight={he_weight:g}: no use with label_sd or label_n, whose calibrated labels stand for shares; a "
            "finite weight would reckon with the same noise again, so leave one of them out"
        )
    return data.calibrated()


def _newton(problem, state, steps, objective):
    """A Newton step that raises the objective, halved up to three times; None where there is none."""
    direction = steps.newton(problem, state)
    if direction is None:
        return None
    # At the mode a rise is lost in the rounding of the sum, and no step should be refused for that.
    objective -= 4 * np.finfo(float).eps * abs(objective)
    for fraction in (1.0, 0.5, 0.25, 0.125):
        candidate = steps.along(problem, state, direction, fraction)
        if candidate is not None and problem.objective(candidate) >= objective:
            return candidate
    return None
