"""Survey files as frames of codes: SPSS portable (.por) and system (.sav, .zsav), Stata (.dta), and CSV.

A code that a file declares missing is read as the code that it is, from every format, for the map to say what
it means: SPSS's are numbers like any other, Stata's are .a to .z. No value is what a map calls `blank`.
"""

import csv
import re
import warnings
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from replication.polls.codes import Codes, code_text
from replication.polls.kinds import ENDINGS, START, SURVEYS, mismatch
from replication.polls.portable import read_portable


class PollFile(NamedTuple):
    """One row per respondent, and what the file says of its columns and codes.

    `frame`; `labels` {column: text or None}; `meanings` {column: {code: text}}; `missing` {column: the Codes
    that the file declares missing}.
    """

    frame: pd.DataFrame
    labels: dict
    meanings: dict
    missing: dict

    def meaning(self, column, code):
        """What the file says that a code, in the form of `code_text`, means; "" where it says nothing."""
        return next((t for c, t in self.meanings.get(column, {}).items() if code_text(c) == code), "")

    def declared(self, column, code):
        """Whether the file declares the code missing."""
        return column in self.missing and self.missing[column].holds(code)

    def explained(self, column, code):
        """The code for a reader: with its meaning, and whether the file declares it missing."""
        mark = " (declared missing)" if self.declared(column, code) else ""
        return f"{code or 'blank'} {self.meaning(column, code)}".rstrip() + mark


def read_poll(path):
    """A PollFile from a .por, .sav, .zsav, .dta or .csv file.

    Warns where the text is not in the encoding that it claims. Raises ValueError, one line naming the file
    and the remedy, where the file is of another kind, is empty, damaged or cut short, or where the reader is
    not installed; OSError where it cannot be opened.
    """
    path = Path(path)
    with path.open("rb") as file:
        start = file.read(START)
    kind = ENDINGS.get(path.suffix.lower())
    if kind is None:
        raise ValueError(f"{path}: unknown kind of file; expected one that ends in {', '.join(ENDINGS)}")
    if not start:
        raise ValueError(f"{path}: the file is empty; copy or download it again")
    wrong = mismatch(start, kind)
    if wrong:
        raise ValueError(f"{path}: {wrong}")
    poll = {"csv": _read_csv, "por": _read_por}.get(kind, _read_binary)(path)
    if poll.frame.empty:
        raise ValueError(f"{path}: no rows; expected one row per respondent")
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
        raise ValueError(f"{path}: no line with text; expected column names, then one line per respondent")
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
    return PollFile(pd.DataFrame(lines[1:], columns=columns, dtype=object), {}, {}, {})


def _read_por(path):
    try:
        return PollFile(*read_portable(path.read_bytes()))
    except ValueError as error:
        raise _not_whole(path, "por", error) from None


def _read_binary(path):
    kind = ENDINGS[path.suffix.lower()]
    try:
        import pyreadstat
    except ImportError:
        raise ValueError(
            f"{path}: to read {SURVEYS[kind][0]} you need pyreadstat, the extra `poll`; install it with "
            "pip install -e '.[poll]', or export the file as CSV"
        ) from None
    read = getattr(pyreadstat, f"read_{kind}")
    options = {"disable_datetime_conversion": True, "user_missing": True}
    try:
        try:
            frame, meta = read(str(path), **options)
        except Exception as error:
            if not _is_of_encoding(error):
                raise
            frame, meta = read(str(path), encoding="WINDOWS-1252", **options)
            warnings.warn(
                f"{path}: the text is not in the encoding that the file claims, so Windows-1252 was taken; "
                "look at the labels with --describe, and save the file again in UTF-8 if they are wrong",
                stacklevel=3,
            )
    except Exception as error:  # the reader's errors have no common class but this
        if _is_of_encoding(error):
            raise ValueError(
                f"{path}: the text is neither in the encoding that the file claims nor in Windows-1252; open "
                "it in the program that wrote it and save it in UTF-8, or export it as CSV in UTF-8"
            ) from None
        raise _not_whole(path, kind, error) from None
    if kind == "sav":
        return PollFile(
            frame, meta.column_names_to_labels, meta.variable_value_labels, _declared(meta.missing_ranges)
        )
    letters = {column: _letters(frame[column], marks) for column, marks in meta.missing_user_values.items()}
    meanings = {
        column: {f".{code}" if code in meta.missing_user_values.get(column, ()) else code: text
                 for code, text in labels.items()}
        for column, labels in meta.variable_value_labels.items()
    }  # fmt: skip
    missing = {
        column: Codes(frozenset(f".{mark}" for mark in marks))
        for column, marks in meta.missing_user_values.items()
    }
    return PollFile(frame.assign(**letters), meta.column_names_to_labels, meanings, missing)


def _letters(column, marks):
    """A Stata column with .a in place of the reader's a, which could be text as well."""
    return column.astype(object).map(lambda value: f".{value}" if value in marks else value)


def _declared(ranges):
    """The Codes of each column from the reader's ranges {lo, hi}, of which a single code is both ends."""
    declared = {}
    for column, listed in ranges.items():
        single = frozenset(code_text(pair["lo"]) for pair in listed if pair["lo"] == pair["hi"])
        wide = tuple((pair["lo"], pair["hi"]) for pair in listed if pair["lo"] != pair["hi"])
        declared[column] = Codes(single, wide)
    return declared


def _is_of_encoding(error):
    return isinstance(error, UnicodeDecodeError) or bool(re.search("encoding|byte sequence", str(error)))


def _not_whole(path, kind, error):
    reason = " ".join(str(error).split()).rstrip(".") or type(error).__name__
    return ValueError(
        f"{path}: not a whole {SURVEYS[kind][0].split(' ', 1)[1]} ({reason}); copy or download it again, "
        "or export it as CSV"
    )
