"""The labels of the groups: read into SQL tables, and the groups of the events that have none.

The SQL tables that are left in the connection:

============  ======================================================================================
labels        code (row from 0, of those that are kept), place (of all), name (in its one spelling, see
              `names`), text (as it is written), label
label_keys    code, key (each spelling of the name, in the type of the events' group)
============  ======================================================================================
"""

import warnings

import numpy as np

from wsclust.columns.alike import why_unlike
from wsclust.columns.names import spelled_sql, spellings_sql
from wsclust.events.queries import NAMED, number, plain_number, refuse_no_group, some

# A label may be this far above 1 or below 0, for sums of shares are rounded.
_ROUNDING = 1e-9
_OF_ROUNDING = 1e-3
_SCALE = 10  # the largest number on a usual scale of ratings


def load_labels(db, table, group, label, key_type, drop, percent=False):
    """Make the SQL tables `labels` and `label_keys`: names and labels as arrays, and lines on what was
    dropped.

    With `drop`, a row whose label or group is empty is no label at all. With `percent`, labels are
    percentages, with or without the sign. Labels within 1e-9 of [0, 1] are taken as 0 or 1.
    """
    value = f"{table.value(label)}::VARCHAR"
    number_of = plain_number("rtrim(text, ' %')") + " / 100" if percent else plain_number("text")
    db.execute("SET preserve_insertion_order = true")
    db.execute(
        f"CREATE OR REPLACE TABLE labels AS SELECT code, code AS place, {spelled_sql('name')} AS name, text, "
        f"{_within_rounding(number_of)} AS label "
        f"FROM (SELECT row_number() OVER () - 1 AS code, CAST({table.value(group)} AS VARCHAR) AS name, "
        f"{value} AS text FROM {table.rows()})"
    )
    if db.execute("SELECT count(*) FROM labels").fetchone()[0] == 0:
        raise ValueError(f"{table.name}: no rows below the header; expected one row a group")
    dropped = _drop_empty(db, table, group, label) if drop else []
    _refuse_wrong(db, table, group, label, percent)
    db.execute(f"CREATE OR REPLACE TABLE label_keys AS {_keys(key_type)}")
    if percent:
        _warn_of_shares(db, table, label)
    got = db.execute("SELECT name, label FROM labels ORDER BY code").fetchnumpy()
    return np.asarray(got["name"], dtype=object), np.asarray(got["label"], dtype=float), dropped


def _warn_of_shares(db, table, label):
    """Warn where all labels are at most 1, or 10, without a percent sign, as shares or ratings would be."""
    largest, signs = db.execute("SELECT max(label), bool_or(contains(text, '%')) FROM labels").fetchone()
    if not signs and largest <= 0.01:
        warnings.warn(
            f"{table.name}: column {label!r} has no label above 1 percent, as if they were shares; if they are, leave "
            "out percent=True",
            stacklevel=3,
        )
    elif not signs and largest <= _SCALE / 100:
        warnings.warn(
            f"{table.name}: column {label!r} has no label above {100 * largest:g} percent, as if they were ratings; if "
            "they are, turn them into shares, those from 1 to 5 by (rating - 1) / 4",
            stacklevel=3,
        )


