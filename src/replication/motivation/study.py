"""The motivating example (section 2, Figure 1): who finds the boundary between happy and sad clicks?

`motivation_world` draws the clicks. The estimators see bins alone: each axis is cut at quantiles of all
clicks, and the cuts are crossed. A boundary is then the logistic regression of the estimated P(happy | bin)
on the mean click of each bin, weighted by the clicks in it.

The direct estimate is E[share | bin], which rises linearly with P(happy | bin). Its lines of equal
probability therefore run the right way, but it stays between E[share | sad] and E[share | happy], .33 and
.67 for the paper's shares, and its P = 1/2 is in the right place only where the shares average one half.
"""

import numpy as np
import pandas as pd

from replication.motivation.world import Model
from replication.shared.job_settings import study_parser
from wsclust.counts import GroupedCounts
from wsclust.estimators.direct import direct
from wsclust.estimators.latent import latent
from wsclust.estimators.oracle import oracle
from wsclust.outcomes import KnownOutcomes
from wsclust.seeds import generator
from wsclust.tables import write_csv

TABLES = ("clicks", "boundaries", "ellipses", "bins")


def angle_between(one, other):
    """Degrees, 0 to 90, between the lines `intercept + x X + y Y = 0` of two boundaries.

    >>> angle_between([0, 1, 0], [5, -1, -1])
    45.0
    """
    (_, a, b), (_, c, d) = one, other
    return float(np.degrees(np.arctan2(abs(a * d - b * c), abs(a * c + b * d))))


def mixture(points):
    """The two-component Gaussian mixture of points (n, 2): a frame of the ellipses, and its dividing line.

    Full covariances, as scikit-learn's default; the better of several starts; the upper component is the
    second. The line is the linear discriminant of the two components with their pooled covariance.
    """
    from sklearn.mixture import GaussianMixture  # a second to import

    # Without k-means' threads the sums have one order; the tolerance is far below what is reported.
    fit = GaussianMixture(2, tol=1e-7, max_iter=1000, n_init=5, init_params="k-means++", random_state=0).fit(
        points
    )
    order = np.argsort(fit.means_[:, 1])
    weight, mean, covariance = fit.weights_[order], fit.means_[order], fit.covariances_[order]
    slope = np.linalg.solve(np.tensordot(weight, covariance, 1), mean[1] - mean[0])
    line = np.array([np.log(weight[1] / weight[0]) - mean.mean(axis=0) @ slope, *slope])
    ellipses = pd.DataFrame(
        {
            "component": [1, 2],
            "weight": weight,
            "mean_x": mean[:, 0],
            "mean_y": mean[:, 1],
            "variance_x": covariance[:, 0, 0],
            "variance_y": covariance[:, 1, 1],
            "covariance": covariance[:, 0, 1],
        }
    )
    return ellipses, line


def bin_clicks(clicks, bins_per_axis):
    """Bin number of each click (from 0), and a frame of the bins: edges and mean click (NaN if empty)."""
    parts = np.linspace(0, 1, bins_per_axis + 1)
    edges = {axis: np.quantile(clicks[axis], parts) for axis in ("x", "y")}
    column, row = (np.searchsorted(edges[axis][1:-1], clicks[axis], "right") for axis in ("x", "y"))
    code = column * bins_per_axis + row
    bins = pd.MultiIndex.from_product([range(bins_per_axis)] * 2, names=["column", "row"])
    bins = bins.to_frame(index=False)
    for axis, level in (("x", "column"), ("y", "row")):
        bins[f"{axis}_low"] = edges[axis][:-1][bins[level]]
        bins[f"{axis}_high"] = edges[axis][1:][bins[level]]
    mean = clicks[["x", "y"]].groupby(code).mean().reindex(range(len(bins)))
    bins.insert(0, "x", mean["x"])
    bins.insert(1, "y", mean["y"])
    return code, bins.drop(columns=["column", "row"])


def estimate(clicks, shares, bins_per_axis):
    """The bins of these clicks: edges, mean click, count by group, and P(happy | bin) by method.

    `direct` and `latent` (W_H = infinity) see the counts and the shares; `oracle` sees the outcomes.
    """
    code, bins = bin_clicks(clicks, bins_per_axis)
    data = GroupedCounts.from_codes(clicks["group"] - 1, code, shares, len(bins))
    for group, counts in zip(data.groups, data.counts, strict=True):
        bins[f"clicks_group{group}"] = counts.astype(int)
    happy = np.bincount(code[clicks["happy"]], minlength=len(bins))
    bins["clicks"] = data.totals.astype(int)
    bins["direct"] = direct(data).posterior
    bins["latent"] = latent(data, he_weight=np.inf).posterior
    bins["oracle"] = oracle(KnownOutcomes([happy], [data.totals - happy])).posterior
    bins.insert(0, "bin", np.arange(1, len(bins) + 1))
    return bins


