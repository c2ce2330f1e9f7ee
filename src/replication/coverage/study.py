"""How often 95% intervals hold the truth: half-samples and the information side by side, by simulation.

Data as in `replication.simulation.study`, with the label noise that each method is meant for: sigma_H^2 =
1 / W_H for the latent method, none where the labels are taken as exact. One setting a run of this module; a
row of its table is a (method, source of the standard error, bin):

truth, groups, clicks_per_group, method, se, bin, rho, mean and sd (of the estimates over data sets), mean_se,
coverage and its Monte Carlo standard error coverage_se, all_bins_se (that of the mean coverage of all bins,
the same in each row), runs (data sets with an interval), seconds (for the standard errors of one data set;
measured).
"""

import time
from dataclasses import replace

import numpy as np
import pandas as pd

from replication.shared.job_settings import study_parser
from replication.shared.known_warnings import known_warnings_ignored
from replication.shared.methods import estimators_of, influences_of, is_bounded
from replication.simulation.study import add_data_set_arguments, draw
from replication.simulation.truth_curves import truth
from wsclust.estimators.information import information_standard_errors
from wsclust.half_samples import half_sample_standard_errors
from wsclust.intervals import normal_interval
from wsclust.seeds import generator
from wsclust.tables import write_csv


def crossed_bins(levels):
    """The frame of bins of crossed factors, the last of which varies fastest; None where there are none.

    >>> crossed_bins({"row": 2, "column": 2}).to_numpy().tolist()
    [['1', '1'], ['1', '2'], ['2', '1'], ['2', '2']]
    """
    if not levels:
        return None
    places = np.indices(list(levels.values())).reshape(len(levels), -1)
    return pd.DataFrame({name: (place + 1).astype(str) for name, place in zip(levels, places, strict=True)})


def by_bin(true, groups, clicks_per_group, methods, label_noise, runs, half_samples, rng_of, bins=None):
    """Bias and coverage of every method in every bin, a frame as above but for the names of the setting.

    Arguments: a `Truth`; I and J; `methods` as in config.yaml; `label_noise`, method -> sigma_H; the numbers
    of data sets and of half-samples in each; a function from (run, role) to a generator; the frame of the bins'
    factors, where they have several.
    """
    estimators = estimators_of(methods)
    influences = {name: influences_of(method) for name, method in methods.items()}
    sources = ("half-samples", "information")
    shape = runs, len(true.posterior)
    found = {name: np.empty(shape) for name in methods}
    standard_errors = {(name, source): np.full(shape, np.nan) for name in methods for source in sources}
    seconds = dict.fromkeys(standard_errors, 0.0)
    with known_warnings_ignored():
        for run in range(runs):
            for name, estimator in estimators.items():
                data = draw(
                    true,
                    groups,
                    clicks_per_group,
                    label_noise[name],
                    lambda role, run=run: rng_of(run + 1, role),
                )
                if bins is not None:
                    data = replace(data, bins=bins)
                estimate = estimator(data)
                found[name][run] = estimate.posterior
                for source in sources:
                    began = time.process_time()
                    if source == "information":
                        se = information_standard_errors(data, influences[name](data, estimate))
                    else:
                        se = half_sample_standard_errors(
                            estimator, data, half_samples, rng_of(run + 1, "half-samples")
                        )
                    seconds[name, source] += time.process_time() - began
                    standard_errors[name, source][run] = se
    frames = []
    for (name, source), se in standard_errors.items():
        estimates = found[name]
        lower, upper = normal_interval(estimates, se, is_bounded(methods[name]))
        known = np.isfinite(lower)
        held = np.where(known, (lower <= true.posterior) & (true.posterior <= upper), np.nan)
        frames.append(
            pd.DataFrame(
                {
                    "method": name,
                    "se": source,
                    "bin": np.arange(1, shape[1] + 1),
                    "rho": true.posterior,
                    "mean": np.nanmean(estimates, axis=0),
                    "sd": np.nanstd(estimates, axis=0, ddof=1),
                    "mean_se": np.nanmean(se, axis=0),
                    "coverage": np.nanmean(held, axis=0),
                    "coverage_se": np.nanstd(held, axis=0) / np.sqrt(known.sum(axis=0)),
                    "all_bins_se": np.nanstd(np.nanmean(held, axis=1)) / np.sqrt(known.any(axis=1).sum()),
                    "runs": known.sum(axis=0),
                    "seconds": seconds[name, source] / runs,
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def main(arguments=None):
    parser = study_parser(__doc__, "output")
    add_data_set_arguments(parser)
    parser.add_argument("--groups", type=int, required=True)
    args = parser.parse_args(arguments)
    settings, setting = args.settings, f"{args.setting} I{args.groups}"
    table = by_bin(
        truth(**settings["truth"]),
        args.groups,
        args.clicks_per_group,
        settings["methods"],
        settings["label_noise"],
        settings["runs"],
        settings["half_samples"],
        lambda run, role: generator(settings["seed"], "coverage", setting, args.clicks_per_group, run, role),
        crossed_bins(settings.get("crossed")),
    )
    named = table.assign(truth=args.setting, groups=args.groups, clicks_per_group=args.clicks_per_group)
    write_csv(named[["truth", "groups", "clicks_per_group", *table.columns]], args.output)


if __name__ == "__main__":
    main()
