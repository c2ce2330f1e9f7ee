"""The tables of the studies that repeat the paper's own, and of the coverage of intervals."""

from pathlib import Path

import pandas as pd

from replication.documents.markdown import markdown, result
from replication.documents.method_names import in_order, name_of
from replication.shared.yaml_files import read_yaml

PRINTED = {
    "classification_error": "classification error",
    "rmse": "root mean squared error",
    "distance": "mean squared difference from the oracle",
}


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
