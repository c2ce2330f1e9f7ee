"""Fit an estimator to counts: by its name in the registry, or by the functions that the package exports.

>>> from wsclust.counts import GroupedCounts
>>> data = GroupedCounts([[80, 20], [30, 70], [50, 50]], label=[0.8, 0.3, 0.5])
>>> latent(data, he_weight=float("inf"))
latent fit: 2 bins, 3 groups, W_H = inf, converged in 12
>>> latent(data, he_weight=float("inf")).posterior.round(2)
array([0.92, 0.09])
"""

import warnings
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter, cleandoc, signature
from types import MappingProxyType
from typing import Any, Concatenate, ParamSpec

from scipy.sparse import issparse

from wsclust import registry
from wsclust.check.doubts import labels_do_not_vary
from wsclust.columns.bin_order import in_alphabet_alone, orders_in_bins
from wsclust.counts import GroupedCounts
from wsclust.estimators.estimate import Estimate
from wsclust.fits import Fit
from wsclust.outcomes import KnownOutcomes

P = ParamSpec("P")


def fit(method: str, data: GroupedCounts | KnownOutcomes, **settings: Any) -> Fit:
    """Fit an estimator of the registry by name.

    Raises ValueError, one line that names the setting or the group, on an unknown method or setting, on a wrong
    value, on a single group, and where all labels are the same.

    >>> from wsclust.counts import GroupedCounts
    >>> fit("moments", GroupedCounts([[8, 2], [2, 8], [5, 5]], label=[0.9, 0.1, 0.5])).posterior.round(3)
    array([ 1.167, -0.167])
    """
    return _fit(method, data, settings)


def _fit(method, data, settings):
    """A Fit; what is warned of is warned of where the caller's caller stands."""
    known = registry.entry(method)
    complete = known.complete(method, settings)
    if known.needs_outcomes and not isinstance(data, KnownOutcomes):
        raise ValueError(f"{method} needs the outcomes: KnownOutcomes instead of {type(data).__name__}")
    if not known.needs_outcomes:
        if not (isinstance(data, GroupedCounts) or hasattr(data, "grouped")):
            raise ValueError(
                f"{method}: the data are of type {type(data).__name__}; expected GroupedCounts, such as "
                "GroupedCounts.from_events(events, labels, factors=[...])"
            )
        data = data if isinstance(data, GroupedCounts) else data.grouped
        if issparse(data.counts) and not known.sparse:
            can = " or ".join(name for name, other in registry.ESTIMATORS.items() if other.sparse)
            n_groups, n_bins = data.counts.shape
            raise ValueError(
                f"method {method}: not for {n_groups:,} groups x {n_bins:,} bins kept as the cells that occur; "
                f"take {can}, or factors with fewer levels"
            )
        if len(data.label) < 2:
            raise ValueError(
                f"group {data.groups[0]!r}: the only group; at least 2 groups with different labels are needed"
            )
        if labels_do_not_vary(data.label):
            raise ValueError(
                f"all labels are {data.label[0]:.6g}: nothing tells the bins apart, and the one honest answer is "
                f"{data.mean_label:.6g} in every bin; labels that differ between groups are needed"
            )
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        if complete.get("ordered"):
            complete["ordered"] = _placed(data.bins, complete["ordered"])
        estimate = known.estimate(data, **complete)
    for warning in raised:
        warnings.warn(warning.message, warning.category, stacklevel=3)
    said = (UserWarning, RuntimeWarning)
    remarks = tuple(str(warning.message) for warning in raised if issubclass(warning.category, said))
    return Fit(method, MappingProxyType(complete), data, estimate, remarks)


def _placed(bins, ordered):
    """The ordered factors with their levels in order; warns where nothing but the alphabet places them."""
    orders = orders_in_bins(bins, ordered)
    for name, levels in orders.items():
        is_given = isinstance(ordered, Mapping) and ordered[name] is not None
        if levels is not None and not is_given and in_alphabet_alone(levels):
            warnings.warn(
                f"ordered: the levels of {name!r} are taken in the order of the alphabet, "
                f"{', '.join(map(repr, levels))}; give their order where the events are counted, or as "
                f"ordered={{{name!r}: [...]}}",
                stacklevel=2,
            )
    return orders


def _fitted(
    method: str, estimate: Callable[Concatenate[Any, P], Estimate]
) -> Callable[Concatenate[Any, P], Fit]:
    """The public form of an estimator: its data and settings are the arguments, and a Fit comes back."""

    @wraps(estimate)
    def fitted(data, *arguments: P.args, **settings: P.kwargs) -> Fit:
        names = list(registry.entry(method).settings)
        if len(arguments) > len(names):
            raise TypeError(f"{method} takes the data and at most {len(names)} settings")
        in_order = dict(zip(names, arguments, strict=False))
        if twice := in_order.keys() & settings:
            raise TypeError(f"{method}: {sorted(twice)[0]} is given twice, by its place and by its name")
        return _fit(method, data, in_order | settings)

    shown = signature(estimate)
    first, *others = shown.parameters.values()
    data = first.replace(kind=Parameter.POSITIONAL_ONLY)
    settings = [parameter for parameter in others if parameter.name in registry.entry(method).settings]
    fitted.__signature__ = shown.replace(parameters=[data, *settings], return_annotation=Fit)
    fitted.__annotations__ = {**{p.name: p.annotation for p in (data, *settings)}, "return": Fit}
    # From 3.13 on Python itself takes the indentation out.
    about, _, details = cleandoc(estimate.__doc__).partition("\n")
    fitted.__doc__ = (
        f"{about}\n\nGives a Fit; what is said below of the answer is said of its `estimate`.\n{details}"
    )
    return fitted


additive = _fitted("additive", registry.additive)
direct = _fitted("direct", registry.direct)
moments = _fitted("moments", registry.moments)
latent = _fitted("latent", registry.latent)
oracle = _fitted("oracle", registry.oracle)
logistic_main = _fitted("logistic_main", registry.logistic_main)
logistic_saturated = _fitted("logistic_saturated", registry.logistic_saturated)
