"""What the check of a latent fit says of simulated data, where the right verdict is known.

Data: mu_i ~ N(0, 1), J clicks per group, happy with probability sigma(mu_i), in a bin by w_1 or w_0 of a known
truth; the label is the group's own share of happy clicks, (happy + .5) / (J + 1), and W_H = infinity, as for
the real designs from which the thresholds come. Three tables, each with one row per setting:

* enough: the model holds; how much data earns "labels predicted" (truth, groups, clicks_per_group,
  label_r2_limit). With endless data R2 is 1 - (1 - l)^2, l = sum_k (w_1k - w_0k) rho_k: features that tell happy
  from sad clicks poorly do not reach .5 with any amount of data.
* shuffled: the labels are shuffled among the groups; nothing may earn "labels predicted" (groups, clicks_per_group)
* dependence: what clicks do depends on the group: w_zik is proportional to w_zk exp(strength t_i c_k), c the
  truth's rho standardised over clicks, t_i standard normal with a given correlation with mu_i. Without
  correlation this is noise; at correlation 1 it exaggerates the truth, and hides in w0 and w1.
  (correlation, strength; and for each correlation the first strengths at which latent is no better than
  direct, latent_lost_at, and at which fewer than half of the data sets earn "labels predicted",
  predicted_lost_at)

with label_r2, label_r2_implied, shuffle_ratio, latent_error and direct_error (root mean squared difference to
the truth over clicks), each the mean over data sets and, with the ending _se, its Monte Carlo standard error;
the number of data sets with each verdict, in a column of its name; and runs.
"""

import numpy as np
import pandas as pd
from scipy.special import expit

from replication.shared.job_settings import study_parser
from replication.shared.known_warnings import known_warnings_ignored
from replication.shared.methods import estimators_of
from replication.simulation.truth_curves import truth
from wsclust.check.figures import check_fit, spread
from wsclust.check.verdicts import PREDICTED, VERDICTS
from wsclust.counts import GroupedCounts
from wsclust.drawing import draw_outcomes
from wsclust.outcomes import KnownOutcomes
from wsclust.seeds import generator
from wsclust.tables import write_csv

MEANS = ["label_r2", "label_r2_implied", "shuffle_ratio", "latent_error", "direct_error"]


def sample(true, groups, clicks_per_group, rng, strength=0.0, correlation=0.0):
    """A data set as above: (GroupedCounts, P(happy | bin) among the clicks of these groups).

    >>> from replication.simulation.truth_curves import truth
    >>> data, rho = sample(truth("linear", 5, low=0.1, high=0.9), 10, 50, np.random.default_rng(1))
    >>> data.counts.shape, rho.shape
    ((10, 5), (5,))
    """
    quality, other = rng.standard_normal((2, groups))
    tilt = correlation * quality + np.sqrt(1 - correlation**2) * other
    share = expit(quality)
    mean = true.frequency @ true.posterior
    contrast = (true.posterior - mean) / spread(true.posterior, true.frequency)
    factor = np.exp(strength * np.outer(tilt, contrast))
    sad, happy = (weights * factor for weights in (true.sad, true.happy))
    sad, happy = (weights / weights.sum(axis=1, keepdims=True) for weights in (sad, happy))
    outcomes = KnownOutcomes(*draw_outcomes(share, clicks_per_group, sad, happy, rng)).with_smoothed_labels()
    rho = share @ happy / (share @ happy + (1 - share) @ sad)
    return outcomes.grouped, rho


def checked(data, rho, estimators, rng_of_role):
    """The figures, the verdict and the errors of one data set, a dict."""
    latent, direct = estimators["latent"], estimators["direct"]
    with known_warnings_ignored():
        fit = latent(data)
    check = check_fit(latent, data, fit, rng_of_role)
    row = {**vars(check), "verdict": check.verdict}
    for name, posterior in (("latent", fit.posterior), ("direct", direct(data).posterior)):
        row[f"{name}_error"] = np.sqrt(data.totals @ (posterior - rho) ** 2 / data.totals.sum())
    return row


def column_of(verdict):
    """The column that counts the data sets with a verdict.

    >>> column_of("labels predicted")
    'labels_predicted'
    """
    return verdict.replace(" ", "_")


