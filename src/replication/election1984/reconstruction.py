"""The reconstruction: simulated exit polls of 1984 from public facts, as tables of voters.

`electorate` says who can be asked, `vote_model` how they vote, `exit_poll` who is asked.
"""

import argparse

import pandas as pd

from replication.election1984.electorate import electorate
from replication.election1984.exit_poll import sample_voters, vote
from replication.election1984.voters import table_of_voters
from replication.shared.job_settings import add_settings
from replication.shared.streams import by_role
from wsclust.tables import write_csv


def role_stream(seed, clustering, draw):
    """The function from a role to its generator, for one draw under one clustering of precincts."""
    return by_role(seed, "reconstruction1984", clustering, run=draw)


def reconstruct(people, settings, draw, seed):
    """One simulated poll, a table of voters.

    Arguments: an Electorate; `settings`, election1984 of config.yaml; the draw's number; the master seed.
    """
    clustering = settings["clustering"]
    rng_of_role = role_stream(seed, clustering, draw)
    sample = sample_voters(
        people,
        settings["electorate"],
        settings["precinct_voters"],
        settings["clusterings"][clustering],
        rng_of_role,
    )
    return table_of_voters(
        people.states, *vote(sample, people, settings["state_effect"], rng_of_role("votes"))
    )


def read_electorate(args, settings):
    """The Electorate of the fact tables that the arguments `add_facts` adds name."""
    return electorate(
        *(pd.read_csv(path, keep_default_na=False) for path in (args.results, args.demographics, args.cells)),
        settings["electorate"],
    )


def add_facts(parser):
    """Arguments for the three tables of data/us1984/ and the settings."""
    parser.add_argument("--results", required=True, help="CSV of official results by state")
    parser.add_argument("--demographics", required=True, help="CSV of facts on the states")
    parser.add_argument("--cells", required=True, help="CSV of two surveys' votes by bin")
    add_settings(parser)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_facts(parser)
    parser.add_argument("--output", required=True, help="CSV of voters, all draws")
    parser.add_argument("--first", required=True, help="CSV of voters, draw 1 alone")
    args = parser.parse_args(arguments)
    try:
        people = read_electorate(args, args.settings)
    except ValueError as error:
        parser.exit(2, f"{error}\n")
    draws = {
        draw: reconstruct(people, args.settings, draw, args.settings["seed"])
        for draw in range(1, args.settings["draws"] + 1)
    }
    write_csv(draws[1], args.first)
    table = pd.concat(draws, names=["draw"]).reset_index("draw").reset_index(drop=True)
    write_csv(table, args.output)


if __name__ == "__main__":
    main()
