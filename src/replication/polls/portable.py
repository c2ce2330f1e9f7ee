"""SPSS portable files (.por): a header that names and labels the columns, then every value, all as text.

The codes that a file declares missing are read as codes, as they are from the other formats. The date stamp
is passed over: nothing rests on it. Source of the format: PSPP's developers' guide, "Portable File Format".
"""

import math
import re

import pandas as pd

from replication.polls.codes import Codes, code_text

LINE = 80  # shorter lines have lost their spaces at the end
_TABLE = slice(200, 456)  # after five titles of 40: the file's own byte for each place of the portable set
_ZERO, _SPACE = 64, 126  # places of "0" and of the space in that set
_PORTABLE = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz .<(+|&[]!$*);^-/|,%_>?`:#@'=\""
_NUMBER = re.compile(r"(-?)([0-9A-T]*)(?:\.([0-9A-T]*))?(?:([+-])([0-9A-T]+))?")


def read_portable(content):
    """The columns of a portable file.

    Arguments: `content`, the bytes of the file. Returns a frame with one row per respondent, labels {column:
    text or None}, meanings {column: {code: text}}, and the codes declared missing {column: Codes}. Raises
    ValueError, which says what was found in place of what, where the file is not whole or not of this kind.

    >>> base_30("1A/"), base_30("-1.F/"), base_30("5-1/")
    (40.0, -1.5, 0.16666666666666666)
    """
    text = _Text(_joined(content))
    if text.take(_TABLE.stop + 8)[-8:] != "SPSSPORT":
        raise ValueError("no mark SPSSPORT after the table of characters")
    text.take(1)  # the version of the format, then date and time
    text.string(), text.string()
    header = _Header()
    while (tag := text.take(1)) != "F":
        if tag not in _RECORDS:
            raise ValueError(f"a record of unknown kind {tag!r} in the header")
        _RECORDS[tag](header, text)
    frame = pd.DataFrame(_values(text, header.widths), columns=list(header.widths))
    return frame, header.labels, header.meanings, header.missing


def is_portable(start):
    """Whether a file that begins with these bytes, 700 of them or more, is a portable file."""
    return _joined(start)[_TABLE.stop : _TABLE.stop + 8] == "SPSSPORT"


def base_30(token):
    """A number as portable files write it: digits 0-9 and A-T, the exponent to base 30 too, and a slash."""
    parts = _NUMBER.fullmatch(token.strip(" ").removesuffix("/"))
    if parts is None or not (parts[2] or parts[3]):
        raise ValueError(f"{token[:20]!r} in place of a number")
    sign, whole, fraction, direction, exponent = (part or "" for part in parts.groups())
    scale = (int(exponent, 30) if exponent else 0) * (-1 if direction == "-" else 1) - len(fraction)
    if abs(scale) > 400:
        raise ValueError(f"{token[:20]!r} in place of a number of ordinary size")
    # Whole numbers are exact, and Python rounds their quotient once.
    mantissa = int(whole + fraction, 30)
    value = mantissa * 30**scale if scale >= 0 else mantissa / 30**-scale
    return -float(value) if sign else float(value)


class _Header:
    """What the header has said so far, by column."""

    def __init__(self):
        self.widths, self.labels, self.meanings, self.missing = {}, {}, {}, {}

    @property
    def last(self):
        """The column that missing codes and a label are of."""
        if not self.widths:
            raise ValueError("a label or missing code before any column")
        return next(reversed(self.widths))

    def column(self, text):
        width, name = text.whole(), text.string()
        if name in self.widths:
            raise ValueError(f"column {name} twice")
        for _ in range(6):  # formats for printing and writing
            text.number()
        self.widths[name], self.labels[name] = width, None

    def label(self, text):
        self.labels[self.last] = text.string()

    def missing_code(self, text):
        self._declare(Codes(frozenset([code_text(text.value(self.widths[self.last]))])))

    def missing_range(self, text, lowest=None, highest=None):
        width = self.widths[self.last]
        lowest = text.value(width) if lowest is None else lowest
        highest = text.value(width) if highest is None else highest
        if not width:  # ranges of text have no use here
            self._declare(Codes(frozenset(), ((lowest, highest),)))

    def _declare(self, codes):
        before = self.missing.get(self.last, Codes(frozenset()))
        self.missing[self.last] = Codes(before.single | codes.single, before.ranges + codes.ranges)

    def value_labels(self, text):
        names = [text.string() for _ in range(text.whole())]
        unknown = [name for name in names if name not in self.widths]
        if unknown or not names:
            raise ValueError(f"labels of the codes of {', '.join(unknown) or 'no column'}")
        labels = {}
        for _ in range(text.whole()):
            value = text.value(self.widths[names[0]])
            labels[value] = text.string()
        for name in names:
            self.meanings[name] = self.meanings.get(name, {}) | labels


_RECORDS = {
    "1": lambda header, text: text.string(),  # product
    "2": lambda header, text: text.string(),  # author
    "3": lambda header, text: text.string(),  # product, continued
    "4": lambda header, text: text.number(),  # number of columns
    "5": lambda header, text: text.number(),  # digits of precision
    "6": lambda header, text: text.string(),  # the column of weights
    "7": _Header.column,
    "8": _Header.missing_code,
    "9": lambda header, text: header.missing_range(text, lowest=-math.inf),
    "A": lambda header, text: header.missing_range(text, highest=math.inf),
    "B": _Header.missing_range,
    "C": _Header.label,
    "D": _Header.value_labels,
    "E": lambda header, text: [text.string() for _ in range(text.whole())],  # documents
}


class _Text:
    """The text of a file, read from left to right."""

    def __init__(self, text):
        self.text, self.at, self.known = text, 0, {}
        raw = text.encode("latin-1")
        try:
            raw.decode("utf-8")
            self.encoding = "utf-8"
        except UnicodeDecodeError:
            self.encoding = "cp1252"

    def take(self, count):
        if self.at + count > len(self.text):
            raise ValueError("it ends in the middle")
        self.at += count
        return self.text[self.at - count : self.at]

    def number(self):
        while self.text.startswith(" ", self.at):
            self.at += 1
        if self.text.startswith("*.", self.at):
            self.at += 2
            return math.nan
        end = self.text.find("/", self.at) + 1
        if not end:
            raise ValueError("it ends in the middle")
        token, self.at = self.text[self.at : end], end
        if token not in self.known:
            self.known[token] = base_30(token)
        return self.known[token]

    def whole(self):
        number = self.number()
        if not (number >= 0 and number.is_integer()):
            raise ValueError(f"{number:g} in place of a number of things")
        return int(number)

    def string(self):
        raw = self.take(self.whole())
        return raw if raw.isascii() else raw.encode("latin-1").decode(self.encoding, "backslashreplace")

    def value(self, width):
        return self.string() if width else self.number()

    def ended(self):
        """Whether the mark Z comes next, with which the rows end."""
        while self.text.startswith(" ", self.at):
            self.at += 1
        return self.text.startswith("Z", self.at)


def _values(text, widths):
    rows, widths = [], list(widths.values())
    if not widths:
        raise ValueError("no column in the header")
    while not text.ended():
        rows.append([text.value(width) for width in widths])
    return rows


def _joined(content):
    """The file as one line, a character for each byte, in ASCII whatever the computer that wrote it had."""
    *lines, last = re.split(rb"\r\n|\r|\n", content)
    # Lines are padded by the file's own space, which stands in the table itself, in the first six lines.
    start = b"".join(line.ljust(LINE) for line in lines[:6]) + (last if len(lines) < 6 else b"")
    table = start[_TABLE]
    space = table[_SPACE : _SPACE + 1] or b" "
    whole = b"".join(line.ljust(LINE, space) for line in lines) + last
    if len(table) == 256 and table[_ZERO : _ZERO + 10] != b"0123456789":
        ascii_of = {
            byte: ord(character)
            for byte, character in zip(table[_ZERO:], _PORTABLE, strict=False)
            if byte != table[_ZERO] or character == "0"  # the byte of "0" marks a place without a character
        }
        whole = whole.translate(bytes(ascii_of.get(byte, byte) for byte in range(256)))
    return whole.decode("latin-1")
