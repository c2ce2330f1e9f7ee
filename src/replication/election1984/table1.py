"""Table 1 and the distances to the oracle on the voters of 1984, beside what the paper prints.

The estimates are draw 1's, the electorate that the figures show; the SD over splits is within it, and the SD
over draws is that of the draws' means, empty where there is one draw.
"""

from replication.shared.job_settings import study_parser
from replication.shared.result_tables import read_tables
from wsclust.evaluation import ERRORS
from wsclust.tables import write_csv

KEYS = ["source", "pi", "method"]


def table1(by_draw, paper):
    """Table 1: source, pi, method, each error with its two SDs, and the paper's errors.

    Arguments: frame of `replication.election1984.half_splits`; `paper`, error -> method -> printed value.
    """
    table = by_draw[by_draw["draw"] == 1].set_index(KEYS)
    columns = []
    for error in ERRORS:
        table[f"{error}_sd_draws"] = _sd_over_draws(by_draw, error)
        columns += [error, f"{error}_sd_splits", f"{error}_sd_draws"]
    table = table[columns].reset_index()
    for error in ERRORS:
        table[f"paper_{error}"] = table["method"].map(paper[error])
    return _in_order(table, by_draw)


def distance_table(by_draw, paper):
    """Distance to the oracle: source, pi, method, distance of draw 1, mean and SD over draws, the paper's."""
    table = by_draw[by_draw["draw"] == 1].set_index(KEYS)[["distance"]]
    table["distance_mean_draws"] = by_draw.groupby(KEYS)["distance"].mean()
    table["distance_sd_draws"] = _sd_over_draws(by_draw, "distance")
    table = table.reset_index()
    table["paper_distance"] = table["method"].map(paper["distance"])
    return _in_order(table[table["method"] != "oracle"], by_draw)


def draws_table(by_draw):
    """Each draw's errors and distances: source, pi, draw, method, classification_error, rmse, distance."""
    columns = ["source", "pi", "draw", "method", *ERRORS, "distance"]
    return _in_order(by_draw, by_draw)[columns]


def _sd_over_draws(by_draw, column):
    return by_draw.groupby(KEYS)[column].std()


def _in_order(table, by_draw):
    """Rows by source, reading of pi, draw and method, each in its order of appearance."""
    order = {key: {v: i for i, v in enumerate(by_draw[key].unique())} for key in KEYS}
    keys = [key for key in ("source", "pi", "draw", "method") if key in table]
    rank = table[keys].apply(lambda column: column.map(order.get(column.name, lambda draw: draw)))
    return table.loc[rank.sort_values(keys, kind="stable").index].reset_index(drop=True)


def main(arguments=None):
    parser = study_parser(__doc__, "table1", "distance", "draws")
    parser.add_argument("parts", nargs="+", help="CSVs of replication.election1984.half_splits")
    args = parser.parse_args(arguments)
    by_draw = read_tables(args.parts)
    write_csv(table1(by_draw, args.settings), args.table1)
    write_csv(distance_table(by_draw, args.settings), args.distance)
    write_csv(draws_table(by_draw), args.draws)


if __name__ == "__main__":
    main()
