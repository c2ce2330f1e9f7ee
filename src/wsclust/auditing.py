"""Group labels and a few looked-up outcomes to one answer: the function that the package exports."""

from collections.abc import Collection

import pandas as pd

from wsclust.audit.outcomes import AuditedOutcomes
from wsclust.audits import Audit, audit_of
from wsclust.counts import GroupedCounts
from wsclust.fits import Fit
from wsclust.fitting import fit
from wsclust.outcomes import KnownOutcomes


def audited(
    data: GroupedCounts | KnownOutcomes,
    outcomes: AuditedOutcomes | pd.DataFrame,
    weak: Fit | str | None = "additive",
    ordered: Collection[str] | None = None,
    label_scores: bool = False,
    new_groups: bool = False,
    group: str = "group",
) -> Audit:
    """Estimate P(happy | bin) from group labels and a few events whose outcome was looked up.

    Arguments: `data`; `outcomes`, AuditedOutcomes or a frame with one row per event (see
    `AuditedOutcomes.from_table`), perhaps drawn by `audit_sample`; `weak`, the fit of the labels alone whose shape is
    the prior, or its method, "additive" or "latent", or None for no such shape; `ordered`, names of factors whose
    levels are in order (default those of `weak`); `label_scores`, whether the labels are noisy scores instead of
    counted shares; `new_groups`, whether the answer is for groups that the data do not have;
    `group`, the column of a frame of outcomes that has the group's name.

    Returns an Audit. Raises ValueError where outcomes do not fit the data, and where `weak` has no shape.

    >>> data = GroupedCounts([[50, 50], [30, 70], [70, 30]], label=[0.5, 0.4, 0.6])
    >>> looked_up = AuditedOutcomes([[9, 1], [9, 2], [9, 1]], [[1, 9], [1, 8], [1, 9]])
    >>> answer = audited(data, looked_up, weak="latent")
    >>> answer
    audited fit: 2 bins, 3 groups, 60 outcomes looked up, latent answer better than the mean
    >>> answer.posterior.round(1)
    array([0.9, 0.1])
    """
    if isinstance(weak, str):
        weak = fit(weak, data, **({"ordered": ordered} if weak == "additive" and ordered else {}))
    grouped = data if isinstance(data, GroupedCounts) else data.grouped
    return audit_of(grouped, outcomes, weak, ordered, label_scores, new_groups, group)
