"""Real designs of crossed factors: held-out errors, and the distance to the oracle, one row per design and method.

The columns are design, set (kept: its table is in this project), groups, bins, method, classification_error (held
out, mean over splits), skill (0 as the mean, 1 as the oracle), correlation and distance to the oracle, as
`replication.survey.study.judge` has them. Labels are the groups' own shares, (positive + .5) / (n + 1), and W_H is
infinite.
"""

import pandas as pd

from replication.additive.methods import with_order
from replication.shared.designs import read_design
from replication.shared.job_settings import write_study
from replication.shared.streams import by_run
from replication.survey.study import judge

COLUMNS = [
    "design",
    "set",
    "groups",
    "bins",
    "method",
    "classification_error",
    "skill",
    "correlation",
    "distance",
]


def outcomes_of(source):
    """KnownOutcomes of a design of config.yaml, with smoothed labels.

    Argument: `source`, where its table is, as `shared.designs.read_design` takes it, with the factors of a column bin
    under `crossed`; its `ordered` factors are the methods'.
    """
    table = {name: value for name, value in source.items() if name not in ("crossed", "ordered")}
    return read_design(**{"factors": source.get("crossed"), **table}).with_smoothed_labels()


def study(designs, methods, splits, rng_of):
    """The table above.

    Arguments: `designs`, name -> where its table is and its ordered factors; `methods` as in config.yaml, the
    additive method and the oracle among them; the number of splits; a function from a design to the function from a
    split's number to its generator.
    """
    frames = []
    for design, source in designs.items():
        outcomes = outcomes_of(source)
        judged = judge(outcomes, with_order(methods, source.get("ordered")), splits, rng_of(design))
        groups, bins = outcomes.positives.shape
        frames.append(judged.assign(design=design, set="kept", groups=groups, bins=bins)[COLUMNS])
    return pd.concat(frames, ignore_index=True)


def table_of(settings):
    """The table at the settings of its rule."""
    return study(
        settings["designs"],
        settings["methods"],
        settings["splits"],
        lambda design: by_run(settings["seed"], "additive", design, "split"),
    )


def main(arguments=None):
    write_study(table_of, __doc__, arguments)


if __name__ == "__main__":
    main()
