"""The codes of a survey file, and how a map writes them.

A code is compared as text, in one form whatever the file's format made of it. A map writes single codes (3 or
White), ranges of numbers (1-7, ends included), the word `blank` (no value in the file), or lists of these.
"""

import re
from dataclasses import dataclass

import pandas as pd

STATA_MISSING = re.compile(r"\.[a-z]")
NUMBER = re.compile(r"[-+]?\d+(\.\d*)?")
_RANGE = re.compile(r"(-?\d+(?:\.\d+)?)\s*-\s*(-?\d+(?:\.\d+)?)")
# Characters of a text that a message repeats.
LONGEST = 200


@dataclass(frozen=True)
class Codes:
    """A set of codes: single ones as text, and ranges (lowest, highest) of numbers."""

    single: frozenset
    ranges: tuple = ()

    def holds(self, code):
        """Whether a code, in the form that `code_text` gives, is in the set."""
        if code in self.single:
            return True
        if not self.ranges or not NUMBER.fullmatch(code):
            return False
        return any(lowest <= float(code) <= highest for lowest, highest in self.ranges)

    def match(self, codes):
        """Which of a series of codes are in the set: a series of booleans."""
        return codes.isin([code for code in codes.unique() if self.holds(code)])

    def shared(self, other):
        """A code that both sets hold, or None."""
        if self.single.isdisjoint(other.single) and not self.ranges and not other.ranges:
            return None
        ends = {code_text(end) for codes in (self, other) for pair in codes.ranges for end in pair}
        candidates = sorted(self.single | other.single | ends)
        return next((code for code in candidates if self.holds(code) and other.holds(code)), None)


def code_text(value):
    """A code as text, the same whether the file held 1, 1.0, " 1" or "01"; no value is "".

    >>> [code_text(value) for value in (1.0, "01", " AL ", 7.5, float("nan"), None)]
    ['1', '1', 'AL', '7.5', '', '']
    """
    if pd.isna(value):
        return ""
    text = str(value).strip()
    if NUMBER.fullmatch(text):
        number = float(text)
        text = str(int(number)) if number.is_integer() else repr(number)
    return text


def codes_of(column):
    """The codes of a column, one text for each row in the form of `code_text`: a series.

    >>> codes_of(pd.Series([1.0, None, "AL"], dtype=object)).tolist()
    ['1', '', 'AL']
    """
    values = column.astype(object)
    return values.map({value: code_text(value) for value in values.unique()}).fillna("").astype(object)


def parse_codes(value, path):
    """Codes from a map's text or list of texts; ValueError, naming `path`, where it is neither.

    >>> parse_codes(["1-7", "9", "blank"], "income").match(pd.Series(["3", "8", "9", ""])).tolist()
    [True, False, True, True]
    """
    single, ranges = set(), []
    for item in value if isinstance(value, list) else [value]:
        if not isinstance(item, str) or not item:
            raise ValueError(f"{path}: expected codes, found {shown(item)}; write blank for no value")
        ends = _RANGE.fullmatch(item)
        if ends:
            lowest, highest = map(float, ends.groups())
            if lowest > highest:
                raise ValueError(f"{path}: range {item} runs downwards; write the lower end first")
            ranges.append((lowest, highest))
        else:
            single.add("" if item == "blank" else code_text(item))
    return Codes(frozenset(single), tuple(ranges))


def shown(value):
    """What a message says was found in place of something else; of a long text, where it begins.

    >>> shown({"column": 1, "levels": 2}), shown(""), shown("x" * 1000)[190:]
    ('keys column, levels', 'nothing', 'xxxxxxxxxx... (1,002 characters)')
    """
    if isinstance(value, dict):
        text = "keys " + ", ".join(map(str, value))
    else:
        text = "nothing" if value in ("", None, []) else repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... ({len(text):,} characters)"
