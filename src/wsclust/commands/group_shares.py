"""`wsclust fit --groups`: the groups' own shares of happy events, also of groups without a label."""

import warnings


def add_groups(parser):
    """The option --groups."""
    parser.add_argument(
        "--groups",
        metavar="FILE",
        help="table of the groups, .csv or .parquet: label, events, estimated share of happy events and its 95%% "
        "interval; with --drop-unlabelled also of groups without a label",
    )


def check_groups(args):
    """Raise ValueError where the groups would have no share."""
    if args.groups is not None and args.audit is not None:
        raise ValueError(
            "--groups: no use with --audit, whose answer is of bins alone; leave one of them out"
        )
    if args.groups is not None and args.method not in ("latent", "additive"):
        raise ValueError(
            f"--groups: no use with --method {args.method}, which has no shares of groups; leave it out, or take "
            "--method latent"
        )


def table_of_shares(args, fitted, cut):
    """The table, and lines on events that are left out of it. `fitted` is a Fit, `cut` the edges of its factors."""
    events = None
    if args.drop_unlabelled:
        from wsclust.events.other_groups import events_of_others

        events = events_of_others(
            args.events,
            fitted.grouped.groups,
            list(fitted.bins.columns),
            args.group,
            args.count,
            args.memory_limit,
            cut=cut,
            missing=args.missing,
        )
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always", UserWarning)
        table = fitted.groups(events, args.group, "n")
    return table, [str(warning.message) for warning in raised]
