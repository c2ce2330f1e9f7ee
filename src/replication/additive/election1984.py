"""Table 1 on all draws of the reconstruction of 1984, with effects of levels beside the other methods.

One row per reading of pi and method: classification_error and rmse (held out), distance and correlation to the
oracle's estimates over the bins with voters, each the mean over the draws with its SD in a column `_sd`, and draws.
The errors and distances of the other methods are those of results/election1984/draws.csv, on the same splits.
"""

import numpy as np
import pandas as pd

from replication.election1984.half_splits import readings
from replication.shared.job_settings import study_parser
from replication.shared.methods import predictors_of
from replication.shared.result_tables import read_table, read_tables
from wsclust.evaluation import ERRORS
from wsclust.tables import write_csv

KEYS = ["pi", "method"]
MEASURES = [*ERRORS, "distance", "correlation"]


def correlations(by_pi, methods, reference="oracle"):
    """Correlation of each method with the oracle over the bins with voters: pi, draw, method, correlation.

    Arguments: reading -> (draw -> KnownOutcomes); `methods` as in config.yaml, the oracle among them.
    """
    rows = []
    for pi, by_draw in by_pi.items():
        for draw, outcomes in by_draw.items():
            seen = outcomes.grouped.totals > 0
            estimates = {name: fit(outcomes).posterior[seen] for name, fit in predictors_of(methods).items()}
            rows += [
                {
                    "pi": pi,
                    "draw": draw,
                    "method": name,
                    "correlation": np.corrcoef(found, estimates[reference])[0, 1],
                }
                for name, found in estimates.items()
                if name != reference
            ]
    return pd.DataFrame(rows)


def over_draws(by_draw):
    """Mean and SD over draws of every measure, by reading and method."""
    grouped = by_draw.groupby(KEYS, sort=False)
    table = pd.DataFrame({"draws": grouped["draw"].nunique()})
    for measure in MEASURES:
        table[measure] = grouped[measure].mean()
        table[f"{measure}_sd"] = grouped[measure].std()
    return table[[*table.columns[1:], "draws"]].reset_index()


def main(arguments=None):
    parser = study_parser(__doc__, "output")
    parser.add_argument("--voters", required=True, help="CSV of voters, all draws")
    parser.add_argument("--results", required=True, help="CSV of the official results by state")
    parser.add_argument(
        "--others", required=True, help="CSV of each draw's errors, of the methods of Table 1"
    )
    parser.add_argument(
        "--parts", nargs="+", required=True, help="CSVs of replication.election1984.half_splits"
    )
    args = parser.parse_args(arguments)
    others, ours = read_table(args.others), read_tables(args.parts)
    by_draw = pd.concat([others, ours[ours["method"] != "null"]], ignore_index=True)
    shown = ["null", *args.settings["methods"]]
    by_pi = readings(
        pd.read_csv(args.voters, keep_default_na=False),
        pd.read_csv(args.results, keep_default_na=False),
        args.voters,
    )
    with_oracle = by_draw.merge(correlations(by_pi, args.settings["methods"]), "left", ["draw", *KEYS])
    table = over_draws(with_oracle).set_index(KEYS)
    rows = [(pi, method) for pi in by_pi for method in shown]
    write_csv(table.loc[rows].reset_index(), args.output)


if __name__ == "__main__":
    main()
