"""One method fitted to a user's counts: a table of posteriors, and a summary with the check's verdict.

This is `wsclust fit` without its files. Groups are put in the order of their names first, so neither the
order of the events nor that of the labels changes a digit, half-samples included.
"""

import warnings

import numpy as np
import pandas as pd

from wsclust.diagnostics import CAUTION, WARNED, check_fit
from wsclust.estimators.information import group_errors
from wsclust.intervals import half_sample_intervals, normal_interval
from wsclust.misfit import excess_variation, total_variation, worst
from wsclust.resampling import half_sample_posteriors
from wsclust.seeds import generator

ESTIMATES = ["n", "posterior", "se", "lower", "upper"]  # the table's columns after the factors
_FEW_GROUPS, _FEW_LABELS = 20, 5
_MANY_BINS, _FEW_EVENTS = 1_000, 10


def fit_table(data, options, progress=lambda done, total, what: None):
    """Fit a method to grouped counts, with standard errors: (table, summary).

    Arguments: `data`, GroupedCounts; `options`, Options; `progress`, called with the number of fits done
    and to do and what they are. The table has one row a bin: its factors, then n (events after the cap),
    posterior, se, lower and upper (95%; empty without standard errors). The summary is a dict fit for JSON:
    method, groups, events, bins, he_weight (null where there is none), cap, iterations, converged, objective
    (null where the estimate is a formula), check (null for other methods than latent; see `_check`), warnings
    (a list of lines; the verdicts "unsure" and "do not use" are one of them).

    Raises ValueError on one group only, on a factor with the name of a column above, and on a label of 0
    or 1 at a finite W_H.

    >>> from wsclust.counts import GroupedCounts
    >>> from wsclust.fit_options import Options
    >>> data = GroupedCounts([[9, 1], [8, 2], [2, 8], [1, 9]], label=[0.9, 0.7, 0.2, 0.2])
    >>> table, summary = fit_table(data, Options(method="direct", subsamples=0))
    >>> table[["bin", "n", "posterior"]].round(3)
       bin     n  posterior
    0    1  20.0      0.695
    1    2  20.0      0.305
    >>> summary["groups"], summary["converged"], summary["check"], summary["warnings"][0]
    (4, True, None, '4 groups: standard errors and estimates are not to be trusted below 20 groups')
    """
    events = float(data.counts.sum())
    whole = prepared(data, options)
    data = whole if options.cap is None else whole.cap(options.cap)
    caught = [*_doubts(data, options)]
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        fit = options.estimator(data)
        se = lower = upper = np.full(len(fit.posterior), np.nan)
        if options.se == "information":
            se = group_errors(data, fit, options.method, options.he_weight)
            lower, upper = normal_interval(fit.posterior, se, bounded=options.method != "moments")
        elif options.subsamples:
            halves = _halves(data, options, progress)
            se, lower, upper = half_sample_intervals(
                fit.posterior, halves, bounded=options.method != "moments"
            )
    for warning in raised:
        if issubclass(warning.category, (UserWarning, RuntimeWarning)):
            caught.append(
                " ".join(str(warning.message).replace("max_iterations", "--max-iterations").split())
            )
    if options.method == "moments" and (outside := int(((fit.posterior < 0) | (fit.posterior > 1)).sum())):
        caught.append(
            f"{outside} of {len(fit.posterior)} posteriors are outside [0, 1], and no probabilities"
        )
    check = None
    if options.check and options.method == "latent":
        check = _check(data, fit, options, whole.sizes, progress)
    if check and check["verdict"] in WARNED:
        words = f"{check['verdict']} ({figures_in_words(check)}): {check['meaning']}; {CAUTION}"
        caught.append(f"verdict: {words}")
    columns = dict(zip(ESTIMATES, (data.totals, fit.posterior, se, lower, upper), strict=True))
    table = pd.concat([data.bins, pd.DataFrame(columns, index=data.bins.index)], axis=1)
    summary = {
        "method": options.method,
        "groups": len(data.label),
        "events": int(events) if events.is_integer() else events,
        "bins": len(data.bins),
        "he_weight": _for_json(options.he_weight) if options.method == "latent" else None,
        "cap": options.cap,
        "clip": options.clip,
        "se": options.se,
        "subsamples": options.subsamples if options.se == "half-samples" else None,
        "seed": options.seed,
        "iterations": int(fit.iterations),
        "converged": bool(fit.converged),
        "objective": float(fit.objective[-1]) if len(fit.objective) else None,
        "check": check,
        "warnings": list(dict.fromkeys(caught)),
    }
    return table, summary


