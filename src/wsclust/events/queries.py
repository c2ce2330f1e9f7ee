"""The SQL of reading events: labels, bins, the count, and the rows and groups that are refused.

Each function takes a DuckDB connection `db` and an `files.Table`. The SQL tables that they leave in it:

============  ======================================================================================
labels        code (row from 0), name, text, key (the name in the type of the events' group), label
bins          code (rank from 0), f0, f1, ... (the levels)
============  ======================================================================================
"""

import numpy as np

_VECTORS = 256  # DuckDB hands over so many times 2,048 events at a time
_TOO_MANY = 2**53  # from here on doubles pass over whole numbers, and adding 1 may add nothing
_NUMBER = r"\s*[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?\s*"
_NAMED = 3  # so many of the wrong rows or groups are named, all are counted


def number(n, noun):
    """`1 row`, `1,000 rows`."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def some(names, total=None):
    """The first few names, and how many more there are.

    >>> some(["a", "b", "c", "d"])
    'a, b, c and 1 more'
    """
    total = len(names) if total is None else total
    shown = [str(name) for name in names[:_NAMED]]
    return ", ".join(shown) + (f" and {total - len(shown):,} more" if total > len(shown) else "")


def load_labels(db, table, group, label, key_type, drop):
    """Make the SQL table `labels` (code, name, key to join with); names and labels as arrays.

    With `drop`, a row whose label is empty is no label at all.
    """
    db.execute("SET preserve_insertion_order = true")
    db.execute(
        "CREATE OR REPLACE TABLE labels AS SELECT row_number() OVER () - 1 AS code, name, text, "
        # Text that an integer is not written as, such as 007, is no integer's name.
        f"CASE WHEN CAST(TRY_CAST(name AS {key_type}) AS VARCHAR) = name "
        f"THEN TRY_CAST(name AS {key_type}) END AS key, {_plain_number('text')} AS label "
        f"FROM (SELECT CAST({table.value(group)} AS VARCHAR) AS name, "
        f"CAST({table.value(label)} AS VARCHAR) AS text FROM {table.rows()})"
    )
    if db.execute("SELECT count(*) FROM labels").fetchone()[0] == 0:
        raise ValueError(f"{table.name}: no rows below the header; expected one row a group")

    def refuse(condition, message):
        query = f"SELECT code + 1, name, text, count(*) OVER () FROM labels WHERE {condition}"
        if bad := db.execute(f"{query} ORDER BY code LIMIT {_NAMED}").fetchall():
            rows = some([row for row, _, _, _ in bad], bad[0][3])
            raise ValueError(f"{table.name}: row {rows}: {message(*bad[0][1:3])}")

    refuse("name IS NULL", lambda *_: f"column {group!r} is empty; name the group or remove the row")
    refuse("contains(name, chr(0))", lambda name, _: f"group {name!r} holds a NUL byte; remove it")
    if drop:
        db.execute("DELETE FROM labels WHERE text IS NULL")
        if not db.execute("SELECT count(*) FROM labels").fetchone()[0]:
            raise ValueError(f"{table.name}: column {label!r} is empty in every row; expected shares, 0 to 1")
    refuse(
        "text IS NULL",
        lambda name, _: (
            f"column {label!r} is empty for group {name!r}; add the label, or leave the group out with "
            "drop_unlabelled"
        ),
    )
    refuse(
        "label IS NULL",
        lambda name, text: f"group {name!r}: label {text!r} is not a number; expected 0 to 1, such as 0.25",
    )
    refuse(
        "NOT (label >= 0 AND label <= 1)",
        lambda name, text: (
            f"group {name!r}: label {text} is not in [0, 1]; labels are shares"
            + (": divide percentages by 100" if 1 < float(text) <= 100 else ", such as 0.25")
        ),
    )
    refuse(
        "name IN (SELECT name FROM labels GROUP BY name HAVING count(*) > 1)",
        lambda name, _: f"group {name!r} has more than one row; give each group one label",
    )
    if drop:  # codes are places in the arrays
        renumbered = "SELECT * REPLACE (row_number() OVER (ORDER BY code) - 1 AS code) FROM labels"
        db.execute(f"CREATE OR REPLACE TABLE labels AS {renumbered}")
    got = db.execute("SELECT name, label FROM labels ORDER BY code").fetchnumpy()
    return np.asarray(got["name"], dtype=object), np.asarray(got["label"], dtype=float)


def load_rated(db, table, group, label, column):
    """The numbers in a column of the labels' file, in the order of the SQL table `labels`, (I,)."""
    db.execute(
        "CREATE OR REPLACE TABLE rated AS SELECT code, name, given.text AS text, "
        f"{_plain_number('given.text')} AS rated FROM labels JOIN (SELECT CAST({table.value(group)} AS VARCHAR) "
        f"AS name, CAST({table.value(label)} AS VARCHAR) AS label_text, CAST({table.value(column)} AS VARCHAR) "
        f"AS text FROM {table.rows()}) AS given USING (name) WHERE label_text IS NOT NULL"
    )
    wrong = "SELECT name, text, count(*) OVER () FROM rated WHERE NOT coalesce(rated >= 0, false)"
    if bad := db.execute(f"{wrong} ORDER BY code LIMIT 1").fetchall():
        name, text, times = bad[0]
        more = f" ({times - 1:,} more such groups)" if times > 1 else ""
        raise ValueError(
            f"{table.name}: group {name!r}: column {column!r} is {'empty' if text is None else repr(text)}; expected "
            f"the number of rated events of which the label is the share{more}"
        )
    got = db.execute("SELECT rated FROM rated ORDER BY code").fetchnumpy()
    return np.asarray(got["rated"], dtype=float)


