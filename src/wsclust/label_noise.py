"""What is known of the noise in labels, kept with the data so that every fit, of halves too, reckons with it.

The labels of the data stay as they were given. An estimator that takes labels for shares (`latent`, `additive`
with W_H = infinity) puts the share that is to be expected given the label in their place (`calibration`), anew on
each half-sample, so that half-samples show how much the calibration itself varies. In simulations at an error of
1 in logits and 100 clicks per group, half-samples calibrated anew gave .98 of the true standard error and a
formula that takes calibrated labels for known .89 (`results/noisy_labels/coverage.csv`). `direct` and `moments`
average labels, which noise does not bias, and use them as they are.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy.special import expit, logit

from wsclust.calibration import (
    LEAST_RELIABLE,
    calibrated_labels,
    labels_from_ratings,
    prior_of_quality,
    quality_given_labels,
)
from wsclust.count_arguments import by_group
from wsclust.counts import GroupedCounts
from wsclust.quadrature import share_moments
from wsclust.ratings_model import (
    common_error_given_ratings,
    draw_shares_given_ratings,
    share_moments_given_ratings,
)

_ROUNDED = 0.005  # how far off a label with two decimals may be


@dataclass(frozen=True, eq=False)
class LabelError:
    """Labels whose logits have an error of these SDs, `sd` (I,)."""

    sd: np.ndarray

    def subset(self, rows) -> "LabelError":
        """Of some groups alone."""
        return replace(self, sd=self.sd[rows])

    def within(self, events: np.ndarray) -> "LabelError":
        """Of groups of so many events (I,)."""
        return self

    def expected(self, label: np.ndarray, events: np.ndarray) -> np.ndarray:
        """E[share | label], (I,)."""
        return calibrated_labels(label, self.sd)

    def variance(self, label: np.ndarray, events: np.ndarray) -> np.ndarray:
        """Var[share of the counted events | label], (I,)."""
        share, variance = share_moments(*quality_given_labels(label, self.sd))
        return np.where(self.sd > 0, _of_events(share, variance, events), 0.0)

    def common(self, label: np.ndarray, events: np.ndarray) -> np.ndarray:
        """How far all E[share | label] are off together for one standard error of the groups' mean quality, (I,)."""
        mean, sd = quality_given_labels(label, self.sd)
        share, variance = share_moments(mean, sd)
        errors = self.sd**2
        total = prior_of_quality(logit(label), errors)[1] + errors  # v + s_i^2
        if not (total > 0).all():  # a label that is exact where all are alike
            return np.zeros(len(label))
        return errors / total * (share * (1 - share) - variance) / np.sqrt(np.sum(1 / total))

    def draw(self, label: np.ndarray, events: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Shares drawn given the labels, (I,): their mean over draws is `expected`."""
        mean, sd = quality_given_labels(label, self.sd)
        return np.where(sd > 0, expit(mean + sd * rng.standard_normal(len(label))), label)

    @property
    def order(self) -> np.ndarray:
        """Numbers that tell groups with the same label apart, (I,)."""
        return self.sd

    def doubts(self, label: np.ndarray, events: np.ndarray) -> Iterator[str]:
        """Lines on a noise that the labels themselves contradict."""
        logits = np.log(label / (1 - label))
        spread, stated = np.std(logits, ddof=1), np.sqrt(np.mean(self.sd**2))
        if stated**2 > (1 - LEAST_RELIABLE) * spread**2:
            yield (
                f"label_sd={stated:.3g}: the labels' logits have an SD of {spread:.3g} in all, so next to nothing "
                "is left that differs between groups, and the answer is a guess; state a smaller error, or get "
                "better labels"
            )

    def describe(self) -> dict:
        """For the summary of a fit."""
        least, most = float(self.sd.min()), float(self.sd.max())
        return {"label_sd": least if least == most else [least, most], "label_n": None}


@dataclass(frozen=True, eq=False)
class RatedEvents:
    """Labels that are the share of happy events among `rated` (I,) of them.

    `among_events` tells whether the rated events are some of those that are counted.
    """

    rated: np.ndarray
    among_events: bool = False

    def subset(self, rows) -> "RatedEvents":
        """Of some groups alone."""
        return replace(self, rated=self.rated[rows])

    def within(self, events: np.ndarray) -> "RatedEvents":
        """Of groups of so many events (I,), of which no more can be rated."""
        return replace(self, rated=np.minimum(self.rated, events)) if self.among_events else self

    def expected(self, label: np.ndarray, events: np.ndarray) -> np.ndarray:
        """E[share | y of r rated events were happy], (I,); with `among_events`, of the counted events."""
        return labels_from_ratings(self.happy(label), self.rated, events if self.among_events else None)

    def variance(self, label: np.ndarray, events: np.ndarray) -> np.ndarray:
        """Var[share of the counted events | y of r rated events were happy], (I,)."""
        share, variance = share_moments_given_ratings(self.happy(label), self.rated)
        if not self.among_events:
            return _of_events(share, variance, events)
        left = events - self.rated
        return np.where(
            left > 0, (left / events) ** 2 * _of_events(share, variance, np.maximum(left, 1)), 0.0
        )

    def common(self, label: np.ndarray, events: np.ndarray) -> np.ndarray:
        """How far all E[share | y of r] are off together for one standard error of the groups' mean quality, (I,)."""
        found = common_error_given_ratings(self.happy(label), self.rated)
        return (events - self.rated) / events * found if self.among_events else found

    def draw(self, label: np.ndarray, events: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Shares drawn given the ratings, (I,): their mean over draws is `expected`."""
        happy = self.happy(label)
        share = draw_shares_given_ratings(happy, self.rated, rng)
        return (happy + (events - self.rated) * share) / events if self.among_events else share

    def happy(self, label: np.ndarray) -> np.ndarray:
        """The rated events that are happy, (I,)."""
        return np.minimum(np.rint(label * self.rated), self.rated)

    @property
    def order(self) -> np.ndarray:
        """Numbers that tell groups with the same label apart, (I,)."""
        return self.rated

    def doubts(self, label: np.ndarray, events: np.ndarray) -> Iterator[str]:
        """Lines on labels that tell nothing."""
        if np.ptp(replace(self, among_events=False).expected(label, events)) == 0:
            yield (
                "label_n: the rated events differ between groups no more than by chance, so the labels tell nothing "
                "of the bins; rate more events in each group"
            )

    def describe(self) -> dict:
        """For the summary of a fit."""
        least, most = float(self.rated.min()), float(self.rated.max())
        rated = [least, most] if least < most else least
        return {"label_sd": None, "label_n": rated, "rated_among_events": self.among_events}


def _of_events(share, variance, events):
    """The variance of the share among n events, v + E[p (1 - p)] / n, of which p has this mean and variance v."""
    return variance + (share * (1 - share) - variance) / events


def with_label_noise(
    data: GroupedCounts,
    label_sd: float | np.ndarray | None = None,
    rated: float | np.ndarray | None = None,
    among_events: bool = False,
) -> GroupedCounts:
    """The same data, whose labels are known to be noisy: fits calibrate them.

    Arguments: `data`, GroupedCounts; either `label_sd`, the SD of the labels' error on the logit scale, one number
    or one per group (I,), where 0 means exact; or `rated`, one number or one per group: the label is the share of
    happy events among so many rated ones. A Series that is indexed by the names of the groups is matched by them.
    With `among_events` the rated events are some of those that are counted, so that a group of which every event is
    rated has an exact label; otherwise they are others, such as those of a survey. With an error of 0 everywhere the
    data are returned as they are.

    Raises ValueError, naming the group, where both or neither is given, where a number is out of its range, where
    a label of 0 or 1 meets an error above 0, where the label is no share of so many rated events, where more are
    rated than counted though they are among them, and where ratings cannot tell how groups differ.

    >>> data = GroupedCounts([[8, 2], [3, 7], [5, 5]], label=[1, 0.2, 0.6])
    >>> with_label_noise(data, rated=5).calibrated().label.round(2)
    array([0.87, 0.32, 0.61])
    """
    if (label_sd is None) == (rated is None):
        raise ValueError("label_sd and label_n: expected one of them, as labels are noisy in one way")
    if label_sd is not None:
        sd = _one_each(data, label_sd, "label_sd", "a finite number of 0 or more")
        if not sd.any():
            return data
        extreme = (sd > 0) & ((data.label == 0) | (data.label == 1))
        _refuse(
            data,
            extreme,
            lambda i: (
                f"label {data.label[i]:g} has an infinite logit, which no error explains; pull the labels off "
                "0 and 1 with clip=0.001 (clip_labels in Python), or give the number of rated events with label_n"
            ),
        )
        noise = LabelError(sd)
    else:
        number = _one_each(data, rated, "label_n", "a number of rated events, 0 or more")
        happy = data.label * number
        off = np.abs(happy - np.rint(happy)) > np.minimum(_ROUNDED * number + 1e-6, 0.5)
        _refuse(
            data,
            off,
            lambda i: (
                f"label {data.label[i]:g} of {number[i]:g} rated events would be {happy[i]:.4g} happy ones; "
                "expected a whole number, so give the share among the rated events as it is"
            ),
        )
        if among_events:
            _refuse(
                data,
                number > data.drawn_sizes,
                lambda i: (
                    f"{number[i]:g} rated of {data.drawn_sizes[i]:g} events; expected no more than there are, or "
                    "leave rated_among_events out"
                ),
            )
        noise = RatedEvents(number, bool(among_events))
    noise.expected(data.label, data.drawn_sizes)  # refuses what cannot be calibrated before any fit
    return replace(data, noise=noise)


def _one_each(data, values, name, expected):
    if isinstance(values, pd.Series) and not isinstance(values.index, pd.RangeIndex):
        values = by_group(values, data.groups, name)
    values = np.asarray(values, dtype=float)
    if values.shape not in ((), (1,), data.label.shape):
        raise ValueError(f"{name}: {values.size} numbers for {len(data.label)} groups; give one, or one each")
    values = np.broadcast_to(values, data.label.shape)
    _refuse(
        data,
        ~((values >= 0) & np.isfinite(values)),
        lambda i: f"{name}={values[i]:g}: expected {expected}",
        single=values.strides == (0,),
    )
    return values


def _refuse(data, wrong, message, single=False):
    if wrong.any():
        i = int(np.argmax(wrong))
        more = f" ({wrong.sum() - 1:,} more such groups)" if wrong.sum() > 1 else ""
        raise ValueError(message(i) if single else f"group {data.groups[i]}: {message(i)}{more}")
