"""The order of a factor's levels: one rule for frames in Python and for files.

Levels stand in an order that is given or that their column carries (an ordered categorical). Else they are
sorted as numbers where every level that has a digit is a number, such as `-0.5`, or a range of numbers, such
as `0-4`, `(0, 5]`, `100+` and `<5`; levels without a digit, such as `unknown`, follow in the order of text.
Else all are sorted as text.
"""

import math
import re
from graphlib import CycleError, TopologicalSorter

import numpy as np
import pandas as pd

from wsclust.columns.alike import alike_across, in_words
from wsclust.columns.names import names_as_text

_DIGITS = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?"
_UNSIGNED = rf"[$€£]?\s*(?:{_DIGITS}|inf|∞)\s*[%$€£]?"
_SIGNED = rf"[-+−]?{_UNSIGNED}"
_NUMBER = re.compile(rf"\s*({_SIGNED})\s*", re.I)
_INTERVAL = re.compile(rf"\s*[\[(\]]\s*({_SIGNED})\s*(?:,|;|\.\.|-|–|to)\s*({_SIGNED})\s*[\])\[]\s*", re.I)
_RANGE = re.compile(rf"\s*({_SIGNED})\s*(?:-|–|—|\.\.\.?|to)\s*({_SIGNED})\s*", re.I)
_BELOW = re.compile(
    rf"\s*(?:(?:<=?|≤|under|below|less than|fewer than|up to|at most)\s*({_SIGNED})"
    rf"|({_SIGNED})\s*(?:or|and) (?:less|fewer|under|below|younger))\s*",
    re.I,
)
_ABOVE = re.compile(
    rf"\s*(?:(?:>=?|≥|over|above|more than|at least)\s*({_SIGNED})"
    rf"|({_SIGNED})\s*(?:\+|(?:or|and) (?:more|over|above|older|up)))\s*",
    re.I,
)


def limits(level):
    """The lower and upper number of a level, equal where it is one number; None where it is neither.

    >>> [limits(level) for level in ("-0.5", "(0, 5]", "0-4", "100+", "<5", "2024-03", "v1")]
    [(-0.5, -0.5), (0, 5), (0, 4), (100, inf), (-inf, 5), None, None]
    """
    if found := _NUMBER.fullmatch(level):
        return (_value(found[1]),) * 2
    if found := _BELOW.fullmatch(level):
        return -math.inf, _value(found[1] or found[2])
    if found := _ABOVE.fullmatch(level):
        return _value(found[1] or found[2]), math.inf
    if found := _INTERVAL.fullmatch(level) or _RANGE.fullmatch(level):
        lower, upper = _value(found[1]), _value(found[2])
        return (lower, upper) if lower <= upper else None
    return None


def in_order(levels, order=None):
    """Distinct levels, as text, in their order: a list. `order` is one that is given, and has them all.

    >>> in_order(["10-14", "100+", "5-9", "unknown", "0-4"])
    ['0-4', '5-9', '10-14', '100+', 'unknown']
    >>> in_order(["10", "9", "01", "-1"]), in_order(["v10", "v9", "v1"])
    (['-1', '01', '9', '10'], ['v1', 'v10', 'v9'])
    """
    levels = set(levels)
    if order is not None:
        return [level for level in order if level in levels]
    found = {level: limits(level) for level in levels}
    if any(value is None and any(letter.isdigit() for letter in level) for level, value in found.items()):
        return sorted(levels)
    return sorted(levels, key=lambda level: (found[level] is None, found[level] or (), level))


def ranks(levels, order=None):
    """The place of each level among the distinct ones in their order, from 0: an integer array.

    >>> ranks(["10", "9", "10"]).tolist()
    [1, 0, 1]
    """
    codes, distinct = pd.factorize(np.asarray(levels, dtype=object))
    place = {level: i for i, level in enumerate(in_order(distinct, order))}
    return np.array([place[level] for level in distinct], dtype=np.int64)[codes]


def order_of(series):
    """The order that a pandas column carries, as text: that of an ordered categorical; else None.

    >>> order_of(pd.Series(pd.Categorical(["low"], ["low", "high"], ordered=True)))
    ['low', 'high']
    """
    ordered = isinstance(series.dtype, pd.CategoricalDtype) and series.cat.ordered
    return list(dict.fromkeys(names_as_text(series.cat.categories))) if ordered else None


def merged(orders, names):
    """One order that agrees with several, which have some levels in common. `names` says whose they are.

    Raises ValueError where they contradict each other.

    >>> merged([["low", "high"], ["low", "middle", "high"]], ["a", "b"])
    ['low', 'middle', 'high']
    """
    before = {}
    so_far = []
    for order, name in zip(orders, names, strict=True):
        for level, previous in zip(order, [None, *order], strict=False):
            before.setdefault(level, set()).update([] if previous is None else [previous])
        try:
            so_far = list(TopologicalSorter(before).static_order())
        except CycleError:
            raise ValueError(
                f"{name}: its levels are in another order ({', '.join(order)}) than in {names[0]} "
                f"({', '.join(orders[0])}); write them with one order"
            ) from None
    return so_far


def check_order(factor, levels, order):
    """The order that a user gives for a factor's levels, as text.

    Raises ValueError, naming the levels, where one is given twice, one is not in the data, and one of the
    data is not given.

    >>> check_order("size", {"S", "L", "M"}, ["S", "M", "L"])
    ['S', 'M', 'L']
    >>> check_order("size", {"S", "L", "M"}, ["s", "M"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: order of 'size': 'L', 'S' missing, 's' not in the data, 'S' and 's' differ in case, blanks or
    ...
    """
    order = list(names_as_text(pd.Series(list(order), dtype=object)))
    for level in order:
        if order.count(level) > 1:
            raise ValueError(f"order of {factor!r}: {level!r} is there twice; name each level once")
    missing, unknown = sorted(set(levels) - set(order)), sorted(set(order) - set(levels), key=str)
    if missing or unknown:
        found = [f"{_listed(missing)} missing"] if missing else []
        found += [f"{_listed(unknown)} not in the data"] if unknown else []
        near = alike_across(missing, unknown)
        found += [f"{in_words(near)} differ in case, blanks or Unicode form alone"] if near else []
        raise ValueError(
            f"order of {factor!r}: {', '.join(found)}; expected each of {_listed(in_order(levels), 20)} once"
        )
    return order


def _listed(levels, most=3):
    return ", ".join(map(repr, levels[:most])) + (
        f" and {len(levels) - most} more" if len(levels) > most else ""
    )


def _value(text):
    """A number, exact where it is whole, so that long ids are told apart."""
    text = re.sub(r"[\s$€£%,]", "", text).replace("−", "-").replace("∞", "inf")
    return int(text) if re.fullmatch(r"[-+]?[0-9]+", text) else float(text)
