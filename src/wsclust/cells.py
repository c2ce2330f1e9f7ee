"""Grouped counts kept only where events occur, for bins by the thousand of which a group has few.

They are what `direct`, `latent` and `additive` read of `GroupedCounts`; memory and time then grow with the
cells that occur and not with groups times bins. EM alone fits them, and there is no information.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class GroupedCells:
    """Counts by group and bin as a sparse matrix, with one label per group.

    Arguments: `counts` (I, K) sparse; `label` (I,) in [0, 1]; `groups` (I,) names (default 1..I); `bins`, a
    frame with one row per bin (default one factor `bin`, 1..K).

    Raises ValueError, naming the group and the remedy, where a count is negative or no number, where a group
    is empty, where a label is no share, and where lengths differ.

    >>> data = GroupedCells.from_triplets([0, 0, 1], [0, 2, 1], [4, 1, 5], label=[0.9, 0.2], n_bins=3)
    >>> data.sizes, data.totals
    (array([5., 5.]), array([4., 5., 1.]))
    """

    counts: csr_array
    label: np.ndarray
    groups: np.ndarray = None
    bins: pd.DataFrame = None

    def __post_init__(self):
        counts = csr_array(self.counts, dtype=float, copy=True)
        counts.sum_duplicates()
        n_groups, n_bins = counts.shape
        label = np.asarray(self.label, dtype=float)
        groups = np.arange(1, n_groups + 1) if self.groups is None else np.asarray(self.groups)
        bins = pd.DataFrame({"bin": np.arange(1, n_bins + 1)}) if self.bins is None else self.bins
        for name, value in (("counts", counts), ("label", label), ("groups", groups), ("bins", bins)):
            object.__setattr__(self, name, value)
        if n_bins < 2:
            raise ValueError(f"{n_bins} bin: nothing to tell apart; at least 2 bins are needed")
        if label.shape != (n_groups,) or groups.shape != (n_groups,) or len(bins) != n_bins:
            raise ValueError(
                f"counts of {n_groups} groups in {n_bins} bins, but {label.size} labels, {groups.size} group "
                f"names and {len(bins)} rows of bins; give one for each"
            )
        if not (np.isfinite(counts.data) & (counts.data >= 0)).all():
            place = np.argmin(np.isfinite(counts.data) & (counts.data >= 0))
            i = np.searchsorted(counts.indptr, place, side="right") - 1
            raise ValueError(
                f"group {groups[i]}: count {counts.data[place]:g}; counts are numbers of events, 0 or more"
            )
        if (self.sizes == 0).any():
            raise ValueError(f"group {groups[np.argmin(self.sizes)]}: no events; leave it and its label out")
        wrong = ~((label >= 0) & (label <= 1))
        if wrong.any():
            i = np.argmax(wrong)
            raise ValueError(f"group {groups[i]}: label {label[i]:g} is not in [0, 1]; labels are shares")

    @classmethod
    def from_triplets(cls, group_codes, bin_codes, count, label, n_bins, groups=None, bins=None):
        """From codes from 0 of a group and of a bin, and a count, each (n,); repeated cells add up."""
        counts = csr_array((count, (group_codes, bin_codes)), shape=(len(label), n_bins))
        return cls(counts, label, groups, bins)

    @cached_property
    def sizes(self):
        """J_i: events in each group, (I,)."""
        return self.counts.sum(axis=1)

    @cached_property
    def totals(self):
        """n_k: events in each bin, (K,)."""
        return self.counts.sum(axis=0)

    @property
    def mean_label(self):
        """The label averaged over events."""
        return float(self.sizes @ self.label / self.sizes.sum())
