"""Elections side by side: the estimates of direct assignment and of latent variables against the oracle's."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from replication.shared.job_settings import figure_parser
from replication.shared.result_tables import read_table
from wsclust.plots.appearance import appearance
from wsclust.plots.palette import GREY
from wsclust.plots.style import WIDTH, save, style

TITLES = {
    "cces2016_ideology_party": "2016: ideology, party",
    "cces2016_race_income_college": "2016: race, income, degree",
    "us1984_reconstruction": "1984, simulated",
}


def draw(compared, estimates):
    """A panel an election, a point a bin with an area that grows with the root of its voters.

    Above a panel stand the latent estimates' correlation with the oracle's and mean-squared difference, and
    the dispersion among the voters for the Republican (R) and among the others.

    Arguments: the tables of `replication.election1984.compared`.
    """
    elections = list(compared["election"].unique())
    with style():
        figure, axes = plt.subplots(1, len(elections), figsize=(WIDTH, 2.7), sharey=True, squeeze=False)
        for axis, election, letter in zip(axes[0], elections, "abcdefgh", strict=False):
            bins = estimates[estimates["election"] == election]
            axis.plot([0, 1], [0, 1], color=GREY, linewidth=0.6, zorder=0)
            for method, rows in bins.groupby("method", sort=False):
                name, colour, marker = appearance(method)
                area = 60 * np.sqrt(rows["voters"] / bins["voters"].max()) + 1
                axis.scatter(
                    rows["oracle"],
                    rows["estimate"],
                    s=area,
                    color=colour,
                    marker=marker,
                    alpha=0.6,
                    linewidths=0,
                    label=name,
                )
            note = _note(compared[compared["election"] == election])
            axis.set_title(f"({letter}) {TITLES.get(election, election)}\n{note}", loc="left", fontsize=6.5)
            # A little wider than [0, 1], so that no point is cut.
            axis.set_xlim(-0.04, 1.04)
            axis.set_ylim(-0.04, 1.04)
            axis.set_xticks([0, 0.5, 1])
        axes[0, 0].set_ylabel("estimate")
        axes[0, len(elections) // 2].set_xlabel("share for the Republican, by the oracle")
        handles = [
            plt.Line2D([], [], color=colour, marker=marker, linestyle="", label=name)
            for name, colour, marker in map(appearance, estimates["method"].unique())
        ]
        figure.legend(handles=handles, loc="outside lower center", ncols=2)
    return figure


def _note(rows):
    latent = rows[rows["method"] == "latent"].iloc[0]
    correlation = f"{latent['correlation_with_oracle']:.2f}".replace("-", "−")
    return (
        f"r = {correlation}, distance {latent['distance']:.3f}\n"
        f"dispersion R {latent['dispersion_positive']:.1f}, others {latent['dispersion_negative']:.1f}"
    )


def main(arguments=None):
    parser = figure_parser(__doc__)
    parser.add_argument("compared", help="CSV of one row an election and method")
    parser.add_argument("estimates", help="CSV of one row an election, method and bin")
    args = parser.parse_args(arguments)
    compared = read_table(args.compared)
    save(draw(compared, pd.read_csv(args.estimates)), *args.output)


if __name__ == "__main__":
    main()
