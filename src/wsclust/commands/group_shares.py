"""`wsclust fit --groups`: the groups' own shares of happy events, also of groups without a label."""

import warnings

import pandas as pd

from wsclust.commands.names import given_name
from wsclust.events.queries import number, some


def add_groups(parser):
    """The option --groups."""
    parser.add_argument(
        "--groups",
        type=given_name,
        metavar="FILE",
        help="table of the groups, .csv or .parquet: label, events, estimated share of happy events and its 95%% "
        "interval; with --drop-unlabelled also of groups without a label",
    )


def check_groups(args):
    """Raise ValueError where the groups would have no share."""
    if args.groups is not None and args.audit is not None:
        raise ValueError(
            "--groups: no use with --audit, whose answer is of bins alone; a run without --audit writes the shares of "
            "the groups"
        )
    if args.groups is not None and args.method not in ("latent", "additive"):
        raise ValueError(
            f"--groups: no use with --method {args.method}, which has no shares of groups; leave it out, or take "
            "--method latent"
        )


def table_of_shares(args, fitted, cut):
    """The table, and lines on events that are left out of it.

    Arguments: `fitted`, a Fit, or with --by a dict of them by segment; `cut`, the edges of the factors.
    """
    by = [args.by] if args.by else []
    fits = fitted if by else {None: fitted}
    events = None
    if args.drop_unlabelled:
        from wsclust.events.other_groups import events_of_others

        events = events_of_others(
            args.events,
            sorted({name for fit in fits.values() for name in fit.grouped.groups}),
            [*by, *next(iter(fits.values())).bins.columns],
            args.group,
            args.count,
            args.memory_limit,
            cut=cut,
            missing=args.missing,
        )
    tables, lines = [], []
    for level, fit in fits.items():
        theirs = events[events[args.by] == level] if by and events is not None else events
        with warnings.catch_warnings(record=True) as raised:
            warnings.simplefilter("always", UserWarning)
            table = fit.groups(theirs, args.group, "n")
        tables.append(table.assign(**{args.by: level})[[*by, *table]] if by else table)
        lines += [
            f"{args.by} {level!r}: {warning.message}" if by else str(warning.message) for warning in raised
        ]
    if by and events is not None:
        lines += _without_fit(args.by, events[~events[args.by].isin(list(fits))], args.group)
    return pd.concat(tables, ignore_index=True), lines


def _without_fit(by, events, group):
    """A line for each segment whose groups have no label, and so no share, for nothing is fitted there."""
    for level, theirs in events.groupby(by):
        names = sorted(set(theirs[group]))
        yield (
            f"{by} {level!r} has no fit: no share and no row in the table of groups for its "
            f"{number(len(names), 'group')} without a label ({some([repr(name) for name in names])})"
        )
