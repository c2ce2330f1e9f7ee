"""Standard errors by half-samples of the groups (section 4, "Standard error estimates").

Half of the groups are drawn without replacement and the estimator is fitted to them, many times. The SD of
these estimates is the standard error of the full sample's estimate, with no scale factor: a half-sample
varies about the full sample as the full sample does about the truth. In simulations at the paper's settings
it is .85 (J = 5) to .96 (J = 100) of the true SD (`results/discussion/resampling.csv`).
"""

import warnings
from collections.abc import Callable

import numpy as np

from wsclust.estimators.estimate import ConvergenceWarning

HALF_SAMPLES = 200  # by default
FEWEST = 50  # below this the standard errors themselves are too uncertain for intervals


def half_sample_posteriors(
    estimator: Callable, data, half_samples: int, rng: np.random.Generator
) -> np.ndarray:
    """The estimator's posterior on each of many half-samples of the groups, (half_samples, K).

    Arguments: `estimator`, a function of GroupedCounts (or KnownOutcomes) that returns an Estimate; `data`, what
    it takes; `half_samples`, how many; `rng`. Fits that did not converge are counted in one warning.

    Raises ValueError where `half_samples` is below 2 or half of the groups is none.
    """
    if half_samples < 2:
        raise ValueError(f"half_samples={half_samples}: at least 2 are needed for a standard error")
    rows, unconverged = [], 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # one warning for all, below, instead of one per half-sample
        for _ in range(half_samples):
            estimate = estimator(data.half_sample(rng))
            rows.append(estimate.posterior)
            unconverged += not estimate.converged
    if unconverged:
        warnings.warn(
            f"{unconverged} of {half_samples} half-samples did not converge",
            ConvergenceWarning,
            stacklevel=2,
        )
    return np.array(rows)


def sd_over_half_samples(posteriors: np.ndarray) -> np.ndarray:
    """The SD of each column, (K,), with ddof = 1: the standard error of the full sample's estimate.

    Argument: `posteriors` (B, K), NaN where a half-sample has no estimate of a bin. A bin that fewer than two
    half-samples could estimate has NaN.

    >>> sd_over_half_samples(np.array([[0.8, np.nan], [0.9, 0.2], [0.95, np.nan]])).round(3)
    array([0.076,   nan])
    """
    known = np.isfinite(posteriors)
    count = known.sum(axis=0)
    mean = np.where(known, posteriors, 0).sum(axis=0) / np.maximum(count, 1)
    squares = np.where(known, posteriors - mean, 0) ** 2
    return np.where(count >= 2, np.sqrt(squares.sum(axis=0) / np.maximum(count - 1, 1)), np.nan)


def half_sample_standard_errors(
    estimator: Callable, data, half_samples: int, rng: np.random.Generator
) -> np.ndarray:
    """Standard error of an estimator's posterior, (K,): the SD over half-samples of the groups.

    Arguments as `half_sample_posteriors`.

    >>> from wsclust.counts import GroupedCounts
    >>> from wsclust.estimators.direct import direct
    >>> data = GroupedCounts([[9, 1], [8, 2], [2, 8], [1, 9]], label=[0.9, 0.7, 0.2, 0.2])
    >>> half_sample_standard_errors(direct, data, 100, np.random.default_rng(1)).round(2)
    array([0.17, 0.15])
    """
    return sd_over_half_samples(half_sample_posteriors(estimator, data, half_samples, rng))
