"""Estimate P(happy | bin) from an event log and one coarse label a group.

EVENTS has a row an event, with the columns of its group and of the factors; LABELS has a row a group, with
its label in [0, 1]. The bins are the combinations of the factors' levels that occur.
"""

import json
import sys
import time
import warnings
from pathlib import Path

from wsclust.commands.event_arguments import add_events, column_names
from wsclust.commands.output_paths import check_outputs, replacing_all
from wsclust.commands.streams import remark
from wsclust.diagnostics import CAUTION, DO_NOT_USE, WARNED
from wsclust.events.finding import find_files
from wsclust.fit_options import SOURCES, Options
from wsclust.fitting import figures_in_words, fit_table
from wsclust.methods import FROM_LABELS
from wsclust.tables import write_csv

_ENDINGS = {"--output": (".csv",), "--summary": (".json",), "--plot": (".png", ".pdf", ".svg")}
_IN_OPTIONS = {"drop_unlabelled": "--drop-unlabelled", "memory_limit": "--memory-limit"}

EXAMPLE = """example, in the project's folder:
  wsclust fit examples/events.csv --labels examples/labels.csv --factors level,shape,colour \\
      --output posterior.csv --summary fit.json --plot posterior.png

The output has a row a bin: the factors, n (weighted events), posterior, se, lower and upper (95%, within
[0, 1] but for moments; se and interval are empty with --subsamples 0). A latent fit is checked, and the
verdict on it (use, likely, unsure, do not use) is in the summary and the plot, on a terminal, and among the
warnings where it is one of the last two. Exit codes: 0 done, 2 bad input, 3 with --strict: do not use.
"""


def add_arguments(parser):
    parser.epilog = EXAMPLE
    add_events(parser)
    parser.add_argument("--labels", required=True, help="CSV or Parquet, a row a group")
    parser.add_argument(
        "--factors", required=True, metavar="A,B,...", help="columns of EVENTS whose levels make the bins"
    )
    parser.add_argument("--group", default="group", help="column of the group's name in both (group)")
    parser.add_argument(
        "--label", default="label", help="column of LABELS with the share of happy events (label)"
    )
    parser.add_argument("--count", help="column of EVENTS with the number of events that a row stands for")
    parser.add_argument("--method", choices=list(FROM_LABELS), default="latent", help="estimator (latent)")
    parser.add_argument(
        "--he-weight",
        type=float,
        default=10.0,
        metavar="W",
        help="W_H of the latent method (10): 1 / variance of a label's error in logits; inf for labels "
        "that are exact, such as the groups' own shares; 0 for labels that only start the fit",
    )
    parser.add_argument("--cap", type=float, metavar="M", help="let no group count for more than M events")
    parser.add_argument(
        "--clip",
        type=float,
        metavar="C",
        help="pull labels off 0 and 1, into [C, 1 - C], such as 0.001",
    )
    parser.add_argument(
        "--subsamples", type=int, default=200, metavar="B", help="half-samples for the errors (200), 0: none"
    )
    parser.add_argument(
        "--se",
        choices=list(SOURCES),
        default="half-samples",
        help="where the errors come from: half-samples, or the faster information, the curvature of the "
        "likelihood with the spread of the groups' slopes",
    )
    parser.add_argument("--seed", type=int, default=1, help="random seed of half-samples and check (1)")
    parser.add_argument(
        "--no-check", dest="check", action="store_false", help="do not check whether to believe the fit"
    )
    parser.add_argument("--strict", action="store_true", help="exit with code 3 on the verdict: do not use")
    parser.add_argument(
        "--tolerance", type=float, help="change of a posterior at which the fit stops (1e-8; 1e-5 at W = 0)"
    )
    parser.add_argument("--max-iterations", type=int, default=10_000, help="of the latent method (10000)")
    parser.add_argument(
        "--drop-unlabelled",
        action="store_true",
        help="leave out groups without a label (or an empty one) and labels without events, and say how many",
    )
    parser.add_argument("--memory-limit", default="2GB", help="for reading EVENTS, beside the counts (2GB)")
    parser.add_argument("--output", required=True, type=Path, help="CSV of posteriors")
    parser.add_argument("--summary", type=Path, help="JSON of how the fit went")
    parser.add_argument("--plot", type=Path, help="image of the posteriors: .png, .pdf or .svg")


