"""Finding happy clicks (section 6.2, Figures 6-8), on synthetic data with a known truth.

Classes A and B are drawn by `click_world`, capped and fitted separately, with standard errors by
half-samples of the groups. The paper's findings become numbers, averages over bins, unweighted:

===================  ======  ====================================================================
insight              class   what is compared
===================  ======  ====================================================================
level                A, B    highest level less lowest: happiness rises with level ...
diminishing_returns  A, B    ... and the first step up exceeds the last by so much
colour               A, B    red less blue
circle               A, B    circles less squares and triangles
circle               A-B     how much more circles stand out in class A
class_of_SHAPE       A-B     class A less class B, for circles, squares and triangles
===================  ======  ====================================================================

Tables written, where z = estimate / se and deviation = (estimate - truth) / se:

* posteriors: class, method, level, shape, colour, n (clicks after the cap), posterior, se, truth
* insights: insight, class, method, estimate, se, truth, z, deviation
* ranges: class, method, lowest, highest, share_of_range (highest - lowest, over the truth's), mean_se,
  mean_absolute_error
* sizes: class, groups, clicks, largest_group, mean_effective_clicks (after the cap)
"""

import numpy as np
import pandas as pd

from replication.clicks.world import synthetic_clicks
from replication.shared.job_settings import study_parser
from replication.shared.methods import estimators_of
from replication.shared.streams import by_role
from wsclust.half_samples import half_sample_posteriors, sd_over_half_samples
from wsclust.tables import write_csv

CLASSES = ("A", "B")
SHAPES = ("circle", "square", "triangle")


def contrasts_of(bins):
    """Weights on the bins, name -> (K,), of what the insights compare within a class.

    >>> bins = pd.MultiIndex.from_product([[1, 2, 3], SHAPES, ["red", "blue"]]).to_frame(index=False)
    >>> weights = contrasts_of(bins.set_axis(["level", "shape", "colour"], axis=1))
    >>> float(weights["colour"] @ np.tile([0.7, 0.4], 9).round(2))
    0.3
    """

    def mean(of):
        return of.to_numpy(float) / of.sum()

    steps = [mean(bins["level"] == level) for level in sorted(bins["level"].unique())]
    shapes = {f"class_of_{shape}": mean(bins["shape"] == shape) for shape in SHAPES}
    return {
        "level": steps[-1] - steps[0],
        "diminishing_returns": (steps[1] - steps[0]) - (steps[-1] - steps[-2]),
        "colour": mean(bins["colour"] == "red") - mean(bins["colour"] == "blue"),
        "circle": mean(bins["shape"] == "circle") - mean(bins["shape"] != "circle"),
        **shapes,
    }


def estimates_of(data, true, group_class, methods, half_samples, rng_of_role):
    """Every method's posteriors and within-class contrasts, with standard errors.

    Arguments: GroupedCounts, already capped; its `Truth`; the class; `methods` as in config.yaml; the
    number of half-samples, the same for every method; a function from a role to a generator. Returns two
    frames: posteriors as above, and contrasts with the columns insight, class, method, estimate, se, truth.
    """
    contrasts = contrasts_of(data.bins)
    weights = np.array(list(contrasts.values()))
    posteriors, compared = [], []
    for name, estimate in estimators_of(methods).items():
        fit = estimate(data)
        halves = half_sample_posteriors(estimate, data, half_samples, rng_of_role("half-samples"))
        common = {"class": group_class, "method": name}
        columns = {"n": data.totals, "posterior": fit.posterior, "se": sd_over_half_samples(halves)}
        posteriors.append(data.bins.assign(**common, **columns, truth=true.posterior))
        rows = {
            "insight": list(contrasts),
            **common,
            "estimate": weights @ fit.posterior,
            "se": sd_over_half_samples(halves @ weights.T),
            "truth": weights @ true.posterior,
        }
        compared.append(pd.DataFrame(rows))
    columns = ["class", "method", *data.bins.columns, "n", "posterior", "se", "truth"]
    return pd.concat(posteriors, ignore_index=True)[columns], pd.concat(compared, ignore_index=True)


def insights_of(contrasts):
    """The insights from both classes' contrasts.

    The classes are independent samples, so the variances of a difference add up.
    """
    by_class = {name: rows.set_index(["insight", "method"]) for name, rows in contrasts.groupby("class")}
    a, b = (by_class[name] for name in CLASSES)
    across = (a[["estimate", "truth"]] - b[["estimate", "truth"]]).assign(
        se=np.hypot(a["se"], b["se"]), **{"class": "A-B"}
    )
    shapes = [f"class_of_{shape}" for shape in SHAPES]
    within = contrasts[~contrasts["insight"].isin(shapes)]
    table = pd.concat([within, across.loc[["circle", *shapes]].reset_index()], ignore_index=True)
    table["z"] = table["estimate"] / table["se"]
    table["deviation"] = (table["estimate"] - table["truth"]) / table["se"]
    # Stable sorts by one key after another: insight in the order of the table above, then class.
    order = {name: place for place, name in enumerate([*contrasts["insight"].unique()])}
    table = table.sort_values("class", kind="stable").sort_values(
        "insight", key=lambda names: names.map(order), kind="stable"
    )
    return table[["insight", "class", "method", "estimate", "se", "truth", "z", "deviation"]]


def ranges_of(posteriors):
    """How much of the truth's range each method keeps in each class, and how precise it says it is."""
    error = (posteriors["posterior"] - posteriors["truth"]).abs()
    grouped = posteriors.assign(error=error).groupby(["class", "method"], sort=False)
    table = grouped.agg(
        lowest=("posterior", "min"),
        highest=("posterior", "max"),
        share_of_range=("truth", np.ptp),
        mean_se=("se", "mean"),
        mean_absolute_error=("error", "mean"),
    )
    table["share_of_range"] = (table["highest"] - table["lowest"]) / table["share_of_range"]
    return table.reset_index()


def run_clicks(settings):
    """The four tables, by name.

    Argument: the section `clicks` of config.yaml, its methods with their settings, and `seed`.
    """
    methods, seed = settings["methods"], settings["seed"]
    posteriors, contrasts, sizes = [], [], []
    for group_class in CLASSES:
        rng_of_role = by_role(seed, "clicks", group_class)
        true, clicks = synthetic_clicks(settings, group_class, settings["label_noise"], rng_of_role)
        capped = clicks.cap(settings["cap"])
        sizes.append(
            {
                "class": group_class,
                "groups": settings["groups"],
                "clicks": int(clicks.sizes.sum()),
                "largest_group": int(clicks.sizes.max()),
                "mean_effective_clicks": capped.sizes.mean(),
            }
        )
        found = estimates_of(capped, true, group_class, methods, settings["half_samples"], rng_of_role)
        posteriors.append(found[0])
        contrasts.append(found[1])
    posteriors = pd.concat(posteriors, ignore_index=True)
    return {
        "posteriors": posteriors,
        "insights": insights_of(pd.concat(contrasts, ignore_index=True)),
        "ranges": ranges_of(posteriors),
        "sizes": pd.DataFrame(sizes),
    }


def main(arguments=None):
    parser = study_parser(__doc__, "posteriors", "insights", "ranges", "sizes")
    args = parser.parse_args(arguments)
    for name, table in run_clicks(args.settings).items():
        write_csv(table, getattr(args, name))


if __name__ == "__main__":
    main()
