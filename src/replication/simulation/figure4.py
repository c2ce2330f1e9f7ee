"""Figure 4: the simulation, estimates of every method against the truth at few and at many clicks per group."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from replication.shared.job_settings import figure_parser
from wsclust.plots.appearance import appearance
from wsclust.plots.palette import GREY, INK
from wsclust.plots.style import WIDTH, save, style

SPREAD = 0.16  # of a bin's width, at most, between the methods' points of one bin


def draw(summary):
    """The figure of a summary table with one setting: a panel a number of clicks per group."""
    sizes = sorted(summary["clicks_per_group"].unique())
    methods = list(summary["method"].unique())
    spread = min(SPREAD, 0.8 / len(methods))  # many must not reach the next bin
    with style():
        figure, axes = plt.subplots(
            len(sizes), 1, figsize=(WIDTH, 2.5 * len(sizes) + 0.4), sharex=True, sharey=True, squeeze=False
        )
        for axis, clicks, letter in zip(axes[:, 0], sizes, "abcdefgh", strict=False):
            panel = summary[summary["clicks_per_group"] == clicks]
            curve = panel.drop_duplicates("bin")
            axis.plot(curve["bin"], curve["truth"], color=INK, linewidth=3, label="truth", zorder=1)
            for place, method in enumerate(methods):
                offset = spread * (place - (len(methods) - 1) / 2)
                _draw_method(axis, panel[panel["method"] == method], method, offset)
            axis.set_title(f"({letter}) {clicks} clicks per group", loc="left")
            axis.set_ylabel("P(happy | bin)")
        axes[-1, 0].set_xlabel("bin")
        axes[-1, 0].set_xticks(sorted(summary["bin"].unique()))
        axes[-1, 0].set_ylim(0, 1)
        handles, labels = axes[0, 0].get_legend_handles_labels()
        for arrow, side in (("^", "mean above 1"), ("v", "mean below 0")):
            handles.append(plt.Line2D([], [], color=GREY, marker=arrow, linestyle="", markersize=4.5))
            labels.append(side)
        figure.legend(handles, labels, loc="outside lower center", ncols=4)
    return figure


def _draw_method(axis, rows, method, offset):
    name, colour, marker = appearance(method)
    place, mean, sd = (rows[column].to_numpy(float) for column in ("bin", "mean", "sd"))
    place = place + offset
    shown = np.where((mean >= 0) & (mean <= 1), mean, np.nan)
    axis.errorbar(
        place,
        shown,
        yerr=sd,
        color=colour,
        marker=marker,
        linewidth=0.8,
        elinewidth=0.7,
        label=name,
        zorder=2,
    )
    marks = {"color": colour, "markersize": 4.5, "clip_on": False, "zorder": 3}
    for outside, edge, arrow in ((mean > 1, 1, "^"), (mean < 0, 0, "v")):
        # An empty unclipped line has a box at the figure's corner and upsets the layout.
        if outside.any():
            axis.plot(place[outside], np.full(outside.sum(), edge), arrow, **marks)


def main(arguments=None):
    parser = figure_parser(__doc__)
    parser.add_argument("summary", help="CSV of replication.simulation.summary")
    parser.add_argument("--setting", required=True, help="the setting to draw")
    args = parser.parse_args(arguments)
    summary = pd.read_csv(args.summary)
    save(draw(summary[summary["setting"] == args.setting]), *args.output)


if __name__ == "__main__":
    main()
