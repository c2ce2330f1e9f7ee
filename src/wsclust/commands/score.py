"""Add the posterior of each event's bin, as wsclust fit wrote it, to an event log."""

import sys
from pathlib import Path

from wsclust.commands.event_arguments import add_events
from wsclust.commands.output_paths import check_outputs
from wsclust.commands.streams import remark
from wsclust.events.finding import find_files
from wsclust.events.scoring import ENDINGS, score_events
from wsclust.tables import replacing_all

EXAMPLE = """example, in the project's folder, after that of wsclust fit:
  wsclust score examples/events.csv --posterior posterior.csv --output scored.csv

All columns and the order of the rows stay. An event whose bin was never seen in fitting has an empty
posterior, and such events are counted. Exit codes: 0 done, 2 bad input.
"""


def add_arguments(parser):
    parser.epilog = EXAMPLE
    add_events(parser)
    parser.add_argument("--posterior", required=True, help="CSV that wsclust fit wrote")
    parser.add_argument("--memory-limit", default="2GB", help="for reading EVENTS (2GB)")
    parser.add_argument(
        "--output", required=True, type=Path, help=f"a name that ends in {', '.join(ENDINGS)}"
    )


def run(args):
    files, _ = find_files(args.events)
    check_outputs({"--output": args.output}, {"--output": ENDINGS}, inputs=(*files, args.posterior))
    with replacing_all({"--output": args.output}) as temporary:
        scored = score_events(args.events, args.posterior, temporary["--output"], args.memory_limit)
    if scored.without:
        remark(
            f"wsclust: warning: {scored.without:,} of {scored.events:,} events are in a bin without a "
            f"posterior, and theirs is empty: {scored.unknown}"
        )
    if sys.stdout.isatty():
        print(f"Wrote {args.output}: {scored.events:,} events.")
