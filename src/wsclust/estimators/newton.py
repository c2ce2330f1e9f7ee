r"""Newton's method on the objective that EM climbs, with the group qualities eliminated.

The Hessian is an arrow. With p = sigma(mu), v = p (1 - p), ratio = n / d and curvature = n / d^2:

* w0_k and w1_k touch only the cells of bin k, so their block is K matrices of 2 x 2;
* each mu_i has one second derivative,
  h_i = v (1 - 2p) (ratio (w1 - w0))_i - v^2 (curvature (w1 - w0)^2)_i - W_H;
* mu_i meets w1_k in v_i curvature_ik w0_k, and w0_k in -v_i curvature_ik w1_k.

Eliminating mu leaves the Schur complement in (w0, w1), 2K x 2K, whose only matrix product is
curvature' diag(v^2 / h) curvature. The two constraints sum w = 1 are kept by steps that sum to zero, which
also removes what would be two null directions of softmax weights. Where some h_i >= 0, or the reduced
matrix is not negative definite, the objective is not concave there and no step is offered: EM's turn.
"""

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from wsclust.estimators.likelihood import State, with_quality


def newton_step(problem, state):
    """The Newton direction at `state`: (quality, sad, happy) changes, or None where it would not ascend."""
    fixed = np.isinf(problem.he_weight)
    n_bins = len(state.sad)
    weights = np.vstack([state.sad, state.happy])
    difference = state.happy - state.sad
    gradient = np.zeros((2, n_bins))
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
        gradient += both.T @ ratio
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

    gradient += 1 / weights
    hessian = np.zeros((2, n_bins, 2, n_bins))
    diagonal = np.arange(n_bins)
    hessian[0, diagonal, 0, diagonal] = -corners[0] - 1 / state.sad**2
    hessian[1, diagonal, 1, diagonal] = -corners[2] - 1 / state.happy**2
    hessian[0, diagonal, 1, diagonal] = hessian[1, diagonal, 0, diagonal] = -corners[1]
    # How mu_i's gradient changes with (w0_k, w1_k), apart from v_i curvature_ik.
    mixed = np.concatenate([-state.happy, state.sad])
    hessian = hessian.reshape(2 * n_bins, 2 * n_bins)
    gradient = gradient.ravel()
    if not fixed:
        hessian = hessian - np.outer(mixed, mixed) * np.tile(coupling, (2, 2))
        gradient = gradient - mixed * np.tile(pulled, 2)

    change = _ascent_in_sums_of_zero(hessian, gradient)
    if change is None:
        return None
    sad, happy = change[:n_bins], change[n_bins:]
    quality = np.zeros_like(state.quality)
    for rows, slope, first, second in eliminated:
        curvature = problem.counts[rows] / state.mixture(rows, weights) ** 2
        met = slope * (curvature @ (state.sad * happy - state.happy * sad))
        quality[rows] = -(first + met) / second
    return quality, sad, happy


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


def _ascent_in_sums_of_zero(hessian, gradient):
    """Newton's step among changes of w0 and of w1 that each sum to zero, or None if not concave there."""
    n_bins = len(gradient) // 2
    # The last bin of each distribution takes up what the others change.
    keep = np.delete(np.arange(2 * n_bins), [n_bins - 1, 2 * n_bins - 1])
    last = np.repeat([n_bins - 1, 2 * n_bins - 1], n_bins - 1)
    reduced = (
        hessian[np.ix_(keep, keep)]
        - hessian[np.ix_(last, keep)]
        - hessian[np.ix_(keep, last)]
        + hessian[np.ix_(last, last)]
    )
    try:
        factor = cho_factor(-reduced, overwrite_a=True, check_finite=False)
    except LinAlgError:
        return None
    solution = cho_solve(factor, gradient[keep] - gradient[last], check_finite=False)
    change = np.zeros(2 * n_bins)
    change[keep] = solution
    change[n_bins - 1] = -solution[: n_bins - 1].sum()
    change[-1] = -solution[n_bins - 1 :].sum()
    return change
