"""The tables of the pages, from the result files, so that no number in them is typed by hand.

A function makes one table, from the folder of the project to Markdown.
"""

from pathlib import Path

import pandas as pd

from replication.claims.entries import DATA
from replication.shared.yaml_files import read_yaml
from wsclust.check import verdicts as check
from wsclust.registry import entry, weight_in

ROOT = Path(__file__).resolve().parents[3]
LEFT_OUT = {"logistic_saturated"}  # the oracle once more

VERDICTS = {
    "reproduced": "reproduced",
    "reproduced in part": "in part",
    "not reproduced": "not",
    "holds by construction": "by construction",
    "erratum": "errata",
    "cannot be checked (confidential)": "cannot be checked",
    "not measured": "not measured",
}


def result(root, name):
    """A result file as a frame."""
    # The method called null is no missing value.
    return pd.read_csv(root / "results" / name, keep_default_na=False, na_values=[""])


def in_words(name, method):
    """A method of config.yaml as a table calls it: by its estimator's entry, or as the settings call it.

    >>> in_words("latent_wh10", {"estimator": "latent", "he_weight": 10, "solver": "em"})
    'latent, W_H = 10'
    >>> in_words("oracle", {"estimator": "oracle"}), in_words("latent_slow", {"estimator": "latent"})
    ('oracle: sees every vote', 'latent_slow')
    """
    known = entry(method["estimator"])
    if name != method["estimator"] and weight_in(name) is None:
        return name
    given = {setting: value for setting, value in method.items() if setting != "estimator"}
    marks = known.marks(known.complete(method["estimator"], given))
    title = ", ".join([known.title, *marks]).replace("= inf", "= ∞")
    return f"{title}: sees every vote" if known.needs_outcomes else title


NAMES = {
    "null": "null: the overall share for everybody",
    **{
        name: in_words(name, method)
        for name, method in read_yaml(ROOT / "config/config.yaml")["methods"].items()
    },
}


def name_of(method):
    """A method's name in a table; failing one of its own, the weight in it or its name in the settings.

    >>> name_of("latent_wh0"), name_of("latent_wh4"), name_of("latent_slow")
    ('latent, W_H = 0', 'latent, W_H = 4', 'latent_slow')
    """
    weight = weight_in(method)
    return NAMES.get(method) or (f"latent, W_H = {weight}" if weight else method)


def in_order(methods):
    """Those of the methods that a table shows: in the order of their names, and then the new ones.

    >>> in_order(["latent_wh4", "oracle", "logistic_saturated", "direct"])
    ['direct', 'oracle', 'latent_wh4']
    """
    shown = [method for method in methods if method not in LEFT_OUT]
    return [method for method in NAMES if method in shown] + [m for m in shown if m not in NAMES]


