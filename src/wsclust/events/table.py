"""A table as DuckDB reads it: the SQL of its rows and of the values in them, and the places of rows in its files.

CSV is UTF-8 (a byte order mark does no harm) with a header, commas, double quotes and one kind of line
ending. Every value stays the text it is: `007` and `7` differ, `NA` is a name and spaces count. Parquet
values become text as DuckDB writes them, times with a zone in UTC; null and NaN are empty. What text is then
the same name is in `names`.
"""

import glob
from dataclasses import dataclass, field, replace

from wsclust.events.finding import partitions
from wsclust.events.parquet_files import dictionary_order
from wsclust.events.sql_text import quoted, utf8_path
from wsclust.events.text_files import (
    ends_in_long_line,
    lines_of_rows,
    refuse_damaged_gzip,
    refuse_longer_lines,
    refuse_open_quote,
)

_KINDS = ("int", "float", "text", "binary", "time")
_LONG = 2_000_000  # bytes of a line, beyond which DuckDB must be told
LONGEST = 32_000_000  # bytes of a line; the buffer that DuckDB takes for it fits the memory limit of a shard


@dataclass(frozen=True)
class Table:
    """Files with the same columns: `name` as the user gave it, `files`, `kind` ("csv" or "parquet"),
    `columns`, a dict from each column asked for to (position from 0, kind), where kind is "int", "float",
    "text", "binary", "time" or the name of a type that cannot be a name, and `header`, the names of all columns.

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
            refuse_longer_lines(file, LONGEST)
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
        unused = "file"  # a name that no column has
        while unused in [column.lower() for column in self.header]:
            unused += "_"
        options = f"filename='{unused}'"
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
                options += f", max_line_size={LONGEST}, buffer_size={2 * LONGEST}"
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
        elif kind == "time":  # of day, which DuckDB 2.0.0 takes for one with a zone
            value = f"replace(CAST(c{at} AS VARCHAR), '+00', '')"
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
