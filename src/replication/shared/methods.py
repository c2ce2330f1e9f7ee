"""Methods by name: an estimator with its settings, as config.yaml lists them.

An entry of `methods` in config.yaml such as ``latent_wh10: {estimator: latent, he_weight: 10}`` becomes a
function from data to an Estimate.
"""

from functools import partial

from wsclust.registry import entry, from_labels, with_settings


def estimators_of(methods):
    """Functions from GroupedCounts to an Estimate, for methods that need the labels alone.

    Argument: `methods`, name -> {"estimator": name, setting: value}. Raises ValueError on an unknown
    estimator, or on one that needs the outcomes.

    >>> estimate = estimators_of({"latent_wh10": {"estimator": "latent", "he_weight": 10}})["latent_wh10"]
    >>> from wsclust.counts import GroupedCounts
    >>> estimate(GroupedCounts([[8, 2], [3, 7]], label=[0.8, 0.3])).posterior.round(1)
    array([0.8, 0.3])
    """
    for name, method in methods.items():
        if method["estimator"] not in from_labels():
            raise ValueError(
                f"method {name}: estimator {method['estimator']!r} is not one of {', '.join(from_labels())}"
            )
    return {name: _function(method) for name, method in methods.items()}


def predictors_of(methods):
    """Functions from KnownOutcomes to an Estimate: methods that need the labels alone see nothing else."""
    return {
        name: _function(method) if sees_outcomes(method) else partial(_blind, _function(method))
        for name, method in methods.items()
    }


def sees_outcomes(method):
    """Whether a method of config.yaml learns from the outcomes rather than from labels."""
    return entry(method["estimator"]).needs_outcomes


def influences_of(method):
    """The function of data and estimate that gives the groups' influences under a method of config.yaml."""
    known = entry(method["estimator"])
    return partial(known.influence, **known.complete(method["estimator"], _settings(method)))


def is_bounded(method):
    """Whether the estimates of a method of config.yaml are within [0, 1]."""
    return entry(method["estimator"]).bounded


def _blind(estimate, outcomes):
    return estimate(outcomes.grouped)


def _function(method):
    return with_settings(method["estimator"], _settings(method))


def _settings(method):
    return {name: value for name, value in method.items() if name != "estimator"}
