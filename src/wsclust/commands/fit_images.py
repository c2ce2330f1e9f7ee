"""What `wsclust fit` draws: images of the posteriors, and the page that one sends to a colleague."""

import shlex
import sys

from wsclust.audit.words import above_a_plot
from wsclust.check.words import in_two_lines
from wsclust.events.queries import some
from wsclust.posterior_table import factors_of


def check_lines(args, data):
    """Raise ValueError where lines cannot be drawn: before the fit, which may take long."""
    from wsclust.plots.lines import check_factors

    factors = list(data.bins)
    check_factors(data.bins[[*factors[1:], args.by] if args.by else factors])


def write_images(args, report, share, temporary):
    """Write the images that are asked for: `--plot` and `--plot-lines`.

    Arguments: those of the command; the Report; the mean label; the paths to write to, by option.
    """
    if not (args.plot or args.plot_lines):
        return
    from wsclust.plots.style import save

    if args.plot:
        save(_figure(report, share), temporary["--plot"])
    if args.plot_lines:
        save(_lines(args, report, share), temporary["--plot-lines"])


def page_of(report, groups, share, cut):
    """The page of `--report`, as text, with the command that wrote it."""
    from wsclust.page.document import page
    from wsclust.plots.style import svg

    return page(report, groups, svg(_figure(report, share)), shlex.join(["wsclust", *sys.argv[1:]]), cut)


def _note(report):
    """The verdict above a picture: with its figures where there is one fit, and of whom where there are several."""
    if report.words:
        return above_a_plot(report.words)
    if report.check:
        return in_two_lines(report.check)
    by, of = report.summary.get("by"), {}
    for name, check in report.checks.items():
        of.setdefault(check.verdict, []).append(name.removeprefix(f"{by} "))
    return "\n".join(
        f"verdict: {verdict} ({f'each {by}' if len(of) == 1 else f'{by} {some(names)}'})"
        for verdict, names in of.items()
    )


def _lines(args, report, share):
    from wsclust.plots.lines import draw

    factors = factors_of(report.table)
    factors = [*factors[1:], args.by] if args.by else factors
    return draw(report.table, share, _note(report), factors)


def _figure(report, share):
    from wsclust.plots.posterior import draw

    method = report.summary.get("weak_method") or report.summary["method"]
    return draw(report.table, share, method, _note(report))
