"""Names of groups and levels as text: one rule for frames in Python, CSV and Parquet.

A name is the text that it is, so `007` and `7` are two, with two exceptions, for a program that reads and
writes a table again changes these by itself: a whole number written as a float is that number (`100.0` is
`100`, as a column of integers becomes where one cell is empty), and a truth value is `true` or `false`
(`True` and `TRUE` too). Dates and times are as DuckDB writes them, `2024-03-01 12:00:00`, and in UTC with
`+00` behind where they have a time zone.
"""

import datetime
import re

import numpy as np
import pandas as pd

# A float prints with `.0` up to this many digits, and with an exponent beyond.
_WHOLE = re.compile(r"(-?(?:0|[1-9][0-9]{0,15}))\.0")
_TRUTH = {"True": "true", "TRUE": "true", "False": "false", "FALSE": "false"}
_EXACT = 1e16
_SINGLE = ("float16", "float32", "float[pyarrow]", "halffloat[pyarrow]")


def spelled(text):
    """One spelling for texts that are the same name.

    >>> [spelled(text) for text in ("100.0", "1.5", "007", "True", "100.00")]
    ['100', '1.5', '007', 'true', '100.00']
    """
    if whole := _WHOLE.fullmatch(text):
        return "0" if whole[1] == "-0" else whole[1]
    return _TRUTH.get(text, text)


def refuse_named_twice(columns, which):
    """Raise ValueError where a column stands twice among `columns`; `which` says what they are.

    >>> refuse_named_twice(["shop", "day", "shop"], "group, factors and count")
    Traceback (most recent call last):
        ...
    ValueError: column 'shop' is named twice; group, factors and count are distinct
    """
    for column in columns:
        if columns.count(column) > 1:
            raise ValueError(f"column {column!r} is named twice; {which} are distinct")


def levels_in_words(levels):
    """What a message calls the bin with these levels, a mapping from each factor to its level.

    >>> levels_in_words({"level": "2", "shape": "circle"})
    "level '2', shape 'circle'"
    """
    return ", ".join(f"{factor} {level!r}" for factor, level in levels.items())


def spellings_sql(name):
    """SQL of the list of texts that `spelled` takes for a name, where `name` is SQL of its one spelling."""
    whole = f"regexp_full_match({name}, '-?(0|[1-9][0-9]{{0,15}})')"
    return (
        f"CASE WHEN {name} = '0' THEN ['0', '0.0', '-0.0'] WHEN {whole} THEN [{name}, {name} || '.0'] "
        f"WHEN {name} = 'true' THEN ['true', 'True', 'TRUE'] "
        f"WHEN {name} = 'false' THEN ['false', 'False', 'FALSE'] ELSE [{name}] END"
    )


def spelled_sql(text):
    """SQL of `spelled` of SQL of a text."""
    whole = f"regexp_full_match({text}, '{_WHOLE.pattern}')"
    pairs = " ".join(f"WHEN '{found}' THEN '{meant}'" for found, meant in _TRUTH.items())
    return (
        f"CASE WHEN {text} = '-0.0' THEN '0' WHEN ends_with({text}, '.0') AND {whole} "
        f"THEN left({text}, -2) ELSE CASE {text} {pairs} ELSE {text} END END"
    )


def names_as_text(series):
    """The names of a column as text: an object array with None where a value is empty.

    Argument: a pandas Series (or what makes one) of numbers, truth values, text, dates, categories or a
    mixture of these, such as pandas makes of a large CSV whose column is mostly numbers.

    Raises ValueError on durations, lists and other values that are no name.

    >>> names_as_text(pd.Series([2, "2", 2.0, 2.5, True, None])).tolist()
    ['2', '2', '2', '2.5', 'true', None]
    >>> names_as_text(pd.Series(pd.to_datetime(["2024-03-01 12:30Z"]))).tolist()
    ['2024-03-01 12:30:00+00']
    """
    series = pd.Series(series)
    if isinstance(series.dtype, pd.CategoricalDtype):
        names = np.append(names_as_text(series.cat.categories), None)
        return names[series.cat.codes.to_numpy()]
    # A mixture is read one by one, for Python takes 1 and True for equal, which are two names.
    if series.dtype == object and pd.api.types.infer_dtype(series, skipna=True) != "string":
        return _each(series)
    codes, distinct = pd.factorize(series, use_na_sentinel=True)
    # An index hands its numbers over as Python's, which have more digits than floats of 32 bits.
    single = distinct.dtype in _SINGLE
    return np.append(_each(np.asarray(distinct, dtype=np.float32) if single else distinct), None)[codes]


def _each(values):
    names = np.empty(len(values), dtype=object)
    names[:] = [_name(value) for value in values]
    return names


def _name(value):
    if isinstance(value, str):
        return spelled(value) if value else None
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, int | np.integer):
        return str(int(value))
    if value is None or value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, float | np.floating):
        if np.isnan(value):
            return None
        if isinstance(value, np.float16 | np.float32):
            return _single(np.float32(value))
        return str(int(value)) if value.is_integer() and abs(value) < _EXACT else str(value)
    if isinstance(value, datetime.datetime | np.datetime64):
        return _time(pd.Timestamp(value))
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, datetime.time):
        return re.sub(r"(\.\d*?)0+(?!\d)", r"\1", str(value))
    if isinstance(value, bytes):
        try:
            return spelled(value.decode()) or None
        except UnicodeDecodeError:
            raise ValueError(f"{value!r} is no text in UTF-8; decode the column, as by .str.decode") from None
    if isinstance(value, datetime.timedelta | np.timedelta64) or pd.api.types.is_list_like(value):
        raise ValueError(
            f"{value!r} is of type {type(value).__name__}; expected text, a number, a date or a truth value"
        )
    return spelled(str(value))


def _single(value):
    """A float of 32 bits with the digits that tell it apart, as DuckDB writes it: `0.1`, `3e+16`."""
    if not np.isfinite(value):
        return str(value)
    if value == 0 or 1e-4 <= abs(value) < _EXACT:
        return spelled(np.format_float_positional(value, trim="0"))
    return np.format_float_scientific(value, trim="-", exp_digits=2)


def _time(stamp):
    zone = "" if stamp.tz is None else "+00"
    stamp = stamp if stamp.tz is None else stamp.tz_convert("UTC")
    text = stamp.strftime("%Y-%m-%d %H:%M:%S")
    below = f"{stamp.microsecond:06d}{stamp.nanosecond:03d}".rstrip("0")
    return text + (f".{below}" if below else "") + zone
