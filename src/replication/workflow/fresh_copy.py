"""Results that came with a copy of the project are made anew once, whatever their times.

Results and figures are committed, and the times that they have in a fresh clone or an unpacked archive say
nothing about what they were made from. So before the first run in a folder they are given a time older than
everything they depend on. A git-ignored mark says that this has been done, so a first run that was stopped
goes on from where it was.
"""

import os
from pathlib import Path

MARK = ".workflow-began"
COMMITTED = ("results", "figures")
LONG_AGO = 24 * 3600  # 2 January 1970


def distrust_committed(folder):
    """Before the first run in `folder`, make its results and figures older than all else.

    Raises PermissionError where they belong to another user.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> (folder / "results").mkdir()
    >>> (folder / "results" / "a.csv").touch()
    >>> distrust_committed(folder)
    >>> (folder / "results" / "a.csv").stat().st_mtime, is_fresh(folder)
    (86400.0, False)
    """
    if not is_fresh(folder):
        return
    for top in COMMITTED:
        for path in Path(folder, top).rglob("*"):
            if path.is_file():
                os.utime(path, (LONG_AGO, LONG_AGO))
    Path(folder, MARK).touch()


def is_fresh(folder):
    """Whether no run has begun in `folder` yet."""
    return not Path(folder, MARK).exists()
