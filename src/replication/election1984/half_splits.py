"""Table 1 on the voters of 1984: held-out errors and distance to the oracle, for both readings of pi.

pi, the label of a state, is either its share for Reagan among the voters of the poll itself ("poll") or its
official result ("official"). Methods that see the votes do not depend on it. The distance of a method to the
oracle is the mean-squared difference of their estimates on all states over the 45 bins; in a bin without
voters they do not differ.
"""

import numpy as np
import pandas as pd

from replication.election1984.voters import official_shares, outcomes_by_draw
from replication.shared.job_settings import study_parser
from replication.shared.known_warnings import known_warnings_ignored
from replication.shared.methods import predictors_of, sees_outcomes
from wsclust.estimators.oracle import oracle
from wsclust.evaluation import table_of_errors
from wsclust.seeds import generator
from wsclust.tables import write_csv

PI = ("poll", "official")


def study(by_draw, methods, splits, rng_of_split):
    """Errors and distances of one reading of pi on each draw.

    Arguments: `by_draw`, draw -> KnownOutcomes; `methods` as in config.yaml; splits of the states; a function
    from a draw and a split to its generator. Returns a frame: draw, and per method the columns of
    `table_of_errors` and distance, which the null has too.
    """
    frames = []
    for draw, outcomes in by_draw.items():
        table = table_of_errors(
            predictors_of(methods), outcomes, splits, lambda split, draw=draw: rng_of_split(draw, split)
        ).set_index("method")
        table["distance"] = pd.Series(distances(outcomes, methods))
        frames.append(table.reset_index().assign(draw=draw))
    return pd.concat(frames, ignore_index=True)


def distances(outcomes, methods):
    """Mean-squared difference to the oracle over the bins: method -> distance, the null included."""
    truth = oracle(outcomes).posterior
    estimates = {"null": np.full(len(truth), outcomes.positive_share)}
    with known_warnings_ignored():
        for name, predict in predictors_of(methods).items():
            estimates[name] = predict(outcomes).posterior
    seen = outcomes.grouped.totals > 0
    return {
        # The saturated logit is the oracle but for rounding, whose size depends on the machine.
        name: round(float(np.where(seen, (estimate - truth) ** 2, 0).mean()), 12)
        for name, estimate in estimates.items()
    }


def both_readings(by_pi, methods, splits, rng_of_split):
    """`study` for each reading of pi; what sees the votes is fitted once.

    Argument: `by_pi`, reading -> (draw -> KnownOutcomes). Returns the frame of `study` with a column pi.
    """
    first, *others = by_pi
    table = study(by_pi[first], methods, splits, rng_of_split)
    sees_votes = [name for name, method in methods.items() if sees_outcomes(method)]
    blind = {name: method for name, method in methods.items() if name not in sees_votes}
    frames = [table.assign(pi=first)]
    for pi in others:
        labelled = study(by_pi[pi], blind, splits, rng_of_split)
        shared = table[table["method"].isin(sees_votes)]
        frames.append(pd.concat([labelled, shared]).assign(pi=pi))
    return pd.concat(frames, ignore_index=True)


def readings(voters, results, source):
    """The electorates of a table of voters under each reading of pi: reading -> (draw -> KnownOutcomes)."""
    return {
        "poll": outcomes_by_draw(voters, None, source),
        "official": outcomes_by_draw(voters, official_shares(results), source),
    }


def main(arguments=None):
    parser = study_parser(__doc__, "output")
    parser.add_argument("voters", help="CSV of voters by state, income, union and race")
    parser.add_argument("--results", required=True, help="CSV of the official results by state")
    parser.add_argument("--source", required=True, help="where the voters come from, a column of the tables")
    args = parser.parse_args(arguments)
    voters = pd.read_csv(args.voters, keep_default_na=False)
    results = pd.read_csv(args.results, keep_default_na=False)
    try:
        by_pi = readings(voters, results, args.voters)
    except ValueError as error:
        parser.exit(2, f"{error}\n")
    settings = args.settings
    first, last = settings["draws"]
    wanted = range(first, last + 1)
    by_pi = {pi: {d: v for d, v in draws.items() if d in wanted} for pi, draws in by_pi.items()}
    table = both_readings(
        by_pi,
        settings["methods"],
        settings["splits"],
        lambda draw, split: generator(
            settings["seed"], "election1984", f"draw {draw}", run=split, role="split"
        ),
    )
    table.insert(0, "source", args.source)
    write_csv(table, args.output, digits=10)


if __name__ == "__main__":
    main()