def _check(data, fit, options, sizes, progress):
    """The verdict on a latent fit with its figures (null where there is none), and a description."""
    found = check_fit(
        options.estimator,
        data,
        fit,
        lambda role: generator(options.seed, "fit", options.method, role=f"check {role}"),
        sizes,
        progress,
    )
    of_groups, of_bins = excess_variation(data, fit)
    return {
        "verdict": found.verdict,
        "meaning": found.meaning,
        "caution": CAUTION,
        "label_r2": _for_json(found.label_r2),
        "label_r2_implied": _for_json(found.label_r2_implied),
        "shuffle_ratio": _for_json(found.shuffle_ratio),
        "label_sd": float(np.std(data.label)),
        "total_variation": total_variation(fit),
        "excess_variation": {
            "bins": worst(data.bins.to_dict("records"), of_bins),
            "groups": worst([str(group) for group in data.groups], of_groups),
        },
    }


def figures_in_words(check):
    """The two figures in words.

    >>> figures_in_words({"label_r2": 0.4, "label_r2_implied": None, "shuffle_ratio": 3})
    'held-out label R2 0.40, shuffle ratio 3.0'
    """
    r2, implied, ratio = (check[name] for name in ("label_r2", "label_r2_implied", "shuffle_ratio"))
    words = "held-out label R2 " + ("unknown" if r2 is None else f"{r2:.2f}")
    words += "" if implied is None else f" ({implied:.2f} implied by the model)"
    return words + ", shuffle ratio " + ("unknown" if ratio is None else f"{ratio:.1f}")


def prepared(data, options):
    """The counts that are fitted, before any cap: groups in the order of their names, labels clipped.

    >>> from wsclust.counts import GroupedCounts
    >>> from wsclust.fit_options import Options
    >>> data = GroupedCounts([[9, 1], [1, 3]], label=[1, 0.2], groups=["b", "a"])
    >>> prepared(data, Options(clip=0.01)).label
    array([0.2 , 0.99])
    """
    taken = [name for name in data.bins.columns if name in ESTIMATES]
    if taken:
        raise ValueError(
            f"factor {taken[0]!r}: the output has a column of this name of its own; rename the factor's "
            "column in the events"
        )
    n_bins, events = len(data.bins), data.counts.sum()
    if n_bins > _MANY_BINS and events < _FEW_EVENTS * n_bins:
        levels = {name: data.bins[name].nunique() for name in data.bins.columns}
        name = max(levels, key=levels.get)
        raise ValueError(
            f"factor {name!r}: {levels[name]:,} levels, which make {n_bins:,} bins of {events / n_bins:.1f} "
            f"events on average; expected {_FEW_EVENTS} or more: cut numbers into ranges, join rare levels, "
            "or leave the factor out"
        )
    if len(data.label) < 2:
        raise ValueError(
            f"group {data.groups[0]!r}: the only group; at least 2 groups with different labels are needed"
        )
    label = data.label if options.clip is None else np.clip(data.label, options.clip, 1 - options.clip)
    extreme = (label == 0) | (label == 1)
    if options.method == "latent" and np.isfinite(options.he_weight) and extreme.any():
        first = np.flatnonzero(extreme)[0]
        count = int(extreme.sum())
        raise ValueError(
            f"group {data.groups[first]!r}: label {label[first]:g} has an infinite logit "
            f"({count:,} such group{'s' if count > 1 else ''}); pull the labels off 0 and 1 with --clip "
            "0.001, or take them as exact with --he-weight inf"
        )
    order = np.argsort(data.groups, kind="stable")
    return type(data)(data.counts[order], label[order], data.groups[order], data.bins)


def _doubts(data, options):
    """Lines on what makes the estimates doubtful before anything is fitted."""
    groups, labels = len(data.label), len(np.unique(data.label))
    if groups < _FEW_GROUPS:
        yield (
            f"{groups} groups: standard errors and estimates are not to be trusted below {_FEW_GROUPS} groups"
        )
    # As many equal groups would have the variance of an average over events that these have.
    equal = data.sizes.sum() ** 2 / (data.sizes**2).sum()
    if options.method != "moments" and equal < min(_FEW_GROUPS, groups / 2) and groups >= _FEW_GROUPS:
        yield (
            f"{groups} groups, but a few have most of the events, as if there were {equal:.0f}; let none "
            "count for more than some number of events with --cap"
        )
    if labels == 1:
        yield f"all labels are {data.label[0]:g}: nothing tells the bins apart, and any estimate is arbitrary"
    elif labels < _FEW_LABELS:
        yield f"{labels} distinct labels: too few to tell the bins apart well; finer labels would help"
    if options.method == "direct" and (options.subsamples or options.se == "information"):
        yield (
            "direct: bins come out too close together, and the intervals are of that estimate: they seldom "
            "hold P(happy | bin)"
        )
    if options.method == "latent" and options.he_weight == 0:
        yield "he_weight 0: the model is not identified, and the answer depends on where the iteration stops"


def _halves(data, options, progress):
    done = 0

    def counted(half):
        nonlocal done
        fit = options.estimator(half)
        done += 1
        progress(done, options.subsamples, "half-sample")
        return fit

    rng = generator(options.seed, "fit", options.method, role="half-samples")
    return half_sample_posteriors(counted, data, options.subsamples, rng)


def _for_json(number):
    """JSON has neither infinity nor NaN."""
    return "inf" if np.isinf(number) else None if np.isnan(number) else float(number)
