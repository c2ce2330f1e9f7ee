"""One design with known outcomes: is a method better than guessing, and did the check foresee it?

An event's outcome is hidden and only its group's share is shown, (positive + .5) / (n + 1) so that none is 0
or 1. Methods that learn from labels are judged on the groups that each split leaves out, beside the null
(the training groups' mean label for everybody) and the oracle (which sees the training outcomes).

* table, one row per method: design, method, brier and classification_error (held out, means over splits), skill,
  correlation and distance (mean-squared difference) over bins to the oracle, both fitted to all groups.
  Skill is (Brier null - Brier method) / (Brier null - Brier oracle): 1 as the oracle, 0 as guessing the mean.
* check, one row: design, groups, bins and events; label_r2, label_r2_implied and shuffle_ratio of the latent fit
  that takes the labels as exact, as `wsclust.check.figures` has them.
"""

import numpy as np
import pandas as pd

from replication.shared.designs import read_design
from replication.shared.job_settings import study_parser
from replication.shared.known_warnings import known_warnings_ignored
from replication.shared.methods import estimators_of, predictors_of
from replication.shared.streams import by_role, by_run
from wsclust.check.figures import check_fit
from wsclust.estimators.estimate import Estimate
from wsclust.evaluation import held_out_errors
from wsclust.outcomes import KnownOutcomes
from wsclust.registry import entry
from wsclust.tables import write_csv

CHECKED = "latent"


def judge(outcomes, methods, splits, rng_of_split):
    """One design's rows of the table, but for its name.

    Arguments: KnownOutcomes; `methods` as in config.yaml, the oracle among them; the number of splits; a
    function from a split's number to its generator.
    """
    predictors = {"null": _mean_label, **predictors_of(methods)}
    with known_warnings_ignored():
        errors = held_out_errors(predictors, outcomes, splits, rng_of_split)
        posteriors = {name: fit(outcomes).posterior for name, fit in predictors.items()}
    errors["brier"] = errors["rmse"] ** 2
    table = errors.groupby("method")[["brier", "classification_error"]].mean().loc[list(predictors)]
    brier = table["brier"]
    table["skill"] = (brier["null"] - brier) / (brier["null"] - brier["oracle"])
    for name, posterior in posteriors.items():
        table.loc[name, "correlation"] = _correlation(posterior, posteriors["oracle"])
        table.loc[name, "distance"] = np.nanmean((posterior - posteriors["oracle"]) ** 2)
    return table.reset_index()


def _mean_label(outcomes):
    data = outcomes.grouped
    return Estimate(np.full(len(data.totals), data.mean_label))


def _correlation(posterior, reference):
    known = np.isfinite(posterior)
    if np.ptp(posterior[known]) == 0:
        return np.nan
    return np.corrcoef(posterior[known], reference[known])[0, 1]


def with_order(methods, ordered):
    """The methods, those that can use it told which factors are ordered.

    >>> with_order({"direct": {"estimator": "direct"}, "additive": {"estimator": "additive"}}, ["age"])
    {'direct': {'estimator': 'direct'}, 'additive': {'estimator': 'additive', 'ordered': ['age']}}
    """
    return {
        name: {**method, "ordered": list(ordered)}
        if "ordered" in entry(method["estimator"]).settings
        else method
        for name, method in methods.items()
    }


def checked(outcomes, settings, rng_of_role):
    """The figures of one design's check: a dict."""
    estimator = estimators_of({CHECKED: settings})[CHECKED]
    data = outcomes.grouped
    return vars(check_fit(estimator, data, estimator(data), rng_of_role))


def described(outcomes: KnownOutcomes):
    """Groups, bins and events of a design: a dict."""
    n_groups, n_bins = outcomes.positives.shape
    events = int(outcomes.positives.sum() + outcomes.negatives.sum())
    return {"groups": n_groups, "bins": n_bins, "events": events}


def main(arguments=None):
    parser = study_parser(__doc__, "table", "check")
    args = parser.parse_args(arguments)
    settings = args.settings
    design, seed = settings["design"], settings["seed"]
    outcomes = read_design(**settings["source"], factors=settings["factors"]).with_smoothed_labels()
    judged = judge(
        outcomes,
        with_order(settings["methods"], settings["ordered"]),
        settings["splits"],
        by_run(seed, "survey", design, "split"),
    )
    check = checked(outcomes, settings["methods"][CHECKED], by_role(seed, "survey", design))
    write_csv(judged.assign(design=design)[["design", *judged.columns]], args.table)
    write_csv(pd.DataFrame([{"design": design, **described(outcomes), **check}]), args.check)


if __name__ == "__main__":
    main()
