"""The mean standard error against the number of groups, for each kind of label: the data of a plan's picture."""

import numpy as np
import pandas as pd

from wsclust.planning.equivalents import FEW, weak_per_labelled
from wsclust.planning.fisher import variances

LABEL_SDS = 0.25, 0.5, 1.0  # the lines of the picture, beside exact shares and the design's own


def lines_of(planned, groups=None, label_sds=LABEL_SDS):
    """The frame of `Plan.lines`, with its arguments; `planned` is the Plan."""
    design = planned.design
    if groups is None:
        groups = np.geomspace(design.groups / 10, design.groups * 10, 25)
    groups = np.unique(np.maximum(np.rint(np.asarray(groups, dtype=float)), 1))
    designs = [design.with_label_sd(sd) for sd in sorted({0.0, design.label_sd, *label_sds})]
    if design.rated is not None:
        designs.append(design)
    kinds = [("every event labelled", False, planned.variances.labelled, 1.0)]
    for other in designs:
        found = variances(other)
        own = (other.label_sd, other.rated is None) == (design.label_sd, design.rated is None)
        kinds.append((_labels(other), own, found.labels, weak_per_labelled(found.labels, found)))
    frames = []
    for labels, own, variance, weak in kinds:
        equivalents = groups * design.clicks / weak / len(design.posterior)
        frames.append(
            pd.DataFrame(
                {
                    "labels": labels,
                    "own": own,
                    "groups": groups.astype(int),
                    "standard_error": np.sqrt(variance).mean() * np.sqrt(design.groups / groups),
                    "asymptotic": equivalents >= FEW,
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def _labels(design):
    """What labels a design has, in words.

    >>> from wsclust.planning.design import Design
    >>> _labels(Design.from_curve(500, 100)), _labels(Design.from_curve(500, 100, label_sd=0.5))
    ('exact shares', 'error SD 0.5')
    """
    if design.rated is None:
        return f"error SD {design.label_sd:g}" if design.label_sd else "exact shares"
    least, most = design.rated.min(), design.rated.max()
    return f"{least:g} rated events" if least == most else f"{least:g} to {most:g} rated events"
