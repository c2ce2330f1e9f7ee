"""Outcomes that were looked up: the audited events of each group and bin, happy or not."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from wsclust.columns.names import names_as_text
from wsclust.counts import GroupedCounts
from wsclust.frames import places_of_events, refuse_missing_columns

_HAPPY = ("1", "yes", "true")
_SAD = ("0", "no", "false")
TO_LOOK_UP = "n"  # the column of a sample's table with the events of a row
# A column of 0 and 1 with empty cells is read as numbers.
_AS_NUMBERS = {"1.0": "1", "0.0": "0"}


@dataclass(frozen=True, eq=False)
class AuditedOutcomes:
    """Audited events, aligned with a GroupedCounts of I groups and K bins.

    Arguments: `happy` and `sad` (I, K), whole numbers of audited events with each outcome; `left_out`, rows
    of the table whose outcome was empty. Raises ValueError where the shapes differ or a number is negative.

    >>> AuditedOutcomes([[2, 0], [1, 1]], [[0, 1], [0, 3]]).size
    8
    """

    happy: np.ndarray
    sad: np.ndarray
    left_out: int = 0

    def __post_init__(self):
        for name in ("happy", "sad"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=float))
        if self.happy.shape != self.sad.shape or self.happy.ndim != 2:
            raise ValueError(
                f"happy {self.happy.shape} and sad {self.sad.shape}: expected two matrices, groups x bins"
            )
        for what, events in (("happy", self.happy), ("sad", self.sad)):
            wrong = ~((events >= 0) & (events == np.rint(events)))
            if wrong.any():
                raise ValueError(
                    f"{what}: {events[wrong][0]:g} is not a number of events; expected 0, 1, 2, ..."
                )

    @property
    def events(self) -> np.ndarray:
        """Audited events of each group and bin, (I, K)."""
        return self.happy + self.sad

    @property
    def size(self) -> int:
        """Audited events."""
        return int(self.happy.sum() + self.sad.sum())

    @classmethod
    def none(cls, data: GroupedCounts) -> "AuditedOutcomes":
        """No audited event at all.

        >>> from wsclust.counts import GroupedCounts
        >>> AuditedOutcomes.none(GroupedCounts([[8, 2], [2, 8]], label=[0.9, 0.1])).size
        0
        """
        return cls(np.zeros(data.counts.shape), np.zeros(data.counts.shape))

    @classmethod
    def from_table(
        cls,
        table: pd.DataFrame,
        data: GroupedCounts,
        group: str = "group",
        outcome: str = "outcome",
        identity: str | None = None,
    ) -> "AuditedOutcomes":
        """Outcomes from a frame with one row per event that was looked up.

        Arguments: `table`, with the columns `group`, each factor of `data.bins`, `outcome` (1 or 0, yes or
        no, true or false, in any case; empty where it could not be looked up) and, where named, `identity`,
        that tells events apart; `data`, the GroupedCounts that the events belong to.

        Raises ValueError, with the row, on a missing column, another outcome, a group or a bin that the data
        do not have, a cell without events there, and an identity that occurs twice.

        >>> from wsclust.counts import GroupedCounts
        >>> data = GroupedCounts([[8, 2], [2, 8]], label=[0.9, 0.1], groups=["A", "B"])
        >>> table = pd.DataFrame({"group": ["A", "A", "B"], "bin": [1, 2, 2], "outcome": ["yes", "", "no"]})
        >>> audit = AuditedOutcomes.from_table(table, data)
        >>> audit.happy, audit.left_out
        (array([[1., 0.],
               [0., 0.]]), 1)
        """
        factors = list(data.bins.columns)
        needed = [group, *factors, outcome, *([identity] if identity is not None else [])]
        refuse_missing_columns(table, "audit", needed)
        _refuse_several(table, factors)
        if identity is not None:
            repeated = table[identity].duplicated().to_numpy()
            if repeated.any():
                row = int(np.argmax(repeated))
                raise ValueError(
                    f"audit: {identity} {table[identity].iloc[row]} in row {row + 1} occurs before; "
                    "give each event one row"
                )
        groups, bins = cells_of_table(table, data, group)
        said = _words(table[outcome]).str.strip().str.lower().replace(_AS_NUMBERS)
        empty = table[outcome].isna().to_numpy() | (said == "").to_numpy()
        happy, sad = (said.isin(words).to_numpy() & ~empty for words in (_HAPPY, _SAD))
        _refuse(
            ~(happy | sad | empty),
            table,
            [outcome],
            "is no outcome; expected 1 or 0, yes or no, true or false, or nothing where it is not known",
        )
        shape = data.counts.shape
        cells = groups * shape[1] + bins
        counted = (np.bincount(cells[of], minlength=shape[0] * shape[1]) for of in (happy, sad))
        return cls(*(events.reshape(shape) for events in counted), int(empty.sum()))


def _refuse_several(table, factors):
    """Raise ValueError where a row stands for several events, as those of a sample of counted events do."""
    if TO_LOOK_UP in table and TO_LOOK_UP not in factors:
        several = (pd.to_numeric(table[TO_LOOK_UP], errors="coerce") > 1).to_numpy()
        if several.any():
            row = int(np.argmax(several))
            raise ValueError(
                f"audit: row {row + 1} stands for {table[TO_LOOK_UP].iloc[row]} events ({TO_LOOK_UP}) and has one "
                f"outcome; give each event a row: "
                f"table.loc[table.index.repeat(table[{TO_LOOK_UP!r}])].drop(columns={TO_LOOK_UP!r})"
            )


def cells_of_table(
    table: pd.DataFrame, data: GroupedCounts, group: str = "group"
) -> tuple[np.ndarray, np.ndarray]:
    """The places of each row's group and bin in the data: two integer arrays of the table's length.

    Raises ValueError, with the row, on a group or a bin that the data do not have and a cell without events there.

    >>> from wsclust.counts import GroupedCounts
    >>> data = GroupedCounts([[8, 2], [2, 8]], label=[0.9, 0.1], groups=["A", "B"])
    >>> groups, bins = cells_of_table(pd.DataFrame({"group": ["B", "A"], "bin": [1, 2]}), data)
    >>> groups.tolist(), bins.tolist()
    ([1, 0], [0, 1])
    """
    factors = list(data.bins.columns)
    groups = pd.Index(names_as_text(data.groups)).get_indexer(names_as_text(table[group]))
    _refuse(
        groups < 0,
        table,
        [group],
        "is no group with events and a label; leave it out or correct its name",
    )
    bins = places_of_events(data.bins, table)
    _refuse(bins < 0, table, factors, "is no bin of the data; leave it out or correct its levels")
    _refuse(
        data.counts[groups, bins] == 0,
        table,
        [group, *factors],
        "has no events in the data; an audited event must be one of those that were counted",
    )
    return groups, bins


def _words(column):
    return column.astype(object).where(column.notna(), "").astype(str)


def _refuse(wrong, table, columns, why):
    if np.any(wrong):
        row = int(np.argmax(wrong))
        where = ", ".join(f"{column} {str(table[column].iloc[row])!r}" for column in columns)
        others = int(np.sum(wrong)) - 1
        more = f" (and {others} more such rows)" if others else ""
        raise ValueError(f"audit: {where} in row {row + 1} {why}{more}")
