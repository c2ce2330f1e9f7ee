"""Count the voters of a survey file by state, income, union, race and vote, as a map of its codes says."""

import os
import warnings
from pathlib import Path

from replication.polls.doubts import doubts, left_out
from replication.polls.maps import read_map
from replication.polls.survey_files import read_poll
from replication.polls.voters import compare, count_voters, describe_columns, found_figures, voter_answers
from wsclust.commands.streams import show
from wsclust.tables import write_csv


def add_arguments(parser):
    parser.add_argument("file", help="the poll: a .por, .sav, .zsav, .dta or .csv file")
    parser.add_argument(
        "--map", help="YAML map of its columns and codes, such as config/polls/roper1984.yaml"
    )
    parser.add_argument("--output", type=Path, help="CSV of counts; data/private/ is never committed")
    parser.add_argument(
        "--describe", action="store_true", help="only list the file's columns and codes, to fill in a map"
    )


def run(args):
    if args.describe:
        show("\n".join(describe_columns(read_poll(args.file))))
        return
    for option in ("map", "output"):
        if getattr(args, option) is None:
            raise ValueError(f"--{option} is missing; give it, or --describe to list columns and codes")
    poll = read_map(args.map)
    _refuse_output(args.output, (args.file, args.map))
    file = read_poll(args.file)
    answers = voter_answers(file.frame, poll)
    counts = count_voters(answers)
    table = compare(poll.expected, found_figures(answers, counts, poll.cells))
    try:
        write_csv(counts, args.output)
    except OSError as error:
        raise ValueError(
            f"{args.output}: cannot be written ({error.strerror or error}); choose another --output"
        ) from None
    for doubt in doubts(file, poll):
        warnings.warn(doubt, stacklevel=1)
    _report(table, poll.name)
    _report_left_out(left_out(file, poll, answers))
    show(f"\nWrote {args.output}: {len(counts):,} cells of states, counts only.")


def _refuse_output(output, inputs):
    if output.is_dir():
        raise ValueError(f"{output}: a folder; give --output the name of a CSV file in it")
    for path in inputs:
        if output.exists() and os.path.exists(path) and output.samefile(path):
            raise ValueError(f"{output}: --output would overwrite what is read; choose another --output")


def _report(table, name):
    width = max(map(len, table["figure"]))
    show(f"{'':{width}}  {'expected':>9}  {'found':>9}")
    for row in table.itertuples():
        expected = "-" if row.expected != row.expected else f"{row.expected:,.10g}"
        mark = "  differs" if row.differs else ""
        show(f"{row.figure:{width}}  {expected:>9}  {row.found:>9,.10g}{mark}")
    stated, differ = table["expected"].notna().sum(), table["differs"].sum()
    if differ:
        show(
            f"\n{differ} of the {stated} figures that {name} expects DIFFER from what was found: this is not "
            "yet the data expected. Check the map's codes and the file before you use the counts."
        )
    elif stated:
        show(f"\nAll {stated} figures that {name} expects were found.")


def _report_left_out(table, most=12):
    """The codes that were left out, answer by answer; of a long list only the most frequent."""
    show("\nLeft out, as the map says that these codes are no answer (rows of the whole file):")
    for (answer, columns), codes in table.groupby(["answer", "columns"], sort=False):
        show(f"  {answer}, from {columns}")
        for row in codes.head(most).itertuples():
            show(f"    {row.code}: {row.rows:,}")
        if len(codes) > most:
            show(f"    {len(codes) - most} more: {codes['rows'].iloc[most:].sum():,}")
    if table.empty:
        show("  none")
