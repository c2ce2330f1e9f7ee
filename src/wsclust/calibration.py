r"""Labels that are noisy, turned into the shares that are to be expected given the labels.

With W_H = infinity the latent estimate takes the labels for the groups' shares. Where they are noisy, it
needs E[sigma(mu_i) | label] in their place: clicks given the label then have the shares
(1 - E p_i) w_0 + E p_i w_1, since the mixture is linear in p_i, so the fit is not biased by the noise. No
click enters; labels that are known to be exact stay as they are.

* A label with error: HE_i = mu_i + N(0, s_i^2), mu_i ~ N(m, v). Then mu_i given HE_i is normal with mean
  m + b_i (HE_i - m) and variance b_i s_i^2, b_i = v / (v + s_i^2).
* A label that is y_i of r_i rated events: y_i ~ Binomial(r_i, sigma(mu_i)), mu_i ~ N(m, v) (`ratings_model`).

m and v are estimated from all groups ("empirical Bayes", Efron & Morris 1973).
"""

import numpy as np
from scipy.optimize import brentq
from scipy.special import logit

from wsclust.quadrature import share_moments
from wsclust.ratings_model import shares_given_ratings

LEAST_RELIABLE = 0.05  # v is at least this part of the labels' variance, or all labels would become equal


def calibrated_labels(labels, label_sd):
    """E[sigma(mu_i) | HE_i]: labels drawn towards each other as far as their error calls for, (I,).

    Arguments: `labels` (I,), shares in [0, 1]; `label_sd`, the SD of their error on the logit scale, one
    number or one per group (I,). A label whose error is 0 is returned as it is, bit for bit.

    The variance v of mu solves sum_i (HE_i - m)^2 / (v + s_i^2) = I - 1 (Paule & Mandel 1982), which is
    Var HE - s^2 where all errors are equal; it is at least a twentieth of the labels' own variance.

    Raises ValueError where a label is not in [0, 1], an error is negative or not finite, there are fewer than
    two groups, or a label of 0 or 1, whose logit is infinite, meets an error above 0.

    >>> calibrated_labels([0.1, 0.5, 0.9], 0.5).round(3)
    array([0.12, 0.5 , 0.88])
    >>> calibrated_labels([0.1, 0.5, 0.9], [0.0, 0.0, 1.0]).round(3)
    array([0.1  , 0.5  , 0.821])
    """
    labels = _checked(labels, "label", (0, 1), "a share in [0, 1]")
    errors = _checked(label_sd, "label SD", (0, np.finfo(float).max), "a finite number of 0 or more")
    if errors.shape not in ((1,), labels.shape):
        raise ValueError(f"{len(labels)} labels but {len(errors)} label SDs; give one for all, or one each")
    errors = np.broadcast_to(errors, labels.shape)
    noisy = errors > 0
    if not noisy.any():
        return labels
    if len(labels) < 2:
        raise ValueError("1 label: at least 2 are needed to tell how the groups differ")
    extreme = (labels == 0) | (labels == 1)
    if extreme.any():
        i = int(np.argmax(extreme))
        raise ValueError(
            f"label {labels[i]:g} in row {i + 1} has an infinite logit ({extreme.sum()} such labels); clip "
            "the labels (say to [0.001, 0.999]), or give the numbers of happy and rated events"
        )
    mean, sd = quality_given_labels(labels, errors)
    if not sd.any():
        return labels  # all labels are equal, whatever their error
    shrunk, _ = share_moments(mean, sd)
    return np.where(noisy, shrunk, labels)


def quality_given_labels(labels, errors):
    """Mean and SD of mu_i given the logit HE_i of its label, two arrays (I,); an SD of 0 where all labels are equal.

    Arguments: `labels` (I,), strictly between 0 and 1; `errors` (I,), the SDs of their error in logits.
    """
    evaluation = logit(labels)
    centre, variance = prior_of_quality(evaluation, errors**2)
    if not variance > 0:
        return evaluation, np.zeros(len(labels))
    slope = variance / (variance + errors**2)
    return centre + slope * (evaluation - centre), np.sqrt(slope) * errors


