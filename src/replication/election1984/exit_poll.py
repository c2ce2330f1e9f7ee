"""An exit poll of the electorate: precincts, voters, margins met to the voter, votes.

Exit polls sample precincts, and neighbours are alike. The intra-class correlation (ICC) of a factor is, for
each of its levels, the correlation between two voters of one precinct of the indicators "is of that level".
A precinct's shares q of the levels of a factor are Dirichlet with the state's shares p as mean and total
weight (1 - ICC) / ICC, for which that correlation is ICC = 1 / (1 + total weight); an ICC of 0 means q = p.
Given its shares of every factor, a precinct's composition is the state's raked to them.

Then voters are relabelled until the national margins hold exactly. Of the voters of a level with too many,
those are drawn who were about as likely, in their precinct, to be of the level with too few: with weight
P(to) / (P(from) + P(to)), all else about the voter unchanged.
"""

from dataclasses import dataclass

import numpy as np

from replication.election1984.electorate import national_margins, partition
from replication.election1984.raking import rake
from replication.election1984.voters import BINS, LEVELS, SHAPE


@dataclass(frozen=True, eq=False)
class Sample:
    """Voters who were asked: `state`, `precinct` and `bin`, (N,) codes from 0."""

    state: np.ndarray
    precinct: np.ndarray
    bin: np.ndarray


def sample_voters(electorate, settings, precinct_voters, icc, rng_of_role):
    """Draw the poll's voters, with the national margins exact.

    Arguments: an Electorate; election1984.electorate of config.yaml; voters in a precinct; `icc`, factor ->
    intra-class correlation; a function from a role ("precincts", "voters", "relabel") to its generator.
    Returns a Sample.
    """
    sizes, home = precinct_sizes(electorate.sizes, precinct_voters)
    composition = precinct_compositions(electorate.composition[home], icc, rng_of_role("precincts"))
    counts = rng_of_role("voters").multinomial(sizes, composition)
    precinct, place = np.nonzero(counts)
    repeats = counts[precinct, place]
    precinct, place = np.repeat(precinct, repeats), np.repeat(place, repeats)
    place = relabel(place, composition[precinct], settings, rng_of_role("relabel"))
    return Sample(home[precinct], precinct, place)


def precinct_sizes(state_sizes, precinct_voters):
    """Voters in each precinct and its state: about `precinct_voters`, as even as a state's voters allow.

    >>> precinct_sizes([65, 10], 30)
    (array([33, 32, 10]), array([0, 0, 1]))
    """
    sizes, home = [], []
    for state, voters in enumerate(state_sizes):
        precincts = max(1, round(voters / precinct_voters))
        sizes += [voters // precincts + (j < voters % precincts) for j in range(precincts)]
        home += [state] * precincts
    return np.array(sizes), np.array(home)


def precinct_compositions(composition, icc, rng):
    """Shares of the bins in each precinct, (P, K), from those of its state, (P, K)."""
    margins = []
    for factor in LEVELS:
        shares = composition @ partition(factor)
        if icc[factor] > 0:
            gamma = rng.standard_gamma(shares * (1 - icc[factor]) / icc[factor])
            shares = gamma / gamma.sum(axis=1, keepdims=True)
        margins.append((partition(factor), shares))
    if not any(icc.values()):
        return composition
    raked = rake(composition, margins, tolerance=1e-9)
    return raked / raked.sum(axis=1, keepdims=True)


def relabel(place, likely, settings, rng):
    """The voters' bins, (N,), moved as little as the national margins ask.

    Arguments: `place` (N,), bins; `likely` (N, K), shares of the bins in each voter's precinct; settings with
    the margins; a generator. Race is settled first, then union among voters of race other and among the rest,
    then income; each step leaves the other factors as they are.
    """
    (_, income), (_, race), (_, union) = national_margins(settings)
    place = _move(place, likely, "race", race, np.ones(len(place), dtype=bool), rng)
    other = (BINS["race"] == "other").to_numpy()[place]
    place = _move(place, likely, "union", union[:3], other, rng)
    place = _move(place, likely, "union", union[3:], ~other, rng)
    return _move(place, likely, "income", income, np.ones(len(place), dtype=bool), rng)


def _move(place, likely, factor, target, eligible, rng):
    """Relabel eligible voters in one factor until its levels have the target counts."""
    place = place.copy()
    axis = list(LEVELS).index(factor)
    stride = int(np.prod(SHAPE[axis + 1 :]))
    level = place // stride % SHAPE[axis]
    surplus = np.bincount(level[eligible], minlength=SHAPE[axis]) - target.astype(int)
    for source in np.flatnonzero(surplus > 0):
        for goal in np.flatnonzero(surplus < 0):
            moved = min(surplus[source], -surplus[goal])
            if moved == 0:
                continue
            voters = np.flatnonzero(eligible & (level == source))
            landing = place[voters] + (goal - source) * stride
            old, new = likely[voters, place[voters]], likely[voters, landing]
            # The largest of log weight + Gumbel noise: a weighted draw without replacement.
            with np.errstate(divide="ignore"):
                key = np.log(new / (old + new)) + rng.gumbel(size=len(voters))
            chosen = np.argsort(-key, kind="stable")[:moved]
            place[voters[chosen]] = landing[chosen]
            level[voters[chosen]] = goal
            surplus[source] -= moved
            surplus[goal] += moved
    return place


def vote(sample, electorate, effect, rng):
    """Votes of the voters asked: counts for Reagan and for Mondale by state and bin, two (I, K) arrays.

    `effect` multiplies the state effects. The voters' random numbers do not depend on it.
    """
    chance = electorate.vote.reagan(effect)[sample.state, sample.bin]
    reagan = rng.random(len(chance)) < chance
    shape = len(electorate.states), len(BINS)
    cell = np.ravel_multi_index((sample.state, sample.bin), shape)
    return tuple(
        np.bincount(cell[chosen], minlength=shape[0] * shape[1]).reshape(shape).astype(float)
        for chosen in (reagan, ~reagan)
    )
