"""Which files a name stands for: one CSV or Parquet file, a pattern such as `log-*.csv`, or a folder.

A folder stands for its .csv, .csv.gz and .parquet files; hidden ones, whose names begin with . or _, are left
out. A folder within it that holds such files is refused, and `folder/**/*.csv` takes them all but the hidden.
A file that links lead to by several names is one file.
"""

import glob
import os
import re
from pathlib import Path

_ENDINGS = {".csv": "csv", ".csv.gz": "csv", ".parquet": "parquet"}
_EXPECTED = "expected .csv, .csv.gz or .parquet"


def find_files(where):
    """The files that a file name, a pattern or a folder stands for, sorted, and their kind."""
    if not str(where):  # which as a path is the folder one is in
        raise ValueError(f"{where!r}: no name of a file; {_EXPECTED}")
    path = Path(where)
    if path.is_dir():
        _refuse_nested(str(where))
        inside = sorted(child for child in path.iterdir() if not _is_hidden(child.name))
        found = [str(child) for child in inside if _ending(child) and child.is_file()]
        if not found:
            have = ", ".join(child.name for child in inside[:5]) or "nothing"
            raise ValueError(f"{where}: no events in this folder; {_EXPECTED} files, found {have}")
    elif path.exists():
        found = [str(path)]
    else:
        found = sorted(glob.glob(str(where), recursive=True))
        if "**" in str(where):  # which stands for folders too, hidden ones among them
            start = len(str(where).split("**")[0])
            found = [name for name in found if not os.path.isdir(name) and not _is_hidden(name[start:])]
        if not found:
            raise ValueError(f"{where}: {_why_none(str(where))}")
    names = {}
    for file in found:
        names.setdefault(os.path.realpath(file), file)
    found = list(names.values())
    kinds = {}
    for file in found:
        refuse_streams(file)
        if not _ending(file):
            raise ValueError(f"{file}: what kind of file is it? {_EXPECTED}: rename or convert it")
        kinds.setdefault(_ending(file), file)
    if len(kinds) > 1:
        one, other = kinds.values()
        raise ValueError(f"{where}: CSV and Parquet mixed ({one}, {other}); name files of one kind")
    _refuse_packed_twins(found)
    return found, next(iter(kinds))


def refuse_streams(file):
    """Raise ValueError where a name is not of a file but of what can be read only once, or without end."""
    if os.path.exists(file) and not os.path.isfile(file) and not os.path.isdir(file):
        raise ValueError(
            f"{file}: a pipe, a socket or a device, and files are read more than once; write it to a file first"
        )


def _refuse_packed_twins(files):
    """Raise ValueError where a file is there packed and unpacked: `gzip --keep` leaves both, and each event twice."""
    plain = {file for file in files if not file.lower().endswith(".gz")}
    for file in files:
        if file.lower().endswith(".gz") and file[: -len(".gz")] in plain:
            raise ValueError(
                f"{file}: {file[: -len('.gz')]} is there too, and events in both would count twice; remove one of "
                "them, or rename it where they are different events"
            )


def partitions(path):
    """The columns that the folders of a path stand for, such as `day` in `log/day=1/part.csv`.

    >>> partitions("log/day=2024-01-01/shop=7/part.csv")
    ['day', 'shop']
    """
    folders = path.split(os.sep)[:-1]
    return list(dict.fromkeys(part.split("=")[0] for part in folders if re.fullmatch(r"[^=?]+=[^=?]*", part)))


def _why_none(where):
    """Why a name or pattern may stand for no file, and the remedy."""
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", where):
        return f"a URL; {_EXPECTED} on this machine: download it first"
    if where.startswith("~") and os.path.exists(os.path.expanduser(where.split(os.sep)[0])):
        return f"no such file, for a shell leaves ~ alone in quotes; write {os.path.expanduser(where)!r}"
    literal = _literal_folders(where)
    if literal != where and glob.glob(literal, recursive=True):
        return f"no such file, for brackets and stars make a pattern of a folder's name; write {literal!r}"
    folder = os.path.dirname(where)
    if folder and not glob.has_magic(folder) and not os.path.isdir(folder):
        return f"no such file, and no folder {folder!r}; {_EXPECTED}: check the name"
    return f"no such file; {_EXPECTED}: check the name"


def _literal_folders(where):
    """A pattern in which the parts that are names of folders are no patterns."""
    path = os.sep if where.startswith(os.sep) else ""
    parts = []
    for part in where.split(os.sep):
        path = os.path.join(path, part)
        parts.append(glob.escape(part) if os.path.isdir(path) else part)
    return os.sep.join(parts)


def _refuse_nested(folder):
    """Raise ValueError where a folder within a folder holds tables, which would be left out unseen."""
    start = glob.escape(folder.rstrip("/"))
    own = {os.path.realpath(child) for child in Path(folder).iterdir()}
    for file in glob.iglob(f"{start}/[!._]*/**/*", recursive=True):
        if not _ending(file) or not os.path.isfile(file) or _is_hidden(os.path.relpath(file, folder)):
            continue
        if os.path.realpath(file) not in own:
            files = "*" + next(file[-len(end) :] for end in _ENDINGS if file.lower().endswith(end))
            raise ValueError(
                f"{folder}: {file} is in a folder within it, and would be left out; name all files with "
                f"'{start}/**/{files}', or only those outside with '{start}/{files}'"
            )


def _is_hidden(path):
    return any(part[0] in "._" for part in path.split(os.sep) if part)


def _ending(file):
    return next((kind for end, kind in _ENDINGS.items() if str(file).lower().endswith(end)), None)
