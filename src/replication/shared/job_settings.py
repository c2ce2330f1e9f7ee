"""The settings of one job, as one file of JSON: the rule `settings` writes it, and the study reads it.

The file holds what the job depends on and nothing else: a part of config.yaml, `methods` with their settings
in place of their names, and the master `seed`. So a job runs again when its own settings change, and a name
that a user has chosen never meets a shell outside quotes.
"""

import argparse
import json
from pathlib import Path

from wsclust.tables import replacing


def add_settings(parser):
    """The option `--settings FILE`, whose value is the contents of the file."""
    parser.add_argument(
        "--settings", type=read_settings, required=True, metavar="FILE", help="JSON of the job's settings"
    )


def add_images(parser):
    """The option `--output FILE ...` of a figure."""
    parser.add_argument("--output", nargs="+", required=True, help="images: .pdf, .png or .svg")


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
