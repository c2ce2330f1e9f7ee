"""Counts of a part of the events, as files that add up: how a log too large for one machine is counted.

Each shard of the log is counted by itself (`count_shard`), and partial counts are added a few at a time
(`add_counts`) until one file is left. Events enter an estimate only through their number in each group and bin,
and sums may be taken in any order, so that file gives the estimates of the whole log: `wsclust fit
TOTAL --count n` reads it as it reads events.

A file of partial counts is Parquet: the group's name, the factors, and `n`, the number of events, a row a
group and bin that occurs; only sums are in order. The labels are no part of it, so other labels need no new
count. It is written whole or not at all.
"""

import os
import warnings
from dataclasses import replace
from pathlib import Path

from wsclust.columns.count_columns import forgotten_count
from wsclust.columns.names import refuse_named_twice
from wsclust.events.cuts import check_cut, check_numbers, overlapping, range_of, recoded
from wsclust.events.database import database, duckdb_module
from wsclust.events.files import open_table
from wsclust.events.finding import refuse_streams
from wsclust.events.queries import (
    as_number,
    refuse_counts,
    refuse_levels,
    refuse_no_group,
    rows_where,
    wrong_count,
)
from wsclust.events.refusals import reading, refusal
from wsclust.events.sql_text import quoted, quoted_name, system_path, utf8_path
from wsclust.tables import replacing

COUNT = "n"  # `wsclust fit` writes a column n too, so no factor has this name


def count_shard(
    events, output, factors, group="group", count=None, memory_limit="500MB", cut=None, missing=None
):
    """Count one shard's events by group and bin into a Parquet file; the number of its rows.

    Arguments: `events`, a CSV or Parquet file (or a pattern or folder, as for `events.read_counts`);
    `output`, a path; `factors`, the columns whose combinations are the bins; `group`, the column of the
    group's name; `count`, a column with the number of events that a row stands for (default 1);
    `memory_limit` of DuckDB, which spills to disk beyond; `cut` and `missing`, as for `read_counts`, with the
    same edges for all shards. One thread: shards are counted side by side.

    A shard without events gives a file without rows. Raises ValueError, with file, column or row and the
    remedy, on what cannot be read, on an empty value and on a wrong count; OSError where the output cannot be
    written.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> for shard, text in (("a", "x,red\\nx,red\\ny,blue\\n"), ("b", "y,blue\\n")):
    ...     _ = (folder / f"{shard}.csv").write_text("group,colour\\n" + text)
    ...     count_shard(folder / f"{shard}.csv", folder / f"{shard}.parquet", ["colour"])
    2
    1
    >>> add_counts([folder / "a.parquet", folder / "b.parquet"], folder / "sum.parquet")
    2
    >>> import pandas as pd
    >>> pd.read_parquet(folder / "sum.parquet")
      group colour    n
    0     x    red  2.0
    1     y   blue  2.0
    """
    duckdb_module()
    columns = [group, *factors]
    refuse_named_twice([*columns, *([count] if count else [])], "group, factors and count")
    # DuckDB takes names that differ in case alone for one, and would write another name.
    lower = {COUNT: "the count 'n'"}
    for column in columns:
        if column.lower() in lower:
            raise ValueError(
                f"column {column!r} has the name of {lower[column.lower()]} but for case; rename it in the "
                "events"
            )
        lower[column.lower()] = repr(column)
    table = open_table(events, [*columns, *([count] if count else [])], {group: "name it with group=COLUMN"})
    table = table.checked()
    cut = check_cut(factors, cut)
    with database(memory_limit, threads=1) as db:
        found = reading(table, lambda table: _count(db, table, group, factors, count, cut, missing))
        rows = _write(db, found, output)
    if not count and (doubt := forgotten_count(table.header, columns)):
        warnings.warn(doubt, stacklevel=2)
    return rows


def _count(db, table, group, factors, count, cut, missing):
    """Make the SQL table `found` of the counts; the query of its rows as they are written."""
    for column in cut:
        check_numbers(db, table, column)
    table = recoded(table, factors, cut, missing)
    levels = [f"f{j}" for j in range(len(factors))]
    values = [f"{table.value(column)} AS {f}" for column, f in zip(factors, levels, strict=True)]
    values += [f"{table.value(group)} AS g", f"{as_number(table, count) if count else '1.0::DOUBLE'} AS n"]
    values += [f"{wrong_count(table, count) if count else 'false'} AS wrong"]
    keys = ", ".join(["g", *levels])
    db.execute("SET preserve_insertion_order = false")
    db.execute(
        f"CREATE OR REPLACE TABLE found AS SELECT {keys}, sum(n) AS n, bool_or(wrong) AS wrong "
        f"FROM (SELECT {', '.join(values)} FROM {table.rows()}) GROUP BY {keys}"
    )
    refuse_levels(db, table, factors)
    no_group, wrong = db.execute("SELECT bool_or(g IS NULL), bool_or(wrong) FROM found").fetchone()
    if no_group:
        refuse_no_group(db, table, group)
    if wrong:
        refuse_counts(db, table, count)
    names = zip(["g", *levels, "n"], [group, *factors, COUNT], strict=True)
    return f"SELECT {', '.join(f'{name} AS {quoted_name(column)}' for name, column in names)} FROM found"


