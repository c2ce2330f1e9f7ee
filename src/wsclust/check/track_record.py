"""What became of real designs with known outcomes whose fits had each verdict: read from verdicts.csv beside this file.

The table is written by the survey of real designs, one row per set and verdict: `set`, `verdict`, `designs`, and
how many of them beat guessing the mean (`above_mean`), and both that and the direct estimate (`above_direct`). The
thresholds of the verdicts were chosen on the first set; the second was used to choose nothing.
"""

import csv
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_name("verdicts.csv")
CHOSEN_ON, KEPT_APART = "first", "second"


@dataclass(frozen=True)
class Record:
    """How many real designs had a verdict, and what became of the latent fit on them."""

    designs: int
    above_mean: int
    above_direct: int


@cache
def records() -> dict[tuple[str, str], Record]:
    """The record of each set and verdict.

    >>> all(record.above_direct <= record.above_mean <= record.designs for record in records().values())
    True
    """
    with open(TABLE, newline="", encoding="utf-8") as file:
        return {
            (row["set"], row["verdict"]): Record(
                *(int(row[name]) for name in ("designs", "above_mean", "above_direct"))
            )
            for row in csv.DictReader(file)
        }


def record(set_name: str, verdict: str) -> Record:
    """The record of a verdict on one set of designs; zeros where no design had it.

    >>> record("second", "no such verdict")
    Record(designs=0, above_mean=0, above_direct=0)
    """
    return records().get((set_name, verdict), Record(0, 0, 0))


def record_of_all(set_name: str) -> Record:
    """The record of all verdicts together on one set of designs.

    >>> record_of_all("second").designs
    40
    """
    of_set = [found for (name, _), found in records().items() if name == set_name]
    return Record(*(sum(getattr(found, field.name) for found in of_set) for field in fields(Record)))


def in_words(verdict: str) -> str:
    """What became of real designs with a verdict, those first on which nothing was chosen, beside what became of all.

    >>> in_words("no such verdict")
    'no real design of the survey had such figures'
    """
    apart, chosen = record(KEPT_APART, verdict), record(CHOSEN_ON, verdict)
    sets = {
        which: (found, record_of_all(name))
        for which, name, found in (
            ("on which nothing was chosen", KEPT_APART, apart),
            ("on which the thresholds were chosen", CHOSEN_ON, chosen),
        )
        if found.designs
    }
    if not sets:
        return "no real design of the survey had such figures"
    these = ", and in ".join(
        f"{found.above_mean} of {found.designs} {which}" for which, (found, _) in sets.items()
    )
    those = ", ".join(f"{every.above_mean} of {every.designs}" for _, every in sets.values())
    return (
        f"of real designs with this verdict the fit beat guessing the mean in {these} "
        f"(whatever the verdict: {those})"
    )
