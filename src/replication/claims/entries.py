"""The entries of paper/claims.yaml: what a claim is made of, and the refusal of what is none.

The head of claims.yaml describes its keys, `ledger` the verdicts, and `expressions` what a value and an
expression may be.
"""

from dataclasses import dataclass, field

from replication.claims.expressions import split_condition
from replication.shared.schema_check import check_schema
from replication.shared.yaml_files import read_yaml

LEDGER = "paper/claims.yaml"
# What a claim can rest on: the key `data` -> how the pages call it.
DATA = {
    "mathematics": "mathematics",
    "simulation": "simulations, with a truth of ours",
    "voters": "voters of 1984, rebuilt from public facts",
    "clicks": "synthetic clicks, built from the description",
    "several": "several of these",
    "none": "data that are not public",
    "real": "real events of others, with known outcomes",
}
KINDS = ("identity", "number", "comparison", "picture", "timing")
REPRODUCED, IN_PART, NOT = "reproduced", "reproduced in part", "not reproduced"
BY_CONSTRUCTION, ERRATUM = "holds by construction", "erratum"
CONFIDENTIAL, NOT_MEASURED = "cannot be checked (confidential)", "not measured"
# Verdict -> rank; equal ranks are as good as each other.
RANKS = {REPRODUCED: 3, BY_CONSTRUCTION: 3, ERRATUM: 3, CONFIDENTIAL: 3, IN_PART: 2, NOT: 1, NOT_MEASURED: 0}
_TEXT = {"type": "string", "description": "text"}
_FLAG = {"type": "boolean", "description": "true or false"}


def _mapping(required, description, **properties):
    """The schema of a mapping without other keys."""
    shape = {"type": "object", "required": list(required), "description": description}
    return {**shape, "properties": properties, "additionalProperties": False}


# An unquoted comma in a sentence of a part makes keys of its own.
_PART = _mapping(
    ("says", "holds"), "says, holds and perhaps expected", says=_TEXT, holds=_TEXT, expected=_FLAG
)
_CLAIM = _mapping(
    ("id", "place", "kind", "statement", "rests_on", "data", "expected"),
    "keys such as id",
    **dict.fromkeys(("place", "statement", "rests_on", "found", "note"), _TEXT),
    **dict.fromkeys(("by_construction", "erratum", "confidential", "extension"), _FLAG),
    id={"type": "string", "pattern": "^[a-z0-9-]+$", "description": "an id in a-z, 0-9 and hyphens"},
    data={"enum": list(DATA), "description": "kind of data"},
    kind={"enum": list(KINDS), "description": "kind of claim"},
    expected={"enum": list(RANKS), "description": "verdict"},
    paper={"type": ["number", "string", "null"], "description": "a number or text"},
    values={"type": "object", "additionalProperties": _TEXT, "description": "such as {a: file column}"},
    parts={"type": "array", "items": _PART, "description": "a list of says and holds"},
)
_FILE = {"type": "object", "required": ["path", "rule"], "properties": {"path": _TEXT, "rule": _TEXT}}
_LEDGER = {
    "type": "object",
    "required": ["files", "claims"],
    "description": f"files and claims, as in {LEDGER}",
    "properties": {
        "files": {"type": "object", "additionalProperties": _FILE, "description": "name: {path, rule}"},
        "claims": {
            "type": "array",
            "minItems": 1,
            "items": {"type": "object"},
            "description": "a list of claims",
        },
    },
}


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
    data: str
    expected: str
    paper: float | str | None = None
    values: dict = field(default_factory=dict)
    found: str = ""
    parts: tuple = ()
    by_construction: bool = False
    erratum: bool = False
    confidential: bool = False
    extension: bool = False
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
        check_schema(entry, _CLAIM, f"{path}: claim {name}")
        try:
            claim = _claim(entry, known)
            if name in claims:
                raise ValueError("another claim has this id; give each its own")
        except ValueError as error:
            raise ValueError(f"{path}: claim {name}: {error}") from None
        claims[name] = claim
    return [*claims.values()]


def _contents(path):
    """The files of a ledger, name -> (path, rule), and its entries, each a dict."""
    ledger = read_yaml(path)
    check_schema(ledger, _LEDGER, path)
    return {name: (file["path"], file["rule"]) for name, file in ledger["files"].items()}, ledger["claims"]


def _claim(entry, known):
    sources = {_source(name, text) for name, text in entry.get("values", {}).items()}
    if unknown := sources - set(known):
        raise ValueError(f"no file {', '.join(sorted(unknown))}")
    if bool(entry.get("parts")) == entry.get("confidential", False):
        raise ValueError("expected parts, or confidential: true")
    parts = tuple(Part(**part) for part in entry.get("parts", ()))
    if entry["kind"] == "number" and any("sd(" in part.holds for part in parts):
        raise ValueError(
            "parts: a printed number is compared as it is printed, with rounded(), and not within its spread (sd), "
            "which more draws would narrow until the verdict turned"
        )
    files = {source: known[source] for source in sorted(sources)}
    return Claim(**entry | {"parts": parts, "files": files})


def _source(name, text):
    """The file that a value is from; its name and its conditions are looked at."""
    if not isinstance(name, str) or not name.isidentifier():
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
