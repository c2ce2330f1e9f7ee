"""How well fits of a planned study will do, by simulation: what the formulas promise only for much data."""

import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd

from wsclust.counts import GroupedCounts
from wsclust.estimators.estimate import ConvergenceWarning
from wsclust.estimators.latent import latent
from wsclust.estimators.likelihood import sigmoid
from wsclust.label_noise import with_label_noise
from wsclust.planning.ratings import spread_over


@dataclass(frozen=True, eq=False)
class Simulated:
    """Fits to simulated data: `estimates` (runs, K), `posterior` (K,) the truth, `unconverged` fits.

    A bin that had no estimate in some run is averaged over the other runs.
    """

    estimates: np.ndarray
    posterior: np.ndarray
    unconverged: int

    @property
    def bias(self):
        """Mean estimate less the truth, (K,)."""
        return np.nanmean(self.estimates, axis=0) - self.posterior

    @property
    def sd(self):
        """SD of the estimates over runs, (K,)."""
        return np.nanstd(self.estimates, axis=0, ddof=1)

    @property
    def rmse(self):
        """Root of the mean squared error, (K,)."""
        return np.sqrt(np.nanmean((self.estimates - self.posterior) ** 2, axis=0))

    def summary(self):
        """Two sentences, one per line."""
        runs = len(self.estimates)
        failed = f"; {self.unconverged} of them did not converge" if self.unconverged else ""
        return (
            f"simulated, {runs} data sets fitted: standard error of a bin, mean (worst): {_mean_and_worst(self.sd)}\n"
            f"their bias, mean absolute (worst): {_mean_and_worst(np.abs(self.bias))}; root of the mean squared "
            f"error {_mean_and_worst(self.rmse)}{failed}"
        )

    def to_dict(self):
        """Means over the bins, for JSON."""
        return {
            "runs": len(self.estimates),
            "unconverged": int(self.unconverged),
            "standard_error": float(np.nanmean(self.sd)),
            "bias": float(np.nanmean(np.abs(self.bias))),
            "rmse": float(np.nanmean(self.rmse)),
        }

    def to_frame(self):
        """One row per bin: bin, posterior (the truth), bias, sd, rmse, runs (those with an estimate)."""
        return pd.DataFrame(
            {
                "bin": np.arange(1, len(self.posterior) + 1),
                "posterior": self.posterior,
                "bias": self.bias,
                "sd": self.sd,
                "rmse": self.rmse,
                "runs": np.isfinite(self.estimates).sum(axis=0),
            }
        )


def latent_fit(data, label_sd=0.0):
    """The fit that `wsclust fit` makes by itself: W_H = infinity, on calibrated labels where they have an error."""
    return latent(with_label_noise(data, label_sd), he_weight=np.inf)


def drawn(design, rng):
    """One data set of a Design: GroupedCounts (I, K) with the labels sigma(HE_i), or y_i / r_i of rated events.

    The clicks of each group are the design's, rounded to a whole number. Data of rated events know of their noise.

    >>> from wsclust.planning.design import Design
    >>> drawn(Design.from_curve(4, 100, bins=3), np.random.default_rng(1)).sizes
    array([100., 100., 100., 100.])
    """
    quality = design.mu_mean + design.mu_sd * rng.standard_normal(design.groups)
    evaluation = quality + design.label_sd * rng.standard_normal(design.groups)
    clicks = round(design.clicks)
    happy = rng.binomial(clicks, sigmoid(quality))
    counts = rng.multinomial(happy, design.happy) + rng.multinomial(clicks - happy, design.sad)
    if design.rated is None:
        return GroupedCounts(counts, sigmoid(evaluation))
    rated = spread_over(design.rated, design.groups)
    label = rng.binomial(rated.astype(int), sigmoid(quality)) / np.maximum(rated, 1)
    return with_label_noise(GroupedCounts(counts, label), rated=rated)


def simulate(design, runs, rng, estimator):
    """Fit `runs` data sets of a Design, and say how far the estimates are off.

    Arguments: a Design; the number of data sets, 2 or more; a numpy Generator; `estimator`, a function from
    GroupedCounts to a Fit, which should be the one that will be used. Returns a Simulated.

    Raises ValueError where `runs` is below 2.

    >>> from wsclust.estimators.direct import direct
    >>> from wsclust.planning.design import Design
    >>> found = simulate(Design.from_curve(50, 20, bins=2), 30, np.random.default_rng(1), direct)
    >>> found.bias.round(1), found.sd.round(2)
    (array([ 0.4, -0.4]), array([0.02, 0.02]))
    """
    if not runs >= 2:
        raise ValueError(f"runs {runs}: at least 2 are needed for a standard deviation")
    estimates, unconverged = [], 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # counted instead
        for _ in range(runs):
            fit = estimator(drawn(design, rng))
            estimates.append(fit.posterior)
            unconverged += not fit.converged
    return Simulated(np.array(estimates), design.posterior, unconverged)


def _mean_and_worst(values):
    return f"{np.nanmean(values):.4f} ({np.nanmax(values):.4f})"
