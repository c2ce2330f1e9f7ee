"""Where the information formula is a guide: SD of fits by the formula, against labelled equivalents per bin."""

import argparse

import matplotlib.pyplot as plt
import pandas as pd

from wsclust.planning.equivalents import FAIR, FEW
from wsclust.plots.palette import COLOURS, GREY
from wsclust.plots.style import WIDTH, save, style

TOLERANCE = 0.1
_COLOURS = {0.0: COLOURS["blue"], 0.5: COLOURS["orange"], 1.0: COLOURS["vermilion"]}
_SPARE = COLOURS["wine"]
_TITLES = {
    "calibrated": r"$W_H = \infty$, calibrated labels",
    "told": r"$W_H$ = 1 / variance of the labels' error",
}


def draw(table):
    """The figure of the table of `replication.information.study`: one panel per fit.

    Labels without error need no calibration, so their one fit is drawn in both panels.
    """
    with style():
        figure, axes = plt.subplots(1, len(_TITLES), figsize=(WIDTH, 2.6), sharex=True, sharey=True)
        for axis, (estimator, title), letter in zip(axes, _TITLES.items(), "ab", strict=True):
            axis.axhspan(1 - TOLERANCE, 1 + TOLERANCE, color="0.92", zorder=0)
            for edge in (FEW, FAIR):
                axis.axvline(edge, color=GREY, linestyle=":", linewidth=0.8, zorder=0)
            rows = table[(table["estimator"] == estimator) | (table["label_sd"] == 0)]
            for label_sd, points in rows.groupby("label_sd"):
                axis.errorbar(
                    points["labelled_per_bin"],
                    points["ratio"],
                    yerr=points["ratio_se"],
                    color=_COLOURS.get(label_sd, _SPARE),
                    marker="o",
                    markersize=3,
                    linestyle="",
                    elinewidth=0.6,
                    label="exact shares" if label_sd == 0 else f"error SD {label_sd:g}",
                )
            axis.set(xscale="log", xlabel="labelled events that a bin's events equal")
            axis.set_title(f"({letter}) {title}", loc="left", fontsize=7)
            axis.xaxis.set_major_formatter("{x:g}")
        axes[0].set_ylabel("SD of fits, by the formula's")
        axes[0].set_ylim(0, 1.3)
        axes[0].legend(loc="lower right")
    return figure


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", help="CSV of replication.information.study")
    parser.add_argument("--output", nargs="+", required=True, help="images: .pdf, .png or .svg")
    args = parser.parse_args(arguments)
    save(draw(pd.read_csv(args.table)), *args.output)


if __name__ == "__main__":
    main()
