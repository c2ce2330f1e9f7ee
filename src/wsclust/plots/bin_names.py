"""The names of bins as a figure writes them: what a user called the levels, in the room that there is."""

import re
import warnings
from functools import cache

from matplotlib import font_manager

from wsclust.plots.appearance import literal

LONGEST = 40  # characters of a bin's name
_WORD = re.compile(r"\([^\s,]+, [^\s,]+\]|[<>]=? \S+|\S+")  # an interval, such as `(10, 20]`, is one
_FONT = "DejaVu Sans"
# The figures' own font has no Chinese, Japanese or Korean; where such names are used, one of these is there.
_OTHER_FONTS = (
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "Hiragino Sans",
    "PingFang SC",
    "Yu Gothic",
    "Microsoft YaHei",
    "Malgun Gothic",
    "Arial Unicode MS",
)


def bin_name(levels, longest=LONGEST):
    """The levels of a bin in a line, long ones shortened in the middle where it would be too long.

    >>> bin_name(["an uncommonly long name of a level, the first", 7], longest=30)
    'an uncommonly long …the first · 7'
    """
    # A level that is empty or has a line break would upset the rows.
    levels = [" ".join(str(level).split()) or "(empty)" for level in levels]
    room = range(longest, 3, -1)
    most = next((m for m in room if sum(min(len(level), m) for level in levels) <= longest), 3)
    return " · ".join(_shortened(level, most) for level in levels)


def _shortened(level, most):
    if len(level) <= most:
        return level
    # Levels often differ at their ends only.
    tail = most // 3 if most > 5 else 0
    return f"{level[: most - 1 - tail]}…{level[len(level) - tail :]}"


def names_that_fit(bins, figure, size, widest, numbers=None):
    """A name for each bin, at most `widest` inches wide.

    Arguments: a list of each bin's levels; the figure that they are for; points; inches; `numbers`, which
    then begin every name, or None. The names are for matplotlib, dollars escaped.
    """
    renderer = figure.canvas.get_renderer()
    font = font_manager.FontProperties(family=families(), size=size)

    def fits(name):
        return renderer.get_text_width_height_descent(name, font, False)[0] <= widest * figure.dpi

    starts = [""] * len(bins) if numbers is None else [f"{number}: " for number in numbers]
    for longest in range(LONGEST, 2, -3):
        names = [
            drawable(start + bin_name(levels, longest)) for start, levels in zip(starts, bins, strict=True)
        ]
        if all(map(fits, names)):
            break
    return [literal(_cut(name, fits)) for name in names]


def in_lines_that_fit(text, figure, size, widest, most=3):
    """A text in up to `most` lines, each at most `widest` inches wide; what is longer is shortened in the last.

    Arguments: the text; the figure that it is for; points; inches. A word wider than a line is shortened too.
    """
    renderer = figure.canvas.get_renderer()
    font = font_manager.FontProperties(family=families(), size=size)
    lines, words = [], _WORD.findall(str(text)) or ["(empty)"]
    for word in words:
        longer = f"{lines[-1]} {word}" if lines else word
        wide = renderer.get_text_width_height_descent(drawable(longer), font, False)[0] > widest * figure.dpi
        if lines and not (wide and len(lines) < most):
            lines[-1] = longer
        else:
            lines.append(word)
    return "\n".join(names_that_fit([[line]], figure, size, widest)[0] for line in lines)


def _cut(name, fits):
    """The beginning of a name that is too wide with every level at its shortest, as with many factors."""
    if fits(name):
        return name
    while name and not fits(f"{name}…"):
        name = name[:-1]
    return f"{name}…"


@cache
def families():
    """The figures' font, and what this machine has for the signs that it lacks."""
    known = set(font_manager.get_font_names())
    return [_FONT, *(name for name in _OTHER_FONTS if name in known)]


def drawable(text):
    """The text with a box for every sign that no font has, for which matplotlib would warn at each.

    >>> drawable("a" + chr(0x10FFFF))
    'a□'
    """
    return "".join(sign if _has_sign(sign) else "□" for sign in text)


@cache
def _has_sign(sign):
    fonts = (font_manager.get_font(font_manager.findfont(name)) for name in families())
    return any(font.get_char_index(ord(sign)) for font in fonts)


def warn_of_boxes(texts):
    """A warning that names the signs that `drawable` made a box of, if any."""
    lacking = sorted(
        {sign for text in texts for sign in str(text) if not sign.isspace() and not _has_sign(sign)}
    )
    if lacking:
        shown = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in lacking[:10])
        more = " and others" if len(lacking) > 10 else ""
        remedy = "a font such as Noto Sans CJK has Chinese, Japanese and Korean"
        if not any(sign.isprintable() for sign in lacking):
            remedy = "write the names without them"
        warnings.warn(
            f"plot: no font here has {shown}{more}: a box stands for each; {remedy}",
            stacklevel=3,
        )
