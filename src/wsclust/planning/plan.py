"""A plan: what standard errors a Design will give, in events and in groups, and whether to believe it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from wsclust.planning.by_groups import LABEL_SDS, lines_of
from wsclust.planning.design import Design
from wsclust.planning.equivalents import groups_needed, weak_per_labelled
from wsclust.planning.fisher import Variances, audited_variance, variances
from wsclust.planning.words import caution_of, for_json, sentences

AUDITED = 100  # events, where nothing is said


@dataclass(frozen=True, eq=False)
class Plan:
    """What a study can tell: the `design`, its `variances`, and `needed`, standard error -> groups.

    With noisy labels it describes fits with W_H = infinity to calibrated labels. A fit that is told W_H =
    1 / sigma_H^2 learns of the groups from their events too: in simulations it varied up to a third less
    where sigma_H is 1 and events are many per group.

    `weak_per_labelled` and `weak_per_labelled_exact` are the weak events that equal one labelled event, with
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
        """The labelled events that a bin's weak events equal, on average over the bins."""
        clicks = self.design.groups * self.design.clicks
        return clicks / self.weak_per_labelled / len(self.design.posterior)

    @property
    def labelled_of_bins(self) -> np.ndarray:
        """The same for each bin, (K,), by how frequent it is."""
        return self.labelled_per_bin * len(self.design.posterior) * self.design.frequency

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
        return caution_of(self)

    def summary(self) -> str:
        """Six sentences, one per line, and a caution where it is needed."""
        return sentences(self)

    def to_dict(self) -> dict:
        """The design and what follows from it, as numbers for JSON; standard errors are means over the bins."""
        return for_json(self)

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
        events equal at least 15 labelled ones).
        """
        return lines_of(self, groups, label_sds)


def plan(design: Design, standard_errors: Sequence[float] = (0.02, 0.01), audit: int = AUDITED) -> Plan:
    """What a Design will be able to tell, by Fisher information: milliseconds, and no simulation.

    Arguments: a Design; `standard_errors`, the mean standard errors of a bin for which the groups needed are
    wanted; `audit`, events whose outcomes are looked up beside the labels, 0 for none. Returns a Plan. Raises
    ValueError where a standard error is not above 0, `audit` is below 0, and where the information is singular.

    >>> print(plan(Design.from_curve(500, 100, label_sd=0.5)).summary())
    50,000 events in 500 groups of 100, 15 bins
    between groups: SD of the share 0.208, intraclass correlation 0.174, reliability of the labels 0.80
    standard error of a bin, mean (worst): every event labelled 0.0084 (0.0127); exact shares 0.0192 (0.0221);
    these labels 0.0224 (0.0243)
    one labelled event tells as much as 7.7 weak events with exact shares, 10.7 with these labels: 50,000 weak
    events equal 4,657 labelled ones (310 per bin)
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
