"""Grouped counts: all that any estimator needs to know of the events.

Every estimator of the paper depends on the clicks through how many of each group fell in each bin, so a
million clicks in ten thousand groups and fifteen bins are a matrix of 150,000 cells.

======================  ==========  =====================================================================
paper                   here        meaning
======================  ==========  =====================================================================
I, K                    shape       number of groups, number of bins
n_ik                    counts      events of group i in bin k, down-weighted where asked
sigma(HE_i)             label       share of happy events in group i as the coarse label has it
J_i                     sizes       events in group i
n_k                     totals      events in bin k
======================  ==========  =====================================================================
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.sparse import issparse

from wsclust.coded_events import count_codes
from wsclust.count_arguments import chosen_rows, labels_in_order, levels_of_columns, refuse_wrong_counts
from wsclust.group_order import group_order
from wsclust.group_parts import random_half

if TYPE_CHECKING:
    from wsclust.label_noise import LabelError, RatedEvents

    Noise = LabelError | RatedEvents


@dataclass(frozen=True, eq=False, repr=False)
class GroupedCounts:
    """Events counted by group and bin, with one coarse label per group.

    Arguments: `counts` (I, K) events, finite and not negative, or a frame of them whose index names the groups
    and whose columns name the bins; `label` (I,) share of happy events in [0, 1], or a Series by group name,
    which is put in the order of the groups; `groups` (I,) distinct names (default 1..I); `bins`, a frame of K
    rows with the factor levels of each bin (default one factor `bin`, 1..K). `full_sizes` (I,) and `capped_at`
    are what `cap` remembers: the events of each group before any cap, and the cap. `noise` is what
    `label_noise.with_label_noise` keeps: how far the labels may be off, from which fits calibrate them.

    The arrays are read-only. Raises ValueError, naming the group or bin and the remedy, where these do not
    hold, where a group is empty, and where there is no group or only one bin.

    >>> data = GroupedCounts([[4, 1], [2, 3]], label=[0.9, 0.2], groups=["good", "poor"])
    >>> data
    GroupedCounts: 2 groups x 2 bins (bin), 10 events
    >>> data.sizes, data.totals
    (array([5., 5.]), array([6., 4.]))
    """

    counts: np.ndarray | pd.DataFrame
    label: np.ndarray | pd.Series
    groups: np.ndarray | None = None
    bins: pd.DataFrame | None = None
    full_sizes: np.ndarray | None = None
    capped_at: float | None = None
    noise: "Noise | None" = None

    def __post_init__(self):
        counts, groups, bins = self.counts, self.groups, self.bins
        if issparse(counts):
            raise ValueError(
                f"counts is a sparse {type(counts).__name__}; expected an array or a frame: give counts.toarray()"
            )
        if isinstance(counts, pd.DataFrame):
            groups = counts.index if groups is None else groups
            bins = levels_of_columns(counts.columns) if bins is None else bins
        counts = np.ascontiguousarray(counts, dtype=float)
        if counts.ndim != 2:
            raise ValueError(f"counts has {counts.ndim} dimensions; expected 2, groups x bins")
        n_groups, n_bins = counts.shape
        label = labels_in_order(self.label, groups)
        groups = np.arange(1, n_groups + 1) if groups is None else np.asarray(groups)
        if bins is None:
            bins = pd.DataFrame({"bin": np.arange(1, n_bins + 1)})
        elif not isinstance(bins, pd.DataFrame):
            raise ValueError(
                f"bins is of type {type(bins).__name__}; expected a pandas.DataFrame with one row per bin and "
                "one column per factor, such as pandas.DataFrame({'colour': ['red', 'blue']})"
            )
        for name, value in (("counts", counts), ("label", label), ("groups", groups)):
            view = value.view()
            view.flags.writeable = False
            object.__setattr__(self, name, view)
        object.__setattr__(self, "bins", bins)
        refuse_wrong_counts(self)

    def __repr__(self) -> str:
        n_groups, n_bins = self.counts.shape
        capped = "" if self.capped_at is None else f", no group above {self.capped_at:g}"
        return (
            f"GroupedCounts: {n_groups:,} groups x {n_bins:,} bins ({', '.join(map(str, self.bins.columns))}), "
            f"{self.events:,.10g} events{capped}"
        )

    @cached_property
    def sizes(self) -> np.ndarray:
        """J_i: events in each group, (I,)."""
        return self.counts.sum(axis=1)

    @cached_property
    def totals(self) -> np.ndarray:
        """n_k: events in each bin, (K,)."""
        return self.counts.sum(axis=0)

    @property
    def drawn_sizes(self) -> np.ndarray:
        """Events in each group before any cap, (I,)."""
        return self.sizes if self.full_sizes is None else self.full_sizes

    @property
    def events(self) -> float:
        """Events in all, before any cap."""
        return float(self.drawn_sizes.sum())

    @property
    def mean_label(self) -> float:
        """The label averaged over events: the share of happy events that the labels imply."""
        return float(self.sizes @ self.label / self.sizes.sum())

    def subset(self, rows: np.ndarray) -> "GroupedCounts":
        """The groups of these row numbers or this mask, in that order; the bins stay all K.

        A mask that is a Series by group name is matched by its index.
        """
        rows = chosen_rows(rows, self.groups)
        return replace(
            self,
            counts=self.counts[rows],
            label=self.label[rows],
            groups=self.groups[rows],
            full_sizes=None if self.full_sizes is None else self.full_sizes[rows],
            noise=None if self.noise is None else self.noise.subset(rows),
        )

    def group_order(self) -> np.ndarray:
        """The row numbers of the groups in an order that renaming them does not change (`group_order`), (I,)."""
        return group_order(self)

    def in_group_order(self) -> "GroupedCounts":
        """The same groups in `group_order`.

        >>> GroupedCounts([[1, 3], [9, 1]], label=[0.8, 0.3], groups=["b", "a"]).in_group_order().groups
        array(['a', 'b'], dtype='<U1')
        """
        return self.subset(self.group_order())

    def with_labels_of(self, rows: np.ndarray) -> "GroupedCounts":
        """The same counts, each group with the label (and its noise) of the group in this row, (I,)."""
        noise = None if self.noise is None else self.noise.subset(rows).within(self.drawn_sizes)
        return replace(self, label=self.label[rows], noise=noise)

    def calibrated(self) -> "GroupedCounts":
        """With the share to be expected given its label as the label of each group.

        The data as they are where nothing is said of the labels' noise.
        """
        if self.noise is None:
            return self
        return replace(self, label=self.noise.expected(self.label, self.drawn_sizes), noise=None)

    def half_sample(self, rng: np.random.Generator | int) -> "GroupedCounts":
        """A random half of the groups, drawn without replacement by a generator or a seed, in their order here."""
        return self.subset(np.sort(random_half(len(self.label), rng)))

    def clip_labels(self, margin: float) -> "GroupedCounts":
        """Labels pulled into [margin, 1 - margin], off 0 and 1, whose logits are infinite.

        >>> GroupedCounts([[9, 1], [3, 1]], label=[1, 0.2]).clip_labels(0.01).label
        array([0.99, 0.2 ])
        """
        if not 0 < margin < 0.5:
            raise ValueError(f"clip={margin}: expected a number between 0 and 0.5, such as 0.001")
        return replace(self, label=np.clip(self.label, margin, 1 - margin))

    def with_bins_that_occur(self) -> "GroupedCounts":
        """Without the bins that have no events, or only counts of 0.

        >>> data = GroupedCounts([[4, 0, 1], [2, 0, 3]], label=[0.9, 0.2])
        >>> data.with_bins_that_occur().bins["bin"].tolist()
        [1, 3]
        """
        occurs = self.totals > 0
        if occurs.all():
            return self
        return replace(self, counts=self.counts[:, occurs], bins=self.bins[occurs].reset_index(drop=True))

    def cap(self, most: float) -> "GroupedCounts":
        """Down-weight large groups: each row times min(1, most / J_i), as section 6.2 caps clicks.

        >>> GroupedCounts([[90, 10], [3, 1]], label=[0.5, 0.2]).cap(50).counts
        array([[45.,  5.],
               [ 3.,  1.]])
        """
        if not most > 0:
            raise ValueError(f"cap={most}: expected a number of events above 0, such as 500")
        weight = np.minimum(1.0, most / self.sizes)
        lowest = most if self.capped_at is None else min(most, self.capped_at)
        return replace(
            self, counts=self.counts * weight[:, None], full_sizes=self.drawn_sizes, capped_at=lowest
        )

    @classmethod
    def from_codes(
        cls,
        group_codes: Sequence[int] | np.ndarray,
        bin_codes: Sequence[int] | np.ndarray,
        label: Sequence[float] | np.ndarray | pd.Series,
        n_bins: int,
        groups: Sequence | np.ndarray | None = None,
        bins: pd.DataFrame | None = None,
    ) -> "GroupedCounts":
        """Count events given as two arrays of integer codes from 0, one pair an event.

        `label` (I,) sets the number of groups. Raises ValueError on a code out of range.

        >>> GroupedCounts.from_codes([0, 0, 1], [1, 1, 0], label=[0.7, 0.1], n_bins=2).counts
        array([[0., 2.],
               [1., 0.]])
        """
        return cls(count_codes(group_codes, bin_codes, len(label), n_bins), label, groups, bins)

    @classmethod
    def from_events(
        cls,
        events: pd.DataFrame,
        labels: pd.DataFrame,
        factors: Iterable[str],
        group: str = "group",
        label: str = "label",
        count: str | None = None,
        label_group: str | None = None,
        order: Mapping[str, Sequence] | None = None,
    ) -> "GroupedCounts":
        """Count a frame of events: one row per event, or one row per group and bin with column `count`.

        `labels` is a frame with one row per group and the columns `label_group` (default `group`) and `label`; its
        order is the groups' order. Bins are the combinations of `factors` that occur (not those that only have
        counts of 0), in the order of their levels: that of an ordered categorical or of `order`, else that of the
        numbers in them, else that of text. Names and levels are compared as text, as in files (`columns.names`).

        Warns where names differ in case or blanks alone, and where a column of counts seems to be forgotten or to
        hold something else. Raises ValueError on a missing column, an empty value, a repeated label, a group
        without a label and a label without events.

        >>> events = pd.DataFrame({"group": list("aab"), "colour": ["red", "blue", "red"]})
        >>> labels = pd.DataFrame({"group": ["a", "b"], "label": [0.8, 0.4]})
        >>> GroupedCounts.from_events(events, labels, ["colour"]).counts
        array([[1., 1.],
               [0., 1.]])
        """
        from wsclust.frames import count_events

        counts, shares, groups, bins = count_events(
            events, labels, factors, group, label, count, label_group, order
        )
        return cls(counts, shares, groups, bins).with_bins_that_occur()
