"""All designs of the survey in one place: what a verdict is worth, and how well each figure foresees skill.

* designs, one row per design: what it is and where it is from (data/survey/designs.csv), what was counted, and the
  figures and the verdict of its check;
* table: the methods' rows of all designs, each with its set;
* verdicts, one row per set and verdict: designs; above_mean, how many have a latent fit with a skill above 0;
  above_direct, how many have one that beats the direct estimate as well; skill_latent and skill_direct, mean skills
  clipped to [-1, 1];
* foresight, one row per set and figure: designs; above_mean; auc and auc_direct, the area under the curve of the
  figure for "the latent fit beats the mean" and for "it beats the mean and the direct estimate".

Designs with an outcome that even an oracle cannot predict are a set of their own, apart: skill means nothing there.
"""

import argparse

import numpy as np
import pandas as pd

from replication.shared.designs import read_definitions
from replication.shared.foresight import area_under_curve
from wsclust.check.verdicts import VERDICTS, Check
from wsclust.tables import write_csv

APART = "apart"
SETS = ["second", "first", APART]
DEFINED = ["package", "version", "items", "licence", "group", "smallest_n", "outcome", "crossed"]
DEFINED += ["factors", "ordered", "kind"]
FIGURES = {
    "label_r2": lambda designs: designs["label_r2"],
    "label_r2_implied": lambda designs: designs["label_r2_implied"],
    "label_r2_shortfall": lambda designs: designs["label_r2"] - designs["label_r2_implied"],
    "shuffle_ratio": lambda designs: designs["shuffle_ratio"],
    "groups": lambda designs: designs["groups"],
}


def sets_of(definitions):
    """The set of each design by its name: first, second or apart."""
    return {name: APART if row["apart"] else row["set"] for name, row in definitions.items()}


def with_verdicts(checks):
    """The checks, one row per design, with the verdict that their figures give."""
    figures = checks[["label_r2", "label_r2_implied", "shuffle_ratio"]].to_numpy(float)
    return checks.assign(verdict=[Check(*row).verdict for row in figures])


def with_definitions(checks, definitions):
    """The checks, one row per design, with the design's set and definition."""
    texts = pd.DataFrame.from_dict(definitions, orient="index")
    texts = texts.rename(columns={"groups": "group", "bins": "crossed"})[DEFINED]
    for column in ("factors", "ordered"):
        texts[column] = texts[column].str.join(" ")
    sets = checks["design"].map(sets_of(definitions))
    joined = checks.assign(set=sets).join(texts, on="design")
    figures = [column for column in checks.columns if column != "design"]
    return joined[["design", "set", *DEFINED, *figures]]


def what_became(designs, table):
    """Whether the latent fit beats the mean and the direct estimate too: the designs with four more columns."""
    skill = table.pivot(index="design", columns="method", values="skill")
    latent, direct = (designs["design"].map(skill[method]) for method in ("latent", "direct"))
    return designs.assign(
        above_mean=latent > 0,
        above_direct=(latent > 0) & (latent > direct),
        skill_latent=latent.clip(-1, 1),
        skill_direct=direct.clip(-1, 1),
    )


def verdict_counts(judged):
    """The table verdicts, from the designs as `what_became` gives them."""
    rows = []
    for name in SETS:
        for verdict in VERDICTS:
            part = judged[(judged["set"] == name) & (judged["verdict"] == verdict)]
            counts = {column: int(part[column].sum()) for column in ("above_mean", "above_direct")}
            means = {column: part[column].mean() for column in ("skill_latent", "skill_direct")}
            rows.append({"set": name, "verdict": verdict, "designs": len(part), **counts, **means})
    return pd.DataFrame(rows)


def foresight(judged):
    """The table foresight, from the designs as `what_became` gives them."""
    rows = []
    for name in SETS:
        part = judged[judged["set"] == name]
        for figure, values in FIGURES.items():
            score = values(part).to_numpy(float)
            known = np.isfinite(score)
            mean, direct = (part[column].to_numpy(bool)[known] for column in ("above_mean", "above_direct"))
            areas = {
                "auc": area_under_curve(score[known], mean),
                "auc_direct": area_under_curve(score[known], direct),
            }
            counts = {"designs": int(known.sum()), "above_mean": int(mean.sum())}
            rows.append({"set": name, "figure": figure, **counts, **areas})
    return pd.DataFrame(rows)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--definitions", required=True, help="data/survey/designs.csv")
    parser.add_argument("--errors", nargs="+", required=True, help="CSVs of the study: methods")
    parser.add_argument("--checks", nargs="+", required=True, help="CSVs of the study: the check")
    for table in ("designs", "table", "verdicts", "foresight"):
        parser.add_argument(f"--{table}", metavar="CSV")
    args = parser.parse_args(arguments)
    definitions = read_definitions(args.definitions)
    read = {"keep_default_na": False, "na_values": [""]}  # the method called null is no missing value
    table, checks = (
        pd.concat([pd.read_csv(path, **read) for path in paths], ignore_index=True)
        for paths in (args.errors, args.checks)
    )
    table.insert(1, "set", table["design"].map(sets_of(definitions)))
    designs = with_definitions(with_verdicts(checks), definitions)
    judged = what_became(designs, table)
    tables = {
        "designs": lambda: designs,
        "table": lambda: table,
        "verdicts": lambda: verdict_counts(judged),
        "foresight": lambda: foresight(judged),
    }
    for name, make in tables.items():
        if path := getattr(args, name):
            write_csv(make(), path)


if __name__ == "__main__":
    main()
