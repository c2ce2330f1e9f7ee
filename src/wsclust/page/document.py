"""The page of a fit as one text of HTML: verdict, plot, tables that sort and search, settings, how to repeat it.

Everything is within the file, the plot as SVG, so that it opens offline and can be sent. Names of groups and levels
are a user's: they are escaped wherever they stand.
"""

import platform
from html import escape
from importlib.metadata import version
from importlib.resources import files

import pandas as pd

from wsclust.check.verdicts import MEASURED
from wsclust.check.words import sentence

_PACKAGES = ("numpy", "scipy", "pandas", "duckdb")


def page(report, groups, drawing, command, cut=None):
    """The page, a str.

    Arguments: `report`, a Report; `groups`, a frame with one row per group; `drawing`, the plot as an SVG element, or
    None; `command`, the line that repeats the fit; `cut`, edges of factors that were cut, or None.

    >>> from wsclust.counts import GroupedCounts
    >>> from wsclust.fitting import direct
    >>> fit = direct(GroupedCounts([[8, 2], [2, 8]], label=[0.9, 0.1], groups=["<b>", "a&b"]))
    >>> text = page(fit.report(half_samples=0), fit.groups(), None, "wsclust fit ...")
    >>> "&lt;b&gt;" in text and "a&amp;b" in text and "<b>" not in text
    True
    """
    import wsclust

    found = report.summary
    method = found["method"] + (f" ({found['weak_method']})" if found.get("weak_method") else "")
    title = f"P(happy | bin) from {found['groups']:,} groups, {method}"
    asked = {
        "bins": f"{found['bins']:,}",
        "groups": f"{found['groups']:,}",
        "events": f"{found['events']:,}",
        "method": method,
        **{name: value for name, value in found["settings"].items() if value not in (None, [], ())},
        **({"labels": found["labels"]["used"]} if found.get("labels") else {}),
        **({"cap": found["cap"]} if found.get("cap") else {}),
        **({"cut": cut} if cut else {}),
    }
    versions = {"wsclust": wsclust.__version__, "Python": platform.python_version()}
    versions |= {name: version(name) for name in _PACKAGES}
    parts = [
        f"<h1>{escape(title)}</h1>",
        _block("verdict", "Verdict", _verdict(report)),
        _block("warnings", "Warnings", report.warnings),
        f"<h2>Plot</h2>{drawing}" if drawing else "",
        _table("bins", "Bins", report.table),
        _table("groups", "Groups", groups),
        _pairs("What was asked", asked),
        _pairs("The audit", found["audit"]) if found.get("audit") else "",
        _pairs("Versions", versions),
        f"<h2>To repeat it</h2><pre>{escape(command)}</pre>",
    ]
    here = files("wsclust.page")
    style, script = ((here / name).read_text(encoding="utf-8") for name in ("page.css", "tables.js"))
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f"<style>\n{style}</style></head>\n<body>\n{chr(10).join(filter(None, parts))}\n"
        f"<script>\n{script}</script>\n</body></html>\n"
    )


def _verdict(report):
    if report.words:
        return report.words
    measured = dict.fromkeys(MEASURED[check.verdict] for check in report.checks.values())
    return [sentence(line) for line in (*report.verdicts, *measured)] + report.about_verdicts


def _block(kind, title, lines):
    if not lines:
        return ""
    items = "".join(f"<p>{escape(str(line))}</p>" for line in lines)
    return f'<h2>{title}</h2><div class="{kind}">{items}</div>'


def _table(name, title, frame):
    numeric = [pd.api.types.is_numeric_dtype(frame[column]) for column in frame]
    kinds = [' class="number"' if is_number else "" for is_number in numeric]
    head = "".join(
        f"<th{kind}><button>{escape(str(column))}</button></th>"
        for column, kind in zip(frame.columns, kinds, strict=True)
    )
    columns = [
        [_number(value) for value in frame[column]]
        if is_number
        else [escape(str(value)) for value in frame[column]]
        for column, is_number in zip(frame.columns, numeric, strict=True)
    ]
    rows = "\n".join(
        "<tr>" + "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(row, kinds, strict=True)) + "</tr>"
        for row in zip(*columns, strict=True)
    )
    return (
        f'<section class="table" id="{name}"><h2>{title}</h2>'
        f'<input type="search" placeholder="Search" aria-label="Search {name}"> '
        f'<span class="found">{len(frame)} rows</span>'
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table></div></section>'
    )


def _number(value):
    return "" if pd.isna(value) else f"{value:.6g}"


def _pairs(title, pairs):
    rows = "".join(
        f"<tr><th>{escape(str(name))}</th><td>{escape('' if value is None else str(value))}</td></tr>"
        for name, value in pairs.items()
    )
    return f"<h2>{title}</h2><table>{rows}</table>"
