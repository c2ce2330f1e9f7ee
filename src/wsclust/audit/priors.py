"""What the bins' log-odds may be before any outcome is seen: one table of Gaussian priors.

beta ~ N(m x, d^2 x x' + tau_m^2 M + tau_d^2 I) with x the tilt of a weak answer, log(w1 / w0), M the factors'
kernel, tau_m the size of main effects and tau_d that of a bin's deviation from them. The data weigh the
priors by their evidence (`posterior`), so that no size and no trust in the weak answer has to be chosen.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np

# ASSUME: ours, chosen on the first set of the survey of real designs: name, weight, mean and SD of the slope.
SHAPES = (("none", 0.3, 0.0, 0.0), ("weak", 0.7, 0.6, 0.6))
MAIN_EFFECTS = (0.1, 0.3, 0.9)
DEVIATIONS = (0.05, 0.2, 0.6)
MIDDLE = (0.3, 0.2)  # the sizes at which the rows of the audit are linearised


@dataclass(frozen=True, eq=False)
class Prior:
    """One Gaussian prior: `shape` ("none" or "weak"), its `weight`, `mean` (K,) and `covariance` (K, K).

    `main` and `deviation` are tau_m and tau_d; `slope_mean` and `slope_sd` those of the slope on the tilt.
    """

    shape: str
    weight: float
    main: float
    deviation: float
    slope_mean: float
    slope_sd: float
    mean: np.ndarray
    covariance: np.ndarray


def priors(kernel, tilt=None, main=MAIN_EFFECTS, deviation=DEVIATIONS):
    """The priors of the table, with weights that add up to 1.

    Arguments: `kernel` M (K, K); `tilt` x (K,), or None without a weak answer; the sizes tau_m and tau_d.

    >>> [(p.shape, p.main, round(p.weight, 3)) for p in priors(np.eye(2), deviation=(0.2,))]
    [('none', 0.1, 0.333), ('none', 0.3, 0.333), ('none', 0.9, 0.333)]
    >>> len(priors(np.eye(2), tilt=np.array([-1.0, 1.0])))
    18
    """
    tilt = np.zeros(len(kernel)) if tilt is None else tilt
    shapes = SHAPES if tilt.any() else SHAPES[:1]
    total = sum(weight for _, weight, _, _ in shapes) * len(main) * len(deviation)
    return [
        Prior(
            shape,
            weight / total,
            tau_m,
            tau_d,
            slope_mean,
            slope_sd,
            slope_mean * tilt,
            slope_sd**2 * np.outer(tilt, tilt) + tau_m**2 * kernel + tau_d**2 * np.eye(len(kernel)),
        )
        for (shape, weight, slope_mean, slope_sd), tau_m, tau_d in product(shapes, main, deviation)
    ]


def middle_prior(kernel, tilt=None):
    """The prior of middle sizes, with the weak answer's shape where there is one."""
    main, deviation = MIDDLE
    return priors(kernel, tilt, (main,), (deviation,))[-1]
