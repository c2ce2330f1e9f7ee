"""Frames of events, by the same rules as files: counted by group and bin, or placed among bins that are known."""

import warnings

import numpy as np
import pandas as pd

from wsclust.columns.alike import alike, in_words, why_unlike
from wsclust.columns.count_columns import count_doubts, forgotten_count
from wsclust.columns.level_order import check_order, order_of, ranks
from wsclust.columns.names import levels_in_words, names_as_text, refuse_named_twice


def count_events(events, labels, factors, group, label, count, label_group=None, order=None):
    """Counts (I, K), shares (I,), group names (I,) and the frame of bins of `GroupedCounts.from_events`."""
    factors = [factors] if isinstance(factors, str) else list(factors)
    label_group = label_group or group
    if not factors:
        raise ValueError("no factor: name at least one column of the events whose levels make the bins")
    used = [group, *factors, *([count] if count else [])]
    refuse_named_twice(used, "group, factors and count")
    refuse_named_twice([label_group, label], "group and label")
    if unknown := [factor for factor in order or {} if factor not in factors]:
        raise ValueError(
            f"order of {unknown[0]!r}: no factor; the factors are {', '.join(map(repr, factors))}"
        )
    refuse_missing_columns(events, "events", used)
    refuse_missing_columns(labels, "labels", [label_group, label])
    for frame, what, each in ((events, "events", "event"), (labels, "labels", "group")):
        if frame.empty:
            raise ValueError(f"{what}: no rows; expected one row per {each}")
    codes, names = _groups(events, labels, group, label_group)
    levels = pd.DataFrame({factor: _texts(events, "events", factor) for factor in factors}, dtype=object)
    _warn_of_names(levels, group, names)
    bin_codes, bins = _bins(events, levels, order or {})
    weight = counts_of(events, count)
    if not count and (line := forgotten_count([str(column) for column in events.columns], used)):
        warnings.warn(line, stacklevel=4)
    shape = len(names), len(bins)
    counts = np.bincount(codes * shape[1] + bin_codes, weights=weight, minlength=shape[0] * shape[1])
    if count:
        for line in count_doubts(weight, count, shape[1]):
            warnings.warn(line, stacklevel=4)
    return counts.reshape(shape), _shares(labels, label, names), names, bins


def refuse_missing_columns(frame, what, columns):
    """Raise ValueError where `what` is no frame, lacks one of these columns, or has two of its name."""
    if not isinstance(frame, pd.DataFrame):
        raise ValueError(
            f"{what}: of type {type(frame).__name__}; expected a pandas.DataFrame (read_counts reads files)"
        )
    names = list(frame.columns)
    for column in columns:
        if column not in names:
            raise ValueError(f"{what}: no column {column!r}; there are {', '.join(map(str, names))}")
        if names.count(column) > 1:
            raise ValueError(f"{what}: {names.count(column)} columns {column!r}; rename or drop all but one")


def places_of_events(bins, events):
    """The row of `bins` in which each event falls, -1 where it is none of them: integers (n,).

    Arguments: two frames, the second with the columns of the first, which are compared as text.

    >>> bins = pd.DataFrame({"size": ["1", "2"]})
    >>> places_of_events(bins, pd.DataFrame({"size": [2.0, 3.0, 1.0]})).tolist()
    [1, -1, 0]
    """
    known, asked = (
        pd.MultiIndex.from_arrays([names_as_text(frame[factor]) for factor in bins])
        for frame in (bins, events)
    )
    if not known.is_unique:
        twice = levels_in_words(dict(zip(bins, known[known.duplicated()][0], strict=True)))
        raise ValueError(
            f"two bins have {twice}, so that the bin of an event cannot be told; add their counts up"
        )
    return known.get_indexer(asked)


def _texts(frame, what, column):
    """A column's names as text; ValueError where one is empty."""
    names = names_as_text(frame[column])
    empty = pd.isna(names)
    if empty.any():
        row = int(np.argmax(empty)) + 1
        raise ValueError(
            f"{what}: column {column!r} is empty in row {row}; write a name, such as by .fillna('unknown'), or leave "
            "the row out"
        )
    return names


def _groups(events, labels, group, label_group):
    """The place of each event's group among the labels, and the groups' names in their order there."""
    names = _texts(labels, "labels", label_group)
    index = pd.Index(names)
    if not index.is_unique:
        raise ValueError(
            f"labels: group {index[index.duplicated()][0]} has more than one row; give it one label"
        )
    found = _texts(events, "events", group)
    codes = index.get_indexer(found)
    if (codes < 0).any():
        unknown = list(dict.fromkeys(found[codes < 0]))
        raise ValueError(
            f"group {unknown[0]}: events but no label; the labels have {', '.join(map(repr, names[:3]))}, ..."
            f"{why_unlike(unknown, names)}; add a row to the labels or leave its events out"
        )
    return codes, names


def _bins(events, levels, order):
    """The bin of each event, and the frame of bins, sorted by the order of the levels."""
    places = {}
    for factor in levels.columns:
        given = order.get(factor)
        if given is not None:
            given = check_order(factor, set(levels[factor]), given)
        places[factor] = ranks(levels[factor], given or order_of(events[factor]))
    grouping = pd.DataFrame(places).groupby(list(levels.columns), sort=True)
    codes = grouping.ngroup().to_numpy()
    first = np.zeros(codes.max() + 1, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    return codes, levels.iloc[first].reset_index(drop=True)


def counts_of(events, count):
    """The numbers of events that rows stand for, None without such a column; ValueError, with the row, on others."""
    if not count:
        return None
    weight = _numbers(events[count])
    right = (weight >= 0) & np.isfinite(weight)
    if not right.all():
        row = int(np.argmin(right))
        raise ValueError(
            f"events: column {count!r} is {str(events[count].iloc[row])!r} in row {row + 1}; counts are numbers of "
            "events, 0 or more"
        )
    return weight


def _numbers(series):
    """A column as numbers, NaN where a value is none, such as a time, of which pandas would make nanoseconds."""
    if series.dtype.kind in "mM":
        return np.full(len(series), np.nan)
    return pd.to_numeric(series, errors="coerce").to_numpy(float)


def _shares(labels, label, names):
    shares = _numbers(labels[label])
    if np.isnan(shares).any():
        row = int(np.argmax(np.isnan(shares)))
        found = labels[label].iloc[row]
        what = "is empty" if pd.isna(found) or found == "" else f"is {str(found)!r}"
        raise ValueError(
            f"labels: column {label!r} {what} in row {row + 1}, group {names[row]}; labels are numbers from 0 to 1"
        )
    return shares


def _warn_of_names(levels, group, names):
    for column, values in [(group, names), *levels.items()]:
        if found := alike(list(pd.unique(np.asarray(values, dtype=object)))):
            warnings.warn(
                f"column {column!r}: {in_words(found)} differ in case, blanks or Unicode form alone and count as "
                "different names",
                stacklevel=5,
            )
