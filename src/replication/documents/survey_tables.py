"""The tables of real events whose outcomes are known: designs, verdicts of the check, audits."""

from replication.documents.markdown import markdown, result
from wsclust.check import verdicts as check

SETS = {
    "second": "The second set, on which nothing was chosen",
    "first": "The first set, on which the thresholds were chosen",
    "apart": "Designs of the second set whose outcome even an oracle cannot predict",
}

SKILLS = ("direct", "latent", "additive")

FORESEEN_BY = {
    "label_r2": "held-out label R2",
    "label_r2_implied": "implied R2",
    "label_r2_shortfall": "R2 less implied R2",
    "shuffle_ratio": "shuffle ratio",
    "groups": "number of groups",
}

AUDIT_METHODS = {
    "alone": "audit alone",
    "slope": "one slope on the labels' answer",
    "shares": "labels and audit",
    "full": "labels, audit and the labels' answer as a prior",
}


def survey(root):
    """The designs with known outcomes by set: the check's figures, its verdict, and how good the estimates were."""
    designs = result(root, "survey/designs.csv")
    skill = result(root, "survey/table.csv").pivot(index="design", columns="method", values="skill")
    header = ["design", "groups", "held-out label R2", "implied", "shuffle ratio", "verdict"]
    header += [f"skill of {method}" for method in SKILLS]
    parts = []
    for name, title in SETS.items():
        rows = [
            [
                f"`{found.design}`",
                f"{found.groups:,}",
                f"{found.label_r2:.2f}",
                f"{found.label_r2_implied:.2f}",
                f"{found.shuffle_ratio:.1f}",
                found.verdict,
                *(f"{skill.loc[found.design, method]:.2f}" for method in SKILLS),
            ]
            for found in designs[designs["set"] == name].itertuples()
        ]
        table = markdown(header, rows)
        parts.append(f"<details>\n<summary>{title}: {len(rows)} designs</summary>\n\n{table}\n</details>\n")
    return "\n".join(parts)


def verdicts(root):
    """The verdicts of the check with their thresholds, and what became of the designs of each set."""
    when = {
        check.PREDICTED: f"held-out label R2 above {check.GOOD_R2:g}",
        check.PARTLY: f"R2 of {check.FAIR_R2:g} or more, and shuffle ratio of {check.FAIR_RATIO:g} or more",
        check.TOO_LITTLE: f"R2 less than {check.ABOUT:g} below the implied R2 or above it, and shuffle ratio above "
        f"{check.SOME_RATIO:g}",
        check.HARDLY: f"R2 above {check.NO_R2:g}, and shuffle ratio of {check.NO_RATIO:g} or more",
        check.AGAINST: "everything else",
    }
    counts = result(root, "survey/verdicts.csv").set_index(["set", "verdict"])
    rows = [
        [f"`{verdict}`", rule, *(_became(counts.loc[(name, verdict)]) for name in ("second", "first"))]
        for verdict, rule in when.items()
    ]
    rows.append([f"`{check.NOTHING}`", "one of the two figures cannot be computed (looked at first)", "", ""])
    header = ["verdict", "when (the first row that fits)", "second set", "first set"]
    return markdown(header, rows, right=False)


def _became(row):
    if not row["designs"]:
        return "none"
    return f"{row['above_mean']:.0f} of {row['designs']:.0f}; {row['above_direct']:.0f} the direct too"


def foresight(root):
    """Area under the curve of each figure of the check for "the latent fit beats the mean", by set."""
    areas = result(root, "survey/foresight.csv").set_index(["figure", "set"])
    rows = [
        [title, *(f"{areas.loc[(figure, name), 'auc']:.2f}" for name in ("second", "first"))]
        for figure, title in FORESEEN_BY.items()
    ]
    return markdown(["figure", "second set", "first set"], rows)


def survey_failures(root):
    """Designs whose labels are predicted, at least in part, by a fit that is worse than guessing the mean."""
    designs = result(root, "survey/designs.csv")
    skill = result(root, "survey/table.csv").pivot(index="design", columns="method", values="skill")
    rows = []
    for name in ("second", "first"):
        unwarned = designs["verdict"].isin([check.PREDICTED, check.PARTLY]) & (designs["set"] == name)
        for found in designs[unwarned].itertuples():
            latent, direct = skill.loc[found.design, ["latent", "direct"]]
            if latent < 0:
                cells = [f"{found.label_r2:.2f}", f"{latent:.2f}", f"{direct:.2f}"]
                rows.append([f"`{found.design}`", name, found.outcome, found.group, found.crossed, *cells])
    header = ["design", "set", "outcome", "groups", "bins", "label R2", "skill of latent", "skill of direct"]
    return markdown(header, rows, right=False)


def audit(root):
    """Mean skill on the second set of the survey by events looked up, one row per method."""
    rows = result(root, "audit/summary.csv")
    rows = rows[(rows["set"] == "second") & (rows["sampling"] == "bins")]
    wide = rows.pivot(index="method", columns="size", values="skill")
    rows = [
        [name, *(f"{value:.2f}".removeprefix("0") for value in wide.loc[method])]
        for method, name in AUDIT_METHODS.items()
    ]
    return markdown(["events looked up", *wide.columns], rows)
