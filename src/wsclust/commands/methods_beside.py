"""`wsclust fit --method latent,direct`: further methods, whose estimates stand beside those of the first."""

import warnings
from dataclasses import replace

from wsclust import registry
from wsclust.fitting import fit
from wsclust.posterior_table import beside


def methods_in(text):
    """The methods that --method names, the first of which is the fit that is checked and drawn.

    >>> methods_in("latent,direct")
    ['latent', 'direct']
    """
    known, methods = registry.from_labels(), [method.strip() for method in text.split(",")]
    for method in methods:
        if method not in known:
            raise ValueError(f"--method {text}: {method!r} is not one of {', '.join(known)}")
        if methods.count(method) > 1:
            raise ValueError(f"--method {text}: {method!r} is there twice; name each method once")
    return methods


def settings_for(method, settings):
    """Those of the settings that a method has."""
    return {name: value for name, value in settings.items() if name in registry.entry(method).settings}


def with_others(report, data, methods, settings, **options):
    """The report with the estimates of other methods beside its own, in its table and in its summary.

    Arguments: a Report; its GroupedCounts; names of methods; settings, of which each method takes its own; `options`
    as for `report.report_of`. Warnings of another method begin with its name.
    """
    table, lines, summary = report.table, list(report.warnings), {}
    for method in methods:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its report has them
            other = fit(method, data, **settings_for(method, settings)).report(check=False, **options)
        table = beside(table, method, other.table)
        lines += [
            line if line.startswith(f"{method}: ") else f"{method}: {line}"
            for line in other.warnings
            if line not in report.warnings
        ]
        summary[method] = {
            name: other.summary[name] for name in ("settings", "iterations", "converged", "objective")
        }
    return replace(report, table=table, warnings=tuple(lines), summary={**report.summary, "beside": summary})
