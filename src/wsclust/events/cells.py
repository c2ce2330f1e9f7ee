"""The bins that occur in the events, and the number of events in each group and bin.

`load_bins` leaves a SQL table `bins`: f0, f1, ... (each spelling of the levels, in the type of the events)
and code (the bin's place).
"""

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from wsclust.columns.alike import alike
from wsclust.columns.level_order import in_order
from wsclust.columns.names import names_as_text
from wsclust.events.queries import as_number, refuse_counts, refuse_levels, wrong_count

_VECTORS = 256  # DuckDB hands over so many times 2,048 events at a time


def load_bins(db, table, factors, count, check_size, order_of):
    """Make the SQL table `bins`: the frame of bins, the number of rows of events, and lists of levels that
    look the same, in a dict by factor.

    Arguments: `check_size`, called with the number of bins, before they are loaded; `order_of`, a function
    from a factor and its levels to their order, or None where the levels tell it.
    """
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
    text = ", ".join(f"{f}::VARCHAR AS {f}" for f in levels)
    found = db.execute(f"SELECT rowid AS place, {text} FROM found").fetchnumpy()
    places, distinct, same = [], [], {}
    for factor, f in zip(factors, levels, strict=True):
        names = names_as_text(np.asarray(found[f], dtype=object))
        known = set(names)
        distinct.append(np.array(in_order(known, order_of(factor, known)), dtype=object))
        rank = {level: i for i, level in enumerate(distinct[-1])}
        places.append(np.array([rank[name] for name in names]))
        if alike_levels := alike(distinct[-1]):
            same[factor] = alike_levels
    combinations, codes = np.unique(np.column_stack(places), axis=0, return_inverse=True)
    coded = pd.DataFrame({"place": found["place"], "code": codes.reshape(-1)})
    db.register("coded", coded)
    db.execute(
        f"CREATE OR REPLACE TABLE bins AS SELECT {', '.join(levels)}, code FROM found JOIN coded "
        "ON found.rowid = coded.place"
    )
    db.unregister("coded")
    columns = {
        factor: list(names[combinations[:, j]])
        for j, (factor, names) in enumerate(zip(factors, distinct, strict=True))
    }
    return pd.DataFrame(columns), n_events, same


def count_cells(db, table, group, factors, count, shape, sparse=False):
    """Counts (I, K) of the events whose group has a label, and how many rows they are.

    With `sparse`, a csr_array of the cells that occur, in memory that grows with these.
    """
    values = [f"{table.value(group)} AS g"]
    values += [f"{table.value(column)} AS f{j}" for j, column in enumerate(factors)]
    values += [f"{as_number(table, count)} AS weight"] if count else []
    same = " AND ".join(f"e.f{j} = bins.f{j}" for j in range(len(factors)))
    db.execute(
        f"SELECT label_keys.code::BIGINT * {shape[1]} + bins.code AS cell{', weight' if count else ''} "
        f"FROM (SELECT {', '.join(values)} FROM {table.rows()}) AS e "
        f"JOIN bins ON {same} JOIN label_keys ON e.g = label_keys.key"
    )
    counts, rows = SparseSums(shape) if sparse else FullSums(shape), 0
    while len(chunk := db.fetch_df_chunk(_VECTORS)):
        counts.add(chunk["cell"].to_numpy(), chunk["weight"].to_numpy() if count else np.ones(len(chunk)))
        rows += len(chunk)
    return counts.matrix(), rows


class FullSums:
    """Sums by cell, group x K + bin, of all cells."""

    def __init__(self, shape):
        self.shape, self.sums = shape, np.zeros(shape[0] * shape[1])

    def add(self, cells, weights):
        np.add.at(self.sums, cells, weights)

    def matrix(self):
        return self.sums.reshape(self.shape)


class SparseSums:
    """Sums by cell, group x K + bin, of the cells that occur.

    >>> sums = SparseSums((2, 3))
    >>> for cells, weights in (([5, 1, 5], [1.0, 1.0, 2.0]), ([1], [4.0])):
    ...     sums.add(np.array(cells), np.array(weights))
    >>> sums.matrix().toarray().tolist()
    [[0.0, 5.0, 0.0], [0.0, 0.0, 3.0]]
    """

    def __init__(self, shape):
        self.shape, self.parts, self.waiting = shape, [(np.zeros(0, dtype=np.int64), np.zeros(0))], 0

    def add(self, cells, weights):
        self.parts.append(_by_cell(cells, weights))
        self.waiting += len(self.parts[-1][0])
        # Parts are joined as often as they double what there is, so that each cell is sorted a few times.
        if self.waiting > len(self.parts[0][0]):
            self._join()

    def matrix(self):
        self._join()
        cells, sums = self.parts[0]
        group, place = np.divmod(cells, self.shape[1])
        return csr_array((sums, (group, place)), shape=self.shape)

    def _join(self):
        self.parts, self.waiting = [_by_cell(*map(np.concatenate, zip(*self.parts, strict=True)))], 0


def _by_cell(cells, weights):
    distinct, place = np.unique(cells, return_inverse=True)
    return distinct, np.bincount(place, weights, len(distinct))
