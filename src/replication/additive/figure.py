"""What effects of levels buy: one value per bin against effects of levels, a point per design.

(a) the distance to the oracle over bins, where points below the diagonal gain; (b) the skill on groups held out, where
points above it gain, 0 as the mean and 1 as the oracle. Tables are those of `designs`, and of the survey where it has
the additive method; a design that is in several is drawn from the first. Ordered factors have their trend.
"""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.patheffects import withStroke

from replication.additive.methods import ADDITIVE, ORDERED, SATURATED
from replication.shared.job_settings import figure_parser
from wsclust.plots.palette import COLOURS, GREY
from wsclust.plots.style import WIDTH, save, style

# set -> (legend, colour, marker)
SETS = {
    "first": ("survey, first set", COLOURS["sky"], "s"),
    "second": ("survey, second set", COLOURS["orange"], "D"),
    "kept": ("kept in this project", COLOURS["wine"], "o"),
}
LOWEST_DISTANCE, LOWEST_SKILL = 1e-4, -1.0
NAMES = {
    "us1984_reconstruction": "1984, rebuilt",
    "cces2016_ideology_party": "2016, ideology",
    "cces2016_race_income_college": "2016, race",
    "movielens": "MovieLens",
}


def points(tables, measure):
    """One row per design that has both methods: design, set, and the measure of latent and additive.

    Arguments: frames with the columns design, set, method and the measure, the first of which counts; its name.

    >>> rows = pd.DataFrame({"design": "storms", "set": "first",
    ...                      "method": ["latent", "additive"], "distance": [0.02, 0.01]})
    >>> points([rows], "distance").iloc[0].tolist() == ["storms", "first", 0.02, 0.01]
    True
    """
    rows = pd.concat([table.assign(place=place) for place, table in enumerate(tables)], ignore_index=True)
    first = rows.groupby("design")["place"].transform("min")
    rows = rows[(rows["place"] == first) & rows["set"].isin(SETS)]
    wide = rows.pivot_table(index=["design", "set"], columns="method", values=measure, sort=False)
    if ORDERED in wide:
        wide[ADDITIVE] = wide[ORDERED].fillna(wide[ADDITIVE])
    return wide[[SATURATED, ADDITIVE]].dropna().rename_axis(columns=None).reset_index()


def draw(tables):
    """The figure of these tables."""
    with style():
        figure, (left, right) = plt.subplots(1, 2, figsize=(WIDTH, 2.9))
        distance = points(tables, "distance")
        values = distance[[SATURATED, ADDITIVE]].clip(lower=LOWEST_DISTANCE)
        left.set_xscale("log")
        left.set_yscale("log")
        _draw(left, distance, values, (values.min(axis=None) / 1.6, values.max(axis=None) * 1.6))
        left.set_title("(a) distance to the oracle", loc="left")
        skill = points(tables, "skill")
        _draw(right, skill, skill[[SATURATED, ADDITIVE]].clip(LOWEST_SKILL, 1), (LOWEST_SKILL - 0.1, 1.1))
        right.set_xticks([-1, -0.5, 0, 0.5, 1])
        right.set_yticks([-1, -0.5, 0, 0.5, 1])
        right.set_title("(b) skill on groups held out", loc="left")
        for axis, gain in ((left, "lower"), (right, "higher")):
            axis.set_xlabel("one value per bin")
            axis.set_ylabel(f"effects of levels ({gain} is better)", fontsize="small")
        handles, labels = left.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=3, columnspacing=1)
    return figure


def _draw(axis, found, values, ends):
    for name, (label, colour, marker) in SETS.items():
        some = (found["set"] == name).to_numpy()
        if some.any():
            look = {"markeredgecolor": "white", "markeredgewidth": 0.4, "markersize": 4.5}
            axis.plot(*values[some].to_numpy().T, marker, color=colour, label=label, clip_on=False, **look)
    axis.plot(ends, ends, color=GREY, linewidth=0.8, linestyle="--", zorder=0)
    axis.set_xlim(*ends)
    axis.set_ylim(*ends)
    axis.set_aspect("equal")
    for name, place in zip(found["design"], values.to_numpy(), strict=True):
        if name in NAMES:
            across = axis.transAxes.inverted().transform(axis.transData.transform(place))[0]
            look = {"xytext": (-5, -2), "ha": "right"} if across > 0.75 else {"xytext": (5, -2)}
            halo = [withStroke(linewidth=2, foreground="white")]
            axis.annotate(
                NAMES[name],
                place,
                textcoords="offset points",
                fontsize=6,
                path_effects=halo,
                zorder=5,
                **look,
            )


def main(arguments=None):
    parser = figure_parser(__doc__)
    parser.add_argument(
        "--tables", nargs="+", required=True, help="CSVs with design, set, method, distance and skill"
    )
    args = parser.parse_args(arguments)
    tables = [pd.read_csv(path) for path in args.tables]
    known = [
        table for table in tables if {"set", "distance"} <= set(table) and ADDITIVE in set(table["method"])
    ]
    save(draw(known), *args.output)


if __name__ == "__main__":
    main()
