"""Labels that are the share of a few rated clicks: the formula of `wsclust plan --label-n` beside simulated fits.

The truth has rho on the logit curve in equally frequent bins, and mu ~ N(0, 1). The formula takes mean and SD of mu
for known; the fits learn them from the ratings.

Table, one row per design: bins, groups, clicks_per_group, rated (clicks of each group), labelled_per_bin, formula (the
mean standard error of the bins), simulated (the mean SD of the estimates), ratio, bias (the mean absolute one), runs.
"""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd

from replication.shared.job_settings import write_study
from wsclust.planning.design import Design
from wsclust.planning.plan import plan
from wsclust.planning.simulate import latent_fit, simulate
from wsclust.seeds import generator


def row(design, rated, runs, rng):
    """One row of the table, from `labelled_per_bin` on: a dict."""
    design = replace(design, rated=[rated])
    planned = plan(design)
    found = simulate(design, runs, rng, latent_fit)
    formula = planned.standard_error.mean()
    return {
        "labelled_per_bin": planned.labelled_per_bin,
        "formula": formula,
        "simulated": found.sd.mean(),
        "ratio": found.sd.mean() / formula,
        "bias": np.abs(found.bias).mean(),
        "runs": runs,
    }


def table_of(settings):
    """The table at the settings of its rule."""
    clicks = settings["clicks"]
    rows = []
    for bins, groups, rated in product(settings["bins"], settings["groups"], settings["rated"]):
        design = Design.from_curve(groups, clicks, bins, *settings["rho"])
        rng = generator(settings["seed"], "information", f"{rated} rated, I{groups} K{bins}", clicks)
        place = {"bins": bins, "groups": groups, "clicks_per_group": clicks, "rated": rated}
        rows.append(place | row(design, rated, settings["runs"], rng))
    return pd.DataFrame(rows)


def main(arguments=None):
    write_study(table_of, __doc__, arguments)


if __name__ == "__main__":
    main()
