"""Survey files as frames of codes: SPSS portable (.por) and system (.sav), Stata (.dta), and CSV.

SPSS files can declare codes missing. A .sav file's are kept as codes, for the map to say what they mean; the
reader of .por files gives them as no value, which a map calls `blank`.
"""

import csv
from pathlib import Path
from typing import NamedTuple

import pandas as pd

FORMATS = {".por": "SPSS portable", ".sav": "SPSS", ".dta": "Stata", ".csv": "CSV"}


class PollFile(NamedTuple):
    """`frame`, one row a respondent; `labels` {column: text or None}; `meanings` {column: {code: text}}."""

    frame: pd.DataFrame
    labels: dict
    meanings: dict


def read_poll(path):
    """A PollFile from a .por, .sav, .dta or .csv file.

    Raises ValueError, one line naming the file and the remedy, where the file is of another kind, is empty,
    damaged or cut short, or where the reader is not installed; OSError where it cannot be opened.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    with path.open("rb") as file:
        empty = not file.read(1)
    if suffix not in FORMATS:
        raise ValueError(f"{path}: unknown kind of file; expected one that ends in {', '.join(FORMATS)}")
    if empty:
        raise ValueError(f"{path}: the file is empty; copy or download it again")
    poll = _read_csv(path) if suffix == ".csv" else _read_binary(path, suffix)
    if poll.frame.empty:
        raise ValueError(f"{path}: no rows; expected one row a respondent")
    return poll


def _read_csv(path):
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = [line for line in csv.reader(file, strict=True) if line]
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path}: byte {error.start + 1} is not UTF-8 text; save the file as CSV in UTF-8"
        ) from None
    except csv.Error as error:
        raise ValueError(f"{path}: not a readable CSV file ({error}); export it again") from None
    if not lines:
        raise ValueError(f"{path}: no line with text; expected a line of column names and one a respondent")
    columns = [name.strip() for name in lines[0]]
    if len(set(columns)) < len(columns):
        twice = next(name for name in columns if columns.count(name) > 1)
        raise ValueError(f"{path}: column {twice!r} is there twice; rename one of them")
    for number, line in enumerate(lines[1:], 2):
        if len(line) != len(columns):
            raise ValueError(
                f"{path}: line {number} has {len(line)} values, the line of names {len(columns)}; "
                "the file is damaged or cut short: export it again"
            )
    return PollFile(pd.DataFrame(lines[1:], columns=columns, dtype=object), {}, {})


def _read_binary(path, suffix):
    try:
        import pyreadstat
    except ImportError:
        raise ValueError(
            f"{path}: {FORMATS[suffix]} files need pyreadstat, the extra `poll`; install it with "
            "pip install -e '.[poll]', or export the file as CSV"
        ) from None
    options = {"disable_datetime_conversion": True}
    if suffix == ".sav":
        options["user_missing"] = True
    try:
        frame, meta = getattr(pyreadstat, f"read_{suffix[1:]}")(str(path), **options)
    except Exception as error:  # the reader's errors have no common class but this
        reason = " ".join(str(error).split()).rstrip(".") or type(error).__name__
        raise ValueError(
            f"{path}: not a whole {FORMATS[suffix]} file ({reason}); copy or download it again, "
            "or export it as CSV"
        ) from None
    return PollFile(frame, meta.column_names_to_labels, meta.variable_value_labels)
