"""What Snakemake's linter finds in the workflow, but for the one complaint that does not apply here.

The linter asks every rule for a conda environment or a container. The rules run in the environment of the
interpreter that runs Snakemake (rules/common.smk), which `make` makes from requirements.txt, so an environment
of their own would never be used. Any other complaint is printed and ends with exit code 1.
"""

import argparse
import subprocess
import sys

NOT_APPLICABLE = "Specify a conda environment or container for each rule."


def complaints(report):
    """The findings that apply, each with the rule or file that it is about.

    Argument: what `snakemake --lint` prints: paragraphs of "Lints for ...:" and findings that begin with a star.

    >>> report = "Lints for rule a (line 1):\\n    * No log directive defined:\\n      Without it ...\\n"
    >>> report += f"Lints for rule b (line 9):\\n    * {NOT_APPLICABLE}:\\n      This way, ...\\n"
    >>> complaints(report)
    ['rule a (line 1): No log directive defined:\\n      Without it ...']
    """
    found = []
    for paragraph in report.split("Lints for ")[1:]:
        where, *findings = paragraph.rstrip().split("\n    * ")
        found += [f"{where} {finding}" for finding in findings if not finding.startswith(NOT_APPLICABLE)]
    return found


def main(arguments=None):
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args(arguments)
    # Text, since the linter's JSON fails on the paths of the rules' files (Snakemake 9.27).
    done = subprocess.run([sys.executable, "-m", "snakemake", "--lint"], capture_output=True, text=True)
    report = done.stdout + done.stderr
    # With a finding the exit code is 1, as it is where the workflow cannot be read.
    found = complaints(report) if not done.returncode or "Lints for " in report else [report.strip()]
    for line in found:
        print(line, file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
