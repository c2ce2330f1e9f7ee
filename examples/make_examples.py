"""Write examples/events.csv and examples/labels.csv, on which `wsclust fit --help` runs its example.

    python examples/make_examples.py

They are synthetic: clicks of class A of the stand-in for the paper's click data (config.yaml, section
`clicks`), in few and small groups, so that both files stay small. Clicks are in random order.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from replication.clicks.world import click_bins, click_truth, draw_clicks
from replication.shared.yaml_files import read_yaml
from wsclust.seeds import generator
from wsclust.tables import write_csv

FOLDER = Path(__file__).parent
GROUPS, TAIL, SMALLEST = 300, 3.0, 16


def main(folder=FOLDER):
    config = read_yaml(FOLDER.parent / "config" / "config.yaml")
    settings = config["clicks"]["truth"]

    def rng(role):
        return generator(config["seed"], "example", role=role)

    bins = click_bins(settings)
    noise = config["clicks"]["label_noise"]
    data = draw_clicks(click_truth(settings, "A"), bins, GROUPS, TAIL, SMALLEST, noise, rng)
    names = np.array([f"page-{i:03d}" for i in range(1, GROUPS + 1)])
    group, which = np.nonzero(data.counts)
    times = data.counts[group, which].astype(int)
    events = bins.iloc[np.repeat(which, times)].reset_index(drop=True)
    events.insert(0, "group", names[np.repeat(group, times)])
    write_csv(events.iloc[rng("order").permutation(len(events))], folder / "events.csv")
    write_csv(pd.DataFrame({"group": names, "label": data.label}), folder / "labels.csv", digits=3)


if __name__ == "__main__":
    main()
