"""The posteriors of a user's own events: one row per bin, with its 95% interval.

The dashed line is the label averaged over events, which is where every bin would lie if the factors told
nothing. Up to 150 bins stand in the order of the table, each with its name. More are sorted by posterior, so
that they read as a curve, and only some are named.
"""

import textwrap

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import to_rgb

from wsclust.plots.appearance import appearance, literal
from wsclust.plots.bin_names import drawable, families, names_that_fit, warn_of_boxes
from wsclust.plots.palette import GREY
from wsclust.plots.style import WIDTH, style
from wsclust.posterior_table import factors_of

_NAMED = 150  # more bins than this would make too tall a figure
_SOME = 60  # of more bins, at most this many have their name
_ROW, _NARROW_ROW = 0.15, 0.125  # inches, the latter above _TALL rows
_TALL = 40  # with more rows, the top has the x axis as well
_LINE = 0.14  # inches of a line of text
_WIDEST = 2.4  # inches of a bin's name
_SIZE = 7  # points of the text
_MOST_SIGNS = 85  # in a line across the figure


def draw(table, share=None, method="latent", note=None):
    """The figure of a table of a fit: factors, n, posterior, se, lower, upper.

    Arguments: the table; `share`, the label averaged over events, or None; `method`, for the colour; `note`,
    lines above the figure, or None. Warns where no font has a sign of a name.
    """
    lines = [line for text in (note or "").splitlines() for line in textwrap.wrap(text, _MOST_SIGNS)]
    with style(), plt.rc_context({"font.family": families()}):
        figure, axis = plt.subplots(figsize=(WIDTH, _height(len(table), len(lines))))
        if lines:
            text = "\n".join(map(drawable, lines))
            figure.suptitle(literal(text), x=0.01, ha="left", fontsize=_SIZE, linespacing=1.3)
        draw_on(axis, table, share, method)
    warn_of_boxes(lines)
    return figure


def draw_on(axis, table, share=None, method="latent"):
    """The same on an axis of the caller's, without a note; arguments as `draw`."""
    factors = factors_of(table.columns)
    rows = table.reset_index(drop=True)
    if len(rows) > _NAMED:
        rows = rows.sort_values("posterior", kind="stable", na_position="first")
    _draw_bins(axis, rows, method)
    _write_names(axis, rows, factors)
    _draw_scale(axis, rows)
    if share is not None:
        _draw_share(axis, share, len(rows))
    warn_of_boxes([*factors, *np.unique(table[factors].astype(str))])


def _height(bins, lines):
    rows = bins if bins <= _NAMED else _SOME
    return 0.75 + _LINE * lines + rows * (_ROW if rows <= _TALL else _NARROW_ROW)


def _draw_bins(axis, rows, method):
    place, few = np.arange(len(rows)), len(rows) <= _NAMED
    _, colour, marker = appearance(method)
    known = rows[["lower", "upper"]].notna().all(axis=1).to_numpy()
    bars = rows[known]
    # Many bars make a band, on which the points and the mean label must show.
    look = {"color": colour, "linewidth": 0.9} if few else {"color": _pale(colour), "zorder": 0}
    axis.hlines(place[known], bars["lower"], bars["upper"], **look)
    axis.plot(rows["posterior"], place, marker, color=colour, markersize=3 if few else 1.5)
    axis.set_ylim(len(rows) - 0.4, -0.6)
    axis.set_xlabel("P(happy | bin)" + (", 95% interval" if known.any() else ""))


def _pale(colour):
    return tuple(0.35 * part + 0.65 for part in to_rgb(colour))


def _write_names(axis, rows, factors):
    """The names of the rows, all or some, and above them those of the factors."""
    few = len(rows) <= _NAMED
    place = np.arange(len(rows)) if few else np.linspace(0, len(rows) - 1, _SOME).round().astype(int)
    bins = list(rows[factors].iloc[place].itertuples(index=False, name=None))
    names = names_that_fit(bins, axis.figure, _SIZE, _WIDEST)
    numbered = not few or len(set(names)) < len(names)
    if numbered:
        numbers = [f"{number:,}" for number in rows.index[place] + 1]
        names = names_that_fit(bins, axis.figure, _SIZE, _WIDEST, numbers)
    axis.set_yticks(place, names)
    axis.tick_params(axis="y", length=0)
    if few:
        axis.grid(axis="y", color="0.95", linewidth=0.5)
    else:
        axis.set_ylabel(
            f"{len(rows):,} bins by posterior, {_SOME} of them named, with their row in the table"
        )
    (header,) = names_that_fit([factors], axis.figure, _SIZE, _WIDEST, ["row"] if numbered else None)
    _above(axis, header, 0, len(rows), ha="right", across=-4)


def _draw_scale(axis, rows):
    ends = rows[["posterior", "lower", "upper"]].to_numpy(float)
    low, high = min(0, np.nanmin(ends)), max(1, np.nanmax(ends))
    if low < 0 or high > 1:
        axis.axvspan(0, 1, color="0.92", linewidth=0, zorder=-1)
        axis.set_xlabel(axis.get_xlabel() + "; shaded: 0 to 1")
    axis.set_xlim(low - 0.01 * (high - low), high + 0.01 * (high - low))
    axis.grid(axis="x", color="0.9", linewidth=0.5)
    axis.set_axisbelow(True)
    if len(rows) > _TALL:
        axis.tick_params(axis="x", top=True, labeltop=True)


def _draw_share(axis, share, rows):
    axis.axvline(share, color=GREY, linestyle="--", linewidth=0.8, zorder=0)
    low, high = axis.get_xlim()
    part = (share - low) / (high - low)
    # At an edge, centred words would run into the names or off the figure.
    side = "left" if part < 0.15 else "right" if part > 0.85 else "center"
    _above(axis, f"mean label {share:.2f}", part, rows, ha=side, color=GREY)


def _above(axis, text, part, rows, across=0, **look):
    """Words above the axis, at a part of its width."""
    up = 19 if rows > _TALL else 3  # points, over the labels of the upper axis
    axis.annotate(
        text,
        (part, 1),
        (across, up),
        xycoords="axes fraction",
        textcoords="offset points",
        fontsize=_SIZE,
        **look,
    )
