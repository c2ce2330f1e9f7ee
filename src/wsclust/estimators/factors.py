"""Columns for one factor of the bins: what its levels are, and what each of them adds to the log-odds."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.sparse import block_array, csr_array, eye_array

from wsclust.columns.level_order import ranks
from wsclust.columns.names import names_as_text


@dataclass(frozen=True, eq=False)
class Factor:
    """Columns of one factor, or of a numeric column that is no factor.

    `levels` (L,); `by_bin` (K, q) and `by_level` (L, q), the rows of bins and of levels; `sds` (q,), standard
    deviations of the coefficients. A numeric column has one level, one standard deviation `scale` above its
    mean `centre`; these are NaN for a factor.
    """

    name: str
    levels: pd.Index
    by_bin: csr_array
    by_level: csr_array
    sds: np.ndarray
    centre: float = np.nan
    scale: float = np.nan

    def rows(self, column):
        """The rows (n, q) of values of this factor, and which of them (n,) are known."""
        if np.isfinite(self.scale):
            numbers = column.to_numpy(float)
            return csr_array((np.nan_to_num(numbers)[:, None] - self.centre) / self.scale), np.isfinite(
                numbers
            )
        codes = self.levels.get_indexer(column)
        return self.by_level[np.maximum(codes, 0)], codes >= 0


def nominal(name, column, main_sd):
    """One column per level.

    >>> nominal("sex", pd.Series(["f", "m", "f"]), 10).by_bin.toarray()
    array([[1., 0.],
           [0., 1.],
           [1., 0.]])
    """
    levels = level_order(name, column)
    identity = eye_array(len(levels), format="csr")
    return Factor(name, levels, identity[levels.get_indexer(column)], identity, np.full(len(levels), main_sd))


def along_a_line(name, column, main_sd, about_sd, order=None, means=None):
    """The standardised number of the level, and one column per level for what is no straight line.

    The number is the place in `order` (None: `level_order`), or the `means` of bins (K,) where given.

    >>> along_a_line("age", pd.Series(["old", "young"]), 10, 0.3, order=["young", "old"]).by_bin.toarray()
    array([[ 1.,  0.,  1.],
           [-1.,  1.,  0.]])
    """
    levels = level_order(name, column, order)
    codes = levels.get_indexer(column)
    numbers = codes.astype(float) if means is None else _checked(name, means, len(column))
    of_level = np.bincount(codes, numbers) / np.bincount(codes)
    centre, scale = of_level.mean(), of_level.std() or 1.0
    identity = eye_array(len(levels), format="csr")
    by_bin, by_level = (
        block_array([[csr_array((value[:, None] - centre) / scale), dummies]], format="csr")
        for value, dummies in ((numbers, identity[codes]), (of_level, identity))
    )
    return Factor(name, levels, by_bin, by_level, np.array([main_sd] + [about_sd] * len(levels)))


def number(name, means, n_bins, main_sd):
    """One column, the standardised means of the bins (K,), for what is no factor of theirs."""
    means = _checked(name, means, n_bins)
    centre, scale = means.mean(), means.std() or 1.0
    column = csr_array((means[:, None] - centre) / scale)
    return Factor(name, pd.Index(["+1 SD"]), column, csr_array([[1.0]]), np.array([main_sd]), centre, scale)


def level_order(name, column, order=None):
    """The levels that occur: in the order given, of a categorical, or as `columns.level_order` has them.

    Raises ValueError where the order given lacks a level or has one twice.

    >>> level_order("age", pd.Series(["10", "9", "9"])).tolist()
    ['9', '10']
    >>> level_order("basket", pd.Series(["> 20", "(10, 20]", "<= 10"])).tolist()
    ['<= 10', '(10, 20]', '> 20']
    """
    if order is not None:
        levels = pd.Index(order)
        missing = column[~column.isin(levels)]
        if len(missing) or not levels.is_unique:
            found = f"no level {missing.iloc[0]!r}" if len(missing) else "a level twice"
            raise ValueError(f"ordered: factor {name!r}: the order has {found}; give each level once")
        return levels[levels.isin(column)]
    if isinstance(column.dtype, pd.CategoricalDtype):
        return pd.Index(column.cat.remove_unused_categories().cat.categories)
    levels = pd.Index(column.unique())
    return levels[np.argsort(ranks(names_as_text(levels)), kind="stable")]


def _checked(name, means, n_bins):
    means = np.asarray(means, dtype=float)
    if means.shape != (n_bins,) or not np.isfinite(means).all():
        raise ValueError(
            f"numeric {name!r}: {means.size} means, of which {np.isfinite(means).sum()} are finite; "
            f"expected a finite one for each of {n_bins} bins"
        )
    return means
