"""The events of groups without a label, added up by group and bin, which `fit` leaves out."""

import pandas as pd

from wsclust.columns.names import spelled_sql
from wsclust.events.cuts import recoded
from wsclust.events.database import database
from wsclust.events.files import open_table
from wsclust.events.queries import as_number
from wsclust.events.refusals import reading


def events_of_others(
    events,
    known,
    factors,
    group="group",
    count=None,
    memory_limit="2GB",
    threads=None,
    cut=None,
    missing=None,
):
    """A frame of the events whose group is none of the `known` ones: `group`, the factors and `n`.

    Arguments as for `reading.read_counts`, which has read the same files with `drop_unlabelled`; `known`, names of
    groups. One row per group and bin that occurs, in no fixed order; events without the name of a group are none.

    >>> import tempfile
    >>> path = f"{tempfile.mkdtemp()}/clicks.csv"
    >>> with open(path, "w") as file:
    ...     _ = file.write("group,colour\\na,red\\nb,red\\nb,red\\n")
    >>> events_of_others(path, ["a"], ["colour"])
      group colour    n
    0     b    red  2.0
    """
    columns = [group, *factors, *([count] if count else [])]
    with database(memory_limit, threads) as db:
        db.register("known_names", pd.DataFrame({"name": [str(name) for name in known]}))
        return reading(
            open_table(events, columns).checked(),
            lambda table: _others(db, recoded(table, factors, cut, missing), group, factors, count),
        )


def _others(db, table, group, factors, count):
    names = {"g": group, **{f"f{j}": factor for j, factor in enumerate(factors)}}
    values = [
        f"{spelled_sql(f'CAST({table.value(column)} AS VARCHAR)')} AS {name}"
        for name, column in names.items()
    ]
    values += [f"{as_number(table, count) if count else '1.0::DOUBLE'} AS n"]
    found = db.execute(
        f"SELECT {', '.join(names)}, sum(n) AS n FROM (SELECT {', '.join(values)} FROM {table.rows()}) AS e "
        f"ANTI JOIN known_names ON e.g = known_names.name WHERE g IS NOT NULL GROUP BY {', '.join(names)}"
    ).df()
    return found.rename(columns={**names, "n": "n"})
