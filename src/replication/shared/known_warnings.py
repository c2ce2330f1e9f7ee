"""Warnings that a study counts or expects, and so does not repeat for each of its thousands of fits."""

import warnings
from contextlib import contextmanager

from wsclust.estimators.estimate import ConvergenceWarning


@contextmanager
def known_warnings_ignored():
    """A block in which fits do not say that they stopped short, nor moments that there are too few groups.

    Tables have a column for the first; the second is so in every half of groups that are fewer than the bins.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", "moments: Omega has rank", RuntimeWarning)
        yield
