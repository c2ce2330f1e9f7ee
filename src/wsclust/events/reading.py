"""Event logs on disk, of any size, to grouped counts.

DuckDB reads the files twice, within its memory limit: once for the combinations of factor levels that occur,
once to turn each event into one whole number, group x K + bin, which is counted here. So the events are never
in memory: beside DuckDB's limit there are the counts (8 bytes per cell) and the names of the groups.

Measured on 100,000,000 events in one Parquet file, 1,000,000 groups, 30 bins and two threads: 5 s of
processor time with integer names and one integer factor, 23 s with text names and three factors; at most
.8 GB.
"""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from os import PathLike

from scipy.sparse import issparse

from wsclust.cells import GroupedCells, is_better
from wsclust.columns.alike import alike, in_words
from wsclust.columns.count_columns import count_doubts, forgotten_count
from wsclust.columns.names import refuse_named_twice
from wsclust.counts import GroupedCounts
from wsclust.events.cells import count_cells, load_bins
from wsclust.events.cuts import check_cut, check_numbers, overlapping, recoded
from wsclust.events.database import database, duckdb_module
from wsclust.events.files import open_table
from wsclust.events.labels import load_labels, load_rated, unlabelled
from wsclust.events.level_orders import order_of_levels, refuse_order_of_no_factor
from wsclust.events.memory import refuse_too_large
from wsclust.events.queries import number, some
from wsclust.events.refusals import reading
from wsclust.label_noise import with_label_noise


