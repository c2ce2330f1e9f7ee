"""Break the estimators one line at a time, in a scratch copy: a named test must notice each.

    python scripts/mutants.py [NAME ...]

Each mutant of scripts/mutants.yaml flips a sign or drops a term. First the named tests must pass on the copy
as it is; then each must fail on its mutant. Prints what caught each; exit code 1 where one survives.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections import namedtuple
from pathlib import Path

import yaml

from scratch_copy import ROOT, copy_project

Mutant = namedtuple("Mutant", "name file old new test")


def read_mutants():
    """The mutants of scripts/mutants.yaml."""
    parts = yaml.safe_load((ROOT / "scripts/mutants.yaml").read_text(encoding="utf-8"))
    return [
        Mutant(f"{part}: {row['name']}", row["file"], row["old"], row["new"], row["test"])
        for part, rows in parts.items()
        for row in rows
    ]


def broken(text, mutant):
    """The file's text with the mutant in it.

    >>> broken("a = 1 + b", Mutant("m", "f.py", "1 + b", "b", "t"))
    'a = b'

    Raises ValueError where the text to break does not occur exactly once.
    """
    if text.count(mutant.old) != 1:
        raise ValueError(
            f"{mutant.file}: {mutant.old!r} occurs {text.count(mutant.old)} times; expected once"
        )
    return text.replace(mutant.old, mutant.new)


def failing(folder, tests):
    """Whether any of these tests fails in the copy.

    Raises RuntimeError, with pytest's words, where they could not be run at all.
    """
    # Bytecode is kept by time and size, and a mutant may change neither.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(
            f"{' '.join(tests)}: pytest ended with {done.returncode}\n{done.stdout}{done.stderr}"
        )
    return done.returncode == 1


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="mutants whose name holds this (all)")
    args = parser.parse_args(arguments)
    chosen = [m for m in read_mutants() if not args.names or any(name in m.name for name in args.names)]
    for mutant in chosen:
        broken((ROOT / mutant.file).read_text(encoding="utf-8"), mutant)
    survivors = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "project")
        copy_project(ROOT, folder, without=("figures",))
        if failing(folder, sorted({mutant.test for mutant in chosen})):
            print("mutants: the tests fail without any mutant; see `make test`", file=sys.stderr)
            return 2
        for mutant in chosen:
            path = folder / mutant.file
            text = path.read_text(encoding="utf-8")
            path.write_text(broken(text, mutant), encoding="utf-8")
            caught = failing(folder, [mutant.test])
            path.write_text(text, encoding="utf-8")
            survivors += not caught
            print(f"{'caught' if caught else 'SURVIVED':8}  {mutant.name:42}  {mutant.test}", flush=True)
    print(f"{len(chosen) - survivors} of {len(chosen)} mutants caught.")
    return int(survivors > 0)


if __name__ == "__main__":
    sys.exit(main())
