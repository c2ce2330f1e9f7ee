"""The options that say how far labels may be off, and which of them cannot be together."""

from wsclust import registry
from wsclust.commands.names import given_name
from wsclust.planning.limits import WIDEST, refuse_unless


def add_label_noise(parser):
    """The options of `wsclust fit`; without them labels are taken for the groups' shares."""
    parser.add_argument(
        "--label-sd",
        type=float,
        metavar="S",
        help="SD of the labels' error on the logit scale; labels are then calibrated. Without it, without --label-n "
        "and without --he-weight, labels are taken as exact",
    )
    parser.add_argument(
        "--label-n",
        type=given_name,
        metavar="COLUMN",
        help="column of LABELS with the number of rated events of which the label is the share; labels are then "
        "calibrated, those of 0 and 1 too",
    )
    parser.add_argument(
        "--rated-among-events",
        action="store_true",
        help="the rated events are some of EVENTS, so that labels of groups rated in full are exact (they are others, "
        "as in a survey)",
    )


def check_one_noise(args):
    """Raise ValueError where --label-sd or --clip stands beside --label-n."""
    if args.label_n is None:
        return
    if args.label_sd is not None:
        raise ValueError(
            f"label_sd={args.label_sd:g}: no use with label_n, which says how noisy each label is; leave one of them "
            "out"
        )
    if args.clip is not None:
        raise ValueError(
            f"clip={args.clip:g}: no use with label_n, which takes labels of 0 and 1 as they are; leave it out"
        )


def check_label_noise(args, settings, methods):
    """Raise ValueError where what is said of the labels' noise does not go together, or with the methods of a fit.

    Arguments: those of the command; the settings that are given; the methods, of which one has to calibrate labels.
    """
    if args.rated_among_events and args.label_n is None:
        raise ValueError("--rated-among-events: needs --label-n, the column with the number of rated events")
    if args.label_sd is not None:
        expected = f"0 or more, at most {WIDEST:g}"
        refuse_unless(0 <= args.label_sd <= WIDEST, "label_sd", args.label_sd, expected)
    check_one_noise(args)
    given = "label_n" if args.label_n is not None else "label_sd" if args.label_sd else None
    if given is None:
        return
    said = f"{given}={getattr(args, given)}"
    if not any("he_weight" in registry.entry(method).settings for method in methods):
        averaging = f"method{'s' if len(methods) > 1 else ''} {', '.join(methods)}"
        raise ValueError(
            f"{said}: no use with {averaging}, which average{'' if len(methods) > 1 else 's'} labels; leave it out, or "
            "take method latent"
        )
    if settings.get("he_weight", float("inf")) != float("inf"):
        raise ValueError(
            f"he_weight={settings['he_weight']}: no use with {said}: calibrated labels stand for shares, and a finite "
            "weight would reckon with the same noise again; leave one of them out"
        )
