"""Weakly supervised clustering: P(happy | bin) from groups whose share of happy events is known.

The names below are loaded when first used, so that a program pays only for what it needs.

>>> import wsclust
>>> data = wsclust.GroupedCounts([[8, 2], [3, 7]], label=[0.8, 0.3])
>>> wsclust.direct(data).posterior.round(3)
array([0.638, 0.427])
"""

from importlib import import_module

_DEFINED_IN = {
    "GroupedCounts": "wsclust.counts",
    "KnownOutcomes": "wsclust.outcomes",
    "direct": "wsclust.estimators.direct",
    "moments": "wsclust.estimators.moments",
    "latent": "wsclust.estimators.latent",
    "additive": "wsclust.estimators.additive",
    "oracle": "wsclust.estimators.oracle",
    "logistic_main": "wsclust.estimators.logistic",
    "logistic_saturated": "wsclust.estimators.logistic",
    "half_sample_errors": "wsclust.resampling",
    "Options": "wsclust.fit_options",
    "fit_table": "wsclust.fitting",
    "held_out_errors": "wsclust.evaluation",
}

__all__ = list(_DEFINED_IN)
__version__ = "0.1.0"


def __getattr__(name):
    if name not in _DEFINED_IN:
        raise AttributeError(f"module 'wsclust' has no attribute {name!r}")
    return getattr(import_module(_DEFINED_IN[name]), name)


def __dir__():
    return sorted([*globals(), *__all__])
