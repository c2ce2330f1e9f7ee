"""Elections with known votes (section 6.1): train on half of the states, predict the other half's voters.

An event is a voter, a group a state, its label the state's share in the data, a bin a combination of the
voter's answers. Methods that learn from labels see each state's share alone; the oracle and the logistic
regressions see the votes. The null guesses the overall share for everybody, on all voters, as in Table 1.
"""

import argparse
import json

import pandas as pd

from replication.shared.methods import predictors_of
from wsclust.evaluation import table_of_errors
from wsclust.outcomes import KnownOutcomes
from wsclust.seeds import generator
from wsclust.tables import write_csv


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", help="CSV with one row a (state, bin) and a column of counts an outcome")
    parser.add_argument("--name", required=True, help="name of the design, part of the seed")
    parser.add_argument("--factors", nargs="+", required=True)
    parser.add_argument("--positive", required=True, help="column of voters with outcome 1")
    parser.add_argument("--negative", required=True, help="column of voters with outcome 0")
    parser.add_argument("--methods", type=json.loads, required=True, help="methods and settings, as JSON")
    parser.add_argument("--splits", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--output", required=True, help="CSV of errors")
    args = parser.parse_args(arguments)
    outcomes = KnownOutcomes.from_table(
        pd.read_csv(args.table, keep_default_na=False), "state", args.factors, args.positive, args.negative
    )
    table = table_of_errors(
        predictors_of(args.methods),
        outcomes,
        args.splits,
        lambda split: generator(args.seed, "election", args.name, run=split, role="split"),
    )
    write_csv(table, args.output)


if __name__ == "__main__":
    main()
