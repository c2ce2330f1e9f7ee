"""The posterior of its bin beside each event, for event files of any size.

DuckDB reads the events twice: once to see that they can be read and which bins have no posterior, once to
copy them. Each event's levels make one key, which an ENUM of the known keys turns into a place in a list:
a projection and no join, so the rows keep their order and DuckDB's memory limit holds.
"""

import csv
import io
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from wsclust.events.database import database, duckdb_module
from wsclust.events.files import SharedReadingError, open_table
from wsclust.events.finding import find_files
from wsclust.events.queries import some
from wsclust.posterior_table import ESTIMATES

POSTERIOR = "posterior"
ENDINGS = (".csv", ".csv.gz", ".parquet")
_LINE = "\n"
_ROWS = 122_880  # of a row group, as DuckDB has them


@dataclass(frozen=True)
class Scored:
    """`events` copied, `without` a posterior among them, and `unknown`, the first few bins they fall in."""

    events: int
    without: int
    unknown: str


def score_events(events, posterior, output, memory_limit="2GB", threads=None):
    """Copy event files to one file with a column `posterior` more: a Scored.

    Arguments: `events`, a file, a pattern or a folder (see `finding`); `posterior`, the CSV of
    `wsclust fit`; `output`, a path that ends in .csv, .csv.gz or .parquet; `memory_limit` of DuckDB, such as
    "500MB"; `threads` (default all cores).

    All columns and the order of the rows stay; the factors are the columns of `posterior` that are not
    estimates. Levels are compared as text. Values read from CSV stay the text that they are. An event whose
    bin is not in `posterior`, or has an empty level, has an empty one.

    Raises ValueError, naming file, column or row and the remedy, on what cannot be read, on a missing
    factor, on events that have a column `posterior` already and on a posterior that is no number.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> clicks, fitted, scored = (f"{folder}/{name}.csv" for name in ("clicks", "fitted", "scored"))
    >>> for path, text in (
    ...     (clicks, "id,colour\\n1,red\\n2,blue\\n"),
    ...     (fitted, "colour,n,posterior\\nred,9,0.75\\n"),
    ... ):
    ...     with open(path, "w") as file:
    ...         _ = file.write(text)
    >>> score_events(clicks, fitted, scored)
    Scored(events=2, without=1, unknown="('blue')")
    >>> print(open(scored).read())
    id,colour,posterior
    1,red,0.75
    2,blue,
    """
    duckdb = duckdb_module()
    files, _ = find_files(events)
    names = open_table(files[0], []).header
    taken = [name for name in names if name.lower() == POSTERIOR]
    if taken:
        raise ValueError(f"{files[0]}: has a column {taken[0]!r} already; rename it in the events")
    with database(memory_limit, threads) as db:
        known = _posterior_table(posterior)
        try:
            factors, place, values = _load_posterior(db, known)
        except duckdb.Error as error:
            raise known.refusal(error) from None
        open_table(events, factors)  # where one is missing, its message is about the factors
        table = open_table(events, names)
        copied = partial(_copy, duckdb, db, names, factors, place, values, output)
        try:
            return copied(table)
        except SharedReadingError:
            return copied(table.unshared())


def _copy(duckdb, db, names, factors, place, values, output, table):
    place = place([f"CAST({table.value(factor)} AS VARCHAR)" for factor in factors])
    columns = [*(f"c{i}" for i in range(len(names))), f"{values}[{place}]"]
    try:
        scored = _look(db, table, factors, place)
    except duckdb.Error as error:
        raise table.refusal(error) from None
    try:
        _write(db, columns, f"FROM {table.rows()}", [*names, POSTERIOR], str(output))
    except duckdb.IOException as error:
        raise OSError(str(error).splitlines()[0]) from None  # all was read once, so it is the output's
    except duckdb.Error as error:
        raise table.refusal(error) from None
    return scored


def _posterior_table(path):
    """The table of posteriors, its factors first: the columns that are not estimates."""
    files, kind = find_files(path)
    if kind != "csv" or len(files) > 1:
        raise ValueError(f"{path}: expected one CSV file, as wsclust fit writes")
    factors = [name for name in open_table(files[0], []).header if name not in ESTIMATES]
    if "" in factors:  # an index written with the table
        raise ValueError(
            f"{path}: a column without a name; expected the factors and {', '.join(ESTIMATES)}, as wsclust "
            "fit writes: remove the column"
        )
    if not factors:
        raise ValueError(f"{path}: no factor; expected a column of levels beside {', '.join(ESTIMATES)}")
    return open_table(path, [*factors, POSTERIOR]).unshared()


