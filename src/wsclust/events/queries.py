"""The SQL of a count's value, and the rows of the events that are refused.

Each function takes a DuckDB connection `db` and a `table.Table`.
"""

from wsclust.events.sql_text import system_path

_TOO_MANY = 2**53  # from here on doubles pass over whole numbers, and adding 1 may add nothing
_NUMBER = r"\s*[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?\s*"
NAMED = 3  # so many of the wrong rows or groups are named, all are counted


def number(n, noun):
    """`1 row`, `1,000 rows`."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def some(names, total=None):
    """The first few names, and how many more there are.

    >>> some(["a", "b", "c", "d"])
    'a, b, c and 1 more'
    """
    total = len(names) if total is None else total
    shown = [str(name) for name in names[:NAMED]]
    return ", ".join(shown) + (f" and {total - len(shown):,} more" if total > len(shown) else "")


def refuse_levels(db, table, factors):
    """Raise ValueError where a level in the SQL table `found` (f0, f1, ...) is empty or holds a NUL byte."""
    for j, column in enumerate(factors):
        for what, test, remedy in (
            ("is empty", "{} IS NULL", ", or take every empty value for a level with missing='unknown'"),
            ("holds a NUL byte", "contains({}, chr(0))", ""),
        ):
            if db.execute(f"SELECT 1 FROM found WHERE {test.format(f'f{j}::VARCHAR')} LIMIT 1").fetchone():
                at = rows_where(db, table, test.format(f"CAST({table.value(column)} AS VARCHAR)"))
                raise ValueError(
                    f"{at}: column {column!r} {what}; write a level or leave the row out{remedy}"
                )


def refuse_counts(db, table, count):
    """Raise the ValueError of counts that are not numbers of events, naming their rows."""
    at = rows_where(db, table, wrong_count(table, count), shown=f"c{table.columns[count][0]}")
    raise ValueError(f"{at} in column {count!r}; counts are numbers of events, 0 or more and below 2^53")


def refuse_no_group(db, table, group):
    """Raise the ValueError of events without the name of a group, naming their rows."""
    at = rows_where(db, table, f"{table.value(group)} IS NULL")
    raise ValueError(f"{at}: column {group!r} is empty; name the group or leave the row out")


def as_number(table, count):
    """SQL of a column's value as a number; null where it is none."""
    # Of the value, not of the bare column: DuckDB 2.0 moves that cast into its CSV reader, which then fails.
    value = table.value(count)
    return plain_number(value) if table.columns[count][1] == "text" else f"TRY_CAST({value} AS DOUBLE)"


def plain_number(text):
    """SQL of a text as a number; null where it is none."""
    # DuckDB also takes 1_0 for 10.
    return f"CASE WHEN regexp_full_match({text}, '{_NUMBER}') THEN TRY_CAST({text} AS DOUBLE) END"


def wrong_count(table, count):
    """SQL of whether a value is no number of events."""
    value = as_number(table, count)
    return f"(NOT coalesce({value} >= 0 AND {value} < {_TOO_MANY}, false))"


_WITH_ZONE = "TIMESTAMP WITH TIME ZONE"


def rows_where(db, table, condition, shown=None):
    """`FILE: line 3, 7, 9 and 2 more`, with the values found in them where `shown` names their column."""
    db.execute("SET preserve_insertion_order = true")
    per_file = f"SELECT file, count(*) FROM {table.rows()} WHERE {condition} GROUP BY file ORDER BY file"
    files = db.execute(per_file).fetchall()
    file = system_path(files[0][0])
    if (
        shown
        and db.execute(f"SELECT typeof({shown}) FROM {table.rows(file)} LIMIT 1").fetchone()[0] == _WITH_ZONE
    ):
        # The zone is UTC (`database`); to make Python's own of such a time, DuckDB 2.0 needs pytz.
        shown = f"CAST({shown} AT TIME ZONE 'UTC' AS VARCHAR) || '+00:00'"
    bad = db.execute(
        f"SELECT row, found FROM (SELECT *, row_number() OVER () AS row, {shown or 'NULL'} AS found FROM "
        f"{table.rows(file)}) WHERE {condition} ORDER BY row LIMIT {NAMED}"
    ).fetchall()
    at = table.at(file, [row for row, _ in bad], sum(n for _, n in files))
    return f"{at}: found {', '.join(repr(_shown(value)) for _, value in bad)}" if shown else at


def _shown(value):
    """A value as a message has it: a time, say, as its text."""
    return "" if value is None else value if isinstance(value, str | int | float) else str(value)
