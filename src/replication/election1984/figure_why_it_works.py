"""Why latent variables work in 1984, or do not: what the grid of reconstructions and the controls give."""

import matplotlib.pyplot as plt
import numpy as np

from replication.shared.job_settings import add_settings, figure_parser
from replication.shared.result_tables import read_table
from wsclust.plots.palette import GREY, INK, SERIES
from wsclust.plots.style import WIDTH, save, style

ROWS = {"distance": "latent: distance to the oracle", "classification_error": "latent: classification error"}
READINGS = {"poll": ("-", "full"), "official": ("--", "none")}
NAMES = ("π of the poll itself", "π of the election, in (b) of the model")
# Clusterings and spreads in their order in the table; each has a marker of its own.
MARKERS = ["o", "s", "^", "D", "v"]


def draw(table, paper):
    """The figure of results/election1984/why.csv: distance and error, grid left, controls right.

    Arguments: the table; `paper`, quantity -> method -> what the paper prints.
    """
    latent = table[table["method"] == "latent"].copy()
    latent["line"] = [_line(row) for _, row in latent.iterrows()]
    grid, control = latent[latent["part"] != "control"], latent[latent["part"] == "control"]
    with style():
        figure, axes = plt.subplots(len(ROWS), 2, figsize=(WIDTH, 5.0), sharex="col", sharey="row")
        for row, (column, label) in zip(axes, ROWS.items(), strict=True):
            _lines(row[0], grid, "state_effect", column)
            _lines(row[1], control, "multiple", column)
            for axis in row:
                axis.axhline(paper[column]["latent"], color=INK, linewidth=0.8, linestyle=":", zorder=0)
            row[0].set_ylabel(label)
            row[0].annotate(
                "paper",
                (1, paper[column]["latent"]),
                xycoords=row[0].get_yaxis_transform(),
                ha="right",
                va="bottom",
                fontsize=7,
            )
        axes[0, 0].set_title("(a) reconstructions", loc="left")
        axes[0, 1].set_title("(b) the paper's own model", loc="left")
        axes[0, 0].set_ylim(bottom=0)
        axes[-1, 0].set_xlabel("state effect, times the fitted one")
        axes[-1, 0].set_xticks(sorted(table["state_effect"].dropna().unique()))
        axes[-1, 1].set_xlabel("voters, times the poll's")
        multiples = sorted(table["multiple"].dropna().unique())
        axes[-1, 1].set_xscale("log")
        axes[-1, 1].set_xticks(multiples, [f"{multiple:g}" for multiple in multiples])
        axes[-1, 1].minorticks_off()
        for axis, rows, title in (
            (axes[0, 0], grid, "race ICC in precincts (voters in each)"),
            (axes[0, 1], control, "SD of π over states"),
        ):
            handles = _handles(rows["line"].unique())
            axis.legend(handles=handles, title=title, title_fontsize=7, ncols=2, loc="upper right")
        axes[0, 0].set_ylim(0, 1.55 * latent["distance"].max())
        figure.legend(
            handles=[
                plt.Line2D([], [], color=GREY, linestyle=line, marker="o", fillstyle=fill, label=label)
                for (line, fill), label in zip(READINGS.values(), NAMES, strict=True)
            ],
            loc="outside lower center",
            ncols=2,
        )
    return figure


def _line(row):
    """The legend's name of the line that a row of the table belongs to."""
    if row["part"] == "control":
        return f"{row['spread']:g}"
    return f"{row['race_icc']:g} ({row['precinct_voters']:g})"


def _lines(axis, rows, x, column):
    for number, value in enumerate(rows["line"].unique()):
        for pi, (linestyle, fill) in READINGS.items():
            chosen = rows[(rows["line"] == value) & (rows["pi"] == pi)]
            axis.errorbar(
                chosen[x],
                chosen[column],
                yerr=chosen[f"{column}_sd_draws"] / np.sqrt(chosen["draws"]),
                elinewidth=0.7,
                color=SERIES[number % len(SERIES)],
                marker=MARKERS[number % len(MARKERS)],
                linestyle=linestyle,
                fillstyle=fill,
            )


def _handles(lines):
    return [
        plt.Line2D([], [], color=SERIES[i % len(SERIES)], marker=MARKERS[i % len(MARKERS)], label=line)
        for i, line in enumerate(lines)
    ]


def main(arguments=None):
    parser = figure_parser(__doc__)
    parser.add_argument("table", help="CSV of replication.election1984.why_it_works, grid and controls")
    add_settings(parser)
    args = parser.parse_args(arguments)
    table = read_table(args.table)
    save(draw(table, args.settings), *args.output)


if __name__ == "__main__":
    main()
