"""What DuckDB refuses in a table: read in a slower way where that helps, or said in one line."""

import re

from wsclust.events.database import duckdb_module
from wsclust.events.sql_text import system_path
from wsclust.events.table import LONGEST
from wsclust.events.text_files import mixed_endings


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
            refused = refusal(table, error)
            if not isinstance(refused, ReadOtherwise):
                raise refused from None
            table = refused.table


def refusal(table, error):
    """DuckDB's error on a table as a ValueError of one line: file, line, found, expected, remedy.

    A ReadOtherwise where the table can be read in a slower way.
    """
    text = system_path(str(error))
    found = re.search(r"^\s*file = (.+)$", text, re.M)
    named = [path for path in table.files if path in text]
    file = found[1].strip() if found else named[0] if named else None
    where = file or table.name
    if line := re.search(r"CSV Error on Line: (\d+)", text):
        where += f": line {line[1]}"
    if "Parallel CSV Reader" in text and table.shared:
        return ReadOtherwise(f"{where}: {first_line(text)}", table.unshared())
    if re.search(r"Maximum line size of \d+ bytes exceeded", text):
        if table.long_lines:
            return ValueError(f"{where}: a row longer than {LONGEST:,} bytes; shorten it")
        return ReadOtherwise(f"{where}: a long line", table.with_long_lines())
    if type(error).__name__ == "OutOfMemoryException":
        return ValueError(f"{table.name}: memory limit too small ({first_line(text)}); raise memory_limit")
    if "not utf-8" in text.lower() or "invalid UTF8" in text:
        return ValueError(f"{where}: not UTF-8 text; save the file as UTF-8")
    if ragged := re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text):
        return ValueError(
            f"{where}: {ragged[2]} values; expected {ragged[1]}, as in the header: mend the line "
            "(a comma within a value needs double quotes round the value)"
        )
    if "unterminated quote" in text:
        return ValueError(f'{where}: a quote is opened and not closed; close it, or write a quote as ""')
    if table.kind == "csv":
        if other := mixed_endings(file or table.files[0]):
            return ValueError(
                f"{file or table.files[0]}: line {other} ends otherwise than line 1 (a line feed with and "
                "without a carriage return); expected one kind of line ending: save the file with one"
            )
        return ValueError(
            f"{where}: not CSV as expected ({first_line(text)}); write commas, double quotes and one kind "
            "of line ending"
        )
    return ValueError(f"{where}: cannot be read as Parquet ({first_line(text)}); write the file again")


def first_line(error):
    """The first line of a message, without DuckDB's `Invalid Input Error: ` before it."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return re.sub(r"^[A-Z][\w ]* Error: ", "", lines[0]).strip().rstrip(".")
