"""95% intervals of posteriors, from standard errors by half-samples or by the information.

The interval is normal on the plain scale, rho_k -+ 1.96 se_k, cut off at 0 and 1 where the method's
estimates are probabilities; those by moments may lie anywhere, and so may their intervals. On the logit
scale an interval needs no cutting but missed the truth more often, as estimates of rare behaviour tend to
be too near to 0, where logits vary little on the side that matters.

How often they hold the truth, by simulation: `results/coverage/`. An interval does so as often as the
estimate's bias allows: the standard error knows nothing of it. Half-samples of few small groups also vary less
than the full sample does, since the prior holds them.
"""

import numpy as np

SOURCES = ("half-samples", "information")  # of standard errors
NORMAL_95 = 1.959963984540054  # the 97.5% point of the standard normal distribution


def normal_interval(posterior, se, bounded: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """posterior -+ 1.96 se, each (K,), cut off at 0 and 1 where `bounded`: (lower, upper).

    >>> lower, upper = normal_interval(np.array([0.9]), np.array([0.076]))
    >>> lower.round(3), upper.round(3)
    (array([0.751]), array([1.]))
    """
    lower, upper = posterior - NORMAL_95 * se, posterior + NORMAL_95 * se
    return (np.clip(lower, 0, 1), np.clip(upper, 0, 1)) if bounded else (lower, upper)
