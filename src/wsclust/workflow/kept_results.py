"""Results and figures outlive a run that fails, is interrupted or is killed.

Snakemake removes a job's outputs before the job and after one that failed. Copies of all committed files are
therefore kept while a run lasts, and those that are gone at its end are put back; where even this process was
killed, the next run puts them back first. They get an old time, so the next run still makes them.
"""

import os
import re
import shutil
from pathlib import Path

from wsclust.workflow.fresh_copy import COMMITTED, LONG_AGO

KEPT = Path(".snakemake", "kept")
PRIVATE = Path("results", "private")
WRITTEN = (*COMMITTED, "build")
# As wsclust.files.replacing names a file while it is written: .NAME.PROCESS.ENDING
TEMPORARY = re.compile(r"\..+\.(\d+)(\.\w+)?")


def keep(folder):
    """Copy every committed result and figure of the project in `folder` aside."""
    for path in _files(folder, COMMITTED):
        if PRIVATE not in path.parents:
            copy = Path(folder, KEPT, path)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(Path(folder, path), copy)


def put_back(folder):
    """Put back what was kept and is gone; return how many files that were.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> (folder / "results").mkdir()
    >>> _ = (folder / "results" / "a.csv").write_text("a")
    >>> keep(folder)
    >>> (folder / "results" / "a.csv").unlink()
    >>> put_back(folder), put_back(folder)
    (1, 0)
    """
    kept, count = Path(folder, KEPT), 0
    for path in _files(kept, COMMITTED):
        target = Path(folder, path)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            os.utime(kept / path, (LONG_AGO, LONG_AGO))
            os.replace(kept / path, target)
            count += 1
    shutil.rmtree(kept, ignore_errors=True)
    return count


def remove_temporaries(folder):
    """Remove the files that a killed job was writing; those of a process that lives are left alone."""
    for path in _files(folder, WRITTEN):
        found = TEMPORARY.fullmatch(path.name)
        if found and not _lives(int(found[1])):
            Path(folder, path).unlink(missing_ok=True)


def _files(folder, tops):
    """Paths of all files below these of the folder's folders, relative to it."""
    return [
        Path(path, name).relative_to(folder)
        for top in tops
        for path, _, names in os.walk(Path(folder, top))
        for name in sorted(names)
    ]


def _lives(process):
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
