"""Compare two folders of results by value and print what drifted, worst first."""

from replication.workflow.comparison import compare_folders, report
from replication.workflow.tolerances import Rules
from wsclust.commands.streams import show

EXAMPLE = """example, in the project's folder, after `make reproduce`:
  python -m replication compare results .reproduce/results

Numbers agree within the relative plus the absolute tolerance, text exactly, pictures by their pixels; a file
that only one folder holds is a drift. Columns of seconds and iterations are left out, and so are folders that
`make` does not make, such as benchmarks/. Exit codes: 0 they agree, 1 something drifted, 2 bad input.
"""


def add_arguments(parser):
    parser.epilog = EXAMPLE
    defaults = Rules()
    parser.add_argument("old", metavar="OLD", help="folder of the reference")
    parser.add_argument("new", metavar="NEW", help="folder of the other run")
    parser.add_argument(
        "--relative", type=float, default=defaults.relative, help=f"tolerance ({defaults.relative:g})"
    )
    parser.add_argument(
        "--absolute", type=float, default=defaults.absolute, help=f"tolerance ({defaults.absolute:g})"
    )
    parser.add_argument(
        "--tolerance",
        action="append",
        default=[],
        metavar="FILE:COLUMN=RELATIVE[,ABSOLUTE]",
        help="for some columns alone; FILE and COLUMN may be patterns such as 'election1984/*.csv:rmse*'",
    )
    parser.add_argument(
        "--leave-out",
        action="append",
        default=[],
        metavar="PATTERN",
        help="more files that are not compared, such as 'election1984/why.csv'",
    )


def run(args):
    rules = Rules(
        relative=_tolerance(args.relative, "--relative"),
        absolute=_tolerance(args.absolute, "--absolute"),
        tolerances=dict(_column_tolerance(text) for text in args.tolerance),
        left_out=(*Rules().left_out, *args.leave_out),
    )
    drifts, files = compare_folders(args.old, args.new, rules)
    for line in report(drifts, files):
        show(line)
    return int(bool(drifts))


def _tolerance(value, option):
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise ValueError(f"{option}: found {value}; expected a number of 0 or more")
    return number


def _column_tolerance(text):
    where, equals, numbers = text.rpartition("=")
    parts = numbers.split(",")
    if not equals or ":" not in where or len(parts) > 2:
        raise ValueError(f"--tolerance: found {text!r}; expected FILE:COLUMN=RELATIVE or with ,ABSOLUTE")
    relative, absolute = (_tolerance(part, f"--tolerance {where}") for part in [*parts, "0"][:2])
    return where, (relative, absolute)
