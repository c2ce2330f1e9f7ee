"""Does the check foresee skill? Real designs by the held-out label R2 and by the skill of the latent fit.

A point a design, coloured and shaped by its verdict. Skill is 1 as the oracle and 0 as guessing the mean.
What lies beyond the axes stands at their edge with its numbers.
"""

import argparse

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from wsclust.diagnostics import DO_NOT_USE, FAIR_R2, GOOD_R2, LIKELY, NO_R2, UNSURE, USE
from wsclust.plotting import GREY, WIDTH, save, style

# verdict -> (colour, marker), Okabe and Ito's colours
VERDICTS = {
    USE: ("#0072B2", "o"),
    LIKELY: ("#009E73", "s"),
    UNSURE: ("#E69F00", "D"),
    DO_NOT_USE: ("#D55E00", "X"),
}
LOWEST_R2, LOWEST_SKILL = -0.85, -1.0
_STEPS = (4.5, 8, 13, 19, 26, 34, 43)  # points from a design to its name, nearest first


def draw(table, diagnostics, method="latent"):
    """The figure of the tables of wsclust.studies.real_events; `method`, whose skill is shown."""
    skill = table[table["method"] == method].set_index("design")["skill"]
    points = diagnostics.assign(skill=diagnostics["design"].map(skill))
    with style():
        figure, axis = plt.subplots(figsize=(WIDTH, 4.2))
        axis.set_xlim(LOWEST_R2 - 0.06, 1.32)
        axis.set_xticks([-0.5, 0, 0.2, 0.5, 1])
        axis.set_ylim(LOWEST_SKILL - 0.15, 1.2)
        for edge in (NO_R2, FAIR_R2, GOOD_R2):
            axis.axvline(edge, color=GREY, linestyle=":", linewidth=0.8, zorder=0)
        for level in (0, 1):
            axis.axhline(level, color=GREY, linestyle="--", linewidth=0.6, zorder=0)
        places = np.column_stack(
            [points["label_r2"].clip(lower=LOWEST_R2), points["skill"].clip(lower=LOWEST_SKILL)]
        )
        for verdict, (colour, marker) in VERDICTS.items():
            rows = (points["verdict"] == verdict).to_numpy()
            if rows.any():
                axis.plot(*places[rows].T, marker, color=colour, markersize=5, label=verdict)
        axis.set_xlabel("held-out label R2")
        axis.set_ylabel("skill: 0 as the mean label, 1 as the oracle")
        figure.legend(loc="outside lower center", ncols=4, title="verdict", title_fontsize=7)
        _write_names(figure, axis, places, [_name(point) for point in points.itertuples()])
    return figure


def _name(point):
    words = point.design.replace("_", " ")
    if point.label_r2 < LOWEST_R2 or point.skill < LOWEST_SKILL:
        words += f" ({point.label_r2:.2f}, {point.skill:.1f})".replace("-", "−")
    return words


def _write_names(figure, axis, places, names):
    """Each name at the first free place around its point, with a line to it where it is not near."""
    figure.draw_without_rendering()
    renderer, pixels = figure.canvas.get_renderer(), figure.dpi / 72
    centres = axis.transData.transform(places)
    frame = axis.get_window_extent(renderer)
    taken = [(x - 4 * pixels, y - 4 * pixels, x + 4 * pixels, y + 4 * pixels) for x, y in centres]
    for (x, y), place, name in zip(centres, places, names, strict=True):
        text = axis.annotate(name, place, fontsize=5.5, va="center")
        width, height = text.get_window_extent(renderer).size
        step, box = _free_place(x, y, width, height, pixels, taken, frame)
        taken.append(box)
        left, bottom = box[0] - x, (box[1] + box[3]) / 2 - y
        text.set_position((left / pixels, bottom / pixels))
        text.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.3})
        text.set_anncoords("offset points")
        if step > _STEPS[0]:
            near = min(max(x, box[0]), box[2]) - x, min(max(y, box[1]), box[3]) - y
            axis.annotate(
                "",
                place,
                (near[0] / pixels, near[1] / pixels),
                textcoords="offset points",
                arrowprops={"arrowstyle": "-", "color": GREY, "linewidth": 0.4, "shrinkA": 0, "shrinkB": 3},
            )


def _free_place(x, y, width, height, pixels, taken, frame):
    first = None
    for step in _STEPS:
        gap = step * pixels
        for across, up in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)):
            left = x + across * gap - (width if across < 0 else 0 if across > 0 else width / 2)
            middle = y + up * (gap + height / 2)
            box = (left, middle - height / 2, left + width, middle + height / 2)
            first = first or (step, box)
            inside = box[0] > frame.x0 and box[2] < frame.x1 and box[1] > frame.y0 and box[3] < frame.y1
            if inside and not any(_overlap(box, other) for other in taken):
                return step, box
    return first


def _overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", nargs="+", required=True, help="CSVs of errors, of real_events")
    parser.add_argument("--diagnostics", nargs="+", required=True, help="CSVs of checks, of real_events")
    parser.add_argument("--output", nargs="+", required=True, help="images: .pdf, .png or .svg")
    args = parser.parse_args(arguments)
    table, diagnostics = (
        pd.concat([pd.read_csv(path) for path in paths], ignore_index=True)
        for paths in (args.tables, args.diagnostics)
    )
    save(draw(table, diagnostics), *args.output)


if __name__ == "__main__":
    main()
