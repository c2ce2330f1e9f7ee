"""How well a figure tells two kinds of designs apart."""

import numpy as np
from scipy.stats import rankdata


def area_under_curve(score, positive):
    """The chance that a positive has a higher score than a negative; NaN where one kind is missing.

    Arguments: `score` (n,), finite; `positive` (n,) booleans. Ties count half.

    >>> area_under_curve(np.array([0.1, 0.4, 0.4, 0.9]), np.array([False, False, True, True]))
    0.875
    """
    n_positive, n_negative = positive.sum(), (~positive).sum()
    if n_positive == 0 or n_negative == 0:
        return np.nan
    ranks = rankdata(score)
    return float((ranks[positive].sum() - n_positive * (n_positive + 1) / 2) / (n_positive * n_negative))
