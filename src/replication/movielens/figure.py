"""Happy ratings of movies: every method's estimate by kind of rater, against the oracle's."""

import matplotlib.pyplot as plt
import pandas as pd

from replication.shared.job_settings import figure_parser
from wsclust.plots.appearance import appearance
from wsclust.plots.palette import GREY
from wsclust.plots.style import WIDTH, save, style

SHOWN = ("moments", "direct", "latent", "latent_wh10")
SPREAD = 0.13  # of the step between fifths, between the methods' points


def draw(posteriors, oracle="oracle"):
    """The figure: a panel a third of the raters' spread, the fifths of their mean along the x axis.

    Argument: the table of posteriors of replication.movielens.study.
    """
    spreads = sorted(posteriors["spread"].unique())
    words = dict(zip(spreads, ("even", "middling", "varied"), strict=False))
    with style():
        figure, axes = plt.subplots(
            1, len(spreads), figsize=(WIDTH, 2.9), sharex=True, sharey=True, squeeze=False
        )
        for axis, spread, letter in zip(axes[0], spreads, "abcdefgh", strict=False):
            panel = posteriors[posteriors["spread"] == spread]
            for edge in (0, 1):
                axis.axhline(edge, color=GREY, linestyle="--", linewidth=0.6, zorder=0)
            known = panel[panel["method"] == oracle]
            name, colour, _ = appearance(oracle)
            axis.plot(known["mean"], known["posterior"], color=colour, linewidth=2.2, label=name, zorder=1)
            for place, method in enumerate(SHOWN):
                _draw_method(axis, panel, method, SPREAD * (place - (len(SHOWN) - 1) / 2))
            axis.set_title(f"({letter}) {words.get(spread, spread)} raters", loc="left")
            axis.set_xticks(sorted(panel["mean"].unique()))
        axes[0, len(spreads) // 2].set_xlabel("fifth of the mean of the rater's other ratings")
        axes[0, 0].set_ylabel("P(4 stars or more | bin)")
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=5)
    return figure


def _draw_method(axis, panel, method, offset):
    rows = panel[panel["method"] == method]
    name, colour, marker = appearance(method)
    # The same colour and marker serve two weights of the latent model.
    empty = method == "latent_wh10"
    axis.errorbar(
        rows["mean"] + offset,
        rows["posterior"],
        yerr=rows["se"],
        color=colour,
        marker=marker,
        markerfacecolor="white" if empty else colour,
        markeredgewidth=0.8,
        linestyle="--" if empty else "-",
        linewidth=0.8,
        elinewidth=0.7,
        label=name if method != "latent" else r"latent, $W_H = \infty$",
        zorder=2,
    )


def main(arguments=None):
    parser = figure_parser(__doc__)
    parser.add_argument("posteriors", help="CSV of posteriors of replication.movielens.study")
    args = parser.parse_args(arguments)
    save(draw(pd.read_csv(args.posteriors)), *args.output)


if __name__ == "__main__":
    main()
