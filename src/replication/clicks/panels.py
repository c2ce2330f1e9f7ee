"""Figures 6-8 are one drawing: posteriors of one method on the synthetic clicks, a panel a class.

Figures 6 and 7 have the vertical range of the latent fit, that of Figure 6. Figure 8 has its own, with dashed
lines at the limits of Figure 6, as the paper's caption has it. Shapes are markers, colours are colours and, since
red markers are full and blue ones empty, readable without colour. Bars are 1 standard error.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from replication.shared.job_settings import figure_parser
from wsclust.plots.appearance import appearance
from wsclust.plots.palette import COLOURS, GREY, INK
from wsclust.plots.style import WIDTH, save, style

LATENT = "latent_wh10"
MARKERS = {"circle": "o", "square": "s", "triangle": "^"}
CLICK_COLOURS = {"red": COLOURS["vermilion"], "blue": COLOURS["blue"]}
SPREAD = 0.09  # of the step between levels, between the six points of one level


def vertical_range(posteriors, method):
    """Range of a method's estimates and their bars, the truth included, to the next twentieth outward.

    >>> table = pd.DataFrame({"method": ["latent"] * 2, "posterior": [0.12, 0.8], "se": [0.01, 0.02]})
    >>> vertical_range(table.assign(truth=[0.1, 0.83]), "latent")
    (0.1, 0.85)
    """
    rows = posteriors[posteriors["method"] == method]
    low = np.minimum(rows["posterior"] - rows["se"], rows["truth"]).min()
    high = np.maximum(rows["posterior"] + rows["se"], rows["truth"]).max()
    return float(np.floor(20 * low + 1e-9) / 20), float(np.ceil(20 * high - 1e-9) / 20)


def draw(posteriors, method, own_range=False, show_truth=False):
    """The figure of one method.

    Arguments: the table of posteriors of replication.clicks.study; a method; `own_range`, whether the y axis
    takes what the estimates need and dashed lines show the limits of Figure 6; `show_truth`. Raises ValueError
    where the table lacks the method or the latent fit.
    """
    for needed in (method, LATENT):
        if not (posteriors["method"] == needed).any():
            raise ValueError(
                f"posteriors: no rows of method {needed!r}, expected by this figure; "
                "add it to clicks.methods in config.yaml"
            )
    classes = list(posteriors["class"].unique())
    rows = posteriors[posteriors["method"] == method]
    with style():
        figure, axes = plt.subplots(
            1, len(classes), figsize=(WIDTH, 3.1), sharex=True, sharey=True, squeeze=False
        )
        for axis, group_class, letter in zip(axes[0], classes, "abcdefgh", strict=False):
            _draw_class(axis, rows[rows["class"] == group_class], show_truth)
            if own_range:
                for edge in vertical_range(posteriors, LATENT):
                    axis.axhline(edge, color=GREY, linestyle="--", linewidth=0.8, zorder=0)
            axis.set_title(f"({letter}) class {group_class}, synthetic clicks", loc="left")
            axis.set_xlabel("level")
            axis.set_xticks(sorted(rows["level"].unique()))
        axes[0, 0].set_ylabel(f"P(happy | bin), {appearance(method)[0]}")
        if not own_range:
            axes[0, 0].set_ylim(*vertical_range(posteriors, LATENT))
        _add_legend(figure, rows, own_range, show_truth)
    return figure


def _draw_class(axis, rows, show_truth):
    curves = list(rows.groupby(["shape", "colour"], sort=False))
    for place, ((shape, colour), curve) in enumerate(curves):
        level = curve["level"].to_numpy() + SPREAD * (place - (len(curves) - 1) / 2)
        axis.errorbar(
            level,
            curve["posterior"],
            yerr=curve["se"],
            color=CLICK_COLOURS[colour],
            marker=MARKERS[shape],
            markerfacecolor=_fill(colour),
            markeredgewidth=0.8,
            linewidth=0.8,
            elinewidth=0.7,
        )
        if show_truth:
            axis.plot(level, curve["truth"], color=INK, linestyle=":", linewidth=0.8, zorder=3)


def _fill(colour):
    return CLICK_COLOURS[colour] if colour == "red" else "white"


def _add_legend(figure, rows, own_range, show_truth):
    handles = [
        plt.Line2D(
            [],
            [],
            color=CLICK_COLOURS[colour],
            marker=MARKERS[shape],
            markerfacecolor=_fill(colour),
            markeredgewidth=0.8,
            linewidth=0.8,
            label=f"{colour} {shape}",
        )
        for shape in rows["shape"].unique()
        for colour in rows["colour"].unique()
    ]
    if show_truth:
        handles.append(plt.Line2D([], [], color=INK, linestyle=":", linewidth=0.8, label="truth"))
    if own_range:
        handles.append(
            plt.Line2D([], [], color=GREY, linestyle="--", linewidth=0.8, label="limits of Figure 6")
        )
    # Legends fill column by column: a column a shape, what else there is in the last.
    figure.legend(handles=handles, loc="outside lower center", ncols=4 if len(handles) > 6 else 3)


def main(method, description, arguments=None, **choices):
    """Draw one method to the images that the command line names; `choices` as of `draw`."""
    parser = figure_parser(description)
    parser.add_argument("posteriors", help="CSV of posteriors of replication.clicks.study")
    args = parser.parse_args(arguments)
    save(draw(pd.read_csv(args.posteriors), method, **choices), *args.output)
