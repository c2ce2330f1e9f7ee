"""What the commands that read event logs have in common: EVENTS, and columns as `level,shape,colour`."""

import csv


def add_events(parser):
    """The argument EVENTS: one log, in as many files as it has."""
    parser.add_argument(
        "events",
        metavar="EVENTS",
        help="CSV or Parquet, one row per event: a file, a folder, or a pattern in quotes such as 'log-*.csv'",
    )


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


def add_recoding(parser):
    """--cut and --missing: how values of the factors become levels."""
    parser.add_argument(
        "--cut",
        action="append",
        default=[],
        metavar="COLUMN:10,20,50",
        help="cut a factor of numbers into ranges at these edges, or COLUMN:quantiles=5 into as many parts with about "
        "as many events each; may be given for several factors",
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
