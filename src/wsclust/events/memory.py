"""Whether counts of so many groups and bins fit in the memory that is there, and so does a fit of them."""

import os
import warnings
from pathlib import Path

from wsclust.cells import is_better

_BYTES_PER_CELL = 16  # the counts, and what checking them takes for a moment
_BYTES_PER_CELL_FITTED = 48  # at most, for the counts, their halves and the check of a latent fit; measured


class TightMemory(UserWarning):
    """The counts fit in memory, and what is done with them may not."""


def refuse_too_large(n_groups, n_bins):
    """Raise ValueError where the counts do not fit in memory; warn (TightMemory) where a fit of them may not.

    Of the largest only the cells that occur are kept (`cells.is_better`), so these are let through.
    """
    if is_better(n_groups, n_bins):
        return
    need, have = n_groups * n_bins * _BYTES_PER_CELL, available_memory()
    if need > have:
        raise ValueError(
            f"{n_groups:,} groups x {n_bins:,} bins need {need:,} bytes and {have:,} are available; choose "
            "factors with fewer levels, or fewer groups"
        )
    fitted = n_groups * n_bins * _BYTES_PER_CELL_FITTED
    if fitted > have:
        warnings.warn(
            f"{n_groups:,} groups x {n_bins:,} bins: a fit takes up to {fitted:,} bytes and {have:,} are "
            "available; if it is ended for that, choose factors with fewer levels, or more memory",
            TightMemory,
            stacklevel=2,
        )


def available_memory():
    """Bytes that a process can still have here, at most what its control group may take in all."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        free = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration):  # not Linux
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        return min(free, int(Path("/sys/fs/cgroup/memory.max").read_text()))
    except (OSError, ValueError):  # no control group, or "max": no limit
        return free
