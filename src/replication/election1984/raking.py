"""Raking: iterative proportional fitting of a table to margins, from a seed that gives the association."""

import numpy as np


def rake(seed, margins, tolerance=1e-10, max_rounds=2000):
    """The table nearest to the seed, in relative entropy, that has the margins.

    Arguments: `seed` (R, K), not negative; `margins`, pairs of a partition (K, L) of the columns, 0 or 1, and
    what its L parts sum to: (R, L) in each row, or (L,) over all rows together. Stops when every margin is
    met within `tolerance` times the table's total. Raises ValueError where that takes more than `max_rounds`.

    >>> columns, one = np.eye(2), np.ones((2, 1))
    >>> rake(np.ones((2, 2)), [(one, np.array([[30.0], [10.0]])), (columns, np.array([4.0, 36.0]))])
    array([[ 3., 27.],
           [ 1.,  9.]])
    """
    table = np.array(seed, dtype=float)
    for _ in range(max_rounds):
        error = 0.0
        for partition, target in margins:
            total = (table if target.ndim == 2 else table.sum(axis=0)) @ partition
            error = max(error, np.abs(total - target).max())
            # A part whose margin is 0 is emptied once and then left alone.
            ratio = np.divide(target, total, out=np.zeros_like(total), where=total > 0)
            table *= ratio @ partition.T
        if error <= tolerance * table.sum():
            return table
    raise ValueError(
        f"raking: margins still off by {error:.3g} after {max_rounds} rounds; they contradict each other or "
        "an empty cell of the seed"
    )
