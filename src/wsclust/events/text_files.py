"""CSV files as bytes and lines: the header, what a file is that is none, and the line of a row."""

import csv
import gzip
import os
import re
import zlib
from itertools import islice

_CHUNK = 1 << 20
_NOT_CLOSED = 'a quote is opened and not closed; close it, or write a quote as ""'
# A quote opens a value at its start alone, where DuckDB passes over spaces; elsewhere it is text.
_QUOTED = re.compile(rb'(?<![^,\r\n]) *"[^"]*(?:""[^"]*)*"(?!")')
_OPENED = re.compile(rb'(?<![^,\r\n]) *"')
_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars"}
_GZIP = b"\x1f\x8b"
_STARTS = {
    b"PAR1": "a Parquet file: give it a name that ends in .parquet",
    b"PK\x03\x04": "a zip archive, such as an Excel workbook: save its table as CSV in UTF-8",
    b"\xd0\xcf\x11\xe0": "an Excel workbook: save its table as CSV in UTF-8",
    b"\x28\xb5\x2f\xfd": "packed with zstd: unpack it, or pack it with gzip as .csv.gz",
}


def csv_header(file, columns=()):
    """The names of a CSV file's columns.

    `columns` are names that are looked for: where one is not there, and would be with another separator than
    the comma, that is said. Raises ValueError where the file is empty, not UTF-8, no CSV or has no header.
    """
    _refuse_other_kinds(file)
    try:
        with opener(file)(file, "rt", encoding="utf-8-sig", newline="") as lines:
            first = lines.readline()
            lines.seek(0)
            header = next(csv.reader(lines, strict=True), None)
    except UnicodeDecodeError:
        raise ValueError(f"{file}: not UTF-8 text; save the file as UTF-8") from None
    except (csv.Error, EOFError) as error:
        raise ValueError(f"{file}: no header in its first line ({error}); write one") from None
    if not header and first.strip("\r\n") != first:
        raise ValueError(
            f"{file}: line 1 is blank; expected a header with the names of the columns: remove it"
        )
    if not header:
        raise ValueError(f"{file}: empty; expected a header with the names of the columns")
    _refuse_other_separator(file, header, first, columns)
    return header


def opener(file):
    """The function that opens a CSV file, packed or not."""
    return gzip.open if file.lower().endswith(".gz") else open


def _refuse_other_kinds(file):
    with open(file, "rb") as raw:
        start = raw.read(8)
    packed = file.lower().endswith(".gz")
    if packed and start and not start.startswith(_GZIP):
        raise ValueError(f"{file}: not packed with gzip; give it a name that ends in .csv, or pack it")
    if not packed and start.startswith(_GZIP):
        raise ValueError(f"{file}: packed with gzip; give it a name that ends in .csv.gz, or unpack it")
    for first, what in _STARTS.items():
        if not packed and start.startswith(first):
            raise ValueError(f"{file}: not CSV but {what}")
    utf16 = start.startswith((b"\xff\xfe", b"\xfe\xff")) or start.count(b"\0") * 2 >= max(len(start) - 1, 1)
    if not packed and utf16:
        raise ValueError(f"{file}: not UTF-8 text but UTF-16; save the file as UTF-8")


def _refuse_other_separator(file, header, first, columns):
    if named := re.fullmatch(r"\ufeff?sep=(.?)\s*", first):
        raise ValueError(
            f"{file}: line 1 is {named[0].strip()!r}, a note to a spreadsheet program; expected the header; "
            "the separator must be a comma: save it as CSV with commas and without this line"
        )
    missing = [column for column in columns if column not in header]
    for mark, what in _SEPARATORS.items() if missing else ():
        split = next(csv.reader([first.lstrip("\ufeff")], delimiter=mark), [])
        if missing[0] in split and len(split) > 1:
            raise ValueError(
                f"{file}: the columns are separated by {what} (line 1: {first.strip()[:60]!r}); the "
                "separator must be a comma: save it as CSV with commas"
            )


def refuse_open_quote(file):
    """Raise ValueError where a quote is opened and not closed; DuckDB 2.0 would leave out the rest."""
    opened = None  # the line of the quote that the text so far leaves open
    try:
        with opener(file)(file, "rb") as lines:
            for number, line in enumerate(lines, 1):
                if b'"' in line:
                    rest = _QUOTED.sub(b"-", b'"' * (opened is not None) + line)
                    opened = (opened or number) if _OPENED.search(rest) else None
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"{file}: cannot be read ({error}); check the file") from None
    if opened:
        raise ValueError(f"{file}: line {opened}: {_NOT_CLOSED}")


def refuse_damaged_gzip(file):
    """Raise ValueError where a .gz file is cut or its checksum is not that of its content.

    DuckDB does not look at the checksum, so a flipped bit would be read as another number. Returns how many
    bytes the last line has, unpacked.
    """
    last = 0
    with open(file, "rb") as raw:
        unpacking, chunk = zlib.decompressobj(31), raw.read(_CHUNK)
        while chunk:
            try:
                content = unpacking.decompress(chunk, 16 * _CHUNK)
            except zlib.error as error:
                raise ValueError(
                    f"{file}: damaged ({error}); expected a whole gzip file: copy or pack it again"
                ) from None
            # A line break at the very end ends the line and begins none.
            lines_end = content.rstrip(b"\r\n").rfind(b"\n") if content else -1
            last = len(content) - 1 - lines_end if lines_end >= 0 else last + len(content)
            chunk = unpacking.unconsumed_tail or unpacking.unused_data.lstrip(b"\0") or raw.read(_CHUNK)
            if unpacking.eof and chunk.strip(b"\0"):  # several packed files in one are read as one
                unpacking = zlib.decompressobj(31)
    if not unpacking.eof:
        raise ValueError(f"{file}: ends before its packed content does; copy or pack it again")
    return last


def ends_in_long_line(file, length):
    """Whether the last line of a file that is not packed is longer than so many bytes."""
    size = os.path.getsize(file)
    with open(file, "rb") as raw:
        raw.seek(max(size - length - 2, 0))
        return size > length and b"\n" not in raw.read().rstrip(b"\r\n")


def refuse_longer_lines(file, length):
    """Raise ValueError, naming the line, where one is longer than so many bytes."""
    with opener(file)(file, "rb") as lines:
        for number, line in enumerate(lines, 1):
            if len(line) > length:
                raise ValueError(f"{file}: line {number}: longer than {length:,} bytes; shorten the line")


def mixed_endings(file):
    """The first line whose ending is not that of line 1, or None.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "mixed.csv")
    >>> with open(path, "wb") as out:
    ...     _ = out.write(b"a,b\\r\\n1,2\\r\\n3,4\\n")
    >>> mixed_endings(path)
    3
    """
    with opener(file)(file, "rb") as lines:
        first = None
        for number, line in enumerate(lines, 1):
            ending = line.endswith(b"\r\n")
            first = ending if first is None else first
            if ending != first and line.endswith(b"\n"):
                return number
    return None


def lines_of_rows(file, rows):
    """The lines of a CSV file on which its rows begin; rows are counted from 1 below the header.

    A value may have line breaks within quotes, and blank lines are no rows.
    """
    lines, wanted = {}, set(rows)
    with opener(file)(file, "rt", encoding="utf-8-sig", errors="replace", newline="") as text:
        csv.field_size_limit(2**31 - 1)
        table = csv.reader(text, skipinitialspace=True)
        row, before = -1, 0
        for values in islice(table, None):
            row += bool(values)
            if row in wanted:
                lines[row] = before + 1
                if len(lines) == len(wanted):
                    break
            before = table.line_num
    return [lines[row] for row in rows]
