"""Tables of text on disk: their columns, and how DuckDB reads them.

A table is one CSV or Parquet file or several, as `finding` says; several have the same columns in the same
order. Folders named `column=value` that a pattern stands for are a column more.

CSV is UTF-8 (a byte order mark does no harm) with a header, commas, double quotes and one kind of line
ending. Every value stays the text it is: `007` and `7` differ, `NA` is a name and spaces count. Parquet
values become text as DuckDB writes them, times with a zone in UTC; null and NaN are empty. What text is then
the same name is in `names`.
"""

import glob
import os
import re
import zlib
from dataclasses import dataclass, field, replace

from wsclust.events.database import duckdb_module
from wsclust.events.finding import find_files, partitions
from wsclust.events.parquet_files import dictionary_order, kind_of, parquet_header, plain
from wsclust.events.text_files import (
    csv_header,
    ends_in_long_line,
    lines_of_rows,
    mixed_endings,
    refuse_damaged_gzip,
    refuse_longer_lines,
    refuse_open_quote,
)

_KINDS = ("int", "float", "text", "binary")
_LONG = 2_000_000  # bytes of a line, beyond which DuckDB must be told
_LONGEST = 32_000_000  # bytes of a line; the buffer that DuckDB takes for it fits the memory limit of a shard


class ReadOtherwise(ValueError):
    """DuckDB cannot read a table in the quickest way; `table` is the same, read in a way that it can."""

    def __init__(self, message, table):
        super().__init__(message)
        self.table = table


def reading(table, read):
    """What `read` returns for a table, which is read in a slower way where the quickest fails.

    Raises ValueError of one line where DuckDB cannot read it.
    """
    while True:
        try:
            return read(table)
        except ReadOtherwise as otherwise:
            table = otherwise.table
        except duckdb_module().Error as error:
            refusal = table.refusal(error)
            if not isinstance(refusal, ReadOtherwise):
                raise refusal from None
            table = refusal.table


