"""The options of `wsclust plan`, and which of them cannot be."""

import argparse
import math

from wsclust.commands.effects import add_kind_of_effects, add_numeric
from wsclust.commands.event_arguments import DEFAULTS, add_labels
from wsclust.commands.names import given_name, given_path
from wsclust.commands.noise_arguments import check_one_noise
from wsclust.planning.equivalents import FEW
from wsclust.planning.limits import MOST, refuse_unless
from wsclust.planning.plan import AUDITED

EXAMPLE = """examples, the second in the project's folder:
  wsclust plan --groups 500 --events 100 --label-sd .5 --rho .05 .95
  wsclust plan --like examples/events.csv --labels examples/labels.csv --factors level,shape,colour \\
      --groups 1000 --plot plan.png

It prints the planned events, how far groups differ, the standard errors of a bin (every event labelled, exact
shares, these labels), how many weak events tell as much as one labelled event, the groups that a standard error
takes, and what an audit adds: some events whose outcomes are looked up (wsclust audit-sample). Where a bin's events
equal fewer than 15 labelled ones the formula is no guide, and 50 data sets are simulated and fitted. Exit codes:
0 done, 2 bad input.
"""
SIMULATED = 50  # data sets, where the formula is no guide
BY_HAND = {"bins": 15, "rho": (0.05, 0.95), "mu_sd": 1.0}
_OF_PILOT = (*DEFAULTS, "clip", "numeric", "effects")


class _AsTyped(argparse.Action):
    """Keeps the number of events, and by which of its options it was given, as `clicks_option`, for messages."""

    def __call__(self, parser, namespace, values, option_string=None):
        namespace.clicks, namespace.clicks_option = values, option_string


def add_arguments(parser):
    parser.epilog = EXAMPLE
    add = parser.add_argument
    add("--groups", type=int, metavar="I", help="number of groups (the pilot's)")
    add(
        "--events",
        "--clicks",
        dest="clicks",
        action=_AsTyped,
        type=float,
        metavar="J",
        help="events of each group (the pilot's, on average)",
    )
    add(
        "--label-sd",
        type=float,
        metavar="S",
        help="SD of the labels' error on the logit scale (0: exact shares)",
    )
    add(
        "--label-n",
        type=given_name,
        metavar="R",
        help="rated events of each group of which the label is the share; with --like the column of LABELS that has "
        "their number, and groups to come have as many as the pilot's",
    )
    add(
        "--mu-sd",
        type=float,
        metavar="SD",
        help="SD over groups of the logit of the share of happy events (1)",
    )
    add("--bins", type=int, metavar="K", help="number of bins, all as frequent (15)")
    add(
        "--rho",
        type=float,
        nargs=2,
        metavar=("LOW", "HIGH"),
        help="P(happy | bin) of the first and the last bin, the others in even steps of the logit (.05 .95)",
    )
    add(
        "--weights",
        type=given_path,
        metavar="FILE",
        help="CSV with one row per bin and columns w0 and w1, how often sad and happy events fall in it, in any unit; "
        "instead of --bins and --rho",
    )
    add("--share", type=float, metavar="P", help="share of happy events in all, beside --weights (.5)")
    add(
        "--like",
        type=given_name,
        metavar="EVENTS",
        help="plan more data like these: events as for wsclust fit, which the next options go with",
    )
    add_labels(parser, required=False)
    add_numeric(parser)
    add_kind_of_effects(parser)
    add("--clip", type=float, metavar="C", help="pull the pilot's labels off 0 and 1, into [C, 1 - C]")
    add(
        "--se-wanted",
        type=float,
        nargs="+",
        default=[0.02, 0.01],
        metavar="SE",
        help="mean standard errors of a bin for which the groups needed are said (.02 .01)",
    )
    add(
        "--audit",
        type=int,
        metavar="N",
        help=f"events whose outcomes are looked up beside the labels ({AUDITED}, or all where they are fewer), 0: none",
    )
    add(
        "--simulate",
        type=int,
        metavar="N",
        help=f"simulate and fit N data sets ({SIMULATED} where a bin's events equal fewer than {FEW} labelled ones), "
        "0: none",
    )
    parser.set_defaults(clicks_option="--events")
    add("--seed", type=int, default=1, help="random seed of the simulation (1)")
    add("--output", type=given_path, help="CSV with one row per bin")
    add("--summary", type=given_path, help="JSON of the plan")
    add("--plot", type=given_path, help="image of standard error against groups: .png, .pdf or .svg")


def check_arguments(args):
    """What can be refused before anything is read or computed."""
    if args.seed < 0:
        raise ValueError(f"seed={args.seed}: expected a whole number from 0")
    if args.simulate is not None and (args.simulate < 0 or args.simulate == 1):
        raise ValueError(f"simulate={args.simulate}: expected 2 or more, or 0 for none")
    if args.audit is not None and args.audit < 0:
        raise ValueError(f"audit={args.audit}: expected a number of events, 0 or more")
    for option, value, least in (("--groups", args.groups, 2), (args.clicks_option, args.clicks, 1)):
        if value is not None:
            refuse_unless(least <= value <= MOST, option, value, f"{least} or more, at most {MOST:g}")
    names = (*BY_HAND, "weights", "share", *_OF_PILOT)
    given = [name for name in names if getattr(args, name) != DEFAULTS.get(name)]
    option = "--{}".format
    check_one_noise(args)
    for error in args.se_wanted:
        if not error > 0:
            raise ValueError(f"se_wanted={error:g}: expected a number above 0")
    if args.rho is not None and not all(0 < end < 1 for end in args.rho):
        low, high = args.rho
        raise ValueError(f"--rho {low:g} {high:g}: expected two numbers between 0 and 1, neither")
    if args.effects == "additive":
        raise ValueError(
            "--effects additive: the formulas are of bins with a value each, whose standard errors are larger; leave "
            "it out, and take the plan for a cautious one"
        )
    if args.like is not None:
        allowed = _OF_PILOT
        needed = [name for name in ("labels", "factors") if getattr(args, name) is None]
        beside = "--like, which has the bins and the groups' spread from the pilot"
    else:
        allowed = ("weights", "share", "mu_sd") if args.weights is not None else tuple(BY_HAND)
        needed = [name for name in ("groups", "clicks") if getattr(args, name) is None]
        beside = (
            "--weights, which has the bins"
            if args.weights is not None
            else "a design without --like or --weights"
        )
    for name in given:
        if name not in allowed:
            alone = args.like is None and args.weights is None
            goes_with = "--weights" if name == "share" else "--like, the events of a pilot"
            remedy = f"add {goes_with}, or leave it out" if alone else "leave one of them out"
            raise ValueError(f"{option(name.replace('_', '-'))}: no use with {beside}; {remedy}")
    if needed:
        typed = ["events" if name == "clicks" else name for name in needed]
        raise ValueError(
            f"{' and '.join(map(option, typed))}: missing; "
            + (
                "a pilot has --labels and --factors"
                if args.like
                else "give --groups and --events, or a pilot by --like"
            )
        )


def audit_of(args, design):
    """The events of the audit that is planned: those asked for, or AUDITED where there are so many.

    Raises ValueError where more are asked for than the Design has.
    """
    events = math.floor(design.groups * design.clicks)
    if args.audit is None:
        return min(AUDITED, events)
    if args.audit > events:
        raise ValueError(
            f"audit={args.audit}: more than the {events:,} events that are planned; expected fewer"
        )
    return args.audit
