"""The tables of the page on effects of levels."""

from replication.documents.markdown import markdown, result
from replication.documents.method_names import name_of

METHODS = {
    "latent": "latent, one value per bin",
    "additive": "additive",
    "additive_ordered": "additive, ordered factors with a trend",
}


def additive_1984(root):
    """Table 1 on the draws of 1984: error, RMSE, distance and correlation, one row per method."""
    rows = result(root, "additive/election1984.csv")
    rows = rows[rows["pi"] == "poll"]
    lines = []
    for row in rows.itertuples():
        near = ["", ""]
        if row.method != "oracle":
            near = [
                f"{row.distance:.4f} ± {row.distance_sd:.4f}",
                f"{row.correlation:.2f}".replace("nan", ""),
            ]
        lines.append(
            [
                METHODS.get(row.method, name_of(row.method)),
                f"{row.classification_error:.3f}",
                f"{row.rmse:.3f}",
                *near,
            ]
        )
    header = ["method", "held-out error", "RMSE", "distance to the oracle", "correlation with it"]
    return markdown(header, lines)


def additive_designs(root):
    """Real designs that are kept: skill and held-out error, and skill in bins never seen."""
    rows, unseen = result(root, "additive/designs.csv"), result(root, "additive/unseen.csv")
    skill = rows.pivot(index="design", columns="method", values="skill")
    in_unseen = unseen.pivot(index="design", columns="method", values="skill")
    lines = [
        [
            design.replace("_", " "),
            *(f"{skill.loc[design, method]:.2f}" for method in METHODS),
            f"{in_unseen.loc[design, 'additive']:.2f}",
            f"{in_unseen.loc[design, 'latent']:.2f}",
        ]
        for design in rows["design"].unique()
    ]
    header = [
        "design",
        "latent",
        "additive",
        "with trends",
        "additive, bins left out",
        "latent, which saw them",
    ]
    return markdown(header, lines)


def additive_clicks(root):
    """RMSE over bins by the number of groups, where log-odds are no sum."""
    rows = result(root, "additive/clicks.csv")
    wide, spread = (rows.pivot(index="groups", columns="method", values=name) for name in ("rmse", "rmse_se"))
    methods = ["latent", "additive", "main_effects"]
    lines = [
        [f"{groups:,}", *(f"{wide.loc[groups, m]:.4f} ± {spread.loc[groups, m]:.4f}" for m in methods)]
        for groups in wide.index
    ]
    return markdown(["groups", "latent", "additive", "main effects alone"], lines)


def additive_boundary(root):
    """Figure 1's boundary: angle, steepness and RMSE by cuts and pseudo-events."""
    lines = [
        [
            row.method,
            f"{row.bins_per_axis}",
            f"{row.pseudo_events:g}",
            f"{row.angle:.1f}° ± {row.angle_sd:.1f}°",
            f"{row.steepness:.2f} ± {row.steepness_sd:.2f}",
            f"{row.rmse:.3f}",
        ]
        for row in result(root, "additive/boundary.csv").itertuples()
    ]
    header = [
        "method",
        "cuts per axis",
        "pseudo-events per bin",
        "angle",
        "steepness, optimal = 1",
        "RMSE of P",
    ]
    return markdown(header, lines)


def additive_survey(root):
    """The survey's designs of several factors by set."""
    named = {"second": "second (chose nothing)", "first": "first", "apart": "no oracle can predict"}
    lines = [
        [
            named[row.set],
            row.designs,
            row.better,
            row.worse,
            f"{row.latent:.2f}",
            f"{row.additive:.2f}",
            f"{row.difference:+.3f} ± {row.difference_se:.3f}".replace("-", "−"),
        ]
        for row in result(root, "additive/survey.csv").itertuples()
    ]
    header = ["set", "designs", "better", "worse", "latent", "additive", "difference"]
    return markdown(header, lines)


def additive_coverage(root):
    """Coverage of 95% intervals with crossed bins, latent beside additive."""
    rows = result(root, "coverage/effects.csv")
    named = {"logistic": "a sum", "default": "no sum"}
    wide = rows.pivot(
        index=["truth", "groups", "clicks_per_group"], columns=["method", "se"], values="coverage"
    )
    kinds = [(method, se) for method in ("latent", "additive") for se in ("information", "half-samples")]
    lines = [
        [
            named[truth],
            groups,
            clicks,
            *(f"{100 * wide.loc[truth, groups, clicks][kind]:.0f}%" for kind in kinds),
        ]
        for truth, groups, clicks in wide.index
    ]
    return markdown(
        ["log-odds are", "groups", "clicks per group", *(", ".join(kind) for kind in kinds)], lines
    )
