"""A synthetic stand-in for the click data of section 6.2, which are confidential.

The paper says that there were two classes of groups, A and B, fitted separately; thousands of groups and
millions of clicks; 30 bins, level x shape x colour; very unequal group sizes; and what was found. From that:

* rho = base + level + shape + colour, effects in probability, where the effect of shape differs by class;
* bins occur with the product of their factors' frequencies, the same in both classes;
* mu_i ~ N(m, 1), with m such that E sigma(mu) = sum_k p_k rho_k, as the model demands;
* J_i is Pareto: P(J > j) = (smallest / j)^tail, whatever mu_i is, with the smallest size such that capped
  sizes, min(J, cap), have the mean asked for;
* HE_i ~ N(mu_i, sigma_H^2), and the clicks by sigma(mu_i), w_1 and w_0, as in the simulation of section 5.

All values are in config.yaml and are ours.
"""

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.special import expit

from replication.simulation.true_rates import Truth
from wsclust.drawing import draw_outcomes
from wsclust.outcomes import KnownOutcomes

FACTORS = ["level", "shape", "colour"]


def click_bins(settings):
    """The bins, a frame of one row per bin with the columns of FACTORS; colour varies fastest.

    Argument: `settings`, the section `clicks.truth` of config.yaml.
    """
    levels = range(1, len(settings["level"]) + 1)
    frequency = settings["frequency"]
    bins = pd.MultiIndex.from_product([levels, frequency["shape"], frequency["colour"]], names=FACTORS)
    return bins.to_frame(index=False)


def click_truth(settings, group_class):
    """The `Truth` of one class: rho and the frequency of every bin.

    Arguments: `settings` as for `click_bins`; the class, "A" or "B". Raises ValueError where effects add up
    to a probability that is not between 0 and 1, or where levels have no frequency.

    >>> effects = {"base": 0.2, "level": [0.0, 0.3], "colour": {"red": 0.1, "blue": 0.0}}
    >>> effects["shape"] = {"A": {"circle": 0.2, "square": 0.0}}
    >>> share = {"level": [0.5, 0.5], "shape": {"circle": 0.2, "square": 0.8}}
    >>> effects["frequency"] = share | {"colour": {"red": 0.5, "blue": 0.5}}
    >>> click_truth(effects, "A").posterior.round(1)
    array([0.5, 0.4, 0.3, 0.2, 0.8, 0.7, 0.6, 0.5])
    """
    bins = click_bins(settings)
    position = bins["level"] - 1
    shape, frequency = settings["shape"][group_class], settings["frequency"]
    if len(settings["level"]) != len(frequency["level"]):
        raise ValueError(
            f"clicks.truth: {len(settings['level'])} effects of levels but {len(frequency['level'])} "
            "frequencies of levels; give each level one of both"
        )
    posterior = settings["base"] + np.take(settings["level"], position)
    posterior = posterior + bins["shape"].map(shape).to_numpy()
    posterior = posterior + bins["colour"].map(settings["colour"]).to_numpy()
    wrong = (posterior <= 0) | (posterior >= 1)
    if wrong.any():
        where = ", ".join(f"{name} {level}" for name, level in bins[wrong].iloc[0].items())
        raise ValueError(
            f"clicks.truth: class {group_class}, {where}: the effects add up to {posterior[wrong][0]:g}, "
            "expected a probability between 0 and 1; make the base or an effect smaller"
        )
    often = np.take(frequency["level"], position)
    often = often * bins["shape"].map(frequency["shape"]).to_numpy()
    often = often * bins["colour"].map(frequency["colour"]).to_numpy()
    return Truth(posterior, often / often.sum())


def mean_quality(share):
    """The mean m of mu ~ N(m, 1) at which E sigma(mu) is the share of happy clicks asked for.

    >>> round(mean_quality(0.4), 2), round(mean_quality(0.6), 2)
    (-0.49, 0.49)
    """
    node, weight = np.polynomial.hermite_e.hermegauss(60)
    weight = weight / weight.sum()
    return brentq(lambda mean: weight @ expit(mean + node) - share, -20, 20, xtol=1e-14)


def smallest_size(tail, cap, effective):
    """The smallest size at which Pareto sizes, capped, have a mean of `effective` clicks.

    E min(J, M) = a (1 + (1 - (a / M)^(tail - 1)) / (tail - 1)) for the smallest size a and the cap M.
    Raises ValueError where no size below the cap does it.

    >>> round(smallest_size(2.0, 500, 100), 1)
    52.8
    """
    if not 0 < effective < cap:
        raise ValueError(f"effective clicks {effective}: expected a number between 0 and the cap, {cap}")

    def excess(smallest):
        # -expm1(t log r) / t is (1 - r^t) / t, and its limit -log r where t is 0.
        ratio, power = np.log(smallest / cap), tail - 1
        beyond = -ratio if power == 0 else -np.expm1(power * ratio) / power
        return smallest * (1 + beyond) - effective

    return brentq(excess, 1e-9 * effective, effective, xtol=1e-12)


def synthetic_clicks(settings, group_class, label_noise, rng_of_role):
    """One synthetic data set of a class from the section `clicks` of config.yaml: (Truth, GroupedCounts).

    Arguments otherwise as `draw_clicks`.
    """
    true = click_truth(settings["truth"], group_class)
    smallest = smallest_size(settings["tail"], settings["cap"], settings["effective_clicks"])
    bins = click_bins(settings["truth"])
    clicks = draw_clicks(true, bins, settings["groups"], settings["tail"], smallest, label_noise, rng_of_role)
    return true, clicks


def draw_clicks(true, bins, groups, tail, smallest, label_noise, rng_of_role):
    """One synthetic data set of a class, without the cap.

    Arguments: a `Truth` and the frame of its bins; the number of groups; tail and smallest size of the
    Pareto distribution; sigma_H; a function from a role ("sizes", "quality", "labels", "clicks") to its
    generator, so that only the labels change with the noise. Returns GroupedCounts, sizes in whole clicks.
    """
    return draw_known_clicks(true, bins, groups, tail, smallest, label_noise, rng_of_role).grouped


def draw_known_clicks(true, bins, groups, tail, smallest, label_noise, rng_of_role):
    """The same with the outcomes of the clicks: KnownOutcomes. Arguments as `draw_clicks`."""
    uniform = 1 - rng_of_role("sizes").random(groups)  # in (0, 1]
    sizes = np.floor(smallest * uniform ** (-1 / tail)).astype(np.int64)
    quality = mean_quality(true.frequency @ true.posterior) + rng_of_role("quality").standard_normal(groups)
    evaluation = quality + label_noise * rng_of_role("labels").standard_normal(groups)
    happy, sad = draw_outcomes(expit(quality), sizes, true.sad, true.happy, rng_of_role("clicks"))
    return KnownOutcomes(happy, sad, bins=bins, label=expit(evaluation))
