"""Methods by name: an estimator with its settings, as config.yaml lists them.

An entry of `methods` in config.yaml such as ``latent_wh10: {estimator: latent, he_weight: 10}`` becomes a
function from data to a Fit. A new estimator is a module in `estimators/` and a line in the table below.
"""

from functools import partial

from wsclust.estimators.direct import direct
from wsclust.estimators.latent import latent
from wsclust.estimators.logistic import logistic_main, logistic_saturated
from wsclust.estimators.moments import moments
from wsclust.estimators.oracle import oracle

FROM_LABELS = {"direct": direct, "moments": moments, "latent": latent}
FROM_OUTCOMES = {
    "oracle": oracle,
    "logistic_main": logistic_main,
    "logistic_saturated": logistic_saturated,
}


def estimators_of(methods):
    """Functions from GroupedCounts to a Fit, for methods that need the labels alone.

    Argument: `methods`, name -> {"estimator": name, setting: value}. Raises ValueError on an unknown
    estimator, or on one that needs the outcomes.

    >>> fit = estimators_of({"latent_wh10": {"estimator": "latent", "he_weight": 10}})["latent_wh10"]
    >>> from wsclust.counts import GroupedCounts
    >>> fit(GroupedCounts([[8, 2], [3, 7]], label=[0.8, 0.3])).posterior.round(1)
    array([0.8, 0.3])
    """
    return {name: _with_settings(FROM_LABELS, name, method) for name, method in methods.items()}


def predictors_of(methods):
    """Functions from KnownOutcomes to a Fit: methods that need the labels alone see nothing else."""
    predictors = {}
    for name, method in methods.items():
        if method["estimator"] in FROM_OUTCOMES:
            predictors[name] = _with_settings(FROM_OUTCOMES, name, method)
        else:
            estimate = _with_settings(FROM_LABELS, name, method)
            predictors[name] = partial(_blind, estimate)
    return predictors


def _blind(estimate, outcomes):
    return estimate(outcomes.grouped)


def _with_settings(table, name, method):
    settings = dict(method)
    estimator = settings.pop("estimator")
    if estimator not in table:
        raise ValueError(f"method {name}: estimator {estimator!r} is not one of {', '.join(table)}")
    return partial(table[estimator], **settings)