def load_bins(db, table, factors, count, check_size):
    """Make the SQL table `bins` (code, f0, f1, ...); the frame of bins and the number of rows of events."""
    import pandas as pd

    levels = [f"f{j}" for j in range(len(factors))]
    values = ", ".join(f"{table.value(c)} AS {f}" for c, f in zip(factors, levels, strict=True))
    is_wrong = wrong_count(table, count) if count else "false"
    db.execute("SET preserve_insertion_order = false")
    db.execute(
        f"CREATE OR REPLACE TABLE found AS SELECT {values}, count(*) AS n, count_if({is_wrong}) AS wrong "
        f"FROM {table.rows()} GROUP BY {', '.join(levels)}"
    )
    total = "SELECT count(*), sum(n)::BIGINT, sum(wrong)::BIGINT FROM found"
    n_bins, n_events, wrong = db.execute(total).fetchone()
    if not n_bins:
        raise ValueError(f"{table.name}: no rows below the header; expected one row an event")
    refuse_levels(db, table, factors)
    if wrong:
        refuse_counts(db, table, count)
    check_size(n_bins)
    order = []
    for f in levels:
        whole = f"SELECT bool_and(regexp_full_match({f}::VARCHAR, '-?[0-9]{{1,18}}')) FROM found"
        as_number = db.execute(whole).fetchone()[0]
        order += [f"{f}::BIGINT", f"{f}::VARCHAR"] if as_number else [f"{f}::VARCHAR"]
    db.execute(
        f"CREATE OR REPLACE TABLE bins AS SELECT {', '.join(levels)}, "
        f"row_number() OVER (ORDER BY {', '.join(order)}) - 1 AS code FROM found"
    )
    text = ", ".join(f"{f}::VARCHAR" for f in levels)
    bins = db.execute(f"SELECT {text} FROM bins ORDER BY code").fetchall()
    return pd.DataFrame(bins, columns=factors), n_events


def refuse_levels(db, table, factors):
    """Raise ValueError where a level in the SQL table `found` (f0, f1, ...) is empty or holds a NUL byte."""
    for j, column in enumerate(factors):
        for what, test in (("is empty", "{} IS NULL"), ("holds a NUL byte", "contains({}, chr(0))")):
            if db.execute(f"SELECT 1 FROM found WHERE {test.format(f'f{j}::VARCHAR')} LIMIT 1").fetchone():
                at = rows_where(db, table, test.format(f"CAST({table.value(column)} AS VARCHAR)"))
                raise ValueError(f"{at}: column {column!r} {what}; write a level or leave the row out")


def refuse_counts(db, table, count):
    """Raise the ValueError of counts that are not numbers of events, naming their rows."""
    at = rows_where(db, table, wrong_count(table, count), shown=f"c{table.columns[count][0]}")
    raise ValueError(f"{at} in column {count!r}; counts are numbers of events, 0 or more and below 2^53")


