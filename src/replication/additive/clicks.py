"""Effects of levels where they are wrong: clicks whose truth is a sum in probability, not in log-odds.

The world is that of Figure 6, class A, with more or fewer groups. One row per number of groups and method: rmse, the
root of the mean over bins of (posterior - rho)^2, as the mean over runs, with its Monte Carlo standard error. The
methods are latent (one value per bin), additive, and main_effects, which has no deviations of the bins; labels are as
noisy as in Figure 6, and W_H is as there.
"""

from functools import partial

import numpy as np
import pandas as pd

from replication.additive.methods import ADDITIVE, SATURATED
from replication.clicks.world import synthetic_clicks
from replication.shared.job_settings import write_study
from replication.shared.methods import estimators_of
from replication.shared.streams import by_role

MAIN_EFFECTS = "main_effects"


def study(world, methods, sizes, runs, rng_of):
    """The table: groups, method, rmse, rmse_se, runs.

    Arguments: `world`, the section `clicks` of config.yaml; `methods` as in config.yaml; numbers of groups; the number
    of runs at each; a function from (groups, run) to the function from a role to its generator.
    """
    estimators = estimators_of({name: methods[name] for name in (SATURATED, ADDITIVE)})
    estimators[MAIN_EFFECTS] = partial(estimators[ADDITIVE], deviation_sd=0)
    rows = []
    for groups in sizes:
        errors = {name: [] for name in estimators}
        for run in range(1, runs + 1):
            rng = rng_of(groups, run)
            true, data = synthetic_clicks({**world, "groups": groups}, "A", world["label_noise"], rng)
            data = data.cap(world["cap"])
            for name, estimate in estimators.items():
                errors[name].append(np.sqrt(np.mean((estimate(data).posterior - true.posterior) ** 2)))
        for name, found in errors.items():
            spread = np.std(found, ddof=1) / np.sqrt(runs) if runs > 1 else np.nan
            rows.append(
                {"groups": groups, "method": name, "rmse": np.mean(found), "rmse_se": spread, "runs": runs}
            )
    return pd.DataFrame(rows)


def table_of(settings):
    """The table at the settings of its rule."""
    return study(
        settings["world"],
        settings["methods"],
        settings["clicks"]["groups"],
        settings["clicks"]["runs"],
        lambda groups, run: by_role(settings["seed"], "additive", f"clicks {groups}", run=run),
    )


def main(arguments=None):
    write_study(table_of, __doc__, arguments)


if __name__ == "__main__":
    main()