@dataclass(frozen=True)
class Table:
    """Files with the same columns: `name` as the user gave it, `files`, `kind` ("csv" or "parquet"),
    `columns`, a dict from each column asked for to (position from 0, kind), where kind is "int", "float",
    "text", "binary" or the name of a type that cannot be a name, and `header`, the names of all columns.

    The last columns of `header` may be `partitions`, which folders stand for. `shared`, whether threads share
    a file; `long_lines`, whether lines may be longer than DuckDB expects; `recoded`, a dict from a column to
    a function from SQL of its value to SQL of what is read in its place.
    """

    name: str
    files: tuple
    kind: str
    columns: dict
    header: tuple
    partitions: tuple = ()
    shared: bool = True
    long_lines: bool = False
    recoded: dict = field(default_factory=dict, compare=False)

    @property
    def width(self):
        """How many columns the files have."""
        return len(self.header) - len(self.partitions)

    def unshared(self):
        """The same table, each CSV file of it read by one thread. ValueError where a quote is not closed,
        for DuckDB 2.0 then leaves out the rest of the file and says nothing.
        """
        for file in self.files if self.kind == "csv" else ():
            refuse_open_quote(file)
        return replace(self, shared=False)

    def with_long_lines(self):
        """The same table, whose lines may be long. ValueError where one is longer than can be read."""
        for file in self.files:
            refuse_longer_lines(file, _LONGEST)
        return replace(self.unshared(), long_lines=True)

    def checked(self):
        """The table as it must be read for what DuckDB does not see: it leaves out a long line at the end.

        Raises ValueError where a packed file is not whole.
        """
        is_long = False
        for file in self.files if self.kind == "csv" else ():
            packed = file.lower().endswith(".gz")
            is_long |= refuse_damaged_gzip(file) > _LONG if packed else ends_in_long_line(file, _LONG)
        return self.with_long_lines() if is_long else self

    def rows(self, file=None):
        """SQL of the rows, columns c0, c1, ... and `file`: of all files or of one."""
        names = ", ".join(quoted(utf8_path(glob.escape(path))) for path in ([file] if file else self.files))
        options = "filename='wsclust file name'"
        options += f", hive_partitioning={bool(self.partitions)}"
        aliases = [f"c{i}" for i in range(self.width)] + ["file"]
        if self.partitions:
            options += ", hive_types_autocast=false"
            aliases += self._partition_aliases()
        if self.kind == "csv":
            columns = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(self.width))
            options += (
                f", columns={{{columns}}}, auto_detect=false, header=true, delim=',', quote='\"', "
                f"escape='\"', strict_mode=true, parallel={self.shared}"
            )
            if self.long_lines:
                options += f", max_line_size={_LONGEST}, buffer_size={2 * _LONGEST}"
        return f"read_{self.kind}([{names}], {options}) AS t({', '.join(aliases)})"

    def _partition_aliases(self):
        """DuckDB adds a column for each `column=value` of a whole path that no file has, sorted by name."""
        found = [
            key
            for key in partitions(self.files[0])
            if self.kind == "csv" or key not in self.header[: self.width]
        ]
        at = {key: self.width + i for i, key in enumerate(self.partitions)}
        return [f"c{at[key]}" if key in at else f"p{i}" for i, key in enumerate(sorted(found))]

    def sql_type(self, column):
        """BIGINT for a column of integers, which are quicker to compare than text; else VARCHAR."""
        kind = self.columns[column][1]
        return "BIGINT" if kind == "int" and column not in self.recoded else "VARCHAR"

    def value(self, column):
        """SQL of a column's value, of type `sql_type`; null where it is empty.

        Raises ValueError where the column is of lists, of durations or of another type that is no name.
        """
        at, kind = self.columns[column]
        if kind not in _KINDS:
            remedy = "it as a number" if kind.startswith("duration") else "each of its parts as a column"
            raise ValueError(
                f"{self.files[0]}: column {column!r} is of type {kind}; expected text, numbers, dates or "
                f"truth values: write {remedy}"
            )
        if kind == "float":
            value = f"CAST(nullif(c{at}, 'nan') AS VARCHAR)"
        elif kind == "int":
            value = f"CAST(c{at} AS BIGINT)"
        elif kind == "binary":
            value = f"nullif(decode(c{at}), '')"
        else:
            value = f"nullif(CAST(c{at} AS VARCHAR), '')"
        return self.recoded[column](value) if column in self.recoded else value

    def recode(self, columns):
        """The same table with other values read in place of some columns': see `recoded`."""
        return replace(self, recoded=self.recoded | columns)

    def orders(self, column):
        """The orders of a column's levels that its files carry: {file: levels}, empty where they do not."""
        if self.kind == "csv" or column not in self.header[: self.width]:
            return {}
        found = {file: dictionary_order(file, column) for file in self.files}
        return {file: levels for file, levels in found.items() if levels is not None}

    def at(self, file, rows, total=None):
        """Where rows of a file are: `FILE: line 3, 7`, as an editor counts, or `FILE: row 2` of a Parquet
        file.

        `rows`, places from 1 below the header; `total`, how many there are where these are the first few.
        """
        what, places = "row", list(rows)
        if self.kind == "csv":
            what, places = "line", lines_of_rows(file, places)
        more = (total or len(places)) - len(places)
        return f"{file}: {what} {', '.join(map(str, places))}" + (f" and {more:,} more" if more else "")

    def refusal(self, error):
        """DuckDB's error as a ValueError of one line: file, line, found, expected, remedy."""
        text = system_path(str(error))
        found = re.search(r"^\s*file = (.+)$", text, re.M)
        named = [path for path in self.files if path in text]
        file = found[1].strip() if found else named[0] if named else None
        where = file or self.name
        if line := re.search(r"CSV Error on Line: (\d+)", text):
            where += f": line {line[1]}"
        if "Parallel CSV Reader" in text and self.shared:
            return ReadOtherwise(f"{where}: {_first(text)}", self.unshared())
        if re.search(r"Maximum line size of \d+ bytes exceeded", text):
            if self.long_lines:
                return ValueError(f"{where}: a row longer than {_LONGEST:,} bytes; shorten it")
            return ReadOtherwise(f"{where}: a long line", self.with_long_lines())
        if type(error).__name__ == "OutOfMemoryException":
            return ValueError(f"{self.name}: memory limit too small ({_first(text)}); raise memory_limit")
        if "not utf-8" in text.lower() or "invalid UTF8" in text:
            return ValueError(f"{where}: not UTF-8 text; save the file as UTF-8")
        if ragged := re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text):
            return ValueError(
                f"{where}: {ragged[2]} values; expected {ragged[1]}, as in the header: mend the line "
                "(a comma within a value needs double quotes round the value)"
            )
        if "unterminated quote" in text:
            return ValueError(f'{where}: a quote is opened and not closed; close it, or write a quote as ""')
        if self.kind == "csv":
            if other := mixed_endings(file or self.files[0]):
                return ValueError(
                    f"{file or self.files[0]}: line {other} ends otherwise than line 1 (a line feed with and "
                    "without a carriage return); expected one kind of line ending: save the file with one"
                )
            return ValueError(
                f"{where}: not CSV as expected ({_first(text)}); write commas, double quotes and one kind "
                "of line ending"
            )
        return ValueError(f"{where}: cannot be read as Parquet ({_first(text)}); write the file again")


