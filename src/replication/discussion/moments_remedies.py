r"""Noise in Omega acts as a ridge, so that throwing clicks away helps moments (section 7.2).

Data with many clicks per group (J) are fitted by moments after one of these, where j is the few clicks that
the paper contrasts them with:

=============  =============================================================================================
none           moments as they are
fewer_clicks   j of the J clicks of each group are kept, the others thrown away
noise_added    normal noise is added to Omega's rows, with the covariance that j clicks would have instead
               of J: row i gets C_i (1/j - 1/J), C_i = diag(omega_i) - omega_i omega_i'
penalty        b' sum_i C_i (1/j - 1/J) b is added to the squared deviations: what the noise is on average
drawn_afresh   other data with j clicks per group, for reference
ridge          the plain penalty lambda |b - mean label|^2 at the best of many lambda, known from the truth
=============  =============================================================================================

The plain ridge shrinks towards the mean label rather than 0, since a constant b has no variance within groups
and the noise does not shrink it.

Tables:

* remedies: remedy, mean_absolute_error and bins_outside [0, 1] with their Monte Carlo errors,
  distance_to_few (mean absolute difference of the mean estimates from drawn_afresh's), runs
* ridge_path: penalty (lambda a group), mean_absolute_error, bins_outside, condition_number (of the penalised
  normal equations, square root, as Omega's own), each with its Monte Carlo error; runs
"""

import numpy as np
import pandas as pd

from replication.discussion.runs import World, averages
from replication.shared.job_settings import study_parser
from wsclust.counts import GroupedCounts
from wsclust.estimators.moments import moments
from wsclust.tables import write_csv


def thinned(data, clicks, rng):
    """The data with so many clicks of each group, drawn without replacement."""
    counts = rng.multivariate_hypergeometric
    rows = [counts(row.astype(np.int64), clicks, method="marginals") for row in data.counts]
    return GroupedCounts(np.array(rows), data.label, data.groups, data.bins)


def extra_variance(data, clicks):
    """What the variance of each row of Omega lacks to that of so many clicks, as a factor of C_i: (I,).

    J / (J - 1) makes the C_i of observed shares unbiased.
    """
    return (1 / clicks - 1 / data.sizes) * data.sizes / (data.sizes - 1)


def noise_added(data, clicks, rng):
    """Moments (K,) with that variance added to Omega as normal noise."""
    omega = data.counts / data.sizes[:, None]
    root = np.sqrt(omega)
    noise = rng.standard_normal(omega.shape)
    # root z - omega (root . z) has the covariance diag(omega) - omega omega'.
    noise = root * noise - omega * (root * noise).sum(axis=1, keepdims=True)
    noise *= np.sqrt(extra_variance(data, clicks))[:, None]
    return np.linalg.lstsq(omega + noise, data.label, rcond=None)[0]


def penalised(data, clicks):
    """Moments (K,) with the same noise as a penalty, its average."""
    omega = data.counts / data.sizes[:, None]
    extra = extra_variance(data, clicks)
    penalty = np.diag(extra @ omega) - (omega * extra[:, None]).T @ omega
    return np.linalg.lstsq(omega.T @ omega + penalty, omega.T @ data.label, rcond=None)[0]


def ridge(data, penalties):
    """Moments with a plain ridge towards the mean label, at each penalty a group: (penalties, K).

    Also the square root of the condition number of each penalised system (penalties,).
    """
    omega = data.counts / data.sizes[:, None]
    centre = data.label.mean()
    left, values, right = np.linalg.svd(omega, full_matrices=False)
    projected = left.T @ (data.label - omega.sum(axis=1) * centre)
    penalty = np.asarray(penalties)[:, None] * len(data.label)
    estimates = centre + (values * projected / (values**2 + penalty)) @ right
    spectrum = values**2 + penalty
    return estimates, np.sqrt(spectrum.max(axis=1) / spectrum.min(axis=1))


def study(world, many, few, penalties, runs):
    """Both tables.

    Arguments: a World; J and j; penalties lambda a group; the number of runs. Raises ValueError where j is
    not below J.
    """
    if few >= many:
        raise ValueError(f"few {few}: expected fewer clicks than many, {many}")
    rows, path, estimates = [], [], {}

    def outside(estimate):
        return int(((estimate < 0) | (estimate > 1)).sum())

    for run in range(1, runs + 1):
        data = world.data(many, run)
        found = {
            "none": moments(data).posterior,
            "fewer_clicks": moments(
                thinned(data, few, world.rng("remedies", many, run, "thinning"))
            ).posterior,
            "noise_added": noise_added(data, few, world.rng("remedies", many, run, "noise")),
            "penalty": penalised(data, few),
            "drawn_afresh": moments(world.data(few, run)).posterior,
        }
        ridged, conditions = ridge(data, penalties)
        errors = [world.error(estimate) for estimate in ridged]
        found["ridge"] = ridged[int(np.argmin(errors))]
        for remedy, estimate in found.items():
            estimates.setdefault(remedy, []).append(estimate)
            rows.append(
                {
                    "remedy": remedy,
                    "run": run,
                    "mean_absolute_error": world.error(estimate),
                    "bins_outside": outside(estimate),
                }
            )
        path += [
            {
                "penalty": penalty,
                "run": run,
                "mean_absolute_error": error,
                "bins_outside": outside(estimate),
                "condition_number": condition,
            }
            for penalty, error, estimate, condition in zip(penalties, errors, ridged, conditions, strict=True)
        ]
    table = averages(pd.DataFrame(rows), ["remedy"])
    few_mean = np.mean(estimates["drawn_afresh"], axis=0)
    distance = [np.abs(np.mean(estimates[remedy], axis=0) - few_mean).mean() for remedy in table["remedy"]]
    table.insert(len(table.columns) - 1, "distance_to_few", distance)
    return table, averages(pd.DataFrame(path), ["penalty"])


def main(arguments=None):
    parser = study_parser(__doc__, "remedies", "ridge-path")
    args = parser.parse_args(arguments)
    world, settings = World.split_from(args.settings)
    remedies, path = study(world, **settings)
    write_csv(remedies, args.remedies)
    write_csv(path, args.ridge_path)


if __name__ == "__main__":
    main()
