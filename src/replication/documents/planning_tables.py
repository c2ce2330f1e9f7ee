"""The tables of the page on planning: what weak labels can tell."""

from replication.documents.markdown import markdown, result
from wsclust.planning.equivalents import FAIR, FEW


def planning_equivalents(root):
    """Weak events that tell as much as one labelled event, by the groups and the labels' error."""
    table = result(root, "information/equivalents.csv")
    head = ["rho", "SD of mu", "intraclass correlation"]
    head += [
        "exact shares" if sd == 0 else f"label error {sd:g}" for sd in sorted(table["label_sd"].unique())
    ]
    rows = []
    for (low, high, mu_sd), group in table.groupby(["low", "high", "mu_sd"], sort=False):
        weak = group.sort_values("label_sd")["weak_per_labelled"]
        correlation = group["intraclass_correlation"].iloc[0]
        rows.append([f"{low:g} to {high:g}", f"{mu_sd:g}", f"{correlation:.3f}", *(f"{w:.1f}" for w in weak)])
    return markdown(head, rows)


def planning_no_labels(root):
    """The same without any label, by events per group."""
    table = result(root, "information/no_labels.csv")
    clicks = sorted(table["clicks_per_group"].unique())
    head = ["rho", "SD of mu", "kinds known", *(f"no labels, {number} events per group" for number in clicks)]
    rows = []
    for (low, high, mu_sd), group in table.groupby(["low", "high", "mu_sd"], sort=False):
        weak = group.sort_values("clicks_per_group")["weak_no_labels"]
        known = group["weak_kinds_known"].mean()
        rows.append([f"{low:g} to {high:g}", f"{mu_sd:g}", *(f"{w:,.3g}" for w in (known, *weak))])
    return markdown(head, rows)


def planning_ratings(root):
    """The formula beside fits to labels that are shares of rated events."""
    table = result(root, "information/ratings.csv")
    head = ["bins", "groups", "rated events", "formula", "SD of fits", "by the formula's"]
    rows = [
        [f"{row.bins}", f"{row.groups}", f"{row.rated}"]
        + [f"{row.formula:.3f}", f"{row.simulated:.3f}", f"{row.ratio:.2f}"]
        for row in table.itertuples()
    ]
    return markdown(head, rows)


def planning_audits(root):
    """The formula with an audit beside answers to simulated data."""
    table = result(root, "information/audits.csv")
    head = [
        "groups",
        "events per group",
        "events looked up",
        "formula, labels alone",
        "formula, with the audit",
    ]
    rows = [
        [f"{row.groups}", f"{row.clicks_per_group}", f"{row.audit}"]
        + [f"{row.formula:.3f}", f"{row.formula_audited:.3f}"]
        + [f"{row.weak:.3f} ± {row.weak_se:.3f}", f"{row.audited:.3f} ± {row.audited_se:.3f}"]
        for row in table.itertuples()
    ]
    return markdown([*head, "labels alone", "audited answer"], rows)


def planning_formula(root):
    """The SD of simulated fits by the formula's, by labelled events that a bin's events equal."""
    table = result(root, "information/formula.csv")
    bands = (
        (f"{FAIR} or more", table["labelled_per_bin"] >= FAIR),
        (f"{FEW} to {FAIR}", (table["labelled_per_bin"] >= FEW) & (table["labelled_per_bin"] < FAIR)),
        (f"below {FEW}", table["labelled_per_bin"] < FEW),
    )
    rows = []
    for name, inside in bands:
        for fit, kinds in (
            ("exact or calibrated labels", _calibrated(table)),
            ("W_H = 1 / variance", _told(table)),
        ):
            found = table[inside & kinds]
            ratio = found["ratio"]
            bias = found["bias"] / found["simulated"]
            rows.append(
                [name, fit, str(len(found)), f"{ratio.mean():.2f}", f"{ratio.min():.2f} to {ratio.max():.2f}"]
                + [f"{bias.mean():.2f}"]
            )
    head = [
        "labelled equivalents per bin",
        "fit",
        "designs",
        "SD by the formula's, mean",
        "from, to",
        "bias by SD",
    ]
    return markdown(head, rows)


def _calibrated(table):
    return (table["label_sd"] == 0) | (table["estimator"] == "calibrated")


def _told(table):
    return (table["label_sd"] > 0) & (table["estimator"] == "told")
