"""The posterior of its bin beside each event, for event files of any size.

DuckDB reads the events twice: once to see that they can be read and which bins have no posterior, once to
copy them. Each event's levels make one key, which an ENUM of the known keys turns into a place in a list:
a projection and no join, so the rows keep their order and DuckDB's memory limit holds.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from wsclust.columns.names import spelled_sql
from wsclust.events.copying import copy_with_column
from wsclust.events.cuts import check_cut, check_numbers, recoded
from wsclust.events.database import database, duckdb_module
from wsclust.events.files import open_table
from wsclust.events.finding import find_files
from wsclust.events.queries import NAMED, some
from wsclust.events.refusals import reading
from wsclust.posterior_table import ESTIMATES, factors_of

POSTERIOR = "posterior"
ENDINGS = (".csv", ".csv.gz", ".parquet")


@dataclass(frozen=True)
class Scored:
    """`events` copied, `without` a posterior among them, and `unknown`, the first few bins they fall in."""

    events: int
    without: int
    unknown: str


def score_events(events, posterior, output, memory_limit="2GB", threads=None, cut=None, missing=None):
    """Copy event files to one file with a column `posterior` more: a Scored.

    Arguments: `events`, a file, a pattern or a folder (see `finding`); `posterior`, the table of
    `wsclust fit`; `output`, a path that ends in .csv, .csv.gz or .parquet; `memory_limit` of DuckDB, such as
    "500MB"; `threads` (default all cores); `cut` and `missing`, as they were given to `read_counts`.

    All columns and the order of the rows stay, from Parquet to Parquet their types too; columns that folders
    `column=value` stand for are added. The factors are the columns of `posterior` that are not estimates.
    Levels are compared as text (see `names`). Values read from CSV stay the text that they are; in CSV, times
    with a zone are in UTC. An event whose bin is not in `posterior`, or has an empty level, has an empty one.

    Raises ValueError, naming file, column or line and the remedy, on what cannot be read, on a missing
    factor, on events that have a column `posterior` already, on a posterior that is no number, and where no
    event is in a bin with a posterior.

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
    files, _ = find_files(events)
    names = open_table(events, []).header
    taken = [name for name in names if name.lower() == POSTERIOR]
    if taken:
        raise ValueError(f"{files[0]}: has a column {taken[0]!r} already; rename it in the events")
    with database(memory_limit, threads) as db:
        factors = reading(_posterior_table(posterior), lambda known: _load_posterior(db, known))
        remedy = f"score events that have the factors of {posterior}, {', '.join(map(repr, factors))}"
        open_table(events, factors, dict.fromkeys(factors, remedy))
        table = open_table(events, names).checked()
        cut = check_cut(factors, cut)
        return reading(table, lambda table: _copy(db, table, factors, cut, missing, str(output)))


def _copy(db, table, factors, cut, missing, output):
    for column in cut:
        check_numbers(db, table, column)
    scored, posterior = _look(db, recoded(table, factors, cut, missing), factors)
    try:
        copy_with_column(db, table, POSTERIOR, posterior, output)
    except duckdb_module().IOException as error:
        raise OSError(str(error).splitlines()[0]) from None  # all was read once, so it is the output's
    return scored


def _posterior_table(path):
    """The table of posteriors, its factors first: the columns that are not estimates."""
    files, _ = find_files(path)
    if len(files) > 1:
        raise ValueError(f"{path}: expected one file, as wsclust fit writes")
    factors = factors_of(open_table(files[0], []).header)
    if "" in factors:  # an index written with the table
        raise ValueError(
            f"{path}: a column without a name; expected the factors and {', '.join(ESTIMATES)}, as wsclust "
            "fit writes: remove the column"
        )
    if not factors:
        raise ValueError(f"{path}: no factor; expected a column of levels beside {', '.join(ESTIMATES)}")
    return open_table(path, [*factors, POSTERIOR]).unshared()


