"""Happy ratings of movies: the setting of section 6.2 on public data whose every outcome is known.

An event is a rating, happy at 4 stars or more; a group is a movie, its label (happy + .5) / (n + 1) over its
ratings; the bin is the kind of rater, fifth of the mean of their other ratings x third of their spread.
Methods that learn from labels are compared with the oracle, and all methods by held-out movies. Tables:

* posteriors: method, mean, spread, n (ratings), posterior, se (by half-samples of the movies)
* against_oracle: method, lowest, highest, mean_squared_difference (from the oracle, over bins), mean_se
* held_out: as the elections' tables, with half of the movies held out
"""

import argparse
import json
import warnings

import pandas as pd

from replication.shared.methods import predictors_of
from wsclust.estimators.estimate import ConvergenceWarning
from wsclust.evaluation import table_of_errors
from wsclust.half_samples import half_sample_standard_errors
from wsclust.outcomes import KnownOutcomes
from wsclust.seeds import generator
from wsclust.tables import write_csv

FACTORS = ["mean", "spread"]


def rating_outcomes(table):
    """KnownOutcomes of a frame with the columns movie, mean, spread, happy, n.

    Each label is kept off 0 and 1 by half a rating of each kind.

    >>> table = pd.DataFrame({"movie": [1, 1, 2], "mean": [1, 2, 1], "spread": [1, 1, 1]})
    >>> rating_outcomes(table.assign(happy=[3, 0, 2], n=[4, 1, 2])).grouped.label.round(3)
    array([0.583, 0.833])
    """
    outcomes = KnownOutcomes.from_table(
        table.assign(other=table["n"] - table["happy"]), "movie", FACTORS, "happy", "other"
    )
    return outcomes.with_smoothed_labels()


def posteriors_of(outcomes, methods, half_samples, rng_of_method):
    """Every method's posterior with its standard error, one row per method and bin.

    Arguments: KnownOutcomes; `methods` as in config.yaml; the number of half-samples; a function from a
    method's name to a generator.
    """
    frames = []
    for name, predictor in predictors_of(methods).items():
        with warnings.catch_warnings():
            # logistic regressions on half of the movies warn of what held_out counts.
            warnings.simplefilter("ignore", ConvergenceWarning)
            posterior = predictor(outcomes).posterior
            error = half_sample_standard_errors(predictor, outcomes, half_samples, rng_of_method(name))
        columns = {"n": outcomes.grouped.totals, "posterior": posterior, "se": error}
        frames.append(outcomes.bins.assign(method=name, **columns))
    return pd.concat(frames, ignore_index=True)[["method", *FACTORS, "n", "posterior", "se"]]


def against_oracle(posteriors, oracle="oracle"):
    """Range of each method's posteriors and how far they are from the oracle's, over bins."""
    reference = posteriors[posteriors["method"] == oracle].set_index(FACTORS)["posterior"]
    difference = posteriors.set_index(FACTORS)["posterior"] - reference.reindex(
        pd.MultiIndex.from_frame(posteriors[FACTORS])
    )
    grouped = posteriors.assign(squared=difference.to_numpy() ** 2).groupby("method", sort=False)
    table = grouped.agg(
        lowest=("posterior", "min"),
        highest=("posterior", "max"),
        mean_squared_difference=("squared", "mean"),
        mean_se=("se", "mean"),
    )
    return table.reset_index()


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", help="CSV of ratings counted by movie and bin")
    parser.add_argument("--methods", type=json.loads, required=True, help="methods and settings, as JSON")
    parser.add_argument("--half-samples", type=int, required=True)
    parser.add_argument("--splits", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    for table in ("posteriors", "against-oracle", "held-out"):
        parser.add_argument(f"--{table}", required=True, help="CSV")
    args = parser.parse_args(arguments)
    outcomes = rating_outcomes(pd.read_csv(args.table))
    posteriors = posteriors_of(
        outcomes,
        args.methods,
        args.half_samples,
        # The same halves for every method.
        lambda _: generator(args.seed, "movielens", role="half-samples"),
    )
    write_csv(posteriors, args.posteriors)
    write_csv(against_oracle(posteriors), args.against_oracle)
    held_out = table_of_errors(
        predictors_of(args.methods),
        outcomes,
        args.splits,
        lambda split: generator(args.seed, "movielens", run=split, role="split"),
    )
    write_csv(held_out, args.held_out)


if __name__ == "__main__":
    main()
