"""The standard errors of a fit, by half-samples of the groups or by the information; none where they would mislead.

Each function takes a Fit.
"""

import numpy as np

from wsclust import registry
from wsclust.check.doubts import bins_of_few_groups, rare_bins
from wsclust.estimators.information import information_standard_errors
from wsclust.half_samples import half_sample_posteriors, sd_over_half_samples


def half_samples_of(fit, count, stream, progress):
    """The posterior on each of `count` random halves of the groups, (count, K), drawn from an order of their own.

    Arguments: the random generator `stream`; `progress`, called after each with the fits done and to do, and what
    they are.
    """
    done = 0

    def counted(half):
        nonlocal done
        estimate = fit.estimator(half)
        done += 1
        progress(done, count, "half-sample")
        return estimate

    return half_sample_posteriors(counted, fit.data.in_group_order(), count, stream)


def by_half_samples(fit, posteriors):
    """The SD over half-samples, (K,), of their posteriors (count, K); NaN in bins with few events."""
    return _of_bins_with_events(fit, sd_over_half_samples(posteriors))


def by_information(fit):
    """The standard errors of the information, (K,); NaN in bins with few events or of few groups.

    Raises ValueError where the method has no formula for it.
    """
    influence = registry.entry(fit.method).influence
    if influence is None:
        raise ValueError(f"se=information: {fit.method} has no formula for it; use se=half-samples")
    found = information_standard_errors(fit.grouped, influence(fit.data, fit.estimate, **fit.settings))
    return _of_bins_with_events(fit, np.where(bins_of_few_groups(fit.grouped), np.nan, found))


def _of_bins_with_events(fit, standard_errors):
    # There the prior's pseudo-observations keep estimates together whatever the data.
    return np.where(rare_bins(fit.grouped), np.nan, standard_errors)
