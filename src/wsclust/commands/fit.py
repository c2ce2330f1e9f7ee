"""Estimate P(happy | bin) from an event log and one coarse label per group.

EVENTS has one row per event, with the columns of its group and of the factors; LABELS has one row per group,
with its label in [0, 1]. The bins are the combinations of the factors' levels that occur.
"""

import shlex
import sys
import time
import warnings
from dataclasses import replace

from wsclust.commands.audit_arguments import how_to_audit
from wsclust.commands.event_arguments import column_names, cuts_in, orders_in
from wsclust.commands.fit_arguments import EXAMPLE, add_arguments, check_arguments, settings_of_estimators
from wsclust.commands.options import in_options
from wsclust.commands.output_paths import check_outputs
from wsclust.commands.progress import Progress
from wsclust.commands.streams import remark, show
from wsclust.events.finding import find_files
from wsclust.fitting import fit
from wsclust.half_samples import HALF_SAMPLES
from wsclust.label_noise import with_label_noise
from wsclust.report import verdict_lines
from wsclust.tables import replacing_all, write_csv

_ENDINGS = {
    "--output": (".csv",),
    "--summary": (".json",),
    "--plot": (".png", ".pdf", ".svg"),
    "--report": (".html",),
}

__all__ = ["EXAMPLE", "add_arguments", "run"]


def run(args):
    args.method = args.method or ("latent" if args.audit is None else "additive")
    settings = {
        name: getattr(args, name) for name in settings_of_estimators() if getattr(args, name) is not None
    }
    check_arguments(args, settings)
    outputs = {
        "--output": args.output,
        "--summary": args.summary,
        "--plot": args.plot,
        "--report": args.report,
    }
    read = [args.events, args.labels, *([args.audit] if args.audit else [])]
    inputs = [file for where in read for file in find_files(where)[0]]
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
        if args.audit:
            answer, of_audit = _audited(args, fitted, cut)
            report = answer.report()
            left_out += of_audit
        else:
            answer = fitted
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
    next_step = f"what decides is an audit of 100 events: {how_to_audit(args)}"
    report = replace(report, next_step=f"{next_step[0].upper()}{next_step[1:]}")
    if report.check and report.check.is_warned_of:
        said = [f"{line}; {next_step}" if line.startswith("verdict: ") else line for line in said]
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
        if args.report:
            text = _page(replace(report, warnings=tuple(said)), answer.groups(), data.mean_label, cut)
            temporary["--report"].write_text(text, encoding="utf-8")
    for line in said:
        remark(f"wsclust: warning: {line}")
    if sys.stdout.isatty():
        print(
            f"Wrote {args.output}: {report.summary['bins']:,} bins from {report.summary['groups']:,} groups and "
            f"{report.summary['events']:,} events."
        )
        if report.check and not report.check.is_warned_of:
            print("\n".join(verdict_lines(report.check)))
            print(report.next_step)
    if report.words:
        show("\n".join(report.words))
    return 3 if args.strict and _says_no(report) else 0


def _says_no(report):
    if report.check:
        return report.check.is_bad
    return report.summary["audit"]["mismatch"]["alarm"]


def _audited(args, fitted, cut):
    """The audited answer, and lines on outcomes that are not filled in."""
    from wsclust.events.outcome_files import read_outcomes

    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always", UserWarning)
        outcomes = read_outcomes(
            args.audit,
            fitted.grouped,
            args.events,
            args.group,
            args.audit_id,
            args.memory_limit,
            cut=cut,
            missing=args.missing,
        )
    answer = fitted.audit(outcomes, args.label_scores, args.new_groups)
    return answer, [" ".join(str(warning.message).split()) for warning in raised]


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
    from wsclust.plots.style import save

    save(_figure(report, share), path)


def _figure(report, share):
    from wsclust.plots.posterior import draw

    note = f"verdict: {report.check.verdict}\n{report.check.words}" if report.check else None
    note = report.words[0] if report.words else note
    method = report.summary.get("weak_method") or report.summary["method"]
    return draw(report.table, share, method, note)


def _page(report, groups, share, cut):
    from wsclust.page.document import page

    return page(report, groups, _figure(report, share), shlex.join(["wsclust", *sys.argv[1:]]), cut)
