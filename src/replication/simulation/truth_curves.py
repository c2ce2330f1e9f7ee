"""Truths for the simulation: curves of happiness along the bins.

The paper draws its curve as a thick black line and prints neither the curve nor the bin frequencies. Both
are therefore chosen here, under the one condition that the model sets: mu ~ N(0, 1) makes half of all
clicks happy, so sum_k p_k rho_k must be 1/2.
"""

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logit

from replication.simulation.true_rates import Truth

# Position t in [0, 1] along the bins -> rho, between low (t = 0) and high (t = 1).
CURVES = {
    "linear": lambda t, low, high: low + (high - low) * t,
    "quadratic": lambda t, low, high: low + (high - low) * t**2,
    "square_root": lambda t, low, high: low + (high - low) * np.sqrt(t),
    "logistic": lambda t, low, high: expit(logit(low) + (logit(high) - logit(low)) * t),
}


def truth(curve, bins, low, high=None, frequency_tilt=None):
    """A truth in which half of the clicks are happy.

    Arguments: `curve`, a name in CURVES; `bins`, their number K; `low`, rho of the first bin; and one of
    `high`, rho of the last bin, and `frequency_tilt` c, which makes bin k as frequent as exp(c (k - 1)).
    The one left out is solved for so that sum_k p_k rho_k = 1/2.

    >>> default = truth("quadratic", 15, low=0.05, frequency_tilt=0.2)
    >>> float(default.posterior[-1].round(3))
    0.798
    >>> float(truth("linear", 15, low=0.1, high=0.9).frequency.round(4)[0])
    0.0667
    """
    if (high is None) == (frequency_tilt is None):
        raise ValueError(f"truth {curve}: give one of high and frequency_tilt; the other follows from it")
    position = np.linspace(0, 1, bins)

    def build(high, tilt):
        weights = np.exp(tilt * np.arange(bins))
        return Truth(CURVES[curve](position, low, high), weights / weights.sum())

    def excess(high, tilt):
        candidate = build(high, tilt)
        return candidate.frequency @ candidate.posterior - 0.5

    if high is None:
        if not excess(low, frequency_tilt) <= 0 <= excess(1 - 1e-9, frequency_tilt):
            raise ValueError(
                f"truth {curve}: no P(happy) in the last bin makes half of the clicks happy at "
                f"frequency_tilt {frequency_tilt:g}; take one nearer 0"
            )
        return build(brentq(excess, low, 1 - 1e-9, args=(frequency_tilt,), xtol=1e-14), frequency_tilt)
    # A curve that is symmetric about 1/2 needs no tilt: an exact 0, not a root-finder's 1e-17.
    if abs(excess(high, 0.0)) < 1e-12:
        return build(high, 0.0)
    return build(high, brentq(lambda tilt: excess(high, tilt), -5, 5, xtol=1e-14))
