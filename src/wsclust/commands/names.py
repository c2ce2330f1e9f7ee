"""The type of options that name a column or a file: an empty one is refused.

A shell makes it of a variable that is not set. Taken for an option that is not given it would change an answer in
silence; as a path it is the folder one is in.
"""

import argparse
from pathlib import Path


def given_name(text):
    """The name that an option gives, unless it is empty.

    >>> given_name("rated")
    'rated'
    >>> given_name("")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    argparse.ArgumentTypeError: expected a name, found '', as of a shell's variable that is not set; ...
    """
    if not text:
        raise argparse.ArgumentTypeError(
            f"expected a name, found {text!r}, as of a shell's variable that is not set; give one, or leave it out"
        )
    return text


def given_path(text):
    """The path that an option gives, unless it is empty.

    >>> given_path("fit.csv").suffix
    '.csv'
    """
    return Path(given_name(text))
