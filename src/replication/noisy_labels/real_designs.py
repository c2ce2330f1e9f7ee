"""Noisy labels on real events whose outcomes are known: which treatment of the labels is best?

Each design is a table with one row per (group, bin): group, bin, positive, n. Its groups' own shares become
labels, (positive + .5) / (n + 1), and noise is added to them: an error of SD sigma on the logit scale, or
only r of the group's events (all, where it has fewer) are rated. A random half of the groups is fitted, and
the events of the others are predicted by the posterior of their bin.

Table, one row per (design, noise, treatment): skill = (Brier null - Brier treatment) / (Brier null - Brier
oracle), each Brier score the mean over splits; the null guesses the training groups' true share for
everybody, the oracle sees their outcomes. Noise "none" leaves the labels as they are.
"""

import re
import warnings

import numpy as np
import pandas as pd
from scipy.special import expit, logit

from replication.noisy_labels.treatments import treatments_of_errors, treatments_of_ratings
from replication.shared.designs import add_tables
from replication.shared.job_settings import study_parser
from wsclust.counts import GroupedCounts
from wsclust.estimators.estimate import ConvergenceWarning
from wsclust.seeds import generator
from wsclust.tables import write_csv


def read_design(path):
    """Positive events (I, K) and all events (I, K) of a table; bins and groups without events left out."""
    frame = pd.read_csv(path, dtype={"group": str, "bin": str}, keep_default_na=False)
    frame = frame[frame["n"] > 0]
    group, bin_ = pd.factorize(frame["group"])[0], pd.factorize(frame["bin"])[0]
    positive, events = np.zeros((2, group.max() + 1, bin_.max() + 1))
    np.add.at(positive, (group, bin_), frame["positive"])
    np.add.at(events, (group, bin_), frame["n"])
    return positive, events


def noisy(positive, events, noise, rng):
    """Labels (I,) with a noise such as "none", "sd 0.5" or "r 5", and the treatments that they allow.

    Returns the labels and a function from the row numbers of a half of the groups to its treatments.
    """
    happy, sizes = positive.sum(axis=1), events.sum(axis=1)
    share = (happy + 0.5) / (sizes + 1)
    kind, amount = re.fullmatch(r"(none|sd|r)(?: ([0-9.]+))?", noise).groups()
    if kind == "r":
        rated = np.minimum(float(amount), sizes)
        y = rng.hypergeometric(happy.astype(int), (sizes - happy).astype(int), rated.astype(int))
        return (y + 0.5) / (rated + 1), lambda rows: treatments_of_ratings(
            lambda _: rated[rows], among_events=True
        )
    label_sd = 0.0 if kind == "none" else float(amount)
    error = label_sd * rng.standard_normal(len(share))
    labels = expit(logit(share) + error) if label_sd else share
    return labels, lambda rows: treatments_of_errors(label_sd)


def skills(positive, events, noise, splits, rng_of_split):
    """Skill of each treatment on held-out groups: a series by treatment.

    Arguments: the counts of `read_design`; the noise, as in `noisy`; the number of half-splits; a function
    from a split's number, from 1, to its generator.
    """
    briers = []
    for split in range(1, splits + 1):
        rng = rng_of_split(split)
        train = np.sort(rng.choice(len(events), len(events) // 2, replace=False))
        test = np.setdiff1d(np.arange(len(events)), train)
        labels, treatments = noisy(positive, events, noise, rng)
        data = GroupedCounts(events[train], labels[train])
        seen = data.totals > 0
        true_share = positive[train].sum() / events[train].sum()
        tested, happy = events[test].sum(axis=0), positive[test].sum(axis=0)

        def brier(posterior, seen=seen, fallback=true_share, tested=tested, happy=happy):
            predicted = np.where(seen, posterior, fallback)
            return (happy @ (1 - predicted) ** 2 + (tested - happy) @ predicted**2) / tested.sum()

        oracle = (1 + positive[train].sum(axis=0)) / (2 + data.totals)
        scores = {"null": brier(true_share), "oracle": brier(oracle)}
        for name, estimator in treatments(train).items():
            scores[name] = brier(estimator(data).posterior)
        briers.append(scores)
    mean = pd.DataFrame(briers).mean()
    return (mean["null"] - mean.drop(["null", "oracle"])) / (mean["null"] - mean["oracle"])


def main(arguments=None):
    parser = study_parser(__doc__, "output")
    add_tables(parser)
    args = parser.parse_args(arguments)
    settings = args.settings
    rows = []
    for design, path in args.tables:
        positive, events = read_design(path)
        for noise in settings["noises"]:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                found = skills(
                    positive,
                    events,
                    noise,
                    settings["splits"],
                    lambda split, name=f"{design} {noise}": generator(
                        settings["seed"], "noisy_labels", name, run=split, role="real"
                    ),
                )
            rows += [
                {"design": design, "noise": noise, "treatment": name, "skill": skill}
                for name, skill in found.items()
            ]
    write_csv(pd.DataFrame(rows), args.output)


if __name__ == "__main__":
    main()
