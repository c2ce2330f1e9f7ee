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

A number that the paper prints is reproduced if ours, rounded to as many digits, is the same. It is not enough that it
is within our sampling error, which would be a verdict on the number of draws: `entries` refuses such a part.

The verdict that was last recorded stands in claims.yaml as `expected`, and parts that failed then have
`expected: false`. A claim is worse if its verdict ranks lower, or a part fails that held.

Table written: id, place, kind, counted ("paper", or "extension" where the statement is not the paper's), data (what
kind it rests on), statement, paper (its value), found, verdict, parts_held, parts, expected, worse, rests_on, files,
rules.
"""

import argparse
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pandas as pd

from replication.claims.entries import (
    BY_CONSTRUCTION,
    CONFIDENTIAL,
    ERRATUM,
    IN_PART,
    NOT,
    NOT_MEASURED,
    RANKS,
    REPRODUCED,
    Claim,
    read_claims,
)
from replication.claims.expressions import evaluate, filled, select
from replication.shared.result_tables import read_table
from wsclust.tables import write_csv

RESULTS = "results"


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


def check(claim, results=RESULTS):
    """The Finding of a claim on a folder of results.

    Raises ValueError, naming the claim, where a condition, an expression or a template is wrong in itself,
    or a result is no table.
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
    except ValueError as error:
        raise ValueError(f"claim {claim.id}: value {name}: {error}") from None
    try:
        outcomes = tuple(bool(evaluate(part.holds, values)) for part in claim.parts)
        return Finding(claim, values, outcomes, filled(claim.found, values))
    except LookupError as error:
        return Finding(claim, values, (None,) * len(claim.parts), "", str(error))
    except (ValueError, TypeError) as error:
        raise ValueError(f"claim {claim.id}: {error}") from None


@cache
def _table(path):
    try:
        return read_table(path)
    except ValueError as error:  # pandas' own are of this kind
        raise ValueError(f"{path}: not a CSV table ({str(error).strip()}); make the file again") from None


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
                "counted": "extension" if claim.extension else "paper",
                "data": claim.data,
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
