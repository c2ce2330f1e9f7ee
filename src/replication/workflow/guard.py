"""A process that outlives a killed run and puts back the results that the run had removed.

A SIGKILL ends a run and all its processes before they can put anything back. Each run therefore starts a guard in a
session of its own, which such a kill does not reach. The guard reads from a pipe that only the run holds open, so the
end of the pipe is the end of the run, whatever ended it.
"""

import fcntl
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from replication.workflow.kept_results import put_back, remove_temporaries

SOURCE = str(Path(__file__).parents[2])


@contextmanager
def guarded(folder, lock):
    """Have a guard while a run of the project in `folder` lasts, whose processes lock the file `lock`."""
    words = [sys.executable, "-m", "replication.workflow.guard", os.fspath(folder), os.fspath(lock)]
    guard = subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": SOURCE},
        start_new_session=True,
    )
    try:
        yield
    finally:
        guard.kill()
        guard.communicate()


def main():
    folder, lock = sys.argv[1:]
    sys.stdin.buffer.read()
    # Snakemake may live on where the process that started it was killed alone, and has the lock then.
    with open(lock, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        put_back(folder)
        remove_temporaries(folder)


if __name__ == "__main__":
    main()
