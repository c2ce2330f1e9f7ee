"""Events to look up, drawn from files of any size.

How many events of each group and bin come from the counts (`audit.sampling`); which of them, from one scan
more: each row of a cell that is wanted has a pseudo-random number made from the place of the row, and the rows
with the smallest numbers are kept. So the draw needs memory for what it keeps alone, and neither threads nor
the order in which rows arrive change it.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from wsclust.audit.outcomes import TO_LOOK_UP
from wsclust.audit.sampling import AuditSample, audit_sample
from wsclust.columns.names import spelled_sql
from wsclust.events.cuts import recoded
from wsclust.events.database import database
from wsclust.events.files import open_table
from wsclust.events.refusals import reading
from wsclust.posterior_table import is_estimate

OUTCOME, ROW, FILE, HAPPY = "outcome", "row", "file", "happy"
_VECTORS = 256  # DuckDB hands over so many times 2,048 rows at a time


@dataclass(frozen=True, eq=False)
class EventsToLookUp:
    """The `table` that a person fills in, and the AuditSample `sample` that it holds."""

    table: pd.DataFrame
    sample: AuditSample


def cells_to_look_up(data, size, design, rng, group="group"):
    """How many events of each group and bin to look up, for events that are only counted: an EventsToLookUp.

    Its table has one row per cell: the group, the factors, `n` events to look up and an empty `happy`, for how
    many of them are happy. Arguments as `audit.sampling.audit_sample`; `group`, the name of the group's column.

    >>> from wsclust.counts import GroupedCounts
    >>> data = GroupedCounts([[90, 4], [0, 60]], label=[0.9, 0.1], groups=["a", "b"])
    >>> cells_to_look_up(data, 5, "random", np.random.default_rng(1)).table[["group", "bin", "n"]]
      group  bin  n
    0     a    1  4
    1     b    2  1
    """
    sample = audit_sample(data, size, design, rng)
    _refuse_names(data, group, [TO_LOOK_UP, HAPPY])
    table = sample.to_frame().set_axis([group, *data.bins.columns, TO_LOOK_UP], axis=1)
    return EventsToLookUp(table.assign(**{HAPPY: ""}), sample)


def events_to_look_up(
    data,
    events,
    size,
    design,
    rng,
    group="group",
    identity=None,
    memory_limit="2GB",
    threads=None,
    cut=None,
    missing=None,
):
    """Draw events to look up from CSV or Parquet files: an EventsToLookUp.

    Arguments: `data`, the GroupedCounts that `read_counts` made of the same files; `events`, a file, a pattern or
    a folder; `size`, `design` and `rng` as `audit.sampling.audit_sample`; `group`, the column of the group's
    name; `identity`, a column that tells events apart; `memory_limit` and `threads` of DuckDB; `cut` and `missing`
    as `read_counts` had them.

    The table has one row per event, in the order of the files: `identity` or, without one, `row`, the number of
    the event's row from 1 below the header, and `file` where there are several; the group, the factors, and an
    empty `outcome`. Raises ValueError where a column has a name of these, where the files have changed since they
    were counted, and where two of the drawn events have one identity.

    >>> import tempfile
    >>> from wsclust.events.reading import read_counts
    >>> folder = tempfile.mkdtemp()
    >>> clicks, rated = f"{folder}/clicks.csv", f"{folder}/rated.csv"
    >>> for path, text in (
    ...     (clicks, "group,colour\\na,red\\na,red\\nb,blue\\nb,red\\n"),
    ...     (rated, "group,label\\na,0.8\\nb,0.4\\n"),
    ... ):
    ...     with open(path, "w") as file:
    ...         _ = file.write(text)
    >>> data = read_counts(clicks, rated, ["colour"])
    >>> events_to_look_up(data, clicks, 2, "bins", np.random.default_rng(1)).table
       row group colour outcome
    0    3     b   blue
    1    4     b    red
    """
    sample = audit_sample(data, size, design, rng)
    factors = list(data.bins.columns)
    if identity in [group, *factors]:
        raise ValueError(
            f"column {identity!r} is the group's or a factor's, and tells no events apart; name another, or none: "
            "rows are then numbered"
        )
    _refuse_names(data, group, [identity or ROW, OUTCOME, *([] if identity else [FILE])])
    key = rng.integers(2**63, dtype=np.uint64)
    table = open_table(events, [group, *factors, *([identity] if identity else [])]).checked()
    with database(memory_limit, threads) as db:
        found = reading(
            table,
            lambda table: _drawn(
                db, recoded(table, factors, cut, missing), sample, group, factors, identity, key
            ),
        )
    if len(found) < sample.size:
        raise ValueError(
            f"{table.name}: {len(found):,} of {sample.size:,} events to look up were found; the files have changed "
            "since they were counted: run again"
        )
    found = found.sort_values(["file_number", ROW], ignore_index=True)
    return EventsToLookUp(_to_fill_in(found, data, table, group, identity), sample)


def _drawn(db, table, sample, group, factors, identity, key):
    """The rows drawn: file_number, row, cell and, where there is one, the identity."""
    _load_cells(db, sample)
    wanted = pd.Series(sample.counts[sample.counts > 0], index=np.flatnonzero(sample.counts))
    values = [f"{_name(table, group)} AS g"]
    values += [f"{_name(table, column)} AS f{j}" for j, column in enumerate(factors)]
    values += [f"CAST({table.value(identity)} AS VARCHAR) AS id"] if identity else []
    same = " AND ".join(f"e.{name} = c.{name}" for name in ["g", *(f"f{j}" for j in range(len(factors)))])
    db.execute("SET preserve_insertion_order = true")  # for the numbers of the rows
    kept = []
    for file_number, file in enumerate(table.files):
        db.execute(
            f"SELECT e.row, c.cell{', e.id' if identity else ''} FROM (SELECT row_number() OVER () AS row, "
            f"{', '.join(values)} FROM {table.rows(file)}) AS e JOIN wanted_cells AS c ON {same}"
        )
        while len(chunk := db.fetch_df_chunk(_VECTORS)):
            chunk["file_number"] = file_number
            chunk["order"] = _pseudo_random(chunk["row"].to_numpy(np.uint64), file_number, key)
            kept = [_smallest(pd.concat([*kept, chunk]), wanted)]
    return kept[0] if kept else pd.DataFrame()


def _name(table, column):
    """SQL of a name or level in the one spelling that the counts have."""
    return spelled_sql(f"CAST({table.value(column)} AS VARCHAR)")


def _load_cells(db, sample):
    group, bin_ = np.nonzero(sample.counts)
    cells = pd.DataFrame({"cell": np.flatnonzero(sample.counts), "g": sample.groups[group].astype(str)})
    for j, factor in enumerate(sample.bins):
        cells[f"f{j}"] = sample.bins[factor].astype(str).to_numpy()[bin_]
    db.register("cells_of_sample", cells)
    db.execute("CREATE OR REPLACE TABLE wanted_cells AS SELECT * FROM cells_of_sample")


def _smallest(rows, wanted):
    """In each cell, as many of the rows with the smallest numbers as are wanted of it."""
    rows = rows.sort_values(["order", "file_number", "row"])
    return rows[rows.groupby("cell").cumcount() < rows["cell"].map(wanted)]


def _pseudo_random(row, file_number, key):
    """Steele, Lea and Flood's SplitMix64 of the place of a row, (n,) of uint64."""
    with np.errstate(over="ignore"):
        mixed = (row + (np.uint64(file_number) << np.uint64(40))) * np.uint64(0x9E3779B97F4A7C15) + key
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return mixed ^ (mixed >> np.uint64(31))


