"""Which events the rows of an audit are: told apart, looked up in the files of events, and compared with them.

Each function takes the `path` of the audit, for its messages, and its rows as a frame of text, `table`. `keys` are the
columns that tell events apart: the number of the row in its file, with the file where there are several, or a column
of the user's own.
"""

import numpy as np
import pandas as pd

from wsclust.columns.names import spelled_sql
from wsclust.events.audit_draws import FILE, ROW
from wsclust.events.files import open_table


def refuse_empty(path, table, keys):
    """Raise ValueError where a row does not say which event it is."""
    empty = table[keys].isna().any(axis=1).to_numpy()
    if empty.any():
        raise ValueError(
            f"{path}: row {np.argmax(empty) + 1}: column {keys[-1]!r} is empty; say which event it is"
        )


def with_numbers(path, table):
    """The table with the numbers of its rows in one spelling: 26, 26.0 and 026 are one."""
    found = table[ROW].str.strip().str.extract(r"^\+?0*([1-9][0-9]*)(?:\.0*)?$", expand=False)
    wrong = found.isna().to_numpy()
    if wrong.any():
        place = int(np.argmax(wrong))
        raise ValueError(
            f"{path}: row {place + 1}: column {ROW!r} is {table[ROW].iloc[place]!r}; expected the number of the "
            "event's row, from 1 below the header; correct it, or leave the column out"
        )
    return table.assign(**{ROW: found.astype(object)})


def refuse_repeated(path, table, keys):
    """Raise ValueError where two rows are of one event."""
    repeated = table.duplicated(keys).to_numpy()
    if repeated.any():
        place = int(np.argmax(repeated))
        event = " ".join(f"{key} {table[key].iloc[place]!r}" for key in keys)
        first = int((table[keys] == table[keys].iloc[place]).all(axis=1).to_numpy().argmax())
        raise ValueError(
            f"{path}: row {place + 1}: the event of {event} is in row {first + 1} already; give each event one row"
        )


def files_of_events(path, events, keys, group, factors, numbered):
    """The Table of the events, with the columns that the audit does not have."""
    source = open_table(events, [group, *factors, *([] if numbered else [keys[-1]])]).checked()
    if numbered and len(source.files) > 1 and FILE not in keys:
        raise ValueError(
            f"{path}: no column {FILE!r}, but {events} is {len(source.files)} files; say which one"
        )
    return source


def with_events(path, table, events, found, keys):
    """The table with the group and the factors of its events, which were `found` in their files."""
    identity = keys[-1]
    merged = table.merge(found, on=keys, how="left", indicator=True, sort=False)
    if len(merged) > len(table):
        twice = merged.loc[merged.duplicated(keys).idxmax(), identity]
        raise ValueError(
            f"{events}: {identity} {twice!r} is there more than once; name a column that tells events apart"
        )
    unknown = (merged["_merge"] != "both").to_numpy()
    if unknown.any():
        place = int(np.argmax(unknown))
        more = f" (and {unknown.sum() - 1:,} more such rows)" if unknown.sum() > 1 else ""
        raise ValueError(
            f"{path}: row {table.index[place] + 1}: no event has {identity} {table[identity].iloc[place]!r} in "
            f"{events}; leave it out or correct it{more}"
        )
    return merged.drop(columns="_merge")


def refuse_contradictions(path, table, source, found, keys, columns):
    """Refuse an audited event whose group or levels are not those that were `found` in its row of the events."""
    if FILE in keys:  # an audit may have been drawn where the files had other names
        table = table[table[FILE].isin(source.files)]
    events = with_events(path, table[keys], source.name, found, keys)
    said, there = table[columns].to_numpy(object), events[columns].to_numpy(object)
    wrong = said != there
    if wrong.any():
        place, column = np.argwhere(wrong)[0]
        others = int(wrong.any(axis=1).sum()) - 1
        more = f" (and {others:,} more such rows)" if others else ""
        value = there[place, column]
        raise ValueError(
            f"{path}: row {table.index[place] + 1}: {columns[column]} {said[place, column]!r}, but row "
            f"{table[ROW].iloc[place]} of {source.name} has {'none' if value is None else repr(value)}; give the "
            f"events that were drawn from, as they were, mend the row, or leave out a column {ROW!r} that numbers "
            f"something else{more}"
        )


def look_up(table, db, source, keys, columns, numbered):
    """The columns of the events that the table names by `keys`."""
    values = ", ".join(
        f"{spelled_sql(f'CAST({source.value(c)} AS VARCHAR)')} AS v{j}" for j, c in enumerate(columns)
    )
    key = (
        "CAST(row_number() OVER () AS VARCHAR)" if numbered else f"CAST({source.value(keys[-1])} AS VARCHAR)"
    )
    db.register("asked", pd.DataFrame({"key": table[keys[-1]].astype(str).unique()}))
    db.execute("SET preserve_insertion_order = true")  # for the numbers of the rows
    parts = []
    for file in source.files:
        part = db.execute(
            f"SELECT * FROM (SELECT {key} AS key, {values} FROM {source.rows(file)}) SEMI JOIN asked USING (key)"
        ).fetchall()
        parts.append(pd.DataFrame(part, columns=[keys[-1], *columns], dtype=object).assign(**{FILE: file}))
    found = pd.concat(parts, ignore_index=True)
    return found if FILE in keys else found.drop(columns=FILE)
