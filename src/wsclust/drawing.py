"""Counts drawn from the latent variables model (section 4): happy and sad events, each from its distribution."""

import numpy as np


def draw_outcomes(share, sizes, sad, happy, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Happy and sad events of each group in each bin, two arrays (I, K) of whole numbers.

    Arguments: `share` (I,), the probability that an event of the group is happy; `sizes`, (I,) or the same for
    all groups, whole numbers of events; `sad` and `happy`, the distributions w_0 and w_1 of the bins, (K,) or
    (I, K) where each group has its own.

    >>> draw_outcomes([0.0, 1.0], [4, 3], [1.0, 0.0], [0.0, 1.0], np.random.default_rng(1))[1]
    array([[4, 0],
           [0, 0]])
    """
    positives = rng.binomial(sizes, share)
    return rng.multinomial(positives, happy), rng.multinomial(sizes - positives, sad)


def draw_counts(share, sizes, sad, happy, rng: np.random.Generator) -> np.ndarray:
    """Events of each group in each bin, (I, K), whole numbers; arguments as `draw_outcomes`.

    >>> draw_counts([0.0, 1.0], [4, 3], [1.0, 0.0], [0.0, 1.0], np.random.default_rng(1))
    array([[4, 0],
           [0, 3]])
    """
    counts, negatives = draw_outcomes(share, sizes, sad, happy, rng)
    counts += negatives
    return counts
