"""Why latent variables work in 1984, or do not: a grid of reconstructions, and controls.

The grid varies how much of the state effect remains and how alike the voters of a precinct are. The latent
model assumes that given the vote, a voter's bin does not depend on the state. A state effect breaks that;
clustered precincts give the states of the poll more different compositions, which is what it learns from;
fewer and larger precincts do so too, and spread the states' shares wider.

The controls obey the assumption: for each state pi_i, for each voter Z ~ Bernoulli(pi_i), and X ~ w_Z with
w_1k proportional to n_k rho_k and w_0k to n_k (1 - rho_k), where n_k are the electorate's margins and rho_k
its shares for Reagan without state effects. The pi_i are the official results with their logits' deviations
stretched until they have a given SD over the states, and shifted so that the overall share stays.
"""

import argparse

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.special import expit, logit

from replication.election1984.exit_poll import sample_voters, vote
from replication.election1984.half_splits import both_readings
from replication.election1984.reconstruction import add_facts, read_electorate, role_stream
from replication.election1984.vote_model import shift_to_share
from replication.election1984.voters import BINS
from wsclust.drawing import draw_outcomes
from wsclust.evaluation import ERRORS
from wsclust.outcomes import KnownOutcomes
from wsclust.seeds import generator
from wsclust.tables import write_csv


def grid(people, settings, methods, clustering, seed, precinct_voters=None):
    """Errors and distances of the reconstruction under one clustering, for each state effect.

    Arguments: an Electorate; election1984 of config.yaml; `methods`; a name under clusterings; the master
    seed; voters in a precinct, by default the reconstruction's. Returns rows of `summary`.
    """
    usual = precinct_voters is None
    precinct_voters = settings["precinct_voters"] if usual else precinct_voters
    stream = clustering if usual else f"{clustering}, precincts of {precinct_voters}"
    why = settings["why"]
    polls = {effect: {} for effect in why["state_effects"]}
    for draw in range(1, why["draws"] + 1):
        rng_of_role = role_stream(seed, stream, draw)
        sample = sample_voters(
            people,
            settings["electorate"],
            precinct_voters,
            settings["clusterings"][clustering],
            rng_of_role,
        )
        for effect, draws in polls.items():
            draws[draw] = vote(sample, people, effect, rng_of_role("votes"))
    keys = {
        "part": "grid" if usual else "precincts",
        "clustering": clustering,
        "race_icc": settings["clusterings"][clustering]["race"],
        "precinct_voters": precinct_voters,
    }
    return pd.concat(
        [
            summary(draws, people, people.official, methods, why["splits"], seed).assign(
                **keys, state_effect=effect
            )
            for effect, draws in polls.items()
        ]
    )


def controls(people, why, methods, spread, seed):
    """Errors and distances of polls drawn from the paper's own model with one spread of pi.

    Arguments: an Electorate; election1984.why of config.yaml; `methods`; the SD of pi over the states; the
    master seed. Returns rows of `summary`, for each multiple of the voters.
    """
    share = stretched(people.official, people.sizes, spread)
    reagan, mondale = bin_weights(people)
    frames = []
    for multiple in why["multiples"]:
        draws = {}
        for draw in range(1, why["draws"] + 1):
            rng = generator(seed, "why_it_works", f"spread {spread:g}", multiple, run=draw, role="voters")
            draws[draw] = draw_outcomes(share, people.sizes * multiple, mondale, reagan, rng)
        table = summary(draws, people, share, methods, why["splits"], seed)
        frames.append(table.assign(part="control", spread=spread, multiple=multiple))
    return pd.concat(frames)


def stretched(official, sizes, spread):
    """The official shares with deviations stretched on the logit scale to an SD, overall share unchanged.

    >>> shares = stretched(np.array([0.5, 0.6, 0.7]), np.array([10, 10, 10]), 0.2)
    >>> shares.round(2), round(float(shares.std(ddof=1)), 3)
    (array([0.4 , 0.61, 0.8 ]), 0.2)
    """
    deviation = logit(official) - logit(official).mean()
    weights = sizes / sizes.sum()

    def shares(scale):
        return expit(
            scale * deviation + shift_to_share(scale * deviation, weights, float(weights @ official))
        )

    return shares(brentq(lambda scale: shares(scale).std(ddof=1) - spread, 1e-3, 50.0))


def bin_weights(people):
    """w_1 and w_0 of the controls, (K,) each, from the electorate without state effects."""
    margin = people.sizes @ people.composition
    rho = people.vote.reagan(0)[0]
    return margin * rho / (margin @ rho), margin * (1 - rho) / (margin @ (1 - rho))


def summary(draws, people, share, methods, splits, seed):
    """Means over draws for both readings of pi.

    Arguments: `draws`, draw -> counts for Reagan and Mondale; an Electorate; `share` (I,), what "official"
    reads; `methods`; splits of the states a draw; the master seed. Returns a frame: pi, method, label_spread
    (mean SD of the labels over the states), the errors, distance, the SD over draws of the classification error and of
    the distance, draws, splits.
    """
    by_pi = {
        pi: {
            draw: KnownOutcomes(*counts, groups=people.states, bins=BINS, label=label)
            for draw, counts in draws.items()
        }
        for pi, label in (("poll", None), ("official", share))
    }
    table = both_readings(
        by_pi,
        methods,
        splits,
        lambda draw, split: generator(seed, "why_it_works", f"draw {draw}", run=split, role="split"),
    )
    grouped = table.groupby(["pi", "method"], sort=False)
    means = grouped[[*ERRORS, "distance"]].mean()
    for column in VARYING:
        means[f"{column}_sd_draws"] = grouped[column].std()
    spread = {
        pi: np.mean([outcomes.grouped.label.std(ddof=1) for outcomes in polls.values()])
        for pi, polls in by_pi.items()
    }
    means = means.reset_index()
    means.insert(2, "label_spread", means["pi"].map(spread))
    return means.assign(draws=len(draws), splits=splits)


VARYING = ("classification_error", "distance")  # drawn with their Monte Carlo errors
COLUMNS = [
    *["part", "state_effect", "clustering", "race_icc", "precinct_voters", "spread"],
    *["multiple", "pi", "label_spread", "method"],
    *[*ERRORS, "distance", *(f"{column}_sd_draws" for column in VARYING), "draws", "splits"],
]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_facts(parser)
    parser.add_argument("--output", required=True, help="CSV of one row a cell, reading of pi and method")
    args = parser.parse_args(arguments)
    settings, cells = args.settings, args.settings["cells"]
    methods, seed = settings["methods"], settings["seed"]
    people = read_electorate(args, settings)
    frames = [grid(people, settings, methods, name, seed) for name in cells.get("clusterings", [])]
    frames += [
        grid(people, settings, methods, settings["clustering"], seed, voters)
        for voters in cells.get("precinct_voters", [])
    ]
    frames += [controls(people, settings["why"], methods, s, seed) for s in cells.get("spreads", [])]
    write_csv(pd.concat(frames).reindex(columns=COLUMNS), args.output, digits=10)


if __name__ == "__main__":
    main()
