"""Happy ratings of movies: the setting of section 6.2 on public data whose every outcome is known.

An event is a rating, happy at 4 stars or more; a group is a movie, its label (happy + .5) / (n + 1) over its
ratings; the bin is the kind of rater, fifth of the mean of their other ratings x third of the spread of all of
them, which includes the rating itself.
Methods that learn from labels are compared with the oracle, and all methods by held-out movies. Tables:

* posteriors: method, mean, spread, n (ratings), posterior, se (by half-samples of the movies)
* against_oracle: method, lowest, highest, mean_squared_difference (from the oracle, over bins), mean_se
* held_out: as the elections' tables, with half of the movies held out
"""

import pandas as pd

from replication.shared.job_settings import study_parser
from replication.shared.known_warnings import known_warnings_ignored
from replication.shared.methods import predictors_of
from replication.shared.streams import by_role, by_run
from wsclust.evaluation import table_of_errors
from wsclust.half_samples import half_sample_standard_errors
from wsclust.outcomes import KnownOutcomes
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


def posteriors_of(outcomes, methods, half_samples, rng_of_role):
    """Every method's posterior with its standard error, a row a (method, bin).

    Arguments: KnownOutcomes; `methods` as in config.yaml; the number of half-samples, the same for every method;
    a function from a role to a generator.
    """
    frames = []
    for name, predictor in predictors_of(methods).items():
        with known_warnings_ignored():
            posterior = predictor(outcomes).posterior
            rng = rng_of_role("half-samples")
            standard_error = half_sample_standard_errors(predictor, outcomes, half_samples, rng)
        columns = {"n": outcomes.grouped.totals, "posterior": posterior, "se": standard_error}
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
    parser = study_parser(__doc__, "posteriors", "against-oracle", "held-out")
    parser.add_argument("table", help="CSV of ratings counted by movie and bin")
    args = parser.parse_args(arguments)
    settings = args.settings
    outcomes = rating_outcomes(pd.read_csv(args.table))
    posteriors = posteriors_of(
        outcomes,
        settings["methods"],
        settings["half_samples"],
        by_role(settings["seed"], "movielens"),
    )
    write_csv(posteriors, args.posteriors)
    write_csv(against_oracle(posteriors), args.against_oracle)
    held_out = table_of_errors(
        predictors_of(settings["methods"]),
        outcomes,
        settings["splits"],
        by_run(settings["seed"], "movielens", "", "split"),
    )
    write_csv(held_out, args.held_out)


if __name__ == "__main__":
    main()