def markdown(header, rows, right=True):
    """A Markdown table, its columns after the first aligned right, where they are numbers."""
    lines = [header, ["---"] + ["---:" if right else "---"] * (len(header) - 1), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def simulation(root):
    """Mean absolute error of the default setting, by method and clicks per group."""
    errors = result(root, "simulation/errors.csv")
    errors = errors[errors["setting"] == errors["setting"].iloc[0]]
    sizes = sorted(errors["clicks_per_group"].unique())
    rows = []
    for method, of_method in errors.groupby("method", sort=False):
        by_size = of_method.set_index("clicks_per_group")
        row = [name_of(method)]
        for size in sizes:
            error, monte_carlo = by_size.loc[size, ["mean_absolute_error", "monte_carlo_error"]]
            row += [f"{error:.3f} ± {monte_carlo:.3f}", by_size.loc[size, "bins_outside"]]
        rows.append(row)
    header = ["method"]
    for size in sizes:
        header += [f"error, J = {size}", "mean outside [0, 1]"]
    return markdown(header, rows)


def cces2016(root):
    """Held-out errors of the two CCES designs."""
    designs = ["cces2016_ideology_party", "cces2016_race_income_college"]
    tables = [result(root, f"election2016/{design}.csv").set_index("method") for design in designs]
    rows = []
    for method in in_order(list(tables[0].index)):
        cells = [f"{t.loc[method, e]:.3f}" for t in tables for e in ("classification_error", "rmse")]
        rows.append([name_of(method), *cells])
    header = ["method", "ideology × party: error", "RMSE", "race × income × college: error", "RMSE"]
    return markdown(header, rows)


def table1(root):
    """Table 1 and the distances on the reconstruction, mean and SD of its draws, beside the paper's."""
    paper = (
        result(root, "election1984/table1.csv")
        .groupby("method")[["paper_classification_error", "paper_rmse"]]
        .first()
    )
    draws = result(root, "election1984/draws.csv").groupby(["pi", "method"])
    columns = ["classification_error", "rmse", "distance"]
    mean, sd = draws[columns].mean(), draws[columns].std()
    rows = []
    for method in ("null", "direct", "latent", "oracle"):
        row = [name_of(method), " / ".join(f"{value:.2f}" for value in paper.loc[method])]
        for pi in ("poll", "official"):
            m, s = mean.loc[(pi, method)], sd.loc[(pi, method)]
            row.append(" / ".join(f"{m[e]:.3f} ± {s[e]:.3f}" for e in columns[:2]))
            row.append("" if method == "oracle" else f"{m['distance']:.3f} ± {s['distance']:.3f}")
        rows.append(row)
    header = ["method", "paper", "labels from the poll", "distance", "official labels", "distance"]
    return markdown(header, rows)


def movielens(root):
    """Distance to the oracle and held-out errors on MovieLens."""
    distance = result(root, "movielens/against_oracle.csv").set_index("method")
    held_out = result(root, "movielens/held_out.csv").set_index("method")
    rows = []
    for method in in_order(list(held_out.index)):
        row = [name_of(method).replace("every vote", "every outcome")]
        if method in distance.index:
            of_method = distance.loc[method]
            row.append(f"{of_method['lowest']:.2f} to {of_method['highest']:.2f}")
            row.append(f"{of_method['mean_squared_difference']:.4f}")
        else:
            row += ["", ""]
        row += [f"{held_out.loc[method, error]:.3f}" for error in ("classification_error", "rmse")]
        rows.append(row)
    return markdown(["method", "posteriors", "distance to the oracle", "held-out error", "RMSE"], rows)


def motivation(root):
    """The boundaries of Figure 1, as means over the samples."""
    boundaries = result(root, "motivation/boundaries.csv").set_index("method")
    rows = []
    names = {
        "mixture": "Gaussian mixture",
        "latent": "latent",
        "direct": "direct",
        "oracle": "oracle, same bins",
    }
    for method, name in names.items():
        of_method = boundaries.loc[method]
        steepness = of_method["steepness_mean"]
        rows.append(
            [
                name,
                f"{of_method['angle_mean']:.1f}° ± {of_method['angle_sd']:.1f}°",
                "" if pd.isna(steepness) else f"{steepness:.2f}",
                f"{of_method['correct_mean']:.0%}",
                f"{of_method['labels_off_mean']:.2f}",
            ]
        )
    header = ["boundary", "angle to the optimal, mean ± SD", "steepness, optimal = 1", "on the right side"]
    header += ["groups' shares off their labels by"]
    return markdown(header, rows)


def claims(root, counted="paper"):
    """Every claim of the paper, what was found and the verdict, in the paper's order."""
    table = result(root, "claims.csv").fillna("")
    rows = []
    for claim in table[table["counted"] == counted].itertuples():
        paper = str(claim.paper)
        cells = (claim.place, claim.statement, paper, claim.found, claim.verdict, f"`{claim.id}`")
        rows.append([cell.replace("|", r"\|") for cell in cells])
    header = ["where", "claim", "the paper's value", "found", "verdict", "id"]
    return markdown(header, rows, right=False)


def claims_extensions(root):
    """The same of what the paper says of its own data, asked of other data."""
    return claims(root, "extension")


def claims_summary(root):
    """How many of the paper's statements came out how, by the data that they rest on."""
    table = result(root, "claims.csv")
    own = table[table["counted"] == "paper"]
    counts = pd.crosstab(own["data"], own["verdict"]).reindex(index=[*DATA], columns=[*VERDICTS]).fillna(0)
    counts = counts.loc[counts.any(axis=1), counts.any()].astype(int)
    counts.loc["all"] = counts.sum()
    rows = [[DATA.get(data, data), *(count or "" for count in row)] for data, row in counts.iterrows()]
    return (
        f"What became of the paper's {len(own)} statements, by what they rest on; extensions to other data "
        f"({len(table) - len(own)}) are counted apart:\n\n"
        f"{markdown(['', *(VERDICTS[verdict] for verdict in counts)], rows)}"
    )


def printed_numbers(root):
    """The ten numbers that the paper prints of 1984, rounded, beside ours, and how these vary with the precincts."""
    draws = result(root, "election1984/draws.csv")
    draws = draws[draws["pi"] == "poll"].groupby("method")[list(PRINTED)].mean()
    why = result(root, "election1984/why.csv")
    precincts = why[(why["state_effect"] == 1) & (why["pi"] == "poll")].groupby("method")[list(PRINTED)]
    low, high = precincts.min(), precincts.max()
    paper = read_yaml(Path(root) / "config/config.yaml")["election1984"]["paper"]
    rows, same = [], []
    for number, name in PRINTED.items():
        for method, printed in paper[number].items():
            ours = f"{draws.loc[method, number]:.2f}"
            same += [f"{name}, {method}"] * (ours == f"{printed:.2f}")
            over = f"{low.loc[method, number]:.2f} to {high.loc[method, number]:.2f}"
            rows.append([f"{name}, {method}", f"{printed:.2f}", ours, over])
    header = ["number", "paper", "ours, rounded", "over assumptions on precincts"]
    return (
        f"{markdown(header, rows)}\nOf these {len(rows)}, {len(same)} agree ({'; '.join(same) or 'none'}).\n"
    )


PRINTED = {
    "classification_error": "classification error",
    "rmse": "root mean squared error",
    "distance": "mean squared difference from the oracle",
}


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


def coverage(root):
    """Coverage of the 95% intervals in each setting, under both truths, and what they cost."""
    summary = result(root, "coverage/summary.csv")
    by_setting = summary.set_index(["method", "se", "truth"]).sort_index()

    def cells(method, se, column, form):
        rows = [by_setting.loc[(method, se, truth)] for truth in ("default", "narrow")]
        keys = ["groups", "clicks_per_group"]
        rows = [of_truth.sort_values(keys[::-1])[column] for of_truth in rows]
        return [" / ".join(form(value) for value in pair) for pair in zip(*rows, strict=True)]

    def percent(share):
        return f"{share:.0%}"

    sizes = summary[["groups", "clicks_per_group"]].drop_duplicates()
    sizes = sizes.sort_values(["clicks_per_group", "groups"])
    columns = [
        [f"{groups} of {clicks}" for groups, clicks in sizes.itertuples(index=False)],
        cells("latent_wh10", "information", "coverage", percent),
        cells("latent_wh10", "half-samples", "coverage", percent),
        cells("latent_wh10", "information", "bias_in_sd", "{:.2f}".format),
        cells("direct", "information", "coverage", percent),
        cells("moments", "information", "coverage", percent),
    ]
    header = ["groups of events", "latent, information", "latent, half-samples", "its bias in SD"]
    table = markdown([*header, "direct, information", "moments, information"], zip(*columns, strict=True))
    seconds = summary[summary["method"] == "latent_wh10"].pivot_table("seconds", "se", "groups", "sum")
    times = (seconds.loc["half-samples"] / seconds.loc["information"]).mean().round(-2)
    error = 100 * summary["coverage_se"].max()
    bins = result(root, "coverage/bins.csv")
    return (
        f"{table}\nMeans over {bins['bin'].max()} bins and {bins['runs'].max()} data sets, default / narrow "
        f"truth; their Monte Carlo standard errors are {error:.1f} points or less. "
        f"For the latent fit, half-samples took some {times:,.0f} times as long as the information.\n"
    )


def audit(root):
    """Mean skill on the second set of the survey by events looked up, one row per method."""
    rows = result(root, "audit/summary.csv")
    rows = rows[(rows["set"] == "second") & (rows["sampling"] == "bins")]
    wide = rows.pivot(index="method", columns="size", values="skill")
    lines = [
        "| events looked up | " + " | ".join(map(str, wide.columns)) + " |",
        "|---" * (wide.shape[1] + 1) + "|",
    ]
    for method, name in AUDIT_METHODS.items():
        lines.append(
            f"| {name} | " + " | ".join(f"{value:.2f}".removeprefix("0") for value in wide.loc[method]) + " |"
        )
    return "\n".join(lines) + "\n"


AUDIT_METHODS = {
    "alone": "audit alone",
    "slope": "one slope on the labels' answer",
    "shares": "labels and audit",
    "full": "labels, audit and the labels' answer as a prior",
}
