"""The estimators by name: one entry each, from which everything else that names an estimator is made.

The schema of config.yaml, the options of `wsclust fit`, the legends and colours of the figures and the names
in tables all read the entries below. A new estimator is a module in `estimators/` and an entry here.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any

from wsclust.estimators.additive import additive
from wsclust.estimators.additive_influence import additive_influence
from wsclust.estimators.direct import direct, direct_influence
from wsclust.estimators.latent import latent
from wsclust.estimators.latent_influence import latent_influence
from wsclust.estimators.logistic import logistic_main, logistic_saturated
from wsclust.estimators.moments import moments, moments_influence
from wsclust.estimators.oracle import oracle
from wsclust.settings import ITERATION, PRIOR, WEIGHT, Setting, standard_deviation


@dataclass(frozen=True)
class Entry:
    """What the project knows of an estimator.

    `estimate` is the estimator, from GroupedCounts (from KnownOutcomes where `needs_outcomes`) and its
    settings to an Estimate, and `influence`, if there is a formula, gives the influences of the groups on it,
    for standard errors by the information. `title`, `colour` (a name of `plots.palette`) and `marker` are its
    look, which its variants in figures have too: methods of config.yaml such as ridge_strong. Where variants are
    drawn beside each other, `looks` has the colour and marker of some by what follows the estimator's name, and
    the others take spare ones. `bounded` tells whether its estimates are within [0, 1]; `weighs_events`, whether a
    group counts by its events rather than once; `sparse`, whether it fits counts kept only where events occur;
    `caution`, what a user of it is always told, and `caution_of_intervals`, what is added where there are intervals.
    """

    estimate: Callable
    title: str
    colour: str
    marker: str
    settings: Mapping[str, Setting] = field(default_factory=lambda: MappingProxyType({}))
    looks: Mapping[str, tuple[str, str]] = field(default_factory=lambda: MappingProxyType({}))
    influence: Callable | None = None
    needs_outcomes: bool = False
    bounded: bool = True
    weighs_events: bool = True
    sparse: bool = False
    caution: str | None = None
    caution_of_intervals: str | None = None

    def complete(self, name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The settings with their defaults; ValueError, one line, on one that is unknown or has a wrong value."""
        for setting, value in settings.items():
            if setting not in self.settings:
                known = (
                    f"it has {', '.join(f'{s}=...' for s in self.settings)}"
                    if self.settings
                    else "it has none"
                )
                raise ValueError(f"{setting}={value}: no setting of the {name} estimator; {known}")
            if value is not None:
                self.settings[setting].check(setting, value)
        given = {setting: value for setting, value in settings.items() if value is not None}
        defaults = {name: s.default for name, s in self.settings.items() if s.default is not None}
        return {**defaults, **given}

    def marks(self, settings: Mapping[str, Any]) -> list[str]:
        """What tells one fit of this estimator from another: "W_H = 10" for each setting that has a symbol.

        >>> entry("latent").marks({"he_weight": float("inf"), "solver": "em"})
        ['W_H = inf']
        """
        return [
            f"{setting.symbol} = {settings[name]:g}"
            for name, setting in self.settings.items()
            if setting.symbol and settings.get(name) is not None
        ]