def summarise(rows, keys):
    """The means, their Monte Carlo errors and the numbers of each verdict, one row per setting."""
    grouped = rows.groupby(keys, sort=False)
    table = grouped[MEANS].mean().join(grouped[MEANS].sem().add_suffix("_se"))
    for verdict in VERDICTS:
        counted = grouped["verdict"].agg(lambda found, verdict=verdict: (found == verdict).sum())
        table[column_of(verdict)] = counted
    table["runs"] = grouped.size()
    return table.reset_index()


def enough(truths, estimators, settings, rng_of):
    frames = []
    for name, true in truths.items():
        table = _by_size(
            true,
            estimators,
            settings,
            lambda setting, *rest, name=name: rng_of(f"{name} {setting}", *rest),
            settings["runs"],
        )
        limit = 1 - (1 - (true.happy - true.sad) @ true.posterior) ** 2
        frames.append(table.assign(truth=name, label_r2_limit=limit))
    table = pd.concat(frames, ignore_index=True)
    first = ["truth", "groups", "clicks_per_group", "label_r2_limit"]
    return table[[*first, *table.columns.difference(first, sort=False)]]


def shuffled(truths, estimators, settings, rng_of):
    true = next(iter(truths.values()))
    sizes = len(settings["groups"]) * len(settings["clicks_per_group"])
    return _by_size(true, estimators, settings, rng_of, settings["tries"], sizes)


def _by_size(true, estimators, settings, rng_of, runs, shuffled_over=None):
    """A row a size; `shuffled_over` sizes share the runs, and the labels are shuffled, where it is given."""
    rows = []
    sizes = [(groups, clicks) for groups in settings["groups"] for clicks in settings["clicks_per_group"]]
    for place, (groups, clicks) in enumerate(sizes):
        for run in range(1, runs + 1):
            if shuffled_over and run % shuffled_over != place:
                continue
            rng = rng_of(f"I{groups}", clicks, run, "data")
            data, rho = sample(true, groups, clicks, rng)
            if shuffled_over:
                data = GroupedCounts(data.counts, rng.permutation(data.label))
            row = checked(
                data,
                rho,
                estimators,
                lambda role, g=groups, c=clicks, run=run: rng_of(f"I{g}", c, run, role),
            )
            rows.append({"groups": groups, "clicks_per_group": clicks, **row})
    return summarise(pd.DataFrame(rows), ["groups", "clicks_per_group"])


def dependence(truths, estimators, settings, rng_of):
    true = next(iter(truths.values()))
    rows = []
    clicks = settings["clicks_per_group"]
    for correlation in settings["correlations"]:
        for strength in settings["strengths"]:
            for run in range(1, settings["runs"] + 1):
                # The same groups at every strength.
                rng = rng_of(f"r{correlation:g}", clicks, run, "data")
                data, rho = sample(true, settings["groups"], clicks, rng, strength, correlation)
                name = f"r{correlation:g} {strength:g}"
                row = checked(
                    data, rho, estimators, lambda role, name=name, run=run: rng_of(name, clicks, run, role)
                )
                rows.append({"correlation": correlation, "strength": strength, **row})
    table = summarise(pd.DataFrame(rows), ["correlation", "strength"])
    lost = {
        "latent_lost_at": table["latent_error"] >= table["direct_error"],
        "predicted_lost_at": table[column_of(PREDICTED)] < table["runs"] / 2,
    }
    for name, condition in lost.items():
        first = table[condition].groupby("correlation")["strength"].min()
        table[name] = table["correlation"].map(first)
    return table


STUDIES = {"enough": enough, "shuffled": shuffled, "dependence": dependence}


def main(arguments=None):
    parser = study_parser(__doc__, "output")
    parser.add_argument("study", choices=list(STUDIES))
    args = parser.parse_args(arguments)
    settings = args.settings
    table = STUDIES[args.study](
        {name: truth(**curve) for name, curve in settings["truths"].items()},
        estimators_of(settings["methods"]),
        settings,
        lambda setting, clicks, run, role: generator(
            settings["seed"], f"check {args.study}", setting, clicks, run, role
        ),
    )
    write_csv(table, args.output)


if __name__ == "__main__":
    main()
