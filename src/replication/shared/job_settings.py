"""The settings of one job, as one file of JSON: the rule `settings` writes it, and the study reads it.

The file holds what the job depends on and nothing else: a part of config.yaml, `methods` with their settings
in place of their names, and the master `seed`. So a job runs again when its own settings change, and a name
that a user has chosen never meets a shell outside quotes.
"""

import argparse
import json
from pathlib import Path

from wsclust.tables import replacing, write_csv


def study_parser(description, *tables):
    """The command line of a study: `--settings FILE`, whose value is what the file holds, and its tables.

    Arguments: the module's docstring; the options that name the tables to write, such as "shares".

    >>> parser = study_parser("What comes of it.", "output")
    >>> parser.parse_args(["--settings", "nowhere.json", "--output", "a.csv"])
    Traceback (most recent call last):
        ...
    SystemExit: 2
    """
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    add_settings(parser)
    for table in tables:
        parser.add_argument(f"--{table}", required=True, metavar="CSV")
    return parser


def write_study(table_of, description, arguments=None):
    """The command of a study of one table: `--settings FILE` in, `--output CSV` out.

    Arguments: a function from the settings to a frame; the module's docstring; the words of the command.
    """
    args = study_parser(description, "output").parse_args(arguments)
    write_csv(table_of(args.settings), args.output)


def figure_parser(description):
    """The command line of a figure: `--output FILE ...`, its images."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--output", nargs="+", required=True, help="images: .pdf, .png or .svg")
    return parser


def add_settings(parser):
    """The option `--settings FILE` by itself."""
    parser.add_argument(
        "--settings", type=read_settings, required=True, metavar="FILE", help="JSON of the job's settings"
    )


def read_settings(path):
    """The settings in a file of JSON, a dict; an infinite weight is written Infinity there.

    Raises argparse.ArgumentTypeError, one line naming the file, where there is none or it is no such JSON.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "latent.json")
    >>> write_settings('{"he_weight": Infinity, "seed": 1}', file)
    >>> read_settings(file)
    {'he_weight': inf, 'seed': 1}
    """
    try:
        settings = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{path}: not JSON ({error}); remove it and run make") from None
    if not isinstance(settings, dict):
        raise argparse.ArgumentTypeError(f"{path}: no settings by name; remove it and run make")
    return settings


def write_settings(text, path):
    """Write settings, given as JSON on one line, with a line for each level."""
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(json.loads(text), indent=1) + "\n", encoding="utf-8")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("settings", help="JSON")
    parser.add_argument("--output", required=True, help="file of JSON")
    args = parser.parse_args(arguments)
    write_settings(args.settings, args.output)


if __name__ == "__main__":
    main()
