"""The posteriors of crossed factors: levels of the first along x, a line for each level of the second.

Each combination of the other factors has a panel of its own. Bars are 95% intervals, the dashed line is the label
averaged over events, as in the plot with one row per bin. A line has a gap where no such bin occurs.
"""

import textwrap
from itertools import product

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from wsclust.plots.appearance import literal
from wsclust.plots.bin_names import drawable, families, in_lines_that_fit, names_that_fit, warn_of_boxes
from wsclust.plots.palette import COLOURS, GREY
from wsclust.plots.style import WIDTH, style
from wsclust.posterior_table import factors_of

_LOOKS = tuple(
    zip(
        (COLOURS[name] for name in ("blue", "vermilion", "green", "orange", "pink", "sky", "wine", "ink")),
        "osD^vP<>",
        strict=True,
    )
)
MOST_LINES, MOST_LEVELS, MOST_PANELS = len(_LOOKS), 40, 12
_ACROSS = 3  # panels in a row
_SPREAD = 0.5  # of the step between levels, over the lines of one level
_TALLEST = 0.8  # inches of a level's name that is turned
_MOST_SIGNS = 85  # in a line of the note
_TITLE_LINE = 0.14  # inches of a panel's title beyond its first line


def check_factors(bins):
    """Raise ValueError, naming the factor, where bins cannot be drawn as lines.

    Argument: a frame with a column per factor, in the order x, lines, panels.

    >>> check_factors(pd.DataFrame({"size": ["S", "L"]}))
    Traceback (most recent call last):
        ...
    ValueError: plot_lines: one factor, 'size'; lines need two or more; leave plot_lines out
    """
    factors = list(bins)
    if len(factors) < 2:
        raise ValueError(
            f"plot_lines: one factor, {factors[0]!r}; lines need two or more; leave plot_lines out"
        )
    for factor, most, what, place in (
        (factors[0], MOST_LEVELS, "along x", "first"),
        (factors[1], MOST_LINES, "as lines", "second"),
    ):
        if (found := bins[factor].nunique()) > most:
            raise ValueError(
                f"plot_lines: factor {factor!r} has {found:,} levels; at most {most} can be told apart {what}: name "
                f"another {place} among the factors, or leave plot_lines out"
            )
    if len(factors) > 2 and (found := len(bins[factors[2:]].drop_duplicates())) > MOST_PANELS:
        raise ValueError(
            f"plot_lines: {', '.join(map(repr, factors[2:]))} would make {found:,} panels; at most {MOST_PANELS} can "
            "be drawn: name factors with more levels first, leave one out, or leave plot_lines out"
        )


