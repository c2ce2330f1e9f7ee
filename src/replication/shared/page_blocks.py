"""Parts of a page that are written from results, between two comments that name them.

A part named `accuracy` stands between `<!-- from results: accuracy -->` and `<!-- end -->`; the rest of the page is
written by hand.
"""

import re

from wsclust.tables import replacing

_PART = re.compile(r"(<!-- from results: ([a-z-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def with_parts(page, parts):
    """The page with each part as it is to be.

    Arguments: the text; `parts`, name -> text. Raises ValueError where the page and the parts do not name the same.

    >>> with_parts("<!-- from results: sum -->\\n<!-- end -->", {"sum": "2"})
    '<!-- from results: sum -->\\n2\\n<!-- end -->'
    """
    named = [match[2] for match in _PART.finditer(page)]
    if sorted(named) != sorted(parts):
        raise ValueError(f"the page has the parts {', '.join(named)}; expected {', '.join(parts)}")
    return _PART.sub(lambda match: f"{match[1]}{parts[match[2]].rstrip()}\n{match[4]}", page)


def write_parts(path, parts):
    """Write a page anew with these parts."""
    with open(path, encoding="utf-8") as file:
        page = with_parts(file.read(), parts)
    with replacing(path) as temporary:
        temporary.write_text(page, encoding="utf-8")


def markdown_table(head, rows):
    """A table of texts; the first column is aligned to the left, the others to the right.

    >>> print(markdown_table(["a", "b"], [["x", "1"]]))
    | a | b |
    |---|--:|
    | x | 1 |
    """
    rule = "|---" + "|--:" * (len(head) - 1) + "|"
    return "\n".join([_row(head), rule, *map(_row, rows)])


def _row(cells):
    return "| " + " | ".join(cells) + " |"
