"""What an audit buys: the mean skill over designs against the events looked up, a line per method.

One panel per set of designs, with events drawn in proportion to the square root of each bin's. Skill is 1 as
the truth and 0 as the share of all events in every bin.
"""

import argparse

import matplotlib.pyplot as plt
import pandas as pd

from wsclust.plots.palette import COLOURS, GREY
from wsclust.plots.style import WIDTH, save, style

# method -> (legend, colour, marker)
METHODS = {
    "full": ("labels, audit and the labels' answer as a prior", COLOURS["wine"], "v"),
    "shares": ("labels and audit", COLOURS["blue"], "s"),
    "slope": ("one slope on the labels' answer", COLOURS["orange"], "D"),
    "alone": ("audit alone", COLOURS["ink"], "o"),
}
TITLES = {
    "first": "designs on which choices were made",
    "second": "designs that chose nothing",
    "apart": "designs that no oracle can predict",
    "kept": "designs whose tables are kept here",
}
SAMPLING = "bins"


def draw(summary):
    """The figure of a table of `replication.audit.summary`."""
    rows = summary[summary["sampling"] == SAMPLING]
    sets = [name for name in TITLES if name in set(rows["set"]) and name != "apart"]
    with style():
        figure, axes = plt.subplots(1, len(sets), figsize=(WIDTH, 2.9), sharey=True, squeeze=False)
        for axis, name in zip(axes[0], sets, strict=True):
            _draw_set(axis, name, rows[rows["set"] == name])
        axes[0, 0].set_ylabel("skill: 0 as the mean, 1 as the truth")
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=2)
    return figure


def _draw_set(axis, name, rows):
    for method, (label, colour, marker) in METHODS.items():
        line = rows[rows["method"] == method].sort_values("size")
        if len(line):
            axis.plot(line["size"], line["skill"], marker=marker, color=colour, label=label)
    axis.axhline(0, color=GREY, linestyle="--", linewidth=0.6, zorder=0)
    axis.set_xscale("log")
    sizes = sorted(rows["size"].unique())
    axis.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axis.minorticks_off()
    axis.set_xlabel("events looked up")
    axis.set_ylim(top=1)
    axis.set_title(f"{rows['designs'].max()} {TITLES[name]}")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--summary", required=True, help="CSV of replication.audit.summary")
    parser.add_argument("--output", nargs="+", required=True, help="images: .pdf, .png or .svg")
    args = parser.parse_args(arguments)
    save(draw(pd.read_csv(args.summary)), *args.output)


if __name__ == "__main__":
    main()
