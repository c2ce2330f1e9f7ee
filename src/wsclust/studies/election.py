"""Elections with known votes (section 6.1): train on half of the states, predict the other half's voters.

An event is a voter, a group a state, its label the state's share in the data, a bin a combination of the
voter's answers. Methods that learn from labels see each state's share alone; the oracle and the logistic
regressions see the votes. The null guesses the overall share for everybody, on all voters, as in Table 1.
"""

import argparse
import json
import warnings

import numpy as np
import pandas as pd

from wsclust.estimators.fit import ConvergenceWarning
from wsclust.evaluation import held_out_errors, prediction_errors
from wsclust.files import write_csv
from wsclust.methods import predictors_of
from wsclust.outcomes import KnownOutcomes
from wsclust.seeds import generator

ERRORS = ["classification_error", "rmse"]


def table_of_errors(outcomes, methods, splits, rng_of_split):
    """Errors of the null and of each method: mean and SD over the splits.

    Arguments: KnownOutcomes; `methods` as in config.yaml; the number of splits; a function from a split's
    number to its generator. Returns a frame: method, classification_error,
    classification_error_sd_splits, rmse, rmse_sd_splits, splits, unconverged; the null has no splits.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # it has a column of its own
        # Half of the states can have fewer groups than bins: moments says so in every split.
        warnings.filterwarnings("ignore", "moments: Omega has rank", RuntimeWarning)
        errors = held_out_errors(predictors_of(methods), outcomes, splits, rng_of_split)
    by_method = errors.groupby("method", sort=False)
    table = pd.DataFrame({"method": list(methods)}).set_index("method")
    for error in ERRORS:
        table[error] = by_method[error].mean()
        table[f"{error}_sd_splits"] = by_method[error].std()
    table["splits"] = splits
    table["unconverged"] = by_method["converged"].agg(lambda converged: (~converged).sum())
    null = dict(zip(ERRORS, null_errors(outcomes), strict=True))
    first = pd.DataFrame({"method": "null", **null, "splits": 0, "unconverged": 0}, index=[0])
    return pd.concat([first, table.reset_index()])[["method", *table.columns]]


def null_errors(outcomes):
    """Errors of guessing the overall share for every voter."""
    return prediction_errors(np.full(outcomes.positives.shape[1], outcomes.share), outcomes)


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
        outcomes,
        args.methods,
        args.splits,
        lambda split: generator(args.seed, "election", args.name, run=split, role="split"),
    )
    write_csv(table, args.output)


if __name__ == "__main__":
    main()
