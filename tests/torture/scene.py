"""The folder of a trial: a log as it should be, of which some tables are broken before they are written."""

import csv
import gzip
import io
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

from torture.broken_files import break_bytes, parquet_bytes, parquet_of_text
from torture.broken_tables import break_table
from wsclust import cli

ROOT = Path(__file__).parents[2]
LEVELS, SHAPES = ("1", "2", "3"), ("circle", "square")
GROUPS = 25


@dataclass
class Trial:
    """`arguments` of `main`, called in the trial's folder; `inputs` and `outputs`, names of files there.

    `same_as` are arguments whose first output must be the same bytes, or None. `keeps` says that the command refuses to
    write where a file is.
    """

    arguments: list
    inputs: list
    outputs: list = field(default_factory=list)
    same_as: list | None = None
    main: Callable[[list], int] = cli.main
    keeps: bool = False


@cache
def sound_log():
    """A log that is as it should be: (events, labels, outcomes of some), lists of rows with a header."""
    random = Random(20)
    share = {f"shop-{i:02d}": round(random.uniform(0.05, 0.95), 3) for i in range(GROUPS)}
    events = [["group", "level", "shape", "basket", "n"]]
    for _ in range(300):
        group = random.choice(list(share))
        happy = random.random() < share[group]
        level = random.choices(LEVELS, (1, 2, 4) if happy else (4, 2, 1))[0]
        events.append(
            [group, level, random.choice(SHAPES), f"{random.expovariate(0.1):.1f}", str(random.randint(1, 9))]
        )
    labels = [["group", "label", "rated"], *([group, str(label), "12"] for group, label in share.items())]
    outcomes = [["row", "group", "level", "shape", "outcome"]]
    for row in random.sample(range(1, len(events)), 40):
        outcomes.append([str(row), *events[row][:3], str(random.randint(0, 1))])
    return events, labels, outcomes


def text_of(rows):
    """The rows as CSV."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows)
    return written.getvalue().encode("utf-8", "surrogatepass")


class Scene:
    """A folder in which a trial's inputs are written, each broken or not."""

    def __init__(self, random, folder):
        self.random, self.folder, self.names, self.as_rows = random, folder, [], {}

    def table(self, name, rows, broken, formats=("csv", "csv", "parquet")):
        """Write a table and return its file's name."""
        random = self.random
        file = f"{name}.{random.choice(formats)}"
        by_cell = broken and random.random() < 0.7
        rows = break_table(random, rows) if by_cell else rows
        try:
            content = parquet_bytes(random, rows, broken) if file.endswith("parquet") else text_of(rows)
        except (ValueError, csv.Error, UnicodeError):  # no such table can be written in this format
            file, content = f"{name}.csv", text_of(sound_log()[0])
        if broken and not by_cell:
            content = break_bytes(random, content)
        elif file.endswith("csv"):
            self.as_rows[file] = rows
        return self.file(file, content)

    def file(self, name, content):
        """Write a file and return its name."""
        (self.folder / name).write_bytes(content)
        self.names.append(name)
        return name

    def another_form(self, file, in_order=False, name="same-events"):
        """The same rows shuffled, packed or as Parquet, if their reading is beyond doubt; else None."""
        rows = self.as_rows.get(file)
        if rows is None or len({len(row) for row in rows}) != 1 or len(rows[0]) < 2:
            return None
        # A byte order mark in a cell is one only in the file's first bytes, and NUL is refused wherever it stands.
        header, body = rows[0], list(rows[1:])
        if not in_order:
            self.random.shuffle(body)
        text, form = text_of([header, *body]), self.random.choice(("csv", "csv.gz", "parquet"))
        if form == "csv":
            return self.file(f"{name}.csv", text)
        if form == "csv.gz":
            return self.file(f"{name}.csv.gz", gzip.compress(text, mtime=0))
        try:
            return self.file(f"{name}.parquet", parquet_of_text(header, body))
        except UnicodeError:
            return None

    def broken(self, share=0.6):
        return self.random.random() < share
