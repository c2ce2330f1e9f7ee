"""Bins that training never saw: the effects of their levels beside a saturated fit that did see them.

In each run a share of the bins is left out, such that every level stays in some bin; the additive model is fitted to
the events of the others, with the groups' labels as they are, and predicts the bins left out. Skill is over these
bins and all runs, weighed by events,

    1 - sum n_k (posterior_k - share_k)^2 / sum n_k (mean - share_k)^2,

with share_k the share of positives in the bin and mean that of all events: 0 as the mean, 1 as the truth. One row per
design and method: additive, which did not see these bins, and latent, which did.
"""

import numpy as np
import pandas as pd

from replication.additive.designs import outcomes_of
from replication.additive.methods import ADDITIVE, SATURATED
from replication.shared.job_settings import write_study
from replication.shared.methods import estimators_of
from replication.shared.streams import by_run
from wsclust.counts import GroupedCounts

_TRIES = 200


def left_out(bins, share, rng):
    """Places of bins to leave out, such that every level is in some bin that stays; None where none is found.

    >>> bins = pd.DataFrame({"sex": ["f", "f", "m", "m"], "age": ["old", "young"] * 2})
    >>> len(left_out(bins, 0.25, np.random.default_rng(1)))
    1
    """
    number = max(1, round(share * len(bins)))
    for _ in range(_TRIES):
        out = rng.choice(len(bins), number, replace=False)
        stay = bins.drop(index=bins.index[out])
        if all(stay[name].nunique() == bins[name].nunique() for name in bins):
            return out
    return None


def without(data, out):
    """The data without these bins, and without the groups that are then empty."""
    counts = np.delete(data.counts, out, axis=1)
    used = counts.sum(axis=1) > 0
    bins = data.bins.drop(index=data.bins.index[out]).reset_index(drop=True)
    return GroupedCounts(counts[used], data.label[used], data.groups[used], bins)


def study(designs, methods, share, runs, rng_of):
    """The table: design, bins, left_out (of each run), runs, method, skill.

    Arguments: as for `designs.study`; the share of the bins that is left out; the number of runs; a function from a
    design to the function from a run to its generator.
    """
    estimators = estimators_of({name: methods[name] for name in (SATURATED, ADDITIVE)})
    rows = []
    for design, source in designs.items():
        outcomes = outcomes_of(source)
        data = outcomes.grouped
        truth, mean = outcomes.positives.sum(axis=0) / data.totals, outcomes.positive_share
        saw_them = estimators[SATURATED](data).posterior
        squares = dict.fromkeys((ADDITIVE, SATURATED, "mean"), 0.0)
        for run in range(1, runs + 1):
            out = left_out(data.bins, share, rng_of(design)(run))
            if out is None:
                raise ValueError(
                    f"{design}: no choice of bins to leave out keeps every level; leave the design out"
                )
            predicted = estimators[ADDITIVE](without(data, out)).predict_bins(data.bins.iloc[out])
            for method, posterior in ((ADDITIVE, predicted), (SATURATED, saw_them[out]), ("mean", mean)):
                squares[method] += data.totals[out] @ (posterior - truth[out]) ** 2
        for method in (ADDITIVE, SATURATED):
            rows.append(
                {
                    "design": design,
                    "bins": len(data.bins),
                    "left_out": len(out),
                    "runs": runs,
                    "method": method,
                    "skill": 1 - squares[method] / squares["mean"],
                }
            )
    return pd.DataFrame(rows)


def table_of(settings):
    """The table at the settings of its rule."""
    return study(
        settings["designs"],
        settings["methods"],
        settings["unseen"]["share"],
        settings["unseen"]["runs"],
        lambda design: by_run(settings["seed"], "additive", design, "unseen"),
    )


def main(arguments=None):
    write_study(table_of, __doc__, arguments)


if __name__ == "__main__":
    main()
