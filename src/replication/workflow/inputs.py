"""Tables that a configuration names: that they are there, and have the columns that it names.

Snakemake itself does not miss a table whose results are there already: a slip in its path would keep them.
"""

import csv
from pathlib import Path

COLUMNS = ("group", "factors", "positive", "negative", "total")  # keys whose values are columns of `table`


def check_tables(config, root="."):
    """Raise ValueError, one line naming the key, on a table that is missing or lacks a column.

    >>> check_tables({"movielens": {"table": "data/nowhere.csv"}})
    Traceback (most recent call last):
        ...
    ValueError: config: movielens.table: no file data/nowhere.csv; expected a CSV table
    """
    for path, section in _sections_with_a_table(config):
        file = Path(root, section["table"])
        if set("{}").intersection(section["table"]):
            raise ValueError(
                f"config: {path}.table: {section['table']} has a brace, which Snakemake takes for a wildcard; rename "
                "the file"
            )
        if not file.is_file():
            raise ValueError(f"config: {path}.table: no file {section['table']}; expected a CSV table")
        try:
            with open(file, newline="", encoding="utf-8") as lines:
                header = next(csv.reader(lines), [])
        except (UnicodeDecodeError, csv.Error):
            raise ValueError(f"config: {path}.table: {section['table']} is not a CSV table") from None
        used = set()
        for key, column in _columns(section):
            where = f"config: {path}.{key}: column {column!r}"
            if column not in header:
                raise ValueError(f"{where} is not in {section['table']}, which has {', '.join(header)}")
            if column in used:
                raise ValueError(f"{where} is named twice; factors, group and outcomes are distinct")
            used.add(column)


def _columns(section):
    """(key, column) for every column that a section names."""
    for key in COLUMNS:
        value = section.get(key, [])
        yield from ((key, column) for column in ([value] if isinstance(value, str) else value))


def _sections_with_a_table(config, path=()):
    for key, value in config.items():
        if isinstance(value, dict):
            if isinstance(value.get("table"), str):
                yield ".".join((*path, key)), value
            yield from _sections_with_a_table(value, (*path, key))
