"""The options of `wsclust fit` for effects of levels: log-odds that are a sum over the factors of a bin.

--effects additive is --method additive by a name that says what it does; --effects bins is --method latent, the
paper's model, with a value of its own for each bin.
"""

import csv
import io

from wsclust.commands.event_arguments import column_names, cuts_in, orders_in
from wsclust.commands.names import given_path

METHODS = {"bins": "latent", "additive": "additive"}  # what --effects stands for
PARTS = 8  # into which a factor of --numeric is cut, where --cut does not say


def add_effects(parser):
    """--effects, --numeric and --effects-output; --ordered is a setting of the estimator."""
    add_kind_of_effects(parser)
    add_numeric(parser, "with --effects additive, ", ", with a trend along the means of the bins")
    parser.add_argument(
        "--effects-output",
        type=given_path,
        metavar="CSV",
        help="with --effects additive, what each level adds to the log-odds: factor, level, log_odds, se; with --audit "
        "these are of the labels alone",
    )


def add_kind_of_effects(parser):
    """The option --effects."""
    parser.add_argument(
        "--effects",
        choices=list(METHODS),
        help="bins: each bin has log-odds of its own, method latent (the default); additive: they are a sum over the "
        "factors with small deviations, method additive",
    )


def add_numeric(parser, where="", trend=""):
    """The option --numeric; `where` and `trend` are what a command that fits says of it beside the cut."""
    parser.add_argument(
        "--numeric",
        metavar="A,B,...",
        help=f"{where}columns of numbers that are factors: cut into {PARTS} parts with about as many events each, or "
        f"as --cut says{trend}",
    )


def take_effects(args):
    """Write into the arguments what --effects and --numeric stand for: the method, factors and cuts.

    Raises ValueError, one line that names the option, on options that do not go together.

    >>> from argparse import Namespace
    >>> args = Namespace(effects="additive", method=None, numeric="basket", ordered=None, effects_output=None,
    ...                  factors="city", cut=[], audit=None)
    >>> take_effects(args)
    >>> args.method, args.factors, args.cut
    ('additive', 'city,basket', ['basket:quantiles=8'])
    """
    if args.effects:
        method = METHODS[args.effects]
        if args.method not in (None, method):
            raise ValueError(
                f"--effects {args.effects}: it stands for --method {method}, and --method {args.method} is given; "
                "leave one of them out"
            )
        args.method = method
    method = args.method or ("additive" if args.audit else None)
    for option, value in (
        ("--ordered", args.ordered),
        ("--numeric", args.numeric),
        ("--effects-output", args.effects_output),
    ):
        if value is not None and method != "additive":
            raise ValueError(
                f"{option}: it is for effects of levels; add --effects additive, or leave it out"
            )
    take_numeric(args)


def take_numeric(args):
    """Write into the arguments what --numeric stands for: more factors, and their cuts.

    >>> from argparse import Namespace
    >>> args = Namespace(numeric="basket,age", factors="city", cut=["age:30,60"])
    >>> take_numeric(args)
    >>> args.factors, args.cut
    ('city,basket,age', ['age:30,60', 'basket:quantiles=8'])
    """
    if args.numeric is None:
        return
    factors, cuts = column_names(args.factors, "--factors"), cuts_in(args.cut)
    for name in column_names(args.numeric, "--numeric"):
        if name not in factors:
            factors.append(name)
        if name not in cuts:
            args.cut = [*args.cut, f"{name}:quantiles={PARTS}"]
    args.factors = _listed(factors)


def effect_settings(args, data, cut):
    """The settings `ordered` and `numeric` of the additive method, for the bins of these GroupedCounts.

    Arguments: those of the command, after `take_effects`; the counts; the edges of numbers that were cut, column ->
    edges. Returns a dict of those that were given: `ordered`, factor -> levels in order; `numeric`, factor -> the
    bins' means (K,).
    """
    from wsclust.events.bin_means import bin_means
    from wsclust.events.level_orders import level_orders, orders_carried

    settings = {}
    if args.ordered is not None:
        names = [name for name in args.ordered if name in data.bins]
        given = orders_in(args.order)
        orders = level_orders(args.events, data.bins[names], given, cut)
        for name, carried in orders_carried(args.events, names, cut).items():
            if name not in given:
                refuse_without_place(name, orders[name], carried, args.missing)
        # A name that is no factor is the estimator's to refuse.
        settings["ordered"] = {name: orders.get(name) for name in args.ordered}
    if args.numeric is not None:
        settings["numeric"] = bin_means(
            args.events,
            data.bins,
            column_names(args.numeric, "--numeric"),
            cut,
            count=args.count,
            missing=args.missing,
            memory_limit=args.memory_limit,
        )
    return settings


def refuse_without_place(name, levels, carried=(), missing=None):
    """Raise ValueError, naming them, where levels of an ordered factor have no place along its trend.

    Arguments: the factor's `name` and its `levels`; those whose order the files have `carried`; the level that
    `missing` values were given. Without a digit a level is sorted as text, which may be any order. One trend goes
    through two levels whatever their order.

    >>> refuse_without_place("size", ["large", "medium", "small"], carried=["small", "medium", "large"])
    >>> refuse_without_place("age", ["18-29", "30-64", "65+", "unknown"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: --ordered age: nothing says where 'unknown' is in the order; give all levels as --order age=A,B...
    """
    lost = [
        level
        for level in levels
        if level == missing or not (level in carried or any(letter.isdigit() for letter in level))
    ]
    if lost and (len(levels) > 2 or missing in lost):
        more = f" and {len(lost) - 3} more" if len(lost) > 3 else ""
        those = f"{', '.join(map(repr, lost[:3]))}{more} {'is' if len(lost) == 1 else 'are'}"
        raise ValueError(
            f"--ordered {name}: nothing says where {those} in the order; give all levels as --order {name}=A,B,..., "
            "or leave it out of --ordered"
        )


def _listed(names):
    """Names as an option lists them, in quotes where they have a comma.

    >>> _listed(["level", "shape, size"])
    'level,"shape, size"'
    """
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(names)
    return line.getvalue()
