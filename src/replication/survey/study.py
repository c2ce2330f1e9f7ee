"""Real events whose outcomes are known: is a method better than guessing, and did the check foresee it?

An event's outcome is hidden and only its group's share is shown, (positive + .5) / (n + 1) so that none is 0
or 1. Methods that learn from labels are judged on the groups that each split leaves out, beside the null
(the training groups' mean label for everybody) and the oracle (which sees the training outcomes).

* table: design, groups, events, bins, method, classification_error, rmse (held out, mean over splits), skill,
  correlation and distance (mean-squared difference) over bins to the oracle, both fitted to all groups.
  Skill is (Brier null - Brier method) / (Brier null - Brier oracle): 1 as the oracle, 0 as guessing the mean.
* diagnostics: design, label_r2, label_r2_implied, shuffle_ratio and verdict of the latent fit that takes the
  labels as exact, as `wsclust.check.figures` has them.
"""

import numpy as np
import pandas as pd

from replication.shared.job_settings import study_parser
from replication.shared.known_warnings import known_warnings_ignored
from replication.shared.methods import estimators_of, predictors_of
from replication.shared.streams import by_role, by_run
from wsclust.check.figures import check_fit
from wsclust.estimators.estimate import Estimate
from wsclust.evaluation import held_out_errors
from wsclust.outcomes import KnownOutcomes
from wsclust.tables import write_csv

CHECKED = "latent"


def read_outcomes(table, group="group", factors=("bin",), positive="positive", negative=None, total="n"):
    """KnownOutcomes of a CSV with one row per group and bin, each group's label its own share, off 0 and 1.

    Arguments: the path; its columns; `negative` where the table has negatives instead of `total` events.
    Bins that never occur are left out.
    """
    factors = list(factors)
    text = dict.fromkeys([group, *factors], str)
    frame = pd.read_csv(table, dtype=text, keep_default_na=False)
    if negative is None:
        negative = "negative"
        frame[negative] = frame[total] - frame[positive]
    outcomes = KnownOutcomes.from_table(frame, group, factors, positive, negative)
    seen = (outcomes.positives + outcomes.negatives).sum(axis=0) > 0
    positives, negatives = outcomes.positives[:, seen], outcomes.negatives[:, seen]
    return KnownOutcomes(positives, negatives, outcomes.groups, outcomes.bins[seen]).with_smoothed_labels()


def judge(outcomes, methods, splits, rng_of_split):
    """One design's rows of the table, but for its name.

    Arguments: KnownOutcomes; `methods` as in config.yaml, the oracle among them; the number of splits; a
    function from a split's number to its generator.
    """
    predictors = {"null": _mean_label, **predictors_of(methods)}
    with known_warnings_ignored():
        errors = held_out_errors(predictors, outcomes, splits, rng_of_split)
        posteriors = {name: fit(outcomes).posterior for name, fit in predictors.items()}
    brier = (errors["rmse"] ** 2).groupby(errors["method"]).mean()
    means = errors.groupby("method")[["classification_error", "rmse"]].mean()
    table = means.loc[list(predictors)]
    table["skill"] = (brier["null"] - brier) / (brier["null"] - brier["oracle"])
    for name, posterior in posteriors.items():
        table.loc[name, "correlation"] = _correlation(posterior, posteriors["oracle"])
        table.loc[name, "distance"] = np.nanmean((posterior - posteriors["oracle"]) ** 2)
    n_groups, n_bins = outcomes.positives.shape
    events = int(outcomes.positives.sum() + outcomes.negatives.sum())
    described = table.reset_index().assign(groups=n_groups, events=events, bins=n_bins)
    return described[["groups", "events", "bins", "method", *table.columns]]


def _mean_label(outcomes):
    data = outcomes.grouped
    return Estimate(np.full(len(data.totals), data.mean_label))


def _correlation(posterior, reference):
    known = np.isfinite(posterior)
    if np.ptp(posterior[known]) == 0:
        return np.nan
    return np.corrcoef(posterior[known], reference[known])[0, 1]


def checked(outcomes, settings, rng_of_role):
    """One design's row of the diagnostics, but for its name: a dict."""
    estimator = estimators_of({CHECKED: settings})[CHECKED]
    data = outcomes.grouped
    check = check_fit(estimator, data, estimator(data), rng_of_role)
    return {
        "label_r2": check.label_r2,
        "label_r2_implied": check.label_r2_implied,
        "shuffle_ratio": check.shuffle_ratio,
        "verdict": check.verdict,
    }


def main(arguments=None):
    parser = study_parser(__doc__, "table", "diagnostics")
    args = parser.parse_args(arguments)
    settings, seed = args.settings, args.settings["seed"]
    tables, checks = [], []
    for design, source in settings["designs"].items():
        outcomes = read_outcomes(**source)
        judged = judge(
            outcomes,
            settings["methods"],
            settings["splits"],
            by_run(seed, "real_events", design, "split"),
        )
        tables.append(judged.assign(design=design)[["design", *judged.columns]])
        check = checked(
            outcomes,
            settings["methods"][CHECKED],
            by_role(seed, "real_events", design),
        )
        checks.append({"design": design, **check})
    write_csv(pd.concat(tables, ignore_index=True), args.table)
    write_csv(pd.DataFrame(checks), args.diagnostics)


if __name__ == "__main__":
    main()
