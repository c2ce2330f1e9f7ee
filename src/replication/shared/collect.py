"""Puts the parts of a table one below the other."""

import argparse

from replication.shared.result_tables import read_tables
from wsclust.tables import write_csv


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="+", help="CSVs with the same columns")
    parser.add_argument("--output", required=True)
    args = parser.parse_args(arguments)
    write_csv(read_tables(args.parts), args.output)


if __name__ == "__main__":
    main()
