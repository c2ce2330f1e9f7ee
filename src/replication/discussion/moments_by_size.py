"""Moments against the clicks per group, from one to a thousand (sections 3.2, 5 and 7.2).

Tables:

* sizes: clicks_per_group, mean_absolute_error, population_error (of the estimate from infinitely many
  groups), bins_outside [0, 1] a run, mean_bins_outside (whose mean over the runs is outside),
  first_bins_outside (how many of these come before the first that is inside), condition_number of Omega,
  happy_value w_1 . b and sad_value w_0 . b with their population values; each average over runs with its
  Monte Carlo error; runs
* limits: quantity, limit (as J grows, infinitely many groups), paper_model (the same without label noise),
  largest_clicks (J), found (mean at the largest J), found_mc_error
* singular_values: clicks_per_group (inf: noiseless Omega, of rows omega_i), index, singular_value relative to
  the first, rank of Omega; averages over the runs
"""

import numpy as np
import pandas as pd
from scipy.special import expit

from replication.discussion.moments_population import Population
from replication.discussion.runs import World, averages
from replication.shared.job_settings import study_parser
from wsclust.estimators.moments import moments
from wsclust.tables import write_csv


def sizes(world, clicks_per_group, runs):
    """The table `sizes`."""
    population = Population(world.true, world.label_noise)
    rows, means = [], {}
    for clicks in clicks_per_group:
        estimates = []
        for run in range(1, runs + 1):
            fit = moments(world.data(clicks, run))
            estimates.append(fit.posterior)
            rows.append(
                {
                    "clicks_per_group": clicks,
                    "run": run,
                    "mean_absolute_error": world.error(fit.posterior),
                    "bins_outside": ((fit.posterior < 0) | (fit.posterior > 1)).sum(),
                    "condition_number": fit.condition_number,
                    "happy_value": world.true.happy @ fit.posterior,
                    "sad_value": world.true.sad @ fit.posterior,
                }
            )
        means[clicks] = np.nanmean(estimates, axis=0)
    table = averages(pd.DataFrame(rows), ["clicks_per_group"])
    expected = [population.moments(clicks) for clicks in clicks_per_group]
    table["first_bins_outside"] = [_leading_outside(means[clicks]) for clicks in clicks_per_group]
    table["mean_bins_outside"] = [int(((means[c] < 0) | (means[c] > 1)).sum()) for c in clicks_per_group]
    table["population_error"] = [world.error(b) for b in expected]
    table["population_happy_value"] = [world.true.happy @ b for b in expected]
    table["population_sad_value"] = [world.true.sad @ b for b in expected]
    return table


def _leading_outside(estimate):
    outside = (estimate < 0) | (estimate > 1)
    return len(outside) if outside.all() else int(np.argmin(outside))


def limits(world, table):
    """The table `limits`, from the table `sizes`."""
    population, exact = Population(world.true, world.label_noise), Population(world.true, 0.0)
    last = table.iloc[table["clicks_per_group"].argmax()]
    rows = [
        (
            quantity,
            getattr(population, quantity),
            getattr(exact, quantity),
            last["clicks_per_group"],
            last[quantity],
            last[f"{quantity}_mc_error"],
        )
        for quantity in ("happy_value", "sad_value")
    ]
    errors = [world.error(p.moments(np.inf)) for p in (population, exact)]
    name = "mean_absolute_error"
    rows.append((name, *errors, last["clicks_per_group"], last[name], last[f"{name}_mc_error"]))
    columns = ["quantity", "limit", "paper_model", "largest_clicks", "found", "found_mc_error"]
    return pd.DataFrame(rows, columns=columns).astype({"largest_clicks": int})


def singular_values(world, clicks_per_group, runs):
    """The table `singular_values`; the noiseless rows come from the qualities at the largest J."""
    rows = []
    for clicks in (np.inf, *clicks_per_group):
        for run in range(1, runs + 1):
            if np.isinf(clicks):
                share = expit(world.quality(max(clicks_per_group), run))
                omega = np.outer(1 - share, world.true.sad) + np.outer(share, world.true.happy)
            else:
                data = world.data(clicks, run)
                omega = data.counts / data.sizes[:, None]
            values = np.linalg.svd(omega, compute_uv=False)
            rank = np.linalg.matrix_rank(omega)
            # What is rounding differs from machine to machine: below the rank it is reported as 0.
            relative = np.where(np.arange(len(values)) < rank, values / values[0], 0.0)
            rows += [
                {"clicks_per_group": clicks, "index": k, "run": run, "singular_value": value, "rank": rank}
                for k, value in enumerate(relative, start=1)
            ]
    table = averages(pd.DataFrame(rows), ["clicks_per_group", "index"])
    return table.sort_values(["clicks_per_group", "index"], kind="stable")


def main(arguments=None):
    parser = study_parser(__doc__, "sizes", "limits", "singular-values")
    args = parser.parse_args(arguments)
    world, settings = World.split_from(args.settings)
    table = sizes(world, settings["clicks_per_group"], settings["runs"])
    write_csv(table, args.sizes)
    write_csv(limits(world, table), args.limits)
    chosen = settings["singular_values_at"], settings["singular_values_runs"]
    write_csv(singular_values(world, *chosen), args.singular_values)


if __name__ == "__main__":
    main()
