"""What a Plan says, in sentences and as a dict fit for JSON, and how far it can be believed."""

import numpy as np

from wsclust.planning.equivalents import FAIR, FEW

# With 4 rated events fits varied up to half more than the formula says, with 20 no more (`replication.information`).
FEW_RATED = 10


def caution_of(planned):
    """How far the formula can be believed, in words; None where it is within about 10%."""
    cautions = list(filter(None, [_of_all(planned), _of_rare_bins(planned)]))
    return "; ".join(cautions) or None


def _of_rare_bins(planned):
    of_bins = planned.labelled_of_bins
    rare = int((of_bins < FEW).sum())
    if not rare or planned.labelled_per_bin < FEW:  # then it goes for all of them
        return None
    return (
        f"{rare:,} of {len(of_bins):,} bins are so rare that their events equal fewer than {FEW} labelled ones (the "
        f"rarest {_rounded(of_bins.min())}): the formula is no guide to them, nor to a mean that they are in, so "
        "merge them or simulate"
    )


def _of_all(planned):
    rated = planned.design.rated
    if planned.labelled_per_bin >= FAIR:
        if rated is None or rated.mean() >= FEW_RATED:
            return None
        return (
            f"{rated.mean():.2g} rated events per group: too few to tell well how far groups differ, which the "
            "formula takes for known, so fits may vary up to half more than it says; simulate"
        )
    equal = f"a bin's events equal only {_rounded(planned.labelled_per_bin)} labelled ones"
    if planned.labelled_per_bin >= FEW:
        return f"{equal}: fits may vary up to 25% less than the formula says"
    return f"{equal}: too few for the formula, which is no guide below {FEW}, so simulate instead"


def sentences(planned):
    """Six sentences, one per line, and a caution where it is needed."""
    design, found = planned.design, planned.variances
    clicks = design.groups * design.clicks
    kinds = ("every event labelled", found.labelled), ("exact shares", found.exact_shares)
    if design.noisy:
        kinds += (("these labels", found.labels),)
    errors = "; ".join(f"{name} {_mean_and_worst(variance)}" for name, variance in kinds)
    weak = f"{planned.weak_per_labelled_exact:.3g} weak events with exact shares"
    if design.noisy:
        weak += f", {planned.weak_per_labelled:.3g} with these labels"
    needed = "; ".join(
        f"{error:g} needs {groups:,} group{'' if groups == 1 else 's'}"
        for error, groups in planned.needed.items()
    )
    lines = [
        f"{clicks:,.0f} events in {design.groups:,} groups of {design.clicks:,.4g}, "
        f"{len(design.posterior)} bins",
        f"between groups: SD of the share {design.share_sd:.3f}, intraclass correlation "
        f"{design.intraclass_correlation:.3f}, reliability of the labels {design.reliability:.2f}",
        f"standard error of a bin, mean (worst): {errors}",
        f"one labelled event tells as much as {weak}: {clicks:,.0f} weak events equal "
        f"{clicks / planned.weak_per_labelled:,.0f} labelled ones ({_rounded(planned.labelled_per_bin)} per "
        "bin)",
    ]
    if needed:
        lines.append(f"a mean standard error of {needed}")
    if planned.audited is not None:
        lines.append(
            f"an audit of {planned.audit:,} events beside the labels: {_mean_and_worst(planned.audited)} if the model "
            f"holds, as {_rounded(planned.audit_in_groups)} more groups would give; and it tells whether the labels' "
            "answer holds"
        )
    if planned.caution:
        lines.append(f"caution: {planned.caution}")
    return "\n".join(lines)


def for_json(planned):
    """The design and what follows from it, as numbers; standard errors are means over the bins."""
    design, found = planned.design, planned.variances
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
        "worst_standard_error": {name: float(np.sqrt(variance).max()) for name, variance in kinds.items()},
        "weak_per_labelled": {
            "exact_shares": planned.weak_per_labelled_exact,
            "these_labels": planned.weak_per_labelled,
        },
        "labelled_per_bin": float(planned.labelled_per_bin),
        "groups_needed": {f"{error:g}": groups for error, groups in planned.needed.items()},
        "audit": None
        if planned.audited is None
        else {
            "events": int(planned.audit),
            "standard_error": float(np.sqrt(planned.audited).mean()),
            "worst_standard_error": float(np.sqrt(planned.audited).max()),
            "worth_more_groups": planned.audit_in_groups,
        },
        "caution": planned.caution,
    }


def _rounded(number):
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"


def _mean_and_worst(variance):
    error = np.sqrt(variance)
    return f"{error.mean():.4f} ({error.max():.4f})"
