"""The map of a poll: which columns and codes of its file mean which answer, and what must come out.

Five answers are read: state, income, union, race and vote. In a map each is either one column,

    income: {column: V840680, levels: {1: 1-7, 2: 8-14, ...}, missing: [88, 98, 99]}

or, where a level needs more than one column, a list of rules, of which the first that fits a row decides:

    union: {rules: [{level: missing, when: {V840676: [8, 9]}}, ...]}

A row whose level is missing is left out of the counts. How codes are written: replication.polls.codes.
"""

import difflib
from dataclasses import dataclass

from replication.polls.codes import NUMBER, parse_codes, shown
from replication.shared.yaml_files import read_yaml

POSTAL_CODES = tuple(
    "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND"
    " OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY".split()
)
LEVELS = {
    "state": POSTAL_CODES,
    "income": ("1", "2", "3", "4", "5"),
    "union": ("self", "family", "none"),
    "race": ("black", "white", "other"),
    "vote": ("reagan", "mondale"),
}
TOTALS = {  # key in a map: how it is called beside its number
    "rows": "rows in the file",
    "two_party_voters": "voters for Reagan or Mondale",
    "voters": "voters with every answer",
    "states": "states",
    "median_voters_a_state": "median voters a state",
    "occupied_cells": "occupied cells of 45",
}
MARGINS = ("income", "union", "race")
UNFILLED = "FILL IN"
MISSING = ""  # the level of a row that is left out


@dataclass(frozen=True)
class PollMap:
    """What a map says.

    `rules`, for each answer a tuple of (level, {column: Codes}); `expected`, {label: number}; `cells`, the
    cells that it expects numbers of, each {answer: level}; `name`, for messages.
    """

    rules: dict
    expected: dict
    cells: tuple = ()
    name: str = "the map"


def read_map(path):
    """The PollMap in a YAML file; ValueError, one line naming the file and the key, where it is not one."""
    return parse_map(read_yaml(path, texts=True), str(path))


def parse_map(settings, name="the map"):
    """A PollMap from a map's contents, all scalars as text; ValueError, naming the key, where it is wrong.

    >>> parse_map({"state": {"column": "FILL IN"}})
    Traceback (most recent call last):
        ...
    ValueError: the map: state.column is not filled in; replace FILL IN by what the file's codebook says
    """
    try:
        unfilled = list(_unfilled(settings, ""))
        if unfilled:
            more = f" (nor are {len(unfilled) - 1} other keys)" if len(unfilled) > 1 else ""
            raise ValueError(
                f"{unfilled[0]} is not filled in{more}; replace {UNFILLED} by what the file's codebook says"
            )
        _mapping(settings, "", required=LEVELS, optional=("expected",))
        rules = {answer: _rules(settings[answer], answer) for answer in LEVELS}
        return PollMap(rules, *_expected(settings.get("expected", {})), name)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def cell_label(levels):
    """How a cell or margin is called: {"union": "self", "race": "other"} -> "union self, race other"."""
    return ", ".join(f"{answer} {level}" for answer, level in levels.items())


def _unfilled(value, path):
    """Paths of the keys that still hold the placeholder."""
    if value == UNFILLED:
        yield path
    elif isinstance(value, list):
        for item in value:
            yield from _unfilled(item, path)
    elif isinstance(value, dict):
        for key, item in value.items():
            inner = f"{path}.{key}" if path else key
            if key == UNFILLED:
                yield path
            yield from _unfilled(item, inner)


def _mapping(value, path, required=(), optional=()):
    where = f"{path}: " if path else ""
    if not isinstance(value, dict):
        raise ValueError(f"{where}expected keys {', '.join([*required, *optional])}, found {shown(value)}")
    known = [*required, *optional]
    for key in value:
        if key not in known:
            close = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"keys are {', '.join(known)}"
            raise ValueError(f"{where}unknown key {key!r}; {hint}")
    for key in required:
        if key not in value:
            raise ValueError(f"{where}key {key!r} is missing; add it")
    return value


