"""Tables of text on disk: their columns, and how DuckDB reads them.

A table is one CSV or Parquet file or several, as `finding` says; several have the same columns in the same
order.

CSV is UTF-8 (a byte order mark does no harm) with a header, commas, double quotes and one kind of line
ending. Every value stays the text it is: `007` and `7` differ, `NA` is a name and spaces count. Parquet
values become text as DuckDB writes them (integer `7`, floating `7.0`, boolean `true`); null and NaN are
empty.
"""

import csv
import glob
import gzip
import os
import re
import zlib
from dataclasses import dataclass, replace

from wsclust.events.finding import find_files

_NOT_CLOSED = 'a quote is opened and not closed; close it, or write a quote as ""'
# A quote opens a value at its start alone, where DuckDB passes over spaces; elsewhere it is text.
_QUOTED = re.compile(rb'(?<![^,\r\n]) *"[^"]*(?:""[^"]*)*"(?!")')
_OPENED = re.compile(rb'(?<![^,\r\n]) *"')


class SharedReadingError(ValueError):
    """Threads cannot share a CSV file, for its line breaks within quotes; `Table.unshared` can be read."""


@dataclass(frozen=True)
class Table:
    """Files with the same columns: `name` as the user gave it, `files`, `kind` ("csv" or "parquet"),
    `columns`, a dict from each column asked for to (position from 0, "int", "float" or "text"), and `header`,
    the names of all columns.
    """

    name: str
    files: tuple
    kind: str
    columns: dict
    header: tuple
    shared: bool = True

    @property
    def width(self):
        """How many columns the files have."""
        return len(self.header)

    def unshared(self):
        """The same table, each CSV file of it read by one thread. ValueError where a quote is not closed,
        for DuckDB 2.0 then leaves out the rest of the file and says nothing.
        """
        for file in self.files if self.kind == "csv" else ():
            _refuse_open_quote(file)
        return replace(self, shared=False)

    def rows(self, file=None):
        """SQL of the rows, columns c0, c1, ... and `file`: of all files or of one."""
        names = ", ".join(_quoted(glob.escape(path)) for path in ([file] if file else self.files))
        options = "filename='wsclust file name', hive_partitioning=false"
        if self.kind == "csv":
            columns = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(self.width))
            options += (
                f", columns={{{columns}}}, auto_detect=false, header=true, delim=',', quote='\"', "
                "escape='\"', strict_mode=true, "
                f"parallel={self.shared}"
            )
        else:
            options += ", binary_as_string=true"
        aliases = ", ".join([f"c{i}" for i in range(self.width)] + ["file"])
        return f"read_{self.kind}([{names}], {options}) AS t({aliases})"

    def sql_type(self, column):
        """BIGINT for a column of integers, which are quicker to compare than text; else VARCHAR."""
        return "BIGINT" if self.columns[column][1] == "int" else "VARCHAR"

    def value(self, column):
        """SQL of a column's value, of type `sql_type`; null where it is empty."""
        at, kind = self.columns[column]
        if kind == "float":
            return f"CAST(nullif(c{at}, 'nan') AS VARCHAR)"
        if kind == "int":
            return f"CAST(c{at} AS BIGINT)"
        return f"nullif(CAST(c{at} AS VARCHAR), '')"

    def refusal(self, error):
        """DuckDB's error as a ValueError of one line: file, line, found, expected, remedy."""
        text = str(error)
        found = re.search(r"^\s*file = (.+)$", text, re.M)
        named = [path for path in self.files if path in text]
        where = found[1].strip() if found else named[0] if named else self.name
        if line := re.search(r"CSV Error on Line: (\d+)", text):
            where += f": line {line[1]}"
        if "Parallel CSV Reader" in text and self.shared:
            return SharedReadingError(f"{where}: {_first(text)}")
        if type(error).__name__ == "OutOfMemoryException":
            return ValueError(f"{self.name}: memory limit too small ({_first(text)}); raise memory_limit")
        if "not utf-8" in text.lower():
            return ValueError(f"{where}: not UTF-8 text; save the file as UTF-8")
        if ragged := re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text):
            return ValueError(
                f"{where}: {ragged[2]} values; expected {ragged[1]}, as in the header: mend the line "
                "(a comma within a value needs double quotes round the value)"
            )
        if "unterminated quote" in text:
            return ValueError(f"{where}: {_NOT_CLOSED}")
        if self.kind == "csv":
            return ValueError(
                f"{where}: not CSV as expected ({_first(text)}); write commas, double quotes and one kind "
                "of line ending"
            )
        return ValueError(f"{where}: cannot be read as Parquet ({_first(text)}); write the file again")


