"""Events whose outcome is known: what an oracle sees, and what held-out predictions are judged by."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from wsclust.count_arguments import chosen_rows
from wsclust.counts import GroupedCounts
from wsclust.group_parts import random_half


@dataclass(frozen=True, eq=False, repr=False)
class KnownOutcomes:
    """Events counted by group, bin and outcome.

    Arguments: `positives` and `negatives`, (I, K) events with outcome 1 and 0; `groups` (I,) names;
    `bins`, a frame of K rows with the factor levels; `label` (I,) the coarse label of each group, by
    default its own share of positives.

    >>> votes = KnownOutcomes([[3, 0], [1, 1]], [[1, 2], [0, 2]])
    >>> votes
    KnownOutcomes: 2 groups x 2 bins, 5 of 10 events positive
    >>> votes.grouped.label
    array([0.5, 0.5])
    """

    positives: np.ndarray
    negatives: np.ndarray
    groups: np.ndarray | None = None
    bins: pd.DataFrame | None = None
    label: np.ndarray | None = None

    def __post_init__(self):
        for name in ("positives", "negatives"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=float))
        if self.positives.shape != self.negatives.shape:
            raise ValueError(
                f"positives {self.positives.shape} and negatives {self.negatives.shape} differ in shape"
            )
        for what, outcome in (("positives", self.positives), ("negatives", self.negatives)):
            if outcome.ndim != 2:
                raise ValueError(f"{what} has {outcome.ndim} dimensions; expected 2, groups x bins")
            if not (outcome >= 0).all():
                wrong = outcome[~(outcome >= 0)][0]
                raise ValueError(f"{what}: count {wrong:g} is not a number of events; expected 0 or more")

    def __repr__(self) -> str:
        (n_groups, n_bins), happy = self.positives.shape, self.positives.sum()
        events = happy + self.negatives.sum()
        return f"KnownOutcomes: {n_groups:,} groups x {n_bins:,} bins, {happy:,.10g} of {events:,.10g} events positive"

    @cached_property
    def grouped(self) -> GroupedCounts:
        """The same events with the outcomes hidden: a GroupedCounts."""
        counts = self.positives + self.negatives
        label = self.label
        if label is None:
            with np.errstate(invalid="ignore"):  # an empty group is GroupedCounts' to refuse
                label = self.positives.sum(axis=1) / counts.sum(axis=1)
        return GroupedCounts(counts, label, self.groups, self.bins)

    @property
    def positive_share(self) -> float:
        """The share of positives among all events."""
        return float(self.positives.sum() / (self.positives.sum() + self.negatives.sum()))

    def with_smoothed_labels(self) -> "KnownOutcomes":
        """The same events, each group labelled with its own share of positives: (y + 1/2) / (n + 1).

        The half keeps the label of a group without positives, or without negatives, off 0 and 1.
        """
        happy = self.positives.sum(axis=1)
        label = (happy + 0.5) / (happy + self.negatives.sum(axis=1) + 1)
        return replace(self, label=label)

    def subset(self, rows: np.ndarray) -> "KnownOutcomes":
        """The groups of these row numbers or this mask, each with the label it has here."""
        data, rows = self.grouped, chosen_rows(rows, self.grouped.groups)
        return KnownOutcomes(
            self.positives[rows], self.negatives[rows], data.groups[rows], data.bins, data.label[rows]
        )

    def in_group_order(self) -> "KnownOutcomes":
        """The same groups in an order that renaming them does not change."""
        return self.subset(self.grouped.group_order())

    def half_sample(self, rng: np.random.Generator | int) -> "KnownOutcomes":
        """A random half of the groups, drawn without replacement by a generator or a seed, in their order here."""
        return self.subset(np.sort(random_half(len(self.positives), rng)))

    @classmethod
    def from_table(
        cls, table: pd.DataFrame, group: str, factors: list[str], positive: str, negative: str
    ) -> "KnownOutcomes":
        """Outcomes from a frame with one row a (group, bin) and the columns named.

        Groups and bins are sorted; bins are all combinations of the factors' levels.

        >>> table = pd.DataFrame({"state": ["A", "B"], "sex": ["m", "f"], "yes": [2, 1], "no": [1, 3]})
        >>> KnownOutcomes.from_table(table, "state", ["sex"], "yes", "no").positives
        array([[0., 2.],
               [1., 0.]])
        """
        levels = [sorted(table[factor].unique()) for factor in factors]
        bins = pd.MultiIndex.from_product(levels, names=factors)
        wide = table.pivot_table(
            index=group, columns=factors, values=[positive, negative], aggfunc="sum", fill_value=0
        )
        outcome = {
            name: wide[name].reindex(columns=bins if len(factors) > 1 else levels[0], fill_value=0)
            for name in (positive, negative)
        }
        return cls(
            outcome[positive].to_numpy(float),
            outcome[negative].to_numpy(float),
            wide.index.to_numpy(),
            bins.to_frame(index=False),
        )
