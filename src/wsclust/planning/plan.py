"""A plan: what standard errors a Design will give, in clicks and in groups, and whether to believe it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from wsclust.planning.design import Design
from wsclust.planning.equivalents import groups_needed, weak_per_labelled
from wsclust.planning.fisher import Variances, audited_variance, variances

# The SD of simulated fits to exact or calibrated labels, by the formula (`replication.information`): .89 to
# 1.11 from FAIR labelled equivalents per bin on, .77 to 1.04 between the two, .36 to .84 below FEW, where
# bounds and priors hold the estimates.
FEW, FAIR = 15, 40
AUDITED = 100  # events, where nothing is said
# With 4 rated events fits varied up to half more than the formula says, with 20 no more (same study).
FEW_RATED = 10
LABEL_SDS = 0.25, 0.5, 1.0  # the lines of the picture, beside exact shares and the design's own


@dataclass(frozen=True, eq=False)
class Plan:
    """What a study can tell: the `design`, its `variances`, and `needed`, standard error -> groups.

    With noisy labels it describes fits with W_H = infinity to calibrated labels. A fit that is told W_H =
    1 / sigma_H^2 learns of the groups from their clicks too: in simulations it varied up to a third less
    where sigma_H is 1 and clicks are many per group.

    `weak_per_labelled` and `weak_per_labelled_exact` are the weak clicks that equal one labelled click, with
    the design's labels and with exact shares. `audit` is a number of events whose outcomes are looked up beside
    the labels, and `audited` (K,) the variances with them where the model holds; 0 and None without.
    """

    design: Design
    variances: Variances
    weak_per_labelled: float
    weak_per_labelled_exact: float
    needed: dict
    audit: int = 0
    audited: np.ndarray | None = None

    @property
    def standard_error(self) -> np.ndarray:
        """The standard error of each bin with the design's labels, (K,)."""
        return np.sqrt(self.variances.labels)

    @property
    def labelled_per_bin(self) -> float:
        """The labelled clicks that a bin's weak clicks equal, on average over the bins."""
        clicks = self.design.groups * self.design.clicks
        return clicks / self.weak_per_labelled / len(self.design.posterior)

    @property
    def audit_in_groups(self) -> float:
        """How many more groups would lower the mean standard error as much as the audit does."""
        if self.audited is None:
            return 0.0
        return self.design.groups * float(
            (self.standard_error.mean() / np.sqrt(self.audited).mean()) ** 2 - 1
        )

    @property
    def caution(self) -> str | None:
        """How far the formula can be believed; None where it is within about 10%."""
        rated = self.design.rated
        if self.labelled_per_bin >= FAIR:
            if rated is None or rated.mean() >= FEW_RATED:
                return None
            return (
                f"{rated.mean():.2g} rated events per group: too few to tell well how far groups differ, which the "
                "formula takes for known, so fits may vary up to half more than it says; simulate"
            )
        equal = f"a bin's clicks equal only {_rounded(self.labelled_per_bin)} labelled ones"
        if self.labelled_per_bin >= FEW:
            return f"{equal}: fits may vary up to 25% less than the formula says"
        return f"{equal}: too few for the formula, which is no guide below {FEW}, so simulate instead"

    def summary(self) -> str:
        """Six sentences, one per line, and a caution where it is needed."""
        design, found = self.design, self.variances
        clicks = design.groups * design.clicks
        kinds = ("every click labelled", found.labelled), ("exact shares", found.exact_shares)
        if design.noisy:
            kinds += (("these labels", found.labels),)
        errors = "; ".join(f"{name} {_mean_and_worst(variance)}" for name, variance in kinds)
        weak = f"{self.weak_per_labelled_exact:.3g} weak clicks with exact shares"
        if design.noisy:
            weak += f", {self.weak_per_labelled:.3g} with these labels"
        needed = "; ".join(f"{error:g} needs {groups:,} groups" for error, groups in self.needed.items())
        lines = [
            f"{clicks:,.0f} clicks in {design.groups:,} groups of {design.clicks:,.4g}, "
            f"{len(design.posterior)} bins",
            f"between groups: SD of the share {design.share_sd:.3f}, intraclass correlation "
            f"{design.intraclass_correlation:.3f}, reliability of the labels {design.reliability:.2f}",
            f"standard error of a bin, mean (worst): {errors}",
            f"one labelled click tells as much as {weak}: {clicks:,.0f} weak clicks equal "
            f"{clicks / self.weak_per_labelled:,.0f} labelled ones ({_rounded(self.labelled_per_bin)} per "
            "bin)",
        ]
        if needed:
            lines.append(f"a mean standard error of {needed}")
        if self.audited is not None:
            lines.append(
                f"an audit of {self.audit:,} events beside the labels: {_mean_and_worst(self.audited)} if the model "
                f"holds, as {_rounded(self.audit_in_groups)} more groups would give; and it tells whether the labels' "
                "answer holds"
            )
        if self.caution:
            lines.append(f"caution: {self.caution}")
        return "\n".join(lines)

    def to_dict(self) -> dict:
        """The design and what follows from it, as numbers for JSON; standard errors are means over the bins."""
        design, found = self.design, self.variances
        kinds = {
            "every_click_labelled": found.labelled,
            "exact_shares": found.exact_shares,
            "these_labels": found.labels,
        }
        return {
            "groups": int(design.groups),
            "clicks_per_group": float(design.clicks),
            "bins": len(design.posterior),
            "share": design.share,
            "share_sd": design.share_sd,
            "intraclass_correlation": float(design.intraclass_correlation),
            "label_sd": float(design.label_sd),
            "label_n": None if design.rated is None else float(design.rated.mean()),
            "reliability": float(design.reliability),
            "standard_error": {name: float(np.sqrt(variance).mean()) for name, variance in kinds.items()},
            "worst_standard_error": {
                name: float(np.sqrt(variance).max()) for name, variance in kinds.items()
            },
            "weak_per_labelled": {
                "exact_shares": self.weak_per_labelled_exact,
                "these_labels": self.weak_per_labelled,
            },
            "labelled_per_bin": float(self.labelled_per_bin),
            "groups_needed": {f"{error:g}": groups for error, groups in self.needed.items()},
            "audit": None
            if self.audited is None
            else {
                "events": int(self.audit),
                "standard_error": float(np.sqrt(self.audited).mean()),
                "worst_standard_error": float(np.sqrt(self.audited).max()),
                "worth_more_groups": self.audit_in_groups,
            },
            "caution": self.caution,
        }

    def to_frame(self) -> pd.DataFrame:
        """One row per bin: bin, posterior, frequency, and three or four standard errors.

        They are se_labelled, se_exact_shares, se, that of the design's labels, and with an audit se_audited.
        """
        found = self.variances
        table = pd.DataFrame(
            {
                "bin": np.arange(1, len(self.design.posterior) + 1),
                "posterior": self.design.posterior,
                "frequency": self.design.frequency,
                "se_labelled": np.sqrt(found.labelled),
                "se_exact_shares": np.sqrt(found.exact_shares),
                "se": self.standard_error,
            }
        )
        return table if self.audited is None else table.assign(se_audited=np.sqrt(self.audited))

    def lines(
        self, groups: Sequence[int] | None = None, label_sds: Sequence[float] = LABEL_SDS
    ) -> pd.DataFrame:
        """The picture's data: mean standard error against the number of groups, one line per kind of label.

        Arguments: `groups`, the numbers of groups (default 25, from a tenth to ten times the design's);
        `label_sds`, the labels' errors to draw beside 0 and the design's own labels. Returns a frame: labels
        (in words), own (whether they are the design's), groups, standard_error, asymptotic (whether a bin's
        clicks equal at least 15 labelled ones).
        """
        design = self.design
        if groups is None:
            groups = np.geomspace(design.groups / 10, design.groups * 10, 25)
        groups = np.unique(np.maximum(np.rint(np.asarray(groups, dtype=float)), 1))
        designs = [design.with_label_sd(sd) for sd in sorted({0.0, design.label_sd, *label_sds})]
        if design.rated is not None:
            designs.append(design)
        kinds = [("every click labelled", False, self.variances.labelled, 1.0)]
        for other in designs:
            found = variances(other)
            own = (other.label_sd, other.rated is None) == (design.label_sd, design.rated is None)
            kinds.append((_labels(other), own, found.labels, weak_per_labelled(found.labels, found)))
        frames = []
        for labels, own, variance, weak in kinds:
            equivalents = groups * design.clicks / weak / len(design.posterior)
            frames.append(
                pd.DataFrame(
                    {
                        "labels": labels,
                        "own": own,
                        "groups": groups.astype(int),
                        "standard_error": np.sqrt(variance).mean() * np.sqrt(design.groups / groups),
                        "asymptotic": equivalents >= FEW,
                    }
                )
            )
        return pd.concat(frames, ignore_index=True)


