"""Time counting and fitting from 100,000 to 100,000,000 events, with peak memory.

    python benchmarks/growth.py --output results/benchmarks/growth.csv

Events are Parquet files of make_events.py, 100 a group on average and 30 bins; `integer` has ids and bins as
codes, `text` has names and three factor columns. Each size and kind runs in a process of its own, so that
its peak memory is its own. The exponent is the slope of log seconds on log events from 1,000,000 events on,
below which starting up is most of the time.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from make_events import write_events
from solver import processor

from wsclust.tables import write_csv

SIZES = (100_000, 1_000_000, 10_000_000, 100_000_000)
FACTORS = {"integer": ["bin"], "text": ["level", "shape", "colour"]}


def one_run(folder, kind):
    """Count and fit the events of a folder; print seconds and peak memory as JSON. Runs on its own."""
    from wsclust.estimators.latent import latent
    from wsclust.events.reading import read_counts

    started = time.perf_counter()
    data = read_counts(Path(folder, "events-00.parquet"), Path(folder, "labels.csv"), FACTORS[kind])
    counted = time.perf_counter()
    peak_counting = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    fit = latent(data, he_weight=10)
    fitted = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(
        json.dumps(
            {
                "seconds_counting": counted - started,
                "seconds_fitting": fitted - counted,
                "iterations": fit.iterations,
                "peak_memory_mb_counting": peak_counting / 1024,
                "peak_memory_mb": peak / 1024,
            }
        )
    )


def measure(sizes, seed):
    """A row a kind and size."""
    rows = []
    for kind in FACTORS:
        for events in sizes:
            with tempfile.TemporaryDirectory() as folder:
                write_events(folder, events, events // 100, kind, "parquet", 1, seed)
                command = [sys.executable, __file__, "--run", folder, kind]
                output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            rows.append(
                {"kind": kind, "events": events, "groups": events // 100, "bins": 30, **json.loads(output)}
            )
            print(rows[-1], file=sys.stderr)
    table = pd.DataFrame(rows)
    for what in ("counting", "fitting"):
        table[f"exponent_{what}"] = np.nan
        for kind in FACTORS:
            of_kind = table[(table["kind"] == kind) & (table["events"] >= 1_000_000)]
            if len(of_kind) > 1:
                slope = np.polyfit(np.log(of_kind["events"]), np.log(of_kind[f"seconds_{what}"]), 1)[0]
                table.loc[table["kind"] == kind, f"exponent_{what}"] = slope
    table["machine"] = processor()
    return table


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--largest", type=int, default=max(SIZES))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output")
    parser.add_argument("--run", nargs=2, metavar=("FOLDER", "KIND"), help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    if args.run:
        one_run(*args.run)
    else:
        write_csv(measure([size for size in SIZES if size <= args.largest], args.seed), args.output)


if __name__ == "__main__":
    main()
