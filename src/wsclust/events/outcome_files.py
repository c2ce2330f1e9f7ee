"""Outcomes that were looked up, from the CSV that a person filled in to AuditedOutcomes.

The file has one row per event: the group, the factors and `outcome`. A file with `row` (or another identity) and
`outcome` alone will do as well; the group and the factors are then read from the events. Where events are only
counted, it has one row per cell: the group, the factors, `n` events looked up and `happy` ones among them.

Numbers of rows are compared as numbers, and a file that has the group and the factors beside them says the same as the
events in these rows: a table that was sorted by one of its columns alone would turn the answer, and say nothing.
"""

import warnings

import numpy as np
import pandas as pd

from wsclust.audit.outcomes import TO_LOOK_UP, AuditedOutcomes, cells_of_table
from wsclust.columns.names import levels_in_words, spelled_sql
from wsclust.events.audit_draws import FILE, HAPPY, OUTCOME, ROW
from wsclust.events.audited_rows import (
    files_of_events,
    look_up,
    refuse_contradictions,
    refuse_empty,
    refuse_repeated,
    with_events,
    with_numbers,
)
from wsclust.events.cuts import recoded
from wsclust.events.database import database
from wsclust.events.files import open_table
from wsclust.events.finding import find_files
from wsclust.events.refusals import reading


def read_outcomes(
    path,
    data,
    events=None,
    group="group",
    identity=None,
    memory_limit="2GB",
    threads=None,
    cut=None,
    missing=None,
):
    """Read a CSV of outcomes that were looked up: AuditedOutcomes of these GroupedCounts.

    Arguments: `path`; `data`, GroupedCounts; `events`, the files that the data were counted from, needed where
    the CSV has no group and factors; `group`, the column of the group's name; `identity`, the column that tells
    events apart (default `row`, with `file`, where the CSV has it); `memory_limit` and `threads` of DuckDB, for
    reading `events`; `cut` and `missing` as `read_counts` had them.

    Warns of rows without an outcome, which are left out. Raises ValueError, naming file, row and remedy, on a
    missing column, a word that is no outcome, an event that is there twice or unknown, a group without a label, a
    bin or cell without events, more outcomes than a cell has events, and where no outcome is filled in.

    >>> import tempfile
    >>> from wsclust.counts import GroupedCounts
    >>> data = GroupedCounts([[8, 2], [2, 8]], label=[0.9, 0.1], groups=["a", "b"])
    >>> path = f"{tempfile.mkdtemp()}/labelled.csv"
    >>> with open(path, "w") as file:
    ...     _ = file.write("row,group,bin,outcome\\n3,a,1,yes\\n9,b,1,no\\n12,b,2,no\\n")
    >>> read_outcomes(path, data).sad
    array([[0., 0.],
           [1., 1.]])
    """
    header = _header(path)
    factors = list(data.bins.columns)
    named = identity is not None
    if identity is not None and identity not in header:
        raise ValueError(
            f"{path}: no column {identity!r}; there are {', '.join(header)}: name another audit_id"
        )
    identity = identity or (ROW if ROW in header and ROW not in [group, *factors] else None)
    keys = [identity] if identity else []
    # --id may have named a column of the events that is called so.
    numbered = identity == ROW and not (named and events is not None and ROW in open_table(events, []).header)
    keys = [FILE, *keys] if numbered and FILE in header else keys
    described = all(column in header for column in [group, *factors])
    if OUTCOME not in header and {TO_LOOK_UP, HAPPY} <= set(header):
        table = _read(path, [group, *factors, TO_LOOK_UP, HAPPY], [group, *factors])
        found = _of_cells(path, table, data, group, factors)
    else:
        if not described and not (identity and events is not None):
            missing = next(column for column in [group, *factors] if column not in header)
            raise ValueError(
                f"{path}: no column {missing!r}; expected {', '.join([group, *factors, OUTCOME])}, or {ROW} and "
                f"{OUTCOME} as wsclust audit-sample writes them; there are {', '.join(header)}"
            )
        table = _read(path, [*keys, *([group, *factors] if described else []), OUTCOME], [group, *factors])
        if keys:
            refuse_empty(path, table, keys)
            table = with_numbers(path, table) if numbered else table
            refuse_repeated(path, table, keys)

        def looked_up(source):
            with database(memory_limit, threads) as db:
                return reading(
                    source,
                    lambda source: look_up(
                        table, db, recoded(source, factors, cut, missing), keys, [group, *factors], numbered
                    ),
                )

        if not described:
            source = files_of_events(path, events, keys, group, factors, numbered)
            table = with_events(path, table, events, looked_up(source), keys)
        found = _named(path, lambda: AuditedOutcomes.from_table(table, data, group))
        if described and numbered and events is not None:
            source = open_table(events, [group, *factors]).checked()
            # Several files have no numbers of rows in common.
            if FILE in keys or len(source.files) == 1:
                refuse_contradictions(path, table, source, looked_up(source), keys, [group, *factors])
    if not found.size:
        raise ValueError(f"{path}: no outcome is filled in; write 1 or 0, yes or no, true or false")
    too_many = found.events > data.counts if data.capped_at is None else np.zeros(1, dtype=bool)
    if too_many.any():
        i, k = np.argwhere(too_many)[0]
        where = levels_in_words(data.bins.iloc[k])
        raise ValueError(
            f"{path}: group {str(data.groups[i])!r}, {where}: {found.events[i, k]:g} outcomes but "
            f"{data.counts[i, k]:g} events; give each event one row, and as many as there are"
        )
    if found.left_out:
        warnings.warn(
            f"{path}: {found.left_out:,} of {found.left_out + found.size:,} events have no outcome yet and were left "
            "out; this does no harm where it does not depend on the outcome",
            stacklevel=2,
        )
    return found