def _rules(settings, answer):
    if isinstance(settings, dict) and "rules" in settings:
        _mapping(settings, answer, required=("rules",))
        rules = _listed_rules(settings["rules"], answer)
    else:
        rules = _column_rules(settings, answer)
    given = {level for level, _ in rules}
    absent = [level for level in LEVELS[answer] if level not in given]
    if absent and answer != "state":
        raise ValueError(f"{answer}: no codes for level {absent[0]!r}; add them")
    return rules


def _column_rules(settings, answer):
    _mapping(settings, answer, required=("column", "levels"), optional=("missing",))
    column, levels = settings["column"], settings["levels"]
    if not isinstance(column, str) or not column:
        raise ValueError(f"{answer}.column: expected the name of a column, found {shown(column)}")
    if answer == "state" and levels == "postal codes":
        levels = {state: state for state in POSTAL_CODES}
    _mapping(levels, f"{answer}.levels", optional=LEVELS[answer])
    rules = [
        (level, {column: parse_codes(codes, f"{answer}.levels.{level}")}) for level, codes in levels.items()
    ]
    if settings.get("missing", []) != []:
        rules.append((MISSING, {column: parse_codes(settings["missing"], f"{answer}.missing")}))
    for later, (level, when) in enumerate(rules):
        for other, elsewhere in rules[:later]:
            shared = when[column].shared(elsewhere[column])
            if shared is not None:
                raise ValueError(
                    f"{answer}: code {shared or 'blank'} is given to {other} and to {level or 'missing'}; "
                    "keep one of them"
                )
    return tuple(rules)


def _listed_rules(listed, answer):
    if not isinstance(listed, list) or not listed:
        raise ValueError(f"{answer}.rules: expected a list of rules, found {shown(listed)}")
    rules = []
    for number, rule in enumerate(listed, 1):
        path = f"{answer}.rules, rule {number}"
        _mapping(rule, path, required=("level", "when"))
        level, when = rule["level"], rule["when"]
        if level not in (*LEVELS[answer], "missing"):
            raise ValueError(
                f"{path}: unknown level {level!r}; levels are {', '.join(LEVELS[answer])} and missing"
            )
        if not isinstance(when, dict) or not when:
            raise ValueError(f"{path}: when: expected columns and their codes, found {shown(when)}")
        conditions = {column: parse_codes(codes, f"{path}, {column}") for column, codes in when.items()}
        rules.append((MISSING if level == "missing" else level, conditions))
    return tuple(rules)


def _expected(settings):
    _mapping(settings, "expected", optional=(*TOTALS, *MARGINS, "cells"))
    expected = {label: _number(settings[key], key) for key, label in TOTALS.items() if key in settings}
    for answer in MARGINS:
        margin = _mapping(settings.get(answer, {}), f"expected.{answer}", optional=LEVELS[answer])
        for level, number in margin.items():
            expected[cell_label({answer: level})] = _number(number, f"{answer}.{level}")
    listed, cells = settings.get("cells", []), []
    if not isinstance(listed, list):
        raise ValueError(f"expected.cells: expected a list, found {shown(listed)}")
    for cell in listed:
        _mapping(cell, "expected.cells", required=("voters",), optional=MARGINS)
        levels = {answer: cell[answer] for answer in MARGINS if answer in cell}
        for answer, level in levels.items():
            _mapping({level: ""}, f"expected.cells.{answer}", optional=LEVELS[answer])
        cells.append(levels)
        expected[cell_label(levels)] = _number(cell["voters"], f"cells, {cell_label(levels)}")
    return expected, tuple(cells)


def _number(value, path):
    if not isinstance(value, str) or not NUMBER.fullmatch(value):
        raise ValueError(f"expected.{path}: expected a number, found {shown(value)}")
    return float(value)
