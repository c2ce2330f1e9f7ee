"""An audit: labels and looked-up outcomes with the answer that they give, and all that one asks of it.

It is to `audit.audited` as a `Fit` is to an estimator: the same table, summary and plot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy.sparse import issparse

from wsclust.audit.audited import AuditedFit, audited
from wsclust.audit.mismatch import Mismatch
from wsclust.audit.outcomes import AuditedOutcomes
from wsclust.audit.verdict import Verdict
from wsclust.audit.words import above_a_plot, contradictions, for_json, sentences
from wsclust.check.doubts import doubts_of
from wsclust.columns.bin_order import orders_in_bins
from wsclust.counts import GroupedCounts
from wsclust.json_values import in_brief
from wsclust.posterior_table import posterior_table
from wsclust.report import Report, labels_used

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from wsclust.fits import Fit


@dataclass(frozen=True, eq=False, repr=False)
class Audit:
    """The answer of labels and looked-up outcomes together.

    `data` are the GroupedCounts, `outcomes` what was looked up, `weak` the Fit whose shape is the prior, or None,
    `settings` (ordered, label_scores, new_groups) and `estimate` the AuditedFit, with `log_odds`, `intercepts` and the
    `weights` of the priors.
    """

    data: GroupedCounts
    outcomes: AuditedOutcomes
    weak: Fit | None
    settings: Mapping[str, Any]
    estimate: AuditedFit = field(repr=False)

    def __repr__(self) -> str:
        n_groups, n_bins = self.data.counts.shape
        said = f", {self.weak.method} answer {self.verdict}" if self.verdict is not None else ""
        return f"audited fit: {n_bins:,} bins, {n_groups:,} groups, {self.outcomes.size:,} outcomes looked up{said}"

    @property
    def posterior(self) -> np.ndarray:
        """P(happy | bin), (K,), one value per row of `bins`."""
        return self.estimate.posterior

    @property
    def bins(self) -> pd.DataFrame:
        """The factor levels of each bin, one row per bin."""
        return self.data.bins

    @property
    def verdict(self) -> Verdict | None:
        """Whether the weak answer is better than the mean, as far as the audit tells; None without one."""
        return self.estimate.verdict

    @property
    def mismatch(self) -> Mismatch:
        """Whether outcomes and labels belong together."""
        return self.estimate.mismatch

    def to_frame(self, level: float = 0.95) -> pd.DataFrame:
        """One row per bin: its factors, then n (events after any cap), posterior, se, lower and upper.

        `se` is the posterior's standard deviation; the interval, approximate, is for `level`. Raises ValueError where
        a factor has the name of a column above.
        """
        table = posterior_table(self.data, self.posterior, self.estimate.sd)
        table["lower"], table["upper"] = self.estimate.interval(level)
        return table

    def groups(self) -> pd.DataFrame:
        """One row per group: group, label, events, and the events looked up, `audited`, with the happy among them."""
        return pd.DataFrame(
            {
                "group": self.data.groups,
                "label": self.data.label,
                "events": self.data.drawn_sizes,
                "audited": self.outcomes.events.sum(axis=1).astype(int),
                "happy": self.outcomes.happy.sum(axis=1).astype(int),
            }
        )

    def report(self) -> Report:
        """Table, words and warnings in one, as `wsclust fit --audit` writes them."""
        data, weak = self.data, self.weak
        lines = [
            *doubts_of(data, bounds_rare_bins=True),
            *(weak.remarks if weak is not None else ()),
            *contradictions(self.estimate),
        ]
        events = data.events
        summary = {
            "method": "audited",
            "weak_method": None if weak is None else weak.method,
            "settings": {name: in_brief(value) for name, value in self.settings.items()},
            "groups": len(data.label),
            "events": int(events) if events.is_integer() else events,
            "bins": len(data.bins),
            "cap": data.capped_at,
            "labels": labels_used(data, data.noise is not None),
            "iterations": None if weak is None else weak.iterations,
            "converged": None if weak is None else weak.converged,
            "audit": {**for_json(self.estimate), "left_out": self.outcomes.left_out},
            "check": None,
        }
        return Report(self.to_frame(), summary, {}, tuple(dict.fromkeys(lines)), self._sentences)

    @property
    def _sentences(self):
        return tuple(sentences(self.estimate, None if self.weak is None else self.weak.method))

    def summary(self) -> str:
        """What `wsclust fit --audit` prints: the table, the verdict in words and warnings."""
        return str(self.report())

    def plot(self, ax: Axes | None = None) -> Axes:
        """The audited posteriors with their intervals, on `ax`, or below the verdict on a figure of their own."""
        from wsclust.plots.posterior import draw, draw_on

        look = self.weak.method if self.weak is not None else "direct"
        if ax is None:
            return draw(self.to_frame(), self.data.mean_label, look, above_a_plot(self._sentences)).axes[0]
        draw_on(ax, self.to_frame(), self.data.mean_label, look)
        return ax

    def save(self, table: str | PathLike, summary: str | PathLike | None = None) -> None:
        """Write the table as CSV and, where asked, the summary as JSON: both or none."""
        self.report().save(table, summary)


def audit_of(
    data: GroupedCounts,
    outcomes: AuditedOutcomes | pd.DataFrame,
    weak: Fit | None = None,
    ordered=None,
    label_scores: bool = False,
    new_groups: bool = False,
    group: str = "group",
) -> Audit:
    """The Audit of data, outcomes and a weak answer; arguments and errors as `auditing.audited`."""
    if issparse(data.counts):
        n_groups, n_bins = data.counts.shape
        raise ValueError(
            f"audit: not of {n_groups:,} groups x {n_bins:,} bins; take factors with fewer levels"
        )
    if weak is not None and not hasattr(weak.estimate, "happy"):
        raise ValueError(
            f"audit: the {weak.method} fit has no shape that could be a prior; take the additive or the latent method"
        )
    if weak is not None and not np.array_equal(weak.grouped.counts, data.counts):
        raise ValueError("audit: the weak fit is of other counts; fit it to the same data")
    if not isinstance(outcomes, AuditedOutcomes):
        outcomes = AuditedOutcomes.from_table(outcomes, data, group)
    if ordered is None:
        ordered = () if weak is None else weak.settings.get("ordered", ())
    orders = orders_in_bins(data.bins, ordered)
    found = audited(data, outcomes, None if weak is None else weak.estimate, orders, label_scores, new_groups)
    settings = {"ordered": orders or (), "label_scores": label_scores, "new_groups": new_groups}
    if weak is not None:
        settings = {**weak.settings, **settings}
    return Audit(data, outcomes, weak, settings, found)
