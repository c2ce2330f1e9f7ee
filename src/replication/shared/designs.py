"""Real designs, events in groups whose outcomes are known: their definitions, and their tables of counts.

data/survey/designs.csv defines each design, one row each. A table has one row per group and bin, with the events
and the positive ones among them. The bin is one column, in which a bar joins the levels of its factors, or one
column per factor.
"""

import csv
from pathlib import Path

import numpy as np
import pandas as pd

from wsclust.outcomes import KnownOutcomes


def add_tables(parser):
    """The option `--tables CSV ...`: pairs of a design's name, which its file has up to the first dot, and the path.

    >>> import argparse
    >>> parser = argparse.ArgumentParser()
    >>> add_tables(parser)
    >>> parser.parse_args(["--tables", "build/survey/storms.csv.gz"]).tables
    [('storms', PosixPath('build/survey/storms.csv.gz'))]
    """
    parser.add_argument(
        "--tables", nargs="+", type=_named, metavar="CSV", required=True, help="CSVs, named as their designs"
    )


def _named(path):
    return Path(path).name.split(".")[0], Path(path)


def read_definitions(path):
    """The rows of designs.csv by design: a dict of dicts of text, with `factors` and `ordered` as lists.

    >>> import tempfile
    >>> from pathlib import Path
    >>> file = Path(tempfile.mkdtemp(), "designs.csv")
    >>> _ = file.write_text("design,set,factors,ordered\\nstorms,first,pressure,pressure\\n")
    >>> read_definitions(file)["storms"]["factors"]
    ['pressure']
    """
    with open(path, newline="", encoding="utf-8") as file:
        return {
            row["design"]: {**row, "factors": row["factors"].split(), "ordered": row["ordered"].split()}
            for row in csv.DictReader(file)
        }


def read_design(table, factors=None, group="group", positive="positive", negative=None, total="n"):
    """KnownOutcomes of a CSV with one row per group and bin; bins and groups without events are left out.

    Arguments: the path; the names of the factors (default: factor0, factor1, ... of the column `bin`); the columns
    of the group and of the positive events, and of the negative ones where the table has them instead of a total.
    Raises ValueError, one line naming the file, on a column that is missing, or on other factors than are named.

    >>> import tempfile
    >>> from pathlib import Path
    >>> file = Path(tempfile.mkdtemp(), "belts.csv")
    >>> _ = file.write_text("group,bin,positive,n\\na,0|m,3,4\\na,1|f,0,5\\nb,0|m,1,1\\n")
    >>> outcomes = read_design(file, ["speed", "sex"])
    >>> outcomes, list(outcomes.bins.columns)
    (KnownOutcomes: 2 groups x 2 bins, 4 of 10 events positive, ['speed', 'sex'])
    """
    frame = pd.read_csv(table, dtype=str, keep_default_na=False)
    crossed = ["bin"] if "bin" in frame else list(factors or [])
    counted = [positive, total if negative is None else negative]
    for column in (group, *crossed, *counted):
        if column not in frame:
            raise ValueError(f"{table}: no column {column!r}, but {', '.join(frame)}")
    happy, others = (frame[column].astype(float).to_numpy() for column in counted)
    events = others if negative is None else happy + others
    known = events > 0
    levels = frame[crossed][known]
    groups, group_of = np.unique(frame[group][known].to_numpy(str), return_inverse=True)
    bins, bin_of = np.unique(levels.agg("|".join, axis=1).to_numpy(str), return_inverse=True)
    positives, counts = np.zeros((2, len(groups), len(bins)))
    np.add.at(positives, (group_of, bin_of), happy[known])
    np.add.at(counts, (group_of, bin_of), events[known])
    return KnownOutcomes(positives, counts - positives, groups, _levels(table, bins, factors))


def _levels(table, bins, factors):
    """The frame of the bins' levels, one column per factor."""
    if factors is not None and len(factors) == 1:
        return pd.DataFrame({factors[0]: bins})
    split = [str(name).split("|") for name in bins]
    width = len(split[0])
    names = [f"factor{place}" for place in range(width)] if factors is None else list(factors)
    wrong = [name for name, levels in zip(bins, split, strict=True) if len(levels) != len(names)]
    if wrong:
        found = f"bin {str(wrong[0])!r} has {wrong[0].count('|') + 1} levels"
        raise ValueError(f"{table}: {found}, expected {len(names)}: {', '.join(names)}")
    return pd.DataFrame(split, columns=names)
