"""Values to classes, and events to counts: what the designs of both sets share."""

import numpy as np
import pandas as pd


def events(**columns) -> pd.DataFrame:
    """Return a frame with one row per event, of these columns: `group`, the factors of the bin and `positive`.

    `n` beside them is the number of events of a row, of which `positive` are positive.
    """
    return pd.DataFrame(columns)


def above(values: pd.Series, edges: list[float]) -> np.ndarray:
    """Return how many edges each value is above: its class, from 0; a value at an edge goes below.

    >>> above(pd.Series([4, 5, 6, 11]), [5, 10]).tolist()
    [0, 0, 1, 2]
    """
    return np.searchsorted(edges, values.to_numpy(), side="left")


def classes(values: pd.Series, edges: list[float]) -> pd.Series:
    """Cut values at edges, the outer ones included, into classes from 0; missing where outside or missing.

    >>> classes(pd.Series([0.0, 1.0, 5.0, 99.0]), [-1, 0, 5]).tolist()
    [0.0, 1.0, 1.0, nan]
    """
    return pd.cut(values, edges, labels=False)


def quantile_classes(values: pd.Series, number: int) -> pd.Series:
    """Cut values at their own quantiles (equal ones once) into classes from 0; an edge goes below.

    >>> quantile_classes(pd.Series([1.0, 2.0, 3.0, 4.0]), 2).tolist()
    [0, 0, 1, 1]
    """
    return pd.qcut(values, number, labels=False, duplicates="drop")


def kept_levels(values: pd.Series, kept: list[str], other: str = "other") -> pd.Series:
    """Return the values with all but some levels joined into one; missing ones stay missing."""
    return values.where(values.isin(kept) | values.isna(), other)


def two_digits(numbers: pd.Series) -> pd.Series:
    """Return whole numbers as text of two digits or more."""
    return numbers.astype(str).str.zfill(2)


def joined(*columns: pd.Series) -> pd.Series:
    """Return the text of several columns with a hyphen between.

    >>> joined(pd.Series(["a"]), pd.Series([7])).tolist()
    ['a-7']
    """
    text = columns[0].astype(str)
    for column in columns[1:]:
        text = text + "-" + column.astype(str)
    return text


def as_text(values: pd.Series) -> pd.Series:
    """Return levels as text, whole numbers without a point; missing ones stay missing.

    >>> as_text(pd.Series([1.0, None])).tolist(), as_text(pd.Series([True, False])).tolist()
    (['1', nan], ['True', 'False'])
    """
    return _as_text(values, str)


def as_padded_text(values: pd.Series) -> pd.Series:
    """Return levels as text that sorts in order: whole numbers with zeros before them, yes or no as 1 or 0.

    A bar and a comma, which separate bins and columns, become a slash and a semicolon; missing levels stay missing.

    >>> as_padded_text(pd.Series([1.0, 12.0])).tolist(), as_padded_text(pd.Series([True, False])).tolist()
    (['01', '12'], ['1', '0'])
    """
    if values.dtype.kind == "b":
        values = values.astype(int)
    if values.dtype.kind in "iu" or (values.dtype.kind == "f" and (values.dropna() % 1 == 0).all()):
        width = len(str(int(values.max())))
        return _as_text(values, lambda number: str(number).zfill(width))
    return _as_text(values, lambda level: str(level).replace("|", "/").replace(",", ";"))


def _as_text(values, write):
    texts = [
        np.nan if pd.isna(value) else write(int(value) if _is_whole(value) else value) for value in values
    ]
    return pd.Series(texts, index=values.index, dtype=object)


def _is_whole(value):
    return isinstance(value, float) and value.is_integer()


def count(events: pd.DataFrame, fewest: int, write=as_text) -> pd.DataFrame:
    """Count events (`n`) and positive ones (`positive`) by group and bin, sorted; occupied cells only.

    Arguments: `events`, one row per event, or per `n` events where there is such a column, of which `positive`
    are positive; the fewest events of a group; `write`, how levels become text. A bin is named by its factors'
    levels with | between. Events with anything missing are left out, and groups with fewer events.

    >>> events = pd.DataFrame({"group": list("aab"), "size": [1, 1, 2], "positive": [True, False, True]})
    >>> count(events, 2).to_dict("records")
    [{'group': 'a', 'bin': '1', 'positive': 1, 'n': 2}]
    """
    factors = [column for column in events.columns if column not in ("group", "positive", "n")]
    texts = pd.DataFrame({column: write(events[column]) for column in ["group", *factors]})
    texts["positive"] = events["positive"].astype(float)
    texts["n"] = events["n"].astype(float) if "n" in events else 1.0
    texts = texts.dropna()
    texts = texts[texts["n"] > 0]
    bins = texts[factors[0]]
    for factor in factors[1:]:
        bins = bins + "|" + texts[factor]
    texts["bin"] = bins
    texts = texts[texts.groupby("group")["n"].transform("sum") >= fewest]
    cells = texts.groupby(["group", "bin"])[["positive", "n"]].sum().astype(int).reset_index()
    if cells["bin"].str.isdecimal().all():  # one factor of numbers: 2 before 10
        cells = cells.sort_values(
            ["group", "bin"], key=lambda text: text.astype(int) if text.name == "bin" else text
        )
    return cells
