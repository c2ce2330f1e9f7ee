"""Time effects of levels beside one value per bin: a million clicks in few bins, and in thousands.

    python benchmarks/effects.py --output results/benchmarks/effects.csv

* few: 1,000,000 clicks in 10,000 groups and 5 x 3 x 2 bins, counts in full, W_H = 10 and infinity;
* many: 1,000,000 events in 8,611 groups and 9,066 films, the cells that occur alone, W_H = infinity.

Methods take turns on one thread. Seconds are of the processor, for the fit alone; megabytes are the most that this
process has had by then, so the few come first.
"""

import argparse
import os
import resource
import time

# Before numpy is loaded: one thread for all.
os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")

import numpy as np
import pandas as pd
from scipy.special import expit
from solver import clicks, processor

from wsclust.cells import GroupedCells
from wsclust.counts import GroupedCounts
from wsclust.estimators.additive import additive
from wsclust.estimators.latent import latent
from wsclust.seeds import generator
from wsclust.tables import write_csv

METHODS = {"latent": latent, "additive": additive}
LEVELS = {"level": 5, "shape": 3, "colour": 2}


def few_bins(seed):
    """1,000,000 clicks of `solver.clicks`, their 30 bins named as crossed levels."""
    group, bins, evaluation = clicks(1_000_000, 10_000, 30, seed)
    places = np.indices(list(LEVELS.values())).reshape(len(LEVELS), -1)
    levels = pd.DataFrame({name: place.astype(str) for name, place in zip(LEVELS, places, strict=True)})
    return GroupedCounts.from_codes(group, bins, expit(evaluation), 30, bins=levels)


def many_bins(seed, n_events=1_000_000, n_groups=8_611, n_films=9_066):
    """Events of films and groups with long tails, each group at least one; labels are the groups' own shares."""
    rng = generator(seed, "benchmark", "films")
    popularity = 1 / np.arange(1, n_films + 1) ** 0.8
    activity = rng.pareto(1.2, n_groups) + 1
    group = np.r_[np.arange(n_groups), rng.choice(n_groups, n_events - n_groups, p=activity / activity.sum())]
    happy = rng.random(n_events) < expit(0.8 * rng.standard_normal(n_groups))[group]
    rate = rng.beta(3, 3, n_films)
    weights = np.vstack([popularity * (1 - rate), popularity * rate])
    cumulative = np.cumsum(weights / weights.sum(axis=1, keepdims=True), axis=1)
    draws = rng.random(n_events)
    film = np.where(happy, *(np.searchsorted(cumulative[outcome], draws) for outcome in (1, 0)))
    label = (np.bincount(group, happy, n_groups) + 0.5) / (np.bincount(group, minlength=n_groups) + 1)
    seen, film = np.unique(np.minimum(film, n_films - 1), return_inverse=True)
    films = pd.DataFrame({"film": seen.astype(str)})
    return GroupedCells.from_triplets(group, film, np.ones(n_events), label, len(seen), bins=films)


def measure(name, data, he_weight, repeats):
    """Rows of one data set: a method each, with the seconds of its fits."""
    seconds, fits = {method: [] for method in METHODS}, {}
    for _ in range(repeats):
        for method, fit in METHODS.items():
            began = time.process_time()
            fits[method] = fit(data, he_weight=he_weight)
            seconds[method].append(time.process_time() - began)
    n_groups, n_bins = data.counts.shape
    return [
        {
            "data": name,
            "groups": n_groups,
            "bins": n_bins,
            "he_weight": he_weight,
            "method": method,
            "repeats": repeats,
            "seconds_median": np.median(taken),
            "seconds_min": min(taken),
            "iterations": fits[method].iterations,
            "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            "machine": processor(),
        }
        for method, taken in seconds.items()
    ]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", required=True)
    args = parser.parse_args(arguments)
    few = few_bins(args.seed)
    rows = [row for weight in (10.0, np.inf) for row in measure("few", few, weight, args.repeats)]
    rows += measure("many", many_bins(args.seed), np.inf, args.repeats)
    write_csv(pd.DataFrame(rows), args.output)


if __name__ == "__main__":
    main()
