"""Run Snakemake for `make`, one run at a time."""

import argparse
import os
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from replication.workflow.one_run import HELD, note_holder, prepared_run

ROOT = Path(__file__).resolve().parent.parent


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
    environment[HELD] = str(folder)
    inherited = [] if descriptor is None else [descriptor]
    process = subprocess.Popen(words, cwd=folder, pass_fds=inherited, env=environment)
    note_holder(descriptor, process.pid)
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
        with prepared_run(ROOT) as descriptor:
            words = command(options.targets, options.cores, options.configfile)
            return run(words, ROOT, descriptor)
    except (ValueError, OSError) as error:
        print(f"workflow: {error}.", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
