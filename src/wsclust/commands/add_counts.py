"""Add files of partial counts, as wsclust count-shard and this command write them, into one."""

from pathlib import Path

from wsclust.commands.names import given_name, given_path
from wsclust.commands.output_paths import check_outputs
from wsclust.events.finding import find_files
from wsclust.events.partial_counts import add_counts

EXAMPLE = """example, after wsclust count-shard on two shards:
  wsclust add-counts one.parquet two.parquet --output total.parquet

The sum is written whole or not at all, and is read by `wsclust fit --count n`. Exit codes: 0 done, 2 bad
input.
"""


def add_arguments(parser):
    parser.epilog = EXAMPLE
    parser.add_argument(
        "parts",
        type=given_name,
        metavar="PART",
        nargs="+",
        help="Parquet files of partial counts, or a pattern in quotes",
    )
    parser.add_argument("--memory-limit", default="1GB", help="for the sums (1GB); more is spilled to disk")
    parser.add_argument("--threads", type=int, help="threads to use (all cores)")
    parser.add_argument("--output", required=True, type=given_path, help="a name that ends in .parquet")


def run(args):
    # A name is the one file, whatever it ends in; a pattern in quotes stands for several, as for events.
    parts = [file for part in args.parts for file in ([part] if Path(part).exists() else find_files(part)[0])]
    check_outputs({"--output": args.output}, {"--output": (".parquet",)}, parts)
    add_counts(parts, args.output, args.memory_limit, args.threads)