def refuse_no_group(db, table, group):
    """Raise the ValueError of events without the name of a group, naming their rows."""
    at = rows_where(db, table, f"{table.value(group)} IS NULL")
    raise ValueError(f"{at}: column {group!r} is empty; name the group or leave the row out")


def count_cells(db, table, group, factors, count, shape):
    """Counts (I, K) of the events whose group has a label, and how many rows they are."""
    values = [f"{table.value(group)} AS g"]
    values += [f"{table.value(column)} AS f{j}" for j, column in enumerate(factors)]
    values += [f"{as_number(table, count)} AS weight"] if count else []
    same = " AND ".join(f"e.f{j} = bins.f{j}" for j in range(len(factors)))
    db.execute(
        f"SELECT labels.code * {shape[1]} + bins.code AS cell{', weight' if count else ''} "
        f"FROM (SELECT {', '.join(values)} FROM {table.rows()}) AS e "
        f"JOIN bins ON {same} JOIN labels ON e.g = labels.key"
    )
    counts, rows = np.zeros(shape[0] * shape[1]), 0
    while len(chunk := db.fetch_df_chunk(_VECTORS)):
        np.add.at(counts, chunk["cell"].to_numpy(), chunk["weight"].to_numpy() if count else 1.0)
        rows += len(chunk)
    return counts.reshape(shape), rows


def unlabelled(db, table, label_table, group, drop):
    """Refuse events of groups without a label, or say how many are dropped; refuse empty groups always."""
    value = table.value(group)
    if db.execute(f"SELECT 1 FROM {table.rows()} WHERE {value} IS NULL LIMIT 1").fetchone():
        refuse_no_group(db, table, group)
    db.execute(
        f"CREATE OR REPLACE TABLE strange AS SELECT g::VARCHAR AS g, count(*) AS n FROM (SELECT {value} AS g "
        f"FROM {table.rows()}) AS e ANTI JOIN labels ON e.g = labels.key GROUP BY g"
    )
    groups, rows = db.execute("SELECT count(*), sum(n)::BIGINT FROM strange").fetchone()
    first = db.execute(f"SELECT g FROM strange ORDER BY n DESC, g LIMIT {_NAMED}").fetchall()
    named = some([repr(g) for (g,) in first], groups)
    what = f"{table.name}: {number(rows, 'row')} of {number(groups, 'group')} without a label"
    if drop:
        return f"{what} ({named})"
    raise ValueError(
        f"{what} in {label_table.name}: {named} (names are compared as text); add the labels, or leave the "
        "rows out with drop_unlabelled"
    )


def as_number(table, count):
    """SQL of a column's value as a number; null where it is none."""
    # Of the value, not of the bare column: DuckDB 2.0 moves that cast into its CSV reader, which then fails.
    value = table.value(count)
    return _plain_number(value) if table.columns[count][1] == "text" else f"TRY_CAST({value} AS DOUBLE)"


def _plain_number(text):
    # DuckDB also takes 1_0 for 10.
    return f"CASE WHEN regexp_full_match({text}, '{_NUMBER}') THEN TRY_CAST({text} AS DOUBLE) END"


def wrong_count(table, count):
    """SQL of whether a value is no number of events."""
    value = as_number(table, count)
    return f"(NOT coalesce({value} >= 0 AND {value} < {_TOO_MANY}, false))"


def rows_where(db, table, condition, shown=None):
    """`FILE: row 3, 7, 9 and 2 more`, with the values found in them where `shown` names their column."""
    db.execute("SET preserve_insertion_order = true")
    per_file = f"SELECT file, count(*) FROM {table.rows()} WHERE {condition} GROUP BY file ORDER BY file"
    files = db.execute(per_file).fetchall()
    bad = db.execute(
        f"SELECT row, found FROM (SELECT *, row_number() OVER () AS row, {shown or 'NULL'} AS found FROM "
        f"{table.rows(files[0][0])}) WHERE {condition} ORDER BY row LIMIT {_NAMED}"
    ).fetchall()
    at = f"{files[0][0]}: row " + some([row for row, _ in bad], sum(n for _, n in files))
    return f"{at}: found {', '.join(repr(value or '') for _, value in bad)}" if shown else at
