"""Labels that will be the share of some rated events: what they tell of a group, over all that may be found."""

import numpy as np
from scipy.special import gammaln

from wsclust.ratings_model import posterior_given_ratings

_MOST_NUMBERS = 20  # different numbers of rated events that are reckoned with
_MOST_SHARES = 200  # different shares of happy ones, which are then evenly spaced


def rated_labels(rated: np.ndarray, mean: float, sd: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """E(p | y of r), Var(p | y of r) and the chance of each (y, r): three arrays (N,).

    Arguments: `rated` (R,), numbers of rated events, each as likely for a group; `mean` and `sd` of the normal mu,
    p = sigma(mu). Where many numbers differ, 20 quantiles stand for them.

    >>> share, hidden, chances = rated_labels(np.array([2]), 0.0, 1.0)
    >>> share.round(3), chances.round(3), round(float(chances @ hidden), 4)
    (array([0.352, 0.5  , 0.648]), array([0.293, 0.413, 0.293]), 0.0306)
    """
    numbers, times = np.unique(np.rint(rated), return_counts=True)
    if len(numbers) > _MOST_NUMBERS:
        middles = (np.arange(_MOST_NUMBERS) + 0.5) / _MOST_NUMBERS
        numbers, times = np.unique(
            np.quantile(np.rint(rated), middles, method="inverted_cdf"), return_counts=True
        )
    shares, hidden, chances = [], [], []
    for number, chance in zip(numbers, times / times.sum(), strict=True):
        happy = np.unique(np.rint(np.linspace(0, number, min(int(number), _MOST_SHARES) + 1)))
        found = posterior_given_ratings(happy, np.full(len(happy), number), mean, sd)
        log = found.log_marginal - gammaln(happy + 1) - gammaln(number - happy + 1)
        weight = np.exp(log - log.max())
        shares.append(found.share)
        hidden.append(found.share_variance)
        chances.append(chance * weight / weight.sum())
    return np.concatenate(shares), np.concatenate(hidden), np.concatenate(chances)


def spread_over(rated: np.ndarray, groups: int) -> np.ndarray:
    """Numbers of rated events for so many groups, (groups,), distributed as `rated` (R,).

    >>> spread_over(np.array([5, 20]), 4)
    array([ 5.,  5., 20., 20.])
    """
    middles = (np.arange(groups) + 0.5) / groups
    return np.quantile(np.rint(rated).astype(float), middles, method="inverted_cdf")
