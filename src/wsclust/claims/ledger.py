"""The ledger of the paper's claims: each checkable statement of paper/claims.yaml and what came of it.

A claim has parts, each a sentence with an expression on the results. Its verdict:

===========================================  ==========================================================
reproduced                                   every part holds
reproduced in part                           some do
not reproduced                               none does
holds by construction                        every part holds, and the data were built so that it must
erratum                                      every part holds, and they show the statement wrong
cannot be checked (confidential)             what it is about is not public
not measured                                 a result that it needs is not there
===========================================  ==========================================================

The verdict that was last recorded stands in claims.yaml as `expected`, and parts that failed then have
`expected: false`. A claim is worse if its verdict ranks lower, or a part fails that held.

Table written: id, place, kind, statement, paper (its value), found, verdict, parts_held, parts, expected,
worse, rests_on, files, rules.
"""

import argparse
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pandas as pd

from wsclust.claims.expressions import evaluate, filled, select
from wsclust.files import write_csv
from wsclust.yaml_files import read_yaml

LEDGER = "paper/claims.yaml"
RESULTS = "results"
KINDS = ("identity", "number", "comparison", "picture", "timing")
REPRODUCED, IN_PART, NOT = "reproduced", "reproduced in part", "not reproduced"
BY_CONSTRUCTION, ERRATUM = "holds by construction", "erratum"
CONFIDENTIAL, NOT_MEASURED = "cannot be checked (confidential)", "not measured"
# Verdict -> rank; equal ranks are as good as each other.
RANKS = {REPRODUCED: 3, BY_CONSTRUCTION: 3, ERRATUM: 3, CONFIDENTIAL: 3, IN_PART: 2, NOT: 1, NOT_MEASURED: 0}


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


@dataclass(frozen=True)
class Finding:
    """What came of a claim: `outcomes`, True or False a part or None if not measured; its numbers."""

    claim: Claim
    values: dict
    outcomes: tuple
    found: str
    missing: str = ""

    @property
    def verdict(self):
        """One of RANKS, as the module's table says."""
        claim = self.claim
        if claim.confidential:
            return CONFIDENTIAL
        if self.missing:
            return NOT_MEASURED
        if not all(self.outcomes):
            return IN_PART if any(self.outcomes) else NOT
        return ERRATUM if claim.erratum else BY_CONSTRUCTION if claim.by_construction else REPRODUCED

    @property
    def worse(self):
        """Whether it came out worse than recorded; a benchmark that was not run is no worse."""
        claim = self.claim
        if self.verdict == NOT_MEASURED and claim.kind == "timing":
            return False
        failed = any(
            part.expected and outcome is False
            for part, outcome in zip(claim.parts, self.outcomes, strict=True)
        )
        return failed or RANKS[self.verdict] < RANKS[claim.expected]


