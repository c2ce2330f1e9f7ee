"""Three truths for the simulations of noisy labels: designs of 15 bins with mu ~ N(0, 1) or nearly so."""

import numpy as np

from wsclust.planning.design import Design

BINS = 15


def design_of(truth, groups, clicks_per_group, label_sd):
    """The Design of a truth by name.

    * logit: rho from .05 to .95 in even steps of the logit, all bins as frequent;
    * narrow: the same from .25 to .75;
    * quadratic: rho rises with the square from .05 to .8, and the bins' frequency as exp(.2 k).

    >>> design_of("narrow", 500, 20, 0.5).posterior[[0, -1]].round(6)
    array([0.25, 0.75])
    """
    if truth == "quadratic":
        position = np.linspace(0, 1, BINS)
        rho, frequency = 0.05 + 0.75 * position**2, np.exp(0.2 * np.arange(BINS))
        return Design.from_posterior(groups, clicks_per_group, rho, frequency, label_sd=label_sd)
    ends = {"logit": (0.05, 0.95), "narrow": (0.25, 0.75)}
    if truth not in ends:
        raise ValueError(f"truth {truth!r}: expected logit, narrow or quadratic")
    return Design.from_curve(groups, clicks_per_group, BINS, *ends[truth], label_sd=label_sd)
