"""What data and their latent fit suggest of more data of the same kind: group sizes, bins, and how groups differ."""

import numpy as np
from scipy.special import logit

from wsclust.calibration import LEAST_RELIABLE
from wsclust.label_noise import RatedEvents
from wsclust.planning.limits import refuse_unless
from wsclust.ratings_model import prior_of_ratings


def suggested(data, fit, label_sd):
    """The arguments of the Design that a latent fit suggests, in their order; what comes in as `Design.from_fit`.

    >>> from wsclust.counts import GroupedCounts
    >>> from wsclust.estimators.latent import latent
    >>> data = GroupedCounts([[80, 20], [30, 70], [50, 50]], label=[0.8, 0.3, 0.5])
    >>> groups, clicks, *_, mu_sd, _, _ = suggested(data, latent(data, he_weight=np.inf), 0)
    >>> groups, clicks, round(mu_sd, 2)
    (3, 100.0, 1.12)
    """
    refuse_unless(0 <= label_sd < np.inf, "label_sd", label_sd, "a finite number of 0 or more")
    estimate = getattr(fit, "estimate", fit)
    weights = estimate.sad / estimate.sad.sum(), estimate.happy / estimate.happy.sum()
    size = len(data.label), float(data.sizes.mean())
    if isinstance(data.noise, RatedEvents):
        mean, sd = prior_of_ratings(data.noise.happy(data.label), data.noise.rated)
        if sd == 0:
            raise ValueError(
                "label_n: the rated events differ between groups no more than by chance, so how groups differ "
                "cannot be told; rate more events in each group"
            )
        return *size, *weights, mean, sd, 0.0, data.noise.rated
    with np.errstate(divide="ignore"):
        evaluation = logit(data.label)
    if not np.isfinite(evaluation).all():
        i = int(np.argmin(np.isfinite(evaluation)))
        raise ValueError(
            f"group {data.groups[i]}: label {data.label[i]:g} has an infinite logit, so the labels have "
            "no variance on that scale; where labels are shares of few rated events, give their number as label_n, "
            "else pull the labels off 0 and 1 with clip=0.001 (clip_labels in Python)"
        )
    variance = float(np.var(evaluation, ddof=1)) if np.ptp(evaluation) > 0 else 0.0
    if variance == 0:
        raise ValueError(
            f"all labels are {data.label[0]:.6g}, so how groups differ cannot be told; labels that differ between "
            "groups are needed"
        )
    sd = np.sqrt(max(variance - label_sd**2, LEAST_RELIABLE * variance))
    return *size, *weights, float(evaluation.mean()), float(sd), float(label_sd), None