def draw(table, share=None, note=None, factors=None):
    """The figure of a table of a fit: factors, n, posterior, se, lower, upper.

    Arguments: the table; `share`, the label averaged over events, or None; `note`, lines above the figure, or None;
    `factors`, in the order x, lines, panels (as the table has them). Raises ValueError as `check_factors`.
    """
    factors = factors or factors_of(table.columns)
    check_factors(table[factors])
    levels = {factor: list(pd.unique(table[factor])) for factor in factors}
    panels = list(product(*(levels[factor] for factor in factors[2:])))
    by_panel = dict(list(table.groupby(factors[2:], sort=False))) if factors[2:] else {(): table}
    panels = [panel for panel in panels if panel in by_panel]
    lines = [line for text in (note or "").splitlines() for line in textwrap.wrap(text, _MOST_SIGNS)]
    across = 2 if len(panels) == 4 else min(len(panels), _ACROSS)
    down = -(-len(panels) // across)
    along = levels[factors[0]]
    # Levels that would run into each other are turned.
    turned = sum(len(str(level)) + 1 for level in along) * across > 60
    height = 0.9 + 0.14 * len(lines) + down * (1.9 if down > 1 else 2.4) + (_TALLEST if turned else 0)
    with style(), plt.rc_context({"font.family": families()}):
        figure, axes = plt.subplots(
            down, across, figsize=(WIDTH, height), sharex=True, sharey=True, squeeze=False
        )
        names = names_that_fit([[level] for level in along], figure, 7, _TALLEST if turned else WIDTH)
        titles = [_title(factors[2:], panel, figure, WIDTH / across - 0.5) for panel in panels if panel]
        more = max((title.count("\n") for title in titles), default=0)
        figure.set_size_inches(WIDTH, height + _TITLE_LINE * more * down)
        for axis, panel in zip(axes.flat, panels, strict=False):
            _draw_panel(axis, by_panel[panel], factors, levels, share)
        for axis, title in zip(axes.flat, titles, strict=False):
            axis.set_title(title, loc="left")
        for axis in axes.flat[len(panels) :]:
            axis.remove()
        for axis in axes.flat[: len(panels)]:
            axis.set_xticks(range(len(along)), names)
            axis.tick_params(axis="x", labelrotation=90 if turned else 0)
        for place, axis in enumerate(axes.flat[: len(panels)]):
            if place + across >= len(panels):
                axis.set_xlabel(*names_that_fit([[factors[0]]], figure, 8, WIDTH / across - 0.5))
                axis.tick_params(axis="x", labelbottom=True)
        bars = ", 95% interval" if table["lower"].notna().any() else ""
        figure.supylabel(f"P(happy | bin){bars}", fontsize=8)
        if lines:
            figure.suptitle(
                literal("\n".join(map(drawable, lines))), x=0.01, ha="left", fontsize=7, linespacing=1.3
            )
        _add_legend(figure, factors[1], levels[factors[1]], share)
    warn_of_boxes([*lines, *factors, *(level for found in levels.values() for level in found)])
    return figure


def _title(factors, panel, figure, widest):
    """The levels of a panel; that of a single factor behind its name."""
    levels = [" ".join(str(level).split()) or "(empty)" for level in panel]
    text = f"{factors[0]}: {levels[0]}" if len(levels) == 1 else " · ".join(levels)
    return in_lines_that_fit(text, figure, 8, widest)


def _draw_panel(axis, rows, factors, levels, share):
    along, of_lines = levels[factors[0]], levels[factors[1]]
    for place, level in enumerate(of_lines):
        curve = rows[rows[factors[1]] == level].set_index(factors[0]).reindex(along)
        x = np.arange(len(along)) + _SPREAD * (place - (len(of_lines) - 1) / 2) / max(len(of_lines), 4)
        colour, marker = _LOOKS[place]
        axis.vlines(x, curve["lower"], curve["upper"], color=colour, linewidth=0.7)
        axis.plot(x, curve["posterior"], color=colour, marker=marker, markersize=3, linewidth=0.9)
    if share is not None:
        axis.axhline(share, color=GREY, linestyle="--", linewidth=0.8, zorder=0)


def _add_legend(figure, factor, levels, share):
    whole = names_that_fit([[level] for level in levels], figure, 7, WIDTH)
    for columns in range(min(len(levels) + 1, 5), 1, -1):
        # Beside its name, an entry takes a piece of line and the gap to the next.
        names = names_that_fit([[level] for level in levels], figure, 7, WIDTH / columns - 0.6)
        if names == whole:
            break
    handles = [
        plt.Line2D([], [], color=colour, marker=marker, markersize=3, linewidth=0.9, label=name)
        for name, (colour, marker) in zip(names, _LOOKS, strict=False)
    ]
    if share is not None:
        handles.append(
            plt.Line2D([], [], color=GREY, linestyle="--", linewidth=0.8, label=f"mean label {share:.2f}")
        )
    (title,) = names_that_fit([[factor]], figure, 7, WIDTH - 1)
    # As few columns as the rows take, so that no row is left with a single entry.
    columns = -(-len(handles) // -(-len(handles) // columns))
    figure.legend(handles=handles, title=title, title_fontsize=7, loc="outside lower center", ncols=columns)
