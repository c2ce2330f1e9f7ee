"""The command `wsclust`: finds the sub-command's module, and turns errors of the user's into one line.

Exit codes: 0 done, 1 a check found a difference, 2 bad input, with one line on stderr that says what to
change, 3 the verdict was no and the user is strict. A sub-command is a module of `wsclust.commands` and a
line in the table below.
"""

import argparse
import os
import sys
import warnings
from importlib import import_module

import wsclust

COMMANDS = {
    "fit": "Estimate P(happy | bin) from an event log and one coarse label a group.",
    "score": "Add the posterior of each event's bin, as wsclust fit wrote it, to an event log.",
    "count-shard": "Count the events of one shard of a log by group and bin.",
    "add-counts": "Add files of partial counts, as wsclust count-shard wrote them, into one.",
    "import-poll": "Count the voters of a survey file by state, income, union, race and vote.",
    "compare": "Compare two folders of results by value and print what drifted, worst first.",
    "claim": "Print what came of the paper's claims, or the evidence of one.",
}


class Parser(argparse.ArgumentParser):
    """Options that do not parse are bad input like any other: one line, exit code 2."""

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}; see `{self.prog} --help`\n")


def main(arguments=None):
    """Run one sub-command and return its exit code."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    parser = Parser(prog="wsclust", description=wsclust.__doc__.splitlines()[0])
    parser.add_argument("--version", action="version", version=f"wsclust {wsclust.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(
            name, help=summary, description=summary, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        # Only the module of the command that is asked for is imported.
        if arguments and arguments[0] == name:
            module = import_module(f"wsclust.commands.{name.replace('-', '_')}")
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    args = parser.parse_args(arguments)
    warnings.showwarning = _one_line
    try:
        return args.run(args) or 0
    except BrokenPipeError:
        # The reader, such as `head`, has had enough; what is left is flushed to nowhere at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, OSError, ImportError) as error:
        print(f"wsclust {args.command}: {_message(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"wsclust {args.command}: stopped", file=sys.stderr)
        return 130


def _message(error):
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split())


def _one_line(message, category, filename, lineno, file=None, line=None):
    print(f"wsclust: warning: {' '.join(str(message).split())}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