def read_claims(path=LEDGER):
    """The claims of a ledger, in its order.

    Raises ValueError, naming the claim, on what it does not know: a key, kind, verdict, file, a repeated id;
    and on a file that is no ledger, naming the line or the key.
    """
    known, entries = _contents(path)
    claims = []
    for entry in entries:
        name = entry.get("id", "without id")
        wrong = set(entry) - set(Claim.__dataclass_fields__) | {"files"} & set(entry)
        missing = {"id", "place", "kind", "statement", "rests_on", "expected"} - set(entry)
        if wrong or missing:
            keys = ", ".join(sorted(map(str, wrong | missing)))
            raise ValueError(f"{path}: claim {name}: unknown or missing {keys}")
        for key in ("id", "place", "kind", "statement", "rests_on", "expected", "found", "note"):
            if not isinstance(entry.get(key, ""), str):
                raise ValueError(f"{path}: claim {name}: {key}: expected text, found {entry[key]!r}")
        if not re.fullmatch(r"[a-z0-9-]+", name) or name in {claim.id for claim in claims}:
            raise ValueError(f"{path}: claim {name}: expected an id of its own, in a-z, 0-9 and hyphens")
        if entry["kind"] not in KINDS:
            raise ValueError(f"{path}: claim {name}: kind {entry['kind']!r} is not one of {', '.join(KINDS)}")
        if entry["expected"] not in RANKS:
            raise ValueError(f"{path}: claim {name}: verdict {entry['expected']!r} is not one of {[*RANKS]}")
        values, listed = entry.get("values", {}), entry.get("parts", [])
        if not isinstance(values, dict) or not all(_is_source(text) for text in values.values()):
            raise ValueError(f"{path}: claim {name}: values: expected such as `a: file column`")
        if not isinstance(listed, list) or not all(isinstance(part, dict) for part in listed):
            raise ValueError(f"{path}: claim {name}: parts: expected a list of says and holds")
        sources = {text.split()[0] for text in values.values()}
        if not sources <= set(known):
            raise ValueError(f"{path}: claim {name}: no file {', '.join(sorted(sources - set(known)))}")
        if bool(entry.get("parts")) == entry.get("confidential", False):
            raise ValueError(f"{path}: claim {name}: expected parts, or confidential: true")
        for part in entry.get("parts", ()):
            # An unquoted comma in a sentence makes keys of its own.
            if not {"says", "holds"} <= set(part) <= {"says", "holds", "expected"}:
                raise ValueError(
                    f"{path}: claim {name}: part {part}: expected says, holds and perhaps expected"
                )
        parts = tuple(
            Part(part["says"], part["holds"], part.get("expected", True)) for part in entry.pop("parts", ())
        )
        files = {source: known[source] for source in sorted(sources)}
        claims.append(Claim(**entry, parts=parts, files=files))
    return claims


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


def _is_source(text):
    return isinstance(text, str) and len(text.split()) > 1


def check(claim, results=RESULTS):
    """The Finding of a claim on a folder of results.

    Raises ValueError, naming the claim, where an expression or a template is wrong in itself.
    """
    if claim.confidential:
        return Finding(claim, {}, (), "")
    values = {} if claim.paper is None else {"paper": claim.paper}
    try:
        for name, text in claim.values.items():
            source, column, *conditions = text.split()
            path = claim.files[source][0]
            values[name] = select(_table(Path(results, path)), column, conditions)
    except (FileNotFoundError, LookupError) as error:
        missing = "not there" if isinstance(error, OSError) else error
        return Finding(claim, values, (None,) * len(claim.parts), "", f"{path}: {missing}")
    try:
        outcomes = tuple(bool(evaluate(part.holds, values)) for part in claim.parts)
        return Finding(claim, values, outcomes, filled(claim.found, values))
    except LookupError as error:
        return Finding(claim, values, (None,) * len(claim.parts), "", str(error))
    except (ValueError, TypeError) as error:
        raise ValueError(f"claim {claim.id}: {error}") from None


@cache
def _table(path):
    # "null" is the name of a method, not a missing value.
    return pd.read_csv(path, keep_default_na=False, na_values=[""])


def table_of(findings):
    """The frame of results/claims.csv."""
    rows = []
    for finding in findings:
        claim = finding.claim
        marks = [
            {True: "holds", False: "fails", None: "not measured"}[outcome] for outcome in finding.outcomes
        ]
        rows.append(
            {
                "id": claim.id,
                "place": claim.place,
                "kind": claim.kind,
                "statement": claim.statement,
                "paper": claim.paper,
                "found": finding.found,
                "verdict": finding.verdict,
                "parts_held": f"{sum(map(bool, finding.outcomes))} of {len(claim.parts)}",
                "parts": "; ".join(
                    f"{part.says}: {mark}" for part, mark in zip(claim.parts, marks, strict=True)
                ),
                "expected": claim.expected,
                "worse": finding.worse,
                "rests_on": claim.rests_on,
                "files": " ".join(sorted(f"{RESULTS}/{path}" for path, _ in claim.files.values())),
                "rules": " ".join(sorted({rule for _, rule in claim.files.values()})),
            }
        )
    return pd.DataFrame(rows)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ledger", help="claims.yaml")
    parser.add_argument("--results", default=RESULTS, help="the folder of results (results)")
    parser.add_argument("--output", required=True)
    args = parser.parse_args(arguments)
    findings = [check(claim, args.results) for claim in read_claims(args.ledger)]
    write_csv(table_of(findings), args.output)


if __name__ == "__main__":
    main()
