"""The options of `wsclust fit` for outcomes that were looked up, and the command that draws them."""

import shlex

from wsclust.commands.event_arguments import as_typed
from wsclust.commands.names import given_name

WEAK_METHODS = ("additive", "latent")  # which have a shape that can be a prior


def add_audit(parser):
    """The options --audit and those that go with it."""
    parser.add_argument(
        "--audit",
        type=given_name,
        metavar="CSV",
        help="outcomes that were looked up, as wsclust audit-sample wrote it and you filled it in: the output is then "
        "the answer of labels and outcomes together",
    )
    parser.add_argument(
        "--audit-id",
        type=given_name,
        metavar="COLUMN",
        help="column of the audit and of EVENTS that tells events apart (row numbers)",
    )
    parser.add_argument(
        "--label-scores",
        action="store_true",
        help="with --audit: the labels are noisy scores, such as ratings, that may all be off by a common amount",
    )
    parser.add_argument(
        "--new-groups",
        action="store_true",
        help="with --audit: the answer is for groups that are not in the data",
    )


def check_audit(args):
    """Raise ValueError, one line that names the option, on options that do not go together."""
    if args.audit is None:
        for name in ("audit_id", "label_scores", "new_groups"):
            if getattr(args, name):
                raise ValueError(
                    f"--{name.replace('_', '-')}: goes with --audit alone; add it, or leave this out"
                )
        return
    if args.method not in WEAK_METHODS:
        raise ValueError(
            f"--method {args.method}: it has no shape that could be a prior of the audit; use "
            f"{' or '.join(WEAK_METHODS)}, or leave out --audit"
        )
    if args.seed is not None:
        raise ValueError(
            "--seed: no use with --audit, in whose answer nothing is random; leave one of them out"
        )
    if args.half_samples is not None or args.se != "half-samples":
        option = "--se" if args.half_samples is None else "--half-samples"
        raise ValueError(
            f"{option}: no use with --audit, whose standard errors are its own; leave one of them out"
        )


def how_to_audit(args):
    """The command that draws events to look up, for the data of this fit: one line.

    >>> from argparse import Namespace
    >>> from wsclust.commands.event_arguments import DEFAULTS
    >>> how_to_audit(Namespace(events="my log.csv", **DEFAULTS | {"labels": "l.csv", "factors": "a,b"}))
    "wsclust audit-sample 'my log.csv' --labels l.csv --factors a,b --size 100 --output to_label.csv"
    """
    words = ["wsclust", "audit-sample", str(args.events), *as_typed(args)]
    return shlex.join([*words, "--size", "100", "--output", "to_label.csv"])
