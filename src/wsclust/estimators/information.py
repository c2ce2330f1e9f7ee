"""Standard errors by formula: how much the groups' influences on an estimate differ (a sandwich).

Every estimate here moves, when group i is given a little more weight, by an influence f_i (K,), and

    Var(rho) = I / (I - 1) sum_i (f_i - mean f)^2,

since the groups are the sample. No fit is repeated: it costs a few iterations, not 200 fits. The influences are
given by `direct_influence`, `moments_influence` and `latent_influence`.

How often their 95% intervals hold the truth: `wsclust.intervals`.
"""

from collections.abc import Iterable

import numpy as np

from wsclust.counts import GroupedCounts


def information_standard_errors(data: GroupedCounts, influences: Iterable[np.ndarray]) -> np.ndarray:
    """Standard error of a posterior from the influences of its groups, (K,); NaN in a bin without events.

    Arguments: `data`, GroupedCounts; `influences`, blocks of rows f_i (K,), one row per group.

    >>> from wsclust.counts import GroupedCounts
    >>> from wsclust.estimators.direct import direct, direct_influence
    >>> data = GroupedCounts([[9, 1], [8, 2], [2, 8], [1, 9]], label=[0.9, 0.7, 0.2, 0.2])
    >>> information_standard_errors(data, direct_influence(data, direct(data))).round(2)
    array([0.11, 0.08])
    """
    n_groups, n_bins = data.counts.shape
    total, squares = np.zeros(n_bins), np.zeros(n_bins)
    for influence in influences:
        total += influence.sum(axis=0)
        squares += np.square(influence).sum(axis=0)
    variance = (squares - total**2 / n_groups) * n_groups / max(n_groups - 1, 1)
    return np.where(data.totals > 0, np.sqrt(np.maximum(variance, 0)), np.nan)
