"""What may disturb a command other than a kill, and what must hold all the same."""

import os
import subprocess
from contextlib import contextmanager, suppress

from torture.commands import COMMANDS, WSCLUST, outputs_of
from torture.promises import OLD

FUTURE = 4102444800  # 2100


def at_once(name, folder):
    """Sentences about two runs of one command side by side."""
    command = COMMANDS[name]
    command.start(folder).communicate()
    whole = outputs_of(command, folder)
    both = [command.start(folder), command.start(folder)]
    for process in both:
        process.communicate()
    if any(process.returncode for process in both) or outputs_of(command, folder) != whole:
        yield f"{name}: two at once ended with {[process.returncode for process in both]} or wrote other bytes"


def with_the_clock_back(name, folder):
    """Sentences about a run to which all files, old outputs too, are from a time that is yet to come."""
    command = COMMANDS[name]
    command.start(folder).communicate()
    whole = outputs_of(command, folder)
    for output in command.outputs:
        (folder / output).write_bytes(OLD)
    for path in folder.iterdir():
        os.utime(path, (FUTURE, FUTURE))
    process = command.start(folder)
    process.communicate()
    if process.returncode or outputs_of(command, folder) != whole:
        yield f"{name}: with the clock back exit code {process.returncode}, or other bytes"


def on_a_full_disk(name, folder):
    """Sentences about a run whose outputs go to a disk that is full."""
    with _small_disk(folder, name) as disk:
        with suppress(OSError), open(disk / "filling", "wb", buffering=0) as file:
            while True:
                file.write(b"x" * 512)
        yield from _refused(name, folder, disk, "on a full disk")


def on_a_read_only_disk(name, folder):
    """Sentences about a run whose outputs go to a disk that can only be read, which binds an administrator too."""
    with _small_disk(folder, name) as disk:
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        yield from _refused(name, folder, disk, "on a read-only disk")


@contextmanager
def _small_disk(folder, name):
    """A disk of 16 KiB with the old outputs of the command of this name (Linux, root)."""
    disk = folder / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", disk], check=True)
    try:
        for output in COMMANDS[name].outputs:
            (disk / output).write_bytes(OLD)
        yield disk
    finally:
        subprocess.run(["umount", disk], check=True)
        disk.rmdir()


def _refused(name, folder, disk, where):
    command, there = COMMANDS[name], sorted(path.name for path in disk.iterdir())
    words = [f"disk/{word}" if word in command.outputs else word for word in command.words]
    done = subprocess.run([*WSCLUST, *words], cwd=folder, capture_output=True, text=True)
    lines = [line for line in done.stderr.splitlines() if ": warning: " not in line]
    if done.returncode != 2 or len(lines) != 1:
        yield f"{name}: {where} exit code {done.returncode} and {len(lines)} lines: {lines[-2:]}"
    if any((disk / output).read_bytes() != OLD for output in command.outputs):
        yield f"{name}: {where} an old output was lost"
    if sorted(path.name for path in disk.iterdir()) != there:
        yield f"{name}: {where} something was left behind: {sorted(path.name for path in disk.iterdir())}"


ROOTS = on_a_full_disk, on_a_read_only_disk
FAULTS = at_once, with_the_clock_back, *(ROOTS if hasattr(os, "geteuid") and os.geteuid() == 0 else ())
