"""Noisy labels beside outcomes that are looked up: what does it bring to say that they are noisy?

Each design is a table with one row per (group, bin): group, bin, positive, n. Its groups' labels are shares of r
rated events, y ~ Binomial(r, share), apart from those that are counted. Of these a few are looked up, and the
audited answer is judged by all outcomes, once for each treatment of the labels:

    as exact        the shares of the rated events, with nothing said of their noise
    calibrated      the same with the number of rated events, as `--label-n` gives it
    exact shares    the groups' own shares, which nobody has who rates few events

All three have the same weak answer, the additive fit to the calibrated labels, and the same events looked up; factors
are taken without an order.

Table, one row per (design, rated, sample, treatment): skill, 1 as the truth and 0 as the share of all events;
coverage_95, the share of bins whose interval holds the truth; alarm, whether outcomes and labels are said to
contradict each other; of the verdict on the weak answer the probability that it is better than the mean and the
verdict; weak_skill, its own skill. A design whose ratings cannot be calibrated has one row, with its name and r alone.
"""

from dataclasses import replace

import numpy as np
import pandas as pd

from replication.audit.study import looked_up, skill, weak_fit
from replication.shared.designs import add_tables, read_design
from replication.shared.job_settings import study_parser
from wsclust.audit.audited import audited
from wsclust.audit.sampling import audit_sample
from wsclust.label_noise import with_label_noise
from wsclust.seeds import generator
from wsclust.tables import write_csv


def rated_labels(outcomes, rated, rng):
    """The GroupedCounts of KnownOutcomes, whose labels are shares of `rated` events and are known to be so.

    Raises ValueError where the ratings cannot tell how groups differ.
    """
    data = outcomes.grouped
    return with_label_noise(replace(data, label=rng.binomial(rated, data.label) / rated), rated=rated)


def judged(outcomes, noisy, weak, audit):
    """One row per treatment of the labels: a list of dicts.

    Arguments: KnownOutcomes; the data of `rated_labels`; the weak fit; the AuditedOutcomes.
    """
    exact = outcomes.grouped
    truth = outcomes.positives.sum(axis=0) / exact.totals

    def skill_of(posterior):
        return skill(posterior, truth, exact.totals, outcomes.positive_share)

    rows = []
    for treatment, data in (
        ("as exact", replace(noisy, noise=None)),
        ("calibrated", noisy),
        ("exact shares", exact),
    ):
        fit = audited(data, audit, weak)
        lower, upper = fit.interval(0.95)
        rows.append(
            {
                "treatment": treatment,
                "skill": skill_of(fit.posterior),
                "coverage_95": np.mean((lower <= truth) & (truth <= upper)),
                "alarm": fit.mismatch.alarm,
                "probability": fit.verdict.probability,
                "verdict": fit.verdict.word,
                "weak_skill": skill_of(weak.posterior),
            }
        )
    return rows


def study(outcomes, rated, size, samples, rng_of):
    """The rows of one design and number of rated events, but for both, or none where they cannot be calibrated.

    Arguments: KnownOutcomes; events rated in each group; events looked up in each of `samples` audits; a function
    from a role, "ratings" or "audit", and the number of a sample to its generator.
    """
    try:
        noisy = rated_labels(outcomes, rated, rng_of("ratings", 0))
    except ValueError:
        return []
    weak = weak_fit(noisy.calibrated(), (), "additive")
    rows = []
    for sample in range(samples):
        rng = rng_of("audit", sample)
        audit = looked_up(outcomes, audit_sample(outcomes.grouped, size, "bins", rng), rng)
        rows += [{"sample": sample, **row} for row in judged(outcomes, noisy, weak, audit)]
    return rows


def main(arguments=None):
    parser = study_parser(__doc__, "output")
    add_tables(parser)
    args = parser.parse_args(arguments)
    settings = args.settings
    rows = []
    for design, path in args.tables:
        outcomes = read_design(path)
        for rated in settings["rated"]:

            def rng_of(role, sample, setting=f"audits {design} {rated}"):
                return generator(settings["seed"], "noisy_labels", setting, run=sample, role=role)

            found = study(outcomes, rated, settings["size"], settings["samples"], rng_of)
            rows += [{"design": design, "rated": rated, **row} for row in found or [{}]]
    write_csv(pd.DataFrame(rows), args.output)


if __name__ == "__main__":
    main()
