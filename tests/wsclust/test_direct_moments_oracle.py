"""The convex baselines against statsmodels, numpy and a loop over every click."""

import sys
import warnings
from functools import partialmethod

import numpy as np
import pandas as pd
import pytest

import literal
from wsclust.counts import GroupedCounts
from wsclust.estimators.direct import direct
from wsclust.estimators.logistic import logistic_main, logistic_saturated
from wsclust.estimators.moments import moments
from wsclust.estimators.oracle import oracle
from wsclust.outcomes import KnownOutcomes

BINS = pd.DataFrame([(a, b) for a in ("f", "m") for b in ("mid", "old", "young")], columns=["sex", "age"])


@pytest.fixture(scope="module")
def votes():
    """Five groups, six bins: one never seen, one all positive."""
    rng = np.random.default_rng(9)
    positives, negatives = rng.integers(0, 6, (5, 6)), rng.integers(0, 6, (5, 6))
    positives[:, 4] = negatives[:, 4] = negatives[:, 1] = 0
    return KnownOutcomes(positives, negatives, bins=BINS)


def one_row_a_vote(votes, pseudo=True):
    """Every vote as a row (bin, outcome), with one pseudo-vote of each kind a bin."""
    rows = []
    for outcome, table in ((1, votes.positives), (0, votes.negatives)):
        for row in table:
            for k, n in enumerate(row):
                rows += [(k, outcome)] * int(n)
    rows += [(k, outcome) for k in range(6) for outcome in (0, 1)] if pseudo else []
    return np.array(rows).T


# --- direct, equation (3.1)


def test_direct_is_the_papers_sum_over_clicks(small):
    clicks, he, data = small
    label = [literal.sigma(h) for h in he]
    expected = literal.direct(clicks, label, 4)
    np.testing.assert_allclose(direct(data).posterior, expected, atol=1e-13)


def test_direct_is_the_regression_of_the_labels_on_the_bins(small):
    sm = pytest.importorskip("statsmodels.api")
    clicks, _, data = small
    bins = np.array([x for of_group in clicks for x in of_group])
    label = np.array([data.label[i] for i, of_group in enumerate(clicks) for _ in of_group])
    slope = sm.OLS(label, np.eye(4)[bins]).fit().params
    total = np.bincount(bins, minlength=4)
    # The regression has no pseudo-observations: one of each kind is added to it here.
    np.testing.assert_allclose(direct(data).posterior, (1 + total * slope) / (2 + total), atol=1e-12)


def test_direct_gives_one_half_where_nothing_was_seen():
    fit = direct(GroupedCounts([[3, 0], [2, 0]], [0.9, 0.8]))
    assert fit.posterior[1] == 0.5 and fit.converged


def test_direct_does_not_mind_order_splits_or_double_clicks(small):
    data = small[2]
    rng = np.random.default_rng(3)
    bins, groups = rng.permutation(4), rng.permutation(14)
    moved = GroupedCounts(data.counts[groups][:, bins], data.label[groups])
    np.testing.assert_allclose(direct(moved).posterior, direct(data).posterior[bins], atol=1e-13)
    np.testing.assert_allclose(moments(moved).posterior, moments(data).posterior[bins], atol=1e-9)


# --- moments, equation (3.3)


def test_moments_is_least_squares_on_the_shares(small):
    sm = pytest.importorskip("statsmodels.api")
    clicks, _, data = small
    omega = np.array([[of_group.count(k) / len(of_group) for k in range(4)] for of_group in clicks])
    fit = moments(data)
    np.testing.assert_allclose(fit.posterior, sm.OLS(data.label, omega).fit().params, atol=1e-10)
    normal = np.linalg.inv(omega.T @ omega) @ omega.T @ data.label
    np.testing.assert_allclose(fit.posterior, normal, atol=1e-9)
    assert fit.rank == 4
    assert fit.condition_number == pytest.approx(np.linalg.cond(omega))


def test_moments_does_not_weight_groups_by_their_size(small):
    data = small[2]
    scale = np.arange(1, 15)[:, None]
    larger = GroupedCounts(data.counts * scale, data.label)
    np.testing.assert_allclose(moments(larger).posterior, moments(data).posterior, atol=1e-10)


def test_moments_of_full_rank_warns_of_nothing(small):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        moments(small[2])


def test_moments_with_fewer_groups_than_bins_has_least_norm_and_warns(small):
    data = small[2].subset(slice(0, 3))
    omega = data.counts / data.counts.sum(axis=1, keepdims=True)
    with pytest.warns(RuntimeWarning) as said:
        fit = moments(data)
    (warning,) = said
    assert str(warning.message) == (
        "moments: Omega has rank 3 for 4 bins, so the solution of least norm is given; more groups, or fewer "
        "bins, would determine it"
    )
    np.testing.assert_allclose(fit.posterior, np.linalg.pinv(omega) @ data.label, atol=1e-10)
    assert fit.rank == 3 and fit.condition_number == np.inf


def test_the_warning_of_moments_is_shown_where_it_was_called(small):
    with pytest.warns(RuntimeWarning) as said:
        moments(small[2].subset(slice(0, 3)))
    assert said[0].filename == __file__


def test_moments_with_two_proportional_bins_has_least_norm_and_warns():
    counts = np.array([[1, 2, 5], [2, 4, 1], [3, 6, 3], [1, 2, 9]])
    omega = counts / counts.sum(axis=1, keepdims=True)
    label = np.array([0.3, 0.9, 0.6, 0.1])
    with pytest.warns(RuntimeWarning, match="rank 2 for 3 bins"):
        fit = moments(GroupedCounts(counts, label))
    np.testing.assert_allclose(fit.posterior, np.linalg.pinv(omega) @ label, atol=1e-10)
    assert fit.condition_number == np.inf


