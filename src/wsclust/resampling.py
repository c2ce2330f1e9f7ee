"""Standard errors by half-samples of the groups (section 4, "Standard error estimates").

Half of the groups are drawn without replacement and the estimator is fitted to them, many times. The SD of
these estimates is the standard error of the full sample's estimate, with no scale factor: a half-sample
varies about the full sample as the full sample does about the truth. In simulations at the paper's settings
it is .93 (J = 5) to .96 (J = 100) of the true SD.
"""

import warnings

import numpy as np

from wsclust.estimators.fit import ConvergenceWarning


def half_sample_posteriors(estimator, data, subsamples, rng, **settings):
    """The estimator's posterior on each of many half-samples of the groups: (subsamples, K).

    Arguments as `half_sample_errors`. Fits that did not converge are counted in one warning.
    """
    if subsamples < 2:
        raise ValueError(f"subsamples {subsamples}: at least 2 are needed for a standard error")
    rows, unconverged = [], 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # one warning for all, below, instead of one a half-sample
        for _ in range(subsamples):
            fit = estimator(data.half_sample(rng), **settings)
            rows.append(fit.posterior)
            unconverged += not fit.converged
    if unconverged:
        warnings.warn(
            f"{unconverged} of {subsamples} half-samples did not converge",
            ConvergenceWarning,
            stacklevel=2,
        )
    return np.array(rows)


def half_sample_errors(estimator, data, subsamples, rng, **settings):
    """Standard error of an estimator's posterior: the SD over half-samples of the groups.

    Arguments: `estimator`, a function of GroupedCounts (or KnownOutcomes) that returns a Fit; `data`, what
    it takes; `subsamples`, how many half-samples; `rng`, a numpy Generator; `settings` for the estimator.
    Returns (K,); NaN in a bin that fewer than two half-samples could estimate.

    Raises ValueError where `subsamples` is below 2 or half of the groups is none.

    >>> from wsclust.counts import GroupedCounts
    >>> from wsclust.estimators.direct import direct
    >>> data = GroupedCounts([[9, 1], [8, 2], [2, 8], [1, 9]], label=[0.9, 0.7, 0.2, 0.2])
    >>> half_sample_errors(direct, data, 100, np.random.default_rng(1)).round(2)
    array([0.17, 0.15])
    """
    posteriors = half_sample_posteriors(estimator, data, subsamples, rng, **settings)
    known = np.isfinite(posteriors).sum(axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a bin with too few estimates is NaN, as said
        return np.where(known >= 2, np.nanstd(posteriors, axis=0, ddof=1), np.nan)