def add_counts(parts, output, memory_limit="1GB", threads=None):
    """Add files of partial counts into one such file; the number of its rows.

    Arguments: `parts`, paths that `count_shard` or this function wrote; `output`, a path; `memory_limit` of
    DuckDB; `threads` (default and at most all cores). Raises ValueError where a file holds no partial counts,
    where a file is there twice, under one name or two, where columns or their types differ between files, where
    numbers were cut at different edges, on an empty value and on a wrong n; OSError where a file is missing or
    the output cannot be written.
    """
    duckdb = duckdb_module()
    parts = [str(Path(part)) for part in parts]
    _refuse_repeated(parts)
    tables = [_open_part(part) for part in parts]
    first = tables[0]
    for table in tables[1:]:
        if table.columns != first.columns:
            raise ValueError(f"{table.name}: {_differs(table, first)}")
    whole = replace(first, files=tuple(parts))
    keys = ", ".join(f"c{i}" for i in range(whole.width - 1))
    shown = ", ".join(f"c{i} AS {quoted_name(column)}" for i, column in enumerate([*whole.columns][:-1]))
    with database(memory_limit, threads) as db:
        try:
            _refuse_values(db, whole)
            _refuse_other_cuts(db, whole)
            return _write(
                db,
                f"SELECT {shown}, sum(c{whole.width - 1}) AS {COUNT} FROM {whole.rows()} "
                f"GROUP BY {keys} ORDER BY {keys}",
                output,
            )
        except duckdb.Error as error:
            raise refusal(whole, error) from None


def _refuse_repeated(parts):
    """Raise ValueError where a file is there twice, be it in another spelling or through a link."""
    seen = {}
    for part in parts:
        found = os.stat(part)
        file = found.st_dev, found.st_ino
        if file in seen:
            what = "named twice" if part == seen[file] else f"the same file as {seen[file]}"
            raise ValueError(f"{part}: {what}, and would be counted twice; name each part once")
        seen[file] = part


def _refuse_values(db, table):
    """Raise ValueError, naming file and row, where a group or level is empty or n is no number of events."""
    empty = {column: f"({table.value(column)} IS NULL)" for column in [*table.columns][:-1]}
    tests = ", ".join(f"bool_or({test})" for test in [*empty.values(), wrong_count(table, COUNT)])
    *found, wrong = db.execute(f"SELECT {tests} FROM {table.rows()}").fetchone()
    for (column, test), is_empty in zip(empty.items(), found, strict=True):
        if is_empty:
            raise ValueError(
                f"{rows_where(db, table, test)}: column {column!r} is empty; write the part again"
            )
    if wrong:
        refuse_counts(db, table, COUNT)


def _refuse_other_cuts(db, table):
    """Raise ValueError, naming two files, where numbers were cut at other edges in one than in the other."""
    for column in [*table.columns][1:-1]:
        value = table.value(column)
        if table.sql_type(column) != "VARCHAR":
            continue
        first = db.execute(
            f"SELECT {value} AS level, min(file) FROM {table.rows()} WHERE {value} SIMILAR TO '[<>(].*' GROUP BY level"
        ).fetchall()
        where = {level: system_path(file) for level, file in first}
        found = overlapping(where)
        if not found and (uncut := _number_in_a_range(db, table, value, where)):
            level, file, one = uncut
            found, where = (one, level), where | {level: system_path(file)}
        if found:
            one, other = found
            raise ValueError(
                f"{where[other]}: column {column!r} has {other!r}, and {one!r} in {where[one]}: they were cut at "
                "different edges; count all shards with the same --cut"
            )


def _number_in_a_range(db, table, value, levels):
    """A level that is a number within a range among the levels, its file, and that range; None where there is none."""
    number = f"TRY_CAST({value} AS DOUBLE)"
    for level in levels:
        if ends := range_of(level):
            within = f"{number} > '{ends[0]}'::DOUBLE AND {number} <= '{ends[1]}'::DOUBLE"
            query = f"SELECT {value}, file FROM {table.rows()} WHERE {within} ORDER BY ALL LIMIT 1"
            if found := db.execute(query).fetchone():
                return *found, level
    return None


def _open_part(path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    refuse_streams(path)
    try:
        columns = pq.read_schema(path).names
    except (pa.ArrowException, OSError):  # the file is there; pyarrow makes OSError of some that are broken
        columns = []
    if len(columns) < 3 or columns[-1] != COUNT:
        raise ValueError(
            f"{path}: no partial counts; expected what `wsclust count-shard` or `wsclust add-counts` wrote"
        )
    part = open_table(path, columns)
    if part.columns[COUNT][1] == "text":
        raise ValueError(f"{path}: column {COUNT!r} is not a column of numbers; write the part again")
    return part


def _differs(table, first):
    if [*table.columns] != [*first.columns]:
        found, expected = (", ".join(map(repr, t.columns)) for t in (table, first))
        return (
            f"columns {found}, and {expected} in {first.name}; count all shards with the same --group and the same "
            "--factors in one order"
        )
    column = next(c for c in table.columns if table.columns[c] != first.columns[c])
    return (
        f"column {column!r} is {table.columns[column][1]}, and {first.columns[column][1]} in {first.name}; write the "
        "shards with one type each"
    )


def _write(db, query, output):
    """Write a query's rows to a Parquet file; how many they are."""
    with replacing(output) as temporary:
        path = quoted(utf8_path(temporary))
        try:
            return db.execute(f"COPY ({query}) TO {path} (FORMAT parquet, COMPRESSION zstd)").fetchone()[0]
        except duckdb_module().IOException as error:  # all was read once, so it is the output's
            raise OSError(f"{output}: cannot be written ({str(error).splitlines()[0]})") from None
