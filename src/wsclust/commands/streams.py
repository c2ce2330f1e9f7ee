"""What a command says: results on stdout, which must arrive, and remarks on stderr, which need not."""

import os
import sys
import textwrap
from contextlib import suppress

LONGEST_WORD = 1000  # characters; a path may have some hundreds
BEGINNING, END = 1000, 400  # characters of a message longer than both: what it is about, and what to do
_COLUMNS, _FEWEST_COLUMNS = (
    80,
    40,
)  # of a terminal that does not say, and below which lines are not made shorter
_WHOLE_WORDS = {"break_long_words": False, "break_on_hyphens": False}


def open_closed():
    """Make stdout and stderr that the caller closed (`>&-`), and so are None, lead nowhere."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))


def take_any_character():
    r"""Make stdout write what its encoding lacks as `\xb0`, as stderr does; Python would end in an error."""
    # A stream that a program put in place of stdout need not have an encoding.
    if getattr(sys.stdout, "errors", None) == "strict" and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")


def in_one_line(text):
    """A message on one line, cut short where nobody would read it to its end: a word, or the middle of the whole.

    >>> in_one_line("a group\\n" + "x" * 70_000)
    'a group xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...(70,000 characters)'
    >>> len(in_one_line("a group " * 70_000))
    1405
    """
    line = " ".join(
        word if len(word) <= LONGEST_WORD else f"{word[:40]}...({len(word):,} characters)"
        for word in str(text).split()
    )
    return line if len(line) <= BEGINNING + END else f"{line[:BEGINNING]} ... {line[-END:]}"


def show(text="", end="\n"):
    """Print to stdout at once; OSError that names stdout where that is refused (a full disk, say).

    Without a text it sends what was printed before, if anything: Python would write no bytes at all, which a
    full disk and a closed pipe refuse too.

    >>> show("2 files agree.")
    2 files agree.
    """
    try:
        if text or end:
            print(text, end=end)
        sys.stdout.flush()
    except OSError as error:
        raise OSError(error.errno, error.strerror, "stdout") from None


def remark(text, end="\n"):
    """Print to stderr; where that is refused, the exit code has to do."""
    with suppress(OSError):
        print(text, end=end, file=sys.stderr, flush=True)


def say(first, *further):
    """Print lines to stderr as one remark, those after the first set in, wrapped to the width where it is a terminal.

    A line that begins with a blank is a command to be copied: no line break is put into it.
    """
    for line, indent in ((first, ""), *((line, "  ") for line in further)):
        remark(f"{indent}{line}" if line.startswith(" ") else _wrapped(line, sys.stderr, indent))


def show_sentences(lines):
    """Print lines to stdout as `show` does, wrapped to the width where it is a terminal."""
    show("\n".join(_wrapped(line, sys.stdout) for line in lines))


def warn(line, program="wsclust"):
    """Print a warning to stderr: one line, wrapped to the width where it is a terminal."""
    say(f"{program}: warning: {line}")


def on_terminal():
    """Whether somebody reads stderr as it is written."""
    return sys.stderr.isatty()


def _wrapped(line, stream, indent=""):
    if not stream.isatty():
        return f"{indent}{line}"
    return textwrap.fill(
        line, _columns(stream), initial_indent=indent, subsequent_indent="  ", **_WHOLE_WORDS
    )


def _columns(terminal):
    try:
        return max(os.get_terminal_size(terminal.fileno()).columns or _COLUMNS, _FEWEST_COLUMNS)
    except OSError:  # a terminal that does not say
        return _COLUMNS


def drop_unsent():
    """Send what stdout or stderr would not take nowhere: Python tries it again at exit and fails with 120."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
