"""Equation (3.2), that E[sigma(mu) | all clicks of a group] is the average of rho over them; an erratum.

With one click per group that is so under the paper's Haldane prior, where each group is all happy or all sad, and
nearly so under priors near it; with more clicks it is not.
"""

import numpy as np
from scipy.special import expit


def conditional_mean(happy, sad, clicks, prior):
    """E[sigma(mu) | clicks in one bin] where its probability is `happy` given happy and `sad` given sad.

    `prior` is a function from m to E[p^m], p = sigma(mu).

    >>> one, two = (conditional_mean(0.7, 0.2, clicks, beta_moments(0.01)) for clicks in (1, 2))
    >>> round(one, 3), round(two, 3)
    (0.772, 0.918)
    """
    chance = np.polynomial.Polynomial([sad, happy - sad]) ** clicks
    weights = chance.coef
    below = sum(c * prior(m) for m, c in enumerate(weights))
    return float(sum(c * prior(m + 1) for m, c in enumerate(weights)) / below)


def haldane_moments(m):
    """E[p^m] where p is 0 or 1 with even odds, to which Beta(a, a) tends as a falls to 0."""
    return 0.5 if m else 1.0


def beta_moments(a):
    """E[p^m] of p ~ Beta(a, a), as a function of m."""
    return lambda m: float(np.prod([(a + r) / (2 * a + r) for r in range(m)]))


def normal_moments(m, nodes=80):
    """E[sigma(mu)^m] of mu ~ N(0, 1)."""
    points, weight = np.polynomial.hermite_e.hermegauss(nodes)
    return float(weight @ expit(points) ** m / weight.sum())
