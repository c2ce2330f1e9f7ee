"""What each committed result was made from: one row per file, so that results never fall behind the code unseen.

A result comes from jobs: the one that makes it and those that make its inputs. Its row holds a fingerprint of

- code: the modules that those jobs import, without comments, docstrings and layout, so that prose may change;
- settings: the commands that they run, and thereby every setting that they are given;
- data: the files that they read and no job makes;
- lock: requirements.txt, the versions of all packages;
- content: the result itself, a table by the values in it, a figure by what it shows, so that an edit of a
  result is seen.

The rule `manifest` writes the table after everything else; `stale` says which results another state of the
project would make otherwise.
"""

import argparse
import ast
import csv
import hashlib
import sys
import tempfile
from pathlib import Path

import pandas as pd

from replication.workflow.images import pdf_instructions, read_pixels
from replication.workflow.jobs import ancestors, list_jobs
from replication.workflow.tolerances import NUMBER
from wsclust.tables import write_csv

LOCK = "requirements.txt"
NAME = "results/manifest.csv"
PARTS = ("code", "settings", "data", "lock")
CONTENT = "content"


def manifest(jobs, folder="."):
    """A frame with a row for each file that the jobs make in results/ and figures/.

    Arguments: a list of Job; the project's folder. Columns: result, rule, and the fingerprint of each of
    PARTS and of CONTENT, "none" where the result is missing. Raises OSError where a file that a job reads is.
    """
    folder = Path(folder)
    made = {output for job in jobs for output in job.outputs}
    known = {}

    def fingerprint(file):
        if file not in known:
            known[file] = code_fingerprint(folder / file) if file.endswith(".py") else _of_file(folder / file)
        return known[file]

    lock = _of_file(folder / LOCK)
    rows = []
    for result, sources in sorted(ancestors(jobs).items()):
        if result == NAME or not result.startswith(("results/", "figures/")):
            continue
        read = {file for job in sources for file in job.inputs} - made - {LOCK}
        code = sorted(file for file in read if file.startswith("src/"))
        data = sorted(read.difference(code))
        rows.append(
            {
                "result": result,
                "rule": next(job.rule for job in sources if result in job.outputs),
                "code": _of(fingerprint(file) for file in code),
                "settings": _of(sorted(job.command for job in sources)),
                "data": _of(f"{file} {fingerprint(file)}" for file in data) if data else "none",
                "lock": lock,
                CONTENT: content_fingerprint(folder / result) if (folder / result).exists() else "none",
            }
        )
    return pd.DataFrame(rows, columns=["result", "rule", *PARTS, CONTENT])


def stale(committed, current):
    """Lines that name each result whose making has changed, and what changed; none where all is well.

    >>> row = {"result": "a.csv", "rule": "a", "code": "1", "settings": "2", "data": "3", "lock": "4"}
    >>> row["content"] = "5"
    >>> stale(pd.DataFrame([row]), pd.DataFrame([{**row, "code": "9"}]))
    ['a.csv: code changed after it was made; run make']
    """
    old, new = (table.astype(str).set_index("result") for table in (committed, current))
    lines = [f"{result}: nothing makes it any more; remove it" for result in old.index.difference(new.index)]
    lines += [f"{result}: not made yet; run make" for result in new.index.difference(old.index)]
    for result in old.index.intersection(new.index):
        changed = [part for part in PARTS if old.loc[result, part] != new.loc[result, part]]
        if changed:
            lines.append(f"{result}: {', '.join(changed)} changed after it was made; run make")
        elif old.loc[result, CONTENT] != new.loc[result, CONTENT]:
            lines.append(f"{result}: edited, removed or made again without the manifest; run make")
    return sorted(lines)


def content_fingerprint(path):
    """Fingerprint of what a result says, and not of how it is written.

    In a table numbers count by value and other cells as text; a PNG counts by its pixels, a PDF by its
    drawing instructions, any other file by its bytes. Raises ValueError on a file that is not what its ending
    says.

    >>> import tempfile
    >>> one, two = (Path(tempfile.mkdtemp(), "a.csv") for _ in range(2))
    >>> _ = one.write_text("n,p\\n1,0.50\\n"), two.write_text('"n","p"\\n1,.5\\n')
    >>> content_fingerprint(one) == content_fingerprint(two)
    True
    """
    if path.suffix == ".csv":
        with open(path, newline="", encoding="utf-8") as file:
            rows = [[_by_value(cell) for cell in row] for row in csv.reader(file)]
        return _of(map(repr, rows))
    if path.suffix == ".png":
        pixels = read_pixels(path)
        return _of([str(pixels.shape), hashlib.sha256(pixels.astype("u1").tobytes()).hexdigest()])
    if path.suffix == ".pdf":
        return _of(map(repr, pdf_instructions(path.read_bytes())))
    return _of_file(path)


def _by_value(cell):
    return float(cell) if NUMBER.fullmatch(cell) else cell


def code_fingerprint(path):
    """Fingerprint of what a Python file says, the same under Python 3.11 to 3.14.

    >>> import tempfile
    >>> one, two = (Path(tempfile.mkdtemp(), "a.py") for _ in range(2))
    >>> _ = one.write_text("x = 1"), two.write_text('"' + '""Prose.""' + '"' + "\\nx  =  1  # more prose")
    >>> code_fingerprint(one) == code_fingerprint(two)
    True
    """
    return _of(_statements(ast.parse(Path(path).read_text(encoding="utf-8"))))


def _statements(node):
    """The tree as text: what a Python version leaves empty, another does not have, so neither counts."""
    # Not ast.dump or ast.unparse, which say the same otherwise from one Python version to the next.
    yield type(node).__name__
    for name, value in ast.iter_fields(node):
        if name == "body" and isinstance(
            node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        ):
            value = value[ast.get_docstring(node, clean=False) is not None :]
        children = value if isinstance(value, list) else [value]
        children = [child for child in children if child is not None and not _is_empty_text(node, child)]
        if children:
            yield f"{name}("
            for child in children:
                if isinstance(child, ast.AST):
                    yield from _statements(child)
                else:
                    yield repr(child)
            yield ")"


def _is_empty_text(node, child):
    return isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant) and child.value == ""


def _of(words):
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:16]


def _of_file(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--settings", required=True, help="all settings, as YAML")
    parser.add_argument("--output", required=True)
    args = parser.parse_args(arguments)
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as settings:
        settings.write(args.settings)
        settings.flush()
        jobs = list_jobs(configfile=settings.name)
    write_csv(manifest(jobs), args.output)


if __name__ == "__main__":
    sys.exit(main())