def run(args):
    options = Options(**{name: getattr(args, name) for name in Options.__dataclass_fields__})
    if args.strict and not (options.check and options.method == "latent"):
        raise ValueError(
            "--strict: nothing to be strict about; it needs the latent method and its check, so leave out "
            + ("--strict or --no-check" if options.method == "latent" else "--strict")
        )
    outputs = {"--output": args.output, "--summary": args.summary, "--plot": args.plot}
    inputs = [file for where in (args.events, args.labels) for file in find_files(where)[0]]
    check_outputs(outputs, _ENDINGS, inputs)
    began = time.perf_counter()
    progress = Progress(sys.stderr)
    progress.say(f"reading {args.events}")
    try:
        data, dropped = _read(args)
        progress.say("fitting")
        table, summary = fit_table(data, options, progress.count)
    finally:
        progress.clear()
    doubts = dropped + summary.pop("warnings")
    summary |= {"seconds": round(time.perf_counter() - began, 3), "warnings": doubts}
    with replacing_all({option: path for option, path in outputs.items() if path}) as temporary:
        write_csv(table, temporary["--output"], digits=17)
        if args.summary:
            text = json.dumps(summary, indent=2, ensure_ascii=False, allow_nan=False)
            temporary["--summary"].write_text(text + "\n", encoding="utf-8")
        if args.plot:
            _draw(table, data.share, options.method, summary["check"], temporary["--plot"])
    for line in summary["warnings"]:
        remark(f"wsclust: warning: {line}")
    if sys.stdout.isatty():
        print(
            f"Wrote {args.output}: {summary['bins']:,} bins from {summary['groups']:,} groups and "
            f"{summary['events']:,} events."
        )
        if summary["check"] and summary["check"]["verdict"] not in WARNED:
            print(_verdict_lines(summary["check"]))
    return 3 if args.strict and summary["check"]["verdict"] == DO_NOT_USE else 0


def _verdict_lines(check):
    return f"Verdict: {check['verdict']} ({figures_in_words(check)}).\n{check['meaning']}; {CAUTION}."


def _read(args):
    """The counts, and lines on what was left out."""
    from wsclust.events.reading import TightMemory, read_counts

    left_out = []

    def take(message, category, *_, **__):
        if category is TightMemory:  # at once: later may be too late
            remark(f"wsclust: warning: {message}")
        elif issubclass(category, UserWarning):
            left_out.append(_as_options(message))

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = take
        try:
            data = read_counts(
                args.events,
                args.labels,
                column_names(args.factors, "--factors"),
                group=args.group,
                label=args.label,
                count=args.count,
                drop_unlabelled=args.drop_unlabelled,
                memory_limit=args.memory_limit,
            )
        except ImportError as error:
            raise ValueError(str(error)) from None
        except ValueError as error:
            raise ValueError(_as_options(error)) from None
    return data, left_out


def _as_options(message):
    text = " ".join(str(message).split())
    for argument, option in _IN_OPTIONS.items():
        text = text.replace(argument, option)
    return text


def _draw(table, share, method, check, path):
    from wsclust.plots.posterior import draw
    from wsclust.plots.style import save

    note = f"verdict: {check['verdict']}\n{figures_in_words(check)}" if check else None
    save(draw(table, share, method, note), path)


class Progress:
    """What is being done, on one line of a terminal that is written over; nothing where it is no terminal."""

    def __init__(self, stream):
        self.stream, self.shown = stream, stream.isatty()

    def say(self, text):
        if self.shown:
            print(f"\r\x1b[2K{text[:78]}", end="", file=self.stream, flush=True)

    def count(self, done, total, what="half-sample"):
        self.say(f"{what} {done} of {total}")

    def clear(self):
        if self.shown:
            print("\r\x1b[2K", end="", file=self.stream, flush=True)