def load_rated(db, table, column):
    """The numbers in a column of the labels' file, in the order of the SQL table `labels`, (I,)."""
    db.execute("SET preserve_insertion_order = true")
    db.execute(
        "CREATE OR REPLACE TABLE rated AS SELECT code, name, given.text AS text, "
        f"{plain_number('given.text')} AS rated FROM labels JOIN (SELECT row_number() OVER () - 1 AS place, "
        f"CAST({table.value(column)} AS VARCHAR) AS text "
        f"FROM {table.rows()}) AS given USING (place)"
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


def _within_rounding(value):
    near = f"label BETWEEN -{_ROUNDING} AND {1 + _ROUNDING}"
    within = f"CASE WHEN {near} THEN least(greatest(label, 0), 1) ELSE label END"
    return f"(SELECT {within} FROM (SELECT {value} AS label))"


def _keys(key_type):
    if key_type == "BIGINT":
        # Text that an integer is not written as, such as 007, is no integer's name.
        key = "TRY_CAST(name AS BIGINT)"
        return f"SELECT code, {key} AS key FROM labels WHERE CAST({key} AS VARCHAR) = name"
    return f"SELECT code, unnest({spellings_sql('name')}) AS key FROM labels"


def _drop_empty(db, table, group, label):
    blank = db.execute("SELECT count(*) FROM labels WHERE name IS NULL").fetchone()[0]
    db.execute("DELETE FROM labels WHERE text IS NULL OR name IS NULL")
    if not db.execute("SELECT count(*) FROM labels").fetchone()[0]:
        raise ValueError(f"{table.name}: column {label!r} is empty in every row; expected shares, 0 to 1")
    return [f"{table.name}: {number(blank, 'row')} with an empty {group!r}"] if blank else []


def _refuse_wrong(db, table, group, label, percent):
    def refuse(condition, message):
        query = (
            f"SELECT code, name, text, label, count(*) OVER () FROM labels WHERE {condition} ORDER BY code"
        )
        if bad := db.execute(f"{query} LIMIT {NAMED}").fetchall():
            at = _at(db, table, [row[0] for row in bad], bad[0][4])
            raise ValueError(f"{at}: {message(bad)}")

    refuse("name IS NULL", lambda bad: f"column {group!r} is empty; name the group or remove the row")
    refuse("contains(name, chr(0))", lambda bad: f"group {bad[0][1]!r} holds a NUL byte; remove it")
    refuse(
        "text IS NULL",
        lambda bad: (
            f"column {label!r} is empty for group {bad[0][1]!r}; add the label, or leave the group out with "
            "drop_unlabelled"
        ),
    )
    refuse("label IS NULL", lambda bad: f"group {bad[0][1]!r}: {_no_number(label, bad[0][2], percent)}")
    most = db.execute("SELECT max(label) FROM labels").fetchone()[0]
    refuse(
        "NOT (label >= 0 AND label <= 1)",
        lambda bad: f"group {bad[0][1]!r}: {_outside(label, *bad[0][2:4], percent, most)}",
    )
    if percent:
        signed = "(SELECT bool_or(contains(text, '%')) FROM labels)"
        refuse(
            f"NOT contains(text, '%') AND label > 0 AND label <= 0.01 AND {signed}",
            lambda bad: (
                f"group {bad[0][1]!r}: {label} {bad[0][2]!r} has no percent sign, which others have: a share, or up "
                "to 1 percent? Write all of them with the sign"
            ),
        )
    if names := db.execute(
        f"SELECT name FROM labels GROUP BY name HAVING count(*) > 1 ORDER BY min(code) LIMIT {NAMED}"
    ).fetchall():
        name = names[0][0]
        rows = db.execute("SELECT code, text FROM labels WHERE name = ? ORDER BY code", [name]).fetchall()
        at = _at(db, table, [code for code, _ in rows[:NAMED]], len(rows))
        values = " and ".join(text for _, text in rows[:NAMED])
        raise ValueError(
            f"{at}: group {name!r} has more than one row, with {label!r} {values}; give each group one label"
        )
    # Codes are places in the arrays.
    renumbered = "SELECT * REPLACE (row_number() OVER (ORDER BY code) - 1 AS code) FROM labels"
    db.execute(f"CREATE OR REPLACE TABLE labels AS {renumbered}")


def _no_number(label, text, percent):
    expected = "0 to 100, such as 57% or 57" if percent else "0 to 1, such as 0.25"
    found = f"{label} {text!r} is not a number; expected {expected}"
    if "%" in text and not percent:
        found += "; write percentages as shares (57% is 0.57), or read them with percent=True"
    return found


def _outside(label, text, value, percent, most):
    if percent:
        return f"{label} {text} is not from 0 to 100 percent; expected such as 57"
    found = f"{label} {text} is not in [0, 1]; labels are shares"
    if 1 < value <= most <= _SCALE and not -_OF_ROUNDING < value < 1 + _OF_ROUNDING:
        return (
            f"{found}, and none in column {label!r} is above {most:g}: turn ratings from 1 to 5 into shares by "
            "(rating - 1) / 4, and likewise on another scale; percentages are divided by 100, or read with percent=True"
        )
    if -_OF_ROUNDING < value < 1 + _OF_ROUNDING:
        return f"{found}: it looks like rounding, so write {'1' if value > 1 else '0'}"
    if 1 < value <= 100:
        return (
            f"{found}: divide percentages in column {label!r} by 100, or read them with percent=True; divide numbers "
            "of happy events by how many were looked at"
        )
    return f"{found}, such as 0.25"


def _at(db, table, codes, total):
    """Where rows of the labels are, which are numbered from 0 through all files."""
    if len(table.files) == 1:
        return table.at(table.files[0], [code + 1 for code in codes], total)
    sizes = [db.execute(f"SELECT count(*) FROM {table.rows(file)}").fetchone()[0] for file in table.files]
    ends = np.cumsum(sizes)
    places = np.searchsorted(ends, codes, side="right")
    first = places[0]
    rows = [
        code + 1 - (ends[first] - sizes[first])
        for code, file in zip(codes, places, strict=True)
        if file == first
    ]
    if (places == first).all():
        return table.at(table.files[first], rows, total)
    others = [
        table.at(table.files[file], [code + 1 - (ends[file] - sizes[file])])
        for code, file in zip(codes, places, strict=True)
        if file != first
    ]
    more = total - len(codes)
    return "; ".join([table.at(table.files[first], rows), *others]) + (f" and {more:,} more" if more else "")


def unlabelled(db, table, label_table, group, names, drop, meets=True):
    """Refuse events of groups without a label, or say how many are dropped, in a list of lines.

    `names` are those of the labels; `meets`, whether any event has one of them. With `drop`, events without the name of
    a group are dropped too.
    """
    value = table.value(group)
    db.execute(
        f"CREATE OR REPLACE TABLE strange AS SELECT g::VARCHAR AS g, count(*) AS n FROM (SELECT {value} AS g "
        f"FROM {table.rows()}) AS e ANTI JOIN label_keys ON e.g = label_keys.key GROUP BY g"
    )
    blank = db.execute("SELECT coalesce(sum(n), 0)::BIGINT FROM strange WHERE g IS NULL").fetchone()[0]
    if blank and not drop:
        refuse_no_group(db, table, group)
    dropped = [f"{table.name}: {number(blank, 'row')} with an empty {group!r}"] if blank else []
    groups, rows = db.execute(
        "SELECT count(*), coalesce(sum(n), 0)::BIGINT FROM strange WHERE g IS NOT NULL"
    ).fetchone()
    if not groups:
        return dropped
    found = db.execute("SELECT g FROM strange WHERE g IS NOT NULL ORDER BY n DESC, g").fetchall()
    strange = [name for (name,) in found]
    what = f"{table.name}: {number(rows, 'row')} of {number(groups, 'group')} without a label"
    named = some([repr(name) for name in strange], groups)
    unseen = why_unlike(strange, names)
    if drop and meets:
        return [*dropped, f"{what} ({named}{unseen})"]
    raise ValueError(
        f"{what} in {label_table.name}: {named}; labels are there for {some([repr(name) for name in names])} "
        f"(names are compared as text{unseen}); add the labels"
        + (", or leave the rows out with drop_unlabelled" if meets else ": no event has one")
    )
