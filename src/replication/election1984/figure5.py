"""Figure 5: share for Reagan by income, union and race in 1984, as three methods have it."""

import matplotlib.pyplot as plt
import pandas as pd

from replication.shared.job_settings import figure_parser
from wsclust.plots.appearance import literal
from wsclust.plots.palette import COLOURS, GREY
from wsclust.plots.style import WIDTH, save, style

TITLES = {
    "direct": "direct hard assignment of labels",
    "latent": "latent variables",
    "additive": "latent variables, effects of levels",
    "oracle": "oracle",
}
SOURCES = {"reconstruction": "simulated from public facts, draw 1 of the reconstruction"}
# Colour and side of the band for race, marker and line for union: neither rests on colour alone.
RACES = {"white": (COLOURS["blue"], -1), "black": (COLOURS["vermilion"], 0), "other": (COLOURS["green"], 1)}
UNIONS = {
    "none": ("o", "-", "no union"),
    "self": ("s", "--", "union member"),
    "family": ("^", ":", "union member in family"),
}
BANDS = ["under 12.5", "12.5 to 25", "25 to 35", "35 to 50", "50 and over"]


def draw(table, small_group):
    """The figure of a table of `election1984.voter_groups`: one panel per method, one line per union x race group.

    `small_group`: groups with fewer voters are drawn open and faint, and named with their voters.
    """
    methods = list(table["method"].unique())
    sizes = table[table["method"] == methods[0]].groupby(["union", "race"])["voters"].sum()
    with style():
        figure, axes = plt.subplots(
            len(methods),
            1,
            figsize=(WIDTH, 2.1 * len(methods) + 1.1),
            sharex=True,
            sharey=True,
            squeeze=False,
        )
        for axis, method, letter in zip(axes[:, 0], methods, "abcdefgh", strict=False):
            for place, union in enumerate(UNIONS):
                for race in RACES:
                    chosen = (table["method"] == method) & (table["union"] == union) & (table["race"] == race)
                    _draw_group(axis, table[chosen], union, race, place, sizes[union, race] < small_group)
            axis.set_title(f"({letter}) {TITLES.get(method, method)}", loc="left")
            axis.axhline(0.5, color=GREY, linewidth=0.5, zorder=0)
        axes[-1, 0].set_xticks(range(1, 6), BANDS)
        axes[-1, 0].set_xlabel("annual income, thousands of dollars")
        axes[-1, 0].set_ylim(0, 1)
        axes[len(methods) // 2, 0].set_ylabel("share for Reagan")
        figure.legend(handles=_legend(sizes, small_group), loc="outside lower center", ncols=3)
        source = table["source"].iloc[0]
        # Of an imported poll it is the file's name, which is the user's.
        words = SOURCES.get(source, literal(source))
        figure.suptitle(f"{sizes.sum():,} voters: {words}", fontsize=8, x=0.01, ha="left")
    return figure


def _draw_group(axis, rows, union, race, place, small):
    colour, side = RACES[race]
    marker, line, _ = UNIONS[union]
    offset = 0.2 * side + 0.06 * (place - 1)
    axis.errorbar(
        rows["income"] + offset,
        rows["estimate"],
        yerr=rows["standard_error"],
        color=colour,
        marker=marker,
        linestyle=line,
        linewidth=0.8,
        elinewidth=0.6,
        markersize=3,
        markerfacecolor="white" if small else colour,
        alpha=0.45 if small else 1.0,
        zorder=1 if small else 2,
    )


def _legend(sizes, small_group):
    handles = [
        plt.Line2D([], [], color=colour, linewidth=2, label=race) for race, (colour, _) in RACES.items()
    ]
    handles += [
        plt.Line2D([], [], color=GREY, marker=marker, linestyle=line, linewidth=0.8, label=label)
        for marker, line, label in UNIONS.values()
    ]
    for union, (marker, line, label) in UNIONS.items():
        for race, (colour, _) in RACES.items():
            if sizes[union, race] < small_group:
                handles.append(
                    plt.Line2D(
                        [],
                        [],
                        color=colour,
                        marker=marker,
                        linestyle=line,
                        markerfacecolor="white",
                        alpha=0.45,
                        label=f"{label} × {race}: {sizes[union, race]} voters",
                    )
                )
    return handles


def main(arguments=None):
    parser = figure_parser(__doc__)
    parser.add_argument("table", help="CSV of replication.election1984.voter_groups")
    parser.add_argument("--small-group", type=int, required=True, help="groups with fewer voters are marked")
    args = parser.parse_args(arguments)
    save(draw(pd.read_csv(args.table), args.small_group), *args.output)


if __name__ == "__main__":
    main()
