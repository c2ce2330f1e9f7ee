"""Groups by number, a part of them at a time: blocks that fit in the cache, and random halves."""

import numpy as np

BLOCK_GROUPS = 4096  # groups whose cells are worked at a time, so that the temporaries stay in the cache


def blocks_of_groups(n_groups: int) -> list[slice]:
    """Slices of at most BLOCK_GROUPS groups.

    >>> blocks_of_groups(5000)
    [slice(0, 4096, None), slice(4096, 5000, None)]
    """
    return [slice(i, min(i + BLOCK_GROUPS, n_groups)) for i in range(0, n_groups, BLOCK_GROUPS)]


def random_half(n_groups: int, rng: np.random.Generator | int) -> np.ndarray:
    """The numbers of a random half of the groups, drawn without replacement, in the order of the draw.

    `rng` is a generator or a seed. An odd number gives the smaller half.
    """
    rng = rng if hasattr(rng, "choice") else np.random.default_rng(rng)
    return rng.choice(n_groups, n_groups // 2, replace=False)
