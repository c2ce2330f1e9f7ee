"""Count the events of one shard of a log by group and bin, without labels: a Parquet file for add-counts."""

from wsclust.commands.event_arguments import add_events, add_recoding, column_names, cuts_in
from wsclust.commands.names import given_name, given_path
from wsclust.commands.output_paths import check_outputs, files_read
from wsclust.events.partial_counts import count_shard

EXAMPLE = """example, in the project's folder:
  wsclust count-shard examples/events.csv --factors level,shape,colour --output shard.parquet
  wsclust fit shard.parquet --count n --labels examples/labels.csv --factors level,shape,colour \\
      --output posterior.csv

The output has one row per group and bin: the group, the factors and n. It is written whole or not at all.
Exit codes: 0 done, 2 bad input.
"""


def add_arguments(parser):
    parser.epilog = EXAMPLE
    add_events(parser)
    parser.add_argument(
        "--factors", required=True, metavar="A,B,...", help="columns of EVENTS whose levels make the bins"
    )
    parser.add_argument(
        "--group", type=given_name, default="group", help="column of the group's name (group)"
    )
    parser.add_argument(
        "--count", type=given_name, help="column of EVENTS with the number of events that a row stands for"
    )
    add_recoding(parser, quantiles=False)
    parser.add_argument("--memory-limit", default="500MB", help="for reading EVENTS (500MB)")
    parser.add_argument("--output", required=True, type=given_path, help="a name that ends in .parquet")


def run(args):
    check_outputs({"--output": args.output}, {"--output": (".parquet",)}, files_read(args.events))
    factors = column_names(args.factors, "--factors")
    cut = cuts_in(args.cut)
    for column, edges in cut.items():
        if isinstance(edges, int):
            raise ValueError(
                f"--cut {column}:quantiles={edges}: shards would be cut differently; give the edges"
            )
    count_shard(
        args.events,
        args.output,
        factors,
        args.group,
        args.count,
        args.memory_limit,
        cut=cut,
        missing=args.missing,
    )
