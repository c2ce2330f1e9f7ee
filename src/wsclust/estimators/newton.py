"""Newton's method on the objective that EM climbs, with the group qualities eliminated (`curvature`).

Where the objective is not concave once they are, no step is offered: EM's turn.
"""

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from wsclust.estimators.curvature import curvature_at, free, with_last
from wsclust.estimators.likelihood import State, with_quality


def newton_step(problem, state):
    """The Newton direction at `state`: (quality, sad, happy) changes, or None where it would not ascend."""
    at = curvature_at(problem, state)
    if at is None:
        return None
    try:
        factor = cho_factor(-free(free(at.hessian).T), overwrite_a=True, check_finite=False)
    except LinAlgError:
        return None
    sad, happy = with_last(cho_solve(factor, free(at.gradient), check_finite=False)).reshape(2, -1)
    quality = quality_change(problem, state, at.eliminated, state.sad * happy - state.happy * sad)
    return quality, sad, happy


def quality_change(problem, state, eliminated, turned):
    """How mu (I,) moves with the weights; `turned` (K,) is w0 dw1 - w1 dw0 = w0 w1 d log(w1 / w0)."""
    weights = np.vstack([state.sad, state.happy])
    quality = np.zeros_like(state.quality)
    for rows, slope, first, second in eliminated:
        curvature = problem.counts[rows] / state.mixture(rows, weights) ** 2
        quality[rows] = -(first + slope * (curvature @ turned)) / second
    return quality


def step_along(problem, state, direction, fraction):
    """The state a fraction of the way along a Newton direction; None where a weight leaves (0, 1)."""
    quality, sad, happy = (fraction * part for part in direction)
    sad, happy = state.sad + sad, state.happy + happy
    if sad.min() <= 0 or happy.min() <= 0:
        return None
    sad, happy = sad / sad.sum(), happy / happy.sum()
    if np.isinf(problem.he_weight):
        return State(state.quality, state.share, state.complement, sad, happy)
    return with_quality(state.quality + quality, sad, happy)
