"""Robustness to W_H (section 4, "A single tuning parameter", and section 5).

The latent model is fitted to the simulation's data at many weights W_H and many numbers of clicks per group J. What
sigma_H = 0.5 calls for is W_H = 1 / sigma_H^2 = 4; the paper uses 10. At W_H = infinity mu_i = HE_i.

Table: clicks_per_group, he_weight, mean_absolute_error (over the bins), posterior_range (largest less
smallest estimate), excess_range (that less the truth's), converged (share of the runs), from_unsupervised (mean
absolute difference from the answer to the same data at W_H = 0, which the labels only start; section 7.1), each with
its Monte Carlo error; runs.
"""

import numpy as np
import pandas as pd

from replication.discussion.runs import averages, write_table_of
from replication.shared.known_warnings import known_warnings_ignored
from wsclust.estimators.latent import latent


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
            fits = {}
            for he_weight in he_weights:
                settings = {"tolerance": tolerance_at_zero} if he_weight == 0 else {}
                with known_warnings_ignored():
                    fits[he_weight] = latent(data, he_weight, **settings)
            for he_weight, fit in fits.items():
                rows.append(
                    {
                        "clicks_per_group": clicks,
                        "he_weight": he_weight,
                        "run": run,
                        "mean_absolute_error": world.error(fit.posterior),
                        "posterior_range": np.ptp(fit.posterior),
                        "excess_range": np.ptp(fit.posterior) - true_range,
                        "converged": fit.converged,
                        "from_unsupervised": _apart(fit, fits.get(0)),
                    }
                )
    return averages(pd.DataFrame(rows), ["clicks_per_group", "he_weight"])


def _apart(fit, other):
    return np.nan if other is None else np.abs(fit.posterior - other.posterior).mean()


def main(arguments=None):
    write_table_of(sweep, __doc__, arguments)


if __name__ == "__main__":
    main()
