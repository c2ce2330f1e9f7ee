"""An order of the groups that neither the order of the files nor the groups' names decide.

Half-samples are drawn by place, so the order of the groups is part of what a seed stands for. In this one,
two data sets that differ in the names of their groups alone have the same half-samples.
"""

import numpy as np
import pandas as pd
from scipy.sparse import issparse

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
    noise = () if data.noise is None else (data.noise.order,)
    order = np.lexsort((*noise, data.sizes, data.label))
    keys = np.column_stack((data.label, data.sizes, *noise))[order]
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
    content = _ranks_of_cells(data.counts[groups]) if issparse(data.counts) else _bytes(data.counts[groups])
    run = np.repeat(np.arange(len(starts)), lengths)[places][by_name]
    order[places] = groups[np.lexsort((content, run))]
    return order


def order_by_name(names):
    """Places of the groups in order of their names, as numbers where all are numbers, else as text: (I,) integers.

    A fit adds up in the order of the groups, so that its last digits would be those of the order of a file.

    >>> order_by_name(["10", "9", "1"]).tolist(), order_by_name(["v10", "v9", "v1"]).tolist()
    ([2, 1, 0], [2, 0, 1])
    """
    text = names_as_text(np.asarray(names, dtype=object))
    numbers = pd.to_numeric(pd.Series(text), errors="coerce").to_numpy(float)
    by_text = np.argsort(text, kind="stable")
    return by_text[np.argsort(numbers[by_text], kind="stable")] if not np.isnan(numbers).any() else by_text


def _bytes(rows):
    """One value per row that compares as the row does, bin by bin."""
    # Adding 0 turns -0 into 0.
    rows = np.ascontiguousarray(rows + 0.0, dtype=">f8")
    return rows.view(f"S{8 * rows.shape[1]}")[:, 0]


def _ranks_of_cells(rows):
    """The same of sparse rows, whose cells are in the order of the bins: their ranks.

    >>> from scipy.sparse import csr_array
    >>> rows = np.array([[0, 2, 0], [1, 0, 0], [0, 2, 1], [1, 0, 0]])
    >>> _ranks_of_cells(csr_array(rows)).tolist(), np.unique(_bytes(rows), return_inverse=True)[1].tolist()
    ([0, 2, 1, 2], [0, 2, 1, 2])
    """
    # At the first bin in which two rows differ, the one that has it later, or not at all, has nothing there.
    keys = [
        tuple((-place, count) for place, count in zip(rows.indices[at], rows.data[at], strict=True) if count)
        for at in map(slice, rows.indptr[:-1], rows.indptr[1:])
    ]
    rank = {key: place for place, key in enumerate(sorted(set(keys)))}
    return np.array([rank[key] for key in keys])
