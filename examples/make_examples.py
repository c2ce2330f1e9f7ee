"""Write examples/events.csv, labels.csv and outcomes.csv, on which the help of `wsclust` runs its examples.

    python examples/make_examples.py

They are synthetic: clicks of class A of the stand-in for the paper's click data (config.yaml, section
`clicks`), in few and small groups, so that the files stay small. Clicks are in random order.

The outcomes are those of the 100 clicks that `wsclust audit-sample` draws from these events with the seed of
config.yaml, as the simulation drew them: they stand for what a person would find out.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from replication.clicks.world import click_bins, click_truth, draw_known_clicks
from replication.shared.yaml_files import read_yaml
from wsclust.events.audit_draws import events_to_look_up
from wsclust.events.reading import read_counts
from wsclust.seeds import generator
from wsclust.tables import write_csv

FOLDER = Path(__file__).parent
GROUPS, TAIL, SMALLEST, AUDITED = 300, 3.0, 16, 100


def main(folder=FOLDER):
    config = read_yaml(FOLDER.parent / "config" / "config.yaml")
    settings = config["clicks"]["truth"]

    def rng(role):
        return generator(config["seed"], "example", role=role)

    bins = click_bins(settings)
    noise = config["clicks"]["label_noise"]
    known = draw_known_clicks(click_truth(settings, "A"), bins, GROUPS, TAIL, SMALLEST, noise, rng)
    data = known.grouped
    names = np.array([f"page-{i:03d}" for i in range(1, GROUPS + 1)])
    group, which = np.nonzero(data.counts)
    times = data.counts[group, which].astype(int)
    events = bins.iloc[np.repeat(which, times)].reset_index(drop=True)
    events.insert(0, "group", names[np.repeat(group, times)])
    order = rng("order").permutation(len(events))
    write_csv(events.iloc[order], folder / "events.csv")
    write_csv(pd.DataFrame({"group": names, "label": data.label}), folder / "labels.csv", digits=3)
    # The happy clicks of a cell come first before they are put in order.
    of_cell = np.concatenate([np.arange(count) for count in times])
    happy = (of_cell < np.repeat(known.positives[group, which], times))[order]
    write_csv(_looked_up(folder, list(bins.columns), happy, config["seed"]), folder / "outcomes.csv")


def _looked_up(folder, factors, happy, seed):
    """The clicks that `wsclust audit-sample --seed SEED` draws, with their outcomes."""
    files = folder / "events.csv", folder / "labels.csv"
    data = read_counts(*files, factors)
    stream = generator(seed, "audit-sample", "bins", role="events")
    drawn = events_to_look_up(data, files[0], AUDITED, "bins", stream).table
    return drawn.assign(outcome=np.where(happy[drawn["row"] - 1], "1", "0"))


if __name__ == "__main__":
    main()