def _load_posterior(db, table):
    """Make the ENUM `bin_key` of the known bins. Returns the factors; a function from SQL of their values to
    SQL of the bin's place, from 1, null where it is unknown; and SQL of the list of posteriors.
    """
    *factors, _ = columns = list(table.columns)
    values = ", ".join(table.value(column) for column in columns)
    frame = pd.DataFrame(db.execute(f"SELECT {values} FROM {table.rows()}").fetchall(), columns=columns)
    bins, text = frame[factors], frame[POSTERIOR]
    number = pd.to_numeric(text, errors="coerce").to_numpy(float)
    for wrong, message in (
        (
            ~np.isfinite(number) & text.notna(),
            "'posterior' is not a number; expected such as 0.25, or nothing",
        ),
        (bins.isna().any(axis=1), "a factor is empty; write its level or remove the row"),
        (bins.duplicated(), "its bin has a row above; give each bin one row"),
    ):
        if wrong.any():
            raise ValueError(f"{table.name}: row {some(np.flatnonzero(wrong) + 1)}: {message}")
    if frame.empty:
        raise ValueError(f"{table.name}: no rows below the header; expected one row per bin")

    def place(levels):
        return f"enum_code(TRY_CAST({_key(levels)} AS bin_key)) + 1"

    names = [f"f{j}" for j in range(len(factors))]
    db.register("known_bins", bins.set_axis(names, axis=1))
    db.execute(f"CREATE TYPE bin_key AS ENUM (SELECT {_key(names)} FROM known_bins)")
    known = ", ".join("NULL" if np.isnan(value) else repr(value) for value in number.tolist())
    return factors, place, f"CAST([{known}] AS DOUBLE[])"


def _look(db, table, factors, place):
    levels = ", ".join(f"CAST({table.value(factor)} AS VARCHAR) AS f{j}" for j, factor in enumerate(factors))
    db.execute(
        f"CREATE OR REPLACE TABLE seen AS SELECT {levels}, {place} IS NULL AS unknown, count(*) AS n "
        f"FROM {table.rows()} GROUP BY ALL"
    )
    events, without, bins = db.execute(
        "SELECT coalesce(sum(n), 0)::BIGINT, coalesce(sum(n) FILTER (unknown), 0)::BIGINT, "
        "count(*) FILTER (unknown) FROM seen"
    ).fetchone()
    if not events:
        raise ValueError(f"{table.name}: no rows below the header; expected one row per event")
    order = ", ".join(f"f{j}" for j in range(len(factors)))
    first = db.execute(f"SELECT {order} FROM seen WHERE unknown ORDER BY n DESC, {order} LIMIT 3")
    return Scored(events, without, some([_bin(row) for row in first.fetchall()], bins))


def _bin(levels):
    return "(" + ", ".join("empty" if level is None else repr(level) for level in levels) + ")"


def _key(values):
    """SQL of one text for several: each with its length, so that no two bins share a key."""
    return " || ".join(f"length({value}) || ':' || {value}" for value in values)


def _write(db, columns, source, names, output):
    """Copy columns, SQL expressions, to a file under these names.

    Names that are empty or differ in case alone are none to DuckDB, so they are written past it.
    """
    query = f"SELECT {', '.join(columns)} {source}"
    if not output.lower().endswith(".parquet"):
        header = io.StringIO()
        csv.writer(header, lineterminator="\r\n").writerow(names)
        prefix = header.getvalue().removesuffix("\r\n")
        packing = "gzip" if output.lower().endswith(".gz") else "none"
        db.execute(
            f"COPY ({query}) TO {_text(output)} (FORMAT csv, HEADER false, PREFIX {_text(prefix + _LINE)}, "
            f"SUFFIX {_text(_LINE)}, COMPRESSION {packing})"
        )
    elif all(names) and len({name.lower() for name in names}) == len(names):
        named = ", ".join(f"{column} AS {_name(name)}" for column, name in zip(columns, names, strict=True))
        db.execute(f"COPY (SELECT {named} {source}) TO {_text(output)} (FORMAT parquet)")
    else:
        _write_parquet(db.sql(query).to_arrow_reader(_ROWS), names, output)


def _write_parquet(batches, names, output):
    import pyarrow as pa
    import pyarrow.parquet as pq

    pairs = zip(batches.schema, names, strict=True)
    with pq.ParquetWriter(output, pa.schema([field.with_name(name) for field, name in pairs])) as writer:
        for batch in batches:
            writer.write_batch(batch.rename_columns(names))


def _name(column):
    return '"' + column.replace('"', '""') + '"'


def _text(value):
    return "'" + value.replace("'", "''") + "'"
