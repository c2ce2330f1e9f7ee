"""Print what came of the paper's claims, or the evidence of one."""

from pathlib import Path
from textwrap import fill

import numpy as np

from replication.claims.entries import LEDGER, NOT_MEASURED, read_claims
from replication.claims.ledger import RESULTS, check
from wsclust.commands.streams import remark, show

EXAMPLE = """examples, in the project's folder:
  python -m replication claim
  python -m replication claim distance-latent

Results are read as they are; `make` brings them up to date. Exit codes: 0 no claim came out worse than
recorded, 1 one did, 2 bad input.
"""
MARKS = {True: "holds", False: "fails", None: "not measured"}


def add_arguments(parser):
    parser.epilog = EXAMPLE
    parser.add_argument("id", nargs="?", metavar="ID", help="of one claim; without it all are listed")
    parser.add_argument("--ledger", default=LEDGER, help=f"the claims ({LEDGER})")
    parser.add_argument("--results", default=RESULTS, help=f"the folder of results ({RESULTS})")


def run(args):
    try:
        claims = read_claims(args.ledger)
    except FileNotFoundError:
        raise ValueError(
            f"{args.ledger}: no such file; run in the project's folder, or give the ledger to --ledger"
        ) from None
    if args.id is not None:
        chosen = [claim for claim in claims if claim.id == args.id]
        if not chosen:
            raise ValueError(f"no claim {args.id!r}; `python -m replication claim` lists them")
        claims = chosen
    if not Path(args.results).is_dir():
        raise ValueError(
            f"{args.results}: no such folder; run in the project's folder, or give its results to --results"
        )
    findings = [check(claim, args.results) for claim in claims]
    show(listed(findings) if args.id is None else evidence(findings[0]))
    worse = [finding for finding in findings if finding.worse]
    for finding in worse:
        remark(worse_line(finding))
    return int(bool(worse))


def listed(findings):
    """All claims, a line each: id, verdict, what was found; then how many came out how.

    A claim that came out worse than recorded is marked with !.
    """
    width = max(len(finding.claim.id) for finding in findings)
    lines, counts = [], {}
    for finding in findings:
        counts[finding.verdict] = counts.get(finding.verdict, 0) + 1
        mark = "!" if finding.worse else " "
        text = finding.found or finding.missing or finding.claim.rests_on
        lines.append(f"{mark} {finding.claim.id:{width}}  {finding.verdict:32}  {text}".rstrip())
    total = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    return "\n".join([*lines, "", f"{len(findings)} claims: {total}."])


def evidence(finding):
    """All about one claim: what the paper says, each number with its file, each part with its margin."""
    claim = finding.claim
    lines = [f"{claim.id} ({claim.place}; {claim.kind})", fill(claim.statement, 100), ""]
    if claim.paper is not None:
        lines.append(f"paper:     {claim.paper}")
    if finding.found:
        lines.append(f"found:     {finding.found}")
    lines.append(f"rests on:  {claim.rests_on}")
    if finding.missing:
        lines.append(f"missing:   {finding.missing}")
    if claim.values:
        lines += ["", "numbers:"]
    for name, text in claim.values.items():
        source, column, *conditions = text.split()
        path, rule = claim.files[source]
        where = f" where {' '.join(conditions)}" if conditions else ""
        lines.append(f"  {name} = {_number(finding.values.get(name))}")
        lines.append(f"      {column} of results/{path}{where} (rule {rule})")
    if claim.parts:
        lines += ["", "parts:"]
    for part, outcome in zip(claim.parts, finding.outcomes, strict=True):
        known = (
            "" if part.expected or outcome is None else ", as recorded" if not outcome else ", and did not"
        )
        lines += [f"  {MARKS[outcome]}{known}: {part.says}", f"      {' '.join(part.holds.split())}"]
    lines += ["", f"verdict:   {finding.verdict} (recorded: {claim.expected})"]
    if claim.note:
        lines.append(fill(claim.note, 100, initial_indent="note:      ", subsequent_indent=" " * 11))
    made = sorted(f"results/{path}" for path, rule in claim.files.values() if " " not in rule)
    if made:
        lines.append(f"to remake: make {' '.join(made)}")
    return "\n".join(lines)


def worse_line(finding):
    """One line: id, expected, found, and which part failed that held."""
    claim = finding.claim
    line = f"claim {claim.id}: expected {claim.expected}, found {finding.verdict}"
    if finding.verdict == NOT_MEASURED:
        return f"{line} ({finding.missing})"
    failed = [
        part.says
        for part, outcome in zip(claim.parts, finding.outcomes, strict=True)
        if part.expected and outcome is False
    ]
    return line + (f"; no longer holds: {'; '.join(failed)}" if failed else "")


def _number(value):
    if value is None:
        return "not there"
    shown = [
        element if isinstance(element, str) else f"{element:.6g}" for element in np.ravel(value)[:20].tolist()
    ]
    more = np.size(value) - len(shown)
    return ", ".join(shown) + (f", ... ({more} more)" if more else "")
