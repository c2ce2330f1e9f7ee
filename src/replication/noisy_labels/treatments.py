"""The ways to treat noisy labels that are compared: each is a function from GroupedCounts to a Fit.

* exact: the labels are taken for the groups' shares, W_H = infinity.
* he_weight_10: the paper's W_H = 10, whatever the noise.
* told: W_H = 1 / sigma_H^2.
* calibrated: W_H = infinity with E(share | label) in the labels' place.
* direct: the direct estimate, which needs no choice.
"""

from dataclasses import replace

import numpy as np

from wsclust.calibration import calibrated_labels, labels_from_ratings
from wsclust.estimators.direct import direct
from wsclust.estimators.latent import latent


def _exact(data):
    return latent(data, he_weight=np.inf)


def _weighted(he_weight):
    return lambda data: latent(data, he_weight=he_weight)


def treatments_of_errors(label_sd):
    """The treatments of labels whose logits have an error of SD `label_sd`, 0 included, by name."""
    told = np.inf if label_sd == 0 else 1 / label_sd**2
    return {
        "exact": _exact,
        "he_weight_10": _weighted(10.0),
        "told": _weighted(told),
        "calibrated": lambda data: _exact(replace(data, label=calibrated_labels(data.label, label_sd))),
        "direct": direct,
    }


def treatments_of_ratings(rated_of, among_events):
    """The treatments of labels (y + .5) / (r + 1), where y of r rated events are happy, by name.

    Arguments: `rated_of`, a function from GroupedCounts to r (I,); `among_events`, whether the rated events
    are some of those counted. There is no "told": the error of a share of r events is not the same for every
    group.
    """

    def calibrated(data):
        rated = rated_of(data)
        happy = np.rint(data.label * (rated + 1) - 0.5)
        events = data.sizes if among_events else None
        return _exact(replace(data, label=labels_from_ratings(happy, rated, events)))

    return {
        "exact": _exact,
        "he_weight_10": _weighted(10.0),
        "calibrated": calibrated,
        "direct": direct,
    }
