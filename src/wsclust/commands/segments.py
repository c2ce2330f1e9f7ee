"""`wsclust fit --by country`: a fit of its own for each level of a column, in one table."""

import warnings
from dataclasses import replace

import numpy as np
import pandas as pd

from wsclust.check.verdicts import BAD
from wsclust.commands.names import given_name
from wsclust.events.queries import some
from wsclust.posterior_table import is_estimate


def add_by(parser):
    """The option --by."""
    parser.add_argument(
        "--by",
        type=given_name,
        metavar="COLUMN",
        help="make one fit for each level of this column of EVENTS, such as country; the output has all of them, that "
        "column first",
    )


def check_by(args, factors):
    """Raise ValueError, naming the options, where --by cannot be."""
    if args.by is None:
        return
    alone = f"for one {args.by}, give a file of its events, and leave --by out"
    for option, given in (
        ("--audit", args.audit),
        ("--rated-among-events", args.rated_among_events),
        ("--numeric", args.numeric),
        ("--effects-output", args.effects_output),
    ):
        if given:
            raise ValueError(f"{option}: no use with --by, which makes several fits; {alone}")
    if is_estimate(args.by):
        raise ValueError(
            f"--by {args.by}: the output has a column of this name of its own; rename it in the events"
        )
    if args.by == args.group:
        raise ValueError(
            f"--by {args.by}: the column of the groups, each of which has one label; name a column that several groups "
            "share, such as their country"
        )
    if args.by in factors:
        raise ValueError(f"--by {args.by}: a factor as well; leave it out of one of them")


def segments_of(data, by):
    """The data of each level of a column of the bins, which then is none of theirs: a dict level -> GroupedCounts.

    Levels with a single bin or without events are in the dict with the ValueError that says so. Arguments: `data`,
    GroupedCounts with `by` and at least one more column in its bins. Warns where a group is in several segments.

    >>> from wsclust.counts import GroupedCounts
    >>> bins = pd.DataFrame({"country": ["UK", "UK", "NL", "NL"], "size": ["S", "L", "S", "L"]})
    >>> data = GroupedCounts([[5, 1, 0, 0], [0, 0, 2, 4]], [0.9, 0.3], groups=["a", "b"], bins=bins)
    >>> segments_of(data, "country")["NL"].counts
    array([[2., 4.]])
    """
    found, level_of = {}, data.bins[by].to_numpy()
    inside = {level: data.counts[:, level_of == level].sum(axis=1) > 0 for level in dict.fromkeys(level_of)}
    several = np.sum(list(inside.values()), axis=0) > 1
    if several.any():
        names = some([repr(str(name)) for name in data.groups[several]])
        warnings.warn(
            f"{several.sum():,} of {len(several):,} groups have events in more than one {by} ({names}): their label is "
            "taken to hold in each",
            stacklevel=2,
        )
    for level, groups in inside.items():
        columns = level_of == level
        bins = data.bins.loc[columns].drop(columns=by).reset_index(drop=True)
        try:
            found[level] = replace(
                data.subset(groups), counts=data.counts[np.ix_(groups, columns)], bins=bins
            )
        except ValueError as error:
            found[level] = error
    return found


def fit_each(data, by, make):
    """What `make` makes of each segment, and lines on segments that are left out: (dict, list).

    Argument: `make`, a function of GroupedCounts. Raises ValueError where no segment can be fitted.
    """
    made, lines = {}, []
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always", UserWarning)
        segments = segments_of(data, by)
    lines += [str(warning.message) for warning in raised]
    for level, segment in segments.items():
        try:
            if isinstance(segment, ValueError):
                raise segment
            made[level] = make(segment)
        except ValueError as error:
            lines.append(f"{by} {level!r} is left out: {error}")
            last = error
    if not made:
        raise ValueError(f"by={by}: no segment can be fitted, the last because of this: {last}")
    return made, lines


def stacked(by, reports, lines):
    """One Report of several: their tables under each other with the column `by` first, their summaries by level."""
    first = next(iter(reports.values()))
    tables = [report.table.assign(**{by: level}) for level, report in reports.items()]
    table = pd.concat(tables, ignore_index=True)
    table = table[[by, *[name for name in table if name != by]]]
    lines = [*lines, *_by_segment(by, {level: report.warnings for level, report in reports.items()})]
    totals = {
        "groups": sum(report.summary["groups"] for report in reports.values()),
        "events": sum(report.summary["events"] for report in reports.values()),
        "bins": len(table),
    }
    summary = {
        "by": by,
        "method": first.summary["method"],
        "settings": first.summary["settings"],
        **totals,
        "cap": first.summary["cap"],
        "segments": {str(level): report.summary for level, report in reports.items()},
    }
    checks = {f"{by} {level!r}": report.check for level, report in reports.items() if report.check}
    return replace(first, table=table, warnings=tuple(lines), summary=summary, checks=checks)


def _by_segment(by, warnings):
    """Each line once, behind the segments that it is of.

    >>> _by_segment("size", {"S": ["few groups", "no interval"], "M": ["no interval"], "L": ["few groups"]})
    ["size 'S', 'L': few groups", "size 'S', 'M': no interval"]
    >>> _by_segment("size", {"S": ["few groups"], "M": ["few groups"]})
    ['each size: few groups']
    """
    of = {}
    for level, lines in warnings.items():
        for line in lines:
            of.setdefault(line, []).append(level)
    every = len(warnings) if len(warnings) > 1 else np.inf
    return [
        f"{f'each {by}' if len(levels) == every else f'{by} ' + ', '.join(map(repr, levels))}: {line}"
        for line, levels in of.items()
    ]


def groups_of_each(by, fits):
    """The groups of each fit under each other, the column `by` first: a frame as `Fit.groups`."""
    tables = [fit.groups().assign(**{by: level}) for level, fit in fits.items()]
    groups = pd.concat(tables, ignore_index=True)
    return groups[[by, *[name for name in groups if name != by]]]


def segments_that_fail(summary):
    """The segments of a summary whose verdict is bad."""
    checks = {level: found["check"] for level, found in summary["segments"].items()}
    return [level for level, check in checks.items() if check and check["verdict"] in BAD]
