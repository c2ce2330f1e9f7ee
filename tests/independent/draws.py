"""The data that other programs are asked about: groups whose shares are known, and their clicks by bin."""

import itertools

import numpy as np

SEED = 2026
SAD, HAPPY = (0.4, 0.3, 0.15, 0.1, 0.05), (0.1, 0.15, 0.2, 0.25, 0.3)

# Bins are crossed levels of an ordered factor and of one without an order.
LEVELS = list(itertools.product(range(4), range(3)))
MAIN_SD, ORDERED_SD, DEVIATION_SD = 2.0, 0.5, 0.2


def latent_data():
    """Shares (120,) of groups of 60 clicks each, and their counts (120, 5)."""
    rng = np.random.default_rng(SEED)
    return drawn(rng, 120, 60, SAD, HAPPY)


def additive_data():
    """Shares (150,) of groups of 80 clicks each, and their counts (150, 12)."""
    rng = np.random.default_rng(SEED + 1)
    sad = rng.dirichlet(np.full(len(LEVELS), 5.0))
    # A trend that bends, what a level of the second factor adds, and deviations of bins.
    ordered, other = np.array([-0.9, -0.5, 0.2, 0.7]), np.array([0.6, -0.5, 0.1])
    log_ratio = [ordered[a] + other[b] for a, b in LEVELS] + DEVIATION_SD * rng.standard_normal(len(LEVELS))
    happy = sad * np.exp(log_ratio)
    return drawn(rng, 150, 80, sad, happy / happy.sum())


def drawn(rng, groups, clicks, sad, happy):
    """Shares of groups, logit-normal, and counts of clicks that are happy with that probability."""
    share = 1 / (1 + np.exp(-rng.standard_normal(groups)))
    n_happy = rng.binomial(clicks, share)
    counts = [rng.multinomial(n, happy) + rng.multinomial(clicks - n, sad) for n in n_happy]
    return share, np.array(counts)
