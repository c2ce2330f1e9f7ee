"""Estimate P(happy | bin) from an event log and one coarse label per group.

EVENTS has one row per event, with the columns of its group and of the factors; LABELS has one row per group,
with its label in [0, 1]. The bins are the combinations of the factors' levels that occur.
"""

import sys
import time
import warnings
from dataclasses import replace

import pandas as pd

from wsclust.commands.effects import effect_settings, take_effects
from wsclust.commands.event_arguments import column_names, orders_in
from wsclust.commands.fit_arguments import (
    EXAMPLE,
    SEED,
    add_arguments,
    check_arguments,
    settings_of_estimators,
)
from wsclust.commands.fit_images import check_lines, page_of, write_images
from wsclust.commands.group_shares import check_groups, table_of_shares
from wsclust.commands.labelled_counts import read_labelled
from wsclust.commands.methods_beside import settings_for, with_others
from wsclust.commands.options import in_options
from wsclust.commands.output_paths import check_outputs, files_read
from wsclust.commands.progress import Progress
from wsclust.commands.segments import check_by, fit_each, groups_of_each, segments_that_fail, stacked
from wsclust.commands.streams import in_one_line, show_sentences, warn
from wsclust.commands.unseen_bins import unseen_bins
from wsclust.commands.verdict_remarks import next_step, say_verdicts
from wsclust.fitting import fit
from wsclust.half_samples import HALF_SAMPLES
from wsclust.label_noise import with_label_noise
from wsclust.tables import TABLES, replacing_all, write_table

_ENDINGS = {
    "--output": TABLES,
    "--groups": TABLES,
    "--summary": (".json",),
    "--plot": (".png", ".pdf", ".svg"),
    "--plot-lines": (".png", ".pdf", ".svg"),
    "--report": (".html",),
    "--effects-output": (".csv",),
}

__all__ = ["EXAMPLE", "add_arguments", "run"]


def run(args):
    args.method, *others = args.method or [None]
    take_effects(args)
    args.method = args.method or ("latent" if args.audit is None else "additive")
    settings = {
        name: getattr(args, name) for name in settings_of_estimators() if getattr(args, name) is not None
    }
    check_arguments(args, settings, others)
    check_groups(args)
    check_by(args, column_names(args.factors, "--factors"))
    outputs = {
        "--output": args.output,
        "--groups": args.groups,
        "--summary": args.summary,
        "--plot": args.plot,
        "--plot-lines": args.plot_lines,
        "--report": args.report,
        "--effects-output": args.effects_output,
    }
    check_outputs(outputs, _ENDINGS, files_read(args.events, args.labels, args.audit))
    began = time.perf_counter()
    progress = Progress(sys.stderr)
    progress.say(f"reading {args.events}")
    try:
        data, left_out, cut = _read(args)
        if args.plot_lines:
            check_lines(args, data)
        progress.say("fitting")
        unseen = None
        if args.by:
            answers, of_segments = fit_each(
                data,
                args.by,
                lambda segment: _answer(args, _capped(args, segment), settings, others, cut, progress),
            )
            left_out += of_segments
            report = stacked(args.by, {level: report for level, (_, report, _) in answers.items()}, [])
            fitted = {level: answer for level, (answer, _, _) in answers.items()}
        else:
            data = _capped(args, data)
            fitted, report, lines = _answer(args, data, settings, others, cut, progress)
            left_out += lines
            if not args.audit:
                unseen, lines = unseen_bins(fitted)
                left_out += lines
        if args.groups:
            shares, of_groups = table_of_shares(args, fitted, cut)
            left_out += of_groups
    finally:
        progress.clear()
    said = [in_options(line, vars(args)) for line in (*left_out, *report.warnings)]
    report = replace(report, warnings=tuple(said), next_step=next_step(args))
    with replacing_all({option: path for option, path in outputs.items() if path}) as temporary:
        replace(report, table=pd.concat([report.table, unseen])).write(temporary["--output"])
        if args.groups:
            write_table(shares, temporary["--groups"])
        if args.effects_output:
            effects = (fitted.weak if args.audit else fitted).effects()
            write_table(effects, temporary["--effects-output"])
        if args.summary:
            seconds = round(time.perf_counter() - began, 3)
            text = report.to_json(clip=args.clip, cut=cut, missing=args.missing, seconds=seconds)
            temporary["--summary"].write_text(text, encoding="utf-8")
        write_images(args, report, data.mean_label, temporary)
        if args.report:
            groups = groups_of_each(args.by, fitted) if args.by else fitted.groups()
            text = page_of(report, groups, data.mean_label, cut)
            temporary["--report"].write_text(text, encoding="utf-8")
    for line in said:
        warn(line)
    if sys.stdout.isatty():
        print(
            f"Wrote {args.output}: {report.summary['bins']:,} bins from {report.summary['groups']:,} groups and "
            f"{report.summary['events']:,} events"
            + (
                "."
                if unseen is None or unseen.empty
                else f", and {len(unseen):,} bins that no event fell in."
            )
        )
    say_verdicts(report)
    if report.words:
        show_sentences(report.words)
    return 3 if args.strict and _says_no(report) else 0


def _says_no(report):
    if "segments" in report.summary:
        return bool(segments_that_fail(report.summary))
    if report.check:
        return report.check.is_bad
    return report.summary["audit"]["mismatch"]["alarm"]


def _answer(args, data, settings, others, cut, progress):
    """A Fit, or an Audit of one, its Report, and lines on outcomes that are not filled in."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the report has them
        settings = settings | effect_settings(args, data, cut)
        fitted = fit(args.method, data, **settings_for(args.method, settings))
    if args.audit:
        answer, left_out = _audited(args, fitted, cut)
        return answer, answer.report(), left_out
    options = {
        "se": args.se,
        "half_samples": HALF_SAMPLES if args.half_samples is None else args.half_samples,
        "rng": SEED if args.seed is None else args.seed,
        "progress": progress.count,
    }
    report = fitted.report(check=args.check, **options)
    return fitted, with_others(report, data, others, settings, **options) if others else report, []


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
    return answer, [in_one_line(warning.message) for warning in raised]


def _read(args):
    """The counts, lines on what was left out, and the edges of numbers that were cut."""
    from wsclust.events.memory import TightMemory

    left_out = []

    def take(message, category, *_, **__):
        if category is TightMemory:  # at once: later may be too late
            warn(message)
        elif issubclass(category, UserWarning):
            left_out.append(in_one_line(message))

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = take
        data, cut = read_labelled(
            args,
            args.events,
            leading=[args.by] if args.by else [],
            order=orders_in(args.order),
            label_n=args.label_n,
            rated_among_events=args.rated_among_events,
        )
    if args.clip is not None:
        data = data.clip_labels(args.clip)
    if args.label_sd is not None:
        data = with_label_noise(data, args.label_sd)
    return data, left_out, cut


def _capped(args, data):
    return data if args.cap is None else data.cap(args.cap)
