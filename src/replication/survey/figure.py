"""Does the check foresee skill? Every design a point, by the held-out label R2 and by the skill of the latent fit.

One panel for each set: the designs on which nothing was chosen, and those on which the thresholds of the verdicts
were. Colours and markers are the verdicts. Skill is 1 as the oracle and 0 as guessing the mean; what lies beyond the
axes stands at their edge. Letters name the designs whose labels are predicted, at least in part, by an estimate that
is worse than the mean: failures that carry no warning. Designs that not even an oracle predicts are left out.
"""

from string import ascii_lowercase

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
TITLES = {"second": "nothing was chosen on them", "first": "the thresholds were chosen on them"}
LOWEST = -1.0  # of both axes


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
        figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 3.5), sharex=True, sharey=True)
        for axis, (name, title) in zip(axes, TITLES.items(), strict=True):
            part = points[points["set"] == name]
            _draw_set(axis, part)
            axis.set_title(f"{len(part)} designs;\n{title}")
            axis.set_xlabel("held-out label R2")
        axes[0].set_ylabel("skill of the latent estimate")
        handles = {handle.get_label(): handle for axis in axes for handle in axis.get_lines()}
        shown = [handles[verdict] for verdict in LOOKS if verdict in handles]
        figure.legend(handles=shown, loc="outside lower center", ncols=3)
    return figure


def _draw_set(axis, part):
    axis.set_xlim(LOWEST - 0.08, 1.05)
    axis.set_ylim(LOWEST - 0.1, 1.25)
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
    _name_failures(axis, part[part["named"]].sort_values("label_r2"))


def _name_failures(axis, failures):
    """A letter above each point, and what the letters stand for where the panel is empty."""
    key = []
    for letter, failure in zip(ascii_lowercase, failures.itertuples(), strict=False):
        place = (failure.label_r2, max(failure.skill, LOWEST))
        axis.annotate(letter, place, (0, 3.5), textcoords="offset points", ha="center", fontsize=7)
        key.append(f"{letter}  {failure.design.replace('_', ' ')}")
    axis.text(LOWEST - 0.04, 0.95, "\n".join(key), va="top", fontsize=6)


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
