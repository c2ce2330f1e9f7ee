"""A result file as a frame, and rows of cells as a table in Markdown."""

import pandas as pd


def result(root, name):
    """A result file as a frame."""
    # The method called null is no missing value.
    return pd.read_csv(root / "results" / name, keep_default_na=False, na_values=[""])


def markdown(header, rows, right=True):
    """A Markdown table, its columns after the first aligned right, where they are numbers."""
    lines = [header, ["---"] + ["---:" if right else "---"] * (len(header) - 1), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)