def plan(design: Design, standard_errors: Sequence[float] = (0.02, 0.01), audit: int = AUDITED) -> Plan:
    """What a Design will be able to tell, by Fisher information: milliseconds, and no simulation.

    Arguments: a Design; `standard_errors`, the mean standard errors of a bin for which the groups needed are
    wanted; `audit`, events whose outcomes are looked up beside the labels, 0 for none. Returns a Plan. Raises
    ValueError where a standard error is not above 0, `audit` is below 0, and where the information is singular.

    >>> print(plan(Design.from_curve(500, 100, label_sd=0.5)).summary())
    50,000 clicks in 500 groups of 100, 15 bins
    between groups: SD of the share 0.208, intraclass correlation 0.174, reliability of the labels 0.80
    standard error of a bin, mean (worst): every click labelled 0.0084 (0.0127); exact shares 0.0192 (0.0221);
    these labels 0.0224 (0.0243)
    one labelled click tells as much as 7.7 weak clicks with exact shares, 10.7 with these labels: 50,000 weak
    clicks equal 4,657 labelled ones (310 per bin)
    a mean standard error of 0.02 needs 630 groups; 0.01 needs 2,518 groups
    an audit of 100 events beside the labels: 0.0221 (0.0242) if the model holds, as 14 more groups would give;
    and it tells whether the labels' answer holds
    """
    if not audit >= 0:
        raise ValueError(f"audit {audit:g}: expected a number of events, 0 or more")
    found = variances(design)
    return Plan(
        design,
        found,
        weak_per_labelled(found.labels, found),
        weak_per_labelled(found.exact_shares, found),
        {error: groups_needed(design, found.labels, error) for error in standard_errors},
        audit,
        audited_variance(design, found, audit) if audit else None,
    )


def _labels(design):
    """What labels a design has, in words.

    >>> _labels(Design.from_curve(500, 100)), _labels(Design.from_curve(500, 100, label_sd=0.5))
    ('exact shares', 'error SD 0.5')
    """
    if design.rated is None:
        return f"error SD {design.label_sd:g}" if design.label_sd else "exact shares"
    least, most = design.rated.min(), design.rated.max()
    return f"{least:g} rated events" if least == most else f"{least:g} to {most:g} rated events"


def _rounded(number):
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"


def _mean_and_worst(variance):
    error = np.sqrt(variance)
    return f"{error.mean():.4f} ({error.max():.4f})"