def test_moments_has_no_estimate_for_a_bin_never_seen(small):
    data = small[2]
    counts = np.insert(data.counts, 2, 0, axis=1)
    fit = moments(GroupedCounts(counts, data.label))
    assert np.isnan(fit.posterior[2]) and fit.rank == 4
    np.testing.assert_allclose(np.delete(fit.posterior, 2), moments(data).posterior, atol=1e-12)


def test_moments_may_leave_the_unit_interval():
    fit = moments(GroupedCounts([[8, 2], [2, 8]], [0.9, 0.1]))
    np.testing.assert_allclose(fit.posterior, [7 / 6, -1 / 6])


# --- the oracle and the logistic baselines


def test_the_oracle_is_statsmodels_binomial_on_every_vote(votes):
    sm = pytest.importorskip("statsmodels.api")
    bins, outcome = one_row_a_vote(votes)
    fit = sm.GLM(outcome, np.eye(6)[bins], family=sm.families.Binomial()).fit(tol=1e-12)
    expected = 1 / (1 + np.exp(-fit.params))
    np.testing.assert_allclose(oracle(votes).posterior, expected, atol=1e-8)
    np.testing.assert_allclose(logistic_saturated(votes).posterior, expected, atol=1e-7)


def test_the_oracle_is_the_direct_estimate_with_a_group_a_voter(votes):
    bins, outcome = one_row_a_vote(votes, pseudo=False)
    voters = GroupedCounts(np.eye(6)[bins], outcome)
    np.testing.assert_allclose(direct(voters).posterior, oracle(votes).posterior, atol=1e-12)
    assert oracle(votes).posterior[4] == 0.5


def test_logistic_main_is_statsmodels_formula_on_every_vote(votes):
    pytest.importorskip("statsmodels")
    import statsmodels.api as sm
    import statsmodels.formula.api as smf

    bins, outcome = one_row_a_vote(votes)
    frame = BINS.iloc[bins].reset_index(drop=True).assign(vote=outcome)
    fit = smf.glm("vote ~ C(sex) + C(age)", frame, family=sm.families.Binomial()).fit(tol=1e-12)
    ours = logistic_main(votes)
    assert ours.converged
    np.testing.assert_allclose(ours.posterior, fit.predict(BINS), atol=1e-7)
    assert np.abs(ours.posterior - oracle(votes).posterior).max() > 0.01
    by_bin = BINS.assign(yes=1 + votes.positives.sum(axis=0), no=1 + votes.negatives.sum(axis=0))
    same = smf.glm("yes + no ~ C(sex) + C(age)", by_bin, family=sm.families.Binomial()).fit()
    assert ours.iterations == same.fit_history["iteration"] > 1


def test_logistic_regression_without_its_package_says_what_to_install(votes, monkeypatch):
    monkeypatch.setitem(sys.modules, "statsmodels.api", None)
    with pytest.raises(ImportError) as caught:
        logistic_main(votes)
    assert str(caught.value) == "logistic regression needs statsmodels: pip install 'wsclust[logistic]'"


def test_logistic_regression_that_ends_early_has_not_converged(votes, monkeypatch):
    sm = pytest.importorskip("statsmodels.api")
    monkeypatch.setattr(sm.GLM, "fit", partialmethod(sm.GLM.fit, maxiter=1))
    assert not logistic_main(votes).converged and not logistic_saturated(votes).converged


# --- known outcomes


def test_known_outcomes_hide_what_the_estimators_may_not_see(votes):
    data = votes.grouped
    np.testing.assert_array_equal(data.counts, votes.positives + votes.negatives)
    expected = [p.sum() / (p.sum() + n.sum()) for p, n in zip(votes.positives, votes.negatives, strict=True)]
    np.testing.assert_allclose(data.label, expected)
    part = votes.subset([1, 3])
    np.testing.assert_allclose(part.grouped.label, data.label[[1, 3]])
    np.testing.assert_array_equal(part.positives, votes.positives[[1, 3]])


def test_a_table_of_outcomes_has_every_combination_of_levels():
    table = pd.DataFrame(
        {
            "state": ["B", "A", "A", "B"],
            "sex": ["m", "f", "f", "m"],
            "age": ["young", "old", "old", "old"],
            "yes": [2, 1, 3, 0],
            "no": [1, 3, 0, 4],
        }
    )
    votes = KnownOutcomes.from_table(table, "state", ["sex", "age"], "yes", "no")
    names = list(votes.bins.itertuples(index=False, name=None))
    assert names == [("f", "old"), ("f", "young"), ("m", "old"), ("m", "young")]
    assert votes.groups.tolist() == ["A", "B"]
    assert votes.positives.tolist() == [[4, 0, 0, 0], [0, 0, 0, 2]]
    assert votes.negatives.tolist() == [[3, 0, 0, 0], [0, 0, 4, 1]]


def test_bad_outcomes_are_refused():
    with pytest.raises(ValueError, match=r"negatives: count -1 is not a number of events; expected 0"):
        KnownOutcomes([[1, 2]], [[-1, 2]])
    with pytest.raises(ValueError, match=r"positives \(1, 2\) and negatives \(1, 3\) differ"):
        KnownOutcomes([[1, 2]], [[1, 2, 3]])