def open_table(where, columns, remedies=None):
    """Find the files that `where` stands for and look at their headers: a Table with these columns.

    `remedies`, a dict from a column to what to do where it is missing, besides mending the header.

    Raises ValueError where there is no such file, kinds are mixed, a file cannot be read or has no header, a
    column is missing or there twice, and where files differ in their columns.
    """
    files, kind = find_files(where)
    of_folders = _partitions(where, files)
    first = None
    for file in files:
        try:
            header, types = _header(file, kind, columns)
        except (OSError, zlib.error) as error:
            raise ValueError(f"{file}: cannot be read ({_first(error)}); check the file") from None
        added = tuple(key for key in of_folders if key not in header)
        header = (*header, *added)
        types += [("text", "text")] * len(added)
        for column in columns:
            if header.count(column) != 1:
                found = f"{header.count(column)} columns" if column in header else "no column"
                have = ", ".join(map(repr, header[:20])) + (", ..." if len(header) > 20 else "")
                raise ValueError(
                    f"{file}: {found} {column!r}; expected one of that name, and there are {have}: "
                    f"mend the header, or {(remedies or {}).get(column, 'name another column')}"
                )
        used = {column: types[header.index(column)] for column in columns}
        first = first or (header, used)
        if header != first[0]:
            raise ValueError(
                f"{file}: its columns are not those of {files[0]}; expected the same columns in the same "
                "order in each file"
            )
        for column, (_, value_type) in used.items():
            if value_type != first[1][column][1]:
                raise ValueError(
                    f"{file}: column {column!r} is {value_type}, and {first[1][column][1]} in {files[0]}; "
                    "write it with one type"
                )
    kinds = {column: (header.index(column), used[column][0]) for column in columns}
    return Table(str(where), tuple(files), kind, kinds, tuple(header), added)


def _header(file, kind, columns):
    """The names of a file's columns, and of each its kind and the name of its type."""
    if kind == "csv":
        header = csv_header(file, columns)
        return header, [("text", "text")] * len(header)
    header, types = parquet_header(file)
    return header, [(kind_of(value_type), plain(value_type)) for value_type in types]


def _partitions(where, files):
    """The columns that folders `column=value` stand for, below what `where` has without a pattern."""
    fixed = []
    for part in str(where).split(os.sep):
        if glob.has_magic(part):
            break
        fixed.append(part)
    start = len(os.sep.join(fixed))
    found = [partitions(file[start:]) for file in files] if start < len(str(where)) else [[]]
    return [key for key in found[0] if all(key in others for others in found)]


def utf8_path(path):
    """A path as DuckDB takes it, in UTF-8, whatever the language settings of the machine.

    Under settings of another encoding, Python's text of a path is not that of its bytes.
    """
    return os.fsencode(path).decode("utf-8", "surrogateescape")


def system_path(path):
    """The reverse of `utf8_path`: a path from DuckDB as Python has it."""
    return os.fsdecode(path.encode("utf-8", "surrogateescape"))


def quoted(text):
    """SQL of a text."""
    return "'" + text.replace("'", "''") + "'"


def _first(error):
    """The first line of a message, without DuckDB's `Invalid Input Error: ` before it."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return re.sub(r"^[A-Z][\w ]* Error: ", "", lines[0]).strip().rstrip(".")
