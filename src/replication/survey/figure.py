"""Does the check foresee skill? Every design a point, by the held-out label R2 and by the skill of the latent fit.

One panel for each set: the designs on which nothing was chosen, and those on which the thresholds of the verdicts
were. Colours and markers are the verdicts. Skill is 1 as the oracle and 0 as guessing the mean; what lies beyond the
axes stands at their edge. Named are the designs whose labels are predicted, at least in part, by an estimate that is
worse than the mean: failures that carry no warning. Designs that not even an oracle predicts are left out.
"""

import matplotlib.pyplot as plt
import pandas as pd

from replication.shared.job_settings import figure_parser
from wsclust.check.verdicts import (
    AGAINST,
    FAIR_R2,
    GOOD_R2,
    HARDLY,
    NO_R2,
    NOTHING,
    PARTLY,
    PREDICTED,
    TOO_LITTLE,
)
from wsclust.plots.palette import COLOURS, GREY
from wsclust.plots.style import WIDTH, save, style

# verdict -> (colour, marker)
LOOKS = {
    PREDICTED: (COLOURS["blue"], "o"),
    PARTLY: (COLOURS["green"], "s"),
    TOO_LITTLE: (COLOURS["sky"], "^"),
    HARDLY: (COLOURS["orange"], "D"),
    AGAINST: (COLOURS["vermilion"], "X"),
    NOTHING: (GREY, "P"),
}
TITLES = {"second": "nothing was chosen on these", "first": "the thresholds were chosen on these"}
LOWEST = -1.0  # of both axes
_STEP = 8  # points, from a name to the next that would overlap it


def points_of(designs, table, method="latent"):
    """The designs of both sets with the skill of a method and whether the check gives no warning of its failure."""
    skill = table[table["method"] == method].set_index("design")["skill"]
    points = designs[designs["set"].isin(TITLES)]
    points = points.assign(skill=points["design"].map(skill))
    unwarned = points["verdict"].isin([PREDICTED, PARTLY])
    return points.assign(named=unwarned & (points["skill"] < 0))


def draw(designs, table):
    """The figure of the tables of replication.survey.summary."""
    points = points_of(designs, table)
    with style():
        figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 3.3), sharex=True, sharey=True)
        for axis, (name, title) in zip(axes, TITLES.items(), strict=True):
            part = points[points["set"] == name]
            _draw_set(axis, part)
            axis.set_title(f"{len(part)} designs: {title}")
            axis.set_xlabel("held-out label R2")
        axes[0].set_ylabel("skill of the latent estimate")
        handles = {handle.get_label(): handle for axis in axes for handle in axis.get_lines()}
        shown = [handles[verdict] for verdict in LOOKS if verdict in handles]
        figure.legend(handles=shown, loc="outside lower center", ncols=3)
    return figure


def _draw_set(axis, part):
    axis.set_xlim(LOWEST - 0.08, 1.05)
    axis.set_ylim(LOWEST - 0.1, 1.12)
    axis.set_xticks([LOWEST, -0.5, NO_R2, FAIR_R2, GOOD_R2, 1], ["≤ −1", "−0.5", "0", "0.2", "0.5", "1"])
    axis.set_yticks([LOWEST, -0.5, 0, 0.5, 1], ["≤ −1", "−0.5", "0: the mean", "0.5", "1: the oracle"])
    for edge in (NO_R2, FAIR_R2, GOOD_R2):
        axis.axvline(edge, color=GREY, linestyle=":", linewidth=0.8, zorder=0)
    for level in (0, 1):
        axis.axhline(level, color=GREY, linestyle="--", linewidth=0.6, zorder=0)
    places = part[["label_r2", "skill"]].clip(lower=LOWEST)
    for verdict, (colour, marker) in LOOKS.items():
        of_verdict = places[part["verdict"] == verdict]
        if len(of_verdict):
            # The white rim keeps points apart that overlap.
            look = {"markersize": 5, "markeredgecolor": "white", "markeredgewidth": 0.4, "clip_on": False}
            axis.plot(*of_verdict.to_numpy().T, marker, color=colour, label=verdict, **look)
    _write_names(axis, part[part["named"]], places)


def _write_names(axis, named, places):
    """Each name to the left of its point; those of points close to each other one below the other."""
    order = places.loc[named.index].sort_values(["skill", "label_r2"])
    last = None
    for index, (x, y) in order.iterrows():
        up = 0 if last is None or y - last[0] > 0.1 else last[1] + _STEP
        last = (y, up)
        skill = named.loc[index, "skill"]
        beyond = f" ({skill:.1f})".replace("-", "−") if skill < LOWEST else ""
        axis.annotate(
            named.loc[index, "design"].replace("_", " ") + beyond,
            (x, y),
            (-5, up),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize=6,
        )


def main(arguments=None):
    parser = figure_parser(__doc__)
    parser.add_argument("--designs", required=True, help="CSV of designs and their checks, of the summary")
    parser.add_argument("--table", required=True, help="CSV of the methods' skill, of the summary")
    args = parser.parse_args(arguments)
    # The method called null is no missing value.
    designs, table = (
        pd.read_csv(path, keep_default_na=False, na_values=[""]) for path in (args.designs, args.table)
    )
    save(draw(designs, table), *args.output)


if __name__ == "__main__":
    main()
