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
