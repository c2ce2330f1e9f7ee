"""Where counts vary more than a latent fit says: described, not judged.

Under the model n_ik has mean e_ik = J_i ((1 - p_i) w0_k + p_i w1_k) and variance e_ik (1 - e_ik / J_i). The
excess of a bin or a group is sum (n - e)^2 / sum of the variances over its cells, about 1 where the model
holds. Real data exceed it nearly always, good designs and bad ones alike, so it says where to look, not
whether to believe. A cap takes a group's counts times v_i < 1, their mean too but their variance times v_i^2, so the
excess is of the events as they were drawn.
"""

import numpy as np

from wsclust.estimators.likelihood import State


def excess_variation(data, fit):
    """Excess of each group (I,) and of each bin (K,).

    Arguments: `data`, GroupedCounts; `fit`, a LatentEstimate to it. NaN in a bin without events or variance.

    >>> from wsclust.counts import GroupedCounts
    >>> from wsclust.estimators.latent import latent
    >>> data = GroupedCounts([[80, 20], [20, 80], [50, 50], [90, 10]], label=[0.8, 0.2, 0.5, 0.4])
    >>> groups, bins = excess_variation(data, latent(data, he_weight=np.inf))
    >>> int(groups.argmax())
    3
    """
    return _excess(data.counts, fit.state, fit.sad, fit.happy, data.drawn_sizes / data.sizes)


def excess_of_counts(counts, share, sad, happy):
    """The excess of each group (I,), of counts (I, K), shares (I,) and w0 and w1 (K,); NaN without events."""
    return _excess(counts, State(None, share, 1 - share, sad, happy), sad, happy)[0]


def _excess(counts, state, sad, happy, times=None):
    """`times` (I,): how many events each counted one of a group stands for, more than 1 where a cap is."""
    n_groups, n_bins = counts.shape
    of_groups = np.zeros((2, n_groups))
    of_bins = np.zeros((2, n_bins))
    weights, sizes = np.vstack([sad, happy]), counts.sum(axis=1)
    times = np.ones(n_groups) if times is None else times
    rows_at_once = max(1, (1 << 20) // n_bins)
    for start in range(0, n_groups, rows_at_once):
        rows = slice(start, start + rows_at_once)
        mixture = state.mixture(rows, weights)
        expected = sizes[rows, None] * mixture
        drawn = times[rows, None]
        for place, cells in enumerate(
            ((drawn * (counts[rows] - expected)) ** 2, drawn * expected * (1 - mixture))
        ):
            of_groups[place, rows] = cells.sum(axis=1)
            of_bins[place] += cells.sum(axis=0)
    return tuple(
        np.divide(found, said, out=np.full_like(found, np.nan), where=said > 0)
        for found, said in (of_groups, of_bins)
    )


def total_variation(fit):
    """Distance of w0 and w1, 0 (the same) to 1 (they share no bin)."""
    return float(np.abs(fit.happy - fit.sad).sum() / 2)


def worst(names, excess, most=5):
    """The names with the largest excess, largest first, with it: a list of pairs.

    >>> worst(["a", "b", "c"], np.array([1.0, np.nan, 7.0]), most=2)
    [('c', 7.0), ('a', 1.0)]
    """
    order = np.argsort(-np.nan_to_num(excess, nan=-np.inf), kind="stable")[:most]
    return [(names[i], float(excess[i])) for i in order if np.isfinite(excess[i])]
