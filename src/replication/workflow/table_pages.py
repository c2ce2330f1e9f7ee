"""Result tables as plain web pages, for the report: one file a table, which needs nothing else to be read."""

import argparse
from pathlib import Path

import pandas as pd

from wsclust.tables import replacing

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
body {{ font: 14px sans-serif; margin: 1em }}
table {{ border-collapse: collapse }}
th, td {{ border-bottom: 1px solid #ddd; padding: .2em .7em; text-align: left; vertical-align: top }}
th {{ position: sticky; top: 0; background: white }}
</style></head><body><h1>{title}</h1>
{note}{table}
</body></html>
"""


def page(table, title, rows=500):
    """The page of a frame of strings; a longer one is cut after so many rows, and the page says so.

    >>> "<td>&lt;1&gt;</td>" in page(pd.DataFrame({"a": ["<1>"]}), "small")
    True
    """
    note = "" if len(table) <= rows else f"<p>The first {rows} of {len(table):,} rows.</p>\n"
    cells = table.head(rows).to_html(index=False, border=0, na_rep="")
    return PAGE.format(title=title, note=note, table=cells)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="+", help="CSV files")
    parser.add_argument("--output", nargs="+", required=True, help="HTML files, one for each table")
    args = parser.parse_args(arguments)
    # A page holds its table whole: no cell is cut short.
    with pd.option_context("display.max_colwidth", None):
        for source, output in zip(args.tables, args.output, strict=True):
            table = pd.read_csv(source, dtype=str, keep_default_na=False)
            with replacing(output) as temporary:
                Path(temporary).write_text(page(table, source), encoding="utf-8")


if __name__ == "__main__":
    main()
