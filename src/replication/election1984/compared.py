"""Elections side by side: how well latent variables do, and how far their assumption holds.

For each table of voters: the held-out errors; the correlation and the mean-squared difference of the latent
and the oracle estimates over the bins with voters; and, within each vote, how far the voters' bins depend on
their state, which is what the model denies. That is Pearson's chi-squared of the states x bins table of one
vote, over its degrees of freedom (the dispersion, 1 where the assumption holds), and its excess over them
per voter, which does not grow with the poll.
"""

import numpy as np
import pandas as pd

from replication.shared.job_settings import study_parser
from replication.shared.methods import predictors_of
from replication.shared.result_tables import read_table
from wsclust.outcomes import KnownOutcomes
from wsclust.tables import write_csv


def agreement(outcomes, methods, name, reference="oracle"):
    """Estimates of each method in each bin with voters, beside the reference's.

    Returns a frame: election, method, bin (from 1), voters, estimate, oracle.
    """
    voters = outcomes.grouped.totals
    estimates = {method: predict(outcomes).posterior for method, predict in predictors_of(methods).items()}
    frames = [
        pd.DataFrame(
            {
                "election": name,
                "method": method,
                "bin": np.arange(1, len(voters) + 1),
                "voters": voters.astype(int),
                "estimate": estimate,
                "oracle": estimates[reference],
            }
        )[voters > 0]
        for method, estimate in estimates.items()
        if method != reference
    ]
    return pd.concat(frames, ignore_index=True)


def dispersion(counts):
    """Pearson's chi-squared over its degrees of freedom, and the excess over them per event.

    Argument: counts (I, K) of one outcome. Empty rows and columns are left out.

    >>> dispersion(np.array([[30, 10], [10, 30]]))
    (20.0, 0.2375)
    """
    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    events = counts.sum()
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / events
    squared = ((counts - expected) ** 2 / expected).sum()
    freedom = (counts.shape[0] - 1) * (counts.shape[1] - 1)
    return float(squared / freedom), float((squared - freedom) / events)


def compared(outcomes, errors, estimates, name, kind):
    """One row an election and method.

    Arguments: KnownOutcomes; the election's errors, a frame with method, classification_error and rmse; its
    frame of `agreement`; its name; whether its voters are of a survey or simulated.
    """
    positive, excess_positive = dispersion(outcomes.positives)
    negative, excess_negative = dispersion(outcomes.negatives)
    rows = errors[["method", "classification_error", "rmse"]].copy()
    by_method = dict(list(estimates.groupby("method")))
    for column, statistic in (
        ("correlation_with_oracle", lambda frame: np.corrcoef(frame["estimate"], frame["oracle"])[0, 1]),
        ("distance", lambda frame: np.mean((frame["estimate"] - frame["oracle"]) ** 2)),
    ):
        values = {method: statistic(frame) for method, frame in by_method.items()}
        rows[column] = rows["method"].map(values)
    rows.insert(0, "election", name)
    rows.insert(1, "voters_are", kind)
    return rows.assign(
        states=len(outcomes.positives),
        bins=int((outcomes.grouped.totals > 0).sum()),
        voters=int(outcomes.grouped.totals.sum()),
        label_spread=outcomes.grouped.label.std(ddof=1),
        dispersion_positive=positive,
        dispersion_negative=negative,
        excess_positive=excess_positive,
        excess_negative=excess_negative,
    )


def main(arguments=None):
    parser = study_parser(__doc__, "output", "estimates")
    args = parser.parse_args(arguments)
    methods = args.settings["methods"]
    rows, estimates = [], []
    for name, election in args.settings["elections"].items():
        table = pd.read_csv(election["table"], keep_default_na=False)
        outcomes = KnownOutcomes.from_table(
            table, "state", election["factors"], election["positive"], election["negative"]
        )
        errors = read_table(election["errors"])
        if "pi" in errors:
            errors = errors[errors["pi"] == "poll"]
        errors = errors[errors["method"].isin(["null", *methods])]
        frame = agreement(outcomes, methods, name)
        rows.append(compared(outcomes, errors, frame, name, election["voters_are"]))
        estimates.append(frame)
    write_csv(pd.concat(rows, ignore_index=True), args.output)
    write_csv(pd.concat(estimates, ignore_index=True), args.estimates)


if __name__ == "__main__":
    main()