ESTIMATORS: Mapping[str, Entry] = MappingProxyType(
    {
        "direct": Entry(
            direct,
            "direct",
            "blue",
            "s",
            settings=PRIOR,
            influence=direct_influence,
            sparse=True,
            caution="bins come out too close together",
            caution_of_intervals="the intervals are of that estimate: they seldom hold P(happy | bin)",
        ),
        "moments": Entry(
            moments,
            "moments",
            "orange",
            "D",
            influence=moments_influence,
            bounded=False,
            weighs_events=False,
        ),
        "latent": Entry(
            latent,
            "latent",
            "green",
            "o",
            settings={**WEIGHT, **ITERATION, **PRIOR},
            # At W_H = 10 as the estimator; at W_H = 0, where labels only start the fit, a look of its own.
            looks={"wh10": ("green", "o"), "wh0": ("pink", "p")},
            influence=latent_influence,
            sparse=True,
        ),
        "additive": Entry(
            additive,
            "additive",
            "wine",
            "v",
            settings={
                **WEIGHT,
                "ordered": Setting(
                    None,
                    "factors whose levels are in order, for a trend along them",
                    "names of factors",
                    lambda value: isinstance(value, Collection),
                    {"type": "array", "items": {"type": "string"}},
                    "A,B,...",
                ),
                "numeric": Setting(
                    None,
                    "numbers for the bins, such as the mean of a measurement, by the name of a factor or a new one",
                    "a mapping from a name to one number per bin",
                    lambda value: isinstance(value, Mapping),
                    {"type": "object"},
                ),
                "deviation_sd": standard_deviation(
                    0.3, "SD of the bins about the sum of the factors", zero=True
                ),
                "main_sd": standard_deviation(10.0, "SD of the effects of the levels, in log-odds"),
                "ordered_sd": standard_deviation(
                    0.3, "SD of the levels of an ordered factor about its trend"
                ),
                **ITERATION,
                **PRIOR,
            },
            influence=additive_influence,
            sparse=True,
        ),
        "oracle": Entry(oracle, "oracle", "ink", "^", needs_outcomes=True),
        "logistic_main": Entry(
            logistic_main,
            "logistic, main effects",
            "vermilion",
            "P",
            needs_outcomes=True,
        ),
        "logistic_saturated": Entry(
            logistic_saturated,
            "logistic, saturated",
            "sky",
            "X",
            needs_outcomes=True,
        ),
    }
)


def entry(name: str) -> Entry:
    """The entry of an estimator; ValueError that lists the names where there is none.

    >>> entry("moments").bounded
    False
    """
    if name not in ESTIMATORS:
        raise ValueError(f"estimator {name!r} is not one of {', '.join(ESTIMATORS)}")
    return ESTIMATORS[name]


def from_labels() -> list[str]:
    """The estimators that need the labels alone, and so serve on data whose outcomes nobody knows.

    >>> from_labels()
    ['direct', 'moments', 'latent', 'additive']
    """
    return [name for name, known in ESTIMATORS.items() if not known.needs_outcomes]


def settings_of(names: Iterable[str]) -> dict[str, Setting]:
    """Every setting of these estimators, by name; estimators that share a name share the setting.

    >>> list(settings_of(["latent"]))
    ['he_weight', 'tolerance', 'max_iterations', 'solver', 'prior', 'pseudo_events']
    """
    return {setting: known for name in names for setting, known in entry(name).settings.items()}


def written_settings(names: Iterable[str]) -> dict[str, Setting]:
    """Those of the settings that a command or a file can give; a mapping of arrays only Python can.

    >>> sorted(settings_of(["additive"]).keys() - written_settings(["additive"]))
    ['numeric']
    """
    return {
        name: setting
        for name, setting in settings_of(names).items()
        if setting.schema.get("type") != "object"
    }


def variant_of(method: str) -> tuple[str, str] | None:
    """The estimator that a method's name begins with, and what follows; None where it is no variant of any.

    >>> variant_of("latent_wh10"), variant_of("logistic_main"), variant_of("best")
    (('latent', 'wh10'), None, None)
    """
    if method in ESTIMATORS:
        return None
    named = [name for name in ESTIMATORS if method.startswith(f"{name}_")]
    longest = max(named, key=len, default=None)
    return longest and (longest, method.removeprefix(f"{longest}_"))


def weight_in(method: str) -> str | None:
    """W_H as the name of a latent method has it, None where it has none.

    >>> weight_in("latent_wh4"), weight_in("latent")
    ('4', None)
    """
    found = re.fullmatch(r"latent_wh(\d+)", method)
    return found and found[1]


def with_settings(name: str, settings: Mapping[str, Any]) -> Callable:
    """An estimator with its settings: a function of the data alone.

    >>> from wsclust.counts import GroupedCounts
    >>> estimate = with_settings("latent", {"he_weight": 10})
    >>> estimate(GroupedCounts([[8, 2], [3, 7]], label=[0.8, 0.3])).posterior.round(1)
    array([0.8, 0.3])
    """
    known = entry(name)
    return partial(known.estimate, **known.complete(name, settings))
