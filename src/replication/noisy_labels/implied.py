r"""How noisy labels look from the moments of labels and events, where it is known how noisy they are.

With s_i the labels, x_i = n_i / J_i the bins' shares in a group and d_i their expectation, the model says that x
follows s along one direction a = Cov(x, s) and in no other way. Then the part of the labels' variance that is the
groups' own is

    R = Cov(s, a'x)^2 / (Var(s) Var(a'd)),      (a'd_i)^2 = E [(a'n_i)^2 - sum_k a_k^2 n_ik] / (J_i (J_i - 1)),

from pairs of different events of a group, and the labels' error implied is SD(HE) sqrt(1 - R) in logits. Whatever
else differs between groups, such as events that do not follow their shares as the model says, raises Var(a'd), and
looks like noise.

Table, one row per design and noise that was added: set ("simulated" or that of the survey), design, noise (the SD of
the error that was added, 0 for none), implied, and disagrees, whether that is off by more than a factor of two (with
none added: whether it is above a half).
"""

import numpy as np
import pandas as pd
from scipy.special import expit, logit

from replication.noisy_labels.real_designs import read_design
from replication.shared.designs import add_tables
from replication.shared.job_settings import study_parser
from wsclust.planning.design import Design
from wsclust.planning.simulate import drawn
from wsclust.seeds import generator
from wsclust.tables import write_csv

FACTOR = 2
WORTH_SAYING = 0.5  # an error that a label without noise should not seem to have


def implied_error(events, label):
    """The SD of the labels' error in logits that the moments imply; NaN where they tell nothing.

    Arguments: `events` (I, K), counts of groups of two events or more; `label` (I,), inside (0, 1).
    """
    sizes = events.sum(axis=1)
    share = events / sizes[:, None]
    about = label - label.mean()
    direction = about @ (share - share.mean(axis=0)) / len(label)
    along = events @ direction
    pairs = (along**2 - events @ direction**2) / (sizes * (sizes - 1))
    own = pairs.mean() - (along / sizes).mean() ** 2
    together = np.mean(about * along / sizes)
    if not own > 0:
        return np.nan
    reliability = together**2 / (label.var() * own)
    return float(logit(label).std() * np.sqrt(np.clip(1 - reliability, 0, 1)))


def disagrees(implied, noise):
    """Whether a stated noise is off by more than a factor of two.

    >>> disagrees(0.4, 0.0), disagrees(0.6, 0.0), disagrees(0.4, 0.5), disagrees(1.1, 0.5), disagrees(0.2, 0.5)
    (False, True, False, True, True)
    """
    if noise == 0:
        return bool(implied > WORTH_SAYING)
    return bool(not noise / FACTOR <= implied <= noise * FACTOR)


def row(name, design, events, label, noise, rng):
    """One row of the table, a dict, with this noise added to exact labels."""
    noisy = expit(logit(label) + noise * rng.standard_normal(len(label)))
    found = implied_error(events, noisy)
    return {
        "set": name,
        "design": design,
        "noise": noise,
        "implied": found,
        "disagrees": disagrees(found, noise),
    }


def main(arguments=None):
    parser = study_parser(__doc__, "output")
    add_tables(parser)
    args = parser.parse_args(arguments)
    settings = args.settings
    seed = settings["seed"]
    rows = []
    for noise in settings["noises"]:
        for run in range(1, settings["simulated"] + 1):
            rng = generator(seed, "noisy_labels", f"implied {noise:g}", run=run, role="simulated")
            data = drawn(Design.from_curve(settings["groups"], 50), rng)
            rows.append(row("simulated", f"run {run}", data.counts, data.label, noise, rng))
        for design, path in args.tables:
            positive, events = read_design(path)
            kept = events.sum(axis=1) > 1
            sizes = events[kept].sum(axis=1)
            label = (positive[kept].sum(axis=1) + 0.5) / (sizes + 1)
            rng = generator(seed, "noisy_labels", f"implied {noise:g} {design}", role="real")
            rows.append(row(settings["set"], design, events[kept], label, noise, rng))
    write_csv(pd.DataFrame(rows), args.output)


if __name__ == "__main__":
    main()
