"""The labels start EM near the best of many optima (section 4, "Initialization", and section 7.1).

The objective is not unimodal. Each data set is fitted from the labels and from many random starts, with
mu_i ~ N(0, 1) and w_0, w_1 drawn uniformly from all distributions on the bins. At W_H = 0 nothing tells happy
from sad but the start: the mirrored answer, which swaps them, has the same objective.

Tables:

* starts: clicks_per_group, he_weight, run, and how far the labels' start ends above the best random one, in
  the objective (gap_to_best), above their median and above the worst (gap_to_median, gap_to_worst);
  better_starts (random starts that end above it by more than 1, which makes data e times as likely),
  same_answer and mirrored (shares of the random starts whose rho is within 0.01 of the labels' start's, and
  whose rho falls where that rises), distance_to_best (mean absolute difference of its rho from the best
  random start's, or from that mirrored if nearer), error_from_labels, error_of_best (mean absolute error
  against the truth), error_of_best_either_way (the same, or that of its mirror image if smaller)
* summary: the same averaged over the runs, each with its Monte Carlo error; runs
"""

import numpy as np
import pandas as pd

from replication.discussion.runs import World, averages
from replication.shared.job_settings import study_parser
from replication.shared.known_warnings import known_warnings_ignored
from wsclust.estimators.latent import latent
from wsclust.estimators.likelihood import with_quality
from wsclust.tables import write_csv

HIGHER = 1.0
SAME = 1e-6
NEAR = 0.01


def random_start(rng, groups, bins):
    """A State that knows nothing of the data."""
    return with_quality(
        rng.standard_normal(groups), rng.dirichlet(np.ones(bins)), rng.dirichlet(np.ones(bins))
    )


def compare(world, clicks_per_group, he_weight, run, starts, tolerance):
    """One row of the table `starts`, as a dict."""
    data = world.data(clicks_per_group, run)
    rng = world.rng("starts", clicks_per_group, run, f"starts at {he_weight:g}")
    begins = [None, *(random_start(rng, *data.counts.shape) for _ in range(starts))]
    with known_warnings_ignored():
        fits = [latent(data, he_weight, tolerance, start_at=begin) for begin in begins]
    objective = np.array([fit.objective[-1] for fit in fits])
    rho = np.array([fit.posterior for fit in fits])
    best = 1 + int(np.argmax(objective[1:]))
    # At one mode all starts end at the same objective, up to rounding.
    gaps = np.where(np.abs(objective[0] - objective) < SAME, 0.0, objective[0] - objective)
    centred = rho - rho.mean(axis=1, keepdims=True)

    def away(other):
        return np.abs(rho[0] - other).mean()

    return {
        "clicks_per_group": clicks_per_group,
        "he_weight": he_weight,
        "run": run,
        "gap_to_best": gaps[best],
        "gap_to_median": np.median(gaps[1:]),
        "gap_to_worst": gaps[1:].max(),
        "better_starts": int((gaps[1:] < -HIGHER).sum()),
        "same_answer": float((np.abs(rho[1:] - rho[0]).max(axis=1) < NEAR).mean()),
        "mirrored": float((centred[1:] @ centred[0] < 0).mean()),
        "distance_to_best": round(float(min(away(rho[best]), away(1 - rho[best]))), 6),
        "error_from_labels": world.error(rho[0]),
        "error_of_best": world.error(rho[best]),
        "error_of_best_either_way": min(world.error(rho[best]), world.error(1 - rho[best])),
    }


def study(world, clicks_per_group, he_weights, runs, starts, tolerance, tolerance_at_zero):
    """The table `starts`: every run of every weight and number of clicks, each a list."""
    return pd.DataFrame(
        [
            compare(world, clicks, weight, run, starts, tolerance_at_zero if weight == 0 else tolerance)
            for clicks in clicks_per_group
            for weight in he_weights
            for run in range(1, runs + 1)
        ]
    )


def main(arguments=None):
    parser = study_parser(__doc__, "starts", "summary")
    args = parser.parse_args(arguments)
    world, settings = World.split_from(args.settings)
    table = study(world, **settings)
    write_csv(table, args.starts)
    write_csv(averages(table, ["clicks_per_group", "he_weight"]), args.summary)


if __name__ == "__main__":
    main()