def _header(path):
    files, kind = find_files(path)
    if kind != "csv" or len(files) > 1:
        raise ValueError(f"{path}: expected one CSV file of outcomes, as wsclust audit-sample writes")
    return open_table(path, []).header


def _read(path, columns, names):
    """The columns as text, empty where nothing is written; `names` in the one spelling that the counts have."""

    def read(table):
        values = [
            spelled_sql(table.value(column)) if column in names else table.value(column) for column in columns
        ]
        return db.execute(f"SELECT {', '.join(values)} FROM {table.rows()}").fetchall()

    with database(threads=1) as db:
        rows = reading(open_table(path, columns).checked().unshared(), read)
    if not rows:
        raise ValueError(f"{path}: no rows below the header; expected one row per event that was looked up")
    return pd.DataFrame(rows, columns=columns, dtype=object)


def _of_cells(path, table, data, group, factors):
    """Outcomes of a table with one row per cell: `n` events looked up and `happy` ones among them."""
    empty = table[HAPPY].isna().to_numpy()
    numbers = {
        name: pd.to_numeric(table[name], errors="coerce").to_numpy(float) for name in (TO_LOOK_UP, HAPPY)
    }
    n, happy = numbers[TO_LOOK_UP], numbers[HAPPY]
    whole = (happy == np.rint(happy)) & (n == np.rint(n)) & np.isfinite(n)
    wrong = ~empty & ~((happy >= 0) & (happy <= n) & whole)
    if wrong.any():
        place = int(np.argmax(wrong))
        raise ValueError(
            f"{path}: row {place + 1}: {HAPPY} {table[HAPPY].iloc[place]!r} of {TO_LOOK_UP} "
            f"{table[TO_LOOK_UP].iloc[place]!r}; expected whole numbers, {HAPPY} from 0 to {TO_LOOK_UP}"
        )
    repeated = table.duplicated([group, *factors]).to_numpy()
    if repeated.any():
        place = int(np.argmax(repeated))
        cell = table[[group, *factors]].iloc[place]
        first = int((table[[group, *factors]] == cell).all(axis=1).to_numpy().argmax())
        where = levels_in_words(cell)
        raise ValueError(
            f"{path}: row {place + 1}: {where} is in row {first + 1} already; give each group and bin one row, with "
            f"{TO_LOOK_UP} and {HAPPY} added up where the events are other ones"
        )
    groups, bins = _named(path, lambda: cells_of_table(table, data, group))
    there = data.counts[groups, bins] if data.capped_at is None else data.drawn_sizes[groups]
    if (too_many := ~empty & (n > there)).any():
        place = int(np.argmax(too_many))
        raise ValueError(
            f"{path}: row {place + 1}: {TO_LOOK_UP} {table[TO_LOOK_UP].iloc[place]!r}, but there are {there[place]:g} "
            "events; write how many of these were looked up"
        )
    outcomes = AuditedOutcomes.none(data)
    of_happy, of_sad = outcomes.happy, outcomes.sad
    of_happy[groups, bins] = np.where(empty, 0, happy)
    of_sad[groups, bins] = np.where(empty, 0, n - happy)
    return AuditedOutcomes(of_happy, of_sad, int(np.minimum(n, there)[empty & (n > 0)].sum()))


def _named(path, read):
    """What `read` returns; its messages name the file instead of the audit."""
    try:
        return read()
    except ValueError as error:
        raise ValueError(str(error).replace("audit:", f"{path}:", 1)) from None
