"""Results and figures outlive a run that fails, is interrupted or is killed.

Snakemake removes a job's outputs before the job and after one that failed. Copies of all committed files are
therefore kept while a run lasts, and those that are gone at its end are put back; where the run was killed, its
guard does that (replication.workflow.guard), and where that was ended too, the next run before anything else.
Snakemake may hold a file that was put back for up to date, as it compares what it has recorded of its inputs, so
the next run does not find it there and makes it.
"""

import os
import re
import shutil
from pathlib import Path

from replication.workflow.fresh_copy import COMMITTED, LONG_AGO
from wsclust.tables import lives, replacing

KEPT = Path(".snakemake", "kept")
# The names of files that were put back, until they are made.
WAITING = Path(".snakemake", "put_back.txt")
PRIVATE = Path("results", "private")
WRITTEN = (*COMMITTED, "build")
# As wsclust.tables.replacing names a file while it is written: .NAME.HOST.PROCESS.ENDING
TEMPORARY = re.compile(r"\..+\.(\d+)(\.\w+)?")


def keep(folder):
    """Copy every committed result and figure of the project in `folder` aside; move those once put back."""
    for path in _waiting(folder):
        if Path(folder, path).exists():
            shutil.move(Path(folder, path), _place(folder, path))
    for path in _files(folder, COMMITTED):
        if PRIVATE not in path.parents:
            shutil.copyfile(Path(folder, path), _place(folder, path))


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
    kept = _files(Path(folder, KEPT), COMMITTED)
    gone = [path for path in kept if not Path(folder, path).exists()]
    # Those that wait and were not moved aside were not made again either.
    waiting = sorted({*gone, *_waiting(folder).difference(kept)})
    if waiting:
        Path(folder, WAITING).write_text("".join(f"{path}\n" for path in waiting), encoding="utf-8")
    else:
        Path(folder, WAITING).unlink(missing_ok=True)
    for path in gone:
        # Results may be on another file system than the copies, which a rename does not cross.
        with replacing(Path(folder, path)) as temporary:
            shutil.copyfile(Path(folder, KEPT, path), temporary)
            os.utime(temporary, (LONG_AGO, LONG_AGO))
    shutil.rmtree(Path(folder, KEPT), ignore_errors=True)
    return len(gone)


def remove_temporaries(folder):
    """Remove the files that a killed job was writing; those of a process that lives are left alone."""
    for path in _files(folder, WRITTEN):
        found = TEMPORARY.fullmatch(path.name)
        if found and not lives(int(found[1])):
            Path(folder, path).unlink(missing_ok=True)


def _waiting(folder):
    try:
        return {Path(line) for line in Path(folder, WAITING).read_text(encoding="utf-8").splitlines()}
    except FileNotFoundError:
        return set()


def _place(folder, path):
    place = Path(folder, KEPT, path)
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


def _files(folder, tops):
    """Paths of all files below these of the folder's folders, relative to it."""
    return [
        Path(path, name).relative_to(folder)
        for top in tops
        for path, _, names in os.walk(Path(folder, top))
        for name in sorted(names)
    ]
