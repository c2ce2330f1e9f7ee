"""Numbers cut into ranges, and empty values as a level: what is read in place of a factor's values.

A cut is a list of edges, which JSON takes: kept beside the posterior, it cuts the events alike when they are
scored. Edges 10 and 20 make the levels `<= 10`, `(10, 20]` and `> 20`, as `pandas.cut` closes ranges on the
right.
"""

import re
from itertools import pairwise

import numpy as np
import pandas as pd

from wsclust.columns.names import names_as_text
from wsclust.events.database import database
from wsclust.events.files import open_table
from wsclust.events.queries import plain_number, rows_where
from wsclust.events.refusals import reading
from wsclust.events.sql_text import is_utf8


def level_names(edges):
    """The names of the ranges between edges, in their order.

    >>> level_names([10, 20, 2.5e3])
    ['<= 10', '(10, 20]', '(20, 2500]', '> 2500']
    """
    shown = [_plain(edge) for edge in edges]
    between = [f"({low}, {high}]" for low, high in pairwise(shown)]
    return [f"<= {shown[0]}", *between, f"> {shown[-1]}"]


def overlapping(levels):
    """The first two ranges among the levels, as `level_names` writes them, that have numbers in common; or None.

    Ranges of one cut have none, so counts of differently cut events were put together.

    >>> overlapping(["<= 10", "(10, 20]", "> 15", "> 20", "unknown"])
    ('(10, 20]', '> 15')
    >>> overlapping(["<= 10", "(10, 20]", "> 20"])
    """
    ranges = sorted(found for level in levels if (found := range_of(level)))
    widest = None
    for one in ranges:
        if widest and one[0] < widest[1]:
            return widest[2], one[2]
        widest = one if widest is None or one[1] > widest[1] else widest
    return None


def range_of(level):
    """A range's ends and name, as `level_names` writes it; None where a level is no range.

    >>> range_of("(10, 20]"), range_of("> 20")[:2], range_of("unknown")
    ((10.0, 20.0, '(10, 20]'), (20.0, inf), None)
    """
    if not (found := re.fullmatch(r"<= (\S+)|\((\S+), (\S+)\]|> (\S+)", level)):
        return None
    to, low, high, above = found.groups()
    try:
        return float(low or above or "-inf"), float(high or to or "inf"), level
    except ValueError:
        return None


def check_edges(column, edges):
    """The edges as a list of numbers; ValueError, naming the column, where they are not finite and rising.

    >>> check_edges("basket", [10, 20.0])
    [10.0, 20.0]
    """
    try:
        numbers = [float(edge) for edge in edges]
    except (TypeError, ValueError):
        numbers = []
    rising = all(low < high for low, high in pairwise(numbers))
    if not numbers or not rising or not np.isfinite(numbers).all():
        raise ValueError(f"cut of {column!r}: {edges!r}; expected rising numbers, such as [10, 20, 50]")
    return numbers


def cut_values(values, edges, column="values"):
    """The range of each number, as text, and None where a value is empty: an object array.

    Argument: `values`, a pandas Series of numbers, or of text that is a number. Raises ValueError, naming
    `column` and row, on other values.

    >>> cut_values(pd.Series([10, 10.5, None, 99]), [10, 20]).tolist()
    ['<= 10', '(10, 20]', None, '> 20']
    """
    edges = check_edges(column, edges)
    values = pd.Series(values)
    number = pd.to_numeric(values, errors="coerce").to_numpy(float)
    empty = values.isna().to_numpy() | (values == "").fillna(False).to_numpy(bool)
    wrong = np.isnan(number) & ~empty
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(f"column {column!r} is {values.iloc[row]!r} in row {row + 1}; {_EXPECTED}")
    names = np.array([*level_names(edges), None], dtype=object)
    return names[np.where(empty, -1, np.searchsorted(edges, number, side="left"))]


def quantile_edges(db, table, column, parts):
    """Edges that cut a column into so many parts with about as many rows each; fewer where values repeat.

    Arguments: `db`, a DuckDB connection; `table`, a `table.Table` with the column; `parts`, 2 to 1,000. Rows
    count once, whatever number of events they stand for. Raises ValueError on a value that is no number, and
    where fewer than two parts can be made.
    """
    if not isinstance(parts, int | np.integer) or not 2 <= parts <= MOST_PARTS:
        raise ValueError(
            f"cut of {column!r}: {parts!r} parts; expected a whole number from 2 to {MOST_PARTS:,}, or edges"
        )
    check_numbers(db, table, column)
    at = ", ".join(str(i / parts) for i in range(1, parts))
    number = _number(table.value(column))
    edges, most = db.execute(
        f"SELECT quantile_disc(x, [{at}]), max(x) FROM (SELECT {number} AS x FROM {table.rows()})"
    ).fetchone()
    edges = sorted({edge for edge in edges or [] if edge < most})
    if not edges:
        raise ValueError(
            f"{table.name}: column {column!r} has too few distinct numbers for {parts} parts; use it as it "
            "is, or give edges"
        )
    return edges


