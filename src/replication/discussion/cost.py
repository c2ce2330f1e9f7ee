"""What a fit costs, in cells visited (section 4: "our algorithm scales linearly in the size of the data").

One E-step and one M-step of EM visit each cell of groups x bins a fixed number of times, whatever the clicks
in it. A fit therefore costs its iterations times its cells, and is linear in the groups if the iterations do
not grow. The paper's algorithm keeps a z_ij for each click: it costs its iterations times its clicks. Seconds, which
depend on the machine, are not measured here.

Tables:

* cost: groups, clicks_per_group, bins, cells, clicks, em_iterations and newton_iterations to the tolerance,
  em_cells_visited (iterations x cells), em_clicks_visited (iterations x clicks), each with its Monte
  Carlo error where it varies; runs
* slopes: varied (groups or clicks_per_group), cost, slope (of its log on the log of what varies), expected
"""

import pandas as pd

from replication.discussion.runs import World, averages, slope
from replication.shared.job_settings import study_parser
from wsclust.estimators.latent import latent
from wsclust.tables import write_csv


def count(world, sizes, he_weight, tolerance, runs):
    """The table `cost`; `sizes` is a list of pairs of groups I and clicks per group J."""
    rows = []
    for groups, clicks in sizes:
        for run in range(1, runs + 1):
            data = world.data(clicks, run, groups=groups)
            em = latent(data, he_weight, tolerance, solver="em")
            newton = latent(data, he_weight, tolerance)
            rows.append(
                {
                    "groups": groups,
                    "clicks_per_group": clicks,
                    "run": run,
                    "em_iterations": em.iterations,
                    "newton_iterations": newton.iterations,
                    "em_cells_visited": em.iterations * data.counts.size,
                    "em_clicks_visited": em.iterations * groups * clicks,
                }
            )
    table = averages(pd.DataFrame(rows), ["groups", "clicks_per_group"])
    bins = len(world.true.posterior)
    table.insert(2, "bins", bins)
    table.insert(3, "cells", table["groups"] * bins)
    table.insert(4, "clicks", table["groups"] * table["clicks_per_group"])
    return table


def slopes(table, groups, clicks_per_group):
    """The table `slopes`; of two lists one varies, the other stays at its first value."""
    rows = []
    for varied, values, other in (
        ("groups", groups, ("clicks_per_group", clicks_per_group[0])),
        ("clicks_per_group", clicks_per_group, ("groups", groups[0])),
    ):
        chosen = table[table[varied].isin(values) & (table[other[0]] == other[1])]
        for cost in ("em_iterations", "em_cells_visited", "em_clicks_visited"):
            expected = float(
                cost == "em_clicks_visited" or (varied == "groups" and cost == "em_cells_visited")
            )
            rows.append((varied, cost, slope(chosen[varied], chosen[cost]), expected))
    return pd.DataFrame(rows, columns=["varied", "cost", "slope", "expected"])


def main(arguments=None):
    parser = study_parser(__doc__, "cost", "slopes")
    args = parser.parse_args(arguments)
    world, settings = World.split_from(args.settings)
    groups, clicks = settings.pop("groups"), settings.pop("clicks_per_group")
    sizes = [(g, clicks[0]) for g in groups] + [(groups[0], c) for c in clicks[1:]]
    table = count(world, sizes, **settings)
    write_csv(table, args.cost)
    write_csv(slopes(table, groups, clicks), args.slopes)


if __name__ == "__main__":
    main()
