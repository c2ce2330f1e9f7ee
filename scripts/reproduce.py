"""Make everything anew in a copy of the project and compare it with the results and figures that are here.

    python scripts/reproduce.py [--cores 2]

The copy, `.reproduce`, starts without results and figures, and stays for a closer look. Exit codes: 0 the
copy's files agree with those here, 1 some drifted, 2 the workflow failed.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from replication.workflow.comparison import compare_files, report
from scratch_copy import copy_project, git_files, walked_files

ROOT = Path(__file__).resolve().parent.parent
COPY = ROOT / ".reproduce"
MADE = ("results", "figures")


def made_files(root, files):
    """Those of the files that the workflow makes and that exist, as strings.

    >>> made_files(ROOT, [Path("Makefile"), Path("figures/no_such.png")])
    []
    """
    return [str(file) for file in files if file.parts[0] in MADE and (root / file).is_file()]


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Make everything anew in a copy and compare.")
    parser.add_argument("--cores", default="all", help="processor cores to use (default: all)")
    parser.add_argument("--configfile", nargs="+", default=[], help="of the results that are here")
    options = parser.parse_args(arguments)
    shutil.rmtree(COPY, ignore_errors=True)
    copy_project(ROOT, COPY, MADE)
    run = [sys.executable, "scripts/run_workflow.py", "--cores", options.cores]
    run += ["--configfile", *options.configfile] if options.configfile else []
    if subprocess.run(run, cwd=COPY).returncode:
        print("reproduce: the workflow failed (its words are above)", file=sys.stderr)
        return 2
    here = git_files(ROOT)
    names = [
        made_files(ROOT, walked_files(ROOT) if here is None else here),
        made_files(COPY, walked_files(COPY)),
    ]
    try:
        drifts, files = compare_files(ROOT, COPY, *names)
    except ValueError as error:
        print(f"reproduce: {error}", file=sys.stderr)
        return 2
    print("", *report(drifts, files), sep="\n")
    return int(bool(drifts))


if __name__ == "__main__":
    sys.exit(main())
