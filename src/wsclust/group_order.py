"""An order of the groups that neither the order of the files nor the groups' names decide.

Half-samples are drawn by place, so the order of the groups is part of what a seed stands for. In this one,
two data sets that differ in the names of their groups alone have the same half-samples.
"""

import numpy as np

from wsclust.columns.names import names_as_text


def group_order(data):
    """Places of the groups in order of their label, their size and their counts: an integer array (I,).

    Argument: `data`, GroupedCounts. Counts are compared bin by bin. Groups that agree in all of these stand
    in the order of their names as text; there it makes no difference to an estimate. With counts that have
    fractions, sizes are sums and so compared to rounding only.

    >>> from wsclust.counts import GroupedCounts
    >>> data = GroupedCounts([[1, 3], [2, 2], [4, 0]], label=[0.5, 0.5, 0.1], groups=["x", "a", "b"])
    >>> group_order(data).tolist()
    [2, 0, 1]
    """
    order = np.lexsort((data.sizes, data.label))
    keys = np.column_stack((data.label, data.sizes))[order]
    starts = np.flatnonzero(np.r_[True, (keys[1:] != keys[:-1]).any(axis=1)])
    lengths = np.diff(np.r_[starts, len(order)])
    tied = np.repeat(lengths > 1, lengths)
    if not tied.any():
        return order
    # Within the ties alone: a row's bytes, big-endian, compare as its numbers do, for none is negative.
    places = np.flatnonzero(tied)
    groups = order[places]
    by_name = np.argsort(names_as_text(data.groups[groups]), kind="stable")
    groups = groups[by_name]
    # Adding 0 turns -0 into 0.
    rows = np.ascontiguousarray(data.counts[groups] + 0.0, dtype=">f8")
    content = rows.view(f"S{8 * rows.shape[1]}")[:, 0]
    run = np.repeat(np.arange(len(starts)), lengths)[places][by_name]
    order[places] = groups[np.lexsort((content, run))]
    return order
