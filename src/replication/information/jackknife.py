"""The Monte Carlo error of a figure that simulated runs give together, by leaving out each of them."""

import numpy as np


def jackknife_error(runs, figure):
    """The error of `figure(runs)`: a number, or an array where the figure is one.

    Arguments: `runs`, an array with one row per run; a function from it to a number or an array.

    Of a mean it is the standard error, SD / sqrt(R).

    >>> runs = np.array([1.0, 2.0, 4.0])
    >>> [round(float(error), 6) for error in (jackknife_error(runs, np.mean), runs.std(ddof=1) / 3**0.5)]
    [0.881917, 0.881917]
    """
    left_out = np.array([figure(np.delete(runs, run, axis=0)) for run in range(len(runs))])
    return np.sqrt((len(runs) - 1) * left_out.var(axis=0))
