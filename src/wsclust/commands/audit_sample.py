"""Draw events whose outcome is to be looked up, for wsclust fit --audit."""

import sys
import warnings

from wsclust.audit.sampling import DESIGNS
from wsclust.commands.effects import add_numeric, take_numeric
from wsclust.commands.event_arguments import add_events, add_labels
from wsclust.commands.labelled_counts import read_labelled
from wsclust.commands.names import given_name, given_path
from wsclust.commands.options import in_options
from wsclust.commands.output_paths import check_outputs, files_read
from wsclust.commands.progress import Progress
from wsclust.commands.streams import in_one_line, show, warn
from wsclust.seeds import generator
from wsclust.tables import replacing_all, write_csv

EXAMPLE = """example, in the project's folder:
  wsclust audit-sample examples/events.csv --labels examples/labels.csv --factors level,shape,colour \\
      --size 100 --output to_label.csv

The output has one row per event: row (its number in EVENTS, from 1 below the header; also file, where there are
several), the group, the factors and an empty outcome. Fill in 1 or 0 (yes or no, true or false); leave empty what
cannot be found out. With --count, EVENTS only says how many events there are: the output then has one row per group
and bin, n events to look up, and an empty column happy for how many of them are. Then:
  wsclust fit examples/events.csv --labels examples/labels.csv --factors level,shape,colour \\
      --audit to_label.csv --output posterior.csv
"""


def add_arguments(parser):
    parser.epilog = EXAMPLE
    add_events(parser)
    add_labels(parser)
    add_numeric(parser)
    parser.add_argument(
        "--id",
        type=given_name,
        metavar="COLUMN",
        help="column of EVENTS that tells events apart, instead of rows",
    )
    parser.add_argument("--size", type=int, default=100, metavar="N", help="events to look up (100)")
    parser.add_argument(
        "--design",
        choices=DESIGNS,
        default="bins",
        help="bins: a bin gets events in proportion to the square root of how many it has (the default); random: any "
        "event alike; groups: all from ten groups, where a group is what costs",
    )
    parser.add_argument("--seed", type=int, default=1, help="random seed (1)")
    parser.add_argument("--output", required=True, type=given_path, help="CSV to fill in")


def run(args):
    take_numeric(args)
    if args.size < 1:
        raise ValueError(f"size={args.size}: expected a whole number of events, 1 or more")
    if args.seed < 0:
        raise ValueError(f"seed={args.seed}: expected a whole number from 0")
    if args.count and args.id:
        raise ValueError("--id: no use with --count, where a row is several events; leave one of them out")
    inputs = files_read(args.events, args.labels)
    check_outputs({"--output": args.output}, {"--output": (".csv",)}, inputs)
    if args.output.exists() and args.output.stat().st_size:
        raise ValueError(
            f"{args.output}: --output is there already, perhaps filled in; remove it or name another"
        )
    progress = Progress(sys.stderr)
    progress.say(f"reading {args.events}")
    try:
        with warnings.catch_warnings(record=True) as raised:
            warnings.simplefilter("always", UserWarning)
            drawn, data = _draw(args, progress)
    finally:
        progress.clear()
    with replacing_all({"--output": args.output}) as temporary:
        write_csv(drawn.table, temporary["--output"])
    for warning in raised:
        warn(in_options(in_one_line(warning.message), vars(args)))
    sample = drawn.sample
    if sample.size < args.size:
        warn(f"there are {sample.size:,} events, and all of them are to be looked up")
    n_groups, n_bins = data.counts.shape
    show(
        f"Wrote {args.output}: {sample.size:,} events to look up, in {sample.bins_covered:,} of {n_bins:,} bins and "
        f"{sample.groups_covered:,} of {n_groups:,} groups. Fill in the column "
        f"{'happy' if args.count else 'outcome'}, then run wsclust fit with --audit {args.output}"
        f"{f' --audit-id {args.id}' if args.id else ''}."
    )


def _draw(args, progress):
    from wsclust.events.audit_draws import cells_to_look_up, events_to_look_up

    data, cut = read_labelled(args, args.events)
    progress.say("drawing events")
    rng = generator(args.seed, "audit-sample", args.design, role="events")
    if args.count:
        return cells_to_look_up(data, args.size, args.design, rng, args.group), data
    drawn = events_to_look_up(
        data,
        args.events,
        args.size,
        args.design,
        rng,
        args.group,
        args.id,
        args.memory_limit,
        cut=cut,
        missing=args.missing,
    )
    return drawn, data