def boundary(points, happy, weight):
    """Intercept and slopes of the weighted logistic regression of probabilities `happy` on points."""
    from sklearn.linear_model import LogisticRegression

    # A probability is a happy and a sad click that share one weight.
    model = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-8, max_iter=200)
    model.fit(
        np.vstack([points, points]),
        np.repeat([1, 0], len(points)),
        np.concatenate([weight * happy, weight * (1 - happy)]),
    )
    return np.array([*model.intercept_, *model.coef_[0]])


def one_sample(model, seed, clicks_per_group, bins_per_axis, run):
    """Tables of one sample (clicks, bins, ellipses), and every method's line (intercept, x, y)."""
    rng = generator(seed, "motivation", clicks_per_group=clicks_per_group, run=run, role="clicks")
    clicks = model.draw(rng, clicks_per_group)
    ellipses, dividing = mixture(clicks[["x", "y"]].to_numpy())
    bins = estimate(clicks, model.shares, bins_per_axis)
    seen = bins[bins["clicks"] > 0]
    lines = {"optimal": model.boundary, "mixture": dividing}
    for method in ("direct", "latent", "oracle"):
        lines[method] = boundary(seen[["x", "y"]].to_numpy(), seen[method], seen["clicks"])
    return {"clicks": clicks, "bins": bins, "ellipses": ellipses}, lines


def typical(angles):
    """The number, from 0, of the sample in the middle by its angle; of two, the one with the smaller.

    >>> typical([8.0, 0.5, 3.0, 1.0])
    3
    """
    return int(np.argsort(angles, kind="stable")[(len(angles) - 1) // 2])


def right_side(clicks, line):
    """Which clicks are on the happy side of a line (intercept, x, y): booleans (n,)."""
    return line[0] + clicks[["x", "y"]].to_numpy() @ line[1:] > 0


def against(model, tables, line, unnamed):
    """How one sample's line compares: a dict of the columns of `boundaries` that are averaged over samples.

    Arguments: the Model; the sample's tables; the line; `unnamed`, whether neither of its sides is called happy, so
    that the better naming counts.
    """
    clicks = tables["clicks"]
    side = right_side(clicks, line)
    right = (side == clicks["happy"]).mean()
    group = clicks["group"] - 1
    share = np.bincount(group, weights=side) / np.bincount(group)
    off = np.abs(share - model.shares).mean()
    if unnamed:
        right, off = max(right, 1 - right), min(off, np.abs(1 - share - model.shares).mean())
    return {
        "steepness": np.nan if unnamed else np.hypot(*line[1:]) / model.outcome_separation,
        "correct": right,
        "labels_off": off,
        "angle": angle_between(line, model.boundary),
    }


def study(model, seed, clicks_per_group, bins_per_axis, replicates):
    """The tables of the typical sample by name, and `boundaries`: every method's line, and how it compares.

    The typical sample is that whose latent boundary has the median angle to the optimum. Columns of `boundaries`: the
    `sample` and its line (intercept, x, y); `steepness`, the length of the slope over the optimum's (not for the
    mixture, whose slope is no log-odds of happy); `correct`, the share of the clicks on the right side (for the
    mixture, whichever side is called happy); `labels_off`, how far the groups' shares on the happy side are from their
    labels, a mean over the groups; `angle` to the optimum, in degrees. Each is of that sample; with `_mean` it is the
    mean over the `replicates`, and `angle_sd` their SD.

    Raises ValueError where there are too few clicks, bins or replicates.
    """
    for value, least, what in (
        (clicks_per_group, 10, "clicks a group"),
        (bins_per_axis, 2, "bins an axis"),
        (replicates, 1, "replicates"),
    ):
        if value < least:
            raise ValueError(f"{value} {what}: expected {least} or more")
    runs = [one_sample(model, seed, clicks_per_group, bins_per_axis, run) for run in range(1, replicates + 1)]
    shown = typical([angle_between(lines["latent"], model.boundary) for _, lines in runs])
    tables, lines = runs[shown]
    rows = []
    for method, line in lines.items():
        unnamed = method == "mixture"
        found = pd.DataFrame([against(model, other, all_[method], unnamed) for other, all_ in runs])
        rows.append(
            {
                "method": method,
                "sample": shown + 1,
                **dict(zip(("intercept", "x", "y"), line, strict=True)),
                **found.iloc[shown],
                **found.mean().add_suffix("_mean"),
                "angle_sd": found["angle"].std(),
                "replicates": replicates,
            }
        )
    return {**tables, "boundaries": pd.DataFrame(rows)}


def main(arguments=None):
    parser = study_parser(__doc__, *TABLES)
    args = parser.parse_args(arguments)
    settings = args.settings
    try:
        tables = study(
            Model(
                *(settings[name] for name in ("shares", "outcome_separation", "behaviour_separation", "tilt"))
            ),
            *(settings[name] for name in ("seed", "clicks_per_group", "bins_per_axis", "replicates")),
        )
    except ValueError as error:
        parser.error(str(error))
    for name in TABLES:
        write_csv(tables[name], getattr(args, name))


if __name__ == "__main__":
    main()
