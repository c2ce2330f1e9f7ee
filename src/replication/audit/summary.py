"""The audits of all designs in one table: one row per set, sampling, method and size.

* designs; skill, the mean over designs of the mean clipped to [-1, 1] over samples; below_mean, designs whose
  mean skill is below 0; coverage_90 and coverage_95, the share of bins whose interval holds the truth;
* alarms, the share of audits with a z score of the mismatch beyond 3, all of them false;
* for the full answer, of the verdict on the weak answer: decided, its share of the audits; wrong, the share
  of these that were wrong; auc, the area under the curve of the probability that it is better than the mean.

Designs with an outcome that even an oracle cannot predict are a set of their own, apart. A second table has one
row per design, sampling, method and size: skill, its mean over samples, and the coverage of the intervals.
"""

import argparse

import numpy as np
import pandas as pd

from replication.shared.foresight import area_under_curve
from wsclust.audit.mismatch import ALARM
from wsclust.audit.verdict import BETTER, UNDECIDED
from wsclust.tables import write_csv

KEYS = ["set", "sampling", "method", "size"]


def summary(audits):
    """The table, from the rows of `study` with a column `set`."""
    rows = []
    for key, part in audits.groupby(KEYS, sort=True):
        by_design = part.assign(skill=part["skill"].clip(-1, 1)).groupby("design")
        skill = by_design["skill"].mean()
        row = dict(zip(KEYS, key, strict=True)) | {
            "designs": len(skill),
            "skill": skill.mean(),
            "below_mean": int((skill < 0).sum()),
        }
        for coverage in ("coverage_90", "coverage_95"):
            row[coverage] = by_design[coverage].mean().mean()
        z = part[["level", "agreement"]].dropna(how="all").abs()
        row["alarms"] = (z > ALARM).any(axis=1).mean() if len(z) else np.nan
        if "verdict" in part and part["verdict"].notna().any():
            row |= of_verdicts(part)
        rows.append(row)
    return pd.DataFrame(rows)


def by_design(audits):
    """One row per set, design, sampling, method and size: skill and coverage, means over the samples."""
    keys = ["set", "design", *KEYS[1:]]
    means = audits.groupby(keys, sort=True)[["skill", "coverage_90", "coverage_95"]].mean()
    return means.reset_index()


def of_verdicts(part):
    """decided, wrong and auc of audits with `verdict`, `probability` and the weak answer's `weak_skill`."""
    better = part["weak_skill"] > 0
    decided = part["verdict"] != UNDECIDED
    wrong = (part["verdict"] == BETTER) != better
    return {
        "decided": decided.mean(),
        "wrong": wrong[decided].mean(),
        "auc": area_under_curve(part["probability"].to_numpy(), better.to_numpy()),
    }


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--designs", help="CSV with the columns design, set and apart; without it all are of one set, kept"
    )
    parser.add_argument("--audits", nargs="+", required=True, help="CSVs of the study")
    parser.add_argument("--summary", required=True, help="CSV of sets")
    parser.add_argument("--by-design", required=True, help="CSV of designs")
    args = parser.parse_args(arguments)
    audits = pd.concat([pd.read_csv(path) for path in args.audits], ignore_index=True)
    audits["set"] = "kept"
    if args.designs:
        definitions = pd.read_csv(args.designs).set_index("design")
        sets = definitions["set"].where(definitions["apart"].isna(), "apart")
        audits["set"] = audits["design"].map(sets)
    write_csv(summary(audits), args.summary)
    write_csv(by_design(audits), args.by_design)


if __name__ == "__main__":
    main()
