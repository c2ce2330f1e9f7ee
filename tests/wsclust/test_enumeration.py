"""The likelihood as it is defined, by going through every way in which the events can have been happy or sad.

Of 9 events there are 512 ways. The probability of the events is summed over all of them, (4.8) is the mean number
of happy events over them, and scipy finds the maximum, in parameters that the package does not use.
"""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy.special import logit

from optimum import maximum
from wsclust.counts import GroupedCounts
from wsclust.estimators.additive import additive
from wsclust.estimators.latent import latent

# The bins of the events of each group, and the groups' labels.
EVENTS = [(0, 0, 3), (1, 2, 2, 3), (0, 1)]
LABEL = np.array([0.8, 0.3, 0.6])
LEVELS = pd.DataFrame({"a": ["x", "x", "y", "y"], "b": ["u", "v", "u", "v"]})
N_BINS = len(LEVELS)
MAIN_SD, DEVIATION_SD = 1.5, 0.7

GROUP = np.repeat(range(len(EVENTS)), [len(bins) for bins in EVENTS])
BIN = np.concatenate(EVENTS)
# One row per way, one column per event: 1 where it was happy.
WAYS = np.array(list(itertools.product([0, 1], repeat=len(BIN))))


@pytest.fixture(scope="module")
def data():
    counts = [np.bincount(bins, minlength=N_BINS) for bins in EVENTS]
    return GroupedCounts(np.array(counts), LABEL, bins=LEVELS)


def ways_of(share, sad, happy):
    """The joint probability of the events and of each way, (512,)."""
    each = np.where(WAYS == 1, share[GROUP] * happy[BIN], (1 - share[GROUP]) * sad[BIN])
    return each.prod(axis=1)


def happy_events(share, sad, happy):
    """The mean number of happy events in each bin, with the one that it has in advance, (K,)."""
    ways = ways_of(share, sad, happy)
    mean = ways @ WAYS / ways.sum()
    return 1 + np.array([mean[k == BIN].sum() for k in range(N_BINS)])


def simplex(sticks):
    """Weights that sum to one; each but the last takes the part sigma(stick) of what is left."""
    parts = 1 / (1 + np.exp(-sticks))
    left = np.cumprod(np.append(1, 1 - parts))
    return np.append(parts, 1) * left


def best(weights, n_free, he_weight):
    """The free parameters, (share, w0, w1) and the objective at its maximum.

    `weights` makes w0, w1 and the logarithm of their prior from `n_free` parameters; those of the groups are
    mu_i - HE_i.
    """

    def parts(point):
        sad, happy, prior = weights(point[:n_free])
        off = point[n_free:]
        share = 1 / (1 + np.exp(-logit(LABEL) - (0 if np.isinf(he_weight) else off)))
        if len(off):
            prior = prior - he_weight / 2 * (off**2).sum()
        return (share, sad, happy), prior

    def objective(point):
        state, prior = parts(point)
        in_advance = np.log(state[1]).sum() + np.log(state[2]).sum()
        return np.log(ways_of(*state).sum()) + in_advance + prior

    n_groups = 0 if np.isinf(he_weight) else len(EVENTS)
    point, value = maximum(objective, np.zeros(n_free + n_groups))
    state, _ = parts(point)
    return point[:n_free], state, value


def check_weights(fit, state, value):
    share, sad, happy = state
    assert fit.objective[-1] == pytest.approx(value, abs=1e-8)
    np.testing.assert_allclose(fit.share, share, atol=1e-6)
    np.testing.assert_allclose(fit.sad, sad, atol=1e-6)
    np.testing.assert_allclose(fit.happy, happy, atol=1e-6)


@pytest.mark.parametrize("he_weight", [4, np.inf])
def test_latent(data, he_weight):
    def weights(sticks):
        sad, happy = np.split(sticks, 2)
        return simplex(sad), simplex(happy), 0

    _, state, value = best(weights, 2 * (N_BINS - 1), he_weight)
    fit = latent(data, he_weight, tolerance=1e-11)
    check_weights(fit, state, value)
    np.testing.assert_allclose(fit.posterior, happy_events(*state) / (2 + data.totals), atol=1e-6)


@pytest.mark.parametrize("deviation_sd", [0, DEVIATION_SD])
@pytest.mark.parametrize("he_weight", [4, np.inf])
def test_additive(data, he_weight, deviation_sd):
    """w1 is free and w0 follows; effects are in units of their SD."""
    levels = [(LEVELS[name] == level) for name in LEVELS for level in sorted(set(LEVELS[name]))]
    effects = np.column_stack([MAIN_SD * np.array(levels, float).T, deviation_sd * np.eye(N_BINS)])
    n_effects = effects.shape[1]

    def weights(point):
        units, sticks = np.split(point, [n_effects])
        happy = simplex(sticks)
        sad = happy * np.exp(-effects @ units)
        return sad / sad.sum(), happy, -(units**2).sum() / 2

    point, state, value = best(weights, n_effects + N_BINS - 1, he_weight)
    fit = additive(data, he_weight, main_sd=MAIN_SD, deviation_sd=deviation_sd, tolerance=1e-11)
    check_weights(fit, state, value)
    # The share of happy events, and with it the posterior of every bin by Bayes' rule.
    share = happy_events(*state).sum() / (2 + data.totals).sum()
    _, sad, happy = state
    expected = share * happy / ((1 - share) * sad + share * happy)
    np.testing.assert_allclose(fit.posterior, expected, atol=1e-6)
    of_levels = MAIN_SD * point[:4].reshape(2, 2)
    centred = of_levels - of_levels.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(fit.effects()["log_odds"], centred.ravel(), atol=1e-5)
