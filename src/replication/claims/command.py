"""Print what came of the paper's claims, or the evidence of one."""

import shutil
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
_WHOLE_WORDS = {"break_long_words": False, "break_on_hyphens": False}
MARKS = {  # whether a part of a claim held when it was recorded, and whether it holds now
    (True, True): "holds",
    (True, False): "fails, although it held when it was recorded",
    (False, True): "holds, although it failed when it was recorded",
    (False, False): "fails, as recorded",
}


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
    # Of the terminal, or COLUMNS; a pipe or a file has no width, and gets one line per claim for `grep`.
    width = shutil.get_terminal_size((0, 0)).columns
    show(within(listed(findings, width) if args.id is None else evidence(findings[0], width), width))
    worse = [finding for finding in findings if finding.worse]
    for finding in worse:
        remark(worse_line(finding))
    return int(bool(worse))


def within(text, width):
    """The text with its long lines broken at spaces and set in further; no width, 0, breaks none.

    >>> print(within("  numbers = 1, 2, 3", 15))
      numbers = 1,
          2, 3
    """
    if not width:
        return text
    lines = []
    for line in text.splitlines():
        indent = " " * min(len(line) - len(line.lstrip()) + 4, width // 2)
        fits = len(line) <= width
        lines.append(line if fits else fill(line, width, subsequent_indent=indent, **_WHOLE_WORDS))
    return "\n".join(lines)


def listed(findings, columns=0):
    """All claims, one line each: id, verdict, what was found; then how many came out how.

    A claim that came out worse than recorded is marked with !. What is wider than `columns` has two lines.
    """
    width = max(len(finding.claim.id) for finding in findings)
    lines, counts = [], {}
    for finding in findings:
        counts[finding.verdict] = counts.get(finding.verdict, 0) + 1
        mark = "!" if finding.worse else " "
        text = finding.found or finding.missing or finding.claim.rests_on
        line = f"{mark} {finding.claim.id:{width}}  {finding.verdict:32}  {text}".rstrip()
        if columns and len(line) > columns:
            line = f"{mark} {finding.claim.id:{width}}  {finding.verdict}\n      {text}"
        lines.append(line)
    total = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    return "\n".join([*lines, "", f"{len(findings)} claims: {total}."])


def evidence(finding, width=0):
    """All about one claim: what the paper says, each number with its file, each part with its margin.

    Sentences are broken at `width`, and at 100 at most; the rest is left to `within`.
    """
    claim, width = finding.claim, min(width or 100, 100)
    lines = [f"{claim.id} ({claim.place}; {claim.kind})", fill(claim.statement, width), ""]
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
        mark = "not measured" if outcome is None else MARKS[part.expected, outcome]
        lines += [f"  {mark}: {part.says}", f"      {' '.join(part.holds.split())}"]
    lines += ["", f"verdict:   {finding.verdict} (recorded: {claim.expected})"]
    if claim.note:
        lines.append(fill(claim.note, width, initial_indent="note:      ", subsequent_indent=" " * 11))
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
