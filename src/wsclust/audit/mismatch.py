"""Do the audited outcomes belong to these labels? Two figures that should be about standard normal.

With the residuals y - n q of the audited cells, at the fitted beta:

* level: sum (y - n q), whether audited events are happy as often as their groups' labels say;
* agreement: sum (c_i - mean c) (y - n q), whether they are so more often in groups with a higher label. It is
  the score of a factor on the groups' intercepts, 1 where outcomes follow the labels, 0 where they have
  nothing to do with them and -1 where they are coded the other way round.

Each is divided by its standard deviation. With Z the columns (1, c - mean c), A the rows of the regression,
D = diag(n q (1 - q)) and V the posterior covariance of beta, the variance is the diagonal of
Z'DZ - Z'DA V A'DZ: what beta could fit is taken out. Beyond 3 the outcomes, their coding, the sampling or the
groups' names do not match the labels. Outcomes in groups with a label of 0 or 1 are known beforehand; each
one that is not as the label says is a contradiction by itself.

On the real designs on which choices were made, the alarm was seldom false (results/audit/summary.csv) and was raised
by nearly all flipped outcomes and most labels of other groups once 100 events were looked up. The level alone saw about
half of the flipped outcomes and next to none of the others. Labels that are noisy raise it as well: then the factor
lies between 0 and 1. Where the noise is known, both variances have more: what the labels leave open of the groups'
intercepts, which all events of a group share. Noise may still be greater than is stated, so that only an agreement
beyond 3 with a factor below 0 is an alarm then.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

ALARM = 3.0
_LEAST_LEFT = 0.05  # of the variance that no fit has touched, so that a mixture's wide V leaves some


@dataclass(frozen=True)
class Mismatch:
    """The figures: `level` and `agreement` (z scores, NaN where nothing varies), `contradictions` (events).

    `factor` and `factor_sd` are one Newton step's estimate of the factor on the groups' intercepts; `noisy` tells
    whether the labels are known to be noisy.
    """

    level: float
    agreement: float
    factor: float
    factor_sd: float
    contradictions: int
    noisy: bool = False

    @property
    def is_reversed(self):
        """Whether the outcomes go against the labels: the factor is below 0 by more than 3 standard errors."""
        return bool(self.factor < -ALARM * self.factor_sd)

    @property
    def disagrees(self):
        """Whether the outcomes follow the labels less, or more, than these labels let expect.

        Of labels that are known to be noisy, only a factor below 0 is what no greater noise would explain.
        """
        if self.noisy:
            return bool(self.agreement < -ALARM and self.factor < 0)
        return bool(abs(self.agreement) > ALARM)

    @property
    def alarm(self):
        """Whether a figure is beyond 3 or an event contradicts a label of 0 or 1."""
        return bool(abs(self.level) > ALARM or self.disagrees or self.contradictions > 0)


def mismatch(rows, mean, covariance, contradictions=0, of_intercepts=None):
    """The Mismatch of an audit.

    Arguments: `rows`, AuditRows; `mean` and `covariance` of theta = (beta, shift), as the mixture has them;
    `contradictions`, events that are not as a label of 0 or 1 says; `of_intercepts`, the LeftOpen of the
    intercepts of the rows' groups, None for labels that are not known to be noisy.
    """
    noisy = of_intercepts is not None
    q = expit(rows.logit(mean))
    left, weight = rows.successes - rows.trials * q, rows.trials * q * (1 - q)
    if not weight.sum() > 0:
        return Mismatch(np.nan, np.nan, np.nan, np.nan, int(contradictions), noisy)
    intercept = (rows.offset - rows.responses @ mean[:-1])[rows.group]
    columns = np.column_stack([np.ones(len(q)), intercept - np.average(intercept, weights=weight)])
    weighted = columns * weight[:, None]
    n_groups, n_bins = rows.responses.shape
    met, left_open = np.empty((n_bins + 1, 2)), np.zeros(2)
    for column in range(2):
        of_group = np.bincount(rows.group, weighted[:, column], n_groups)
        met[:-1, column] = np.bincount(rows.bin, weighted[:, column], n_bins) - of_group @ rows.responses
        met[-1, column] = of_group.sum()
        if noisy:
            left_open[column] = of_group**2 @ of_intercepts.variance + (of_group @ of_intercepts.common) ** 2
    untouched = np.einsum("cj,cj->j", columns, weighted)
    variance = untouched - np.einsum("kj,kl,lj->j", met, covariance, met)
    variance = np.maximum(variance, _LEAST_LEFT * untouched)
    score = columns.T @ left
    # Rounding is all that the intercepts of equal labels differ by.
    differ = untouched[1] > 1e-12 * untouched[0]
    total = np.sqrt(variance + left_open)
    level = score[0] / total[0]
    if not differ:
        return Mismatch(float(level), np.nan, np.nan, np.nan, int(contradictions), noisy)
    return Mismatch(
        float(level),
        float(score[1] / total[1]),
        float(1 + score[1] / variance[1]),
        float(total[1] / variance[1]),
        int(contradictions),
        noisy,
    )
