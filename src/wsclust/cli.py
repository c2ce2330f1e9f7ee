"""The command `wsclust`: finds the sub-command's module, and turns errors of the user's into one line.

Exit codes: 0 done, 1 a check found a difference, 2 bad input, with one line on stderr that says what to
change, 3 the verdict was no and the user is strict, 130 or 143 stopped by Ctrl-C or SIGTERM. A sub-command
is a module of `wsclust.commands` and a line in the table below. Another package's commands can be run in the
same way, as a `Program` of its own.
"""

import argparse
import math
import os
import signal
import sys
import threading
import time
import warnings
from functools import partial
from importlib import import_module
from typing import NamedTuple

import wsclust
from wsclust.commands.options import in_options
from wsclust.commands.streams import (
    drop_unsent,
    in_one_line,
    open_closed,
    remark,
    show,
    take_any_character,
    warn,
)

COMMANDS = {
    "fit": "Estimate P(happy | bin) from an event log and one coarse label per group.",
    "audit-sample": "Draw events whose outcome is to be looked up, for wsclust fit --audit.",
    "score": "Add the posterior of each event's bin, as wsclust fit wrote it, to an event log.",
    "plan": "Say what standard errors a study will have, before its data are gathered.",
    "count-shard": "Count the events of one shard of a log by group and bin.",
    "add-counts": "Add files of partial counts, as wsclust count-shard wrote them, into one.",
}

# Seconds after a signal in which a further one would break off the clearing up, and is not heeded.
CLEARING_UP = 1.0


class Program(NamedTuple):
    """A command with sub-commands: `name` as it is typed, and in one line what it is `about`.

    `commands` is a dict from each sub-command to what it does, `modules` one to the module that has it.
    """

    name: str
    about: str
    commands: dict
    modules: dict


WSCLUST = Program(
    "wsclust",
    wsclust.__doc__.splitlines()[0],
    COMMANDS,
    {name: f"wsclust.commands.{name.replace('-', '_')}" for name in COMMANDS},
)


class Parser(argparse.ArgumentParser):
    """Options that do not parse are bad input like any other: one line, exit code 2."""

    def error(self, message):
        for word, number in {"int": "a whole number", "float": "a number"}.items():
            message = message.replace(f"invalid {word} value: ", f"expected {number}, found ")
        self.exit(2, f"{self.prog}: {message}; see `{self.prog} --help`\n")

    def _print_message(self, message, file=None):
        (show if file is sys.stdout else remark)(message, end="")


def main(arguments=None, program=WSCLUST):
    """Run one sub-command of a Program and return its exit code."""
    # The matrices are small: more threads of linear algebra wait for each other, many times longer on a busy
    # machine, and add in another order. DuckDB has threads of its own.
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    os.environ.setdefault("MPLBACKEND", "Agg")  # images go to files: no window is wanted
    open_closed()
    take_any_character()
    stopped, since = 0, -math.inf

    def stop(number, frame):
        nonlocal stopped, since
        if time.monotonic() - since > CLEARING_UP:
            stopped, since = 128 + number, time.monotonic()
            raise KeyboardInterrupt

    # A program that calls main minds its own signals, and a shell's background job is not to feel Ctrl-C.
    if arguments is None and threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, stop)
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    args = argparse.Namespace()
    name = " ".join([program.name, *(word for word in arguments[:1] if word in program.commands)])
    try:
        args = _parsed(arguments, program)
        warnings.showwarning = partial(_one_line, program.name, vars(args), set())
        code = args.run(args) or 0
        show(end="")
        return code
    except BrokenPipeError:
        return 0  # the reader, such as `head`, has had enough
    except (KeyboardInterrupt, Exception) as error:
        # DuckDB, and a module that is stopped while it loads, make errors of their own of a signal.
        broken_off = isinstance(error, RuntimeError) and "Query interrupted" in str(error)
        if stopped or broken_off or isinstance(error, KeyboardInterrupt):
            remark(f"{name}: stopped")
            return stopped or 128 + signal.SIGINT
        if not isinstance(error, (ValueError, OSError, ImportError)):
            raise
        remark(f"{name}: {in_options(_message(error), vars(args))}")
        return 2
    finally:
        drop_unsent()


def _parsed(arguments, program):
    parser = Parser(prog=program.name, description=program.about)
    parser.add_argument("--version", action="version", version=f"{program.name} {wsclust.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in program.commands.items():
        command = commands.add_parser(
            name, help=summary, description=summary, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        # Only the module of the command that is asked for is imported.
        if arguments and arguments[0] == name:
            module = import_module(program.modules[name])
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    args, unknown = parser.parse_known_args(arguments)
    if unknown:  # argparse would speak of the program, whose help does not have the command's options
        commands.choices[args.command].error(f"unrecognized arguments: {' '.join(unknown)}")
    return args


def _message(error):
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return in_one_line(error)


def _one_line(program, options, said, message, category, filename, lineno, file=None, line=None):
    text = in_options(in_one_line(message), options)
    if text not in said:  # what each of several images warns of is one warning
        said.add(text)
        warn(text, program)


if __name__ == "__main__":
    sys.exit(main())
