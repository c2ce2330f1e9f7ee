"""Held-out error by groups (section 6.1, Table 1): train on half of the groups, test on the others.

Each event of a test group is predicted by the posterior of its bin. The classification error is at even
odds; the root mean squared error compares the posterior with the outcome, 0 or 1.
"""

import warnings
from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from wsclust.estimators.estimate import ConvergenceWarning, Estimate
from wsclust.group_parts import random_half
from wsclust.outcomes import KnownOutcomes

ERRORS = ["classification_error", "rmse"]
Predictor = Callable[[KnownOutcomes], Estimate]


def prediction_errors(posterior: np.ndarray, outcomes: KnownOutcomes) -> tuple[float, float]:
    """Classification error and root mean squared error of one posterior a bin on known outcomes.

    Arguments: `posterior` (K,); `outcomes`, KnownOutcomes. Returns two numbers, both averaged over events;
    a posterior of 1/2 or more predicts a positive.

    >>> from wsclust.outcomes import KnownOutcomes
    >>> prediction_errors(np.array([0.8, 0.4]), KnownOutcomes([[3, 1]], [[1, 1]]))
    (0.3333333333333333, 0.46188021535170065)
    """
    positives, negatives = outcomes.positives.sum(axis=0), outcomes.negatives.sum(axis=0)
    events = positives.sum() + negatives.sum()
    wrong = np.where(posterior >= 0.5, negatives, positives).sum() / events
    squared = (positives @ (1 - posterior) ** 2 + negatives @ posterior**2) / events
    return float(wrong), float(np.sqrt(squared))


def with_unseen_bins(posterior: np.ndarray, training: KnownOutcomes) -> np.ndarray:
    """The posterior, with the training share in bins of which the training groups have no event."""
    data = training.grouped
    return np.where(data.totals > 0, posterior, data.mean_label)


def held_out_errors(
    predictors: Mapping[str, Predictor],
    outcomes: KnownOutcomes,
    splits: int,
    rng_of_split: Callable[[int], np.random.Generator],
) -> pd.DataFrame:
    """Errors of several predictors on the groups that each split leaves out.

    Arguments: `predictors`, name -> function from training KnownOutcomes to an Estimate; `outcomes`,
    KnownOutcomes; `splits`, how many random halvings of the groups; `rng_of_split`, a function from the
    split's number (from 1) to its generator. An odd number of groups trains on the smaller half.

    Returns a frame: split, method, classification_error, rmse, converged.

    >>> from wsclust.outcomes import KnownOutcomes
    >>> from wsclust.estimators.oracle import oracle
    >>> votes = KnownOutcomes([[3, 0], [1, 1], [4, 1]], [[1, 2], [0, 2], [1, 1]])
    >>> frame = held_out_errors({"oracle": oracle}, votes, 5, np.random.default_rng)
    >>> frame.shape
    (5, 5)
    """
    n_groups = len(outcomes.positives)
    if n_groups < 2:
        raise ValueError(f"{n_groups} group: at least 2 are needed, to train and to test")
    rows = []
    for split in range(1, splits + 1):
        training = np.zeros(n_groups, dtype=bool)
        training[random_half(n_groups, rng_of_split(split))] = True
        train, test = outcomes.subset(training), outcomes.subset(~training)
        for name, predictor in predictors.items():
            fit = predictor(train)
            errors = prediction_errors(with_unseen_bins(fit.posterior, train), test)
            rows.append((split, name, *errors, fit.converged))
    return pd.DataFrame(rows, columns=["split", "method", "classification_error", "rmse", "converged"])


def table_of_errors(
    predictors: Mapping[str, Predictor],
    outcomes: KnownOutcomes,
    splits: int,
    rng_of_split: Callable[[int], np.random.Generator],
) -> pd.DataFrame:
    """Mean and SD over the splits of each predictor's held-out errors, with the null's.

    Arguments as `held_out_errors`. The null guesses the overall share for every event, on all events, as in
    Table 1 of the paper; it has no splits. Returns a frame: method, classification_error,
    classification_error_sd_splits, rmse, rmse_sd_splits, splits, unconverged.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # it has a column of its own
        # Half of the groups can be fewer than the bins: moments would say so in every split.
        warnings.filterwarnings("ignore", "moments: Omega has rank", RuntimeWarning)
        errors = held_out_errors(predictors, outcomes, splits, rng_of_split)
    by_method = errors.groupby("method", sort=False)
    table = pd.DataFrame({"method": list(predictors)}).set_index("method")
    for error in ERRORS:
        table[error] = by_method[error].mean()
        table[f"{error}_sd_splits"] = by_method[error].std()
    table["splits"] = splits
    table["unconverged"] = by_method["converged"].agg(lambda converged: (~converged).sum())
    everywhere = np.full(outcomes.positives.shape[1], outcomes.positive_share)
    null = dict(zip(ERRORS, prediction_errors(everywhere, outcomes), strict=True))
    first = pd.DataFrame({"method": "null", **null, "splits": 0, "unconverged": 0}, index=[0])
    return pd.concat([first, table.reset_index()])[["method", *table.columns]]
