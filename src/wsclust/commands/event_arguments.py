"""What the commands that read event logs have in common: EVENTS and LABELS, and columns as `level,shape,colour`."""

import csv

from wsclust.commands.names import given_name

# What the options of `add_labels` are where they are not given.
DEFAULTS = {
    "labels": None,
    "factors": None,
    "group": "group",
    "label": "label",
    "label_group": None,
    "percent": False,
    "count": None,
    "cut": [],
    "missing": None,
    "drop_unlabelled": False,
    "memory_limit": "2GB",
}


def add_events(parser):
    """The argument EVENTS: one log, in as many files as it has."""
    parser.add_argument(
        "events",
        type=given_name,
        metavar="EVENTS",
        help="CSV or Parquet, one row per event: a file, a folder, or a pattern in quotes such as 'log-*.csv'",
    )


def add_labels(parser, required=True):
    """LABELS, and how events and labels become counts by group and bin: the options of `DEFAULTS`.

    Argument: `required`, whether a command cannot do without LABELS and factors. `labelled_counts.read_labelled`
    reads what they name.
    """

    def add(name, **what):
        if "action" not in what:
            what["default"] = DEFAULTS[name]
        parser.add_argument(f"--{name.replace('_', '-')}", **what)

    add("labels", type=given_name, required=required, help="CSV or Parquet, one row per group")
    add("factors", required=required, metavar="A,B,...", help="columns of EVENTS whose levels make the bins")
    add("group", type=given_name, help="column of the group's name in both (group)")
    add("label", type=given_name, help="column of LABELS with the share of happy events (label)")
    add(
        "label_group",
        type=given_name,
        metavar="COLUMN",
        help="column of the group's name in LABELS, if another",
    )
    add("percent", action="store_true", help="labels are percentages, such as 57 or 57%%")
    add("count", type=given_name, help="column of EVENTS with the number of events that a row stands for")
    add_recoding(parser)
    add(
        "drop_unlabelled",
        action="store_true",
        help="leave out groups without a label (or an empty one) and labels without events, and say how many",
    )
    add("memory_limit", help="for reading EVENTS, beside the counts (2GB)")


def as_typed(args):
    """The options of `add_labels` that are given, as the words of a command.

    >>> from argparse import Namespace
    >>> as_typed(Namespace(**DEFAULTS | {"labels": "l.csv", "percent": True, "cut": ["age:10,20"]}))
    ['--labels', 'l.csv', '--percent', '--cut', 'age:10,20']
    """
    words = []
    for name, default in DEFAULTS.items():
        value, option = getattr(args, name), f"--{name.replace('_', '-')}"
        if isinstance(default, bool):
            words += [option] if value else []
        elif isinstance(default, list):
            words += [word for part in value for word in (option, part)]
        elif value != default:
            words += [option, str(value)]
    return words


def column_names(text, option):
    """The columns that an option names, split at commas; double quotes keep a comma within a name.

    Raises ValueError, naming the option, on an empty name and on one that is there twice.

    >>> column_names('level, "shape, size",colour', "--factors")
    ['level', 'shape, size', 'colour']
    """
    names = next(csv.reader([text], skipinitialspace=True), [])
    if not names or "" in names:
        raise ValueError(f"{option} {text!r}: an empty name; expected columns such as level,shape")
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{option} {text!r}: {name!r} is there twice; name each column once")
    return names


def add_recoding(parser, quantiles=True):
    """--cut and --missing: how values of the factors become levels; `quantiles`, whether --cut may ask for them."""
    parts = ", or COLUMN:quantiles=5 into as many parts with about as many events each" if quantiles else ""
    parser.add_argument(
        "--cut",
        action="append",
        default=[],
        metavar="COLUMN:10,20,50",
        help=f"cut a factor of numbers into ranges, each with its upper edge, at these edges{parts}; may be given for "
        "several factors",
    )
    parser.add_argument(
        "--missing", metavar="LEVEL", help="a level for empty values of the factors, such as unknown"
    )


def cuts_in(texts):
    """The cuts that --cut gives: column -> edges, or a number of parts.

    Raises ValueError, naming the option, on what is no cut and on a column that is there twice.

    >>> cuts_in(["basket:10,20", "age:quantiles=4"])
    {'basket': [10.0, 20.0], 'age': 4}
    """
    cuts = {}
    for text in texts:
        column, colon, edges = text.rpartition(":")
        parts = edges.strip().removeprefix("quantiles=")
        try:
            cut = int(parts) if parts != edges.strip() else [float(edge) for edge in edges.split(",")]
        except ValueError:
            cut = None
        if not colon or not column or cut is None or (isinstance(cut, int) and cut < 2):
            raise ValueError(f"--cut {text!r}: expected COLUMN:10,20,50 or COLUMN:quantiles=5")
        if column in cuts:
            raise ValueError(f"--cut {text!r}: {column!r} is cut twice; name each column once")
        cuts[column] = cut
    return cuts


def orders_in(texts):
    """The orders that --order gives: factor -> levels in order.

    >>> orders_in(["size=small,medium,large"])
    {'size': ['small', 'medium', 'large']}
    """
    orders = {}
    for text in texts:
        factor, equals, levels = text.partition("=")
        if not equals or not factor:
            raise ValueError(f"--order {text!r}: expected FACTOR=first,second,third")
        if factor in orders:
            raise ValueError(f"--order {text!r}: {factor!r} is there twice; give each factor one order")
        orders[factor] = column_names(levels, f"--order {factor}")
    return orders
