"""Say what standard errors a study will have, before its data are gathered.

The study that is planned is described by the options, by a file of the bins' distributions, or by a pilot: events
and labels that are there already, from which more of the same kind are planned.
"""

import json
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

from wsclust.commands.event_arguments import DEFAULTS, add_labels
from wsclust.commands.labelled_counts import read_labelled
from wsclust.commands.output_paths import check_outputs
from wsclust.commands.progress import Progress
from wsclust.commands.streams import in_one_line, show, warn
from wsclust.planning.design import Design
from wsclust.planning.equivalents import FEW
from wsclust.planning.plan import AUDITED, plan
from wsclust.planning.simulate import latent_fit, simulate
from wsclust.seeds import generator
from wsclust.tables import replacing_all, write_csv

EXAMPLE = """examples, the second in the project's folder:
  wsclust plan --groups 500 --clicks 100 --label-sd .5 --rho .05 .95
  wsclust plan --like examples/events.csv --labels examples/labels.csv --factors level,shape,colour \\
      --groups 1000 --plot plan.png

It prints the planned clicks, how far groups differ, the standard errors of a bin (every click labelled, exact
shares, these labels), how many weak clicks tell as much as one labelled click, the groups that a standard error
takes, and what an audit adds: some events whose outcomes are looked up (wsclust audit-sample). Where a bin's clicks
equal fewer than 15 labelled ones the formula is no guide, and 50 data sets are simulated and fitted. Exit codes:
0 done, 2 bad input.
"""
SIMULATED = 50  # data sets, where the formula is no guide
_ENDINGS = {"--output": (".csv",), "--summary": (".json",), "--plot": (".png", ".pdf", ".svg")}
_BY_HAND = {"bins": 15, "rho": (0.05, 0.95), "mu_sd": 1.0}
_OF_PILOT = (*DEFAULTS, "clip")


def add_arguments(parser):
    parser.epilog = EXAMPLE
    add = parser.add_argument
    add("--groups", type=int, metavar="I", help="number of groups (the pilot's)")
    add("--clicks", type=float, metavar="J", help="events of each group (the pilot's, on average)")
    add(
        "--label-sd",
        type=float,
        default=0.0,
        metavar="S",
        help="SD of the labels' error on the logit scale (0: exact shares)",
    )
    add(
        "--label-n",
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
        type=Path,
        metavar="FILE",
        help="CSV with one row per bin and columns w0 and w1, how often sad and happy events fall in it, in any unit; "
        "instead of --bins and --rho",
    )
    add("--share", type=float, metavar="P", help="share of happy events in all, beside --weights (.5)")
    add(
        "--like",
        metavar="EVENTS",
        help="plan more data like these: events as for wsclust fit, which the next options go with",
    )
    add_labels(parser, required=False)
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
        default=AUDITED,
        metavar="N",
        help=f"events whose outcomes are looked up beside the labels ({AUDITED}), 0: none",
    )
    add(
        "--simulate",
        type=int,
        metavar="N",
        help=f"simulate and fit N data sets ({SIMULATED} where a bin's clicks equal fewer than {FEW} labelled ones), "
        "0: none",
    )
    add("--seed", type=int, default=1, help="random seed of the simulation (1)")
    add("--output", type=Path, help="CSV with one row per bin")
    add("--summary", type=Path, help="JSON of the plan")
    add("--plot", type=Path, help="image of standard error against groups: .png, .pdf or .svg")


def run(args):
    _check(args)
    outputs = {"--output": args.output, "--summary": args.summary, "--plot": args.plot}
    inputs = [Path(path) for path in (args.weights, args.like, args.labels) if path]
    check_outputs(outputs, _ENDINGS, inputs)
    design = _design(args)
    planned = plan(design, args.se_wanted, args.audit)
    runs = args.simulate
    if runs is None:
        runs = SIMULATED if planned.labelled_per_bin < FEW else 0
    simulated = _simulated(design, runs, args.seed) if runs else None
    with replacing_all({option: path for option, path in outputs.items() if path}) as temporary:
        if args.output:
            write_csv(_table(planned, simulated), temporary["--output"], digits=17)
        if args.summary:
            text = json.dumps(_summary(planned, simulated), indent=2, allow_nan=False) + "\n"
            temporary["--summary"].write_text(text, encoding="utf-8")
        if args.plot:
            from wsclust.plots.plan import draw
            from wsclust.plots.style import save

            save(draw(planned), temporary["--plot"])
    show(planned.summary())
    if simulated:
        show(simulated.summary())
    return 0


