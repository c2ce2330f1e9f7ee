r"""What the audit says of the weak answer: better than the mean, misleading, or not to be told yet.

The skill of an answer a is above 0 where it is nearer to the bins' rates rho than the mean m of all events
is:

    sum_k n_k [(m - rho_k)^2 - (a_k - rho_k)^2] = sum_k n_k (m^2 - a_k^2) - 2 sum_k n_k (m - a_k) rho_k > 0.

This is linear in rho, so that with a normal posterior for rho its probability needs no draws.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import logit, ndtr, ndtri

BETTER, MISLEADING, UNDECIDED = "better than the mean", "misleading here", "undecided"
SURE = 0.95


@dataclass(frozen=True)
class Verdict:
    """The figures of a weak answer.

    `probability` that its skill is above 0; `skill`, 1 as the audited posterior and 0 as the mean; `slope`
    and `slope_sd` of its log-odds in the audited posterior; `trust`, the posterior weight of the priors
    that use it; `more`, about how many more labelled events would decide (0 where it is decided, infinity
    where no number would).
    """

    probability: float
    skill: float
    slope: float
    slope_sd: float
    trust: float
    more: float

    @property
    def word(self):
        """One of the three verdicts."""
        if np.isnan(self.probability):
            return UNDECIDED
        if self.probability > SURE:
            return BETTER
        return MISLEADING if self.probability < 1 - SURE else UNDECIDED

    def __str__(self):
        if self.word == UNDECIDED and np.isfinite(self.more):
            return f"{UNDECIDED}: label about {self.more:,.0f} more"
        return self.word


def judged(answer, posterior, covariance, totals, mean, audited):
    """The probability that an answer's skill is above 0, its skill, and how many more events would decide.

    Arguments: `answer` a (K,); `posterior` (K,) and `covariance` (K, K) of rho; `totals` n_k (K,); `mean` m;
    `audited`, how many events the posterior rests on. The last figure takes the standard deviation of the
    difference to fall with the square root of the audited events, and is rounded up to two digits.

    >>> answer, posterior, totals = np.array([0.8, 0.2]), np.array([0.7, 0.3]), np.array([50, 50])
    >>> judged(answer, posterior, np.eye(2) / 400, totals, 0.5, 100)
    (0.921, 0.75, 36.0)
    """
    away = mean - answer
    gain = float(totals @ (mean**2 - answer**2 - 2 * away * posterior))
    pull = 2 * totals * away
    sd = float(np.sqrt(max(pull @ covariance @ pull, 0.0)))
    possible = float(totals @ (mean - posterior) ** 2)
    skill = gain / possible if possible > 0 else np.nan
    if sd == 0:
        return np.nan if gain == 0 else float(gain > 0), skill, np.inf if gain == 0 else 0.0
    probability = float(ndtr(gain / sd))
    needed = ndtri(SURE) * sd
    if abs(gain) > needed:
        return probability, skill, 0.0
    with np.errstate(divide="ignore", over="ignore"):
        more = audited * ((needed / np.abs(np.float64(gain))) ** 2 - 1)
    return probability, skill, _two_digits_up(float(more))


def _two_digits_up(number):
    if not np.isfinite(number) or number < 1:
        return float(np.ceil(number))
    step = 10.0 ** max(np.floor(np.log10(number)) - 1, 0)
    return float(np.ceil(number / step) * step)


def worth(posterior, variance, totals, bins):
    """How many labelled events alone, without any group's label, would give an answer as good as this one.

    Arguments: `posterior` rho (K,), the `variance` (K,) of its errors, `totals` n_k (K,), the frame of
    `bins`. The mean squared error over events, sum_k w_k variance_k with w_k = n_k / n, is compared with
    what n events drawn at random would leave: sum_k rho_k (1 - rho_k) / n with a rate for each bin; with
    main effects of the factors, v = rho (1 - rho) and X their columns, tr[(sum w v x x')^-1 sum w v^2 x x']
    / n, plus what no main effects can fit. The smaller number of events is the answer; not more than there
    are.
    """
    share = totals / totals.sum()
    loss = float(share @ variance)
    spread = posterior * (1 - posterior)
    needed = [_events(spread[totals > 0].sum(), loss)]
    if bins.shape[1] > 1:
        columns = pd.get_dummies(bins.astype(str)).to_numpy(float)
        information = (columns.T * (share * spread)) @ columns
        inverse = np.linalg.pinv(information, hermitian=True)
        per_event = np.trace(inverse @ ((columns.T * (share * spread**2)) @ columns))
        # One weighted step from rho: how far it is from any sum of main effects, in probability.
        # A bin that is known to have a rate of 0 or 1 has no weight in the step, and nothing left.
        log_odds = logit(np.where(spread > 0, posterior, 0.5))
        left = log_odds - columns @ (inverse @ ((columns.T * (share * spread)) @ log_odds))
        needed.append(_events(per_event, loss - float(share @ (spread * left) ** 2)))
    return float(min(*needed, totals.sum())) if len(needed) > 1 else float(min(needed[0], totals.sum()))


def _events(per_event, loss):
    return per_event / loss if loss > 0 else np.inf
