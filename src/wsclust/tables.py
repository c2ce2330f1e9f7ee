"""Tables and other files that are written whole or not at all.

A file is written beside its place, as `.NAME.HOST.PROCESS.ENDING`, and then renamed. What a process that was killed
left of that is removed when the file is next written on the same machine.
"""

import glob
import os
import platform
import re
import stat
from contextlib import ExitStack, contextmanager
from pathlib import Path


def writable(path):
    """The file that `path` stands for, at the end of any links.

    Raises ValueError where it is there and is a folder, a pipe or a device, or may not be written to, and where
    links lead round in a circle.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp()).resolve()
    >>> (folder / "link.csv").symlink_to("target.csv")
    >>> writable(folder / "link.csv").name
    'target.csv'
    """
    file = Path(os.path.realpath(path))
    if file.is_symlink():
        raise ValueError(f"{path}: a link that leads back to itself; name another")
    if not file.exists():
        return file
    mode = file.stat().st_mode
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "a pipe, a socket or a device"
        raise ValueError(f"{path}: {what}, and no file that can be replaced; name another")
    # The system lets an administrator write all the same.
    if not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(file, os.W_OK):
        raise ValueError(f"{path}: read-only; name another, or allow writing to it")
    return file


@contextmanager
def replacing(path):
    """A temporary path beside `path`, renamed to it when the block succeeds and removed when it fails.

    Where `path` is a link, the file at its end is written. A file that is there keeps its permissions. Raises
    ValueError where what is there may not be replaced (see `writable`).

    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp(), "answer.txt")
    >>> with replacing(target) as temporary:
    ...     _ = temporary.write_text("42")
    >>> target.read_text()
    '42'
    """
    path = writable(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    # The suffix stays last: matplotlib and others choose the format by it.
    begun = f".{path.stem}.{re.sub(r'[^A-Za-z0-9-]', '-', platform.node())}"
    temporary = path.with_name(f"{begun}.{os.getpid()}{path.suffix}")
    _remove_remains(path.parent, begun, path.suffix)
    try:
        yield temporary
        if path.exists():
            temporary.chmod(stat.S_IMODE(path.stat().st_mode))
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _remove_remains(folder, begun, suffix):
    for remains in glob.glob(f"{glob.escape(begun)}.*{glob.escape(suffix)}", root_dir=folder):
        process = remains.removeprefix(f"{begun}.").removesuffix(suffix)
        if process.isdecimal() and not lives(int(process)):
            Path(folder, remains).unlink(missing_ok=True)


def lives(process):
    """Whether there is a process of this number on this machine; one that has ended is none.

    >>> lives(os.getpid()), lives(2**30)
    (True, False)
    """
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    try:  # one that ended and that nobody asked for still has its number
        return Path("/proc", str(process), "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return True


def refuse_other_ending(path, what, endings):
    """Raise ValueError where a path, `what` it is, has none of these endings, in small letters or capitals.

    >>> refuse_other_ending("fit.xlsx", "the table", TABLES)
    Traceback (most recent call last):
        ...
    ValueError: fit.xlsx: the table cannot be of this kind; expected a name that ends in .csv or .parquet
    """
    if not str(path).lower().endswith(endings):
        raise ValueError(
            f"{path}: {what} cannot be of this kind; expected a name that ends in {' or '.join(endings)}"
        )


@contextmanager
def replacing_all(paths):
    """Temporary paths beside `paths`, all renamed when the block succeeds and all removed when it fails.

    Argument: a dict from a name to a path; gives a dict from the name to the temporary path. Raises
    ValueError, naming the folder, where the system refuses to write (a full disk, say).

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with replacing_all({"one": folder / "one.txt", "two": folder / "two.txt"}) as temporary:
    ...     for name, path in temporary.items():
    ...         _ = path.write_text(name)
    >>> sorted(path.name for path in folder.iterdir())
    ['one.txt', 'two.txt']
    """
    try:
        with ExitStack() as stack:
            yield {name: stack.enter_context(replacing(path)) for name, path in paths.items()}
    except OSError as error:
        where = ", ".join(str(path) for path in paths.values())
        reason = error.strerror or error
        raise ValueError(f"{where}: cannot be written ({reason}); nothing was kept") from None


TABLES = (".csv", ".parquet")  # endings of tables that can be written


def write_table(frame, path, ordered=()):
    """Write a frame as its path's ending says: CSV with 17 digits, or Parquet.

    `ordered` are columns of names whose order in Parquet is that of their first row.

    >>> import pandas as pd, tempfile
    >>> path = Path(tempfile.mkdtemp(), "bins.parquet")
    >>> write_table(pd.DataFrame({"size": ["small", "large"], "posterior": [0.2, 0.7]}), path, ["size"])
    >>> pd.read_parquet(path)["size"].cat.categories.tolist()
    ['small', 'large']
    """
    if not str(path).lower().endswith(".parquet"):
        write_csv(frame, path, digits=17)
        return
    import pandas as pd

    levels = {
        column: pd.Categorical(frame[column], frame[column].unique(), ordered=True) for column in ordered
    }
    with replacing(path) as temporary:
        frame.assign(**levels).to_parquet(temporary, index=False)


def write_csv(frame, path, digits=6):
    """Write a frame with so many significant digits, booleans as true and false, missing values empty."""
    import pandas as pd  # here, so that commands without a table start quickly

    frame = frame.copy()
    for column in frame.columns:
        if pd.api.types.is_bool_dtype(frame[column]):
            frame[column] = frame[column].map({True: "true", False: "false"})
    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
        frame.to_csv(
            _UnixLines(file), index=False, float_format=f"%.{digits}g", lineterminator=_UnixLines.ending
        )


class _UnixLines:
    """Takes lines that end in a carriage return and a line feed, and writes them with the line feed alone.

    Python 3.11 quotes a carriage return within a value only where lines end in one.
    """

    ending = "\r\n"

    def __init__(self, file):
        self.file = file

    def write(self, line):
        return self.file.write(line.removesuffix(self.ending) + "\n")
