"""Figure 1's boundary from clicks as numbers: cuts at quantiles, and a trend along the bins' means.

The clicks are those of Figure 1's samples. One row per method, bins_per_axis and pseudo_events (of each bin, half of
them happy): angle to the optimal boundary, in degrees, and steepness, the length of the slope over the optimum's, each
with its SD over samples; rmse of what the boundary says of each click, against the truth, the mean over samples;
replicates. `latent` has the bins alone, `additive` the mean click of each bin as a number of its design. Boundaries are
the logistic regression of P(happy | bin) on the mean clicks, as in the figure.
"""

from functools import partial
from itertools import product

import numpy as np
import pandas as pd
from scipy.special import expit

from replication.additive.methods import ADDITIVE, SATURATED
from replication.motivation.study import angle_between, bin_clicks, boundary
from replication.motivation.world import Model
from replication.shared.job_settings import write_study
from replication.shared.methods import estimators_of
from wsclust.counts import GroupedCounts
from wsclust.seeds import generator


def binned(clicks, shares, parts):
    """GroupedCounts of the bins that occur, with the factors column and row, and their mean clicks (K, 2)."""
    code, bins = bin_clicks(clicks, parts)
    seen, place = np.unique(code, return_inverse=True)
    levels = pd.DataFrame({"column": seen // parts, "row": seen % parts})
    data = GroupedCounts.from_codes(clicks["group"] - 1, place, shares, len(seen), bins=levels)
    return data, bins.loc[seen, ["x", "y"]].to_numpy()


def line_of(method, estimate, data, points):
    """Intercept and slopes of the boundary of one estimator, such as that of `pseudo_events`."""
    numbers = {"numeric": {"column": points[:, 0], "row": points[:, 1]}} if method == ADDITIVE else {}
    return boundary(points, estimate(data, **numbers).posterior, data.totals)


def judged(line, model, clicks):
    """angle, steepness and rmse of a line (intercept, x, y): a dict."""
    points = clicks[["x", "y"]].to_numpy()
    said, truth = (expit(intercept + points @ slopes) for intercept, *slopes in (line, model.boundary))
    return {
        "angle": angle_between(line, model.boundary),
        "steepness": np.hypot(*line[1:]) / model.outcome_separation,
        "rmse": np.sqrt(np.mean((said - truth) ** 2)),
    }


def study(model, methods, cuts, pseudo_events, clicks_per_group, replicates, rng_of_run):
    """The table above.

    Arguments: a `motivation.world.Model`; `methods` as in config.yaml; numbers of bins per axis; numbers of
    pseudo-events; clicks of each group; samples; a function from a sample's number to its generator.
    """
    estimators = estimators_of({name: methods[name] for name in (SATURATED, ADDITIVE)})
    rows = []
    for run in range(1, replicates + 1):
        clicks = model.draw(rng_of_run(run), clicks_per_group)
        for parts in cuts:
            data, points = binned(clicks, model.shares, parts)
            for method, number in product(estimators, pseudo_events):
                line = line_of(method, partial(estimators[method], pseudo_events=number), data, points)
                key = {"method": method, "bins_per_axis": parts, "pseudo_events": number}
                rows.append({**key, **judged(line, model, clicks)})
    by_key = pd.DataFrame(rows).groupby(["method", "bins_per_axis", "pseudo_events"], sort=False)
    means, spreads = by_key.mean(), by_key.std()
    columns = {
        "angle": means["angle"],
        "angle_sd": spreads["angle"],
        "steepness": means["steepness"],
        "steepness_sd": spreads["steepness"],
        "rmse": means["rmse"],
        "replicates": by_key.size(),
    }
    return pd.DataFrame(columns).sort_index(ascending=[False, True, False]).reset_index()


def table_of(settings):
    """The table at the settings of its rule."""
    world = settings["world"]
    model = Model(*(world[name] for name in ("shares", "outcome_separation", "behaviour_separation", "tilt")))
    size = world["clicks_per_group"]
    return study(
        model,
        settings["methods"],
        [world["bins_per_axis"], settings["boundary"]["bins_per_axis"]],
        settings["boundary"]["pseudo_events"],
        size,
        world["replicates"],
        # The stream of the samples of Figure 1.
        lambda run: generator(settings["seed"], "motivation", clicks_per_group=size, run=run, role="clicks"),
    )


def main(arguments=None):
    write_study(table_of, __doc__, arguments)


if __name__ == "__main__":
    main()
