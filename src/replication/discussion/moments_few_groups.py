"""Moments where groups are few and large, as the states of the election (footnote of section 6.1).

The paper finds it "not very surprising" that moments does not work there, "as here we have few states and many voters
per state". Which of the two is it? The simulation's data are drawn in few and in many groups, of few and of as many
clicks as a state has voters; half of the 42 states are trained on.

Table: groups, clicks_per_group, mean_absolute_error, bins_outside ([0, 1], a run), direct_error (mean absolute error of
the direct estimate on the same data), each with its Monte Carlo error; runs; population_error (of the estimate from
infinitely many groups).
"""

import pandas as pd

from replication.discussion.moments_population import Population
from replication.discussion.runs import averages, write_table_of
from replication.shared.known_warnings import known_warnings_ignored
from wsclust.estimators.direct import direct
from wsclust.estimators.moments import moments


def study(world, groups, clicks_per_group, runs):
    """The table of the module's docstring; `groups` and `clicks_per_group` are lists, which are crossed."""
    population = Population(world.true, world.label_noise)
    rows = []
    for number in groups:
        for clicks in clicks_per_group:
            for run in range(1, runs + 1):
                data = world.data(clicks, run, groups=number)
                with known_warnings_ignored():
                    fit = moments(data)
                rows.append(
                    {
                        "groups": number,
                        "clicks_per_group": clicks,
                        "run": run,
                        "mean_absolute_error": world.error(fit.posterior),
                        "bins_outside": ((fit.posterior < 0) | (fit.posterior > 1)).sum(),
                        "direct_error": world.error(direct(data).posterior),
                    }
                )
    table = averages(pd.DataFrame(rows), ["groups", "clicks_per_group"])
    table["population_error"] = [
        world.error(population.moments(clicks)) for clicks in table["clicks_per_group"]
    ]
    return table


def main(arguments=None):
    write_table_of(study, __doc__, arguments)


if __name__ == "__main__":
    main()