def _check(args):
    """What can be refused before anything is read or computed."""
    if args.seed < 0:
        raise ValueError(f"seed={args.seed}: expected a whole number from 0")
    if args.simulate is not None and (args.simulate < 0 or args.simulate == 1):
        raise ValueError(f"simulate={args.simulate}: expected 2 or more, or 0 for none")
    if args.audit < 0:
        raise ValueError(f"audit={args.audit}: expected a number of events, 0 or more")
    names = (*_BY_HAND, "weights", "share", *_OF_PILOT)
    given = [name for name in names if getattr(args, name) != DEFAULTS.get(name)]
    option = "--{}".format
    if args.label_n is not None and args.label_sd:
        raise ValueError(
            f"--label-sd {args.label_sd:g}: no use with --label-n, which says how noisy each label is; leave one of "
            "them out"
        )
    if args.label_n is not None and args.clip is not None:
        raise ValueError(
            f"--clip {args.clip:g}: no use with --label-n, which takes labels of 0 and 1; leave it out"
        )
    if args.like is not None:
        allowed = _OF_PILOT
        needed = [name for name in ("labels", "factors") if getattr(args, name) is None]
        beside = "--like, which has the bins and the groups' spread from the pilot"
    else:
        allowed = ("weights", "share", "mu_sd") if args.weights is not None else tuple(_BY_HAND)
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
        raise ValueError(
            f"{' and '.join(map(option, needed))}: missing; "
            + (
                "a pilot has --labels and --factors"
                if args.like
                else "give --groups and --clicks, or a pilot by --like"
            )
        )


def _design(args):
    if args.like is not None:
        return _like_pilot(args)
    rated = None if args.label_n is None else [_rated(args.label_n)]
    values = {
        name: value if getattr(args, name) is None else getattr(args, name)
        for name, value in _BY_HAND.items()
    }
    if args.weights is not None:
        sad, happy = _read_weights(args.weights)
        share = 0.5 if args.share is None else args.share
        design = Design.from_weights(
            args.groups, args.clicks, sad, happy, share, values["mu_sd"], args.label_sd
        )
    else:
        low, high = values["rho"]
        design = Design.from_curve(
            args.groups, args.clicks, values["bins"], low, high, values["mu_sd"], args.label_sd
        )
    return replace(design, rated=rated)


def _rated(text):
    try:
        return int(text)
    except ValueError:
        raise ValueError(
            f"--label-n {text}: expected a whole number of rated events, or --like and the column that has it"
        ) from None


def _like_pilot(args):
    import numpy as np

    from wsclust.estimators.latent import latent
    from wsclust.label_noise import with_label_noise

    data, _ = read_labelled(args, args.like, label_n=args.label_n)
    if args.clip is not None:
        data = data.clip_labels(args.clip)
    noisy = data if args.label_n else with_label_noise(data, args.label_sd)
    fit = latent(noisy, he_weight=np.inf)
    if not fit.converged:
        warn("the fit of the pilot did not converge, so the plan is a rough one")
    design = Design.from_fit(data, fit, args.label_sd)
    wanted = {"groups": args.groups, "clicks": args.clicks}
    return replace(design, **{name: value for name, value in wanted.items() if value is not None})


def _read_weights(path):
    """w0 and w1 of a CSV, each (K,)."""
    import pandas as pd

    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False)
    except (UnicodeDecodeError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        reason = in_one_line(error)
        raise ValueError(f"{path}: no CSV ({reason}); expected columns w0 and w1") from None
    columns = []
    for name in ("w0", "w1"):
        if name not in table:
            have = ", ".join(map(str, table.columns))
            raise ValueError(f"{path}: no column {name!r}; there are {have}")
        values = pd.to_numeric(table[name], errors="coerce")
        wrong = ~(values > 0) | (values == float("inf"))
        if wrong.any():
            row = int(wrong.to_numpy().argmax())
            raise ValueError(
                f"{path}: row {row + 1}: column {name!r} is {table[name].iloc[row]!r}; expected a number above 0, so "
                "leave out bins that never occur"
            )
        columns.append(values.to_numpy(float))
    return columns


def _simulated(design, runs, seed):
    progress = Progress(sys.stderr)
    done = 0

    def counted(data):
        nonlocal done
        answer = fit(data)
        done += 1
        progress.count(done, runs, "simulated data set")
        return answer

    fit = partial(latent_fit, label_sd=design.label_sd)
    try:
        return simulate(design, runs, generator(seed, "plan"), counted)
    finally:
        progress.clear()


def _table(planned, simulated):
    table = planned.to_frame()
    if simulated is None:
        return table
    found = simulated.to_frame()
    return table.assign(**{f"simulated_{name}": found[name] for name in ("bias", "sd", "rmse")})


def _summary(planned, simulated):
    found = planned.to_dict()
    return {**found, "simulated": None if simulated is None else simulated.to_dict()}
