"""Say what standard errors a study will have, before its data are gathered.

The study that is planned is described by the options, by a file of the bins' distributions, or by a pilot: events
and labels that are there already, from which more of the same kind are planned.
"""

import json
import sys
from dataclasses import replace
from functools import partial

from wsclust.commands.effects import take_numeric
from wsclust.commands.labelled_counts import read_labelled
from wsclust.commands.output_paths import check_outputs, files_read
from wsclust.commands.plan_arguments import (
    BY_HAND,
    EXAMPLE,
    SIMULATED,
    add_arguments,
    audit_of,
    check_arguments,
)
from wsclust.commands.progress import Progress
from wsclust.commands.streams import in_one_line, show, warn
from wsclust.planning.design import Design
from wsclust.planning.equivalents import FEW
from wsclust.planning.plan import plan
from wsclust.planning.simulate import latent_fit, simulate
from wsclust.seeds import generator
from wsclust.tables import replacing_all, write_csv

_ENDINGS = {"--output": (".csv",), "--summary": (".json",), "--plot": (".png", ".pdf", ".svg")}

__all__ = ["EXAMPLE", "add_arguments", "run"]


def run(args):
    check_arguments(args)
    outputs = {"--output": args.output, "--summary": args.summary, "--plot": args.plot}
    inputs = [*([args.weights] if args.weights else []), *files_read(args.like, args.labels)]
    check_outputs(outputs, _ENDINGS, inputs)
    design = _design(args)
    planned = plan(design, args.se_wanted, audit_of(args, design))
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


def _design(args):
    if args.like is not None:
        return _like_pilot(args)
    rated = None if args.label_n is None else [_rated(args.label_n)]
    values = {
        name: value if getattr(args, name) is None else getattr(args, name) for name, value in BY_HAND.items()
    }
    if args.weights is not None:
        sad, happy = _read_weights(args.weights)
        share = 0.5 if args.share is None else args.share
        design = Design.from_weights(
            args.groups, args.clicks, sad, happy, share, values["mu_sd"], _label_sd(args)
        )
    else:
        low, high = values["rho"]
        design = Design.from_curve(
            args.groups, args.clicks, values["bins"], low, high, values["mu_sd"], _label_sd(args)
        )
    return replace(design, rated=rated)


def _label_sd(args):
    return 0.0 if args.label_sd is None else args.label_sd


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

    take_numeric(args)
    data, _ = read_labelled(args, args.like, label_n=args.label_n)
    if args.clip is not None:
        data = data.clip_labels(args.clip)
    noisy = data if args.label_n else with_label_noise(data, _label_sd(args))
    fit = latent(noisy, he_weight=np.inf)
    if not fit.converged:
        warn("the fit of the pilot did not converge, so the plan is a rough one")
    design = Design.from_fit(data, fit, _label_sd(args))
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
    if len(table) < 2:
        raise ValueError(
            f"{path}: {len(table)} rows below the header; expected one per bin, for 2 bins or more"
        )
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
