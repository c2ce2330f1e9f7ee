"""The estimators by name: one entry each, from which everything else that names an estimator is made.

The schema of config.yaml, the options of `wsclust fit`, the legends and colours of the figures and the names
in tables all read the entries below. A new estimator is a module in `estimators/` and an entry here.
"""

from collections.abc import Callable, Collection, Mapping
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


@dataclass(frozen=True)
class Setting:
    """A setting of an estimator: its default, what it means, and which values it may have.

    `allowed` says in words what is expected; `accepts` tells whether a value is. `schema` is the same as JSON
    schema, for config.yaml. `default` None leaves the choice to the estimator.
    """

    default: Any
    meaning: str
    allowed: str
    accepts: Callable[[Any], bool]
    schema: Mapping[str, Any]
    metavar: str = "X"

    def check(self, name: str, value: Any) -> None:
        """Raise ValueError, one line, where this is no value of the setting."""
        try:
            right = self.accepts(value)
        except TypeError:
            right = False
        if not right:
            raise ValueError(f"{name}={value}: expected {self.allowed}")


@dataclass(frozen=True)
class Entry:
    """What the project knows of an estimator.

    `estimate` is the estimator, from GroupedCounts (from KnownOutcomes where `needs_outcomes`) and its
    settings to an Estimate, and `influence`, if there is a formula, gives the influences of the groups on it,
    for standard errors by the information. `title`, `colour` (a name of `plots.palette`) and `marker` are its
    look; `bounded` tells whether its estimates are within [0, 1]; `weighs_events`, whether a group counts by
    its events rather than once; `caution`, what a user of it is always told.
    """

    estimate: Callable
    title: str
    colour: str
    marker: str
    settings: Mapping[str, Setting] = field(default_factory=lambda: MappingProxyType({}))
    influence: Callable | None = None
    needs_outcomes: bool = False
    bounded: bool = True
    weighs_events: bool = True
    caution: str | None = None

    def complete(self, name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The settings with their defaults; ValueError, one line, on one that is unknown or has a wrong value."""
        for setting, value in settings.items():
            if setting not in self.settings:
                known = f"it has {', '.join(self.settings)}" if self.settings else "it has none"
                raise ValueError(f"{setting}={value}: no setting of the {name} estimator; {known}")
            if value is not None:
                self.settings[setting].check(setting, value)
        given = {setting: value for setting, value in settings.items() if value is not None}
        defaults = {name: s.default for name, s in self.settings.items() if s.default is not None}
        return {**defaults, **given}


def _is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


_PRIOR = {
    "prior": Setting(
        "half",
        "what a bin is thought to be before any event is counted: half, as the paper has it, or mean, the mean label",
        "half or mean",
        lambda value: value in ("half", "mean"),
        {"enum": ["half", "mean"]},
    ),
    "pseudo_events": Setting(
        2.0,
        "how many events of a bin that prior is worth",
        "a number above 0",
        lambda value: 0 < value < float("inf"),
        {"type": "number", "exclusiveMinimum": 0},
        "A",
    ),
}


def _standard_deviation(default, meaning, zero=False):
    return Setting(
        default,
        meaning,
        "a finite number, 0 or more" if zero else "a finite number above 0",
        lambda value: (0 <= value if zero else 0 < value) and value < float("inf"),
        {"type": "number", "minimum" if zero else "exclusiveMinimum": 0},
        "SD",
    )


# Of an iteration, whichever estimator makes it.
_ITERATION = {
    "tolerance": Setting(
        None,
        "largest change of a posterior at which the fit stops (1e-8; 1e-5 at W_H = 0)",
        "a number above 0 and below 1, such as 1e-8",
        lambda value: 0 < value < 1,
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
    ),
    "max_iterations": Setting(
        10_000,
        "iterations after which a fit is given up as not converged",
        "a whole number, 1 or more",
        lambda value: _is_whole(value) and value >= 1,
        {"type": "integer", "minimum": 1},
        "N",
    ),
    "solver": Setting(
        "newton",
        "newton: EM and then Newton's method; em: EM alone",
        "newton or em",
        lambda value: value in ("newton", "em"),
        {"enum": ["newton", "em"]},
    ),
}


def _weight(default):
    return Setting(
        default,
        "W_H, how far the labels are believed: infinity takes them as exact, or calibrated; a finite one, 1 / variance "
        "of a label's error in logits, lets events move them, which cost accuracy on real events; 0 for labels that "
        "only start the fit",
        "0, a number from 1e-6, or infinity",
        lambda value: value == 0 or value >= 1e-6,
        {"type": "number", "minimum": 0},
        "W",
    )


ESTIMATORS: Mapping[str, Entry] = MappingProxyType(
    {
        "direct": Entry(
            direct,
            "direct",
            "blue",
            "s",
            settings=_PRIOR,
            influence=direct_influence,
            caution="bins come out too close together, and the intervals are of that estimate: they seldom hold "
            "P(happy | bin)",
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
            settings={"he_weight": _weight(float("inf")), **_ITERATION, **_PRIOR},
            influence=latent_influence,
        ),
        "additive": Entry(
            additive,
            "additive",
            "wine",
            "v",
            settings={
                "he_weight": _weight(float("inf")),
                "ordered": Setting(
                    (),
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
                "deviation_sd": _standard_deviation(
                    0.3, "SD of the bins about the sum of the factors", zero=True
                ),
                "main_sd": _standard_deviation(10.0, "SD of the effects of the levels, in log-odds"),
                "ordered_sd": _standard_deviation(
                    0.3, "SD of the levels of an ordered factor about its trend"
                ),
                **_ITERATION,
                **_PRIOR,
            },
            influence=additive_influence,
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


def with_settings(name: str, settings: Mapping[str, Any]) -> Callable:
    """An estimator with its settings: a function of the data alone.

    >>> from wsclust.counts import GroupedCounts
    >>> estimate = with_settings("latent", {"he_weight": 10})
    >>> estimate(GroupedCounts([[8, 2], [3, 7]], label=[0.8, 0.3])).posterior.round(1)
    array([0.8, 0.3])
    """
    known = entry(name)
    return partial(known.estimate, **known.complete(name, settings))
