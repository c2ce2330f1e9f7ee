"""Write the tables, numbers and references of all pages anew, or check that they are in step.

    python -m replication.documents [--check]

With --check nothing is written; one line names each place that is out of step, and the exit code is then 1.
"""

import argparse
import sys
from pathlib import Path

from replication.documents.pages import differences, pages

ROOT = Path(__file__).resolve().parents[3]


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="python -m replication.documents", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where a page is stale")
    args = parser.parse_args(arguments)
    stale = 0
    for name, new in pages(ROOT):
        path = ROOT / name
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        if args.check:
            for line in differences(old, new):
                print(f"{name}: {line}; run `make readme`", file=sys.stderr)
                stale = 1
        elif new != old:
            path.write_text(new, encoding="utf-8")
    return stale


if __name__ == "__main__":
    sys.exit(main())
