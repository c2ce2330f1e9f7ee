"""The variances in plainer units: labelled events, and groups that a precision takes."""

import math

import numpy as np

# The SD of simulated fits to exact or calibrated labels, by the formula (`replication.information`): .89 to
# 1.11 from FAIR labelled equivalents per bin on, .77 to 1.04 between the two, .36 to .84 below FEW, where
# bounds and priors hold the estimates.
FEW, FAIR = 15, 40


def weak_per_labelled(variance, found):
    """How many weak events tell as much of rho as one labelled event.

    Arguments: `variance` (K,), one of those of `found`, which is a `fisher.Variances`. Both are averaged over
    the bins, without the part that comes from which groups were drawn, as that is the same with every label.
    It is about 1 / (intraclass correlation x reliability of the labels).

    >>> from wsclust.planning.design import Design
    >>> from wsclust.planning.fisher import variances
    >>> found = variances(Design.from_curve(500, 100, label_sd=0.5))
    >>> round(weak_per_labelled(found.exact_shares, found), 1)
    7.7
    >>> round(weak_per_labelled(found.labels, found), 1)
    10.7
    """
    return float((variance - found.of_groups).mean() / (found.labelled - found.of_groups).mean())


def groups_needed(design, variance, standard_error):
    """The groups that bring the mean standard error of the bins down to the one asked, events per group kept.

    Arguments: the Design; `variance` (K,), one of its variances; `standard_error` above 0. Raises ValueError
    where it is not, and where the groups are more than a number can hold. All variances are inversely proportional
    to the number of groups.

    >>> from wsclust.planning.design import Design
    >>> from wsclust.planning.fisher import variances
    >>> design = Design.from_curve(500, 100, label_sd=0.5)
    >>> groups_needed(design, variances(design).labels, 0.02)
    630
    """
    if not 0 < standard_error < math.inf:
        raise ValueError(f"standard error {standard_error:g}: expected a number above 0")
    mean = float(np.sqrt(variance).mean())
    times = mean / standard_error
    groups = design.groups * times * times
    if not math.isfinite(groups):
        raise ValueError(
            f"standard error {standard_error:g}: no number of groups gives it; expected a larger one"
        )
    return math.ceil(groups)
