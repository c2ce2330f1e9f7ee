"""The mean of a column of numbers in each bin, over the events of files: what a trend along a cut factor follows."""

import numpy as np

from wsclust.events.cuts import check_numbers, recoded
from wsclust.events.database import database
from wsclust.events.files import open_table
from wsclust.events.queries import as_number, plain_number
from wsclust.events.refusals import reading
from wsclust.frames import places_of_events

DIGITS = 12
LARGEST = 1e150  # whose squares, of which the spread along a trend is made, are still numbers


def bin_means(events, bins, columns, cut=None, count=None, missing=None, memory_limit="2GB", threads=None):
    """The mean of each column in each bin: a dict from the column to an array (K,).

    Arguments: `events`, as for `read_counts`; `bins`, the frame of bins that it found; `columns`, among the factors;
    `cut`, `count` and `missing`, as they were given to `read_counts`. Events of all groups count, each as often as
    `count` says.

    Raises ValueError, naming file and column, where a value is no number, where a column is no factor, where a bin
    has no number at all, as that of `missing` values, and where a mean is above 1e150.

    >>> import tempfile
    >>> import pandas as pd
    >>> path = f"{tempfile.mkdtemp()}/events.csv"
    >>> with open(path, "w") as file:
    ...     _ = file.write("group,basket\\na,4\\na,6\\nb,30\\n")
    >>> bin_means(path, pd.DataFrame({"basket": ["<= 10", "> 10"]}), ["basket"], cut={"basket": [10]})
    {'basket': array([ 5., 30.])}
    """
    factors = list(bins.columns)
    for column in columns:
        if column not in factors:
            raise ValueError(
                f"numeric {column!r}: no factor; the factors are {', '.join(map(repr, factors))}"
            )
    table = open_table(events, [*factors, *([count] if count else [])]).checked()
    with database(memory_limit, threads) as db:
        found = reading(table, lambda table: _sums(db, table, factors, columns, cut, count, missing))
    levels = found[[f"f{j}" for j in range(len(factors))]].set_axis(factors, axis=1)
    place = places_of_events(bins, levels)
    known, means = place >= 0, {}
    for j, column in enumerate(columns):
        # Levels of several spellings are one, so a bin may have several rows.
        weights = found[f"w{j}"].fillna(0)
        sums = found[f"s{j}"].where(
            weights > 0, 0
        )  # a sum beyond all numbers is NaN in some versions of DuckDB
        total, weight = (
            np.bincount(place[known], parts[known], minlength=len(bins)) for parts in (sums, weights)
        )
        if not (weight > 0).all():
            level = bins[column].iloc[int(np.argmin(weight > 0))]
            raise ValueError(
                f"{table.name}: column {column!r} has no number in level {level!r}, so no trend can place it; leave "
                "these rows out, or cut the column as a factor without a trend"
            )
        with np.errstate(invalid="ignore"):
            mean = total / weight
        large = ~(np.abs(mean) <= LARGEST)
        if large.any():
            level = bins[column].iloc[int(np.argmax(large))]
            raise ValueError(
                f"{table.name}: column {column!r} has numbers too large for a trend in level {level!r}, with a mean of "
                f"{mean[large][0]:g}; expected up to {LARGEST:g}: mend them, or write the column in a larger unit"
            )
        # The last digits would depend on the order of the rows.
        means[column] = np.array([float(f"{value:.{DIGITS}g}") for value in mean])
    return means


def _sums(db, table, factors, columns, cut, count, missing):
    """Sums of the numbers (s0, ...) and of their weights (w0, ...) by the levels f0, f1, ... of the bins."""
    for column in columns:
        check_numbers(db, table, column)
    levels = recoded(table, factors, cut, missing)
    weight = as_number(table, count) if count else "1.0"
    keys = [f"CAST({levels.value(factor)} AS VARCHAR) AS f{j}" for j, factor in enumerate(factors)]
    sums = []
    for j, column in enumerate(columns):
        x = plain_number(f"({table.value(column)})::VARCHAR")
        sums += [f"fsum({x} * {weight}) AS s{j}", f"sum({weight}) FILTER ({x} IS NOT NULL) AS w{j}"]
    return db.execute(f"SELECT {', '.join([*keys, *sums])} FROM {table.rows()} GROUP BY ALL").fetchdf()
