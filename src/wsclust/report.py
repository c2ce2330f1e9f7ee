"""The report of a fit: its table, how the fit went, whether to believe it, and what to be wary of.

This is what `wsclust fit` prints and writes. The summary is a dict fit for JSON, which has neither infinity nor
NaN: null stands for what there is not, "inf" for infinity.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from wsclust import registry
from wsclust.check.doubts import (
    FEW_GROUPS_OF_A_BIN,
    bins_of_few_groups,
    doubts_of,
    doubts_of_settings,
    factors_of_groups,
    name_of_bin,
    rare_bins,
)
from wsclust.check.misfit import excess_variation, total_variation, worst
from wsclust.check.track_record import CHOSEN_ON, KEPT_APART, record
from wsclust.check.verdicts import CAUTION, Check
from wsclust.check.words import about, sentence, verdict_line
from wsclust.half_samples import FEWEST, HALF_SAMPLES
from wsclust.json_values import in_brief, in_json
from wsclust.posterior_table import factors_of
from wsclust.tables import TABLES, refuse_other_ending, replacing_all, write_table

if TYPE_CHECKING:
    from wsclust.fits import Fit, Seed

NEXT_STEP = (
    "what decides is an audit: draw some 100 events with audit_sample(data, 100), look up their outcomes, and give "
    "them to fit.audit"
)
NARROW_BELOW = 200  # groups
NARROW = (
    f"additive: below {NARROW_BELOW} groups its 95% intervals are too narrow; with 50 groups they held 64 to 91% of "
    "simulated rates"
)
EXACT = (
    "labels were taken as exact; where each is a mean of few ratings, say of how many (--label-n, or with_label_noise "
    "in Python)"
)


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """`table`, one row per bin; `summary`, a dict fit for JSON; `checks`; `warnings`, a tuple of lines.

    `checks` are the Checks by what each fit is of, "" for the only one. `words` are the lines on an audit, which take
    the place of a check's verdict; `next_step` says, behind a check's, what does decide.
    """

    table: pd.DataFrame
    summary: dict[str, Any]
    checks: Mapping[str, Check]
    warnings: tuple[str, ...]
    words: tuple[str, ...] = ()
    next_step: str = NEXT_STEP

    @property
    def check(self) -> Check | None:
        """The Check of the only fit; None where it was not checked, and where there are several."""
        return self.checks.get("")

    @property
    def verdicts(self) -> list[str]:
        """The verdict with its figures, one line for each fit that was checked."""
        return [verdict_line(check, of) for of, check in self.checks.items()]

    @property
    def about_verdicts(self) -> list[str]:
        """How labels were taken, what became of real designs with these verdicts, what no check sees, what decides."""
        if not self.checks:
            return []
        fits = self.summary["segments"].values() if "segments" in self.summary else [self.summary]
        exact = any(map(_takes_labels_as_exact, fits))
        lines = about((check.verdict for check in self.checks.values()), self.next_step)
        return [sentence(EXACT), *lines] if exact else lines

    def __str__(self) -> str:
        found = self.summary
        lines = [
            f"{found['method']}: {found['bins']:,} bins from {found['groups']:,} groups and "
            f"{found['events']:,} events",
            "",
            self.table.to_string(index=False, float_format=lambda value: f"{value:.4g}"),
        ]
        lines += ["", *self.words] if self.words else []
        lines += ["", *(f"Warning: {line}" for line in self.warnings)] if self.warnings else []
        lines += ["", *map(sentence, self.verdicts), *self.about_verdicts] if self.checks else []
        return "\n".join(lines)

    def save(self, table: str | PathLike, summary: str | PathLike | None = None) -> None:
        """Write the table as CSV with 17 digits, or as Parquet, and, where asked, the summary as JSON: both or none."""
        refuse_other_ending(table, "the table", TABLES)
        if summary is not None:
            refuse_other_ending(summary, "the summary", (".json",))
        with replacing_all({"table": table, **({} if summary is None else {"summary": summary})}) as paths:
            self.write(paths["table"])
            if summary is not None:
                paths["summary"].write_text(self.to_json(), encoding="utf-8")

    def write(self, path: str | PathLike) -> None:
        """Write the table as CSV with 17 digits, or as Parquet, whose levels keep their order."""
        write_table(self.table, path, factors_of(self.table))

    def to_json(self, **more: Any) -> str:
        """The summary with the warnings as JSON text, verdicts among them; `more` adds keys to it."""
        verdicts = [verdict_line(check, of) for of, check in self.checks.items() if check.is_warned_of]
        everything = {**self.summary, "warnings": [*self.warnings, *verdicts], **more}
        return json.dumps(everything, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def report_of(
    fit: Fit,
    se: str = "half-samples",
    half_samples: int = HALF_SAMPLES,
    rng: Seed = 1,
    check: bool = True,
    progress: Callable[[int, int, str], None] = lambda done, total, what: None,
) -> Report:
    """The report of a fit.

    Arguments: `se`, "half-samples" or "information", where the standard errors come from; `half_samples`, how many,
    0 for no standard errors; `rng`, a seed or a numpy Generator; `check`, whether to check a latent variables
    model; `progress`, called with the fits done and to do and what they are. Raises ValueError as `Fit.to_frame`.

    >>> from wsclust.counts import GroupedCounts
    >>> from wsclust.fitting import direct
    >>> data = GroupedCounts([[9, 1], [8, 2], [2, 8], [1, 9]], label=[0.9, 0.7, 0.2, 0.2])
    >>> report_of(direct(data), half_samples=0).warnings[0]
    '4 groups: standard errors and estimates are not to be trusted below 20 groups'
    """
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        table = fit.to_frame(rng, se, half_samples, progress)
        found = fit.check(rng, progress) if check and fit.has_check else None
    lines = [*doubts_of(fit.grouped, registry.entry(fit.method).weighs_events), *_doubts_of_fit(fit, table)]
    lines += _doubts_of_errors(fit, table, se, half_samples)
    lines += [
        str(warning.message)
        for warning in raised
        if issubclass(warning.category, (UserWarning, RuntimeWarning))
    ]
    checks = {"": found} if found else {}
    return Report(table, _summary(fit, se, half_samples, rng, found), checks, tuple(dict.fromkeys(lines)))


def _takes_labels_as_exact(summary):
    return summary["labels"]["used"] == "as given" and summary["settings"]["he_weight"] == "inf"


def _doubts_of_fit(fit, table):
    entry, posterior = registry.entry(fit.method), fit.posterior
    if entry.caution:
        more = entry.caution_of_intervals if table["lower"].notna().any() else None
        yield f"{fit.method}: {entry.caution}{f', and {more}' if more else ''}"
    if fit.settings.get("he_weight") == 0:
        yield "he_weight=0: the model is not identified, and the answer depends on where the iteration stops"
    if fit.calibrates:
        data = fit.grouped
        yield from data.noise.doubts(data.label, data.drawn_sizes)
    yield from doubts_of_settings(fit.grouped, fit.settings)
    for factor in factors_of_groups(fit.grouped) if fit.has_check else ():
        apart = f", or fit each of its levels apart, as wsclust fit --by {factor} does"
        yield (
            f"factor {factor!r} is the same in all events of each group, so it tells groups apart and not events, and "
            "the fit makes too much of it and of what goes with it; leave it out"
            + (apart if 2 * fit.bins[factor].nunique() <= len(fit.grouped.label) else "")
        )
    yield from fit.remarks
    if not entry.bounded and (outside := int(((posterior < 0) | (posterior > 1)).sum())):
        yield f"{outside} of {len(posterior)} posteriors are outside [0, 1], and no probabilities"


def _doubts_of_errors(fit, table, se, half_samples):
    if se == "half-samples" and 0 < half_samples < FEWEST:
        yield (
            f"half_samples={half_samples}: standard errors from fewer than {FEWEST} half-samples are themselves "
            "uncertain, and so are the intervals"
        )
    if fit.method == "additive" and len(fit.grouped.label) < NARROW_BELOW and table["lower"].notna().any():
        yield NARROW
    places = np.flatnonzero(bins_of_few_groups(fit.grouped) & ~rare_bins(fit.grouped))
    if se == "information" and len(places):
        some = ", ".join(name_of_bin(fit.grouped, place) for place in places[:3])
        yield (
            f"no interval by the information in {len(places):,} of {len(table):,} bins ({some}"
            f"{', ...' if len(places) > 3 else ''}): fewer than {FEW_GROUPS_OF_A_BIN} groups have them, which do not "
            "show how much they vary; half-samples do better"
        )


def _summary(fit, se, half_samples, rng, check):
    data, events = fit.grouped, fit.grouped.events
    return {
        "method": fit.method,
        "settings": {name: in_brief(value) for name, value in fit.settings.items()},
        "groups": len(data.label),
        "events": int(events) if events.is_integer() else events,
        "bins": len(data.bins),
        "cap": data.capped_at,
        "labels": labels_used(data, fit.calibrates),
        "se": se,
        "half_samples": half_samples if se == "half-samples" else None,
        "seed": rng if isinstance(rng, int) else None,
        "iterations": fit.iterations,
        "converged": fit.converged,
        "objective": float(fit.objective[-1]) if len(fit.objective) else None,
        "check": check and _check_for_json(fit, check),
    }


def labels_used(data, calibrated):
    """How the labels of GroupedCounts were taken, for JSON: as given, or calibrated for the noise that they have."""
    return {"used": "calibrated", **data.noise.describe()} if calibrated else {"used": "as given"}


def _check_for_json(fit, check):
    of_groups, of_bins = excess_variation(fit.grouped, fit.estimate)
    return {
        "verdict": check.verdict,
        "meaning": check.meaning,
        "record": {name: asdict(record(name, check.verdict)) for name in (KEPT_APART, CHOSEN_ON)},
        "caution": CAUTION,
        "bad": check.is_bad,
        "label_r2": in_json(check.label_r2),
        "label_r2_implied": in_json(check.label_r2_implied),
        "shuffle_ratio": in_json(check.shuffle_ratio),
        "label_sd": float(np.std(fit.grouped.label)),
        "total_variation": total_variation(fit.estimate),
        "excess_variation": {
            "bins": worst(fit.bins.to_dict("records"), of_bins),
            "groups": worst([str(group) for group in fit.grouped.groups], of_groups),
        },
    }
