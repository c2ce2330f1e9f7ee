"""One design with known outcomes: how good is an answer with so many of its events looked up?

The groups' labels are their exact shares. A few events are drawn, their outcomes looked up (within a cell of
group and bin any of its events alike), and every method is judged by all outcomes:

    skill = 1 - sum_k n_k (posterior_k - truth_k)^2 / sum_k n_k (share - truth_k)^2,

1 as the truth, 0 as the share of all events. One row per sampling, size, sample and method: skill; for the
audited answers the share of bins whose 90 and 95% interval holds the truth, the z scores of the mismatch and
what the answer claims to be worth; for the full one the probability that the weak answer is better than the
mean, the verdict and the weak answer's own skill.
"""

import warnings

import numpy as np
import pandas as pd

from replication.audit.methods import Audit, alone, full, shares, slope
from replication.shared.designs import read_design
from replication.shared.job_settings import study_parser
from wsclust.audit.audited import AuditedFit
from wsclust.audit.outcomes import AuditedOutcomes
from wsclust.audit.sampling import audit_sample
from wsclust.counts import GroupedCounts
from wsclust.estimators.estimate import ConvergenceWarning
from wsclust.seeds import generator
from wsclust.tables import write_csv

METHODS = {"alone": alone, "slope": slope, "shares": shares, "full": full}
LEVELS = (90, 95)


def weak_fit(data, ordered, estimator):
    """The answer of the labels alone, W_H = infinity: "additive" or "latent"."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        if estimator == "additive":
            from wsclust.estimators.additive import additive

            return additive(data, ordered=ordered)
        from wsclust.estimators.latent import latent

        return latent(data, he_weight=np.inf)


def off_zero_and_one(outcomes):
    """The data with the labels (positive + .5) / (n + 1), none of which is 0 or 1."""
    data = outcomes.grouped
    label = (outcomes.positives.sum(axis=1) + 0.5) / (data.sizes + 1)
    return GroupedCounts(data.counts, label, data.groups, data.bins)


def looked_up(outcomes, sample, rng):
    """The AuditedOutcomes of a sample: in each cell, some of its events without replacement."""
    positives, negatives = outcomes.positives.astype(np.int64), outcomes.negatives.astype(np.int64)
    happy = rng.hypergeometric(positives, negatives, sample.counts)
    return AuditedOutcomes(happy, sample.counts - happy)


def skill(posterior, truth, totals, mean):
    """1 as the truth, 0 as the mean; NaN where the mean is the truth in all bins.

    >>> skill(np.array([0.4, 0.6]), np.array([0.3, 0.7]), np.array([1, 1]), 0.5).round(2)
    np.float64(0.75)
    """
    possible = totals @ (mean - truth) ** 2
    return 1 - totals @ (posterior - truth) ** 2 / possible if possible > 0 else np.nan


def judged(outcomes, audit, methods):
    """One row per method of an Audit of these KnownOutcomes: a list of dicts."""
    data = audit.data
    truth = outcomes.positives.sum(axis=0) / data.totals
    rows = []
    for method in methods:
        fit = METHODS[method](audit)
        posterior = fit.posterior if isinstance(fit, AuditedFit) else fit
        row = {"method": method, "skill": skill(posterior, truth, data.totals, outcomes.positive_share)}
        if isinstance(fit, AuditedFit):
            for level in LEVELS:
                lower, upper = fit.interval(level / 100)
                row[f"coverage_{level}"] = np.mean((lower <= truth) & (truth <= upper))
            row |= {"level": fit.mismatch.level, "agreement": fit.mismatch.agreement, "worth": fit.worth}
            if fit.verdict is not None:
                row |= {
                    "probability": fit.verdict.probability,
                    "verdict": fit.verdict.word,
                    "more": fit.verdict.more,
                    "weak_skill": skill(audit.weak.posterior, truth, data.totals, outcomes.positive_share),
                }
        rows.append(row)
    return rows


def study(outcomes, ordered, weak, sizes, samples, sampling, methods, rng_of_sample):
    """All rows of one design and one way of sampling, but for the design's name.

    Arguments: KnownOutcomes; names of ordered factors; the weak fit; audit sizes (those beyond the design's
    events are left out); samples per size; "bins", "random" or "groups"; names of METHODS; a function from
    (size, sample) to a generator.
    """
    data = outcomes.grouped
    rows = []
    for size in sizes:
        if size > data.sizes.sum():
            continue
        for sample in range(samples):
            rng = rng_of_sample(size, sample)
            audit = Audit(
                data, looked_up(outcomes, audit_sample(data, size, sampling, rng), rng), weak, ordered
            )
            rows += [
                {"sampling": sampling, "size": size, "sample": sample, **row}
                for row in judged(outcomes, audit, methods)
            ]
    return pd.DataFrame(rows)


def main(arguments=None):
    parser = study_parser(__doc__, "output")
    parser.add_argument("--table", required=True, help="CSV of group, bin, positive, n")
    args = parser.parse_args(arguments)
    settings = args.settings
    design, seed = settings["design"], settings["seed"]
    outcomes = read_design(args.table)
    ordered = tuple(f"factor{position}" for position in settings["ordered"])
    weak = weak_fit(off_zero_and_one(outcomes), ordered, settings["weak"])
    table = pd.concat(
        [
            study(
                outcomes,
                ordered,
                weak,
                settings["sizes"],
                settings["samples"],
                sampling,
                settings["answers"],
                lambda size, sample, sampling=sampling: generator(
                    seed, "audit", design, run=sample, role=f"{sampling} {size}"
                ),
            )
            for sampling in settings["sampling"]
        ],
        ignore_index=True,
    )
    write_csv(table.assign(design=design)[["design", *table.columns]], args.output)


if __name__ == "__main__":
    main()
