"""What the cap on large groups does (section 6.2), over replicates of the synthetic clicks.

The same sizes, qualities and clicks are fitted with and without the cap, under labels of several noises, so
the difference between two rows is the cap's, or the noise's, alone. Moments are left out: they see each
group's shares of the bins, which no weight on the group changes. Table written:

label_noise (sigma_H), capped, class, method, mean_absolute_error (over bins, then over replicates) with its
Monte Carlo standard error, slope (of the estimates on the truth, 1 if the range is kept; mean over
replicates) with its own, effect_of_cap (error with the cap less error without it, in the same replicate;
negative where the cap helps; empty in the rows without it) with its own, replicates, unconverged
"""

import numpy as np
import pandas as pd

from replication.clicks.study import CLASSES
from replication.clicks.world import synthetic_clicks
from replication.shared.job_settings import write_study
from replication.shared.known_warnings import known_warnings_ignored
from replication.shared.methods import estimators_of
from replication.shared.streams import by_role

CELL = ["label_noise", "capped", "class", "method"]


def replicate(settings, group_class, methods, label_noises, run, seed):
    """One replicate of a class: a list of rows, one for each noise, cap or not, and method."""
    estimators = estimators_of(methods)
    rows = []
    for noise in label_noises:
        rng_of_role = by_role(seed, "clicks", group_class, run=run)
        true, clicks = synthetic_clicks(settings, group_class, noise, rng_of_role)
        for capped in (True, False):
            data = clicks.cap(settings["cap"]) if capped else clicks
            for name, estimate in estimators.items():
                with known_warnings_ignored():
                    fit = estimate(data)
                error = np.abs(fit.posterior - true.posterior).mean()
                slope = np.polyfit(true.posterior, fit.posterior, 1)[0]
                rows.append((noise, capped, group_class, name, run, error, slope, fit.converged))
    return rows


def cap_table(settings):
    """The table, from the section `clicks` of config.yaml, its methods with their settings, and `seed`."""
    study, seed = settings["without_cap"], settings["seed"]
    methods = {
        name: method for name, method in settings["methods"].items() if method["estimator"] != "moments"
    }
    rows = [
        row
        for group_class in CLASSES
        for run in range(1, study["replicates"] + 1)
        for row in replicate(settings, group_class, methods, study["label_noise"], run, seed)
    ]
    frame = pd.DataFrame(rows, columns=[*CELL, "run", "error", "slope", "converged"])
    free = frame.assign(error=frame["error"].where(~frame["capped"]))
    without = free.groupby(["label_noise", "class", "method", "run"])["error"].transform("max")
    frame["effect"] = (frame["error"] - without).where(frame["capped"])
    table = frame.groupby(CELL, sort=False).agg(
        mean_absolute_error=("error", "mean"),
        monte_carlo_error=("error", "sem"),
        slope=("slope", "mean"),
        slope_monte_carlo_error=("slope", "sem"),
        effect_of_cap=("effect", "mean"),
        effect_monte_carlo_error=("effect", "sem"),
        replicates=("error", "count"),
        unconverged=("converged", lambda converged: (~converged).sum()),
    )
    return table.reset_index().sort_values(["label_noise", "class", "method", "capped"], kind="stable")


def main(arguments=None):
    write_study(cap_table, __doc__, arguments)


if __name__ == "__main__":
    main()
