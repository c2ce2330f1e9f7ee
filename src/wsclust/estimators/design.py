"""The design of the additive model: log-odds of a bin that are a sum over its factors.

zeta_k, the logit of P(happy | k), is x_k beta, with a row x_k of

* an intercept, not penalised;
* one column per level of each factor, beta ~ N(0, main_sd^2);
* for an ordered or a numeric factor the standardised number of its level, N(0, main_sd^2), and one column
  per level, N(0, ordered_sd^2), for what is no straight line;
* one column per bin, N(0, deviation_sd^2), for what is no sum.

A penalty is 1 / SD^2. Levels that are all penalised alike need no reference level: their coefficients sum to
zero at the mode, since a shift of all of them costs the intercept nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.sparse import block_array, csr_array, diags_array, eye_array
from scipy.sparse.linalg import splu

from wsclust.estimators.factors import along_a_line, nominal, number
from wsclust.settings import standard_deviation

_FEW = 100  # columns up to which a block of them need not be eliminated first
_MOST_DENSE = 800  # columns up to which a dense Cholesky is faster than a sparse factorisation
_SMALL = 20_000_000  # K d^2 up to which X' W X of a dense X is faster than that of a sparse one


@dataclass(frozen=True, eq=False)
class Design:
    """Columns X (K, d), the diagonal (d,) of their penalty, and the `factors` that they are made of.

    Constants must be among the sums of unpenalised columns. `deviations` says whether the last K columns
    are the bins' own. Without factors the design can be fitted, and predicts nothing.

    >>> Design(np.eye(3), np.zeros(3)).log_odds(np.array([0.5, 0.0, -0.5]))
    array([ 0.5,  0. , -0.5])
    """

    columns: csr_array
    penalty: np.ndarray
    factors: tuple = ()
    deviations: bool = False

    def __post_init__(self):
        object.__setattr__(self, "columns", csr_array(self.columns, dtype=float))

    def log_odds(self, coefficients):
        """zeta = X beta, (K,)."""
        return self.columns @ coefficients

    def solve(self, weights, right):
        """The solution beta of (X' diag(weights) X + P) beta = right.

        Raises ValueError where the penalties are too small beside the weights for floats.
        """
        try:
            return self._solution(weights, right)
        except (LinAlgError, RuntimeError):  # the second is what a sparse factorisation raises
            raise ValueError(
                "main_sd, ordered_sd or deviation_sd is too large beside so many events: "
                "effects so free cannot be told from each other in floats; take smaller ones, such as the defaults"
            ) from None

    def _solution(self, weights, right):
        n_bins, n_columns = self.columns.shape
        if n_columns > _FEW and self._block is not None:
            return self._block.solve(weights, self.penalty, right)
        if n_bins * n_columns**2 <= _SMALL:
            matrix = (self._dense.T * weights) @ self._dense + np.diag(self.penalty)
        else:
            matrix = self.columns.T @ diags_array(weights) @ self.columns + diags_array(self.penalty)
            if n_columns > _MOST_DENSE:
                return _solve_from_the_end(matrix, right)
            matrix = matrix.toarray()
        return cho_solve(cho_factor(matrix, check_finite=False), right, check_finite=False)

    @cached_property
    def _dense(self):
        return self.columns.toarray()

    @cached_property
    def _block(self):
        """The largest block of columns of which each bin has one, if the others are few; else None."""
        n_bins, n_columns = self.columns.shape
        levels = zip(self.factors, self.places(), strict=True)
        ends = [(len(factor.levels), at.stop) for factor, at in levels if np.isnan(factor.scale)]
        ends += [(n_bins, n_columns)] if self.deviations else []
        if not ends:
            return None
        length, stop = max(ends)
        if n_bins * (n_columns - length) ** 2 > _SMALL:
            return None
        return Block.of(self.columns, slice(stop - length, stop))

    def places(self):
        """The columns of each factor, as slices."""
        ends = 1 + np.cumsum([len(factor.sds) for factor in self.factors])
        return [slice(end - len(factor.sds), end) for factor, end in zip(self.factors, ends, strict=True)]


@dataclass(frozen=True, eq=False)
class Block:
    """Columns of which each bin has one, the `place` (K,) of a bin's among them, beside few `others` (K, q).

    Their block of X' W X is diagonal, so that they are eliminated by a division: the levels of one factor by
    the thousand, or the deviations of as many bins, cost no more than the sums over them.
    """

    at: slice
    place: np.ndarray
    others: np.ndarray

    @classmethod
    def of(cls, columns, at):
        """The block at a slice of columns (K, d), a csr_array."""
        chosen = np.zeros(columns.shape[1], dtype=bool)
        chosen[at] = True
        return cls(at, columns[:, at].indices, columns[:, ~chosen].toarray())

    def solve(self, weights, penalty, right):
        """The solution of (X' diag(weights) X + diag(penalty)) beta = right."""
        chosen = np.zeros(len(right), dtype=bool)
        chosen[self.at] = True
        n_levels = int(chosen.sum())
        weighed = weights[:, None] * self.others
        own = np.bincount(self.place, weights, n_levels) + penalty[chosen]
        across = np.column_stack([np.bincount(self.place, part, n_levels) for part in weighed.T])
        matrix = self.others.T @ weighed + np.diag(penalty[~chosen]) - across.T @ (across / own[:, None])
        beta = np.empty(len(right))
        beta[~chosen] = cho_solve(cho_factor(matrix), right[~chosen] - across.T @ (right[chosen] / own))
        beta[chosen] = (right[chosen] - across @ beta[~chosen]) / own
        return beta


def _solve_from_the_end(matrix, right):
    """The solution for a sparse positive definite matrix, whose last unknowns are eliminated first.

    Deviations meet no other deviation, and levels none of their own factor, so little fills in: it takes a
    tenth of the time of an ordering found by minimum degree.
    """
    factor = splu(
        matrix.tocsc()[::-1, ::-1],
        permc_spec="NATURAL",
        diag_pivot_thresh=0,
        options={"SymmetricMode": True},
    )
    return factor.solve(right[::-1])[::-1]


def additive_design(bins, ordered=None, numeric=None, main_sd=10.0, deviation_sd=0.3, ordered_sd=0.3):
    """The Design of crossed bins.

    Arguments: `bins`, a frame of K rows with one column per factor; `ordered`, the names of ordered
    factors, or name -> levels in order (else that of a categorical, or of numbers, ranges or text, as
    `columns.level_order` has it); `numeric`, name -> the bins' means (K,), of a factor or of something else;
    the standard deviations of main effects, of bins about the sum (0: none), and of levels about a line.

    Raises ValueError where a name is no factor, an order lacks a level, means are not K finite numbers, or a
    standard deviation cannot be one.

    >>> bins = pd.DataFrame({"sex": ["f", "f", "m", "m"], "age": ["old", "young"] * 2})
    >>> additive_design(bins, deviation_sd=0).columns.toarray()
    array([[1., 1., 0., 1., 0.],
           [1., 1., 0., 0., 1.],
           [1., 0., 1., 1., 0.],
           [1., 0., 1., 0., 1.]])
    """
    for name, sd in (("main_sd", main_sd), ("ordered_sd", ordered_sd)):
        standard_deviation(sd, name).check(name, sd)
    standard_deviation(deviation_sd, "deviation_sd", zero=True).check("deviation_sd", deviation_sd)
    numeric = dict(numeric or {})
    names = [ordered] if isinstance(ordered, str) else ordered or ()
    orders = dict(ordered) if isinstance(ordered, Mapping) else dict.fromkeys(names)
    for name in orders:
        if name not in bins:
            raise ValueError(f"ordered: no factor {name!r}; there are {', '.join(map(str, bins.columns))}")
        if name in numeric:
            raise ValueError(f"factor {name!r} is ordered and numeric; leave it out of one of the two")
    factors = []
    for name, column in bins.items():
        if name in orders or name in numeric:
            order, means = orders.get(name), numeric.get(name)
            factors.append(along_a_line(name, column, main_sd, ordered_sd, order, means))
        else:
            factors.append(nominal(name, column, main_sd))
    factors += [
        number(name, means, len(bins), main_sd) for name, means in numeric.items() if name not in bins
    ]
    blocks = [csr_array(np.ones((len(bins), 1)))] + [factor.by_bin for factor in factors]
    sds = np.concatenate([factor.sds for factor in factors])
    # Where bins are the levels of one factor, their own columns would say the same twice.
    deviations = deviation_sd > 0 and not (len(factors) == 1 and len(sds) == len(bins))
    if deviations:
        blocks.append(eye_array(len(bins), format="csr"))
        sds = np.concatenate([sds, np.full(len(bins), deviation_sd)])
    penalty = np.concatenate([[0.0], sds**-2.0])
    return Design(block_array([blocks], format="csr"), penalty, tuple(factors), deviations)


def predicted_log_odds(design, coefficients, bins, frame):
    """zeta (n,) of the rows of a frame, seen together or not; NaN where a level was never seen.

    Arguments: the Design of `bins`; beta (d,); the frame, with one column per factor, and one per numeric
    column that is none. A bin that the design has gets its deviation too.

    Raises ValueError where a column is missing, or the design has no factors.

    >>> bins = pd.DataFrame({"sex": ["f", "f", "m"], "age": ["old", "young", "old"]})
    >>> design = additive_design(bins, deviation_sd=0)
    >>> new = pd.DataFrame({"sex": ["m", "x"], "age": ["young", "old"]})
    >>> predicted_log_odds(design, np.array([1.0, 0.5, -0.5, 2.0, -2.0]), bins, new)
    array([-1.5,  nan])
    """
    if not design.factors:
        raise ValueError("a design given as a matrix has no factors to predict from; fit bins that have")
    total, known = np.full(len(frame), coefficients[0]), np.ones(len(frame), dtype=bool)
    for factor, places in zip(design.factors, design.places(), strict=True):
        if factor.name not in frame:
            have = ", ".join(map(str, frame.columns))
            raise ValueError(f"bins to predict: no column {factor.name!r}; there are {have}")
        rows, seen = factor.rows(frame[factor.name])
        total += rows @ coefficients[places]
        known &= seen
    if design.deviations:
        names = list(bins.columns)
        found = pd.MultiIndex.from_frame(bins).get_indexer(pd.MultiIndex.from_frame(frame[names]))
        total += np.where(found >= 0, coefficients[-len(bins) :][found], 0)
    return np.where(known, total, np.nan)
