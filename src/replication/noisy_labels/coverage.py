"""How often 95% intervals of fits to calibrated labels hold the truth, by simulation.

Two sources of the standard error: the information formula on the calibrated labels, taken as given,
and half-samples of the groups, each of which is calibrated anew.

Table, one row per (truth, clicks_per_group, label_sd, se): coverage, its mean over bins and data sets, and
its Monte Carlo error coverage_se; worst, the lowest coverage of a bin; mean_se and sd, the mean standard
error and the SD of the estimates, both averaged over bins; runs.
"""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd

from replication.noisy_labels.truths import design_of
from replication.shared.job_settings import write_study
from wsclust.calibration import calibrated_labels
from wsclust.estimators.information import information_standard_errors
from wsclust.estimators.latent import latent
from wsclust.estimators.latent_influence import latent_influence
from wsclust.half_samples import half_sample_standard_errors
from wsclust.intervals import normal_interval
from wsclust.planning.simulate import drawn
from wsclust.seeds import generator


def cover(design, runs, half_samples, rng_of):
    """The rows of one design, but for what names it.

    Arguments: a Design; the numbers of data sets and of half-samples in each; a function from a run's number
    and a role ("data", "half-samples") to a generator.
    """

    def calibrated(data):
        return replace(data, label=calibrated_labels(data.label, design.label_sd))

    def estimator(data):
        return latent(calibrated(data), he_weight=np.inf)

    estimates, errors = [], {"information": [], "half-samples": []}
    for run in range(1, runs + 1):
        data = drawn(design, rng_of(run, "data"))
        fit = estimator(data)
        estimates.append(fit.posterior)
        errors["information"].append(
            information_standard_errors(calibrated(data), latent_influence(calibrated(data), fit, np.inf))
        )
        errors["half-samples"].append(
            half_sample_standard_errors(estimator, data, half_samples, rng_of(run, "half-samples"))
        )
    estimates = np.array(estimates)
    rows = []
    for source, found in errors.items():
        lower, upper = normal_interval(estimates, np.array(found))
        held = (lower <= design.posterior) & (design.posterior <= upper)
        rows.append(
            {
                "se": source,
                "coverage": held.mean(),
                "coverage_se": held.mean(axis=1).std(ddof=1) / np.sqrt(runs),
                "worst": held.mean(axis=0).min(),
                "mean_se": np.mean(found),
                "sd": estimates.std(axis=0, ddof=1).mean(),
                "runs": runs,
            }
        )
    return pd.DataFrame(rows)


def table_of(settings):
    """The table at the settings of its rule."""
    frames = []
    for truth, clicks, label_sd in itertools.product(
        settings["truths"], settings["clicks_per_group"], settings["label_sds"]
    ):

        def rng_of(run, role, setting=f"{truth} sd {label_sd:g}", clicks=clicks):
            return generator(settings["seed"], "noisy_labels", setting, clicks, run, role)

        design = design_of(truth, settings["groups"], clicks, label_sd)
        frame = cover(design, settings["runs"], settings["half_samples"], rng_of)
        place = {"truth": truth, "clicks_per_group": clicks, "label_sd": label_sd}
        frames.append(frame.assign(**place)[[*place, *frame.columns]])
    return pd.concat(frames, ignore_index=True)


def main(arguments=None):
    write_study(table_of, __doc__, arguments)


if __name__ == "__main__":
    main()
