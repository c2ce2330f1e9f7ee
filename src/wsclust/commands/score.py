"""Add the posterior of each event's bin, as wsclust fit wrote it, to an event log."""

import json
import sys

from wsclust.commands.event_arguments import add_events, add_recoding, cuts_in
from wsclust.commands.names import given_name, given_path
from wsclust.commands.output_paths import check_outputs, files_read
from wsclust.commands.streams import warn
from wsclust.events.scoring import ENDINGS, score_events
from wsclust.tables import replacing_all

EXAMPLE = """example, in the project's folder, after that of wsclust fit:
  wsclust score examples/events.csv --posterior posterior.csv --output scored.csv

All columns and the order of the rows stay; columns of a CSV are text in Parquet too. An event whose bin was never seen
in fitting has an empty posterior, and such events are counted. The mean of the scores of a group is not its share of
happy events: a score is the same for a bin in every group, so such means lie too near to each other; wsclust fit
--groups has the shares. Exit codes: 0 done, 2 bad input.
"""


def add_arguments(parser):
    parser.epilog = EXAMPLE
    add_events(parser)
    parser.add_argument(
        "--posterior", type=given_name, required=True, help="table that wsclust fit wrote: .csv or .parquet"
    )
    parser.add_argument(
        "--summary",
        type=given_name,
        help="JSON that wsclust fit wrote: numbers are cut, and empty values named, alike",
    )
    add_recoding(parser, quantiles=False)
    parser.add_argument("--memory-limit", default="2GB", help="for reading EVENTS (2GB)")
    parser.add_argument(
        "--output", required=True, type=given_path, help=f"a name that ends in {', '.join(ENDINGS)}"
    )


def run(args):
    inputs = files_read(args.events, args.posterior)
    cut, missing = _recoding(args)
    check_outputs({"--output": args.output}, {"--output": ENDINGS}, inputs)
    with replacing_all({"--output": args.output}) as temporary:
        scored = score_events(
            args.events, args.posterior, temporary["--output"], args.memory_limit, cut=cut, missing=missing
        )
    if scored.without:
        warn(
            f"{scored.without:,} of {scored.events:,} events are in a bin without a "
            f"posterior, and theirs is empty: {scored.unknown}"
        )
    if sys.stdout.isatty():
        print(f"Wrote {args.output}: {scored.events:,} events.")


def _recoding(args):
    """The edges of numbers that are cut, and the level for empty values: given, or as the fit had them."""
    cut, missing = cuts_in(args.cut), args.missing
    for column, edges in cut.items():
        if isinstance(edges, int):
            raise ValueError(
                f"--cut {column}:quantiles={edges}: events are scored with the edges of the fit; give its --summary"
            )
    if args.summary is None:
        return cut, missing
    try:
        with open(args.summary, encoding="utf-8") as file:
            fitted = json.load(file)
        fitted = {**fitted["cut"]}, fitted["missing"]
    except (KeyError, TypeError, ValueError, RecursionError):
        raise ValueError(
            f"{args.summary}: no summary of wsclust fit; expected the JSON of its --summary"
        ) from None
    for column, edges in cut.items():
        if edges != fitted[0].get(column):
            raise ValueError(
                f"--cut {column}: {args.summary} has {fitted[0].get(column) or 'no cut'} for it; leave one of them out"
            )
    if missing not in (None, fitted[1]):
        raise ValueError(
            f"--missing {missing}: {args.summary} has {fitted[1] or 'none'}; leave one of them out"
        )
    return fitted
