"""Counts drawn from the latent variables model (section 4): happy and sad events, each from its distribution."""

import numpy as np


def draw_counts(share, sizes, sad, happy, rng: np.random.Generator) -> np.ndarray:
    """Events of each group in each bin, (I, K), whole numbers.

    Arguments: `share` (I,), the probability that an event of the group is happy; `sizes` (I,), whole numbers of
    events; `sad` and `happy` (K,), the distributions w_0 and w_1 of the bins.

    >>> draw_counts([0.0, 1.0], [4, 3], [1.0, 0.0], [0.0, 1.0], np.random.default_rng(1))
    array([[4, 0],
           [0, 3]])
    """
    positives = rng.binomial(sizes, share)
    counts = rng.multinomial(positives, happy)
    counts += rng.multinomial(sizes - positives, sad)
    return counts
