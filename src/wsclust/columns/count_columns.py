"""Signs that a column of counts was forgotten, or that its values are not numbers of events."""

import numpy as np

_NAMES = {
    "n",
    "count",
    "counts",
    "events",
    "n_events",
    "num_events",
    "freq",
    "frequency",
    "weight",
    "weights",
}
_FEW = 0.05  # so many of the counts may have fractions before all are taken for weights
_PRIOR = 2  # events that the prior adds to a bin, as in (1 + sum of s n) / (2 + n)
_FAINT = 0.05  # the share of the prior in all events from which on it is worth a line


def forgotten_count(columns, used):
    """A line where a column has a name such as `n` and is not used; else None.

    Arguments: `columns`, the names of the events' columns; `used`, those that are group, factor or count.

    >>> forgotten_count(["group", "kind", "n"], ["group", "kind"])[:61]
    "column 'n' of the events is not used, so each row counts once"
    """
    for column in columns:
        if column.lower() in _NAMES and column not in used:
            return (
                f"column {column!r} of the events is not used, so each row counts once; name it as the count "
                "if it has the number of events that a row stands for"
            )
    return None


def count_doubts(counts, column="count", n_bins=None):
    """Lines on counts with fractions, which an estimate takes for numbers of events.

    Arguments: `counts`, the values of the column or the (I, K) matrix of their sums, of which those above 0
    matter; `column`, its name; `n_bins`, which a matrix tells. A few fractions among whole numbers are named,
    as they may be slips. Where most have fractions they are weights, which are right where their sum is the
    number of events; one that is small beside the prior's two events a bin is set against it. Weights with
    three digits behind the point may be thousands, as 3.824 is 3824 in some countries.

    >>> count_doubts([[0.1, 0.2], [0.25, 0.45]])[0][:73]
    "column 'count': its fractions are 1 event in all, and the prior adds 4 (2"
    >>> count_doubts([3, 4, 3.824] + [5] * 40)[0][:60]
    "column 'count': 1 of 43 counts has a fraction, such as 3.824"
    >>> count_doubts([[5, 7], [8, 12]])
    []
    """
    counts = np.asarray(counts, dtype=float)
    used = counts[counts > 0]
    fractions = used[np.abs(used - np.round(used)) > 1e-9 * np.maximum(used, 1)]
    if not len(fractions):
        return []
    thousands = "in some countries 3.824 is 3824: write it so if it is a number of events"
    shown = ", ".join(f"{value:g}" for value in fractions[:3])
    if len(fractions) <= _FEW * len(used):
        has = "counts has a fraction" if len(fractions) == 1 else "counts have fractions"
        return [
            f"column {column!r}: {len(fractions):,} of {len(used):,} {has}, such as {shown}, and the others "
            f"are whole numbers; {thousands}"
        ]
    n_bins = counts.shape[1] if counts.ndim == 2 else n_bins
    if n_bins is not None and _PRIOR * n_bins > _FAINT * used.sum():
        events = f"{used.sum():,.6g} event{'' if f'{used.sum():.6g}' == '1' else 's'}"
        return [
            f"column {column!r}: its fractions are {events} in all, and the prior adds {_PRIOR * n_bins:,} "
            f"({_PRIOR} for each bin), so estimates lean to one half; multiply the column so that its sum is "
            "the number of events that it stands for"
        ]
    if len(fractions) > 2 and _has_digits(fractions, 3) and not _has_digits(fractions, 2):
        return [f"column {column!r}: its fractions have three digits, such as {shown}; {thousands}"]
    return []


def _has_digits(values, digits):
    """Whether no value has more digits behind the point."""
    scaled = values * 10**digits
    return bool((np.abs(scaled - np.round(scaled)) < 1e-6).all())
