"""How alike bins are before any outcome is seen: bins that share levels of factors have like log-odds."""

from collections.abc import Mapping

import numpy as np
import pandas as pd


def factor_kernel(bins, ordered=()):
    """The prior covariance of the bins' log-odds by main effects of the factors, for effects of variance 1.

    Arguments: `bins`, a frame with one row per bin and one column per factor; `ordered`, names of the factors
    whose levels have an order, or a mapping from name to the levels in order. Returns M (K, K), the sum
    over factors of 1 where two bins have the same level and 0 elsewhere; an ordered factor has half of that
    and half of z z', z (K,) the standardised number of the level, so that neighbouring levels are alike.
    Raises ValueError where `ordered` names no factor, or leaves out one of its levels.

    >>> bins = pd.DataFrame({"sex": ["f", "f", "m"], "age": ["old", "young", "old"]})
    >>> factor_kernel(bins)
    array([[2., 1., 1.],
           [1., 2., 0.],
           [1., 0., 2.]])
    """
    for name in ordered:
        if name not in bins:
            have = ", ".join(map(str, bins.columns))
            raise ValueError(f"ordered: no factor {name!r}; there are {have}")
    kernel = np.zeros((len(bins), len(bins)))
    for name in bins:
        order = ordered[name] if isinstance(ordered, Mapping) and name in ordered else None
        number, n_levels = level_numbers(bins[name], order)
        same = (number[:, None] == number).astype(float)
        if name in ordered and n_levels > 1:
            steps = np.arange(n_levels)
            z = (number - steps.mean()) / steps.std()
            kernel += (same + np.outer(z, z)) / 2
        else:
            kernel += same
    return kernel


def level_numbers(levels, order=None):
    """The number of each bin's level from 0 and how many levels there are: ((K,) whole numbers, L).

    The order is the given one, else that of the categories where the column has them, else by value where all
    levels are numbers, and the alphabet's otherwise. Levels that no bin has do not count.

    >>> level_numbers(pd.Series(["10", "9", "10"]))
    (array([1, 0, 1]), 2)
    """
    if order is not None:
        place = pd.Index(list(order)).get_indexer(levels)
        if (place < 0).any():
            raise ValueError(
                f"ordered: level {levels.iloc[int(np.argmax(place < 0))]!r} of factor {levels.name!r} has no "
                "place in the order given; name all levels"
            )
        levels = pd.Series(place)
    elif isinstance(levels.dtype, pd.CategoricalDtype):
        levels = pd.Series(levels.cat.codes)
    values = pd.to_numeric(levels, errors="coerce")
    distinct, number = np.unique(values if values.notna().all() else levels.astype(str), return_inverse=True)
    return number, len(distinct)
