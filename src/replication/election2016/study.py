"""Elections with known votes (section 6.1): train on half of the states, predict the other half's voters.

An event is a voter, a group a state, its label the state's share in the data, a bin a combination of the
voter's answers. Methods that learn from labels see each state's share alone; the oracle and the logistic
regressions see the votes. The null guesses the overall share for everybody, on all voters, as in Table 1.
"""

import pandas as pd

from replication.shared.job_settings import study_parser
from replication.shared.methods import predictors_of
from replication.shared.streams import by_run
from wsclust.evaluation import table_of_errors
from wsclust.outcomes import KnownOutcomes
from wsclust.tables import write_csv


def main(arguments=None):
    parser = study_parser(__doc__, "output")
    parser.add_argument("table", help="CSV with one row a (state, bin) and a column of counts an outcome")
    parser.add_argument("--name", required=True, help="name of the design, part of the seed")
    args = parser.parse_args(arguments)
    settings = args.settings
    outcomes = KnownOutcomes.from_table(
        pd.read_csv(args.table, keep_default_na=False),
        "state",
        *(settings[column] for column in ("factors", "positive", "negative")),
    )
    table = table_of_errors(
        predictors_of(settings["methods"]),
        outcomes,
        settings["splits"],
        by_run(settings["seed"], "election", args.name, "split"),
    )
    write_csv(table, args.output)


if __name__ == "__main__":
    main()
