"""Standard errors by formula: how much the groups' influences on an estimate differ (a sandwich).

Every estimate here moves, when group i is given a little more weight, by an influence f_i (K,), and

    Var(rho) = I / (I - 1) sum_i (f_i - mean f)^2,

since the groups are the sample. No fit is repeated: it costs a few iterations, not 200 fits. The influences are
given by `direct_influence`, `moments_influence`, `latent_influence` and `additive_influence`.

How often their 95% intervals hold the truth: `wsclust.intervals`.
"""

from collections.abc import Iterable

import numpy as np
from scipy.linalg import LinAlgError, cho_factor

from wsclust.counts import GroupedCounts
from wsclust.estimators.ascent import MOST_BINS


def information_standard_errors(data: GroupedCounts, influences: Iterable[np.ndarray]) -> np.ndarray:
    """Standard error of a posterior from the influences of its groups, (K,); NaN in a bin without events.

    Arguments: `data`, GroupedCounts; `influences`, blocks of rows f_i (K,), one row per group.

    >>> from wsclust.counts import GroupedCounts
    >>> from wsclust.estimators.direct import direct, direct_influence
    >>> data = GroupedCounts([[9, 1], [8, 2], [2, 8], [1, 9]], label=[0.9, 0.7, 0.2, 0.2])
    >>> information_standard_errors(data, direct_influence(data, direct(data))).round(2)
    array([0.11, 0.08])
    """
    return np.where(data.totals > 0, spread_over_groups(influences, len(data.label)), np.nan)


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
        raise ValueError("he_weight=0: the model is not identified and has no information; use half-samples")
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
