"""Estimate P(happy | bin) from an event log and one coarse label per group.

EVENTS has one row per event, with the columns of its group and of the factors; LABELS has one row per group,
with its label in [0, 1]. The bins are the combinations of the factors' levels that occur.
"""

import sys
import time
import warnings
from pathlib import Path

from wsclust import registry
from wsclust.check.verdicts import DO_NOT_USE, WARNED
from wsclust.commands.event_arguments import add_events, column_names
from wsclust.commands.options import in_options
from wsclust.commands.output_paths import check_outputs
from wsclust.commands.progress import Progress
from wsclust.commands.streams import remark
from wsclust.events.finding import find_files
from wsclust.fitting import fit
from wsclust.half_samples import HALF_SAMPLES
from wsclust.intervals import SOURCES
from wsclust.report import verdict_lines
from wsclust.tables import replacing_all, write_csv

_ENDINGS = {"--output": (".csv",), "--summary": (".json",), "--plot": (".png", ".pdf", ".svg")}

EXAMPLE = """example, in the project's folder:
  wsclust fit examples/events.csv --labels examples/labels.csv --factors level,shape,colour \\
      --output posterior.csv --summary fit.json --plot posterior.png

The output has one row per bin: the factors, n (events, down-weighted where a cap is given), posterior, se, lower
and upper (95%, within [0, 1] but for moments). se and interval are empty with --half-samples 0 and in bins with
fewer than 10 events. A latent fit is checked, and the verdict on it (use, likely, unsure, do not use) is in the
summary and the plot, on a terminal, and among the warnings where it is one of the last two. Exit codes: 0 done,
2 bad input, 3 with --strict: do not use.
"""


def add_arguments(parser):
    parser.epilog = EXAMPLE
    add_events(parser)
    parser.add_argument("--labels", required=True, help="CSV or Parquet, one row per group")
    parser.add_argument(
        "--factors", required=True, metavar="A,B,...", help="columns of EVENTS whose levels make the bins"
    )
    parser.add_argument("--group", default="group", help="column of the group's name in both (group)")
    parser.add_argument(
        "--label", default="label", help="column of LABELS with the share of happy events (label)"
    )
    parser.add_argument("--count", help="column of EVENTS with the number of events that a row stands for")
    parser.add_argument(
        "--method", choices=registry.from_labels(), default="latent", help="estimator (latent)"
    )
    for name, setting in _settings().items():
        parser.add_argument(f"--{name.replace('_', '-')}", **_argument(setting))
    parser.add_argument("--cap", type=float, metavar="M", help="let no group count for more than M events")
    parser.add_argument(
        "--clip",
        type=float,
        metavar="C",
        help="pull labels off 0 and 1, into [C, 1 - C], such as 0.001",
    )
    parser.add_argument(
        "--half-samples",
        type=int,
        metavar="B",
        help=f"half-samples of the groups for the standard errors ({HALF_SAMPLES}), 0: none",
    )
    parser.add_argument(
        "--se",
        choices=list(SOURCES),
        default="half-samples",
        help="where the standard errors come from: half-samples, or the faster information, the curvature of the "
        "likelihood with the spread of the groups' slopes",
    )
    parser.add_argument("--seed", type=int, default=1, help="random seed of half-samples and check (1)")
    parser.add_argument(
        "--no-check", dest="check", action="store_false", help="do not check whether to believe the fit"
    )
    parser.add_argument("--strict", action="store_true", help="exit with code 3 on the verdict: do not use")
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
    settings = {name: getattr(args, name) for name in _settings() if getattr(args, name) is not None}
    _check(args, settings)
    outputs = {"--output": args.output, "--summary": args.summary, "--plot": args.plot}
    inputs = [file for where in (args.events, args.labels) for file in find_files(where)[0]]
    check_outputs(outputs, _ENDINGS, inputs)
    began = time.perf_counter()
    progress = Progress(sys.stderr)
    progress.say(f"reading {args.events}")
    try:
        data, left_out = _read(args)
        progress.say("fitting")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the report has them
            fitted = fit(args.method, data, **settings)
        report = fitted.report(
            se=args.se,
            half_samples=HALF_SAMPLES if args.half_samples is None else args.half_samples,
            rng=args.seed,
            check=args.check,
            progress=progress.count,
        )
    finally:
        progress.clear()
    said = [in_options(line, vars(args)) for line in (*left_out, *report.warnings)]
    with replacing_all({option: path for option, path in outputs.items() if path}) as temporary:
        write_csv(report.table, temporary["--output"], digits=17)
        if args.summary:
            seconds = round(time.perf_counter() - began, 3)
            text = report.to_json(clip=args.clip, seconds=seconds, warnings=said)
            temporary["--summary"].write_text(text, encoding="utf-8")
        if args.plot:
            _draw(report, data.mean_label, temporary["--plot"])
    for line in said:
        remark(f"wsclust: warning: {line}")
    if sys.stdout.isatty():
        print(
            f"Wrote {args.output}: {report.summary['bins']:,} bins from {report.summary['groups']:,} groups and "
            f"{report.summary['events']:,} events."
        )
        if report.check and report.check.verdict not in WARNED:
            print("\n".join(verdict_lines(report.check)))
    return 3 if args.strict and report.check.verdict == DO_NOT_USE else 0


