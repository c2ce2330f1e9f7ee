"""Robustness to W_H (section 4, "A single tuning parameter", and section 5).

The latent model is fitted to the simulation's data at many weights W_H and many numbers of clicks per group J. What
sigma_H = 0.5 calls for is W_H = 1 / sigma_H^2 = 4; the paper uses 10. At W_H = infinity mu_i = HE_i.

Table: clicks_per_group, he_weight, mean_absolute_error (over the bins), posterior_range (largest less
smallest estimate), excess_range (that less the truth's), converged (share of the runs), each with its Monte
Carlo error; runs.
"""

import argparse
import warnings

import numpy as np
import pandas as pd

from replication.discussion.runs import World, add_world_arguments, averages
from wsclust.estimators.estimate import ConvergenceWarning
from wsclust.estimators.latent import latent
from wsclust.tables import write_csv


def sweep(world, he_weights, clicks_per_group, runs, tolerance_at_zero):
    """The table of the module's docstring.

    Arguments: a World; weights and clicks per group, each a list; the number of runs; the tolerance at W_H = 0,
    where the model is not identified and the tolerance decides the answer.
    """
    true_range = np.ptp(world.true.posterior)
    rows = []
    for clicks in clicks_per_group:
        for run in range(1, runs + 1):
            data = world.data(clicks, run)
            for he_weight in he_weights:
                settings = {"tolerance": tolerance_at_zero} if he_weight == 0 else {}
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", ConvergenceWarning)  # it has a column of its own
                    fit = latent(data, he_weight, **settings)
                rows.append(
                    {
                        "clicks_per_group": clicks,
                        "he_weight": he_weight,
                        "run": run,
                        "mean_absolute_error": world.error(fit.posterior),
                        "posterior_range": np.ptp(fit.posterior),
                        "excess_range": np.ptp(fit.posterior) - true_range,
                        "converged": fit.converged,
                    }
                )
    return averages(pd.DataFrame(rows), ["clicks_per_group", "he_weight"])


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_world_arguments(parser)
    parser.add_argument("--tolerance-at-zero", type=float, required=True, help="of the fit at W_H = 0")
    parser.add_argument("--output", required=True)
    args = parser.parse_args(arguments)
    table = sweep(World.of(**args.world), **args.settings, tolerance_at_zero=args.tolerance_at_zero)
    write_csv(table, args.output)


if __name__ == "__main__":
    main()