def read_counts(
    events: str | PathLike,
    labels: str | PathLike,
    factors: str | Iterable[str],
    group: str = "group",
    label: str = "label",
    count: str | None = None,
    drop_unlabelled: bool = False,
    memory_limit: str = "2GB",
    threads: int | None = None,
    label_group: str | None = None,
    percent: bool = False,
    order: Mapping[str, Sequence[str]] | None = None,
    cut: Mapping[str, Sequence[float]] | None = None,
    missing: str | None = None,
    label_n: str | None = None,
    rated_among_events: bool = False,
) -> GroupedCounts:
    """Count the events of CSV or Parquet files by group and bin: a GroupedCounts.

    Arguments: `events` and `labels`, each a file, a pattern or a folder (see `finding`); `factors`, the
    columns of `events` whose combinations are the bins; `group`, the column of the group's name in both;
    `label`, the column of `labels` with the share of happy events in [0, 1]; `count`, a column of `events`
    with the number of events that a row stands for (default 1); `drop_unlabelled`, leave out events of groups
    without a label (no row of `labels`, or an empty label) and labels without events, with a warning that
    counts them; `memory_limit` of DuckDB, such as "500MB" (it spills to disk beyond, in TMPDIR); `threads`
    (default all cores); `label_group`, the column of the group's name in `labels` where it has another name
    there; `percent`, whether labels are percentages, such as 57 or 57%; `order`, a dict from a factor to its
    levels in the order that they shall have; `cut`, a dict from a factor to the edges that cut its numbers
    into ranges (see `cuts`); `missing`, a level for empty values of factors, such as "unknown", which are
    refused otherwise; `label_n`, a column of `labels` with the number of rated events of which the label is
    the share, and `rated_among_events`, whether these are among `events` (`label_noise.with_label_noise`).

    Names and levels are compared as text, and become text (see `names`). Groups have the order of `labels`.
    Bins are the combinations that occur (not those that only have counts of 0), sorted factor by factor (see
    `level_order`): as `order` says, or as an ordered dictionary of Parquet does, else as numbers and ranges
    where levels are such, else as text. Counts with fractions are added in no fixed order, so they repeat to
    rounding only. Of more than 1,000 bins and 5 million cells only the cells that occur are kept, as
    `cells.GroupedCells`.

    Warns (TightMemory), before the events are counted, where a fit of the counts may not fit in memory. Warns
    on levels or groups that look the same, on a column `n` that is not used, and on counts with fractions.
    Raises ValueError, with file, column, line or group and the remedy, on what cannot be read, on an empty
    value, a wrong count or label, a repeated label, events without a label, labels without events, and where
    groups x bins do not fit in memory; ImportError where DuckDB is missing. Places are lines of a CSV file,
    and rows of a Parquet file, counted from 1.

    >>> import os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> clicks, rated = os.path.join(folder, "clicks.csv"), os.path.join(folder, "rated.csv")
    >>> for path, text in (
    ...     (clicks, "group,level,colour\\na,10,red\\na,9,red\\nb,10,blue\\n"),
    ...     (rated, "group,label\\na,0.8\\nb,0.4\\n"),
    ... ):
    ...     with open(path, "w") as file:
    ...         _ = file.write(text)
    >>> data = read_counts(clicks, rated, factors=["level", "colour"])
    >>> data.counts
    array([[1., 0., 1.],
           [0., 1., 0.]])
    >>> data.bins
      level colour
    0     9    red
    1    10   blue
    2    10    red
    """
    duckdb_module()
    factors = [factors] if isinstance(factors, str) else list(factors)
    columns = [group, *factors, *([count] if count else [])]
    refuse_named_twice(columns, "group, factors and count")
    if not factors:
        raise ValueError("no factor: name at least one column of the events whose levels make the bins")
    label_columns = [label_group or group, label, *([label_n] if label_n else [])]
    refuse_named_twice(label_columns, "group, label and label_n")
    label_table = open_table(
        labels, label_columns, _remedies(label_group or group, label, label_n, label_group)
    )
    event_table = open_table(events, columns, _remedies_of_events(group, count))
    label_table, event_table = label_table.checked(), event_table.checked()
    cut = check_cut(factors, cut)
    order_of = partial(order_of_levels, event_table, order or {}, cut)
    refuse_order_of_no_factor(order or {}, factors)
    with database(memory_limit, threads) as db:
        key_type = event_table.sql_type(group)
        names, values, dropped = reading(
            label_table,
            lambda table: load_labels(
                db, table, label_group or group, label, key_type, drop_unlabelled, percent
            ),
        )
        rated = None
        if label_n:
            rated = reading(label_table, lambda table: load_rated(db, table, label_n))

        def counted(table):
            for column in cut:
                check_numbers(db, table, column)
            table = recoded(table, factors, cut, missing)
            check_size = partial(refuse_too_large, len(names))
            bins, n_events, same = load_bins(db, table, factors, count, check_size, order_of)
            shape = len(names), len(bins)
            counts, n_counted = count_cells(db, table, group, factors, count, shape, is_better(*shape))
            if n_counted == n_events:
                return bins, counts, [], same
            left_out = unlabelled(db, table, label_table, group, names, drop_unlabelled, n_counted > 0)
            return bins, counts, left_out, same

        bins, counts, left_out, same = reading(event_table, counted)
    dropped += left_out
    used = counts.sum(axis=1) > 0
    if not used.all():
        idle = names[~used]
        what = (
            f"{label_table.name}: {number(len(idle), 'label')} without events "
            f"in {event_table.name}: {some([repr(name) for name in idle])}"
        )
        if not drop_unlabelled:
            raise ValueError(f"{what}; remove these rows, or leave them out with drop_unlabelled=True")
        dropped += [what]
    doubts = [f"left out: {'; '.join(dropped)}"] if dropped else []
    doubts += [f"factor {factor!r}: {_unseen(found, 'levels')}" for factor, found in same.items()]
    for factor in bins:
        if found := overlapping(set(bins[factor])):
            doubts += [
                f"factor {factor!r}: levels {found[0]!r} and {found[1]!r} are ranges that overlap, as where "
                "parts of the events were cut at different edges; cut all of them alike"
            ]
    if found := [] if key_type == "BIGINT" else alike(names[used]):
        doubts += [f"{label_table.name}: {_unseen(found, 'groups')}"]
    doubts += (
        count_doubts(counts.data if issparse(counts) else counts, count, len(bins))
        if count
        else filter(None, [forgotten_count(event_table.header, columns)])
    )
    counts, values, names = counts[used], values[used], names[used]
    # A bin may have none, where all its events are dropped or counted 0 times.
    kind = GroupedCells if issparse(counts) else GroupedCounts
    data = kind(counts, values, names, bins).with_bins_that_occur()
    doubts += _levels_without_events(bins, data.bins)
    for doubt in doubts:
        warnings.warn(doubt, stacklevel=2)
    return data if rated is None else with_label_noise(data, None, rated[used], rated_among_events)


def _levels_without_events(bins, used):
    """A line for each factor some of whose levels are in no bin that is used."""
    for factor in bins:
        known = set(used[factor])
        if lost := [level for level in bins[factor].unique() if level not in known]:
            yield f"factor {factor!r}: no event with a label has {some([repr(level) for level in lost])}"


def _remedies_of_events(group, count):
    """What to do where a column of the events is missing."""
    return {
        group: "name it with group=COLUMN",
        **({count: "name another with count=COLUMN"} if count else {}),
    }


def _remedies(group, label, label_n, label_group):
    named = "label_group" if label_group else "group"
    remedies = {group: f"name it with {named}=COLUMN", label: "name it with label=COLUMN"}
    if not label_group:
        remedies[group] += ", or with label_group=COLUMN where the events call it otherwise"
    return remedies | ({label_n: "name another with label_n=COLUMN"} if label_n else {})


def _unseen(found, what):
    return f"{what} that differ in case, blanks or Unicode form alone are counted apart: {in_words(found)}"
