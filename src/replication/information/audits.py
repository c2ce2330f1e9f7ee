"""What an audit adds to weak labels: the formula of `wsclust plan --audit` beside simulated audits.

The truth has rho on the logit curve in equally frequent bins, and mu ~ N(0, 1); labels are the exact shares of
happy clicks. Bins get audited clicks in proportion to the square root of theirs. Two answers see the same clicks
and labels: the latent fit without the audit, and the audited answer of `wsclust fit --audit`, whose prior shape
that fit is.

Table, one row per (design, events looked up): groups, clicks_per_group, audit, formula (the mean standard error of
the bins without the audit), formula_audited (with it), weak and audited (the root mean squared errors of the two
answers, means over the bins), their Monte Carlo errors weak_se and audited_se, runs.
"""

from itertools import product

import numpy as np
import pandas as pd

from replication.information.jackknife import jackknife_error
from replication.shared.job_settings import write_study
from wsclust.audit.audited import audited
from wsclust.audit.outcomes import AuditedOutcomes
from wsclust.audit.sampling import audit_sample
from wsclust.estimators.latent import latent
from wsclust.outcomes import KnownOutcomes
from wsclust.planning.design import Design
from wsclust.planning.plan import plan
from wsclust.seeds import generator


def drawn(design, rng):
    """The KnownOutcomes of one data set of a Design."""
    quality = design.mu_mean + design.mu_sd * rng.standard_normal(design.groups)
    happy = rng.binomial(design.clicks, 1 / (1 + np.exp(-quality)))
    of_happy = rng.multinomial(happy, design.happy)
    return KnownOutcomes(of_happy, rng.multinomial(design.clicks - happy, design.sad))


def answers(outcomes, events, rng):
    """The posteriors (K,) without and with an audit of so many events."""
    data = outcomes.grouped.clip_labels(0.001)
    weak = latent(data, he_weight=np.inf)
    sample = audit_sample(data, events, rng=rng)
    happy = rng.hypergeometric(outcomes.positives.astype(int), outcomes.negatives.astype(int), sample.counts)
    found = AuditedOutcomes(happy, sample.counts - happy)
    return weak.posterior, audited(data, found, weak, ordered=list(data.bins.columns)).posterior


def row(design, events, runs, rng):
    """One row of the table, from `audit` on: a dict."""
    planned = plan(design, audit=events)
    fits = np.array([answers(drawn(design, rng), events, rng) for _ in range(runs)])  # runs x 2 x K
    squares = (fits - design.posterior) ** 2
    errors, spread = _mean_errors(squares), jackknife_error(squares, _mean_errors)
    return {
        "audit": events,
        "formula": planned.standard_error.mean(),
        "formula_audited": np.sqrt(planned.audited).mean(),
        "weak": errors[0],
        "weak_se": spread[0],
        "audited": errors[1],
        "audited_se": spread[1],
        "runs": runs,
    }


def _mean_errors(squares):
    """The root mean square over runs, averaged over bins: of the fit alone, and of the audited one."""
    return np.sqrt(squares.mean(axis=0)).mean(axis=1)


def table_of(settings):
    """The table at the settings of its rule."""
    rows = []
    for groups, clicks, events in product(
        settings["groups"], settings["clicks_per_group"], settings["sizes"]
    ):
        design = Design.from_curve(groups, clicks, settings["bins"], *settings["rho"])
        rng = generator(settings["seed"], "information", f"audit of {events}, I{groups}", clicks)
        place = {"groups": groups, "clicks_per_group": clicks}
        rows.append(place | row(design, events, settings["runs"], rng))
    return pd.DataFrame(rows)


def main(arguments=None):
    write_study(table_of, __doc__, arguments)


if __name__ == "__main__":
    main()
