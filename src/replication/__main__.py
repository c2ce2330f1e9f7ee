"""The command `python -m replication`: the paper's claims, runs compared, polls imported.

Errors and exit codes are those of `wsclust`, whose machinery it is (`wsclust.cli`).
"""

import sys

import replication
from wsclust import cli

COMMANDS = {
    "import-poll": "Count the voters of a survey file by state, income, union, race and vote.",
    "compare": "Compare two folders of results by value and print what drifted, worst first.",
    "claim": "Print what came of the paper's claims, or the evidence of one.",
}
REPLICATION = cli.Program(
    "python -m replication",
    replication.__doc__.splitlines()[0],
    COMMANDS,
    {
        "import-poll": "replication.polls.command",
        "compare": "replication.workflow.command",
        "claim": "replication.claims.command",
    },
)


def main(arguments=None):
    """Run one sub-command and return its exit code."""
    return cli.main(arguments, REPLICATION)


if __name__ == "__main__":
    sys.exit(main())
