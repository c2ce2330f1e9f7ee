"""Event logs on disk, of any size, to grouped counts.

DuckDB reads the files twice, within its memory limit: once for the combinations of factor levels that occur,
once to turn each event into one whole number, group x K + bin, which is counted here. So the events are never
in memory: beside DuckDB's limit there are the counts (8 bytes a cell) and the names of the groups.

Measured on 100,000,000 events in one Parquet file, 1,000,000 groups, 30 bins and two threads: 5 s of
processor time with integer names and one integer factor, 23 s with text names and three factors; at most
.8 GB.
"""

import os
import warnings
from functools import partial
from pathlib import Path

from wsclust.counts import GroupedCounts
from wsclust.events.database import database, duckdb_module
from wsclust.events.files import SharedReadingError, open_table
from wsclust.events.queries import count_cells, load_bins, load_labels, load_rated, number, some, unlabelled
from wsclust.label_noise import with_label_noise

_BYTES_PER_CELL = 16  # the counts, and what checking them takes for a moment
_BYTES_PER_CELL_FITTED = 48  # at most, for the counts, their halves and the check of a latent fit; measured


class TightMemory(UserWarning):
    """The counts fit in memory, and what is done with them may not."""


def read_counts(
    events,
    labels,
    factors,
    group="group",
    label="label",
    count=None,
    drop_unlabelled=False,
    memory_limit="2GB",
    threads=None,
    label_n=None,
    rated_among_events=False,
):
    """Count the events of CSV or Parquet files by group and bin: a GroupedCounts.

    Arguments: `events` and `labels`, each a file, a pattern or a folder (see `finding`); `factors`, the
    columns of `events` whose combinations are the bins; `group`, the column of the group's name in both;
    `label`, the column of `labels` with the share of happy events in [0, 1]; `count`, a column of `events`
    with the number of events that a row stands for (default 1); `drop_unlabelled`, leave out events of groups
    without a label (no row of `labels`, or an empty label) and labels without events, with a warning that
    counts them; `memory_limit` of DuckDB, such as "500MB" (it spills to disk beyond, in TMPDIR); `threads`
    (default all cores); `label_n`, a column of `labels` with the number of rated events of which the label is the
    share, and `rated_among_events`, whether these are among `events` (`label_noise.with_label_noise`).

    Names and levels are compared as text, and stay text. Groups have the order of `labels`. Bins are the
    combinations that occur (not those that only have counts of 0), sorted factor by factor: as numbers where
    every level of a factor is a whole number, else as text. Counts with fractions are added in no fixed
    order, so they repeat to rounding only.

    Warns (TightMemory), before the events are counted, where a fit of the counts may not fit in memory.
    Raises ValueError, with file, column, row or group and the remedy, on what cannot be read, on an empty
    value, a wrong count or label, a repeated label, events without a label, labels without events, and where
    groups x bins do not fit in memory; ImportError where DuckDB is missing. Rows are counted from 1, below
    the header.

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
    for repeated in {c for c in columns if columns.count(c) > 1}:
        raise ValueError(f"column {repeated!r} is named twice; group, factors and count are distinct")
    if not factors:
        raise ValueError("no factor: name at least one column of the events whose levels make the bins")
    label_columns = [group, label, *([label_n] if label_n else [])]
    if len(set(label_columns)) < len(label_columns):
        raise ValueError(f"column {label_n!r} is named twice; group, label and label_n are distinct")
    label_table, event_table = open_table(labels, label_columns), open_table(events, columns)
    with database(memory_limit, threads) as db:
        read = partial(_read, db, group, factors, label, label_n, count, drop_unlabelled)
        try:
            data, dropped = read(label_table, event_table)
        except SharedReadingError:
            data, dropped = read(label_table.unshared(), event_table.unshared())
    names, values, rated, bins, counts = data
    used = counts.sum(axis=1) > 0
    if not used.all():
        idle = names[~used]
        what = (
            f"{label_table.name}: {number(len(idle), 'label')} without events "
            f"in {event_table.name}: {some([repr(name) for name in idle])}"
        )
        if not drop_unlabelled:
            raise ValueError(f"{what}; remove these rows, or leave them out with drop_unlabelled")
        dropped += [what]
    if dropped:
        warnings.warn(f"left out: {'; '.join(dropped)}", stacklevel=2)
        counts, values, names = counts[used], values[used], names[used]
        rated = None if rated is None else rated[used]
    # A bin may have none, where all its events are dropped or counted 0 times.
    data = GroupedCounts(counts, values, names, bins).with_bins_that_occur()
    return data if rated is None else with_label_noise(data, None, rated, rated_among_events)


def _read(db, group, factors, label, label_n, count, drop, label_table, event_table):
    """Names, labels, numbers of rated events, bins and counts, and what was left out."""
    duckdb, table = duckdb_module(), label_table
    try:
        names, values = load_labels(db, table, group, label, event_table.sql_type(group), drop)
        rated = load_rated(db, table, group, label, label_n) if label_n else None
        table = event_table
        bins, n_events = load_bins(db, table, factors, count, partial(_refuse_too_large, len(names)))
        counts, n_counted = count_cells(db, table, group, factors, count, (len(names), len(bins)))
        dropped = [unlabelled(db, table, label_table, group, drop)] if n_counted < n_events else []
    except duckdb.Error as error:
        raise table.refusal(error) from None
    return (names, values, rated, bins, counts), dropped


def _refuse_too_large(n_groups, n_bins):
    need, have = n_groups * n_bins * _BYTES_PER_CELL, available_memory()
    if need > have:
        raise ValueError(
            f"{n_groups:,} groups x {n_bins:,} bins need {need:,} bytes and {have:,} are available; choose "
            "factors with fewer levels, or fewer groups"
        )
    fitted = n_groups * n_bins * _BYTES_PER_CELL_FITTED
    if fitted > have:
        warnings.warn(
            f"{n_groups:,} groups x {n_bins:,} bins: a fit takes up to {fitted:,} bytes and {have:,} are "
            "available; if it is ended for that, choose factors with fewer levels, or more memory",
            TightMemory,
            stacklevel=2,
        )


def available_memory():
    """Bytes that a process can still have here, at most what its control group may take in all."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        free = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration):  # not Linux
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        return min(free, int(Path("/sys/fs/cgroup/memory.max").read_text()))
    except (OSError, ValueError):  # no control group, or "max": no limit
        return free
