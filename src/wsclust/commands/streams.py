"""What a command says: results on stdout, which must arrive, and remarks on stderr, which need not."""

import os
import sys
from contextlib import suppress


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


def drop_unsent():
    """Send what stdout or stderr would not take nowhere: Python tries it again at exit and fails with 120."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