def _load_posterior(db, table):
    """Make the SQL table `known` of the bins (f0, f1, ..., and place, from 0) and their posteriors. Returns
    the factors.
    """
    *factors, _ = columns = list(table.columns)
    values = ", ".join([*(spelled_sql(table.value(factor)) for factor in factors), table.value(POSTERIOR)])
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
            rows = np.flatnonzero(wrong) + 1
            raise ValueError(f"{table.at(table.files[0], rows[:NAMED], len(rows))}: {message}")
    if frame.empty:
        raise ValueError(f"{table.name}: no rows below the header; expected one row a bin")
    known = bins.set_axis(_levels(factors), axis=1).assign(posterior=number)
    db.register("known_bins", known)
    db.execute(
        "CREATE TABLE known AS SELECT * REPLACE (nullif(posterior, 'nan') AS posterior) FROM known_bins"
    )
    db.unregister("known_bins")
    return factors


def _look(db, table, factors):
    """See that all events can be read: a Scored, and SQL of the posterior of an event.

    Makes the ENUM `bin_key` of the bins that are known, in each spelling of their levels that occurs.
    """
    levels = _levels(factors)
    value = {f: f"CAST({table.value(factor)} AS VARCHAR)" for f, factor in zip(levels, factors, strict=True)}
    db.execute(
        f"CREATE OR REPLACE TABLE seen AS SELECT {', '.join(f'{value[f]} AS {f}' for f in levels)}, "
        f"count(*) AS n FROM {table.rows()} GROUP BY ALL"
    )
    same = " AND ".join(f"{spelled_sql(f'seen.{f}')} = known.{f}" for f in levels)
    key = _key([f"seen.{f}" for f in levels])
    db.execute(
        f"CREATE OR REPLACE TABLE seen AS SELECT seen.*, {key} AS key, known.posterior FROM seen "
        f"LEFT JOIN known ON {same}"
    )
    unknown = "posterior IS NULL"
    events, without, bins = db.execute(
        f"SELECT coalesce(sum(n), 0)::BIGINT, coalesce(sum(n) FILTER ({unknown}), 0)::BIGINT, "
        f"count(*) FILTER ({unknown}) FROM seen"
    ).fetchone()
    if not events:
        raise ValueError(f"{table.name}: no rows below the header; expected one row an event")
    order = ", ".join(levels)
    first = db.execute(f"SELECT {order} FROM seen WHERE {unknown} ORDER BY n DESC, {order} LIMIT {NAMED}")
    scored = Scored(events, without, some([_bin(row) for row in first.fetchall()], bins))
    if without == events:
        there = db.execute(f"SELECT {order} FROM known ORDER BY ALL LIMIT {NAMED}").fetchall()
        total = db.execute("SELECT count(*) FROM known").fetchone()[0]
        raise ValueError(
            f"{table.name}: no event is in a bin with a posterior; the events are in {scored.unknown}, and "
            f"posteriors are there for {some([_bin(row) for row in there], total)} (levels are compared as "
            "text; where the fit cut numbers into ranges, give its summary or the same cut)"
        )
    found = "FROM seen WHERE posterior IS NOT NULL ORDER BY key"
    db.execute("DROP TYPE IF EXISTS bin_key")
    db.execute(f"CREATE TYPE bin_key AS ENUM (SELECT key {found})")
    values = ", ".join(repr(value) for (value,) in db.execute(f"SELECT posterior {found}").fetchall())
    place = f"enum_code(TRY_CAST({_key(list(value.values()))} AS bin_key)) + 1"
    return scored, f"CAST([{values}] AS DOUBLE[])[{place}]"


def _levels(factors):
    return [f"f{j}" for j in range(len(factors))]


def _bin(levels):
    return "(" + ", ".join("empty" if level is None else repr(level) for level in levels) + ")"


def _key(values):
    """SQL of one text for several: each with its length, so that no two bins share a key."""
    return " || ".join(f"length({value}) || ':' || {value}" for value in values)
