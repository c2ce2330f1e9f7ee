"""The simulation (section 5): how each method recovers a known curve from 5 or 100 clicks per group.

In each run, for I groups of J clicks: mu_i ~ N(0, 1); HE_i ~ N(mu_i, sigma_H^2); each click is happy with
probability sigma(mu_i), and falls in a bin by w_1 if it is happy, by w_0 if not. The methods see the bins
and sigma(HE_i).
"""

import argparse
import json
import warnings

import numpy as np
import pandas as pd
from scipy.special import expit

from replication.shared.methods import estimators_of
from replication.simulation.truth_curves import truth
from wsclust.counts import GroupedCounts
from wsclust.estimators.estimate import ConvergenceWarning
from wsclust.seeds import generator
from wsclust.tables import write_csv


def draw(true, groups, clicks_per_group, label_noise, rng_of_role):
    """One simulated data set.

    Arguments: a `Truth`; the number of groups I, of clicks J in each, and sigma_H; a function from a role
    ("quality", "labels", "clicks") to its generator. Returns GroupedCounts (I, K).
    """
    quality = rng_of_role("quality").standard_normal(groups)
    evaluation = quality + label_noise * rng_of_role("labels").standard_normal(groups)
    clicks = rng_of_role("clicks")
    happy = clicks.binomial(clicks_per_group, expit(quality))
    counts = clicks.multinomial(happy, true.happy) + clicks.multinomial(clicks_per_group - happy, true.sad)
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
            lambda role, run=run: generator(seed, "simulation", setting, clicks_per_group, run, role),
        )
        for name, estimate in estimators.items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)  # it has a column of its own
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


def add_simulation_arguments(parser):
    """Which data are drawn, and what is fitted to them."""
    parser.add_argument("--setting", required=True, help="name of the truth, part of the seed")
    parser.add_argument("--truth", type=json.loads, required=True, help="arguments of truth(), as JSON")
    parser.add_argument("--groups", type=int, required=True)
    parser.add_argument("--clicks-per-group", type=int, required=True)
    parser.add_argument("--methods", type=json.loads, required=True, help="methods and settings, as JSON")
    parser.add_argument("--seed", type=int, required=True)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_simulation_arguments(parser)
    parser.add_argument("--label-noise", type=float, required=True, help="sigma_H")
    parser.add_argument("--first-run", type=int, default=1)
    parser.add_argument("--last-run", type=int, required=True)
    parser.add_argument("--output", required=True, help="CSV of estimates")
    args = parser.parse_args(arguments)
    frame = simulate(
        args.setting,
        truth(**args.truth),
        args.groups,
        args.clicks_per_group,
        args.label_noise,
        range(args.first_run, args.last_run + 1),
        args.methods,
        args.seed,
    )
    write_csv(frame, args.output)


if __name__ == "__main__":
    main()
