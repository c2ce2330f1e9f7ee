"""The page of a fit as one text of HTML: verdict, plot, tables that sort and search, settings, how to repeat it.

Everything is within the file, the plot as SVG, so that it opens offline and can be sent. Names of groups and levels
are a user's: they are escaped wherever they stand.
"""

import platform
from html import escape
from importlib.metadata import version
from importlib.resources import files

import numpy as np
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
    whose = f"of each {found['by']}" if found.get("by") else f"from {found['groups']:,} groups"
    title = f"P(happy | bin) {whose}, {method}"
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
        f"<h2>To repeat it</h2>{_command(command)}",
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
    found = list(dict.fromkeys(check.verdict for check in report.checks.values()))
    measured = [f"{name}: {MEASURED[name]}" if len(found) > 1 else MEASURED[name] for name in found]
    return [sentence(line) for line in (*report.verdicts, *measured)] + report.about_verdicts


def _block(kind, title, lines):
    if not lines:
        return ""
    items = "".join(_line(str(line)) for line in lines)
    return f'<h2>{title}</h2><div class="{kind}">{items}</div>'


def _line(text):
    """A sentence, or a command, which is indented in a terminal."""
    return _command(text.strip()) if text.startswith("  ") else f"<p>{escape(text)}</p>"


def _command(text):
    """Lines break between words, not behind the dashes of an option."""
    return f"<pre>{' '.join(f'<span>{escape(word)}</span>' for word in text.split(' '))}</pre>"


def _table(name, title, frame):
    numeric = [pd.api.types.is_numeric_dtype(frame[column]) for column in frame]
    kinds = [' class="number"' if is_number else "" for is_number in numeric]
    head = "".join(
        f"<th{kind}><button>{escape(str(column))}</button></th>"
        for column, kind in zip(frame.columns, kinds, strict=True)
    )
    columns = [
        _numbers(frame[column]) if is_number else [escape(str(value)) for value in frame[column]]
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


def _numbers(column):
    """The cells of a column: whole, or to three decimals, or to two digits where that would be nothing.

    >>> _numbers(pd.Series([7017, 260])), _numbers(pd.Series([0.41759, 1, 1.23e-05, np.nan]))
    (['7017', '260'], ['0.418', '1.000', '1.2e-05', ''])
    """
    known = column.dropna()
    if (known == np.round(known)).all():
        return ["" if pd.isna(value) else f"{value:.0f}" for value in column]
    return [_decimals(value) for value in column]


def _decimals(value):
    if pd.isna(value):
        return ""
    return f"{value:.2g}" if 0 < abs(value) < 0.001 else f"{value:.3f}"


def _pairs(title, pairs):
    rows = "".join(
        f"<tr><th>{escape(str(name))}</th><td>{escape(_plain(value))}</td></tr>"
        for name, value in pairs.items()
    )
    return f"<h2>{title}</h2><table>{rows}</table>"


def _plain(value):
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plain(inner)}" for name, inner in value.items())
    if isinstance(value, float):
        return f"{value:.4g}"
    return "" if value is None else str(value)