def prior_of_quality(evaluation, errors):
    """m and v of mu from HE_i ~ N(m, v + s_i^2); `errors` are the s_i^2, (I,)."""

    def about(v):
        weights = 1 / (v + errors)
        mean = weights @ evaluation / weights.sum()
        return mean, weights * (evaluation - mean) ** 2

    if np.ptp(evaluation) == 0:
        return evaluation[0], 0.0
    plain = np.var(evaluation, ddof=1)
    freedom = len(evaluation) - 1
    # Labels with large errors say little of how much the labels vary.
    weights = 1 / (plain + errors)
    mean = weights @ evaluation / weights.sum()
    least = LEAST_RELIABLE * weights @ (evaluation - mean) ** 2 / weights.sum() * (freedom + 1) / freedom
    if about(least)[1].sum() <= freedom:
        variance = least
    else:
        most = np.sum((evaluation - evaluation.mean()) ** 2)  # at which the sum is below 1
        variance = brentq(lambda v: about(v)[1].sum() - freedom, least, most, xtol=1e-14, rtol=1e-14)
    return about(variance)[0], variance


def labels_from_ratings(happy, rated, events=None):
    """E[share of happy events | y_i of r_i rated events were happy]: one label per group, (I,).

    Arguments: `happy` (I,) y_i and `rated` (I,) r_i, whole numbers or weights, 0 <= y_i <= r_i. A group
    without any rated event gets the share that is to be expected of any group. Where the rated events are
    drawn from those that will be fitted, `events` (I,) are the events n_i >= r_i of each group: the label is
    then (y_i + (n_i - r_i) E sigma(mu_i)) / n_i, which is y_i / n_i where all are rated. Otherwise it is
    E sigma(mu_i), and no label is 0 or 1.

    m and v have the largest marginal likelihood, with v at most 64; v is 0, and all labels are equal, where
    ratings differ no more between groups than by chance.

    Raises ValueError where a number is out of its range, where there are fewer events than rated ones, where
    no group has more than one rated event (how groups differ cannot be told), and where all rated events are
    happy or none is.

    >>> labels_from_ratings([0, 2, 3, 5, 0], [5, 5, 5, 5, 0]).round(3)
    array([0.105, 0.416, 0.584, 0.895, 0.5  ])
    >>> labels_from_ratings([0, 2, 3, 5, 0], [5, 5, 5, 5, 0], [10, 10, 10, 5, 10]).round(3)
    array([0.053, 0.408, 0.592, 1.   , 0.5  ])
    """
    happy = _checked(happy, "happy", (0, np.finfo(float).max), "a finite number of 0 or more")
    rated = _checked(rated, "rated", (0, np.finfo(float).max), "a finite number of 0 or more")
    if happy.shape != rated.shape:
        raise ValueError(f"{len(happy)} numbers of happy events but {len(rated)} of rated ones")
    if (happy > rated).any():
        i = int(np.argmax(happy > rated))
        raise ValueError(f"row {i + 1}: {happy[i]:g} happy of {rated[i]:g} rated events; expected no more")
    if events is not None:
        events = _checked(events, "events", (0, np.finfo(float).max), "a finite number of 0 or more")
        if events.shape != rated.shape:
            raise ValueError(f"{len(rated)} numbers of rated events but {len(events)} of all events")
        short = events < np.maximum(rated, np.finfo(float).tiny)
        if short.any():
            i = int(np.argmax(short))
            raise ValueError(
                f"row {i + 1}: {rated[i]:g} rated of {events[i]:g} events; expected at least one event, and "
                "no fewer than are rated"
            )
    if not (rated > 1).any():
        raise ValueError(
            "no group has more than one rated event, so how groups differ cannot be told; rate at least two "
            "events in some groups"
        )
    if happy.sum() in (0, rated.sum()):
        what = "happy" if happy.sum() else "sad"
        raise ValueError(f"all {rated.sum():g} rated events are {what}; rate more events, until they differ")
    share = shares_given_ratings(happy, rated)
    return share if events is None else (happy + (events - rated) * share) / events


def _checked(values, name, limits, expected):
    """An array (n,) of numbers within limits, or a ValueError that names the row."""
    values = np.atleast_1d(np.array(values, dtype=float))
    if values.ndim != 1:
        raise ValueError(f"{name} has {values.ndim} dimensions; expected one number per group")
    inside = (values >= limits[0]) & (values <= limits[1])
    if not inside.all():
        i = int(np.argmin(inside))
        raise ValueError(f"{name} {values[i]:g} in row {i + 1}: expected {expected}")
    return values
