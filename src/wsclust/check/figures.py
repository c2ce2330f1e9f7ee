"""Can a latent fit be believed? Two figures that need no outcome, and the verdict that they give.

* Held-out label R2: fit on a random half A of the groups and predict the labels of the others,

      1 - sum_i J_i (s_i - Omega_i rho_A)^2 / sum_i J_i (s_i - mean_A)^2,

  Omega_i the group's shares of the bins and mean_A the weighted mean label of A; the mean over halvings.
  Beside it stands what the fitted model itself implies: the same figure on counts drawn from the fit.
* Shuffle ratio: the spread of rho over bins (SD, weights n_k) by its mean spread over fits with the labels
  shuffled among the groups, that is, where nothing is to be found. Both take the labels as exact, whatever
  W_H is: where it is finite and events are many, labels choose little but the mode, and shuffled ones find
  the bins as well.
"""

import warnings
from dataclasses import replace
from functools import partial

import numpy as np
from scipy.sparse import issparse

from wsclust.check.verdicts import Check
from wsclust.drawing import draw_counts
from wsclust.estimators.estimate import ConvergenceWarning
from wsclust.estimators.latent import latent
from wsclust.group_parts import random_half

HALVINGS = 40
SHUFFLES = 20
ROUNDING = 1e-6  # a spread below this is what a fit's tolerance leaves
IMPLIED = 20  # halvings of drawn counts: they cost a draw each, and need fewer digits


def check_fit(
    estimator, data, estimate, rng_of_role, exact=None, progress=lambda done, total, what: None
) -> Check:
    """Both figures of a latent fit, from some 80 more fits, most of them of half of the groups.

    Arguments: `estimator`, a function from GroupedCounts to a LatentEstimate; `data`, GroupedCounts of two
    groups or more; `estimate`, its LatentEstimate; `rng_of_role`, a function from "halvings", "implied" and
    "shuffles" to a generator; `exact`, the same estimator with labels taken as exact (default: latent);
    `progress`, called with the fits done and to do and what they are. Where labels are known to be noisy, those
    predicted are the labels given, not the calibrated ones.

    >>> from wsclust.counts import GroupedCounts
    >>> from wsclust.estimators.latent import latent
    >>> exact = lambda data: latent(data, he_weight=np.inf)
    >>> share = np.linspace(0.1, 0.9, 30)
    >>> data = GroupedCounts(100 * np.column_stack([share, 1 - share]), share)
    >>> check_fit(exact, data, exact(data), lambda role: np.random.default_rng(1)).verdict
    'labels predicted'
    """
    # Counts that are drawn have other cells, so those of sparse data are not.
    samples = 0 if issparse(data.counts) else IMPLIED
    done, total = 0, HALVINGS + samples + SHUFFLES

    def counted(sample, estimator=estimator):
        nonlocal done
        answer = estimator(sample)
        done += 1
        progress(done, total, "check")
        return answer

    exact = exact or partial(latent, he_weight=np.inf)
    with warnings.catch_warnings():
        # The full fit and the half-samples say it already.
        warnings.simplefilter("ignore", ConvergenceWarning)
        rng = rng_of_role("halvings")
        held_out = mean_label_r2(counted, (data for _ in range(HALVINGS)), rng)
        rng = rng_of_role("implied")
        implied = mean_label_r2(counted, (drawn(data, estimate, rng) for _ in range(samples)), rng)
        shuffled = partial(counted, estimator=exact)
        ratio = shuffle_ratio(shuffled, data, exact(data).posterior, rng_of_role("shuffles"))
    return Check(held_out, implied, ratio)


def mean_label_r2(estimator, samples, rng):
    """The mean of `label_r2` over samples, each halved anew; NaN where none has one."""
    values = np.array([label_r2(estimator, sample, rng) for sample in samples])
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else np.nan


def label_r2(estimator, data, rng):
    """R2 of the labels of one random half of the groups, predicted from a fit to the other.

    A bin that the fitted half never saw predicts that half's mean label. NaN where the labels of the
    predicted half all equal that mean, but for rounding.
    """
    n_groups = len(data.label)
    training = np.zeros(n_groups, dtype=bool)
    training[random_half(n_groups, rng)] = True
    train, test = data.subset(training), data.subset(~training)
    mean = train.mean_label
    posterior = np.where(train.totals > 0, estimator(train).posterior, mean)
    if np.allclose(test.label, mean, rtol=0, atol=1e-9):
        return np.nan
    predicted = test.counts @ posterior / test.sizes
    left, total = (test.sizes @ (test.label - guess) ** 2 for guess in (predicted, mean))
    return float(1 - left / total)


def drawn(data, estimate, rng):
    """Counts as the fitted model has them: J_i events of shares (1 - p_i) w0 + p_i w1, the labels kept.

    Where labels are known to be noisy, p_i is drawn given the label: counts drawn from the share that is expected
    would agree with the labels better than any real ones.
    As many events are drawn in each group as it had before any cap, whole ones; the counts are then weighted to
    the sizes of `data`, as by that cap.
    """
    sizes = np.maximum(np.rint(data.drawn_sizes), 1).astype(np.int64)
    noise = data.noise
    share = estimate.share if noise is None else noise.draw(data.label, data.drawn_sizes, rng)
    counts = draw_counts(np.clip(share, 0, 1), sizes, estimate.sad, estimate.happy, rng)
    return replace(data, counts=counts * (data.sizes / sizes)[:, None])


def shuffle_ratio(estimator, data, posterior, rng):
    """Spread of the posterior over bins by its mean over fits with shuffled labels.

    NaN where either is nothing but rounding, as where every group has the same mix of the bins.
    """
    spreads = [
        spread(estimator(data.with_labels_of(rng.permutation(len(data.label)))).posterior, data.totals)
        for _ in range(SHUFFLES)
    ]
    by_chance = float(np.mean(spreads))
    found = spread(posterior, data.totals)
    return found / by_chance if min(found, by_chance) > ROUNDING else np.nan


def spread(values, weights):
    """Weighted standard deviation.

    >>> spread(np.array([0.0, 1.0]), np.array([1.0, 3.0])).round(3)
    np.float64(0.433)
    """
    mean = weights @ values / weights.sum()
    return np.sqrt(weights @ (values - mean) ** 2 / weights.sum())
