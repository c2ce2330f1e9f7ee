"""Labels that are the share of a few rated clicks: the formula of `wsclust plan --label-n` beside simulated fits.

The truth has rho on the logit curve in equally frequent bins, and mu ~ N(0, 1). The formula takes mean and SD of mu
for known; the fits learn them from the ratings.

Table, one row per design: bins, groups, clicks_per_group, rated (clicks of each group), labelled_per_bin, formula (the
mean standard error of the bins), simulated (the mean SD of the estimates), ratio, bias (the mean absolute one), runs.
"""

import argparse
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd

from wsclust.planning.design import Design
from wsclust.planning.plan import plan
from wsclust.planning.simulate import latent_fit, simulate
from wsclust.seeds import generator
from wsclust.tables import write_csv


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rho", type=float, nargs=2, required=True, metavar=("LOW", "HIGH"))
    parser.add_argument("--bins", type=int, nargs="+", required=True)
    parser.add_argument("--groups", type=int, nargs="+", required=True)
    parser.add_argument("--clicks-per-group", type=int, required=True)
    parser.add_argument("--rated", type=int, nargs="+", required=True, help="rated clicks of each group")
    parser.add_argument("--runs", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--output", required=True, help="CSV, one row per design")
    args = parser.parse_args(arguments)
    rows = []
    for bins, groups, rated in product(args.bins, args.groups, args.rated):
        design = replace(Design.from_curve(groups, args.clicks_per_group, bins, *args.rho), rated=[rated])
        planned = plan(design)
        rng = generator(args.seed, "information", f"{rated} rated, I{groups} K{bins}", args.clicks_per_group)
        found = simulate(design, args.runs, rng, latent_fit)
        formula = planned.standard_error.mean()
        rows.append(
            {
                "bins": bins,
                "groups": groups,
                "clicks_per_group": args.clicks_per_group,
                "rated": rated,
                "labelled_per_bin": planned.labelled_per_bin,
                "formula": formula,
                "simulated": found.sd.mean(),
                "ratio": found.sd.mean() / formula,
                "bias": np.abs(found.bias).mean(),
                "runs": args.runs,
            }
        )
    write_csv(pd.DataFrame(rows), args.output)


if __name__ == "__main__":
    main()
