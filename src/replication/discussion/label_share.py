r"""The labels' weight in the M-step falls as 1 / J (section 7.1).

Equation (4.7), W_H (mu - HE) + J sigma(mu) = sum_k n_k z_k, differentiated at its root, gives

    d mu / d HE = W_H / (W_H + J v),    v = sigma(mu) (1 - sigma(mu)),

the labels' share of an update of mu_i; its odds, W_H / (J v), are a 1 / J law wherever v does not depend on
J. Two further measures let more react. With w_0 and w_1 kept, the z_ik follow mu_i as well, and J v becomes
the information of the group's clicks about mu_i once their outcomes are unknown, which is smaller. With
everything refitted, the answer itself moves when each label is drawn anew.

Tables:

* shares: clicks_per_group, m_step_share, m_step_odds, outcomes_unknown_share, outcomes_unknown_odds (means
  over the groups), answer_moved (mean absolute change of rho, over the bins, with labels drawn anew), each
  with its Monte Carlo error; runs
* slopes: quantity, slope (of its log on log J), expected
"""

import numpy as np
import pandas as pd

from replication.discussion.runs import World, averages, slope
from replication.shared.job_settings import study_parser
from wsclust.estimators.latent import latent
from wsclust.tables import write_csv


def label_odds(data, fit, he_weight):
    """The odds of the labels' share of mu_i at a fit: in the M-step, and with the outcomes unknown.

    Arguments: GroupedCounts; a LatentEstimate at finite W_H > 0; W_H. Returns two arrays (I,).

    >>> from wsclust.counts import GroupedCounts
    >>> data = GroupedCounts([[80, 20], [30, 70]], label=[0.8, 0.3])
    >>> known, unknown = label_odds(data, latent(data, 10), he_weight=10)
    >>> bool(np.all(known < unknown))
    True
    """
    variance = fit.share * (1 - fit.share)
    mixture = np.outer(1 - fit.share, fit.sad) + np.outer(fit.share, fit.happy)
    ratio = data.counts / mixture
    difference = fit.happy - fit.sad
    # Minus the second derivative of the group's log-likelihood in mu, with w_0 and w_1 kept.
    information = variance**2 * ((ratio / mixture) @ difference**2)
    information -= variance * (1 - 2 * fit.share) * (ratio @ difference)
    return he_weight / (data.sizes * variance), he_weight / information


def shares(world, he_weight, clicks_per_group, runs):
    """The table `shares` of the module's docstring."""
    rows = []
    for clicks in clicks_per_group:
        for run in range(1, runs + 1):
            data = world.data(clicks, run)
            fit = latent(data, he_weight)
            known, unknown = label_odds(data, fit, he_weight)
            other = latent(world.data(clicks, run, labels="labels drawn anew"), he_weight)
            # The information of a few clicks may be negative: the share of sums is safe, that of each is not.
            odds = 1 / np.mean(1 / unknown)
            rows.append(
                {
                    "clicks_per_group": clicks,
                    "run": run,
                    "m_step_share": np.mean(known / (1 + known)),
                    "m_step_odds": 1 / np.mean(1 / known),
                    "outcomes_unknown_share": odds / (1 + odds),
                    "outcomes_unknown_odds": odds,
                    "answer_moved": np.abs(fit.posterior - other.posterior).mean(),
                }
            )
    return averages(pd.DataFrame(rows), ["clicks_per_group"])


def slopes(table):
    """The table `slopes`: the power of J by which each odds falls; the law expects -1."""
    quantities = ["m_step_odds", "outcomes_unknown_odds"]
    found = [slope(table["clicks_per_group"], table[quantity]) for quantity in quantities]
    return pd.DataFrame({"quantity": quantities, "slope": found, "expected": -1})


def main(arguments=None):
    parser = study_parser(__doc__, "shares", "slopes")
    args = parser.parse_args(arguments)
    world, settings = World.split_from(args.settings)
    table = shares(world, **settings)
    write_csv(table, args.shares)
    write_csv(slopes(table), args.slopes)


if __name__ == "__main__":
    main()
