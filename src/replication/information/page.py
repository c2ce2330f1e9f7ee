"""The parts of docs/planning.md that are written from results/information/."""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from replication.shared.page_blocks import markdown_table, write_parts
from wsclust.planning.plan import FAIR, FEW


def parts(folder):
    """name -> text, from the tables in a folder such as results/information."""
    formula = pd.read_csv(Path(folder, "formula.csv"))
    return {
        "equivalents": _equivalents(pd.read_csv(Path(folder, "equivalents.csv"))),
        "formula": _formula(formula),
        "small": _small(formula),
        "no-labels": _no_labels(pd.read_csv(Path(folder, "no_labels.csv"))),
        "ratings": _ratings(pd.read_csv(Path(folder, "ratings.csv"))),
        "audits": _audits(pd.read_csv(Path(folder, "audits.csv"))),
    }


def _equivalents(table):
    head = ["rho", "SD of mu", "intraclass correlation"]
    head += [
        "exact shares" if sd == 0 else f"label error {sd:g}" for sd in sorted(table["label_sd"].unique())
    ]
    rows = []
    for (low, high, mu_sd), group in table.groupby(["low", "high", "mu_sd"], sort=False):
        weak = group.sort_values("label_sd")["weak_per_labelled"]
        correlation = group["intraclass_correlation"].iloc[0]
        rows.append([f"{low:g} to {high:g}", f"{mu_sd:g}", f"{correlation:.3f}", *(f"{w:.1f}" for w in weak)])
    return markdown_table(head, rows)


def _no_labels(table):
    clicks = sorted(table["clicks_per_group"].unique())
    head = ["rho", "SD of mu", "kinds known", *(f"no labels, {number} clicks per group" for number in clicks)]
    rows = []
    for (low, high, mu_sd), group in table.groupby(["low", "high", "mu_sd"], sort=False):
        weak = group.sort_values("clicks_per_group")["weak_no_labels"]
        known = group["weak_kinds_known"].mean()
        rows.append([f"{low:g} to {high:g}", f"{mu_sd:g}", *(f"{w:,.3g}" for w in (known, *weak))])
    return markdown_table(head, rows)


def _ratings(table):
    head = ["bins", "groups", "rated clicks", "formula", "SD of fits", "by the formula's"]
    rows = [
        [f"{row.bins}", f"{row.groups}", f"{row.rated}"]
        + [f"{row.formula:.3f}", f"{row.simulated:.3f}", f"{row.ratio:.2f}"]
        for row in table.itertuples()
    ]
    return markdown_table(head, rows)


def _audits(table):
    head = [
        "groups",
        "clicks per group",
        "clicks looked up",
        "formula, labels alone",
        "formula, with the audit",
    ]
    rows = [
        [f"{row.groups}", f"{row.clicks_per_group}", f"{row.audit}"]
        + [f"{row.formula:.3f}", f"{row.formula_audited:.3f}"]
        + [f"{row.weak:.3f} ± {row.weak_se:.3f}", f"{row.audited:.3f} ± {row.audited_se:.3f}"]
        for row in table.itertuples()
    ]
    return markdown_table([*head, "labels alone", "audited answer"], rows)


def _formula(table):
    bands = (
        (f"{FAIR} or more", table["labelled_per_bin"] >= FAIR),
        (f"{FEW} to {FAIR}", (table["labelled_per_bin"] >= FEW) & (table["labelled_per_bin"] < FAIR)),
        (f"below {FEW}", table["labelled_per_bin"] < FEW),
    )
    rows = []
    for name, inside in bands:
        for fit, kinds in (
            ("exact or calibrated labels", _calibrated(table)),
            ("W_H = 1 / variance", _told(table)),
        ):
            found = table[inside & kinds]
            ratio = found["ratio"]
            bias = found["bias"] / found["simulated"]
            rows.append(
                [name, fit, str(len(found)), f"{ratio.mean():.2f}", f"{ratio.min():.2f} to {ratio.max():.2f}"]
                + [f"{bias.mean():.2f}"]
            )
    head = [
        "labelled equivalents per bin",
        "fit",
        "designs",
        "SD by the formula's, mean",
        "from, to",
        "bias by SD",
    ]
    return markdown_table(head, rows)


def _small(table):
    """The smallest design with exact shares, in a sentence."""
    rows = table[(table["label_sd"] == 0) & (table["low"] == table["low"].min())]
    row = rows.loc[(rows["groups"] * rows["clicks_per_group"]).idxmin()]
    return (
        f"With {row['groups']:.0f} groups of {row['clicks_per_group']:.0f} clicks the formula says "
        f"{row['formula']:.3f}, and fits varied by {row['simulated']:.3f} with a bias of {row['bias']:.3f}: the "
        "pseudo-observations hold them near one half."
    )


def _calibrated(table):
    return (table["label_sd"] == 0) | (table["estimator"] == "calibrated")


def _told(table):
    return (table["label_sd"] > 0) & (table["estimator"] == "told")


def within_a_tenth(table):
    """Whether the formula is within 10% of the SD of fits, up to twice its Monte Carlo error, (n,)."""
    return np.abs(table["ratio"] - 1) - 2 * table["ratio_se"] <= 0.1


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", default="results/information", help="folder of the tables")
    parser.add_argument("--page", default="docs/planning.md", help="the page, written anew")
    args = parser.parse_args(arguments)
    write_parts(args.page, parts(args.results))


if __name__ == "__main__":
    main()
