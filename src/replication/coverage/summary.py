"""Coverage by setting, and the reason where it is not 90 to 98%.

A row a (truth, groups, clicks_per_group, method, se): mean_absolute_bias; bias_in_sd, the mean over bins of
|bias| / SD of the estimates; se_to_sd, mean standard error / SD; coverage, the mean over bins, its Monte
Carlo standard error coverage_se, and lowest_coverage, of one bin; unbiased_bins, those with |bias| below a
quarter of the SD, and their coverage; seconds; and the reason:

* bias: |bias| is a quarter of the SD or more on average, and no standard error knows of that
* small standard errors, large standard errors: below .95 or above 1.1 of the SD
* skew: neither; an estimate near 0 or 1, where errors are skewed and grow with the estimate
"""

import argparse

import numpy as np
import pandas as pd

from wsclust.tables import write_csv

KEYS = ["truth", "groups", "clicks_per_group", "method", "se"]
SMALL_BIAS = 0.25  # in SD: it takes 1% off the coverage of an interval that is otherwise right
GOOD = (0.9, 0.98)


def summarise(bins):
    """The table above from the rows of `replication.coverage.study`."""
    return pd.DataFrame(
        [{**dict(zip(KEYS, key, strict=True)), **_row(rows)} for key, rows in bins.groupby(KEYS, sort=False)]
    )


def _row(rows):
    bias = (rows["mean"] - rows["rho"]).abs()
    in_sd = bias / rows["sd"]
    unbiased = in_sd < SMALL_BIAS
    row = {
        "mean_absolute_bias": bias.mean(),
        "bias_in_sd": in_sd.mean(),
        "se_to_sd": (rows["mean_se"] / rows["sd"]).mean(),
        "coverage": rows["coverage"].mean(),
        "coverage_se": rows["all_bins_se"].iloc[0],
        "lowest_coverage": rows["coverage"].min(),
        "unbiased_bins": int(unbiased.sum()),
        "coverage_of_unbiased": rows.loc[unbiased, "coverage"].mean() if unbiased.any() else np.nan,
        "seconds": rows["seconds"].iloc[0],
    }
    return {**row, "reason": _reason(row)}


def _reason(row):
    """Why coverage is not as it should be; empty where it is.

    >>> _reason({"coverage": 0.7, "bias_in_sd": 2.0, "se_to_sd": 1.0})
    'bias'
    """
    if GOOD[0] <= row["coverage"] <= GOOD[1]:
        return ""
    if row["bias_in_sd"] >= SMALL_BIAS:
        return "bias"
    if row["se_to_sd"] < 0.95:
        return "small standard errors"
    return "large standard errors" if row["se_to_sd"] > 1.1 else "skew"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="+", help="CSVs of replication.coverage.study")
    parser.add_argument("--bins", required=True, help="CSV of all their rows")
    parser.add_argument("--summary", required=True, help="CSV, a row a setting and method")
    args = parser.parse_args(arguments)
    bins = pd.concat([pd.read_csv(part) for part in args.parts], ignore_index=True)
    write_csv(bins, args.bins)
    write_csv(summarise(bins), args.summary)


if __name__ == "__main__":
    main()
