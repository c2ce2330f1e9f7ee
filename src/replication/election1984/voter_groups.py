"""Figure 5's numbers: each method's share for Reagan in the 45 bins of 1984, with standard errors.

Fitted to all states; a standard error is the SD over half-samples of the states. pi is the poll's own share
of each state.
"""

import numpy as np
import pandas as pd

from replication.election1984.voters import BINS, outcomes_by_draw
from replication.shared.job_settings import study_parser
from replication.shared.methods import predictors_of
from replication.shared.streams import by_role
from wsclust.half_samples import half_sample_standard_errors
from wsclust.tables import write_csv


def voter_groups(outcomes, methods, half_samples, rng_of_role):
    """Estimates and standard errors: method, income, union, race, voters, estimate, standard_error.

    Arguments: KnownOutcomes with the 45 bins; `methods` as in config.yaml; the number of half-samples, the same
    for every method; a function from a role to its generator.
    """
    frames = []
    for name, predict in predictors_of(methods).items():
        frames.append(
            BINS.assign(
                method=name,
                voters=outcomes.grouped.totals.astype(int),
                estimate=predict(outcomes).posterior,
                standard_error=half_sample_standard_errors(
                    predict, outcomes, half_samples, rng_of_role("half-samples")
                ),
            )
        )
    table = pd.concat(frames, ignore_index=True)
    # An estimate for no voter is the prior's, and so is its standard error.
    table.loc[table["voters"] == 0, ["estimate", "standard_error"]] = np.nan
    return table[["method", *BINS.columns, "voters", "estimate", "standard_error"]]


def main(arguments=None):
    parser = study_parser(__doc__, "output")
    parser.add_argument("voters", help="CSV of voters by state, income, union and race, one draw")
    parser.add_argument("--source", required=True, help="where the voters come from, a column of the table")
    args = parser.parse_args(arguments)
    try:
        by_draw = outcomes_by_draw(pd.read_csv(args.voters, keep_default_na=False), source=args.voters)
    except ValueError as error:
        parser.exit(2, f"{error}\n")
    settings = args.settings
    table = voter_groups(
        by_draw[1],
        settings["methods"],
        settings["half_samples"],
        by_role(settings["seed"], "voter_groups", "draw 1"),
    )
    table.insert(0, "source", args.source)
    write_csv(table, args.output)


if __name__ == "__main__":
    main()
