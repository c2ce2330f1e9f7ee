r"""Averages over a normal distribution, and what the sigmoid makes of one.

The trapezoidal rule on an even grid converges geometrically for a function that is analytic near the real
line (Trefethen & Weideman 2014). sigma(m + s z) has its nearest pole pi / s away from it, where the rule's
error is about exp(-2 pi^2 / (s h)) with h = .1 the step: below 1e-13 up to s = 6. Gauss-Hermite quadrature
of as many points is worse as soon as s exceeds 1.
"""

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logit

NODES = np.linspace(-9, 9, 181)
WEIGHTS = np.exp(-(NODES**2) / 2)
WEIGHTS /= WEIGHTS.sum()


def share_moments(mean, sd):
    """Mean and variance of sigma(mu) for mu ~ N(mean, sd^2): two arrays of the arguments' common shape.

    >>> mean, variance = share_moments(np.array([0.0, 1.0]), 1.0)
    >>> mean.round(4), variance.round(4)
    (array([0.5   , 0.6967]), array([0.0434, 0.0334]))
    """
    mean, sd = np.broadcast_arrays(np.asarray(mean, dtype=float), np.asarray(sd, dtype=float))
    shares = expit(mean[..., None] + sd[..., None] * NODES)
    first = shares @ WEIGHTS
    # About its mean: the difference of two moments would lose a small variance to rounding.
    return first, np.square(shares - first[..., None]) @ WEIGHTS


def mean_of_share(share, sd):
    """The mean m of mu ~ N(m, sd^2) at which E sigma(mu) is this share.

    The mean share lies between those of the sigmoid at m - 9 SD and m + 9 SD, which brackets the root.

    >>> round(mean_of_share(0.7, 1.0), 4), round(float(share_moments(mean_of_share(0.7, 1.0), 1.0)[0]), 6)
    (1.0184, 0.7)
    """
    centre, reach = logit(share), 9 * sd
    if share == 0.5:
        return 0.0
    return float(brentq(lambda m: share_moments(m, sd)[0] - share, centre - reach, centre + reach))
