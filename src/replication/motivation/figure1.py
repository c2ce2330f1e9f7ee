"""Figure 1: clicks in three groups, an unsupervised mixture of them, and what the groups' labels recover.

Left: the clicks by group, the optimal boundary, and the two components of a Gaussian mixture, which are
roughly orthogonal to it. Right: the bins, all that the estimators see beside the labels, shaded by the
latent model's P(happy | bin), with each method's boundary P = 1/2 and, thin, its lines P = 1/4 and 3/4:
how far apart they are shows how sharply a method tells happy from sad.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Ellipse
from scipy.special import logit

from replication.shared.job_settings import figure_parser
from wsclust.plots.appearance import appearance
from wsclust.plots.palette import COLOURS, GREY, INK
from wsclust.plots.style import WIDTH, save, style

# Light, middling and dark, so that they differ in grey too; the paper's are green, blue and red.
GROUPS = ((COLOURS["sky"], "o"), (COLOURS["orange"], "s"), (COLOURS["wine"], "^"))
DASHES = {"latent": (0, (4, 1.5)), "direct": (0, (4, 1.5, 1, 1.5))}
ELLIPSE_SDS = 2
SHADES = LinearSegmentedColormap.from_list("shades", ["1.0", "0.6"])


def draw(clicks, boundaries, ellipses, bins):
    """The figure of the four tables of replication.motivation.study."""
    lines = boundaries.set_index("method")[["intercept", "x", "y"]]
    with style():
        figure, (left, right) = plt.subplots(1, 2, figsize=(WIDTH, 3.4), sharex=True, sharey=True)
        _draw_clicks(left, clicks, ellipses)
        mesh = _draw_bins(right, bins)
        for axis in (left, right):
            _draw_line(axis, lines.loc["optimal"], 0.5, color=INK, linewidth=1.6, label="optimal boundary")
        for method, dash in DASHES.items():
            name, colour, _ = appearance(method)
            for probability in (0.25, 0.5, 0.75):
                middle = probability == 0.5
                _draw_line(
                    right,
                    lines.loc[method],
                    probability,
                    color=colour,
                    linestyle=dash,
                    linewidth=1.6 if middle else 0.7,
                    label=name if middle else None,
                )
        left.set_title("(a) clicks and Gaussian mixture", loc="left")
        right.set_title("(b) bins and estimated boundaries", loc="left")
        for axis in (left, right):
            axis.set_xlabel(r"$X_1$")
            axis.set_aspect("equal")
        left.set_ylabel(r"$X_2$")
        left.set_xlim(bins["x_low"].min() - 0.3, bins["x_high"].max() + 0.3)
        left.set_ylim(bins["y_low"].min() - 0.3, bins["y_high"].max() + 0.3)
        figure.colorbar(mesh, ax=right, shrink=0.6, aspect=25, label="P(happy | bin), latent")
        _add_legend(figure, left, right)
    return figure


def _draw_clicks(axis, clicks, ellipses):
    for place, (share, group) in enumerate(clicks.groupby("share", sort=False)):
        colour, marker = GROUPS[place % len(GROUPS)]
        axis.scatter(
            group["x"],
            group["y"],
            s=7,
            color=colour,
            marker=marker,
            linewidth=0,
            alpha=0.75,
            label=f"{100 * share:g}% happy",
        )
    for row in ellipses.itertuples():
        covariance = [[row.variance_x, row.covariance], [row.covariance, row.variance_y]]
        variances, vectors = np.linalg.eigh(covariance)
        axis.add_patch(
            Ellipse(
                (row.mean_x, row.mean_y),
                *(2 * ELLIPSE_SDS * np.sqrt(variances)),
                angle=np.degrees(np.arctan2(vectors[1, 0], vectors[0, 0])),
                fill=False,
                edgecolor=GREY,
                linestyle="--",
                linewidth=1.2,
            )
        )
    # An ellipse's own entry in a legend would be a box.
    axis.plot([], [], color=GREY, linestyle="--", label=f"mixture component, {ELLIPSE_SDS} SD")


def _draw_bins(axis, bins):
    columns = np.append(np.unique(bins["x_low"]), bins["x_high"].max())
    rows = np.append(np.unique(bins["y_low"]), bins["y_high"].max())
    # Bins are numbered up the columns; pcolormesh wants rows.
    posterior = bins["latent"].to_numpy().reshape(len(columns) - 1, len(rows) - 1).T
    return axis.pcolormesh(
        columns, rows, posterior, cmap=SHADES, vmin=0, vmax=1, edgecolor="white", linewidth=0.4
    )


def _draw_line(axis, line, probability, **look):
    """The line on which a boundary's P(happy) is `probability`."""
    slope = line[["x", "y"]].to_numpy(float)
    point = slope * (logit(probability) - line["intercept"]) / (slope @ slope)
    axis.axline(point, point + [-slope[1], slope[0]], **look)


def _add_legend(figure, left, right):
    entries = {}
    for axis in (left, right):
        entries |= {label: handle for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)}
    thin = plt.Line2D([], [], color=GREY, linewidth=0.7)
    figure.legend(
        [*entries.values(), thin],
        [*entries, "thin: P = 1/4 and 3/4"],
        loc="outside lower center",
        ncols=3,
    )


def main(arguments=None):
    parser = figure_parser(__doc__)
    for table in ("clicks", "boundaries", "ellipses", "bins"):
        parser.add_argument(table, help=f"CSV of {table} from replication.motivation.study")
    args = parser.parse_args(arguments)
    tables = (pd.read_csv(path) for path in (args.clicks, args.boundaries, args.ellipses, args.bins))
    figure = draw(*tables)
    with style():
        save(figure, *args.output)


if __name__ == "__main__":
    main()
