"""What `wsclust fit` says of its verdicts, on stderr: in every case, good or bad."""

from wsclust.commands.audit_arguments import how_to_audit
from wsclust.commands.streams import on_terminal, say


def next_step(args):
    """What decides where a verdict does not: a sentence, and the command that draws events to look up."""
    if args.by:
        return (
            f"what decides is an audit of 100 events, of one {args.by} with its events in a file of their own"
        )
    return f"what decides is an audit of 100 events, drawn by:\n  {how_to_audit(args)}"


def say_verdicts(report):
    """Say the verdict of each fit, and once a run what goes for all of them: off a terminal where one is a warning."""
    if not report.checks:
        return
    *first, last = [
        f"wsclust: {'warning: ' if check.is_warned_of else ''}{line}"
        for check, line in zip(report.checks.values(), report.verdicts, strict=True)
    ]
    for line in first:
        say(line)
    full = on_terminal() or any(check.is_warned_of for check in report.checks.values())
    say(last, *(report.about_verdicts if full else ()))
