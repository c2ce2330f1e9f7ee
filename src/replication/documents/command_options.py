"""Tables of the options of `wsclust`, from the command's own parser, so that none is missing in the text."""

import argparse
from importlib import import_module

from wsclust.cli import WSCLUST


def commands():
    """The sub-commands of `wsclust`."""
    return list(WSCLUST.commands)


def options(command, root=None):
    """A Markdown table with one row per argument of a sub-command: how it is written, and what it does.

    >>> print(options("score").splitlines()[2])
    | `EVENTS` | CSV or Parquet, one row per event: a file, a folder, or a pattern in quotes such as 'log-*.csv' |
    """
    parser = argparse.ArgumentParser(add_help=False)
    import_module(WSCLUST.modules[command]).add_arguments(parser)
    lines = ["| argument | meaning (default in brackets) |", "|---|---|"]
    for action in parser._actions:
        names = ", ".join(f"`{name}{_value(action)}`" for name in action.option_strings)
        needed = " Required." if action.required and action.option_strings else ""
        text = " ".join(action.help.split()).replace("%%", "%").replace("|", "\\|")
        lines.append(f"| {names or f'`{action.metavar}`'} | {text}{'.' if needed else ''}{needed} |")
    return "\n".join(lines) + "\n"


def _value(action):
    """What stands behind an option: a word for its value, its choices, or nothing."""
    if action.nargs == 0:
        return ""
    if action.choices:
        return f" {{{','.join(map(str, action.choices))}}}"
    value = action.metavar or action.dest.upper()
    return f" {value if isinstance(value, str) else ' '.join(value)}"
