"""The order of a factor's levels that crossed bins show: their rows are sorted by the factors in turn."""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import pandas as pd

from wsclust.columns.level_order import merged, ranks
from wsclust.columns.names import names_as_text


def orders_in_bins(bins, ordered):
    """The levels of each ordered factor in their order: a dict from its name, None where the column says it itself.

    Arguments: `bins`, a frame with one row per bin and one column per factor; `ordered`, a name, names, or a mapping
    from name to levels in order, which stay as they are. Levels with digits are numbers or ranges and have an order of
    their own (`level_order.ranks`). Others are in that of the rows, which is the one that was given as the events were
    counted, else the alphabet's. A name that is no factor has None.

    >>> bins = pd.DataFrame({"sex": ["f", "f", "f", "m", "m"], "size": ["low", "mid", "high", "low", "high"]})
    >>> orders_in_bins(bins, ["size"])
    {'size': ['low', 'mid', 'high']}
    >>> orders_in_bins(bins[1:], ["size"])  # where rows leave the order open
    {'size': ['high', 'low', 'mid']}
    >>> orders_in_bins(pd.DataFrame({"basket": ["(10, 20]", "(5, 10]", "<= 5"]}), "basket")
    {'basket': ['<= 5', '(5, 10]', '(10, 20]']}
    """
    names = [ordered] if isinstance(ordered, str) else ordered
    given = ordered if isinstance(ordered, Mapping) else {}
    return {name: given.get(name) if given.get(name) is not None else _order(bins, name) for name in names}


def in_alphabet_alone(levels):
    """Whether nothing but the alphabet places these levels, in order: three or more, none of which has a digit.

    >>> in_alphabet_alone(["card", "invoice", "wallet"]), in_alphabet_alone(["low", "mid", "high"])
    (True, False)
    """
    return len(levels) > 2 and not _have_digits(levels) and list(levels) == sorted(levels)


def _order(bins, name):
    if name not in bins or isinstance(bins[name].dtype, pd.CategoricalDtype):
        return None
    column = bins[name]
    levels = pd.Index(column.unique())
    by_name = list(levels[np.argsort(ranks(names_as_text(levels)), kind="stable")])
    if _have_digits(by_name):
        return by_name
    before = [bins[factor] for factor in bins.columns[: bins.columns.get_loc(name)]]
    parts = [part for _, part in column.groupby(before, sort=False)] if before else [column]
    orders = list(dict.fromkeys(tuple(part.unique()) for part in parts))
    try:
        found = merged(orders, [name] * len(orders))
    except ValueError:  # rows that are in no order
        return by_name
    # Where the rows leave it open, as of levels that never meet, the alphabet is as good as any.
    return found if _is_forced(found, orders) else by_name


def _is_forced(order, orders):
    """Whether each level stands directly behind the one before it somewhere, so that no other order agrees."""
    known = {pair for part in orders for pair in pairwise(part)}
    return all(pair in known for pair in pairwise(order))


def _have_digits(levels):
    return any(letter.isdigit() for level in levels for letter in str(level))
