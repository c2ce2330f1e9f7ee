"""The order of each factor's levels: as the user gives it, as the files carry it, or as the levels tell it."""

from wsclust.columns.level_order import check_order, in_order, merged
from wsclust.columns.names import names_as_text
from wsclust.events.files import open_table


def level_orders(events, bins, order=None, cut=None):
    """The levels of each factor in their order, as `read_counts` sorts the bins: a dict from a factor to a list.

    Arguments: `events`, `order` and `cut`, as for `read_counts`; `bins`, the frame of bins that it found, or some of
    its columns.
    """
    if not len(bins.columns):
        return {}
    table, found = open_table(events, list(bins.columns)), {}
    for factor in bins:
        levels = set(bins[factor])
        given = {factor: order[factor]} if factor in (order or {}) else {}
        found[factor] = in_order(levels, order_of_levels(table, given, cut or {}, factor, levels))
    return found


def orders_carried(events, factors, cut=None):
    """The levels of each factor of which the files carry an order, without one for numbers that are cut: a dict."""
    if not factors:
        return {}
    table = open_table(events, list(factors))
    carried = {factor: {} if factor in (cut or {}) else table.orders(factor) for factor in factors}
    return {
        factor: {level for levels in orders.values() for level in names_as_text(levels)}
        for factor, orders in carried.items()
    }


def order_of_levels(table, given, cut, factor, levels):
    """The order of a factor's levels, as the user gives it or the files carry it; None where they tell it."""
    if factor in given:
        return check_order(factor, levels, given[factor])
    carried = {} if factor in cut else table.orders(factor)
    if not carried:
        return None
    orders = [[level for level in names_as_text(levels) if level] for levels in carried.values()]
    order = merged(orders, list(carried))
    # A file without an order, and a level for empty values, have levels of their own: they follow.
    return [*order, *sorted(levels - set(order))]


def refuse_order_of_no_factor(order, factors):
    """Raise ValueError where an order is given of a column that is no factor."""
    for column in order:
        if column not in factors:
            raise ValueError(
                f"order of {column!r}: no factor; the factors are {', '.join(map(repr, factors))}"
            )
