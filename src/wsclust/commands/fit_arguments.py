"""The options of `wsclust fit`, and which of them cannot be."""

import argparse
from functools import partial

from wsclust import registry
from wsclust.commands.audit_arguments import add_audit, check_audit
from wsclust.commands.effects import METHODS, add_effects
from wsclust.commands.event_arguments import add_events, add_labels, column_names
from wsclust.commands.group_shares import add_groups
from wsclust.commands.methods_beside import methods_in, settings_for
from wsclust.commands.names import given_path
from wsclust.commands.noise_arguments import add_label_noise, check_label_noise
from wsclust.commands.segments import add_by
from wsclust.half_samples import HALF_SAMPLES
from wsclust.intervals import SOURCES

SEED = 1
EXAMPLE = """example, in the project's folder:
  wsclust fit examples/events.csv --labels examples/labels.csv --factors level,shape,colour \\
      --output posterior.csv --summary fit.json --plot posterior.png

The output has one row per bin: the factors, n (events, down-weighted where a cap is given), posterior, se, lower
and upper (95%, within [0, 1] but for moments). se and interval are empty with --half-samples 0 and in bins with
fewer than 10 events. With --effects additive, combinations of levels that were never seen together follow with n = 0
and the posterior that the effects of their levels give. A latent fit is checked, and the verdict on it, such as
"labels partly predicted", is in the summary and the plot and on standard error, as a warning where the labels are not
even predicted in part. With --audit, se and interval are those of the audited answer, and the verdict is the
audit's. Exit codes: 0 done, 2 bad input, 3 with --strict: evidence against the fit, nothing to check, or outcomes
that do not match the labels.
"""


def add_arguments(parser):
    parser.epilog = EXAMPLE
    add_events(parser)
    add_labels(parser)
    add_label_noise(parser)
    parser.add_argument(
        "--order",
        action="append",
        default=[],
        metavar="FACTOR=A,B,...",
        help="the order of a factor's levels, where it is not that of the numbers in them",
    )
    parser.add_argument(
        "--method",
        type=_methods,
        metavar="METHOD,...",
        help=f"estimator: {', '.join(registry.from_labels())} (latent; with --audit additive); with several, such as "
        "latent,direct, the estimates of the others stand beside those of the first",
    )
    add_effects(parser)
    for name, setting in settings_of_estimators().items():
        parser.add_argument(f"--{name.replace('_', '-')}", **_argument(setting))
    parser.add_argument("--cap", type=float, metavar="M", help="let no group count for more than M events")
    parser.add_argument(
        "--clip",
        type=float,
        metavar="C",
        help="pull labels off 0 and 1, into [C, 1 - C], such as 0.001",
    )
    parser.add_argument(
        "--half-samples",
        "--subsamples",
        type=int,
        metavar="B",
        help=f"half-samples of the groups for the standard errors ({HALF_SAMPLES}), 0: none",
    )
    parser.add_argument(
        "--se",
        choices=list(SOURCES),
        default="half-samples",
        help="where the standard errors come from: half-samples, or the faster information, the curvature of the "
        "likelihood with the spread of the groups' slopes",
    )
    parser.add_argument("--seed", type=int, help=f"random seed of half-samples and check ({SEED})")
    parser.add_argument(
        "--no-check", dest="check", action="store_false", help="do not check whether to believe the fit"
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="exit with code 3 on the verdicts: evidence against, nothing to check",
    )
    add_audit(parser)
    parser.add_argument(
        "--output", required=True, type=given_path, help="table of posteriors: .csv or .parquet"
    )
    add_groups(parser)
    add_by(parser)
    parser.add_argument("--summary", type=given_path, help="JSON of how the fit went")
    parser.add_argument("--plot", type=given_path, help="image of the posteriors: .png, .pdf or .svg")
    parser.add_argument(
        "--plot-lines",
        type=given_path,
        metavar="IMAGE",
        help="image of two or more factors: levels of the first along x, a line for each level of the second, panels "
        "for the others; .png, .pdf or .svg",
    )
    parser.add_argument(
        "--report",
        type=given_path,
        help="a page of all this to send to a colleague, which opens offline: .html",
    )


def settings_of_estimators():
    """Every setting of every estimator that needs the labels alone, by name."""
    return registry.written_settings(registry.from_labels())


def _argument(setting):
    """How argparse takes a setting. Nothing is filled in, so that what was given can be told."""
    if "enum" in setting.schema:
        kind = {"choices": setting.schema["enum"]}
    else:
        kinds = {"number": float, "integer": int, "array": _columns}
        kind = {"type": kinds[setting.schema["type"]], "metavar": setting.metavar}
    default = f" ({str(setting.default).removesuffix('.0')})" if setting.default not in (None, ()) else ""
    return {"help": setting.meaning + default, **kind}


def _columns(text):
    return _parsed(partial(column_names, option="the list"), text)


def _methods(text):
    return _parsed(methods_in, text)


def _parsed(parse, text):
    try:
        return parse(text)
    except ValueError as error:  # for argparse would say less
        raise argparse.ArgumentTypeError(error) from None


def check_arguments(args, settings, others=()):
    """What can be refused before the events are read. `others` are the methods beside the first."""
    check_audit(args)
    if others and args.audit:
        raise ValueError(f"--method {args.method},{','.join(others)}: no use with --audit; name one method")
    for method in (args.method, *others):
        theirs = settings_for(method, settings) if others else settings
        registry.entry(method).complete(method, theirs)
    for name in settings:
        if others and not any(name in registry.entry(method).settings for method in (args.method, *others)):
            raise ValueError(
                f"{name}={settings[name]}: none of {args.method}, {', '.join(others)} has it; leave it out"
            )
    for name, right, expected in (
        ("cap", args.cap is None or 0 < args.cap < float("inf"), "a number of events above 0, such as 500"),
        ("clip", args.clip is None or 0 < args.clip < 0.5, "between 0 and 0.5, such as 0.001"),
        (
            "half_samples",
            args.half_samples in (None, 0) or args.half_samples >= 2,
            "2 or more, or 0 for none",
        ),
        ("seed", args.seed is None or args.seed >= 0, "a whole number from 0"),
    ):
        if not right:
            raise ValueError(f"{name}={getattr(args, name)}: expected {expected}")
    check_label_noise(args, settings, [args.method, *others])
    if args.se == "information" and args.half_samples is not None:
        raise ValueError(
            f"half_samples={args.half_samples}: no use with se=information; leave one of them out"
        )
    if args.se == "information" and settings.get("he_weight") == 0:
        raise ValueError(
            "se=information: there is none at he_weight=0, where the model is not identified; use half-samples"
        )
    checked = args.method in METHODS.values()
    if args.strict and not args.audit and not (args.check and checked):
        raise ValueError(
            f"--strict: nothing to be strict about; it needs the {' or '.join(METHODS.values())} method and its check, "
            f"so leave out {'--strict or --no-check' if checked else '--strict'}"
        )
