"""The electorate of 1984 from public facts: how many voters of each state the poll has, and who they are.

Nothing here uses the paper's model of labels and bins. A state's composition starts from its own facts:

* race: residents aged 18 and over;
* union household: logit share = intercept + slope x union density; self and family in the national ratio;
* income: a split log-normal around the state's median, with one s below it and another above.

What these three leave open, the association between them, is the surveys'. Raking then keeps that association
while the states' sizes and the poll's national margins are met exactly: the poll is not the population.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import expit, ndtr

from replication.election1984.raking import rake
from replication.election1984.vote_model import VoteModel, vote_model
from replication.election1984.voters import BINS, LEVELS, official_shares


@dataclass(frozen=True, eq=False)
class Electorate:
    """`states` (I,) postal codes; `sizes` (I,) voters; `composition` (I, K) population shares of the bins;
    `official` (I,) Reagan's share of the two-party vote; `vote`, a VoteModel."""

    states: np.ndarray
    sizes: np.ndarray
    composition: np.ndarray
    official: np.ndarray
    vote: VoteModel


def electorate(results, demographics, cells, settings):
    """The electorate that the poll samples.

    Arguments: the three tables of data/us1984/ as frames; `settings`, election1984.electorate of config.yaml.
    Returns an Electorate.
    """
    votes = results.set_index("state_po").eval("reagan + mondale")
    states = np.sort(votes.nlargest(len(votes) - settings["states_left_out"]).index.to_numpy(str))
    sizes = state_sizes(votes[states].to_numpy(), settings["voters"], settings["median_voters"])
    facts = demographics.set_index("state_po").loc[states]
    seed = association(cells, settings["pseudo_voters"])
    local = [(partition(factor), shares) for factor, shares in state_margins(facts, settings).items()]
    unconstrained = rake(np.tile(seed / seed.sum(), (len(states), 1)), local)
    population = rake(
        sizes[:, None] * unconstrained,
        [(np.ones((len(BINS), 1)), sizes[:, None].astype(float)), *national_margins(settings)],
    )
    composition = population / sizes[:, None]
    official = official_shares(results)[states].to_numpy()
    return Electorate(states, sizes, composition, official, vote_model(cells, composition, sizes, official))


def state_sizes(votes, voters, median):
    """Voters in each state, proportional to votes^a, rounded by largest remainders to the total.

    Of the a from 0 to 2 that give the median exactly, by steps of .0005, the middle one is taken. Raises
    ValueError where there is none.

    >>> state_sizes(np.array([100.0, 400.0, 1600.0]), 70, 20)
    array([10, 20, 40])
    """
    exponents = np.arange(0, 2.00005, 0.0005)
    sizes = [largest_remainders(votes**exponent, voters) for exponent in exponents]
    exact = [size for size in sizes if np.median(size) == median]
    if not exact:
        raise ValueError(
            f"election1984.electorate: no power of the states' votes makes {voters} voters in {len(votes)} "
            f"states with a median of {median}; change voters or median_voters"
        )
    return exact[len(exact) // 2]


def largest_remainders(weights, total):
    """Whole numbers proportional to the weights that sum to `total`.

    >>> largest_remainders(np.array([1.0, 1.0, 2.0]), 5)
    array([1, 1, 3])
    """
    quota = weights / weights.sum() * total
    whole = np.floor(quota).astype(int)
    # A tie goes to the larger weight.
    order = np.lexsort((-weights, np.round(whole - quota, 12)))
    whole[order[: total - whole.sum()]] += 1
    return whole


def association(cells, pseudo_voters):
    """Voters of both surveys by bin, (K,), with a few added to each, so that no combination is impossible."""
    counted = cells.set_index(list(LEVELS)).eval("n_gss + n_anes")
    return counted.reindex(pd.MultiIndex.from_frame(BINS)).to_numpy(float) + pseudo_voters


def state_margins(facts, settings):
    """Shares of the levels of each factor in each state by its own facts: factor -> (I, L), rows sum to 1."""
    race = facts[[f"pct_{level}" for level in LEVELS["race"]]].to_numpy(float)
    household = settings["union_household"]
    member = expit(household["intercept"] + household["slope"] * facts["union_density"].to_numpy(float))
    national = settings["margins"]["union"]
    own = national["self"] / (national["self"] + national["family"])
    union = np.column_stack([member * own, member * (1 - own), 1 - member])
    return {
        "income": income_shares(facts["median_income"].to_numpy(float), **settings["income"]),
        "union": union,
        "race": race / race.sum(axis=1, keepdims=True),
    }


def income_shares(median, bounds, sd_below, sd_above):
    """Shares of the income bands in each state: log income is normal around the median, with two SDs.

    >>> income_shares(np.array([25000.0]), [25000, 50000], 0.9, 0.7).round(2)
    array([[0.5 , 0.34, 0.16]])
    """
    distance = np.log(np.asarray(bounds)[None, :] / median[:, None])
    below = ndtr(distance / np.where(distance < 0, sd_below, sd_above))
    edges = np.column_stack([np.zeros(len(median)), below, np.ones(len(median))])
    return np.diff(edges, axis=1)


def partition(factor):
    """(K, L) indicators of a factor's levels."""
    return (BINS[factor].to_numpy()[:, None] == np.array(LEVELS[factor])[None, :]).astype(float)


def union_by_other():
    """(K, 6) indicators: union by race other or not; the poll has few voters in two of these parts."""
    other = (BINS["race"] == "other").to_numpy(float)[:, None]
    union = partition("union")
    return np.hstack([union * other, union * (1 - other)])


def national_margins(settings):
    """Pairs of a partition of the bins and its counts: income, race, and union by race other or not."""
    margins = {}
    for factor, levels in LEVELS.items():
        # The bands of income are numbers in YAML and text in JSON.
        voters = {str(level): number for level, number in settings["margins"][factor].items()}
        margins[factor] = np.array([voters[str(level)] for level in levels], dtype=float)
    of_other = [settings["other_race"][level] for level in ("self", "family")]
    other = np.array([*of_other, margins["race"][LEVELS["race"].index("other")] - sum(of_other)])
    return [
        (partition("income"), margins["income"]),
        (partition("race"), margins["race"]),
        (union_by_other(), np.concatenate([other, margins["union"] - other])),
    ]
