"""At W_H = 0 the model is not identified, and where EM stops decides (sections 5 and 7.1).

With p_i = sigma(mu_i) free, the likelihood sees only the mixtures (1 - p_i) w_0 + p_i w_1, so w_0 and w_1 may
move apart along their line without changing it, until some p_i reaches 0 or 1. EM creeps along that ridge:
its answer goes on changing while the likelihood hardly does. One run of EM is stopped at ever smaller
tolerances of rho.

Table: clicks_per_group, tolerance, iterations, converged (share of the runs), mean_absolute_error,
posterior_range, log_likelihood_rise and log_likelihood_rise_per_click since the first tolerance, moved (mean
absolute change of rho since then), shares_at_edge (share of the groups whose p_i is within 0.01 of 0 or 1),
each with its Monte Carlo error; runs.
"""

from itertools import pairwise

import numpy as np
import pandas as pd

from replication.discussion.runs import averages, write_table_of
from replication.shared.known_warnings import known_warnings_ignored
from wsclust.estimators.latent import latent

EDGE = 0.01


def stops(data, tolerances, max_iterations):
    """The fits where one run of EM at W_H = 0 passes each tolerance: pairs of a LatentEstimate and the iterations.

    Arguments: GroupedCounts; falling tolerances; the iterations allowed in all. Raises ValueError where the
    tolerances do not fall.

    >>> from wsclust.counts import GroupedCounts
    >>> data = GroupedCounts([[8, 2], [3, 7]], label=[0.7, 0.4])
    >>> (_, first), (fit, second) = stops(data, [1e-2, 1e-4], 500)
    >>> first < second, second == latent(data, 0, tolerance=1e-4, solver="em").iterations
    (True, True)
    """
    if any(b >= a for a, b in pairwise(tolerances)):
        raise ValueError(f"tolerances {tolerances}: expected each below the one before")
    found, begin, done = [], None, 0
    for tolerance in tolerances:
        # A fit that goes on from another repeats its last E-step, and sees no change of rho at that one.
        left = max(max_iterations - done, 2)
        with known_warnings_ignored():
            fit = latent(data, 0, tolerance, max_iterations=left, start_at=begin)
        done += fit.iterations - (begin is not None)
        found.append((fit, done))
        begin = fit.state
    return found


def study(world, clicks_per_group, tolerances, max_iterations, runs):
    """The table of the module's docstring."""
    rows = []
    for clicks in clicks_per_group:
        for run in range(1, runs + 1):
            data = world.data(clicks, run)
            found = stops(data, tolerances, max_iterations)
            first = found[0][0]
            for tolerance, (fit, iterations) in zip(tolerances, found, strict=True):
                rise = _log_likelihood(data, fit) - _log_likelihood(data, first)
                rows.append(
                    {
                        "clicks_per_group": clicks,
                        "tolerance": tolerance,
                        "run": run,
                        "iterations": iterations,
                        "converged": fit.converged,
                        "mean_absolute_error": world.error(fit.posterior),
                        "posterior_range": np.ptp(fit.posterior),
                        "log_likelihood_rise": rise,
                        "log_likelihood_rise_per_click": rise / data.totals.sum(),
                        "moved": np.abs(fit.posterior - first.posterior).mean(),
                        "shares_at_edge": np.mean(np.minimum(fit.share, 1 - fit.share) < EDGE),
                    }
                )
    return averages(pd.DataFrame(rows), ["clicks_per_group", "tolerance"])


def _log_likelihood(data, fit):
    mixture = np.outer(1 - fit.share, fit.sad) + np.outer(fit.share, fit.happy)
    return float(np.vdot(data.counts, np.log(mixture)))


def main(arguments=None):
    write_table_of(study, __doc__, arguments)


if __name__ == "__main__":
    main()
