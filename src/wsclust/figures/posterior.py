"""The posteriors of a user's own events: a row a bin, with its 95% interval.

The dashed line is the label averaged over events, which is where every bin would lie if the factors told
nothing.
"""

import argparse

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from wsclust.fitting import ESTIMATES
from wsclust.plotting import GREY, WIDTH, appearance, save, style

_ROW = 0.15  # inches
_NAMED = 60  # more bins than this have no room for their names
_LONGEST = 30  # characters of a bin's name


def draw(table, share=None, method="latent", note=None):
    """The figure of a table of `wsclust fit`: factors, n, posterior, se, lower, upper.

    Arguments: the table; `share`, the label averaged over events, or None; `method`, for the colour; `note`,
    a line above the figure, or None.
    """
    factors = [name for name in table.columns if name not in ESTIMATES]
    names = [bin_name(levels) for levels in table[factors].itertuples(index=False)]
    place = np.arange(len(table))
    known = table[["lower", "upper"]].notna().all(axis=1)
    _, colour, marker = appearance(method)
    with style():
        height = 0.9 + _ROW * min(len(table), _NAMED)
        figure, axis = plt.subplots(figsize=(WIDTH, height))
        bars = table[known]
        axis.hlines(place[known], bars["lower"], bars["upper"], color=colour, linewidth=0.9)
        axis.plot(
            table["posterior"], place, marker, color=colour, markersize=3 if len(table) <= _NAMED else 1.5
        )
        if share is not None:
            axis.axvline(share, color=GREY, linestyle="--", linewidth=0.8, zorder=0)
            axis.annotate(
                "mean label",
                (share, 1),
                (0, 2),
                xycoords=("data", "axes fraction"),
                textcoords="offset points",
                ha="center",
                color=GREY,
                fontsize=7,
            )
        if note:
            axis.set_title(note, loc="left", fontsize=7, pad=14 if share is not None else 6, wrap=True)
        axis.set_ylim(len(table) - 0.4, -0.6)
        if len(table) <= _NAMED:
            axis.set_yticks(place, names)
            axis.tick_params(axis="y", length=0)
        else:
            axis.set_yticks([])
        axis.set_ylabel(" · ".join(factors) + ("" if len(table) <= _NAMED else ", in the order of the table"))
        ends = table[["posterior", "lower", "upper"]].to_numpy(float)
        low, high = min(0, np.nanmin(ends)), max(1, np.nanmax(ends))
        if low < 0 or high > 1:
            for end in (0, 1):
                axis.axvline(end, color=GREY, linewidth=0.6, zorder=0)
        axis.set_xlim(low - 0.01 * (high - low), high + 0.01 * (high - low))
        axis.set_xlabel("P(happy | bin)" + (", 95% interval" if known.any() else ""))
        axis.grid(axis="x", color="0.9", linewidth=0.5)
        axis.set_axisbelow(True)
    return figure


def bin_name(levels):
    """The levels of a bin in a line, each shortened where all would be too long.

    >>> bin_name(["an uncommonly long name of a level", 7])
    'an uncommonly … · 7'
    """
    levels = [str(level) for level in levels]
    most = max(3, _LONGEST // len(levels))
    whole = sum(map(len, levels)) <= _LONGEST
    return " · ".join(n if whole or len(n) <= most else f"{n[: most - 1]}…" for n in levels)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", help="CSV of wsclust fit")
    parser.add_argument("--output", nargs="+", required=True, help="images: .pdf, .png or .svg")
    args = parser.parse_args(arguments)
    table = pd.read_csv(args.table, dtype=str, keep_default_na=False)
    table[ESTIMATES] = table[ESTIMATES].apply(pd.to_numeric)
    save(draw(table), *args.output)


if __name__ == "__main__":
    main()
