"""Texts, names of columns and paths as SQL has them, and paths as DuckDB gives them back."""

import os


def utf8_path(path):
    """A path as DuckDB takes it, in UTF-8, whatever the language settings of the machine.

    Under settings of another encoding, Python's text of a path is not that of its bytes. Raises ValueError where these
    are no UTF-8, and DuckDB can have no such name.
    """
    try:
        return os.fsencode(path).decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path}: a name that is not in UTF-8; rename the file or its folder") from None


def is_utf8(text):
    r"""Whether a text can be written in UTF-8, as one from the command line need not be.

    >>> is_utf8("é"), is_utf8("\udcff")
    (True, False)
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def system_path(path):
    """The reverse of `utf8_path`: a path from DuckDB as Python has it."""
    return os.fsdecode(path.encode("utf-8", "surrogateescape"))


def quoted(text):
    """SQL of a text."""
    return "'" + text.replace("'", "''") + "'"


def quoted_name(column):
    """SQL of the name of a column.

    >>> quoted_name('3" pipe')
    '"3"" pipe"'
    """
    return '"' + column.replace('"', '""') + '"'
