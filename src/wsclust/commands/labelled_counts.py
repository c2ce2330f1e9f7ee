"""EVENTS and LABELS, as the options of `event_arguments.add_labels` name them, to grouped counts."""

from wsclust.commands.event_arguments import column_names, cuts_in
from wsclust.group_order import order_by_name


def read_labelled(args, events, leading=(), **more):
    """Count events by group and bin: the GroupedCounts, and the edges of numbers that were cut.

    Arguments: `args`, the options of `event_arguments.add_labels`; `events`, where the events are; `leading`, columns
    whose levels make the bins too, before the factors; `more`, further arguments of `wsclust.read_counts`. Warnings and
    errors are its own. Groups are in the order of their names, so that the order of LABELS is none of the fit's.
    """
    from wsclust.events.cuts import edges_of
    from wsclust.events.reading import read_counts

    cut = cuts_in(args.cut)
    cut = edges_of(events, cut, args.memory_limit) if cut else {}
    data = read_counts(
        events,
        args.labels,
        [*leading, *column_names(args.factors, "--factors")],
        group=args.group,
        label=args.label,
        count=args.count,
        drop_unlabelled=args.drop_unlabelled,
        memory_limit=args.memory_limit,
        label_group=args.label_group,
        percent=args.percent,
        cut=cut,
        missing=args.missing,
        **more,
    )
    return data.subset(order_by_name(data.groups)), cut
