"""Grouped counts kept only where events occur, for bins by the thousand of which a group has few.

Memory and time then grow with the cells that occur and not with groups times bins. Methods of the registry that are
`sparse` fit them, by EM alone, and there is no information. `read_counts` takes them where they are the better choice
(`is_better`).
"""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from wsclust.counts import GroupedCounts

# Up to 1,000 bins there are Newton's method and the information, and up to so many cells they need no thought.
_FEW_BINS, _FEW_CELLS = 1_000, 5_000_000


def is_better(n_groups, n_bins):
    """Whether to keep only the cells that occur.

    >>> is_better(1_000_000, 30), is_better(9_000, 9_000)
    (False, True)
    """
    return n_bins > _FEW_BINS and n_groups * n_bins > _FEW_CELLS


@dataclass(frozen=True, eq=False, repr=False)
class GroupedCells(GroupedCounts):
    """GroupedCounts whose `counts` (I, K) are a sparse matrix.

    Arguments: `counts` (I, K) sparse; the others as of GroupedCounts.

    Raises ValueError, naming the group and the remedy, where a count is negative or no number, where a group
    is empty, where a label is no share, and where lengths differ.

    >>> data = GroupedCells.from_triplets([0, 0, 1], [0, 2, 1], [4, 1, 5], label=[0.9, 0.2], n_bins=3)
    >>> data.sizes, data.totals
    (array([5., 5.]), array([4., 5., 1.]))
    """

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

    def cap(self, most: float) -> "GroupedCells":
        """As GroupedCounts.cap: each row times min(1, most / J_i)."""
        if not most > 0:
            raise ValueError(f"cap={most}: expected a number of events above 0, such as 500")
        weight = np.repeat(np.minimum(1.0, most / self.sizes), np.diff(self.counts.indptr))
        counts = csr_array(
            (self.counts.data * weight, self.counts.indices, self.counts.indptr), self.counts.shape
        )
        lowest = most if self.capped_at is None else min(most, self.capped_at)
        return replace(self, counts=counts, full_sizes=self.drawn_sizes, capped_at=lowest)
