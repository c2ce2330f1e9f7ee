"""Why moments get worse with more clicks: its error against J, where it tends, and what helps."""

import matplotlib.pyplot as plt
import pandas as pd

from replication.shared.job_settings import figure_parser
from wsclust.plots.appearance import appearance
from wsclust.plots.palette import COLOURS, GREY, INK
from wsclust.plots.style import WIDTH, save, style

# remedy -> name under its bar
REMEDIES = {
    "none": "as it is",
    "fewer_clicks": "clicks\nthrown away",
    "noise_added": "noise\nadded",
    "penalty": "same noise\nas penalty",
    "ridge": "best plain\nridge",
    "drawn_afresh": "few clicks\nfrom the start",
}


def draw(sizes, limits, remedies, path):
    """The figure of four tables: moments_by_size, moments_limits, moments_remedies and ridge_path."""
    with style():
        figure, axes = plt.subplots(2, 2, figsize=(WIDTH * 1.2, 4.6))
        _draw_error(axes[0, 0], sizes)
        _draw_values(axes[0, 1], sizes, limits.set_index("quantity"))
        _draw_remedies(axes[1, 0], remedies.set_index("remedy"))
        _draw_path(axes[1, 1], path, remedies.set_index("remedy"))
        for axis, letter in zip(axes.flat, "abcd", strict=True):
            axis.set_title(f"({letter}) {axis.get_title()}", loc="left")
            axis.set_title("")
    return figure


def _draw_error(axis, sizes):
    _, colour, marker = appearance("moments")
    clicks = sizes["clicks_per_group"]
    axis.errorbar(
        clicks,
        sizes["mean_absolute_error"],
        yerr=sizes["mean_absolute_error_mc_error"],
        color=colour,
        marker=marker,
        elinewidth=0.7,
        label="moments",
    )
    axis.plot(
        clicks, sizes["population_error"], "--", color=INK, linewidth=0.8, label="infinitely many groups"
    )
    axis.set(xscale="log", xlabel="clicks a group, J", ylabel="mean absolute error")
    axis.set_ylim(0)
    axis.legend(loc="upper left")
    axis.set_title("error")


def _draw_values(axis, sizes, limits):
    clicks = sizes["clicks_per_group"]
    for column, name, marker, colour in (
        ("happy_value", r"$w_1 \cdot \hat\rho$", "o", COLOURS["green"]),
        ("sad_value", r"$w_0 \cdot \hat\rho$", "s", COLOURS["vermilion"]),
    ):
        axis.plot(clicks, sizes[column], marker, color=colour, label=name)
        axis.plot(clicks, sizes[f"population_{column}"], "--", color=colour, linewidth=0.8)
        axis.axhline(limits.loc[column, "limit"], color=GREY, linestyle=":", linewidth=0.8, zorder=0)
    axis.set(xscale="log", xlabel="clicks a group, J", ylabel="average over a class")
    axis.set_ylim(-0.05, 1.05)
    axis.legend(loc="center right")
    axis.set_title("where it tends")


def _draw_remedies(axis, remedies):
    names = [name for name in REMEDIES if name in remedies.index]
    _, colour, _ = appearance("moments")
    rows = remedies.loc[names]
    axis.barh(range(len(names)), rows["mean_absolute_error"], color=colour, height=0.6)
    axis.errorbar(
        rows["mean_absolute_error"],
        range(len(names)),
        xerr=rows["mean_absolute_error_mc_error"],
        color=INK,
        linestyle="",
        elinewidth=0.7,
    )
    axis.set_yticks(range(len(names)), [REMEDIES[name] for name in names])
    axis.invert_yaxis()
    axis.set_xlabel("mean absolute error")
    axis.set_title("remedies")


def _draw_path(axis, path, remedies):
    path = path[path["penalty"] > 0]
    _, colour, marker = appearance("moments")
    axis.plot(path["penalty"], path["mean_absolute_error"], color=colour, marker=marker, label="plain ridge")
    for remedy, line, name in (("none", ":", "no penalty"), ("penalty", "--", "same noise as penalty")):
        level = remedies.loc[remedy, "mean_absolute_error"]
        axis.axhline(level, color=INK, linestyle=line, linewidth=0.8, label=name)
    axis.set(xscale="log", xlabel=r"penalty a group, $\lambda$", ylabel="mean absolute error")
    axis.set_ylim(0)
    axis.legend(loc="upper right", bbox_to_anchor=(1, 0.97))
    axis.set_title("ridge path")


def main(arguments=None):
    parser = figure_parser(__doc__)
    parser.add_argument("sizes", help="CSV `sizes` of replication.discussion.moments_by_size")
    parser.add_argument("limits", help="CSV `limits` of the same")
    parser.add_argument("remedies", help="CSV `remedies` of replication.discussion.moments_remedies")
    parser.add_argument("path", help="CSV `ridge_path` of the same")
    args = parser.parse_args(arguments)
    tables = [pd.read_csv(p) for p in (args.sizes, args.limits, args.remedies, args.path)]
    save(draw(*tables), *args.output)


if __name__ == "__main__":
    main()
