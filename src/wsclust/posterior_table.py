"""The table of a fit: one row per bin, its factor levels and what was estimated."""

import re

import pandas as pd

from wsclust.intervals import normal_interval

ESTIMATES = ["n", "posterior", "se", "lower", "upper"]  # the columns after the factors
_OF_OTHERS = re.compile(r"(posterior|se|lower|upper) \(.+\)")


def factors_of(columns) -> list[str]:
    """The columns of a table of a fit that are factors: those that are not estimates, of other methods neither.

    >>> factors_of(["size", "n", "posterior", "se", "lower", "upper", "posterior (direct)"])
    ['size']
    """
    return [name for name in columns if not is_estimate(str(name))]


def is_estimate(name: str) -> bool:
    """Whether a column of a table of a fit has this name of its own."""
    return name in ESTIMATES or _OF_OTHERS.fullmatch(name) is not None


def beside(table: pd.DataFrame, method: str, other: pd.DataFrame) -> pd.DataFrame:
    """The table with the estimates of another method to the same bins on its right, its name in theirs.

    >>> table = pd.DataFrame({"bin": [1], "n": [9], "posterior": [0.7], "se": [0.1], "lower": [0.5], "upper": [0.9]})
    >>> beside(table, "direct", table.assign(posterior=0.6))["posterior (direct)"].tolist()
    [0.6]
    """
    return table.assign(**{f"{name} ({method})": other[name] for name in ESTIMATES[1:]})


def posterior_table(data, posterior, se, bounded: bool = True) -> pd.DataFrame:
    """One row per bin: its factors, then n (events after any cap), posterior, se, lower and upper (95%).

    Arguments: `data`, GroupedCounts; `posterior` and `se`, each (K,); `bounded`, whether intervals are cut off at 0
    and 1. Raises ValueError where a factor has the name of a column above.

    >>> import numpy as np
    >>> from wsclust.counts import GroupedCounts
    >>> data = GroupedCounts([[9, 1], [1, 9]], label=[0.9, 0.2])
    >>> posterior_table(data, np.array([0.75, 0.25]), np.array([0.1, 0.1])).round(2)
       bin     n  posterior   se  lower  upper
    0    1  10.0       0.75  0.1   0.55   0.95
    1    2  10.0       0.25  0.1   0.05   0.45
    """
    taken = [name for name in data.bins.columns if is_estimate(str(name))]
    if taken:
        raise ValueError(
            f"factor {taken[0]!r}: the output has a column of this name of its own; rename the factor's column in "
            "the events"
        )
    lower, upper = normal_interval(posterior, se, bounded)
    columns = dict(zip(ESTIMATES, (data.totals, posterior, se, lower, upper), strict=True))
    return pd.concat([data.bins, pd.DataFrame(columns, index=data.bins.index)], axis=1)
