"""What differs between two runs of the workflow: tables by value, figures by what they show.

Results are compared with a tolerance, since the last digits move with the machine, and never by byte:

- two cells of a CSV that both hold a number agree within a tolerance, and others where their text does;
- a PNG agrees where no channel of a pixel is off by more than `levels` of 255;
- a PDF agrees where its drawing instructions do, numbers in them to a hundredth of a point;
- any other file must be equal byte for byte.

How close is close, and what is left out, is in `tolerances`; what an image shows, in `images`.
"""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np
import pandas as pd

from replication.workflow.images import pdf_instructions, read_pixels
from replication.workflow.tolerances import DEFAULT, excess

LISTED = 5  # rows that a line names


@dataclass(frozen=True)
class Drift:
    """One difference: where, what, and how many times the tolerance it is (infinite where there is none)."""

    file: str
    what: str
    excess: float = np.inf

    def __str__(self):
        return f"{self.file}: {self.what}"


def compare_folders(old, new, rules=DEFAULT):
    """Drifts between the files of two folders, worst first, and how many files were compared.

    Arguments: the folder that is the reference; the other; a Rules. Raises ValueError where a folder is
    missing or holds nothing to compare. A file that cannot be read is a drift.
    """
    names = []
    for folder in (old, new):
        if not Path(folder).is_dir():
            raise ValueError(f"{folder}: no such folder; expected one of results to compare")
        names.append([p.relative_to(folder).as_posix() for p in Path(folder).rglob("*") if p.is_file()])
    return compare_files(old, new, *names, rules)


def compare_files(old, new, old_names, new_names, rules=DEFAULT):
    """The same for the files of these names alone, relative to their folders."""
    first, second = (
        {name for name in names if not any(fnmatchcase(name, pattern) for pattern in rules.left_out)}
        for names in (old_names, new_names)
    )
    for folder, names in ((old, first), (new, second)):
        if not names:
            raise ValueError(f"{folder}: no file to compare; expected what the workflow makes")
    drifts = [Drift(name, "missing in the new run") for name in sorted(first - second)]
    drifts += [Drift(name, "only in the new run") for name in sorted(second - first)]
    for name in sorted(first & second):
        try:
            drifts += compare_file(Path(old, name), Path(new, name), name, rules)
        except ValueError as error:
            drifts.append(Drift(name, str(error)))
    # Sorting is stable: of equal ones, by name.
    return sorted(drifts, key=lambda drift: -drift.excess), len(first | second)


def report(drifts, files):
    """Lines on what `compare_folders` found: each drift, and how many files there are.

    >>> report([Drift("table.csv", "missing in the new run")], 7)
    ['table.csv: missing in the new run', '1 of 7 files drifted.']
    """
    drifted = len({drift.file for drift in drifts})
    return [*map(str, drifts), f"{drifted} of {files} files drifted." if drifts else f"{files} files agree."]


def compare_file(old, new, name, rules=DEFAULT):
    """Drifts between two files, by the ending of `name`, which is also how a drift calls them.

    Raises ValueError where one of them cannot be read.
    """
    first, second = Path(old).read_bytes(), Path(new).read_bytes()
    if first == second:
        return []
    ending = Path(name).suffix.lower()
    if ending == ".csv":
        return _tables(_table(old), _table(new), name, rules)
    if ending == ".png":
        return _pictures(read_pixels(old), read_pixels(new), name, rules.levels)
    if ending == ".pdf":
        streams = pdf_instructions(first), pdf_instructions(second)
        same = streams[0] and streams[0] == streams[1]
        return [] if same else [Drift(name, "draws something else")]
    return [Drift(name, "other content")]


def _table(path):
    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False)
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        raise ValueError(f"{path}: not a CSV table ({reason}); make the file again") from None
    # Of rows that are longer than the header pandas makes the first values names.
    if not isinstance(table.index, pd.RangeIndex):
        raise ValueError(f"{path}: not a CSV table (rows longer than the header); make the file again")
    return table


def _tables(old, new, name, rules):
    drifts = [Drift(name, f"{column}: column is gone") for column in old if column not in new]
    drifts += [Drift(name, f"{column}: column is new") for column in new if column not in old]
    if len(old) != len(new):
        return [*drifts, Drift(name, f"{len(old)} rows -> {len(new)} rows")]
    for column in old:
        if column in new and not any(fnmatchcase(column, pattern) for pattern in rules.measured):
            tolerance = rules.tolerance(name, column)
            drifts += _columns(old[column], new[column], name, tolerance)
    return drifts


def _columns(old, new, name, tolerance):
    excesses = {
        row: excess(old[row], new[row], *tolerance) for row in np.flatnonzero((old != new).to_numpy())
    }
    rows = [row for row, times in excesses.items() if times > 1]
    if not rows:
        return []
    worst = max(rows, key=excesses.get)
    times = excesses[worst]
    change = f"{old[worst] or 'empty'} -> {new[worst] or 'empty'}"
    if np.isfinite(times):
        change += f", {times:,.3g} times the tolerance"
    listed = ", ".join(str(row + 1) for row in rows[:LISTED]) + (", ..." if len(rows) > LISTED else "")
    what = f"{old.name}: {len(rows)} of {len(old)} rows (rows {listed}); worst row {worst + 1}: {change}"
    return [Drift(name, what, times)]


def _pictures(old, new, name, levels):
    if old.shape != new.shape:
        sizes = [f"{array.shape[1]} x {array.shape[0]}" for array in (old, new)]
        return [Drift(name, f"{sizes[0]} pixels -> {sizes[1]}")]
    off = np.abs(new - old).max(axis=2)
    count = int((off > levels).sum())
    if not count:
        return []
    return [Drift(name, f"{count:,} of {off.size:,} pixels differ", 1 + count / off.size)]
