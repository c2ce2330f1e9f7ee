"""Run Snakemake for `make`, one run at a time.

`.snakemake-make.lock`, at the top of the project and not in git, is locked while a run lasts. The
system lets go of it when the processes end, whatever ended them, so no stale lock is ever in the
way; Snakemake's own lock, which a kill leaves behind, is not used.
"""

import argparse
import fcntl
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ".snakemake-make.lock"


class Busy(Exception):
    """Another run holds the folder; the message says which process."""


@contextmanager
def only_run(folder):
    """Hold the folder's lock and yield its file descriptor.

    The lock belongs to the open file, not to this process: a Snakemake that inherits the
    descriptor keeps the lock should this process be killed alone.

    Raises:
        Busy: another run holds the lock.
    """
    descriptor = os.open(Path(folder, LOCK), os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 20).decode().strip() or "unknown"
            raise Busy(
                f"another run (process {holder}) is at work in this folder; wait for it or stop it"
            ) from None
        yield descriptor
    finally:
        os.close(descriptor)


def command(targets, cores, configfiles):
    """The Snakemake command as a list of words.

    >>> command(["figures/figure4.pdf"], "2", [])[1:6]
    ['-m', 'snakemake', '--cores', '2', '--nolock']
    """
    words = [sys.executable, "-m", "snakemake", "--cores", cores, "--nolock"]
    words += ["--profile", "profiles/default"]
    if configfiles:
        words += ["--configfile", *configfiles]
    return [*words, "--", *targets]


def run(words, folder, descriptor):
    """Run Snakemake to its end and return its exit code (128 + n where signal n ended it).

    A Ctrl-C at the terminal reaches Snakemake by itself, which then stops its jobs; this process
    only waits for that. A SIGTERM for this process alone is passed on.
    """
    process = None

    def pass_on(number, _frame):
        if process is not None and number == signal.SIGTERM:
            process.send_signal(number)

    # Handlers and not SIG_IGN, which Snakemake would inherit.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, pass_on)
    # Modules of the user's own must not stand in for Snakemake's; its jobs set their path themselves.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    process = subprocess.Popen(words, cwd=folder, pass_fds=[descriptor], env=environment)
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{process.pid}\n".encode(), 0)
    code = process.wait()
    return code if code >= 0 else 128 - code


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Run the workflow, or make single files.")
    parser.add_argument("targets", nargs="*", metavar="FILE", help="files to make (default: all)")
    parser.add_argument("--cores", default="all", help="processor cores to use (default: all)")
    parser.add_argument("--configfile", nargs="+", default=[], help="the later overrides")
    options = parser.parse_args(arguments)
    # With 0 cores Snakemake would wait for ever.
    if options.cores != "all" and not (options.cores.isdecimal() and int(options.cores) > 0):
        print(f"workflow: cores {options.cores!r}: expected all or a number from 1", file=sys.stderr)
        return 2
    try:
        with only_run(ROOT) as descriptor:
            words = command(options.targets, options.cores, options.configfile)
            return run(words, ROOT, descriptor)
    except Busy as busy:
        print(f"workflow: {busy}.", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
