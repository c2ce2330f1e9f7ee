"""Events as integer codes, one of a group and one of a bin each, added up to counts by group and bin."""

import numpy as np

_CHUNK = 1 << 22  # events coded at a time: the temporaries stay near 32 MB


def count_codes(group_codes, bin_codes, n_groups, n_bins):
    """The number of events in each group and bin: an array (I, K).

    Arguments: two arrays of whole numbers from 0, one pair an event; I and K. Raises ValueError on codes of another
    type, out of range, or of another number than their pairs.

    >>> count_codes([0, 0, 1], [1, 1, 0], 2, 3)
    array([[0., 2., 0.],
           [1., 0., 0.]])
    """
    group_codes, bin_codes = np.asarray(group_codes), np.asarray(bin_codes)
    if group_codes.shape != bin_codes.shape or group_codes.ndim != 1:
        raise ValueError(f"{group_codes.size} group codes but {bin_codes.size} bin codes")
    counts = np.zeros(n_groups * n_bins)
    for start in range(0, len(group_codes), _CHUNK):
        g, b = group_codes[start : start + _CHUNK], bin_codes[start : start + _CHUNK]
        for what, codes, limit in (("group", g, n_groups), ("bin", b, n_bins)):
            if codes.dtype.kind not in "iu":
                raise ValueError(f"{what} codes are {codes.dtype}; expected integers from 0")
            if codes.min() < 0 or codes.max() >= limit:
                bad = codes.min() if codes.min() < 0 else codes.max()
                raise ValueError(f"{what} code {bad}: expected 0 to {limit - 1}")
        np.add.at(counts, g.astype(np.int64) * n_bins + b.astype(np.int64), 1.0)
    return counts.reshape(n_groups, n_bins)
