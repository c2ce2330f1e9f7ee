"""The standard errors of `wsclust.planning` against the SD of fits, over a grid of designs.

The truth has rho on the logit curve in equally frequent bins, and mu ~ N(0, 1). Two fits see the same data:
"told" weighs the labels by W_H = 1 / sigma_H^2 (infinity where they are exact), and "calibrated" takes
calibrated labels for exact; where labels are exact the two are one.

Table, one row per (design, fit): low, high (of rho), groups, clicks_per_group, label_sd, estimator,
labelled_per_bin (labelled clicks that a bin's clicks equal), formula (the mean standard error of the bins),
simulated (the mean SD of their estimates), ratio (simulated by formula) and its jackknife error over runs
ratio_se, bias (the mean over bins of the absolute bias), rmse (the mean over bins), unconverged fits, runs.
"""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd

from replication.information.jackknife import jackknife_error
from replication.shared.job_settings import write_study
from wsclust.calibration import calibrated_labels
from wsclust.estimators.latent import latent
from wsclust.planning.design import Design
from wsclust.planning.plan import plan
from wsclust.planning.simulate import simulate
from wsclust.seeds import generator


def estimators(label_sd):
    """The fits for labels with this error, by name."""
    if label_sd == 0:
        return {"told": lambda data: latent(data, he_weight=np.inf)}
    return {
        "told": lambda data: latent(data, he_weight=1 / label_sd**2),
        "calibrated": lambda data: latent(
            replace(data, label=calibrated_labels(data.label, label_sd)), he_weight=np.inf
        ),
    }


def compare(design, runs, rng_of_estimator):
    """One design's rows of the table, from `label_sd` on.

    Arguments: a Design; the number of runs; a function from an estimator's name to a generator, which is the
    same stream for each where they are to see the same data.
    """
    planned = plan(design)
    formula = planned.standard_error.mean()
    rows = []
    for name, estimator in estimators(design.label_sd).items():
        found = simulate(design, runs, rng_of_estimator(name), estimator)
        rows.append(
            {
                "label_sd": design.label_sd,
                "estimator": name,
                "labelled_per_bin": planned.labelled_per_bin,
                "formula": formula,
                "simulated": found.sd.mean(),
                "ratio": found.sd.mean() / formula,
                "ratio_se": jackknife_error(found.estimates, _mean_sd) / formula,
                "bias": np.abs(found.bias).mean(),
                "rmse": found.rmse.mean(),
                "unconverged": found.unconverged,
                "runs": runs,
            }
        )
    return pd.DataFrame(rows)


def _mean_sd(estimates):
    return estimates.std(axis=0, ddof=1).mean()


def grid(ranges, groups, clicks_per_group, label_sds, bins, runs, seed):
    """The table of the module's docstring: every combination of the lists given."""
    frames = []
    for (low, high), n_groups, clicks, label_sd in itertools.product(
        ranges, groups, clicks_per_group, label_sds
    ):
        design = Design.from_curve(n_groups, clicks, bins, low, high, label_sd=label_sd)
        setting = f"rho {low:g} {high:g} I{n_groups} sd {label_sd:g}"
        frame = compare(
            design,
            runs,
            lambda _, setting=setting, clicks=clicks: generator(seed, "information", setting, clicks),
        )
        place = {"low": low, "high": high, "groups": n_groups, "clicks_per_group": clicks}
        frames.append(frame.assign(**place)[[*place, *frame.columns]])
    return pd.concat(frames, ignore_index=True)


def table_of(settings):
    """The table at the settings of its rule."""
    keys = ("rho", "groups", "clicks_per_group", "label_sds", "bins", "runs", "seed")
    return grid(*(settings[key] for key in keys))


def main(arguments=None):
    write_study(table_of, __doc__, arguments)


if __name__ == "__main__":
    main()
