"""Estimate P(happy | bin) from an event log and one coarse label per group.

EVENTS has one row per event, with the columns of its group and of the factors; LABELS has one row per group,
with its label in [0, 1]. The bins are the combinations of the factors' levels that occur.
"""

import sys
import time
import warnings

from wsclust.check.verdicts import DO_NOT_USE, WARNED
from wsclust.commands.event_arguments import column_names, cuts_in, orders_in
from wsclust.commands.fit_arguments import EXAMPLE, add_arguments, check_arguments, settings_of_estimators
from wsclust.commands.options import in_options
from wsclust.commands.output_paths import check_outputs
from wsclust.commands.progress import Progress
from wsclust.commands.streams import remark
from wsclust.events.finding import find_files
from wsclust.fitting import fit
from wsclust.half_samples import HALF_SAMPLES
from wsclust.label_noise import with_label_noise
from wsclust.report import verdict_lines
from wsclust.tables import replacing_all, write_csv

_ENDINGS = {"--output": (".csv",), "--summary": (".json",), "--plot": (".png", ".pdf", ".svg")}

__all__ = ["EXAMPLE", "add_arguments", "run"]


def run(args):
    settings = {
        name: getattr(args, name) for name in settings_of_estimators() if getattr(args, name) is not None
    }
    check_arguments(args, settings)
    outputs = {"--output": args.output, "--summary": args.summary, "--plot": args.plot}
    inputs = [file for where in (args.events, args.labels) for file in find_files(where)[0]]
    check_outputs(outputs, _ENDINGS, inputs)
    began = time.perf_counter()
    progress = Progress(sys.stderr)
    progress.say(f"reading {args.events}")
    try:
        data, left_out, cut = _read(args)
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
            text = report.to_json(
                clip=args.clip, cut=cut, missing=args.missing, seconds=seconds, warnings=said
            )
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


def _read(args):
    """The counts, lines on what was left out, and the edges of numbers that were cut."""
    from wsclust.events.reading import TightMemory, edges_of, read_counts

    left_out = []

    def take(message, category, *_, **__):
        if category is TightMemory:  # at once: later may be too late
            remark(f"wsclust: warning: {message}")
        elif issubclass(category, UserWarning):
            left_out.append(" ".join(str(message).split()))

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = take
        cut = cuts_in(args.cut)
        cut = edges_of(args.events, cut, args.memory_limit) if cut else {}
        data = read_counts(
            args.events,
            args.labels,
            column_names(args.factors, "--factors"),
            group=args.group,
            label=args.label,
            count=args.count,
            drop_unlabelled=args.drop_unlabelled,
            memory_limit=args.memory_limit,
            label_group=args.label_group,
            percent=args.percent,
            order=orders_in(args.order),
            cut=cut,
            missing=args.missing,
            label_n=args.label_n,
            rated_among_events=args.rated_among_events,
        )
    if args.clip is not None:
        data = data.clip_labels(args.clip)
    if args.label_sd is not None:
        data = with_label_noise(data, args.label_sd)
    return data if args.cap is None else data.cap(args.cap), left_out, cut


def _draw(report, share, path):
    from wsclust.plots.posterior import draw
    from wsclust.plots.style import save

    note = f"verdict: {report.check.verdict}\n{report.check.words}" if report.check else None
    save(draw(report.table, share, report.summary["method"], note), path)
