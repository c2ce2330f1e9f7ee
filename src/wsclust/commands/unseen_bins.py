"""Rows for bins that no event fell in: combinations of levels that were each seen, but not together.

The additive model predicts them by the effects of their levels. They follow the bins that were seen, with n = 0, and
without standard error or interval, as every bin of few events: no event says how far it deviates from the sum.
"""

import numpy as np
import pandas as pd

from wsclust.estimators.additive import AdditiveEstimate

MOST_ROWS = 100_000


def unseen_bins(fit):
    """The table of the bins that were never seen, and lines on them: rows as `posterior_table` has them.

    Argument: a Fit. The table is empty where the method does not predict such bins, where all combinations occur, and
    where there are more than MOST_ROWS combinations, which a line then says.

    >>> from wsclust import GroupedCounts, additive
    >>> bins = pd.DataFrame({"sex": ["f", "f", "m"], "age": ["old", "young", "old"]})
    >>> fit = additive(GroupedCounts([[60, 25, 15], [25, 25, 50], [40, 25, 35]], [0.8, 0.3, 0.5], bins=bins))
    >>> unseen_bins(fit)[0].round(2)
      sex    age    n  posterior  se  lower  upper
    0   m  young  0.0       0.02 NaN    NaN    NaN
    """
    seen, estimate = fit.bins, fit.estimate
    none = _table(seen.iloc[:0], np.empty(0))
    if not isinstance(estimate, AdditiveEstimate):
        return none, []
    levels = {factor.name: factor.levels for factor in estimate.design.factors if factor.name in seen}
    more = int(np.prod([len(known) for known in levels.values()], dtype=float)) - len(seen)
    if more == 0:
        return none, []
    if more > MOST_ROWS:
        return none, [
            f"{more:,} combinations of levels were never seen together; beyond {MOST_ROWS:,} such rows the output has "
            "none of them, and in Python fit.predict(events) has their posteriors"
        ]
    grid = pd.MultiIndex.from_product(levels.values(), names=levels).to_frame(index=False)
    known = pd.MultiIndex.from_frame(seen)
    grid = grid[~pd.MultiIndex.from_frame(grid).isin(known)].reset_index(drop=True)
    return _table(grid, estimate.predict_bins(grid)), []


def _table(bins, posterior):
    empty = np.full(len(bins), np.nan)
    return bins.assign(n=0.0, posterior=posterior, se=empty, lower=empty, upper=empty)
