"""Does the check foresee skill? Real designs by the held-out label R2 and by the skill of the latent fit.

A point a design, coloured and shaped by its verdict. Skill is 1 as the oracle and 0 as guessing the mean.
What lies beyond the axes stands at their edge with its numbers.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from replication.shared.job_settings import figure_parser
from wsclust.check.verdicts import DO_NOT_USE, FAIR_R2, GOOD_R2, LIKELY, NO_R2, UNSURE, USE
from wsclust.plots.palette import COLOURS, GREY, INK
from wsclust.plots.style import WIDTH, save, style

# verdict -> (colour, marker)
VERDICTS = {
    USE: (COLOURS["blue"], "o"),
    LIKELY: (COLOURS["green"], "s"),
    UNSURE: (COLOURS["orange"], "D"),
    DO_NOT_USE: (COLOURS["vermilion"], "X"),
}
LOWEST_R2, LOWEST_SKILL = -0.85, -1.0
_SIZE = 5.5  # points, of a marker with its rim
_AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
_STEPS = (4.5, 8, 13, 19, 26, 34, 43)  # points from a design to its name, nearest first


def draw(table, diagnostics, method="latent"):
    """The figure of the tables of replication.survey.study; `method`, whose skill is shown."""
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
                # The white rim keeps points apart that overlap.
                look = {"markersize": _SIZE, "markeredgecolor": "white", "markeredgewidth": 0.4}
                axis.plot(*places[rows].T, marker, color=colour, label=verdict, **look)
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
    """Each name at the first free place around its point, with a line to it where it is not near.

    Names of points that overlap stand apart, each on its point's side, with a line to the point's middle.
    """
    figure.draw_without_rendering()
    renderer, pixels = figure.canvas.get_renderer(), figure.dpi / 72
    centres = axis.transData.transform(places) / pixels
    frame = axis.get_window_extent(renderer).get_points().ravel() / pixels
    taken = [(x - 4, y - 4, x + 4, y + 4) for x, y in centres]
    for centre, place, name in zip(centres, places, names, strict=True):
        text = axis.annotate(name, place, fontsize=5.5, va="center")
        size = text.get_window_extent(renderer).size / pixels
        away = _away(centre, centres)
        step, box = _free_place(centre, size, taken, frame, away)
        taken.append(box)
        text.set_position((box[0] - centre[0], (box[1] + box[3]) / 2 - centre[1]))
        text.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.3})
        text.set_anncoords("offset points")
        if step > _STEPS[0]:
            taken += _line(centre, box)
            look = {"color": INK, "shrinkB": 0} if away.any() else {"color": GREY, "shrinkB": 3}
            axis.annotate(
                "",
                place,
                _nearest(centre, box) - centre,
                textcoords="offset points",
                arrowprops={"arrowstyle": "-", "linewidth": 0.4, "shrinkA": 0, **look},
            )


def _away(centre, centres):
    """The direction from the other points that this one's marker overlaps; zeros where there is none."""
    apart = np.subtract(centre, centres)
    distance = np.hypot(*apart.T)
    near = (distance > 0) & (distance < _SIZE)
    return (apart[near] / distance[near, None]).sum(axis=0)


def _free_place(centre, size, taken, frame, away):
    """Step and box, in points, of the first free place of a name, if possible with a free line to it."""
    around, steps = _AROUND, _STEPS
    if away.any():
        around, steps = sorted(_AROUND, key=lambda side: -np.dot(side, away) / np.hypot(*side)), _STEPS[1:]
    places = [(step, _box(centre, size, step, side)) for step in steps for side in around]
    free = [(step, box) for step, box in places if _inside(box, frame) and _is_free([box], taken)]
    clear = [(step, box) for step, box in free if step == _STEPS[0] or _is_free(_line(centre, box), taken)]
    return [*clear, *free, *places][0]


def _box(centre, size, step, side):
    """Where a name is at a step to a side: it begins or ends there, or is centred on the point."""
    left, bottom = np.asarray(centre) + step * np.asarray(side) - size * (1 - np.asarray(side)) / 2
    return left, bottom, left + size[0], bottom + size[1]


def _inside(box, frame):
    return box[0] > frame[0] and box[2] < frame[2] and box[1] > frame[1] and box[3] < frame[3]


def _is_free(boxes, taken):
    return not any(_overlap(box, other) for box in boxes for other in taken)


def _nearest(centre, box):
    """The point of a box that is nearest to a centre."""
    return np.clip(centre, box[:2], box[2:])


def _line(centre, box):
    """Small boxes along the line from a point to its name, but for the marker's surroundings."""
    way = _nearest(centre, box) - centre
    length = np.hypot(*way)
    steps = (centre + way * part / length for part in np.arange(7, length - 1, 1.5))
    return [(x - 0.5, y - 0.5, x + 0.5, y + 0.5) for x, y in steps]


def _overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def main(arguments=None):
    parser = figure_parser(__doc__)
    parser.add_argument("--tables", nargs="+", required=True, help="CSVs of errors, of the study")
    parser.add_argument("--diagnostics", nargs="+", required=True, help="CSVs of checks, of the study")
    args = parser.parse_args(arguments)
    table, diagnostics = (
        pd.concat([pd.read_csv(path) for path in paths], ignore_index=True)
        for paths in (args.tables, args.diagnostics)
    )
    save(draw(table, diagnostics), *args.output)


if __name__ == "__main__":
    main()
