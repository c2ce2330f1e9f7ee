"""The simulation in tables: the estimates of one setting, their mean and SD by bin, and each method's error.

* estimates: setting, clicks_per_group, run, method, bin, estimate, converged; one setting only, for size
* summary: setting, clicks_per_group, method, bin, truth, mean, sd, runs; the Monte Carlo standard error of
  a mean is sd / sqrt(runs)
* errors: setting, clicks_per_group, method, mean_absolute_error (over bins, then over runs) with its Monte
  Carlo standard error, bins_outside (whose mean leaves [0, 1]), unconverged runs, runs
"""

import argparse

import numpy as np
import pandas as pd

from wsclust.tables import write_csv

CELL = ["setting", "clicks_per_group", "method"]


def summary_of(estimates):
    """Mean and SD (divisor runs - 1) of each bin's estimates over the runs."""
    grouped = estimates.groupby([*CELL, "bin", "truth"], sort=False)["estimate"]
    table = grouped.agg(mean="mean", sd="std", runs="count")
    return table.reset_index()


def errors_of(estimates):
    """Mean absolute error of each method, with what else a reader must know of its runs."""
    distance = (estimates["estimate"] - estimates["truth"]).abs()
    by_run = estimates.assign(error=distance).groupby([*CELL, "run"], sort=False)
    runs = by_run.agg(error=("error", "mean"), converged=("converged", "all"))
    table = runs.groupby(CELL, sort=False).agg(
        mean_absolute_error=("error", "mean"),
        monte_carlo_error=("error", lambda error: error.std() / np.sqrt(len(error))),
        unconverged=("converged", lambda converged: (~converged).sum()),
        runs=("error", "count"),
    )
    means = summary_of(estimates)
    outside = means.assign(outside=~means["mean"].between(0, 1)).groupby(CELL, sort=False)["outside"].sum()
    table.insert(2, "bins_outside", outside)
    return table.reset_index()


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="+", help="CSV files of replication.simulation.study, in order")
    parser.add_argument("--setting", required=True, help="the setting whose single estimates are kept")
    parser.add_argument("--estimates", required=True)
    parser.add_argument("--summary", required=True)
    parser.add_argument("--errors", required=True)
    args = parser.parse_args(arguments)
    estimates = pd.concat([pd.read_csv(part) for part in args.parts], ignore_index=True)
    kept = estimates[estimates["setting"] == args.setting]
    write_csv(kept.drop(columns="truth"), args.estimates)
    write_csv(summary_of(estimates), args.summary)
    write_csv(errors_of(estimates), args.errors)


if __name__ == "__main__":
    main()
