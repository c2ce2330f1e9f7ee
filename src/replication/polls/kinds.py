"""What kind of file it is, from its first bytes: a name can say anything."""

import re

from replication.polls.portable import is_portable

SURVEYS = {  # kind: how it is called, and the endings of its name
    "por": ("an SPSS portable file", (".por",)),
    "sav": ("an SPSS file", (".sav", ".zsav")),
    "dta": ("a Stata file", (".dta",)),
    "csv": ("a CSV file", (".csv",)),
}
ENDINGS = {ending: kind for kind, (_, endings) in SURVEYS.items() for ending in endings}

_OLD_STATA = range(102, 116)  # the first byte is the version of the format, the second the order of bytes
_PAGE = re.compile(rb"\s*<(!doctype\s+html|html|head|\?xml)", re.IGNORECASE)
_CONTROL = re.compile(rb"[\0-\x08\x0e-\x1f]")  # what text does not hold
_DOWNLOAD = "download the file itself, signed in where the archive asks for it"
_EXPORT = "export it as CSV in UTF-8, or as .sav"
_OTHERS = (  # first bytes, what they are of, the remedy
    (b"PK\x03\x04", "a zip archive or an Excel workbook", "unpack it, or save the workbook as CSV in UTF-8"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word file", "save the sheet as CSV in UTF-8"),
    (b"\x1f\x8b", "compressed by gzip", "unpack it"),
    (b"BZh", "compressed by bzip2", "unpack it"),
    (b"7z\xbc\xaf", "a 7z archive", "unpack it"),
    (b"Rar!", "a RAR archive", "unpack it"),
    (b"%PDF", "a PDF, such as a codebook", "take the data file"),
    (b"PAR1", "a Parquet file", _EXPORT),
    (b"HEADER RECORD*******", "a SAS transport file", _EXPORT),
    (b"\0" * 12 + b"\xc2\xea\x81\x60", "a SAS file", _EXPORT),
    (b"RDX", "an R file", _EXPORT),
)
START = 1024  # how many first bytes tell the kind


def kind_of(start):
    """The kind of a file that begins with these bytes: "por", "sav" or "dta"; None if it is none of them.

    >>> kind_of(b"$FL2@(#) SPSS DATA FILE"), kind_of(b"<stata_dta><header>"), kind_of(b"ST,INC")
    ('sav', 'dta', None)
    """
    if start[:4] in (b"$FL2", b"$FL3"):
        return "sav"
    if start.startswith(b"<stata_dta>"):
        return "dta"
    if len(start) > 3 and start[0] in _OLD_STATA and start[1] in (1, 2) and start[2] == 1 and start[3] == 0:
        return "dta"
    return "por" if is_portable(start) else None


def mismatch(start, kind):
    """Why a file that begins with these bytes is not of the kind that its name says, and the remedy; or None.

    >>> mismatch(b"$FL2@(#) SPSS DATA FILE", "dta")
    'the name says that it is a Stata file, but it is an SPSS file; rename it to end in .sav'
    """
    called = SURVEYS[kind][0]
    found = kind_of(start)
    if found == kind:
        return None
    if found is not None:
        name, endings = SURVEYS[found]
        return f"the name says that it is {called}, but it is {name}; rename it to end in {endings[0]}"
    if _PAGE.match(start.removeprefix(b"\xef\xbb\xbf")):
        return f"the name says that it is {called}, but it is a web page; {_DOWNLOAD}"
    for first, name, remedy in _OTHERS:
        if start.startswith(first):
            return f"the name says that it is {called}, but it is {name}; {remedy}"
    if kind != "csv" and not _CONTROL.search(start) and b"SPSS PORT" not in start:
        return (
            f"the name says that it is {called}, but it is plain text; if that is a table, rename it to .csv"
        )
    return None
