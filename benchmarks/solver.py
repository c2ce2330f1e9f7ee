"""Time the fit of 1,000,000 clicks in 10,000 groups: plain R, plain numpy, and this package.

    python benchmarks/solver.py --output results/benchmarks/solver.csv

The first two keep one value a click and stop at 1e-4, as the paper's authors could have; the third starts
from the same arrays of clicks, counts them, and stops at 1e-8. The three take turns on one thread, so that
whatever else the machine does strikes all of them. Where there is no Rscript, R has no row.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Before numpy is loaded: one thread for all.
os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")

import numpy as np
import pandas as pd
from em_per_click import fit as numpy_fit
from scipy.special import expit

from replication.simulation.truth_curves import truth
from wsclust.counts import GroupedCounts
from wsclust.estimators.latent import latent
from wsclust.seeds import generator
from wsclust.tables import write_csv

HE_WEIGHT, LOOSE, TIGHT = 10.0, 1e-4, 1e-8
HERE = Path(__file__).parent


def clicks(n_clicks, n_groups, n_bins, seed):
    """Group and bin codes from 0, one a click, in random order, and HE (I,)."""
    rng = generator(seed, "benchmark", "solver", n_bins)
    true = truth("quadratic", n_bins, low=0.05, frequency_tilt=3 / n_bins)
    quality = rng.standard_normal(n_groups)
    evaluation = quality + 0.5 * rng.standard_normal(n_groups)
    group = rng.permutation(np.arange(n_clicks, dtype=np.int32) % n_groups)
    happy = rng.random(n_clicks) < expit(quality)[group]
    draws = rng.random(n_clicks)
    bins = np.where(
        happy, np.searchsorted(np.cumsum(true.happy), draws), np.searchsorted(np.cumsum(true.sad), draws)
    )
    return group, np.minimum(bins, n_bins - 1).astype(np.int32), evaluation


def r_per_click(group, bins, evaluation):
    with tempfile.TemporaryDirectory() as folder:
        (group + 1).tofile(Path(folder, "group.bin"))
        (bins + 1).tofile(Path(folder, "bin.bin"))
        evaluation.tofile(Path(folder, "evaluation.bin"))
        command = ["Rscript", "--vanilla", str(HERE / "em_per_click.R"), folder, str(LOOSE)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(output[0]), int(output[1]), np.array(output[2:], dtype=float)


def numpy_per_click(group, bins, evaluation):
    started = time.perf_counter()
    posterior, iterations = numpy_fit(group, bins, evaluation, HE_WEIGHT, LOOSE)
    return time.perf_counter() - started, iterations, posterior


def wsclust(group, bins, evaluation):
    started = time.perf_counter()
    data = GroupedCounts.from_codes(group, bins, expit(evaluation), bins.max() + 1)
    fit = latent(data, he_weight=HE_WEIGHT, tolerance=TIGHT)
    return time.perf_counter() - started, fit.iterations, fit.posterior


def processor():
    """The processor's name and how many cores there are."""
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []:
        if line.startswith("model name"):
            return f"{line.split(':', 1)[1].strip()}, {os.cpu_count()} cores"
    return f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores"


def measure(sizes, repeats, seed):
    """A row an implementation and size: seconds over the repeats, taken in turn."""
    implementations = {"r_per_click": r_per_click, "numpy_per_click": numpy_per_click, "wsclust": wsclust}
    if shutil.which("Rscript") is None:
        print("no Rscript here, so no row for R (Debian: r-base-core)", file=sys.stderr)
        del implementations["r_per_click"]
    rows = []
    for n_clicks, n_groups, n_bins in sizes:
        data = clicks(n_clicks, n_groups, n_bins, seed)
        runs = {name: [] for name in implementations}
        for turn in range(repeats):
            for name, run in implementations.items():
                runs[name].append(run(*data))
                print(f"{n_bins} bins, turn {turn + 1}: {name} {runs[name][-1][0]:.3f} s", file=sys.stderr)
        loose = [runs[name][0][2] for name in runs if name != "wsclust"]
        # Both plain ones stop where rho still moves by 1e-4: they agree with each other, not to 1e-8 with us.
        assert all(np.allclose(loose[0], other, atol=1e-6) for other in loose)
        for name, results in runs.items():
            seconds = [result[0] for result in results]
            rows.append(
                {
                    "clicks": n_clicks,
                    "groups": n_groups,
                    "bins": n_bins,
                    "implementation": name,
                    "tolerance": TIGHT if name == "wsclust" else LOOSE,
                    "repeats": repeats,
                    "seconds_median": np.median(seconds),
                    "seconds_min": min(seconds),
                    "seconds_max": max(seconds),
                    "iterations": results[0][1],
                    "machine": processor(),
                }
            )
    return pd.DataFrame(rows)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", required=True)
    args = parser.parse_args(arguments)
    sizes = [(1_000_000, 10_000, 15), (1_000_000, 10_000, 30)]
    write_csv(measure(sizes, args.repeats, args.seed), args.output)


if __name__ == "__main__":
    main()
