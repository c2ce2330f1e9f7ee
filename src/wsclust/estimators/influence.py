"""What standard errors by formula share: the spread of influences over groups, and where there is none."""

import numpy as np
from scipy.linalg import LinAlgError, cho_factor

from wsclust.estimators.ascent import MOST_BINS


def spread_over_groups(influences, n_groups):
    """Standard errors (q,) from influences f_i in blocks of groups (rows, q), I groups in all.

    Their square is I / (I - 1) sum_i (f_i - mean f)^2.

    >>> spread_over_groups([np.array([[1.0], [2.0]]), np.array([[3.0]])], 3).round(3)
    array([1.732])
    """
    total, squares = 0.0, 0.0
    for influence in influences:
        total += influence.sum(axis=0)
        squares += np.square(influence).sum(axis=0)
    variance = (squares - total**2 / n_groups) * n_groups / max(n_groups - 1, 1)
    return np.sqrt(np.maximum(variance, 0))


def curvature_with_information(problem, state, curvature):
    """`curvature(problem, state)`; ValueError where W_H is 0, bins are too many, or mu has no maximum."""
    n_bins = len(problem.totals)
    if not problem.he_weight > 0:
        raise ValueError("he_weight 0: the model is not identified and has no information; use half-samples")
    if n_bins > MOST_BINS:
        raise ValueError(
            f"{n_bins:,} bins: the information is a matrix of twice as many rows; use half-samples "
            f"with more than {MOST_BINS:,}"
        )
    if problem.sparse:
        raise ValueError("counts of cells: there is no information of sparse counts; use half-samples")
    at = curvature(problem, state)
    if at is None:
        raise ValueError(_NOT_CURVED)
    return at


def factored(information):
    """The Cholesky factor of minus a Hessian; ValueError where it has none."""
    try:
        return cho_factor(information)
    except LinAlgError:
        raise ValueError(_NOT_CURVED) from None


_NOT_CURVED = (
    "the objective is not curved downwards at the fit, so the information gives no standard errors; use "
    "half-samples, or a larger he_weight"
)
