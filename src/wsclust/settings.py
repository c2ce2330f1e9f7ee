"""What a setting of an estimator is, and the settings that several estimators have: their defaults and values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Setting:
    """A setting of an estimator: its default, what it means, and which values it may have.

    `allowed` says in words what is expected; `accepts` tells whether a value is. `schema` is the same as JSON
    schema, for config.yaml. `default` None leaves the choice to the estimator. `symbol`, if there is one, stands
    before the value in the name of a fit, as W_H does in "latent, W_H = 10".
    """

    default: Any
    meaning: str
    allowed: str
    accepts: Callable[[Any], bool]
    schema: Mapping[str, Any]
    metavar: str = "X"
    symbol: str | None = None

    def check(self, name: str, value: Any) -> None:
        """Raise ValueError, one line, where this is no value of the setting."""
        try:
            right = self.accepts(value)
        except TypeError:
            right = False
        if not right:
            raise ValueError(f"{name}={value}: expected {self.allowed}")


def _is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


MOST_PSEUDO_EVENTS = 10**9  # beyond, the events themselves are lost in the last digits of sums

PRIOR = {
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
        f"a number above 0, at most {MOST_PSEUDO_EVENTS:g}",
        lambda value: 0 < value <= MOST_PSEUDO_EVENTS,
        {"type": "number", "exclusiveMinimum": 0, "maximum": MOST_PSEUDO_EVENTS},
        "A",
    ),
}


# Of a standard deviation in log-odds: the penalties are 1 / SD^2, and beyond these floats cannot add them up.
LEAST_SD, MOST_SD = 1e-6, 1e6


def standard_deviation(default, meaning, zero=False):
    """The Setting of a standard deviation in log-odds, which may be 0 where `zero` is given."""
    return Setting(
        default,
        meaning,
        f"{'0, or ' if zero else ''}a number from {LEAST_SD:g} to {MOST_SD:,.0f}",
        lambda value: (zero and value == 0) or LEAST_SD <= value <= MOST_SD,
        {"type": "number", "minimum": 0 if zero else LEAST_SD, "maximum": MOST_SD},
        "SD",
    )


# Of an iteration, whichever estimator makes it.
ITERATION = {
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


WEIGHT = {
    "he_weight": Setting(
        float("inf"),
        "W_H, how far the labels are believed: infinity takes them as exact, or calibrated; a finite one, 1 / variance "
        "of a label's error in logits, lets events move them, which cost accuracy on real events; 0 lets them only "
        "start the fit",
        "0, a number from 1e-6, or infinity",
        lambda value: value == 0 or value >= 1e-6,
        {"type": "number", "minimum": 0},
        "W",
        "W_H",
    )
}
