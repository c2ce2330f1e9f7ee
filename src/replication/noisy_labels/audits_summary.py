"""Noisy labels beside outcomes that are looked up: the means over designs.

Table, one row per (set of designs, rated events, treatment of the labels):

* designs, and left_out, how many more there are whose ratings cannot be calibrated;
* skill, the mean over designs of the mean over audits clipped to [-1, 1], and skill_se, its standard error over
  designs; gain, the mean difference to the labels taken as exact in the same design, and its error gain_se;
* coverage_95, the share of bins whose interval holds the truth, a mean over designs;
* alarms, the share of audits with an alarm, all of them false; decided, the share with a verdict on the weak answer;
  wrong, the share of these whose verdict was wrong.

Designs with an outcome that even an oracle cannot predict are a set of their own, apart.
"""

import argparse

import pandas as pd

from replication.audit.summary import of_verdicts
from replication.shared.designs import read_definitions
from replication.survey.summary import sets_of
from wsclust.tables import write_csv

REFERENCE = "as exact"


def summarise(audits):
    """The table, from the rows of `replication.noisy_labels.audits` with a column `set`."""
    rows = []
    for (name, rated), part in audits.groupby(["set", "rated"]):
        left_out = int(part["treatment"].isna().sum())
        part = part.dropna(subset="treatment")
        means = part.assign(skill=part["skill"].clip(-1, 1)).pivot_table(
            index="design", columns="treatment", values=["skill", "coverage_95"]
        )
        for treatment, audited in part.groupby("treatment"):
            skill = means["skill", treatment]
            gain = skill - means["skill", REFERENCE]
            verdicts = of_verdicts(audited)
            rows.append(
                {
                    "set": name,
                    "rated": rated,
                    "treatment": treatment,
                    "designs": len(skill),
                    "left_out": left_out,
                    "skill": skill.mean(),
                    "skill_se": skill.sem(),
                    "gain": gain.mean(),
                    "gain_se": gain.sem(),
                    "coverage_95": means["coverage_95", treatment].mean(),
                    "alarms": audited["alarm"].astype(bool).mean(),
                    "decided": verdicts["decided"],
                    "wrong": verdicts["wrong"],
                }
            )
    return pd.DataFrame(rows)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--definitions", required=True, help="data/survey/designs.csv")
    parser.add_argument("--audits", nargs="+", required=True, help="CSVs of replication.noisy_labels.audits")
    parser.add_argument("--output", required=True, metavar="CSV")
    args = parser.parse_args(arguments)
    audits = pd.concat([pd.read_csv(path) for path in args.audits], ignore_index=True)
    sets = sets_of(read_definitions(args.definitions))
    write_csv(summarise(audits.assign(set=audits["design"].map(sets))), args.output)


if __name__ == "__main__":
    main()
