"""What GroupedCounts is given: labels matched to their groups, bins named, and refusals of what cannot be counted.

Each message names the group or the bin, what was found there and the remedy.
"""

import numpy as np
import pandas as pd

from wsclust.columns.names import levels_in_words


def levels_of_columns(columns):
    """The columns of a frame of counts as a frame of bins: one row per bin, one column per factor.

    >>> levels_of_columns(pd.MultiIndex.from_tuples([("f", 1), ("m", 2)], names=["sex", None]))
      sex  factor_2
    0   f         1
    1   m         2
    """
    names = [f"factor_{place + 1}" if name is None else name for place, name in enumerate(columns.names)]
    if columns.nlevels == 1 and columns.names == [None]:
        names = ["bin"]
    return columns.to_frame(index=False, name=names if columns.nlevels > 1 else names[0])


def labels_in_order(label, groups):
    """The labels in the order of the groups: a Series is matched by its index, never by position.

    Arguments: `label` (I,), any sequence; `groups` (I,) names, or None where the counts name none. Raises ValueError
    where a Series cannot be matched, or has no label or more than one for a group, or labels without counts.

    >>> labels_in_order(pd.Series({"b": 0.2, "a": 0.9}), ["a", "b"])
    array([0.9, 0.2])
    """
    if not isinstance(label, pd.Series):
        return np.asarray(label, dtype=float)
    if isinstance(label.index, pd.RangeIndex) and (
        groups is None or not pd.Index(groups).equals(label.index)
    ):
        if groups is None:
            return label.to_numpy(float)
        raise ValueError(
            "label is a Series numbered from 0 beside groups with names; index it by the names of the groups, or "
            "give label.to_numpy() where it is in the order of the counts"
        )
    if groups is None:
        raise ValueError(
            "label is a Series by group, but the counts do not name their groups; give groups=, or counts as a "
            "frame with the groups as its index"
        )
    return by_group(label, groups, "label")


def by_group(series, groups, name):
    """The numbers of a Series, `name` it is of, in the order of the groups (I,), by which it is indexed.

    Raises ValueError where it has none or more than one for a group, or one for another group.

    >>> by_group(pd.Series({"b": 5, "a": 9}), ["a", "b"], "label_n")
    array([9., 5.])
    """
    if not series.index.is_unique:
        raise ValueError(
            f"{name}: group {series.index[series.index.duplicated()][0]} has more than one {name}"
        )
    places = series.index.get_indexer(pd.Index(groups))
    if (places < 0).any():
        raise ValueError(
            f"group {np.asarray(groups)[np.argmax(places < 0)]}: counts but no {name}; the {name}s' index has "
            f"{', '.join(map(str, series.index[:3]))}, ..."
        )
    if len(series) > len(places):
        extra = series.index.difference(pd.Index(groups), sort=False)
        raise ValueError(f"group {extra[0]}: a {name} but no counts ({len(extra)} such groups); leave it out")
    return series.to_numpy(float)[places]


def chosen_rows(rows, groups):
    """Row numbers or a mask of the groups as an index of arrays: a mask that is a Series by group is matched by it.

    Raises ValueError where a mask has another length or a gap, and where there is no such row.

    >>> chosen_rows(pd.Series({"b": True, "a": False}), np.array(["a", "b"]))
    array([False,  True])
    """
    if isinstance(rows, slice):
        return rows
    if isinstance(rows, pd.Series) and pd.api.types.is_bool_dtype(rows):
        if rows.isna().any():
            raise ValueError(
                f"mask: no truth value for {rows.index[np.argmax(rows.isna())]}; expected True or False for each group"
            )
        named = not isinstance(rows.index, pd.RangeIndex)
        rows = by_group(rows, groups, "mask").astype(bool) if named else rows.to_numpy(bool)
    rows = np.asarray(rows)
    try:
        np.arange(len(groups))[rows if rows.size else rows.astype(int)]
    except IndexError:
        raise ValueError(
            f"rows {np.array2string(rows.ravel()[:3], separator=', ')[1:-1]}, ...: expected numbers of the "
            f"{len(groups)} groups from 0, or a mask with one truth value for each"
        ) from None
    return rows if rows.size else rows.astype(int)


def refuse_wrong_counts(data):
    """Raise ValueError where shapes differ, a group occurs twice or is empty, or a count or a label is out of range.

    Argument: GroupedCounts whose counts, labels and names are arrays.
    """
    n_groups, n_bins = data.counts.shape
    if n_groups == 0:
        raise ValueError("no group: at least one group with events and a label is needed")
    if n_bins < 2:
        raise ValueError(
            f"{n_bins} bin: nothing to tell apart; at least 2 bins are needed, so choose factors "
            "with more than one level"
        )
    if data.label.shape != (n_groups,):
        raise ValueError(
            f"{n_groups} groups of events but {data.label.size} labels; give each group one label"
        )
    if data.groups.shape != (n_groups,):
        raise ValueError(f"{n_groups} rows of counts but {data.groups.size} group names")
    if len(data.bins) != n_bins:
        raise ValueError(f"{n_bins} columns of counts but {len(data.bins)} rows of bins")
    names = pd.Index(data.groups)
    if not names.is_unique:
        raise ValueError(f"group {names[names.duplicated()][0]} has more than one row; add its rows up")
    _refuse_cells(data, ~np.isfinite(data.counts), "is not a finite number")
    _refuse_cells(data, data.counts < 0, "is negative")
    _refuse_groups(
        data, data.sizes == 0, "group {}: no events; leave the group and its label out", data.sizes
    )
    _refuse_groups(
        data,
        ~((data.label >= 0) & (data.label <= 1)),
        "group {}: label {} is not in [0, 1]; labels are shares: divide percentages by 100",
        data.label,
    )


def _refuse_cells(data, wrong, what):
    if wrong.any():
        i, k = np.argwhere(wrong)[0]
        where = levels_in_words(data.bins.iloc[k])
        raise ValueError(
            f"group {data.groups[i]}: count {data.counts[i, k]:g} in {where} {what}; "
            "counts are numbers of events, 0 or more"
        )


def _refuse_groups(data, wrong, message, values):
    if wrong.any():
        i = np.flatnonzero(wrong)[0]
        more = wrong.sum() - 1
        raise ValueError(
            message.format(data.groups[i], f"{values[i]:g}")
            + (f" (and {more} more such groups)" if more else "")
        )
