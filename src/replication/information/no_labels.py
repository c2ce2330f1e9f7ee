r"""What clicks tell without any label: the mixture alone, with two kinds of groups of a known shape.

Half of the groups have the share p = pi - s of happy clicks, half pi + s, with s the SD of the shares; both are
known, but not which group is of which kind. The clicks of a group then come from a mixture of two multinomials, and
with g the chance that a group is of the second kind given its clicks n_k, the score of (w0_k, w1_k) is

    sum over kinds of g n_k / d_k (1 - p, p),     d_k = (1 - p) w0_k + p w1_k.

Its mean square over simulated groups is the information of one group; the variance of rho follows as in
`wsclust.planning.fisher`, without the part that comes from which groups were drawn. With the kinds known g is 0 or 1.

Table, one row per (rho range, SD of mu, clicks per group): low, high, mu_sd, clicks_per_group, weak_kinds_known and
weak_no_labels, the weak clicks that equal one labelled click.
"""

from itertools import product

import numpy as np
import pandas as pd

from replication.shared.job_settings import write_study
from wsclust.estimators.curvature import free
from wsclust.planning.design import Design
from wsclust.seeds import generator


def scores(counts, shares, chances, sad, happy):
    """The scores of the weights (w0, w1), (N, 2K), of groups that are of each kind with these chances.

    Arguments: `counts` (N, K); `shares` (2,), p of each kind; `chances` (N, 2); `sad` and `happy` (K,).
    """
    found = np.zeros((len(counts), 2 * len(sad)))
    for share, chance in zip(shares, chances.T, strict=True):
        facing = chance[:, None] * counts / ((1 - share) * sad + share * happy)
        found += np.hstack([(1 - share) * facing, share * facing])
    return found


def weak_clicks(design, groups, rng):
    """The weak clicks that equal one labelled click, with the kinds known and without labels: two numbers.

    Arguments: a Design, whose mean and SD of the shares the two kinds have; `groups` to simulate.
    """
    shares = design.share + np.array([-1, 1]) * design.share_sd
    mixtures = (1 - shares[:, None]) * design.sad + shares[:, None] * design.happy
    kind = np.arange(groups) % 2
    clicks = int(design.clicks)
    counts = rng.multinomial(clicks, mixtures[kind])
    log = counts @ np.log(mixtures).T
    guess = np.exp(log - np.logaddexp(*log.T)[:, None])
    scale = design.posterior * (1 - design.posterior)
    gradient = free(np.hstack([np.diag(-scale / design.sad), np.diag(scale / design.happy)]))
    labelled = scale / (clicks * design.frequency)
    weak = []
    for chances in (np.eye(2)[kind], guess):
        score = free(scores(counts, shares, chances, design.sad, design.happy))
        inverse = np.linalg.pinv(score.T @ score / groups, hermitian=True, rcond=1e-12)
        weak.append(np.sum(gradient @ inverse * gradient, axis=1).mean() / labelled.mean())
    return weak


def table_of(settings):
    """The table at the settings of its rule."""
    rows = []
    for (low, high, mu_sd), clicks in product(settings["cases"], settings["clicks_per_group"]):
        design = Design.from_curve(1, clicks, settings["bins"], low, high, mu_sd)
        setting = f"no labels, rho {low:g} {high:g} sd {mu_sd:g}"
        known, none = weak_clicks(
            design, settings["groups"], generator(settings["seed"], "information", setting, clicks)
        )
        rows.append(
            {
                "low": low,
                "high": high,
                "mu_sd": mu_sd,
                "clicks_per_group": clicks,
                "weak_kinds_known": known,
                "weak_no_labels": none,
            }
        )
    return pd.DataFrame(rows)


def main(arguments=None):
    write_study(table_of, __doc__, arguments)


if __name__ == "__main__":
    main()
