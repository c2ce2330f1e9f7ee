"""The simulation (section 5): how each method recovers a known curve from 5 or 100 clicks per group.

In each run, for I groups of J clicks: mu_i ~ N(0, 1); HE_i ~ N(mu_i, sigma_H^2); each click is happy with
probability sigma(mu_i), and falls in a bin by w_1 if it is happy, by w_0 if not. The methods see the bins
and sigma(HE_i).
"""

import numpy as np
import pandas as pd
from scipy.special import expit

from replication.shared.job_settings import study_parser
from replication.shared.known_warnings import known_warnings_ignored
from replication.shared.methods import estimators_of
from replication.shared.streams import by_role
from replication.simulation.truth_curves import truth
from wsclust.counts import GroupedCounts
from wsclust.drawing import draw_counts
from wsclust.tables import write_csv


def draw(true, groups, clicks_per_group, label_noise, rng_of_role):
    """One simulated data set.

    Arguments: a `Truth`; the number of groups I, of clicks J in each, and sigma_H; a function from a role
    ("quality", "labels", "clicks") to its generator. Returns GroupedCounts (I, K).
    """
    quality = rng_of_role("quality").standard_normal(groups)
    evaluation = quality + label_noise * rng_of_role("labels").standard_normal(groups)
    counts = draw_counts(expit(quality), clicks_per_group, true.sad, true.happy, rng_of_role("clicks"))
    return GroupedCounts(counts, expit(evaluation))


def simulate(setting, true, groups, clicks_per_group, label_noise, runs, methods, seed):
    """Every method's estimates on each of `runs`, an iterable of run numbers from 1.

    Returns a frame: setting, clicks_per_group, run, method, bin, truth, estimate, converged.
    """
    estimators = estimators_of(methods)
    frames = []
    for run in runs:
        data = draw(
            true,
            groups,
            clicks_per_group,
            label_noise,
            by_role(seed, "simulation", setting, clicks_per_group, run),
        )
        for name, estimate in estimators.items():
            with known_warnings_ignored():
                fit = estimate(data)
            frames.append(
                pd.DataFrame(
                    {
                        "setting": setting,
                        "clicks_per_group": clicks_per_group,
                        "run": run,
                        "method": name,
                        "bin": np.arange(1, len(fit.posterior) + 1),
                        "truth": true.posterior,
                        "estimate": fit.posterior,
                        "converged": fit.converged,
                    }
                )
            )
    return pd.concat(frames, ignore_index=True)


def add_data_set_arguments(parser):
    """Which data are drawn, beside the settings."""
    parser.add_argument("--setting", required=True, help="name of the truth, part of the seed")
    parser.add_argument("--clicks-per-group", type=int, required=True)


def main(arguments=None):
    parser = study_parser(__doc__, "output")
    add_data_set_arguments(parser)
    args = parser.parse_args(arguments)
    settings = args.settings
    frame = simulate(
        args.setting,
        truth(**settings["truth"]),
        settings["groups"],
        args.clicks_per_group,
        settings["label_noise"],
        range(1, settings["runs"] + 1),
        settings["methods"],
        settings["seed"],
    )
    write_csv(frame, args.output)


if __name__ == "__main__":
    main()
