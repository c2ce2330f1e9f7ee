"""A fit: an estimate together with the data and the settings that it came from, and all that one asks of it.

Half-samples, standard errors, intervals, the check, tables and plots come from the fit itself, so none of them
can be of other data or other settings. The fit never changes; what takes long is computed when first asked for.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from wsclust import registry
from wsclust.audit.outcomes import AuditedOutcomes
from wsclust.audits import Audit, audit_of
from wsclust.check.doubts import levels_of_few
from wsclust.check.figures import check_fit
from wsclust.check.verdicts import Check
from wsclust.check.words import in_two_lines
from wsclust.counts import GroupedCounts
from wsclust.estimators.additive import AdditiveEstimate
from wsclust.estimators.estimate import Estimate, LatentEstimate
from wsclust.frames import places_of_events, refuse_missing_columns
from wsclust.group_table import table_of_groups
from wsclust.half_samples import HALF_SAMPLES
from wsclust.intervals import SOURCES
from wsclust.outcomes import KnownOutcomes
from wsclust.posterior_table import posterior_table
from wsclust.report import Report, report_of
from wsclust.seeds import generator
from wsclust.standard_errors import by_half_samples, by_information, half_samples_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Seed = int | np.random.Generator
Progress = Callable[[int, int, str], None]  # called with the fits done and to do, and what they are


def _quiet(done: int, total: int, what: str) -> None:
    """No progress is shown."""


@dataclass(frozen=True, eq=False, repr=False)
class Fit:
    """An estimate of rho_k = P(happy | bin), with its data and settings.

    `method` is the estimator's name in `registry`, `settings` all its settings, `data` the GroupedCounts (or
    KnownOutcomes) that it was fitted to and `estimate` what the estimator returned: `estimate.happy`, `sad`
    and `share` of a latent fit are w_1, w_0 and sigma(mu_i). `remarks` are the warnings that it gave.
    Wherever a method takes `rng`, it is a seed, whose streams are those of `wsclust fit --seed`, or a numpy
    Generator.
    """

    method: str
    settings: Mapping[str, Any]
    data: GroupedCounts | KnownOutcomes
    estimate: Estimate
    remarks: tuple[str, ...] = ()
    _kept: dict = field(default_factory=dict, init=False)

    def __repr__(self) -> str:
        n_groups, n_bins = self.grouped.counts.shape
        marks = "".join(f", {mark}" for mark in self._marks)
        how = "converged in" if self.converged else "NOT converged in"
        iterated = f", {how} {self.iterations}" if self.iterations else ""
        marks += ", calibrated labels" if self.calibrates else ""
        return f"{self.method} fit: {n_bins:,} bins, {n_groups:,} groups{marks}{iterated}"

    @property
    def posterior(self) -> np.ndarray:
        """P(happy | bin), (K,), one value per row of `bins`."""
        return self.estimate.posterior

    @property
    def iterations(self) -> int:
        """Iterations made, 0 where the estimate is a formula."""
        return int(self.estimate.iterations)

    @property
    def converged(self) -> bool:
        """Whether the tolerance was reached."""
        return bool(self.estimate.converged)

    @property
    def objective(self) -> np.ndarray:
        """What was maximised, one value per iteration; empty where the estimate is a formula."""
        return self.estimate.objective

    @property
    def grouped(self) -> GroupedCounts:
        """The data as an estimator from labels sees them."""
        return self.data if isinstance(self.data, GroupedCounts) else self.data.grouped

    @property
    def bins(self) -> pd.DataFrame:
        """The factor levels of each bin, one row per bin."""
        return self.grouped.bins

    @property
    def estimator(self) -> Callable[[Any], Estimate]:
        """The estimator with this fit's settings: a function of other data."""
        return partial(registry.entry(self.method).estimate, **self.settings)

    def half_samples(
        self, count: int = HALF_SAMPLES, rng: Seed = 1, progress: Progress = _quiet
    ) -> np.ndarray:
        """The posterior on each of `count` random halves of the groups, (count, K).

        The groups are drawn from an order of their own, so that neither the order of the rows nor that of the
        files that they came from changes a digit. Raises ValueError where `count` is below 2.
        """
        return half_samples_of(self, count, self._stream(rng, "half-samples"), progress)

    def standard_errors(
        self,
        se: str = "half-samples",
        rng: Seed = 1,
        half_samples: int = HALF_SAMPLES,
        progress: Progress = _quiet,
    ) -> np.ndarray:
        """Standard error of each posterior, (K,), by half-samples of the groups or by the information.

        NaN in a bin with fewer than 10 events, where the prior's pseudo-observations keep estimates together
        whatever the data, and, by the information, in a bin that fewer than 5 groups have. Raises ValueError on
        another `se`, and where a method has no formula for its information.
        """
        if se not in SOURCES:
            raise ValueError(f"se={se}: expected {' or '.join(SOURCES)}")
        if se == "information":
            return by_information(self)
        return by_half_samples(self, self.half_samples(half_samples, rng, progress))

    def to_frame(
        self,
        rng: Seed = 1,
        se: str = "half-samples",
        half_samples: int = HALF_SAMPLES,
        progress: Progress = _quiet,
    ) -> pd.DataFrame:
        """One row per bin: its factors, then n (events after any cap), posterior, se, lower and upper (95%).

        Arguments as `standard_errors`; `half_samples=0` leaves se and interval empty. Intervals are within
        [0, 1] where the method's estimates are. Raises ValueError where a factor has the name of a column above.
        """
        if se == "half-samples" and half_samples == 0:
            standard_errors = np.full(len(self.posterior), np.nan)
        else:
            standard_errors = self._once(
                ("se", se, rng, half_samples), lambda: self.standard_errors(se, rng, half_samples, progress)
            )
        return posterior_table(
            self.grouped, self.posterior, standard_errors, registry.entry(self.method).bounded
        )

    def groups(
        self, events: pd.DataFrame | None = None, group: str = "group", count: str | None = None
    ) -> pd.DataFrame:
        """One row per group: group, label, events, and of a latent fit share, lower, upper and excess.

        `share` is the fitted share of happy events, sigma(mu_i), with its 95% interval, and `excess` how much more
        its counts vary than the fit says, about 1 where the model holds (`check.misfit`). Where labels are taken as
        exact or calibrated (W_H = infinity) the share is theirs, and there is no interval; at W_H = 0 neither.

        Argument: `events`, a frame with the columns `group`, the factors and, where named, `count`. Its groups that
        have no label follow, their label empty: their share is the one of largest likelihood given w_0 and w_1, and
        the interval is by likelihood, wider where groups vary more than the fit says. The mean of the scores of a
        group's events is no such estimate: it is drawn towards the mean of all.

        Warns of events in bins that the fit does not have. Raises ValueError on a missing column, and on `events`
        where the method has no shares of groups.
        """
        data = self.grouped
        if isinstance(self.estimate, LatentEstimate):
            return table_of_groups(data, self.estimate, self.settings["he_weight"], events, group, count)
        if events is not None:
            raise ValueError(
                f"{self.method}: no shares of groups; latent variables models have them, such as latent"
            )
        return pd.DataFrame({"group": data.groups, "label": data.label, "events": data.drawn_sizes})

    def effects(self) -> pd.DataFrame:
        """What each level of each factor adds to the log-odds of happy: factor, level, log_odds and se.

        se is NaN for a level with fewer than 10 events or in fewer than 5 groups, as for such a bin. Raises ValueError
        where the method has no effects: only the additive model does.
        """
        if not isinstance(self.estimate, AdditiveEstimate):
            raise ValueError(f"{self.method}: no effects of levels; the additive method has them")
        effects = self.estimate.effects()
        for factor in self.bins:
            rare = effects["level"].isin(levels_of_few(self.grouped, factor))
            effects.loc[rare & (effects["factor"] == factor), "se"] = np.nan
        return effects

    def check(self, rng: Seed = 1, progress: Progress = _quiet) -> Check:
        """Whether the fit can be believed, as far as labels can tell: figures and verdict.

        Raises ValueError where the method is no latent variables model: there is nothing to check by.
        """
        if not self.has_check:
            raise ValueError(f"{self.method}: no check; only latent variables models are checked")
        return self._once(
            ("check", rng),
            lambda: check_fit(
                self.estimator,
                self.data.in_group_order(),
                self.estimator(self.data.in_group_order()),
                lambda role: self._stream(rng, f"check {role}"),
                partial(self.estimator, he_weight=np.inf),
                progress,
            ),
        )

    @property
    def calibrates(self) -> bool:
        """Whether the fit puts expected shares in the place of labels that are known to be noisy."""
        return "he_weight" in self.settings and self.grouped.noise is not None

    @property
    def has_check(self) -> bool:
        """Whether `check` is for this method."""
        return isinstance(self.estimate, LatentEstimate)

    def audit(
        self,
        outcomes: AuditedOutcomes | pd.DataFrame,
        label_scores: bool = False,
        new_groups: bool = False,
        group: str = "group",
    ) -> Audit:
        """The answer that a few looked-up outcomes make of this fit, whose shape is then a prior.

        Arguments as `auditing.audited`. Raises ValueError where the method has no shape: the additive and the latent
        method have.
        """
        return audit_of(
            self.grouped, outcomes, self, label_scores=label_scores, new_groups=new_groups, group=group
        )

    def predict(self, events: pd.DataFrame) -> pd.Series:
        """The posterior of each event's bin, NaN where the fit has not seen it.

        Argument: a frame with the fit's factors as columns. Raises ValueError where one is missing.
        """
        factors = list(self.bins.columns)
        refuse_missing_columns(events, "events", factors)
        places = places_of_events(self.bins, events)
        if len(places) and (places < 0).all() and not isinstance(self.estimate, AdditiveEstimate):
            warnings.warn(
                "no event is in a bin of the fit; cut numbers and name empty values as in the data that were fitted",
                stacklevel=2,
            )
        values = np.where(places >= 0, self.posterior[places], np.nan)
        if isinstance(self.estimate, AdditiveEstimate):
            values = np.where(places >= 0, values, self.estimate.predict_bins(events[factors]))
        return pd.Series(values, index=events.index, name="posterior")

    def compare(self, *others: Fit) -> pd.DataFrame:
        """The posteriors of fits to the same bins side by side: factors, n, and one column per fit.

        Fits of one name are told apart by their place among the arguments. Raises ValueError on other bins.
        """
        names = [fit._name for fit in (self, *others)]
        table = self.bins.assign(n=self.grouped.totals)
        for place, (name, fit) in enumerate(zip(names, (self, *others), strict=True), start=1):
            if not fit.bins.astype(str).equals(self.bins.astype(str)):
                raise ValueError(f"{fit!r}: its bins are not those of {self!r}")
            column = name if names.count(name) == 1 else f"{name} ({place})"
            table[column] = fit.posterior
        return table

    @property
    def _name(self):
        return f"{self.method} ({', '.join(self._marks)})" if self._marks else self.method

    @property
    def _marks(self):
        return registry.entry(self.method).marks(self.settings)

    def report(self, **options: Any) -> Report:
        """Table, check and warnings in one, as `wsclust fit` writes them.

        Options: `se`, "half-samples" or "information"; `half_samples`, how many, 0 for no standard errors; `rng`;
        `check`, whether to check a latent variables model; `progress`, called with the fits done and to do and what
        they are.
        """
        return report_of(self, **options)

    def summary(self, rng: Seed = 1) -> str:
        """What `wsclust fit` prints: how the fit went, its table, verdict and warnings."""
        return str(self.report(rng=rng))

    def plot(self, ax: Axes | None = None, rng: Seed = 1) -> Axes:
        """The posteriors with intervals, one row per bin, on `ax`, or below the verdict on a figure of their own."""
        from wsclust.plots.posterior import draw, draw_on

        table, share = self.to_frame(rng), self.grouped.mean_label
        if ax is None:
            note = in_two_lines(self.check(rng)) if self.has_check else None
            return draw(table, share, self.method, note).axes[0]
        draw_on(ax, table, share, self.method)
        return ax

    def save(self, table: str | PathLike, summary: str | PathLike | None = None, rng: Seed = 1) -> None:
        """Write the table as CSV and, where asked, the summary as JSON: both or none."""
        self.report(rng=rng).save(table, summary)

    def _once(self, key, compute):
        """What was computed before from the same seed; a Generator gives something new each time."""
        if any(isinstance(part, np.random.Generator) for part in key):
            return compute()
        if key not in self._kept:
            self._kept[key] = compute()
        return self._kept[key]

    def _stream(self, rng, role):
        return rng if isinstance(rng, np.random.Generator) else generator(rng, "fit", self.method, role=role)