def edges_of(events, cut, memory_limit="2GB", threads=None):
    """Edges for each factor that is cut, of which some are given as a number of parts: a dict fit for JSON.

    Arguments: `events`, as for `read_counts`; `cut`, a dict from a column to edges or to a number of parts
    with about as many rows each. Give what is returned to `read_counts` and `score_events` as `cut`.

    Raises ValueError as `read_counts` does, and where a column has too few distinct numbers.
    """
    table = open_table(events, list(cut))
    parts = {column: edges for column, edges in cut.items() if not hasattr(edges, "__len__")}
    with database(memory_limit, threads) as db:
        found = reading(
            table,
            lambda table: {column: quantile_edges(db, table, column, n) for column, n in parts.items()},
        )
    return check_cut(list(cut), cut | found)


def check_numbers(db, table, column):
    """Raise ValueError, naming file and line, where a value of a column that is cut is no number."""
    value = table.value(column)
    wrong = f"({value} IS NOT NULL AND {_number(value)} IS NULL)"
    if db.execute(f"SELECT 1 FROM {table.rows()} WHERE {wrong} LIMIT 1").fetchone():
        at = rows_where(db, table, wrong, shown=f"c{table.columns[column][0]}")
        raise ValueError(f"{at} in column {column!r}; {_EXPECTED}")


def recoded(table, factors, cut=None, missing=None):
    """The table with ranges in place of numbers, and a level in place of empty values.

    Arguments: `table`, a `table.Table`; `factors`, its columns that are factors; `cut`, a dict from a factor
    to its edges; `missing`, the level of an empty value of any factor, or None where that is refused.
    """
    cut = check_cut(factors, cut)
    if missing is not None and not str(missing):
        raise ValueError("missing: an empty name; expected a level such as 'unknown'")
    if missing is not None and not is_utf8(str(missing)):
        raise ValueError(f"missing={str(missing)!r}: not in UTF-8; expected a level such as 'unknown'")

    def instead(column):
        def sql(value):
            if column in cut:
                value = _cut_sql(value, cut[column])
            return value if missing is None else f"coalesce(CAST({value} AS VARCHAR), {_text(missing)})"

        return sql

    return table.recode(
        {column: instead(column) for column in factors if column in cut or missing is not None}
    )


def check_cut(factors, cut):
    """A cut with its edges as numbers; ValueError where it is of a column that is no factor."""
    cut = dict(cut or {})
    for column in cut:
        if column not in factors:
            raise ValueError(f"cut of {column!r}: no factor; the factors are {', '.join(map(repr, factors))}")
    return {column: check_edges(column, edges) for column, edges in cut.items()}


def recode_frame(frame, factors, cut=None, missing=None):
    """The factors of a pandas frame as text, cut and with empty values as a level: a frame of object columns.

    The same levels as from files; None where a value is empty and `missing` is None.

    >>> events = pd.DataFrame({"basket": [5, 15, None], "size": [1.0, None, 2.0]})
    >>> recode_frame(events, ["basket", "size"], cut={"basket": [10]}, missing="unknown").values.tolist()
    [['<= 10', '1'], ['> 10', 'unknown'], ['unknown', '2']]
    """
    cut, found = check_cut(factors, cut), {}
    for column in factors:
        values = frame[column]
        names = cut_values(values, cut[column], column) if column in cut else names_as_text(values)
        if missing is not None:
            names[pd.isna(names)] = missing
        found[column] = names
    return pd.DataFrame(found, index=frame.index, dtype=object)


MOST_PARTS = 1_000
_EXPECTED = "expected a number, as its column is cut into ranges"


def _number(value):
    """SQL of a value of any type as a number; null where it is none."""
    return f"({plain_number(f'({value})::VARCHAR')})"


def _cut_sql(value, edges):
    # No subquery: DuckDB makes a join of one, which gives the rows in another order, and scores and row numbers
    # would go to other events.
    number = _number(value)
    cases = " ".join(
        f"WHEN {number} <= {edge!r} THEN {_text(name)}"
        for edge, name in zip(edges, level_names(edges), strict=False)
    )
    return f"CASE WHEN {number} IS NULL THEN NULL {cases} ELSE {_text(level_names(edges)[-1])} END"


def _plain(number):
    return names_as_text(pd.Series([float(number)]))[0]


def _text(value):
    return "'" + str(value).replace("'", "''") + "'"
