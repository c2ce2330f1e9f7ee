"""Whether anything in requirements.txt has a known vulnerability, by pip-audit, and whether that could be asked at all.

    python scripts/advisories.py PROGRAM [REQUIREMENTS]

PROGRAM is pip-audit, which `make advisories` installs in build/advisories. Where PyPI does not answer for every
package, OSV is asked: pip-audit itself calls a package without an answer skipped, and ends with code 0. Exit codes: 0,
nothing is known against any package; 1, something is known; 3, neither database answered for all of them.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SERVICES = ("pypi", "osv")


def ask(program, requirements, service):
    """What a database says of each locked package, as pip-audit's JSON has it; empty where it says nothing."""
    command = [program, "--requirement", requirements, "--vulnerability-service", service, "--format", "json"]
    offline = ["--disable-pip", "--require-hashes", "--progress-spinner", "off", "--timeout", "20"]
    done = subprocess.run([*command, *offline], capture_output=True, text=True)
    try:
        return json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        return []


def known(packages):
    """A line for each advisory: package, version, its name, and the versions that mend it.

    >>> a = {"name": "a", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1", "2.0"]}]}
    >>> known([a, {"name": "b", "version": "2", "vulns": []}])
    ['a 1.0: PYSEC-1, mended in 1.1, 2.0']
    """
    return [
        f"{package['name']} {package['version']}: {advisory['id']}, "
        f"mended in {', '.join(advisory['fix_versions']) or 'no version yet'}"
        for package in packages
        for advisory in package.get("vulns", [])
    ]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", metavar="PROGRAM", help="pip-audit")
    parser.add_argument("requirements", nargs="?", default=ROOT / "requirements.txt", metavar="REQUIREMENTS")
    options = parser.parse_args(arguments)
    answered = 0
    for service in SERVICES:
        packages = ask(options.program, options.requirements, service)
        found = known(packages)
        if found:
            print(*found, sep="\n")
            return 1
        asked = [package for package in packages if "skip_reason" not in package]
        if packages and len(asked) == len(packages):
            print(f"advisories: nothing is known against {len(packages)} packages ({service}).")
            return 0
        answered = max(answered, len(asked))
    print(
        f"advisories: neither database ({', '.join(SERVICES)}) answered for all packages, {answered} at most; "
        "nothing was found out. Run it where one can be reached.",
        file=sys.stderr,
    )
    return 3


if __name__ == "__main__":
    sys.exit(main())