def _settings():
    """Every setting of every estimator that needs the labels alone, by name."""
    return {
        name: setting
        for method in registry.from_labels()
        for name, setting in registry.ESTIMATORS[method].settings.items()
    }


def _argument(setting):
    """How argparse takes a setting. Nothing is filled in, so that what was given can be told."""
    if "enum" in setting.schema:
        kind = {"choices": setting.schema["enum"]}
    else:
        kind = {"type": {"number": float, "integer": int}[setting.schema["type"]], "metavar": setting.metavar}
    default = "" if setting.default is None else f" ({str(setting.default).removesuffix('.0')})"
    return {"help": setting.meaning + default, **kind}


def _check(args, settings):
    """What can be refused before the events are read."""
    registry.entry(args.method).complete(args.method, settings)
    for name, right, expected in (
        ("cap", args.cap is None or 0 < args.cap < float("inf"), "a number of events above 0, such as 500"),
        ("clip", args.clip is None or 0 < args.clip < 0.5, "between 0 and 0.5, such as 0.001"),
        (
            "half_samples",
            args.half_samples in (None, 0) or args.half_samples >= 2,
            "2 or more, or 0 for none",
        ),
        ("seed", args.seed >= 0, "a whole number from 0"),
    ):
        if not right:
            raise ValueError(f"{name}={getattr(args, name)}: expected {expected}")
    if args.se == "information" and args.half_samples is not None:
        raise ValueError(
            f"half_samples={args.half_samples}: no use with se=information; leave one of them out"
        )
    if args.se == "information" and settings.get("he_weight") == 0:
        raise ValueError(
            "se=information: there is none at he_weight=0, where the model is not identified; use half-samples"
        )
    if args.strict and not (args.check and args.method == "latent"):
        raise ValueError(
            "--strict: nothing to be strict about; it needs the latent method and its check, so leave out "
            + ("--strict or --no-check" if args.method == "latent" else "--strict")
        )


def _read(args):
    """The counts, and lines on what was left out."""
    from wsclust.events.reading import TightMemory, read_counts

    left_out = []

    def take(message, category, *_, **__):
        if category is TightMemory:  # at once: later may be too late
            remark(f"wsclust: warning: {message}")
        elif issubclass(category, UserWarning):
            left_out.append(" ".join(str(message).split()))

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = take
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
    if args.clip is not None:
        data = data.clip_labels(args.clip)
    return data if args.cap is None else data.cap(args.cap), left_out


def _draw(report, share, path):
    from wsclust.plots.posterior import draw
    from wsclust.plots.style import save

    note = f"verdict: {report.check.verdict}\n{report.check.words}" if report.check else None
    save(draw(report.table, share, report.summary["method"], note), path)
