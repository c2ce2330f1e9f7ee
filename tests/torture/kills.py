"""Stop commands and the workflow at random moments, disturb them otherwise, and see that nothing is lost.

    python -m torture.kills --kills 20 [--workflow 20]

From the folder tests. After every kill each output is whole, the old one or the new; the next run gives the same bytes
as one that nobody disturbed, and leaves nothing beside them. Exit codes: 0 all of that held, 1 not all.
"""

import argparse
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random

from torture.commands import COMMANDS, outputs_of, write_inputs
from torture.faults import FAULTS
from torture.promises import OLD
from torture.scene import ROOT

LOCK = ".snakemake-make.lock"


def stopped(name, kills, random, folder, number=signal.SIGKILL):
    """Sentences about what was lost when the command of this name was stopped so many times by a signal."""
    command = COMMANDS[name]
    began = time.monotonic()
    process = command.start(folder)
    process.communicate()
    seconds = time.monotonic() - began
    whole = outputs_of(command, folder)
    inputs = {path.name for path in folder.iterdir()}.difference(command.outputs)
    for kill in range(kills):
        for output in command.outputs:
            (folder / output).write_bytes(OLD)
        process = command.start(folder)
        time.sleep(random.uniform(0, 1.1 * seconds))
        with suppress(ProcessLookupError):  # it may have ended
            os.killpg(process.pid, number)
        said = process.communicate()[1].decode()
        found = outputs_of(command, folder)
        where = f"{name}, stop {kill}"
        yield from (f"{where}: {output} is neither old nor new" for output in found
                    if found[output] not in (OLD, whole[output]))  # fmt: skip
        # Before the command's own first line, a Ctrl-C meets Python as it starts.
        if "Traceback" in said and " in main\n" in said:
            yield f"{where}: a traceback: {said[-300:]}"
        if number == signal.SIGINT and process.returncode not in (0, 130, -signal.SIGINT):
            yield f"{where}: exit code {process.returncode}: {said[-300:]}"
        again = command.start(folder)
        again.communicate()
        if again.returncode or outputs_of(command, folder) != whole:
            yield f"{where}: the next run ended with {again.returncode} or wrote other bytes"
        left = {path.name for path in folder.iterdir()} - inputs.union(command.outputs)
        yield from (f"{where}: {name} was left behind" for name in sorted(left))


def workflow_killed(kills, random, folder):
    """Sentences about the small workflow that was killed so many times, with results from before in their places."""
    run = [sys.executable, "scripts/run_workflow.py", "--cores", "2"]
    run += ["--configfile", "config/config.yaml", "config/smoke.yaml"]
    whole, cut = folder / "whole", folder / "cut"
    old = _results(_copy(whole))
    began = time.monotonic()
    subprocess.run(run, cwd=whole, check=True, capture_output=True)
    seconds, new = time.monotonic() - began, _results(whole)
    for kill in range(kills):
        if kill % 5 == 0:  # begin again, so that kills fall into all of its course
            shutil.rmtree(cut, ignore_errors=True)
            _copy(cut)
        process = subprocess.Popen(
            run, cwd=cut, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        time.sleep(random.uniform(0, seconds / 2))
        with suppress(ProcessLookupError):  # it may have ended
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        _await_guard(cut)
        found = _results(cut)
        for name in old.keys() | found.keys():
            if found.get(name) not in (old.get(name), new.get(name)):
                yield f"workflow, kill {kill}: {name} is {'neither old nor new' if name in found else 'gone'}"
        print(f"workflow: kill {kill + 1} of {kills}", file=sys.stderr)
    done = subprocess.run(run, cwd=cut, capture_output=True, text=True)
    if done.returncode:
        yield f"workflow: the run after {kills} kills ended with {done.returncode}: {done.stderr[-500:]}"
    found = _results(cut)
    for name in new.keys() | found.keys():
        if found.get(name) != new.get(name):
            yield f"workflow: {name} is other after {kills} kills"


def _copy(folder):
    copy = [sys.executable, "scripts/scratch_copy.py", folder]
    subprocess.run(copy, cwd=ROOT, check=True, capture_output=True)
    return folder


def _results(folder):
    paths = [path for top in ("results", "figures") for path in (folder / top).rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def _await_guard(folder):
    """Wait until the guard of a killed run has put back what was gone and let go of the lock."""
    time.sleep(2)  # it may still be starting
    with open(folder / LOCK, "a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=20, help="of each command, and as many Ctrl-C")
    parser.add_argument("--workflow", type=int, default=0, metavar="KILLS", help="of the small workflow")
    options = parser.parse_args(arguments)
    # The commands must feel a Ctrl-C, which a shell has its background jobs ignore.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    random, found = Random(options.kills), []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_inputs(folder)
        for command in COMMANDS:
            for number in (signal.SIGKILL, signal.SIGINT):
                found += stopped(command, options.kills, random, folder, number)
                print(
                    f"{command}: {number.name} {options.kills} times, {len(found)} faults so far", flush=True
                )
            for fault in FAULTS:
                found += fault(command, folder)
    if options.workflow:
        with tempfile.TemporaryDirectory() as name:
            found += workflow_killed(options.workflow, random, Path(name))
    print(*found, f"kills: {len(found)} faults", sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
