"""The entries of paper/claims.yaml: what a claim is made of, and the refusal of what is none.

The head of claims.yaml describes its keys, `ledger` the verdicts, and `expressions` what a value and an
expression may be.
"""

import re
from dataclasses import dataclass, field

from replication.claims.expressions import split_condition
from replication.shared.yaml_files import read_yaml

LEDGER = "paper/claims.yaml"
KINDS = ("identity", "number", "comparison", "picture", "timing")
REPRODUCED, IN_PART, NOT = "reproduced", "reproduced in part", "not reproduced"
BY_CONSTRUCTION, ERRATUM = "holds by construction", "erratum"
CONFIDENTIAL, NOT_MEASURED = "cannot be checked (confidential)", "not measured"
# Verdict -> rank; equal ranks are as good as each other.
RANKS = {REPRODUCED: 3, BY_CONSTRUCTION: 3, ERRATUM: 3, CONFIDENTIAL: 3, IN_PART: 2, NOT: 1, NOT_MEASURED: 0}
_NEEDED = ("id", "place", "kind", "statement", "rests_on", "expected")
_TEXT, _FLAG, _NUMBER = (
    ((str,), "text"),
    ((bool,), "true or false"),
    ((int, float, str, type(None)), "a number or text"),
)
_TYPES = dict.fromkeys((*_NEEDED, "found", "note"), _TEXT)
_TYPES |= dict.fromkeys(("by_construction", "erratum", "confidential"), _FLAG) | {"paper": _NUMBER}
_TYPES |= {"values": ((dict,), "such as {a: file column}"), "parts": ((list,), "a list of says and holds")}
_OF_PART = {"says": _TEXT, "holds": _TEXT, "expected": _FLAG}


@dataclass(frozen=True)
class Part:
    """One sentence of a claim, `holds` (its expression), and whether it held when last recorded."""

    says: str
    holds: str
    expected: bool = True


@dataclass(frozen=True)
class Claim:
    """An entry of claims.yaml; `files` is name -> (path under results/, rule that makes it)."""

    id: str
    place: str
    kind: str
    statement: str
    rests_on: str
    expected: str
    paper: float | str | None = None
    values: dict = field(default_factory=dict)
    found: str = ""
    parts: tuple = ()
    by_construction: bool = False
    erratum: bool = False
    confidential: bool = False
    note: str = ""
    files: dict = field(default_factory=dict)


def read_claims(path=LEDGER):
    """The claims of a ledger, in its order.

    Raises ValueError, naming the claim, on what it does not know: a key, kind, verdict, file, a repeated id;
    on a value of another type than its key has and on a condition that is none; and on a file that is no
    ledger, naming the line or the key.
    """
    known, entries = _contents(path)
    claims = {}
    for entry in entries:
        name = entry.get("id", "without id")
        try:
            claim = _claim(entry, known)
            if not re.fullmatch(r"[a-z0-9-]+", name) or name in claims:
                raise ValueError("expected an id of its own, in a-z, 0-9 and hyphens")
        except ValueError as error:
            raise ValueError(f"{path}: claim {name}: {error}") from None
        claims[name] = claim
    return [*claims.values()]


def _contents(path):
    """The files of a ledger, name -> (path, rule), and its entries, each a dict."""
    ledger = read_yaml(path)
    for key, kind in (("files", dict), ("claims", list)):
        if not isinstance(ledger, dict) or not isinstance(ledger.get(key), kind):
            raise ValueError(f"{path}: no {key}; expected keys files and claims, as in {LEDGER}")
    for name, file in ledger["files"].items():
        if not isinstance(file, dict) or not all(isinstance(file.get(key), str) for key in ("path", "rule")):
            raise ValueError(f"{path}: files: {name}: expected a path and a rule")
    for number, entry in enumerate(ledger["claims"], 1):
        if not isinstance(entry, dict):
            raise ValueError(f"{path}: claim {number} of the list: expected keys such as id, found {entry!r}")
    if not ledger["claims"]:
        raise ValueError(f"{path}: claims: the list is empty; expected a claim")
    return {name: (file["path"], file["rule"]) for name, file in ledger["files"].items()}, ledger["claims"]


def _claim(entry, known):
    if wrong := (set(entry) - set(_TYPES)) | (set(_NEEDED) - set(entry)):
        raise ValueError(f"unknown or missing {', '.join(sorted(map(str, wrong)))}")
    _check_types(entry, _TYPES)
    for key, what, choices in (("kind", "kind", KINDS), ("expected", "verdict", RANKS)):
        if entry[key] not in choices:
            raise ValueError(f"{what} {entry[key]!r} is not one of {', '.join(choices)}")
    sources = {_source(name, text) for name, text in entry.get("values", {}).items()}
    if unknown := sources - set(known):
        raise ValueError(f"no file {', '.join(sorted(unknown))}")
    if bool(entry.get("parts")) == entry.get("confidential", False):
        raise ValueError("expected parts, or confidential: true")
    parts = tuple(_part(part) for part in entry.get("parts", ()))
    files = {source: known[source] for source in sorted(sources)}
    return Claim(**entry | {"parts": parts, "files": files})


def _source(name, text):
    """The file that a value is from; its name and its conditions are looked at."""
    if not isinstance(name, str) or not name.isidentifier() or not isinstance(text, str):
        raise ValueError(f"values: expected such as {{a: file column}}, found {name!r}: {text!r}")
    source, *column = text.split() or [""]
    if not column:
        raise ValueError(f"values: expected such as {{{name}: file column}}, found {text!r}")
    for condition in column[1:]:
        try:
            split_condition(condition)
        except ValueError as error:
            raise ValueError(f"values: {name}: {error}") from None
    return source


def _part(part):
    # An unquoted comma in a sentence makes keys of its own.
    if not isinstance(part, dict) or not {"says", "holds"} <= set(part) <= set(_OF_PART):
        raise ValueError(f"parts: expected says, holds and perhaps expected, found {part!r}")
    try:
        _check_types(part, _OF_PART)
    except ValueError as error:
        raise ValueError(f"parts: {error}") from None
    return Part(**part)


def _check_types(entry, types):
    for key, value in entry.items():
        kinds, expected = types[key]
        # In Python true is a number, here it is none.
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise ValueError(f"{key}: expected {expected}, found {value!r}")
