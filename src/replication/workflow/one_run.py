"""One run of the workflow at a time in a folder, and what must hold before it and after it.

`make` and plain `snakemake` both come through here. `.snakemake-make.lock`, at the top of the project and
not in git, is locked while a run lasts. The system lets go of it when the processes end, whatever ended them,
so no stale lock is ever in the way, as Snakemake's own is after a kill.
"""

import atexit
import fcntl
import os
import sys
import time
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path

from replication.workflow.fresh_copy import distrust_committed
from replication.workflow.guard import guarded
from replication.workflow.kept_results import keep, put_back, remove_temporaries
from wsclust.tables import lives

LOCK = ".snakemake-make.lock"
# The folder that the process which started this one holds.
HELD = "WSCLUST_RUN_IN"
# Seconds to wait for the lock where the run that wrote its process into it lives, and where it was killed: its guard
# then has the lock until the results are in their places.
PATIENCE, PATIENCE_WITH_GUARD = 1, 20
# Seconds that clocks of a file server and of this machine may be apart.
AHEAD = 2


@contextmanager
def prepared_run(folder):
    """Hold the folder for one run; yield the lock's file descriptor, None where there are no locks.

    Before: what a killed run left is cleared away, results that came with a copy are given old times, and
    committed results are kept. After: those that the run removed and did not make again are put back, by a guard
    where this process was killed.

    Raises ValueError, one line, where another run is at work or a file's time lies ahead, and OSError.
    """
    with (
        only_run(folder) as descriptor,
        guarded(folder, Path(folder, LOCK)) if descriptor is not None else nullcontext(),
    ):
        put_back(folder)
        remove_temporaries(folder)
        distrust_committed(folder)
        check_times(folder)
        keep(folder)
        try:
            yield descriptor
        finally:
            if count := put_back(folder):
                print(
                    f"workflow: put back {count} results that were removed and not made again; "
                    "the next run makes them.",
                    file=sys.stderr,
                )


def hold_until_exit(folder):
    """The same for the rest of this process; nothing where the process that started it holds the folder."""
    if os.environ.get(HELD) == str(Path(folder).resolve()):
        return
    stack = ExitStack()
    descriptor = stack.enter_context(prepared_run(folder))
    note_holder(descriptor, os.getpid())
    atexit.register(stack.close)


@contextmanager
def only_run(folder):
    """Hold the folder's lock and yield its file descriptor; None, said in a line, where there are no locks.

    The lock belongs to the open file, not to this process: a Snakemake that inherits the descriptor keeps the
    lock should this process be killed alone. Raises ValueError where another run holds the lock.
    """
    descriptor = os.open(Path(folder, LOCK), os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            _lock(descriptor)
        except BlockingIOError:
            holder = _holder(descriptor) or "unknown"
            raise ValueError(
                f"another run (process {holder}) is at work in this folder; wait for it or stop it"
            ) from None
        except OSError as error:
            # Some network file systems have no locks.
            print(
                f"workflow: no file lock here ({error.strerror}); start no other run meanwhile.",
                file=sys.stderr,
            )
            yield None
            return
        yield descriptor
    finally:
        os.close(descriptor)


def _lock(descriptor):
    began = time.monotonic()
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _holder(descriptor)
            killed = holder.isdecimal() and not lives(int(holder))
            if time.monotonic() - began > (PATIENCE_WITH_GUARD if killed else PATIENCE):
                raise
        time.sleep(0.1)


def _holder(descriptor):
    """The process that a lock's file names, as text, "" for none."""
    return os.pread(descriptor, 20, 0).decode().strip()


def note_holder(descriptor, process):
    """Write the process that holds a lock into its file, for the message to another run."""
    if descriptor is not None:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{process}\n".encode(), 0)


def check_times(folder):
    """Raise ValueError, one line, on a file whose time lies ahead of the clock.

    What Snakemake made from it would be older than it, which Snakemake takes for a failure.
    """
    now = time.time()
    found = []
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        paths = [Path(top, name) for name in sorted(names) if not name.startswith(".")]
        found += [path for path in paths if path.exists() and path.stat().st_mtime > now + AHEAD]
    if found:
        first = found[0].relative_to(folder)
        form = "%Y-%m-%d %H:%M:%S"
        its_time = time.strftime(form, time.localtime(found[0].stat().st_mtime))
        more = f" (and {len(found) - 1} more files)" if len(found) > 1 else ""
        raise ValueError(
            f"{first}{more}: its time, {its_time}, lies ahead of the clock, "
            f"{time.strftime(form, time.localtime(now))}, so what is made from it would count as older; "
            f"set the clock, or the file's time: touch {first}"
        )
