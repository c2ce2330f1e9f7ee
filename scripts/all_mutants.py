"""Let mutmut break every expression of the estimators and the check, and compare what survives with a list.

    python scripts/all_mutants.py [--cores N]

It runs in a scratch copy of the project, with mutmut's own Python; `make all-mutants` makes both. The settings are
[tool.mutmut] of pyproject.toml; tests/equivalent_mutants.csv lists mutants that no test of an answer can tell from the
code, and why. Run again in that copy, it goes on where it was stopped. Prints counts by module and each survivor that
is not in the list; exit code 1 where fewer than 95% of the mutants outside the list died.
"""

import argparse
import csv
import subprocess
import sys
from collections import Counter
from pathlib import Path

LIST = Path("tests/equivalent_mutants.csv")
LEAST = 0.95


def read_list(path=LIST):
    """The listed mutants, each (module, function, before, after)."""
    with open(path, encoding="utf-8", newline="") as file:
        return {(row["module"], row["function"], row["before"], row["after"]) for row in csv.DictReader(file)}


def identity(name, diff):
    """(module, function, before, after) of a mutant, from mutmut's name and its unified diff.

    Lines that changed are stripped and joined, so that a mutant keeps its identity when code near it moves.

    >>> identity("wsclust.m.x_f__mutmut_7", "--- a\\n+++ b\\n@@ -1 +1 @@\\n-    x = 1\\n+    x = 2\\n")
    ('wsclust.m', 'f', 'x = 1', 'x = 2')
    >>> identity("wsclust.estimators.design.xǁBlockǁof__mutmut_1", "-    return 1,\\n")[1:]
    ('Block.of', 'return 1,', '')
    """
    module, _, mangled = name.rpartition("__mutmut_")[0].rpartition(".")
    function = mangled.removeprefix("xǁ").replace("ǁ", ".") if "ǁ" in mangled else mangled.removeprefix("x_")
    lines = [line for line in diff.splitlines() if not line.startswith(("---", "+++"))]
    before, after = (
        " ".join(line[1:].strip() for line in lines if line.startswith(sign)) for sign in ("-", "+")
    )
    return module, function, before, after


def results():
    """(name, status, diff) of each mutant of a run in this folder; the diff of survivors alone."""
    from mutmut.mutation.data import SourceFileMutationData
    from mutmut.mutation.diff_apply import get_diff_for_mutant
    from mutmut.stats import status_by_exit_code
    from mutmut.utils.file_utils import walk_mutatable_files

    for path in walk_mutatable_files():
        data = SourceFileMutationData(path=path)
        data.load()
        for name, code in data.exit_code_by_key.items():
            status = status_by_exit_code[code]
            alive = status in ("survived", "no tests")
            yield name, status, get_diff_for_mutant(name, path=path) if alive else ""


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cores", default="1", help="mutants at a time (1)")
    options = parser.parse_args(arguments)
    run = [str(Path(sys.executable).with_name("mutmut")), "run", "--max-children", options.cores]
    if subprocess.run(run).returncode:
        return 2
    listed, counts, survivors = read_list(), {}, []
    for name, status, diff in results():
        mutant = identity(name, diff)
        if status in ("survived", "no tests"):
            status = "listed" if mutant in listed else "alive"
        if status == "alive":
            survivors.append(mutant)
        counts.setdefault(mutant[0], Counter())[status] += 1
    for module, count in sorted(counts.items()):
        print(f"{module:40}", *(f"{number:5} {status}" for status, number in sorted(count.items())))
    for module, function, before, after in survivors:
        print(f"ALIVE {module} {function}: {before}  ->  {after or '(nothing)'}")
    total = sum(counts.values(), Counter())
    rest = total.total() - total["listed"]
    dead = rest - total["alive"] - total["not checked"]
    print(f"{dead} of {rest} mutants caught, {dead / rest:.1%}; {total['listed']} more are in {LIST}.")
    return int(dead < LEAST * rest)


if __name__ == "__main__":
    sys.exit(main())
