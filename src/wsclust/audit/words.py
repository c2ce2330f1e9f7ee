"""What an audit says, in sentences and as a dict fit for JSON."""

import numpy as np

from wsclust.audit.mismatch import ALARM
from wsclust.audit.verdict import BETTER, MISLEADING, UNDECIDED

MEANINGS = {
    BETTER: "the labels alone would have done better than the mean for every bin, and the audit gives them their scale",
    MISLEADING: "the labels alone would have done worse than the mean for every bin, and the audit makes up for it",
    UNDECIDED: "whether the labels alone do better than the mean for every bin is not known yet",
}
RECORD = (
    "On 40 real designs on which no choice was made, the verdict was wrong in at most 7% of the audits in which it "
    "decided, and in at most 4% with 50 events or more."
)
RECORD_OF_NOISY = (
    "Where labels were shares of 5 rated events it was wrong in at most 15%, so rely on the table rather "
    "than on it."
)

NOT_YET = (
    "But outcomes and labels contradict each other, so use neither this verdict nor the table before that is cleared "
    "up; the warnings say what to look at."
)


def sentences(found, weak="weak"):
    """The verdict on the weak answer, what follows from it, and what the audit is worth: lines for the user.

    Arguments: `found`, an AuditedFit; `weak`, the name of the weak answer's method.

    >>> from wsclust.audit.audited import audited
    >>> from wsclust.audit.outcomes import AuditedOutcomes
    >>> from wsclust.counts import GroupedCounts
    >>> data = GroupedCounts([[50, 50], [30, 70], [70, 30]], label=[0.5, 0.4, 0.6])
    >>> looked_up = AuditedOutcomes([[9, 1], [9, 2], [9, 1]], [[1, 9], [1, 8], [1, 9]])
    >>> sentences(audited(data, looked_up, weak=[1.0, -1.0]), "latent")[0]
    'Verdict on the latent answer, from 60 events looked up: better than the mean (probability above .999).'
    """
    lines, verdict = [], found.verdict
    if verdict is not None:
        lines.append(
            f"Verdict on the {weak} answer, from {found.audited:,} event{'' if found.audited == 1 else 's'} looked up: "
            f"{verdict} (probability {_probability(verdict.probability)})."
        )
        if found.mismatch.alarm:
            return [*lines, NOT_YET]
        record = f"{RECORD} {RECORD_OF_NOISY}" if found.mismatch.noisy else RECORD
        lines.append(f"That is: {MEANINGS[verdict.word]}. {record}")
        if np.isfinite(verdict.slope):
            lines.append(
                f"The audited answer takes {verdict.slope:.2f} of the {weak} answer's log-odds (standard error "
                f"{verdict.slope_sd:.2f}) where it uses its shape, and gives a weight of {1 - verdict.trust:.2f} to "
                "not using it."
            )
    if found.mismatch.alarm:
        return [*lines, NOT_YET]
    lines.append(
        f"Labels and audit together are worth about {found.worth:,.0f} labelled events alone. The table has this "
        "audited answer, with approximate 95% intervals; it is the one to use, whatever the verdict."
    )
    return lines


def above_a_plot(lines):
    """Of the `sentences`, what a plot must not be without: the verdict, and that it is not to be used yet.

    >>> above_a_plot(["Verdict.", "That is: good.", NOT_YET]) == f"Verdict.\\n{NOT_YET}"
    True
    """
    return "\n".join([lines[0], *(line for line in lines[1:] if line == NOT_YET)])


def contradictions(found):
    """Lines on how outcomes and labels do not match, none where they do.

    Argument: `found`, an AuditedFit. A figure beyond 3 standard errors is said, and each outcome that a label of 0
    or 1 forbids.
    """
    figures = found.mismatch
    lines = []
    if figures.contradictions:
        lines.append(
            f"audit: {figures.contradictions:,} outcome{'s are' if figures.contradictions > 1 else ' is'} not as a "
            "label of 0 or 1 says; either these outcomes or these labels are wrong"
        )
    if abs(figures.level) > ALARM:
        often = "more often" if figures.level > 0 else "less often"
        lines.append(
            f"audit: the events looked up are happy {often} than the labels of their "
            f"groups say (z = {figures.level:.1f}); check the outcomes, their coding and how the events were drawn"
        )
    if figures.disagrees:
        what = (
            "the outcomes go against the labels, as if coded the other way round"
            if figures.is_reversed
            else "the outcomes follow the labels of their groups less than shares would be followed"
            if figures.agreement < 0
            else "the outcomes follow the labels of their groups more than shares would be followed"
        )
        lines.append(
            f"audit: {what} (z = {figures.agreement:.1f}); check the coding and the groups' names, and whether the "
            "labels are scores instead of counted shares (label_scores)"
        )
    return lines


def for_json(found):
    """The audit as a dict fit for JSON: events, verdict, slope, weight of no weak shape, worth, mismatch.

    Argument: `found`, an AuditedFit. What there is not is None, infinity is "inf".
    """
    verdict, figures = found.verdict, found.mismatch
    said = {
        "verdict": None if verdict is None else verdict.word,
        "meaning": None if verdict is None else MEANINGS[verdict.word],
        "probability_better_than_mean": None if verdict is None else verdict.probability,
        "skill_of_weak_answer": None if verdict is None else verdict.skill,
        "label_about_more": None if verdict is None else verdict.more,
        "slope": None if verdict is None else verdict.slope,
        "slope_se": None if verdict is None else verdict.slope_sd,
        "weight_of_no_weak_shape": None if verdict is None else 1 - verdict.trust,
    }
    return {
        "events": found.audited,
        **{name: _plain(value) for name, value in said.items()},
        "worth_labelled_events": _plain(found.worth),
        "mismatch": {
            "level_z": _plain(figures.level),
            "agreement_z": _plain(figures.agreement),
            "contradictions": figures.contradictions,
            "alarm": figures.alarm,
        },
    }


def _probability(value):
    if np.isnan(value):
        return "unknown"
    if value > 0.999:
        return "above .999"
    return "below .001" if value < 0.001 else f"{value:.3f}".removeprefix("0")


def _plain(value):
    if isinstance(value, float):
        return "inf" if np.isinf(value) else None if np.isnan(value) else float(value)
    return value
