"""How far estimates are off with noisy labels, by simulation, for each treatment of the labels.

Labels are noisy in one of two ways: their logits have an error of SD sigma_H, or they are y of r rated events
of their group, shown as (y + .5) / (r + 1). All treatments see the same data.

Table, one row per (truth, clicks_per_group, noise, treatment): noise is "sd 0.5" or "r 5"; error is the mean
over the bins of the absolute error, averaged over runs, and error_se its Monte Carlo error; ratio is
the geometric mean over runs of the error by that of the run's best treatment; unconverged fits; runs.
"""

import itertools
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy.special import expit

from replication.noisy_labels.treatments import treatments_of_errors, treatments_of_ratings
from replication.noisy_labels.truths import design_of
from replication.shared.job_settings import write_study
from wsclust.counts import GroupedCounts
from wsclust.estimators.estimate import ConvergenceWarning
from wsclust.planning.simulate import drawn
from wsclust.seeds import generator


def rated(design, r, rng):
    """Data of a Design whose labels are (y + .5) / (r + 1), from r rated events besides the clicks."""
    quality = design.mu_mean + design.mu_sd * rng.standard_normal(design.groups)
    share, clicks = expit(quality), round(design.clicks)
    happy = rng.binomial(clicks, share)
    counts = rng.multinomial(happy, design.happy) + rng.multinomial(clicks - happy, design.sad)
    return GroupedCounts(counts, (rng.binomial(r, share) + 0.5) / (r + 1))


def compare(design, runs, rng_of_run, r=None):
    """The rows of one design, but for what names it: treatment, error, error_se, ratio, unconverged, runs.

    Arguments: a Design; the number of runs; a function from a run's number to its generator; `r`, the rated
    events of each group, or None where the design's label_sd describes the labels.
    """
    if r is None:
        treatments = treatments_of_errors(design.label_sd)
    else:
        treatments = treatments_of_ratings(lambda data: np.full(len(data.label), float(r)), False)
    errors, unconverged = np.empty((runs, len(treatments))), np.zeros(len(treatments), dtype=int)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # it has a column of its own
        for run in range(runs):
            rng = rng_of_run(run + 1)
            data = drawn(design, rng) if r is None else rated(replace(design, label_sd=0.0), r, rng)
            for j, estimator in enumerate(treatments.values()):
                fit = estimator(data)
                errors[run, j] = np.abs(fit.posterior - design.posterior).mean()
                unconverged[j] += not fit.converged
    best = errors.min(axis=1, keepdims=True)
    return pd.DataFrame(
        {
            "treatment": list(treatments),
            "error": errors.mean(axis=0),
            "error_se": errors.std(axis=0, ddof=1) / np.sqrt(runs),
            "ratio": np.exp(np.log(errors / best).mean(axis=0)),
            "unconverged": unconverged,
            "runs": runs,
        }
    )


def grid(truths, groups, clicks_per_group, label_sds, ratings, runs, seed):
    """The table of the module's docstring: every combination of the lists given."""
    noises = [(f"sd {sd:g}", sd, None) for sd in label_sds] + [(f"r {r}", 0.0, r) for r in ratings]
    frames = []
    for truth, clicks, (noise, label_sd, r) in itertools.product(truths, clicks_per_group, noises):
        design = design_of(truth, groups, clicks, label_sd)
        frame = compare(
            design,
            runs,
            lambda run, setting=f"{truth} {noise}", clicks=clicks: generator(
                seed, "noisy_labels", setting, clicks, run
            ),
            r,
        )
        place = {"truth": truth, "clicks_per_group": clicks, "noise": noise}
        frames.append(frame.assign(**place)[[*place, *frame.columns]])
    return pd.concat(frames, ignore_index=True)


def table_of(settings):
    """The table at the settings of its rule."""
    keys = ("truths", "groups", "clicks_per_group", "label_sds", "ratings", "runs", "seed")
    return grid(*(settings[key] for key in keys))


def main(arguments=None):
    write_study(table_of, __doc__, arguments)


if __name__ == "__main__":
    main()
