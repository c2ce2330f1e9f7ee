"""Which events to look up: a sample of cells, so many events of each group and bin.

The answer is wanted for every bin, so that bins get events in proportion to the square root of how many they
have: more than their share for rare bins. Within a bin, any of its events is as likely as any other.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from wsclust.counts import GroupedCounts

DESIGNS = ("bins", "random", "groups")
GROUPS_AT_ONCE = 10


@dataclass(frozen=True, eq=False)
class AuditSample:
    """How many events of each group and bin to look up, `counts` (I, K), beside the `groups` and `bins`."""

    counts: np.ndarray
    groups: np.ndarray
    bins: pd.DataFrame

    @property
    def size(self):
        """Events to look up."""
        return int(self.counts.sum())

    @property
    def bins_covered(self):
        """How many bins have an event to look up."""
        return int((self.counts.sum(axis=0) > 0).sum())

    @property
    def groups_covered(self):
        """How many groups have an event to look up."""
        return int((self.counts.sum(axis=1) > 0).sum())

    def to_frame(self):
        """One row per cell with events to look up: `group`, the factors' levels and `n` events.

        >>> sample = AuditSample(np.array([[0, 2]]), np.array(["A"]), pd.DataFrame({"sex": ["f", "m"]}))
        >>> sample.to_frame()
          group sex  n
        0     A   m  2
        """
        group, bin_ = np.nonzero(self.counts)
        frame = self.bins.iloc[bin_].reset_index(drop=True)
        frame.insert(0, "group", self.groups[group], allow_duplicates=True)
        frame["n"] = self.counts[group, bin_]
        return frame


def audit_sample(
    data: GroupedCounts, size: int, design: str = "bins", rng: int | np.random.Generator | None = None
) -> AuditSample:
    """Draw how many events of each group and bin to look up.

    Arguments: `data`, GroupedCounts of whole counts, before any cap; `size`, the events to look up, 1 or
    more; `design`, "bins" (bins in proportion to the square root of their events), "random" (any event
    alike) or "groups" (all from ten groups, drawn in proportion to their events, and from more where ten
    have too few); `rng`, a generator or a seed. Returns an AuditSample of `size` events, or of all where
    there are fewer.

    Raises ValueError on an unknown design, a size below 1 and counts that are no whole numbers.

    >>> from wsclust.counts import GroupedCounts
    >>> data = GroupedCounts([[90, 4], [90, 6]], label=[0.9, 0.1])
    >>> audit_sample(data, 40, rng=1).counts.sum(axis=0)
    array([32,  8])
    """
    if design not in DESIGNS:
        raise ValueError(f"design {design!r}: expected one of {', '.join(DESIGNS)}")
    if not size >= 1 or size != int(size):
        raise ValueError(f"size {size}: expected a whole number of events, 1 or more")
    whole = data.counts == np.rint(data.counts)
    if not whole.all():
        i, k = np.argwhere(~whole)[0]
        raise ValueError(
            f"group {data.groups[i]}: count {data.counts[i, k]:g} is not a whole number of "
            "events to draw from; draw the audit from the counts before any cap"
        )
    rng = np.random.default_rng(rng)
    counts = data.counts.astype(np.int64)
    size = min(int(size), int(counts.sum()))
    drawn = {"bins": _of_bins, "random": _at_random, "groups": _of_groups}[design](counts, size, rng)
    return AuditSample(drawn, data.groups, data.bins)


def _at_random(counts, size, rng):
    return _drawn(counts.ravel(), size, rng).reshape(counts.shape)


def _of_bins(counts, size, rng):
    totals = counts.sum(axis=0)
    sizes = allocation(np.sqrt(totals), totals, size, rng)
    return np.column_stack([_drawn(counts[:, k], sizes[k], rng) for k in range(counts.shape[1])])


def _of_groups(counts, size, rng):
    # The order of this draw is that of drawing group after group in proportion to events.
    sizes = counts.sum(axis=1)
    order = np.argsort(rng.exponential(size=len(sizes)) / sizes)
    enough = int(np.searchsorted(np.cumsum(sizes[order]), size)) + 1
    chosen = order[: max(enough, GROUPS_AT_ONCE)]
    drawn = np.zeros_like(counts)
    drawn[chosen] = _at_random(counts[chosen], size, rng)
    return drawn


def _drawn(counts, size, rng):
    return rng.multivariate_hypergeometric(counts, size, method="marginals")


def allocation(weights, most, size, rng):
    """Whole numbers (K,) that add up to `size`, in proportion to `weights` (K,) but never above `most` (K,).

    What a full place cannot take goes to the others; fractions are rounded by systematic sampling, so that
    each number is, on average, what it is in proportion.

    >>> allocation(np.array([1.0, 1.0, 2.0]), np.array([2, 50, 50]), 20, np.random.default_rng(1))
    array([ 2,  6, 12])
    """
    most = np.asarray(most)
    share = np.zeros(len(most))
    full = np.zeros(len(most), dtype=bool)
    while True:
        left = size - share[full].sum()
        free = np.where(full, 0.0, weights)
        share = np.where(full, most, left * free / free.sum() if free.any() else 0.0)
        over = ~full & (share > most)
        if not over.any():
            break
        share[over], full = most[over], full | over
    # Whole numbers between the running sums, shifted by one random fraction.
    ends = np.floor(np.round(np.cumsum(share), 9) + rng.random())
    ends[-1] = size
    return np.diff(ends, prepend=0).astype(np.int64)
