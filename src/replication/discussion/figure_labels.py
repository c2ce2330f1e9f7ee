"""How the labels' weight matters: the error against W_H, the labels' share of an update, and W_H = 0."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from replication.shared.job_settings import figure_parser
from wsclust.plots.palette import GREY, INK, SERIES
from wsclust.plots.style import WIDTH, save, style

MARKERS = "osD^v"
PAPER_WEIGHT = 10


def draw(weight, shares, identification):
    """The figure of three tables of the discussion: label_weight, label_shares and identification."""
    colours = _by_clicks(weight, identification)
    with style():
        figure, axes = plt.subplots(1, 3, figsize=(WIDTH * 1.3, 2.7))
        _draw_weight(axes[0], weight, colours)
        _draw_shares(axes[1], shares)
        _draw_identification(axes[2], identification, colours)
        for axis, letter in zip(axes, "abc", strict=True):
            axis.set_title(f"({letter}) {axis.get_title()}", loc="left")
            axis.set_title("")
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(handles))
    return figure


def _by_clicks(*tables):
    clicks = sorted({value for table in tables for value in table["clicks_per_group"]})
    return {c: (SERIES[i % len(SERIES)], MARKERS[i % len(MARKERS)]) for i, c in enumerate(clicks)}


def _draw_weight(axis, table, colours):
    weights = sorted(table["he_weight"].unique())
    # Zero and infinity have no place on a logarithmic axis: the weights are evenly spaced, by name.
    place = {value: k for k, value in enumerate(weights)}
    for clicks, rows in table.groupby("clicks_per_group"):
        colour, marker = colours[clicks]
        axis.errorbar(
            rows["he_weight"].map(place),
            rows["mean_absolute_error"],
            yerr=rows["mean_absolute_error_mc_error"],
            color=colour,
            marker=marker,
            elinewidth=0.7,
            label=f"{clicks} clicks a group",
        )
    if PAPER_WEIGHT in place:
        axis.axvline(place[PAPER_WEIGHT], color=GREY, linestyle=":", linewidth=0.8, zorder=0)
        axis.annotate("paper", (place[PAPER_WEIGHT], 1), xycoords=("data", "axes fraction"), fontsize=7,
                      color=GREY, ha="left", va="top", xytext=(2, 0), textcoords="offset points")  # fmt: skip
    axis.set_xticks(range(len(weights)), [r"$\infty$" if np.isinf(w) else f"{w:g}" for w in weights])
    axis.set_xlabel(r"weight of the labels, $W_H$")
    axis.set_ylabel("mean absolute error")
    axis.set_ylim(0)
    axis.set_title("robustness")


def _draw_shares(axis, table):
    for column, name, marker, side in (
        ("outcomes_unknown_odds", "outcomes\nunknown", "s", 1),
        ("m_step_odds", "M-step", "o", -1),
    ):
        colour = INK if marker == "o" else GREY
        axis.errorbar(
            table["clicks_per_group"],
            table[column],
            yerr=table[f"{column}_mc_error"],
            fmt=marker,
            color=colour,
            elinewidth=0.7,
        )
        # The law, through the measured point with the most clicks.
        last = table.iloc[-1]
        law = last[column] * last["clicks_per_group"] / table["clicks_per_group"]
        axis.plot(table["clicks_per_group"], law, color=colour, linewidth=0.7)
        beside = table.iloc[len(table) // 2 if side > 0 else len(table) // 3]
        axis.annotate(
            name,
            (beside["clicks_per_group"], beside[column]),
            xytext=(4 * side, 4 * side),
            textcoords="offset points",
            ha="left" if side > 0 else "right",
            va="bottom" if side > 0 else "top",
            fontsize=7,
            color=colour,
        )
    axis.set(xscale="log", yscale="log", xlabel="clicks a group, J", ylabel="odds of the labels' share")
    axis.set_title("1 / J law (lines)")


def _draw_identification(axis, table, colours):
    for clicks, rows in table.groupby("clicks_per_group"):
        colour, marker = colours[clicks]
        axis.errorbar(
            rows["tolerance"],
            rows["mean_absolute_error"],
            yerr=rows["mean_absolute_error_mc_error"],
            color=colour,
            marker=marker,
            elinewidth=0.7,
        )
    axis.set(xscale="log", xlabel="tolerance of EM", ylabel="mean absolute error")
    axis.invert_xaxis()
    axis.set_ylim(0)
    axis.set_title(r"$W_H = 0$")


def main(arguments=None):
    parser = figure_parser(__doc__)
    parser.add_argument("weight", help="CSV of replication.discussion.label_weight")
    parser.add_argument("shares", help="CSV `shares` of replication.discussion.label_share")
    parser.add_argument("identification", help="CSV of replication.discussion.identification")
    args = parser.parse_args(arguments)
    tables = [pd.read_csv(path) for path in (args.weight, args.shares, args.identification)]
    save(draw(*tables), *args.output)


if __name__ == "__main__":
    main()