def _to_fill_in(found, data, table, group, identity):
    group_place, bin_place = np.divmod(found["cell"].to_numpy(), len(data.bins))
    columns = {}
    if identity:
        repeated = found["id"].duplicated() | found["id"].isna()
        if repeated.any():
            first = found.loc[repeated.idxmax(), "id"]
            raise ValueError(
                f"{table.name}: column {identity!r} has {'an empty value' if first is None else repr(first)} "
                f"{'' if first is None else 'in two of the events '}that are drawn; name a column that tells "
                "events apart, or leave it out: rows are then numbered"
            )
        columns[identity] = found["id"]
    else:
        if len(table.files) > 1:
            columns[FILE] = [table.files[number] for number in found["file_number"]]
        columns[ROW] = found["row"].astype(np.int64)
    columns[group] = data.groups[group_place]
    for factor in data.bins:
        columns[factor] = data.bins[factor].to_numpy()[bin_place]
    return pd.DataFrame({**columns, OUTCOME: ""})


def _refuse_names(data, group, own):
    for name in [group, *data.bins.columns]:
        if name in own:
            raise ValueError(
                f"column {name!r}: the table of events to look up has a column of this name of its own; rename it "
                "in the events"
            )
    for factor in data.bins:
        if is_estimate(str(factor)):
            raise ValueError(
                f"factor {factor!r}: the table of a fit, which the audit is for, has a column of this name of its own; "
                "rename the factor's column in the events"
            )
