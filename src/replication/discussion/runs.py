"""Simulated data sets by run number, and averages over runs beside their Monte Carlo errors."""

from dataclasses import dataclass

import numpy as np

from replication.shared.job_settings import write_study
from replication.shared.streams import by_role
from replication.simulation.study import draw
from replication.simulation.true_rates import Truth
from replication.simulation.truth_curves import truth
from wsclust.seeds import generator


@dataclass(frozen=True, eq=False)
class World:
    """What the simulation's data are drawn from.

    `setting`, the name of the truth, part of the seed; `true`, a Truth; `groups` I; `label_noise` sigma_H;
    `seed`, the master seed.
    """

    setting: str
    true: Truth
    groups: int
    label_noise: float
    seed: int

    @classmethod
    def split_from(cls, settings):
        """The World that a study's settings name under `world` and `seed`, and the rest of them, a dict."""
        rest = {key: value for key, value in settings.items() if key not in ("world", "seed")}
        return cls.of(**settings["world"], seed=settings["seed"]), rest

    @classmethod
    def of(cls, setting, curve, groups, label_noise, seed):
        """A world from settings as config.yaml has them; `curve` holds the arguments of `truth`."""
        return cls(setting, truth(**curve), groups, label_noise, seed)

    def data(self, clicks_per_group, run, labels="labels", groups=None):
        """Data set `run` with J clicks per group, that of the simulation: GroupedCounts (I, K).

        Another name for `labels` gives the same groups and clicks other labels; `groups` replaces I.
        """

        rng_of_role = self._simulation(clicks_per_group, run)
        return draw(
            self.true,
            groups or self.groups,
            clicks_per_group,
            self.label_noise,
            lambda role: rng_of_role(labels if role == "labels" else role),
        )

    def quality(self, clicks_per_group, run):
        """mu_i of that data set, (I,)."""
        return self._simulation(clicks_per_group, run)("quality").standard_normal(self.groups)

    def _simulation(self, clicks_per_group, run):
        return by_role(self.seed, "simulation", self.setting, clicks_per_group, run)

    def rng(self, study, clicks_per_group=0, run=0, role=""):
        """A stream of a study's own."""
        return generator(self.seed, study, self.setting, clicks_per_group, run, role)

    def error(self, posterior):
        """Mean absolute error of a posterior (K,) over the bins that it has an estimate for."""
        return float(np.nanmean(np.abs(posterior - self.true.posterior)))


def write_table_of(study, description, arguments=None):
    """The command of a study of one table: from its settings to its CSV.

    Arguments: a function from a World and settings to a frame; the module's docstring; the words of the command.
    """

    def table_of(settings):
        world, rest = World.split_from(settings)
        return study(world, **rest)

    write_study(table_of, description, arguments)


def averages(frame, by):
    """Means over runs of every other column, each followed by its Monte Carlo standard error.

    Arguments: a frame with one row a run and cell, and the columns `by` that name the cell. Returns one row
    a cell in the order in which they first occur: `by`, then `x` and `x_mc_error` for each column x, then
    `runs`. Booleans are averaged as 0 and 1.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"method": ["a", "a"], "run": [1, 2], "error": [0.1, 0.3]})
    >>> averages(frame, ["method"]).iloc[0].to_dict()
    {'method': 'a', 'error': 0.2, 'error_mc_error': 0.1, 'runs': 2}
    """
    values = [column for column in frame.columns if column not in (*by, "run")]
    grouped = frame.astype(dict.fromkeys(values, float)).groupby(by, sort=False)
    runs = grouped.size()
    table = grouped[values].mean()
    spread = grouped[values].std()
    for column in reversed(values):
        place = table.columns.get_loc(column) + 1
        table.insert(place, f"{column}_mc_error", spread[column] / np.sqrt(runs))
    return table.assign(runs=runs).reset_index()


def slope(x, y):
    """Least-squares slope of log y on log x: the power p of y ~ x^p.

    >>> round(slope([1, 10, 100], [7, 0.7, 0.07]), 6)
    -1.0
    """
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])
