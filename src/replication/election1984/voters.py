"""Voters of 1984 as section 6.1 describes them: tables of counts by state, income, union and race.

A table of voters has the columns state, income, union, race, reagan and mondale, one row an occupied cell,
and may have a column `draw` that numbers several electorates. An imported poll and the reconstruction have
the same form, so that everything after this module is one piece of code.

The K = 45 bins are the combinations of 5 bands of income, 3 answers on union membership and 3 races, in this
order; they stay 45 whether or not a bin has voters.
"""

import numpy as np
import pandas as pd

from wsclust.outcomes import KnownOutcomes

LEVELS = {
    "income": [1, 2, 3, 4, 5],
    "union": ["self", "family", "none"],
    "race": ["black", "white", "other"],
}
SHAPE = tuple(len(levels) for levels in LEVELS.values())
BINS = pd.MultiIndex.from_product(LEVELS.values(), names=LEVELS).to_frame(index=False)
VOTES = ["reagan", "mondale"]


def outcomes_by_draw(voters, shares=None, source="table of voters"):
    """The electorates of a table of voters, by draw: draw -> KnownOutcomes with 45 bins.

    Arguments: the table; `shares`, a Series of each state's label by state (default: the state's share for
    Reagan in the table itself); `source`, its name in errors. A table without column `draw` is draw 1.

    Raises ValueError, naming the column and row, on a missing column, an unknown level, a count that is not a
    whole number of 0 or more, a cell given twice, or a state without a share.

    >>> rows = [["OH", 1, "self", "white", 2, 1], ["UT", 5, "none", "other", 3, 0]]
    >>> table = pd.DataFrame(rows, columns=["state", *LEVELS, *VOTES])
    >>> votes = outcomes_by_draw(table)[1]
    >>> votes.positives.shape, votes.grouped.label.round(2)
    ((2, 45), array([0.67, 1. ]))
    """
    bins = _checked_bins(voters, source)
    draws = voters["draw"] if "draw" in voters else pd.Series(1, index=voters.index)
    repeated = pd.DataFrame({"draw": draws, "state": voters["state"], "bin": bins}).duplicated()
    if repeated.any():
        raise ValueError(
            f"{source}: row {_first(repeated)} repeats a cell; give each cell of a state one row"
        )
    return {
        draw: _outcomes(rows, bins[draws == draw], shares, source)
        for draw, rows in voters.groupby(draws, sort=True)
    }


def _outcomes(rows, bins, shares, source):
    states, place = np.unique(rows["state"].to_numpy(str), return_inverse=True)
    counts = np.zeros((2, len(states), len(BINS)))
    for outcome, column in zip(counts, VOTES, strict=True):
        np.add.at(outcome, (place, bins), rows[column].to_numpy(float))
    label = None
    if shares is not None:
        label = shares.reindex(states).to_numpy(float)
        if np.isnan(label).any():
            unknown = str(states[np.isnan(label)][0])
            raise ValueError(
                f"{source}: state {unknown!r} has no official result; name the states by their postal codes"
            )
    return KnownOutcomes(*counts, groups=states, bins=BINS, label=label)


def _checked_bins(voters, source):
    """The bin of each row, 0 to 44."""
    for column in ["state", *LEVELS, *VOTES]:
        if column not in voters:
            raise ValueError(
                f"{source}: no column {column!r}; expected {', '.join(['state', *LEVELS, *VOTES])}"
            )
    if voters.empty:
        raise ValueError(f"{source}: no rows; expected one a state and occupied bin")
    empty = voters["state"].isna() | (voters["state"].astype(str) == "")
    if empty.any():
        raise ValueError(
            f"{source}: column 'state' is empty in row {_first(empty)}; give every row its state"
        )
    for column in VOTES:
        number = pd.to_numeric(voters[column], errors="coerce")
        wrong = ~((number >= 0) & (number % 1 == 0))
        if wrong.any():
            raise ValueError(
                f"{source}: column {column!r}, row {_first(wrong)}: {_text(voters[column], wrong)} is no "
                "number of voters; expected a whole number of 0 or more"
            )
    codes = []
    for column, levels in LEVELS.items():
        code = pd.Index([str(level) for level in levels]).get_indexer(voters[column].astype(str))
        if (code < 0).any():
            raise ValueError(
                f"{source}: column {column!r}, row {_first(code < 0)}: {_text(voters[column], code < 0)} is "
                f"not one of {', '.join(map(str, levels))}"
            )
        codes.append(code)
    return np.ravel_multi_index(codes, SHAPE)


def _text(column, wrong):
    return repr(str(column.to_numpy()[np.argmax(wrong)]))


def _first(wrong):
    return int(np.argmax(wrong)) + 1


def table_of_voters(states, reagan, mondale):
    """A table of voters from counts: `states` (I,), `reagan` and `mondale` (I, 45); occupied cells only."""
    group, place = np.nonzero(reagan + mondale)
    table = BINS.iloc[place].reset_index(drop=True)
    table.insert(0, "state", np.asarray(states)[group])
    return table.assign(reagan=reagan[group, place].astype(int), mondale=mondale[group, place].astype(int))


def official_shares(results):
    """Reagan's share of the two-party vote by postal code, from us1984_state_results.csv as a frame."""
    return results.set_index("state_po").eval("reagan / (reagan + mondale)")
