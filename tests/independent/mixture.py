"""The latent model with exact labels by StepMix, a package for latent classes that knows nothing of labels or groups.

    cd tests; python -m independent.mixture [--check]

Needs stepmix, which the project does not: `make independent` runs it in an environment of its own. An event is an
object of one of two classes with categorical indicators, each of which may be missing: its group, its bin, and its
outcome. An ordinary event lacks the outcome. The pseudo-observations of a bin have outcome and bin, and no group. A
label is many events of the group with an outcome and no bin: so many that the group's ordinary events cannot move its
share. Labels that are believed in part (a finite W_H) and log-odds that are a sum cannot be put like that, nor can
pomegranate, whose mixtures have one vector of weights for all, be given a share for each group.
"""

import warnings

import numpy as np
import pandas as pd
from stepmix.stepmix import StepMix

from independent import draws, kept

LABEL_EVENTS = 1e7
# As many columns say the outcome, so that a random start soon finds the classes that it names.
OUTCOMES = 5
# StepMix's own rule would stop it too early, since the labels' events are most of the likelihood.
ITERATIONS = 300
# What 10^7 events leave to be moved, and what 300 iterations leave to be done.
ERROR = 1e-6


def indicators(share, counts):
    """Group, bin, outcome and weight of the events, of the pseudo-observations and of the labels, one row each."""
    cells = [(i, k, np.nan, n) for (i, k), n in np.ndenumerate(counts) if n]
    in_advance = [(np.nan, k, z, 1) for k in range(counts.shape[1]) for z in (0, 1)]
    labels = [
        (i, np.nan, z, LABEL_EVENTS * part) for i, p in enumerate(share) for z, part in ((0, 1 - p), (1, p))
    ]
    return pd.DataFrame(cells + in_advance + labels, columns=["group", "bin", "outcome", "weight"])


def posterior(share, counts, seed):
    """P(happy | bin): the mean part of class `happy` over a bin's events and pseudo-observations, (K,)."""
    table = indicators(share, counts)
    observed = table[["group", "bin"] + ["outcome"] * OUTCOMES].to_numpy()
    model = StepMix(
        n_components=2, measurement="categorical_nan", max_iter=ITERATIONS, abs_tol=0, random_state=seed,
        progress_bar=0,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*converge")
        model.fit(observed, sample_weight=table["weight"])
    of_class = model.predict_proba(observed)
    happy = of_class[:, of_class[table["outcome"] == 1].mean(axis=0).argmax()]
    assert np.abs(happy - table["outcome"]).max() < 1e-9, "the classes are not the outcomes; try another seed"
    happy_events = (happy * table["weight"]).groupby(table["bin"]).sum()
    return (happy_events / table["weight"].groupby(table["bin"]).sum()).to_numpy()


def ask(again):
    """The data of the latent model and the answer; `again` starts elsewhere."""
    share, counts = draws.latent_data()
    value = posterior(share, counts, draws.SEED + again)
    answer = {"value": value, "error": np.full(len(value), ERROR)}
    return {"latent": {"data": {"share": share, "counts": counts}, "answers": {"posterior": answer}}}


if __name__ == "__main__":
    kept.run("mixture", ask, __doc__.splitlines()[0])
