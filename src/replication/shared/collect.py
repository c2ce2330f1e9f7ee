"""Puts the parts of a table one below the other."""

import argparse

import pandas as pd

from wsclust.tables import write_csv


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="+", help="CSVs with the same columns")
    parser.add_argument("--output", required=True)
    args = parser.parse_args(arguments)
    # The method `null` is no missing value.
    parts = [pd.read_csv(part, keep_default_na=False, na_values=[""]) for part in args.parts]
    write_csv(pd.concat(parts, ignore_index=True), args.output)


if __name__ == "__main__":
    main()
