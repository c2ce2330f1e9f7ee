"""Write a made-up event log and its labels: `python benchmarks/make_events.py FOLDER`.

Every event is a group (a search result that was clicked) and a bin. With `--kind integer` both are codes;
with `--kind text` the group is a name and the bin three columns, level, shape and colour. Group sizes are
unequal (a tenth of the groups has a third of the events), rows are in random order and every group occurs.
The events are the same whatever the kind, format and number of shards.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from wsclust.seeds import generator
from wsclust.tables import write_csv

LEVELS, SHAPES, COLOURS = [str(k) for k in range(1, 6)], ["circle", "square", "star"], ["blue", "red"]
N_BINS = len(LEVELS) * len(SHAPES) * len(COLOURS)
_CHUNK = 1_000_000  # events drawn at a time, and in a Parquet row group


def chunk_codes(chunk, n_events, n_groups, seed):
    """Group and bin codes of events chunk x 1,000,000 and on, as two int32 arrays."""
    rng = generator(seed, "benchmark", "events", run=chunk)
    start = chunk * _CHUNK
    size = min(_CHUNK, n_events - start)
    group = (n_groups * rng.random(size) ** 2).astype(np.int32)
    every = np.arange(start, start + size)
    group[every < n_groups] = every[every < n_groups]  # no group without events
    bins = np.minimum(rng.binomial(N_BINS, 0.5, size), N_BINS - 1).astype(np.int32)
    spread = rng.random(size) < 0.5
    bins[spread] = rng.integers(0, N_BINS, spread.sum())
    order = rng.permutation(size)
    return group[order], bins[order]


def group_names(codes):
    """Names of groups as the text kind has them: `result-0000042`."""
    return pa.array(np.char.mod("result-%07d", codes))


def chunk_table(group, bins, kind):
    """The events of one chunk as an Arrow table."""
    if kind == "integer":
        return pa.table({"group": group, "bin": bins})
    level, rest = np.divmod(bins, len(SHAPES) * len(COLOURS))
    shape, colour = np.divmod(rest, len(COLOURS))
    distinct, codes = np.unique(group, return_inverse=True)
    columns = {"group": group_names(distinct).take(pa.array(codes))}
    for name, levels, at in zip(
        ("level", "shape", "colour"), (LEVELS, SHAPES, COLOURS), (level, shape, colour), strict=True
    ):
        columns[name] = pa.array(levels).take(pa.array(at))
    return pa.table(columns)


def write_events(folder, n_events, n_groups, kind, form, shards, seed):
    """Write the events to `folder`/events-00.parquet (or .csv) and so on, and the labels to labels.csv."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    n_chunks = -(-n_events // _CHUNK)
    for shard, chunks in enumerate(np.array_split(np.arange(n_chunks), min(shards, n_chunks))):
        path, writer = folder / f"events-{shard:02d}.{form}", None
        for chunk in chunks:
            table = chunk_table(*chunk_codes(int(chunk), n_events, n_groups, seed), kind)
            if writer is None:
                make = pa.parquet.ParquetWriter if form == "parquet" else pa.csv.CSVWriter
                writer = make(path, table.schema)
            writer.write_table(table)
        writer.close()
    codes = np.arange(n_groups)
    label = generator(seed, "benchmark", "labels").beta(2, 2, n_groups)
    groups = codes if kind == "integer" else group_names(codes).to_pandas()
    write_csv(pd.DataFrame({"group": groups, "label": label}), folder / "labels.csv")


def main():
    parser = argparse.ArgumentParser(description="Write a made-up event log and its labels.")
    parser.add_argument("folder", help="folder to write events-*.parquet and labels.csv to")
    parser.add_argument("--events", type=int, default=100_000_000)
    parser.add_argument("--groups", type=int, default=1_000_000)
    parser.add_argument("--kind", choices=["integer", "text"], default="text")
    parser.add_argument("--format", choices=["parquet", "csv"], default="parquet")
    parser.add_argument("--shards", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    a = parser.parse_args()
    write_events(a.folder, a.events, a.groups, a.kind, a.format, a.shards, a.seed)


if __name__ == "__main__":
    main()
