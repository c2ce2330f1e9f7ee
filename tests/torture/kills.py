"""Stop commands at random moments, fill the disk, run two at once, and see that nothing is lost.

    python -m torture.kills --kills 20 [--workflow 20]

From the folder tests. After every kill each output is whole, the old one or the new; the next run gives the same bytes
as one that nobody disturbed, and leaves nothing beside them. Exit codes: 0 all of that held, 1 not all.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from torture.promises import OLD
from torture.trials import ROOT, text_of

WSCLUST = [sys.executable, "-m", "wsclust.cli"]
LABELLED = ["--labels", "labels.csv", "--factors", "level,shape"]
SECONDS = re.compile(rb"\"seconds\"[^\n]*|&#34;seconds&#34;[^\n]*")
FIT = ["fit", "events.csv", *LABELLED, "--half-samples", "50"]


@dataclass(frozen=True)
class Command:
    """`words` of `wsclust`, called in a folder with the inputs of `write_inputs`, and the `outputs` it writes."""

    words: tuple
    outputs: tuple

    def start(self, folder):
        """The running command, in a process group of its own."""
        return subprocess.Popen(
            [*WSCLUST, *self.words],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )


COMMANDS = {
    "fit": Command(
        (*FIT, "--output", "p.csv", "--summary", "p.json", "--report", "p.html"),
        ("p.csv", "p.json", "p.html"),
    ),
    "score": Command(
        ("score", "events.csv", "--posterior", "fitted.csv", "--output", "scored.csv"), ("scored.csv",)
    ),
    "count-shard": Command(
        ("count-shard", "events.csv", "--factors", "level,shape", "--output", "counts.parquet"),
        ("counts.parquet",),
    ),
    "add-counts": Command(("add-counts", "part.parquet", "--output", "total.parquet"), ("total.parquet",)),
    "audit": Command(
        ("fit", "events.csv", *LABELLED, "--audit", "audit.csv", "--output", "a.csv", "--summary", "a.json"),
        ("a.csv", "a.json"),
    ),
}


def write_inputs(folder, events=60_000, groups=200):
    """Events, labels, an audit, a fit and partial counts that take a command a while."""
    random = Random(1)
    share = {f"shop-{i:03d}": round(random.uniform(0.05, 0.95), 3) for i in range(groups)}
    rows = [["group", "level", "shape"]]
    for group in random.choices(list(share), k=events):
        level = random.choices("123", (1, 2, 4) if random.random() < share[group] else (4, 2, 1))[0]
        rows.append([group, level, random.choice(("circle", "square"))])
    labels = [["group", "label"], *([group, str(label)] for group, label in share.items())]
    audit = [[*rows[0], "outcome"], *([*row, random.choice("01")] for row in rows[1:200])]
    for name, table in (("events", rows), ("labels", labels), ("audit", audit)):
        (folder / f"{name}.csv").write_bytes(text_of(table))
    for words in (
        [*FIT, "--output", "fitted.csv"],
        ["count-shard", "events.csv", "--factors", "level,shape", "--output", "part.parquet"],
    ):
        subprocess.run([*WSCLUST, *words], cwd=folder, check=True, capture_output=True)


def stopped(name, kills, random, folder, number=signal.SIGKILL):
    """Sentences about what was lost when the command of this name was stopped so many times by a signal."""
    command = COMMANDS[name]
    began = time.monotonic()
    process = command.start(folder)
    process.communicate()
    seconds = time.monotonic() - began
    whole = _outputs(command, folder)
    inputs = {path.name for path in folder.iterdir()}.difference(command.outputs)
    for kill in range(kills):
        for output in command.outputs:
            (folder / output).write_bytes(OLD)
        process = command.start(folder)
        time.sleep(random.uniform(0, 1.1 * seconds))
        with suppress(ProcessLookupError):  # it may have ended
            os.killpg(process.pid, number)
        said = process.communicate()[1].decode()
        found = _outputs(command, folder)
        where = f"{name}, stop {kill}"
        yield from (f"{where}: {output} is neither old nor new" for output in found
                    if found[output] not in (OLD, whole[output]))  # fmt: skip
        if "Traceback" in said:
            yield f"{where}: a traceback: {said[-300:]}"
        if number == signal.SIGINT and process.returncode not in (0, 130, -signal.SIGINT):
            yield f"{where}: exit code {process.returncode}: {said[-300:]}"
        again = command.start(folder)
        again.communicate()
        if again.returncode or _outputs(command, folder) != whole:
            yield f"{where}: the next run ended with {again.returncode} or wrote other bytes"
        left = {path.name for path in folder.iterdir()} - inputs.union(command.outputs)
        yield from (f"{where}: {name} was left behind" for name in sorted(left))


def _outputs(command, folder):
    """The bytes of each output, without how long the run took, which is all that may differ."""
    return {output: SECONDS.sub(b"", (folder / output).read_bytes()) for output in command.outputs}


def at_once(name, folder):
    """Sentences about two runs of one command side by side."""
    command = COMMANDS[name]
    command.start(folder).communicate()
    whole = _outputs(command, folder)
    both = [command.start(folder), command.start(folder)]
    for process in both:
        process.communicate()
    if any(process.returncode for process in both) or _outputs(command, folder) != whole:
        yield f"{name}: two at once ended with {[process.returncode for process in both]} or wrote other bytes"


def on_a_full_disk(name, folder):
    """Sentences about a run whose outputs go to a disk that is full (Linux, root)."""
    command = COMMANDS[name]
    disk = folder / "full"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", disk], check=True)
    try:
        outputs = [disk / output for output in command.outputs]
        for path in outputs:
            path.write_bytes(OLD)
        with suppress(OSError), open(disk / "filling", "wb", buffering=0) as file:
            while True:
                file.write(b"x" * 512)
        words = [f"full/{word}" if word in command.outputs else word for word in command.words]
        done = subprocess.run([*WSCLUST, *words], cwd=folder, capture_output=True, text=True)
        lines = [line for line in done.stderr.splitlines() if ": warning: " not in line]
        if done.returncode != 2 or len(lines) != 1:
            yield f"{name}: on a full disk exit code {done.returncode} and {len(lines)} lines: {lines[-2:]}"
        if any(path.read_bytes() != OLD for path in outputs):
            yield f"{name}: on a full disk an old output was lost"
        if len(list(disk.iterdir())) != len(outputs) + 1:
            yield f"{name}: on a full disk something was left behind: {sorted(path.name for path in disk.iterdir())}"
    finally:
        subprocess.run(["umount", disk], check=True)
        disk.rmdir()


def workflow_killed(kills, random, folder):
    """Sentences about the small workflow that was killed so many times and then run to its end."""
    run = [sys.executable, "scripts/run_workflow.py", "--cores", "2"]
    run += ["--configfile", "config/config.yaml", "config/smoke.yaml"]
    copy = [sys.executable, "scripts/scratch_copy.py", "--without", "results", "--without", "figures"]
    whole, cut = folder / "whole", folder / "cut"
    for copied in (whole, cut):
        subprocess.run([*copy, copied], cwd=ROOT, check=True, capture_output=True)
    began = time.monotonic()
    subprocess.run(run, cwd=whole, check=True, capture_output=True)
    seconds = time.monotonic() - began
    for kill in range(kills):
        process = subprocess.Popen(
            run, cwd=cut, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        time.sleep(random.uniform(0, seconds / 2))
        with suppress(ProcessLookupError):  # it may have ended
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        print(f"workflow: kill {kill + 1} of {kills}", file=sys.stderr)
        if kill % 5 == 4:  # begin again, so that kills fall into all of its course
            shutil.rmtree(cut)
            subprocess.run([*copy, cut], cwd=ROOT, check=True, capture_output=True)
    done = subprocess.run(run, cwd=cut, capture_output=True, text=True)
    if done.returncode:
        yield f"workflow: the run after {kills} kills ended with {done.returncode}: {done.stderr[-500:]}"
    compared = subprocess.run(
        [sys.executable, "-m", "replication", "compare", whole / "results", cut / "results"],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    if compared.returncode:
        yield f"workflow: other results after {kills} kills: {compared.stdout[-500:]}{compared.stderr[-500:]}"
    remains = [path for top in ("results", "figures") for path in (cut / top).rglob(".*")]
    yield from (f"workflow: {path.name} was left behind" for path in remains)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=20, help="of each command, and as many Ctrl-C")
    parser.add_argument("--workflow", type=int, default=0, metavar="KILLS", help="of the small workflow")
    options = parser.parse_args(arguments)
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
            found += at_once(command, folder)
            if hasattr(os, "geteuid") and os.geteuid() == 0:
                found += on_a_full_disk(command, folder)
    if options.workflow:
        with tempfile.TemporaryDirectory() as name:
            found += workflow_killed(options.workflow, random, Path(name))
    print(*found, f"kills: {len(found)} faults", sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
