"""Half-sample standard errors: the arithmetic, what it may not depend on, and the true SD."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from scipy.stats import norm

from wsclust.counts import GroupedCounts
from wsclust.estimators.direct import direct
from wsclust.estimators.estimate import ConvergenceWarning, Estimate
from wsclust.estimators.latent import latent
from wsclust.estimators.moments import moments
from wsclust.estimators.oracle import oracle
from wsclust.half_samples import half_sample_posteriors, half_sample_standard_errors, sd_over_half_samples
from wsclust.intervals import normal_interval
from wsclust.outcomes import KnownOutcomes


def literal_errors(data, half_samples, rng):
    """The SD of the direct estimate over random halves, one group, one bin, one half at a time."""
    n_groups, n_bins = data.counts.shape
    estimates = []
    for _ in range(half_samples):
        half = rng.choice(n_groups, n_groups // 2, replace=False)
        rho = []
        for k in range(n_bins):
            above, below = 1.0, 2.0
            for i in half:
                above += data.label[i] * data.counts[i, k]
                below += data.counts[i, k]
            rho.append(above / below)
        estimates.append(rho)
    errors = []
    for k in range(n_bins):
        column = [rho[k] for rho in estimates]
        mean = sum(column) / half_samples
        errors.append((sum((x - mean) ** 2 for x in column) / (half_samples - 1)) ** 0.5)
    return errors


def test_direct_errors_are_those_of_a_literal_loop(small):
    data = small[2]
    expected = literal_errors(data, 40, np.random.default_rng(5))
    errors = half_sample_standard_errors(direct, data, 40, np.random.default_rng(5))
    np.testing.assert_allclose(errors, expected, atol=1e-12)


def test_errors_do_not_depend_on_the_order_of_the_bins(small):
    data = small[2]
    order = [3, 1, 0, 2]
    moved = GroupedCounts(data.counts[:, order], data.label)
    for estimator in (direct, latent):
        errors = half_sample_standard_errors(estimator, data, 25, np.random.default_rng(6))
        again = half_sample_standard_errors(estimator, moved, 25, np.random.default_rng(6))
        np.testing.assert_allclose(again, errors[order], atol=1e-6)


def test_the_same_stream_gives_the_same_errors_and_another_does_not(small):
    data = small[2]
    first, again, other = (
        half_sample_standard_errors(direct, data, 10, np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    assert first.tolist() == again.tolist() != other.tolist()


def test_settings_reach_the_estimator(small):
    data = small[2]
    exact = partial(latent, he_weight=np.inf)
    rows = half_sample_posteriors(exact, data, 3, np.random.default_rng(7))
    rng = np.random.default_rng(7)
    expected = [latent(data.half_sample(rng), he_weight=np.inf).posterior for _ in range(3)]
    np.testing.assert_array_equal(rows, expected)


def test_fits_that_did_not_converge_are_counted_once(small):
    with pytest.warns(ConvergenceWarning) as caught:
        hasty = partial(latent, max_iterations=2)
        half_sample_posteriors(hasty, small[2], 4, np.random.default_rng(8))
    (warning,) = caught
    assert str(warning.message) == "4 of 4 half-samples did not converge"


def test_fits_that_did_converge_are_not_counted(small):
    """Every third fit says that it did not."""
    answers = (Estimate(np.full(4, 0.5), converged=run % 3 > 0) for run in range(7))
    with pytest.warns(ConvergenceWarning) as caught:
        half_sample_posteriors(lambda data: next(answers), small[2], 7, np.random.default_rng(8))
    assert [str(warning.message) for warning in caught] == ["3 of 7 half-samples did not converge"]


def test_the_warning_of_half_samples_is_shown_where_it_was_called(small):
    with pytest.warns(ConvergenceWarning) as caught:
        half_sample_posteriors(partial(latent, max_iterations=2), small[2], 4, np.random.default_rng(8))
    assert caught[0].filename == __file__


def test_the_sd_of_a_bin_is_over_the_halves_that_have_it():
    """None, one, two and three of three: as pandas has it."""
    nan = np.nan
    posteriors = np.array([[nan, 0.7, 0.4, 0.2], [nan, nan, nan, 0.3], [nan, nan, 0.1, 0.9]])
    np.testing.assert_allclose(sd_over_half_samples(posteriors), pd.DataFrame(posteriors).std(), rtol=1e-12)


def test_known_outcomes_have_half_samples_too():
    rng = np.random.default_rng(9)
    votes = KnownOutcomes(rng.integers(1, 5, (8, 3)), rng.integers(1, 5, (8, 3)))
    rows = half_sample_posteriors(oracle, votes, 6, np.random.default_rng(1))
    rng = np.random.default_rng(1)
    for row in rows:
        half = rng.choice(8, 4, replace=False)
        positives, negatives = votes.positives[half].sum(axis=0), votes.negatives[half].sum(axis=0)
        np.testing.assert_allclose(row, (1 + positives) / (2 + positives + negatives))


def test_a_bin_that_hardly_any_half_saw_has_no_error():
    counts = np.array([[3, 2, 0], [1, 4, 0], [2, 2, 0], [4, 1, 0], [2, 5, 0], [1, 1, 0]])
    data = GroupedCounts(counts, [0.1, 0.3, 0.6, 0.8, 0.2, 0.5])
    errors = half_sample_standard_errors(moments, data, 20, np.random.default_rng(3))
    assert np.isnan(errors[2]) and np.all(errors[:2] > 0)


def test_too_few_half_samples_or_groups_are_refused(small):
    with pytest.raises(ValueError, match="half_samples=1: at least 2"):
        half_sample_standard_errors(direct, small[2], 1, np.random.default_rng(1))
    with pytest.raises(ValueError, match="no group"):
        half_sample_standard_errors(direct, GroupedCounts([[3, 2]], [0.4]), 5, np.random.default_rng(1))


@pytest.mark.parametrize("clicks_per_group", [5, 100])
def test_errors_are_about_the_true_sd(clicks_per_group):
    rng = np.random.default_rng(11)
    happy, sad = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.4, 0.3, 0.2, 0.1])

    def sample():
        mu = rng.standard_normal(200)
        positives = rng.binomial(clicks_per_group, expit(mu))
        counts = rng.multinomial(positives, happy)
        counts += rng.multinomial(clicks_per_group - positives, sad)
        return GroupedCounts(counts, expit(mu + 0.5 * rng.standard_normal(200)))

    estimator = partial(latent, he_weight=10)
    true_sd = np.std([estimator(sample()).posterior for _ in range(120)], axis=0, ddof=1)
    errors = [half_sample_standard_errors(estimator, sample(), 40, rng) for _ in range(8)]
    # A wrong scale factor (1 / sqrt 2, or sqrt 2) is outside.
    assert 0.8 < (np.mean(errors, axis=0) / true_sd).mean() < 1.25


def test_intervals_are_scipys_and_cut_off_only_where_estimates_are_probabilities():
    """One inside, one over each end, and two beyond, as by moments."""
    posterior, se = np.array([0.4, 0.1, 0.9, 1.3, -0.3]), np.array([0.1, 0.2, 0.15, 0.05, 0.1])
    ends = norm.interval(0.95, posterior, se)
    np.testing.assert_allclose(normal_interval(posterior, se, bounded=False), ends, rtol=1e-12)
    np.testing.assert_allclose(normal_interval(posterior, se), np.clip(ends, 0, 1), rtol=1e-12)