def open_table(where, columns):
    """Find the files that `where` stands for and look at their headers: a Table with these columns.

    Raises ValueError where there is no such file, kinds are mixed, a file cannot be read or has no header, a
    column is missing or there twice, and where files differ in their columns.
    """
    files, kind = find_files(where)
    first = None
    for file in files:
        try:
            header, types = _csv_header(file) if kind == "csv" else _parquet_header(file)
        except (OSError, zlib.error) as error:
            raise ValueError(f"{file}: cannot be read ({_first(error)}); check the file") from None
        for column in columns:
            if header.count(column) != 1:
                found = f"{header.count(column)} columns" if column in header else "no column"
                have = ", ".join(map(repr, header[:20])) + (", ..." if len(header) > 20 else "")
                raise ValueError(
                    f"{file}: {found} {column!r}; expected one of that name, and there are {have}: "
                    "mend the header, or name another column"
                )
        used = {column: types[header.index(column)] for column in columns}
        first = first or (header, used)
        if header != first[0]:
            raise ValueError(
                f"{file}: its columns are not those of {files[0]}; expected the same columns in the same "
                "order in each file"
            )
        for column, value_type in used.items():
            if value_type != first[1][column]:
                raise ValueError(
                    f"{file}: column {column!r} is {value_type}, and {first[1][column]} in {files[0]}; "
                    "write it with one type"
                )
    kinds = {column: (header.index(column), _kind(used[column])) for column in columns}
    return Table(str(where), tuple(files), kind, kinds, tuple(header))


def _opener(file):
    return gzip.open if file.lower().endswith(".gz") else open


def _refuse_open_quote(file):
    opened = None  # the line of the quote that the text so far leaves open
    try:
        with _opener(file)(file, "rb") as lines:
            for number, line in enumerate(lines, 1):
                if b'"' in line:
                    rest = _QUOTED.sub(b"-", b'"' * (opened is not None) + line)
                    opened = (opened or number) if _OPENED.search(rest) else None
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"{file}: cannot be read ({_first(error)}); check the file") from None
    if opened:
        raise ValueError(f"{file}: line {opened}: {_NOT_CLOSED}")


def _csv_header(file):
    try:
        with _opener(file)(file, "rt", encoding="utf-8-sig", newline="") as lines:
            header = next(csv.reader(lines, strict=True), None)
    except UnicodeDecodeError:
        raise ValueError(f"{file}: not UTF-8 text; save the file as UTF-8") from None
    except (csv.Error, EOFError) as error:
        raise ValueError(f"{file}: no header in its first line ({error}); write one") from None
    if not header:
        raise ValueError(f"{file}: empty; expected a header with the names of the columns")
    return header, ["text"] * len(header)


def _parquet_header(file):
    import pyarrow as pa
    import pyarrow.parquet as pq

    if os.path.getsize(file) == 0:
        raise ValueError(f"{file}: empty; expected a Parquet file: write it again")
    try:
        schema = pq.read_schema(file)
    except pa.ArrowException as error:
        raise ValueError(f"{file}: not a whole Parquet file ({_first(error)}); write it again") from None
    types = [t.value_type if pa.types.is_dictionary(t) else t for t in schema.types]
    return schema.names, [str(t).replace("large_", "") for t in types]


def _kind(value_type):
    if value_type in ("float", "double", "halffloat"):
        return "float"
    # uint64 does not fit in BIGINT.
    return "int" if re.fullmatch(r"u?int(8|16|32)|int64", value_type) else "text"


def _quoted(text):
    return "'" + text.replace("'", "''") + "'"


def _first(error):
    """The first line of a message, without DuckDB's `Invalid Input Error: ` before it."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return re.sub(r"^[A-Z][\w ]* Error: ", "", lines[0]).strip().rstrip(".")
