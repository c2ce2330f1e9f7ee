"""Half-samples against a bootstrap of groups (section 4, "Standard error estimates").

The paper draws half of the groups without replacement "because we did not want to have duplicate groups with
identical click distributions", as a bootstrap would. Both are held against the SD of the estimates over the
simulation's runs, or over as many runs with fewer groups, which is what a standard error estimates.

Table: groups I, clicks_per_group, method, scheme, standard_error (SD over the resamples, averaged over the bins),
true_sd (over the simulation's runs, averaged over the bins), ratio, ratio_mc_error (over the data sets;
the true SD's own error is left out), shift (mean absolute difference of the resamples' mean from the
estimate on all groups, over the bins), shift_mc_error, range_change (range of the resamples' mean estimate
less the range of the estimate on all groups), range_change_mc_error, distinct_groups (share of I), runs.
"""

import numpy as np
import pandas as pd

from replication.discussion.runs import World, averages
from replication.shared.job_settings import study_parser
from replication.shared.known_warnings import known_warnings_ignored
from replication.shared.methods import estimators_of
from wsclust.counts import GroupedCounts
from wsclust.group_parts import random_half
from wsclust.half_samples import sd_over_half_samples
from wsclust.tables import write_csv


def half(rng, groups):
    """Rows of half of the groups, without replacement, in order: as GroupedCounts.half_sample draws them."""
    return np.sort(random_half(groups, rng))


def bootstrap(rng, groups):
    """Rows of as many groups, with replacement."""
    return np.sort(rng.integers(0, groups, groups))


SCHEMES = {"half_samples": half, "bootstrap": bootstrap}


def compare(data, estimate, scheme, resamples, rng):
    """What one scheme says of one estimator on one data set, as a dict of columns."""
    whole = estimate(data).posterior
    rows, distinct = [], []
    for _ in range(resamples):
        chosen = SCHEMES[scheme](rng, len(data.label))
        distinct.append(len(np.unique(chosen)) / len(data.label))
        # A group that is drawn twice is two groups with equal clicks, which need names of their own.
        again = GroupedCounts(data.counts[chosen], data.label[chosen], bins=data.bins)
        rows.append(estimate(again).posterior)
    mean = np.nanmean(rows, axis=0)  # moments has no estimate of a bin that a resample lacks
    return {
        "standard_error": np.nanmean(sd_over_half_samples(np.array(rows))),
        "shift": np.nanmean(np.abs(mean - whole)),
        "range_change": np.nanmax(mean) - np.nanmin(mean) - np.nanmax(whole) + np.nanmin(whole),
        "distinct_groups": np.mean(distinct),
    }


def study(world, summary, groups, clicks_per_group, methods, resamples, runs, true_runs):
    """The table of the module's docstring.

    Arguments: a World; the table `summary` of replication.simulation.summary; numbers of groups; clicks per
    group; methods with their settings; resamples per data set; data sets; runs for the true SD where the groups are
    not the simulation's. Raises ValueError on a method or J that the summary lacks.
    """
    estimators = estimators_of(methods)
    rows = []
    for number in groups:
        for clicks in clicks_per_group:
            for method, estimate in estimators.items():
                if number == world.groups:
                    true_sd = _true_sd(summary, world.setting, clicks, method)
                else:
                    true_sd = sd_of_runs(world, number, clicks, estimate, true_runs)
                for scheme in SCHEMES:
                    role = scheme if number == world.groups else f"{scheme}, {number} groups"
                    for run in range(1, runs + 1):
                        rng = world.rng("resampling", clicks, run, role)
                        data = world.data(clicks, run, groups=number)
                        with known_warnings_ignored():
                            found = compare(data, estimate, scheme, resamples, rng)
                        cell = {
                            "groups": number,
                            "clicks_per_group": clicks,
                            "method": method,
                            "scheme": scheme,
                        }
                        ratio = found["standard_error"] / true_sd
                        rows.append({**cell, "run": run, **found, "true_sd": true_sd, "ratio": ratio})
    keys = ["groups", "clicks_per_group", "method", "scheme"]
    table = averages(pd.DataFrame(rows), keys)
    columns = ["standard_error", "true_sd", "ratio", "ratio_mc_error", "shift", "shift_mc_error"]
    columns += ["range_change", "range_change_mc_error", "distinct_groups", "runs"]
    return table[[*keys, *columns]]


def sd_of_runs(world, groups, clicks, estimate, runs):
    """The SD of an estimate over runs with so many groups, averaged over the bins."""
    with known_warnings_ignored():
        found = [estimate(world.data(clicks, run, groups=groups)).posterior for run in range(1, runs + 1)]
    return float(np.nanmean(np.nanstd(found, axis=0, ddof=1)))


def _true_sd(summary, setting, clicks, method):
    chosen = (summary["setting"] == setting) & (summary["clicks_per_group"] == clicks)
    chosen &= summary["method"] == method
    if not chosen.any():
        raise ValueError(
            f"summary: no row of setting {setting}, {clicks} clicks a group and method {method}; "
            "add the method to simulation.methods, or the clicks to simulation.clicks_per_group"
        )
    return summary.loc[chosen, "sd"].mean()


def main(arguments=None):
    parser = study_parser(__doc__, "output")
    parser.add_argument("summary", help="CSV `summary` of replication.simulation.summary")
    args = parser.parse_args(arguments)
    world, settings = World.split_from(args.settings)
    write_csv(study(world, pd.read_csv(args.summary), **settings), args.output)


if __name__ == "__main__":
    main()
