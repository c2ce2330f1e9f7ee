"""Logistic regression on the outcomes (section 6.1): what one would fit if the votes were seen.

Both models are binomial GLMs of statsmodels on the K bins with one pseudo-observation of each outcome a
bin, without which bins that are empty or one-sided make the fit singular. The saturated model then equals
the oracle.
"""

import warnings

import numpy as np
import pandas as pd

from wsclust.estimators.estimate import Estimate
from wsclust.outcomes import KnownOutcomes


def logistic_main(outcomes: KnownOutcomes) -> Estimate:
    """Estimate P(positive | bin) by a logit with main effects of the factors.

    Argument: `outcomes`, KnownOutcomes. Returns an Estimate with `posterior` (K,).

    >>> from wsclust.outcomes import KnownOutcomes
    >>> bins = pd.DataFrame({"sex": ["f", "f", "m", "m"], "age": ["old", "young"] * 2})
    >>> votes = KnownOutcomes([[8, 4, 4, 1]], [[2, 6, 6, 9]], bins=bins)
    >>> logistic_main(votes).posterior.round(2)
    array([0.74, 0.42, 0.42, 0.16])
    """
    bins = outcomes.grouped.bins.astype("category")
    design = pd.get_dummies(bins, drop_first=True, dtype=float).to_numpy()
    return _binomial(outcomes, np.column_stack([np.ones(len(bins)), design]))


def logistic_saturated(outcomes: KnownOutcomes) -> Estimate:
    """Estimate P(positive | bin) by a logit with one parameter a bin; it equals the oracle.

    >>> from wsclust.outcomes import KnownOutcomes
    >>> logistic_saturated(KnownOutcomes([[3, 0], [1, 1]], [[1, 2], [0, 2]])).posterior.round(3)
    array([0.714, 0.286])
    """
    return _binomial(outcomes, np.eye(outcomes.positives.shape[1]))


def _binomial(outcomes, design):
    # Two seconds to import: only where it is used.
    try:
        import statsmodels.api as sm
        from statsmodels.tools.sm_exceptions import PerfectSeparationWarning
    except ImportError:
        raise ImportError("logistic regression needs statsmodels: pip install 'wsclust[logistic]'") from None

    successes = 1 + outcomes.positives.sum(axis=0)
    failures = 1 + outcomes.negatives.sum(axis=0)
    model = sm.GLM(np.column_stack([successes, failures]), design, family=sm.families.Binomial())
    with warnings.catch_warnings():
        # A saturated fit is perfect by design, with no degree of freedom left for a scale.
        warnings.simplefilter("ignore", (PerfectSeparationWarning, RuntimeWarning))
        fit = model.fit()
    iterations = int(fit.fit_history["iteration"])
    return Estimate(np.asarray(fit.fittedvalues), iterations, bool(fit.converged))
