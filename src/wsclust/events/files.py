"""Tables on disk: the files that a name stands for, and the columns that all of them have.

A table is one CSV or Parquet file or several, as `finding` says; several have the same columns in the same
order. Folders named `column=value` that a pattern stands for are a column more. How DuckDB reads it is in `table`.
"""

import glob
import os
import zlib

from wsclust.events.finding import find_files, partitions
from wsclust.events.parquet_files import kind_of, parquet_header, plain
from wsclust.events.refusals import first_line
from wsclust.events.table import Table
from wsclust.events.text_files import csv_header


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
            raise ValueError(f"{file}: cannot be read ({first_line(error)}); check the file") from None
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
