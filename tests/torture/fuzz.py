"""Run many trials, each in a process that may be lost, and say which promises were broken.

    python -m torture.fuzz --trials 10000 [--first 0]

From the folder tests. A trial that failed is run again by itself with `--first SEED --trials 1`, which prints what it
printed. Exit codes: 0 every promise was kept, 1 some were broken.
"""

import argparse
import contextlib
import io
import multiprocessing
import os
import resource
import signal
import sys
import tempfile
import time
import warnings
from pathlib import Path

import psutil

SECONDS, BYTES = 60, 12 * 2**30  # of processor time that one trial may take; what a process may ask for
PATIENCE = 20  # times as much by the clock, on a busy machine


def run_trial(seed):
    """Run one trial: (command, exit code or name of the error, sentences, what was printed)."""
    from torture.promises import OLD, broken_promises
    from torture.trials import trial

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tried = trial(seed, folder)
        for output in () if tried.keeps else tried.outputs:
            (folder / output).write_bytes(OLD)
        code, printed, said = call(tried.main, tried.arguments, folder)
        same = None
        if tried.same_as is not None and code in (0, 3):
            same = call(tried.main, tried.same_as, folder)[0]
        try:
            sentences = list(broken_promises(tried, folder, code, printed, said, same))
        except Exception as error:  # an output that cannot even be read
            sentences = [f"an output that cannot be read: {type(error).__name__}: {error}"]
    called = " ".join(tried.arguments)
    kind = code if isinstance(code, int) else type(code).__name__
    return tried.arguments[0], kind, sentences, f"{called}\n{printed}{said}"


def call(main, arguments, folder):
    """The exit code of a command called in a folder, or the exception that came instead, and what it printed."""
    printed, said, here = io.StringIO(), io.StringIO(), os.getcwd()
    os.chdir(folder)
    try:
        with (
            contextlib.redirect_stdout(printed),
            contextlib.redirect_stderr(said),
            warnings.catch_warnings(),
        ):
            code = main(arguments)
    except SystemExit as end:
        code = end.code
    except Exception as error:
        code = error
    finally:
        os.chdir(here)
    return code, printed.getvalue(), said.getvalue()


def _worker(seeds, results):
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    for seed in seeds:
        results.send((seed, None))
        results.send((seed, run_trial(seed)))


def run_trials(first, trials, report=lambda done: None):
    """Run the trials of the numbers from `first` on: a dict of counts by (command, exit), and the failures.

    A failure is (seed, sentences, what was printed). A process that crashes, or takes too long over a trial, is a
    failure of that trial, and the next process goes on after it.
    """
    counts, failures, seed = {}, [], first
    context = multiprocessing.get_context("spawn")
    while seed < first + trials:
        receive, send = context.Pipe(duplex=False)
        process = context.Process(target=_worker, args=(range(seed, first + trials), send))
        process.start()
        send.close()
        running = seed
        try:
            while _reported(receive, process.pid):
                running, outcome = receive.recv()
                if outcome is None:
                    continue
                command, code, sentences, printed = outcome
                counts[command, code] = counts.get((command, code), 0) + 1
                if sentences:
                    failures.append((running, sentences, printed))
                report(running + 1 - first)
                running += 1
            process.kill()
            failures.append((running, [f"no end after {SECONDS} s"], ""))
        except EOFError:
            process.join()
            if running < first + trials:
                failures.append((running, [f"the process died: {_how(process.exitcode)}"], ""))
        process.join()
        seed = running + 1
    return counts, failures


def _reported(receive, process):
    """Whether a trial's report comes before its time is up; EOFError where the process has ended."""
    began, used = time.monotonic(), _processor_time(process)
    while not receive.poll(1):
        if _processor_time(process) - used > SECONDS or time.monotonic() - began > PATIENCE * SECONDS:
            return False
    return True


def _processor_time(process):
    try:
        times = psutil.Process(process).cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return times.user + times.system


def _how(code):
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="the number of the first trial")
    options = parser.parse_args(arguments)
    began = time.monotonic()

    def report(done):
        if sys.stderr.isatty():
            print(f"\r{done:,} of {options.trials:,}", end="", file=sys.stderr, flush=True)

    counts, failures = run_trials(options.first, options.trials, report)
    if options.trials == 1:
        print(run_trial(options.first)[3])
    for seed, sentences, _ in failures:
        print(f"trial {seed}: {'; '.join(sentences)}"[:1000])
    for (command, code), number in sorted(counts.items(), key=str):
        print(f"{command}: {number:,} ended with {code}")
    print(
        f"fuzz: {options.trials:,} trials in {time.monotonic() - began:.0f} s, {len(failures):,} broke a promise"
    )
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
