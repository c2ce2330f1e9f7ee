"""The latent variables model against the paper's equations and against a general optimiser."""

import math
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit

import literal
from optimum import maximum
from wsclust.counts import GroupedCounts
from wsclust.estimators import likelihood
from wsclust.estimators.additive import additive
from wsclust.estimators.direct import direct
from wsclust.estimators.estimate import ConvergenceWarning
from wsclust.estimators.latent import latent

WEIGHTS = [0.05, 1, 10, np.inf]
SOLVERS = ["em", "newton"]


# --- the paper's equations, one z a click


@pytest.mark.parametrize("he_weight", [0, 0.1, 1, 10, np.inf])
@pytest.mark.parametrize("e_steps", [1, 2, 3, 25])
def test_each_em_step_is_the_papers(small, he_weight, e_steps):
    clicks, he, data = small
    expected, (mu, w0, w1) = literal.latent(clicks, he, 4, he_weight, e_steps)
    with pytest.warns(ConvergenceWarning):
        fit = latent(data, he_weight, max_iterations=e_steps, tolerance=1e-300, solver="em")
    np.testing.assert_allclose(fit.posterior, expected, atol=1e-11, rtol=0)
    np.testing.assert_allclose(fit.sad, w0, atol=1e-11, rtol=0)
    np.testing.assert_allclose(fit.happy, w1, atol=1e-11, rtol=0)
    np.testing.assert_allclose(fit.share, [literal.sigma(m) for m in mu], atol=1e-11, rtol=0)
    assert fit.iterations == e_steps


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("he_weight", [1, 10, np.inf])
def test_converged_answer_is_the_papers(small, he_weight, solver):
    clicks, he, data = small
    expected, _ = literal.latent(clicks, he, 4, he_weight)
    fit = latent(data, he_weight, tolerance=1e-10, solver=solver)
    assert fit.converged
    np.testing.assert_allclose(fit.posterior, expected, atol=1e-6, rtol=0)


@pytest.mark.parametrize("he_weight", [0, *WEIGHTS])
def test_objective_is_that_of_every_click(small, he_weight):
    clicks, he, data = small
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        fit = latent(data, he_weight, max_iterations=40)
    value = literal.objective(clicks, he, he_weight, fit.share, fit.sad, fit.happy)
    assert fit.objective[-1] == pytest.approx(value, abs=1e-9)


def test_labels_of_0_and_1_are_used_as_they_are_at_infinite_weight(small):
    clicks, he, data = small
    label = data.label.copy()
    label[[0, 3]] = 0, 1
    he = [-math.inf, *he[1:3], math.inf, *he[4:]]
    expected, _ = literal.latent(clicks, [min(max(h, -800), 800) for h in he], 4, math.inf)
    fit = latent(GroupedCounts(data.counts, label), np.inf)
    np.testing.assert_allclose(fit.posterior, expected, atol=1e-6, rtol=0)
    assert fit.share[0] == 0 and fit.share[3] == 1


# --- a general optimiser of the same objective


def unpack(parameters, data, he_weight):
    """mu, w0 and w1 from free parameters: mu_i, and the logarithms of weights up to a constant."""
    n_groups, n_bins = data.counts.shape
    mu = logit(data.label)
    if he_weight < np.inf:
        mu, parameters = parameters[:n_groups], parameters[n_groups:]
    sad, happy = np.exp(parameters[:n_bins]), np.exp(parameters[n_bins:])
    return mu, sad / sad.sum(), happy / happy.sum()


def objective_of(parameters, data, he_weight):
    mu, sad, happy = unpack(parameters, data, he_weight)
    share = (1 / (1 + np.exp(-mu)))[:, None]
    value = (data.counts * np.log((1 - share) * sad + share * happy)).sum()
    value += np.log(sad).sum() + np.log(happy).sum()
    if he_weight < np.inf:
        value -= he_weight / 2 * ((mu - logit(data.label)) ** 2).sum()
    return value


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("he_weight", [0.3, 1, 10, np.inf])
def test_a_general_optimiser_finds_the_same_mode(small, he_weight, solver):
    data = small[2]
    # The naive start: every click of a group shares its label, equations (4.3) and (4.4).
    happy = 1 + data.label @ data.counts
    sad = 1 + (1 - data.label) @ data.counts
    begin = np.log(np.concatenate([sad / sad.sum(), happy / happy.sum()]))
    if he_weight < np.inf:
        begin = np.concatenate([logit(data.label), begin])
    best, value = maximum(lambda point: objective_of(point, data, he_weight), begin)
    mu, sad, happy = unpack(best, data, he_weight)
    share = expit(mu)[:, None]
    z = share * happy / ((1 - share) * sad + share * happy)
    expected = (1 + (data.counts * z).sum(axis=0)) / (2 + data.counts.sum(axis=0))

    fit = latent(data, he_weight, tolerance=1e-10, solver=solver)
    assert fit.objective[-1] == pytest.approx(value, abs=1e-8)
    np.testing.assert_allclose(fit.posterior, expected, atol=1e-6, rtol=0)
    np.testing.assert_allclose(fit.happy, happy, atol=1e-6, rtol=0)


# --- what EM and Newton may never do


@st.composite
def tables(draw):
    n_groups, n_bins = draw(st.integers(1, 6)), draw(st.integers(2, 4))
    cell = st.one_of(st.just(0), st.integers(0, 8), st.integers(0, 2000))
    counts = np.array(
        draw(
            st.lists(
                st.lists(cell, min_size=n_bins, max_size=n_bins).filter(any),
                min_size=n_groups,
                max_size=n_groups,
            )
        )
    )
    label = draw(st.lists(st.floats(0.001, 0.999), min_size=n_groups, max_size=n_groups))
    return GroupedCounts(counts, label)


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(
    data=tables(),
    he_weight=st.sampled_from([0, 1e-3, 0.05, 1, 10, 1e3, np.inf]),
    solver=st.sampled_from(SOLVERS),
)
def test_the_objective_never_falls(data, he_weight, solver):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        fit = latent(data, he_weight, max_iterations=70, solver=solver)
    rise = np.diff(fit.objective)
    assert np.all(rise >= -1e-11 * (1 + np.abs(fit.objective[:-1])))
    assert np.all((fit.posterior > 0) & (fit.posterior < 1))
    assert np.all((fit.share >= 0) & (fit.share <= 1))
    assert fit.happy.sum() == pytest.approx(1) and fit.sad.sum() == pytest.approx(1)


# --- one optimum at W_H = infinity


def test_infinite_weight_has_one_optimum(small):
    data = small[2]
    fit = latent(data, np.inf, tolerance=1e-11)
    rng = np.random.default_rng(1)
    for _ in range(5):
        begin = likelihood.State(
            logit(data.label), data.label, 1 - data.label, *rng.dirichlet(np.ones(4), size=2)
        )
        other = latent(data, np.inf, tolerance=1e-11, start_at=begin)
        np.testing.assert_allclose(other.posterior, fit.posterior, atol=1e-8)


def test_a_large_weight_tends_to_the_infinite_one(small):
    data = small[2]
    near = latent(data, 1e9).posterior
    np.testing.assert_allclose(near, latent(data, np.inf).posterior, atol=1e-6)


# --- W_H = 0


def test_zero_weight_uses_the_labels_for_the_start_only(small):
    data = small[2]
    fit = latent(data, 0, tolerance=1e-5)
    begin = likelihood.start(likelihood.Problem(data, 0))
    elsewhere = GroupedCounts(data.counts, np.full(14, 0.5))
    again = latent(elsewhere, 0, tolerance=1e-5, start_at=begin)
    np.testing.assert_array_equal(fit.posterior, again.posterior)


def test_zero_weight_takes_em_whatever_the_solver(small):
    data = small[2]
    both = [latent(data, 0, tolerance=1e-5, solver=solver) for solver in SOLVERS]
    assert both[0].iterations == both[1].iterations
    np.testing.assert_array_equal(both[0].posterior, both[1].posterior)


# --- what stops, warns and refuses


@pytest.mark.parametrize("solver", SOLVERS)
def test_stopping_early_warns_and_says_so(small, solver):
    with pytest.warns(ConvergenceWarning, match=r"after 5 iterations .*max_iterations"):
        fit = latent(small[2], 10, max_iterations=5, solver=solver)
    assert fit.converged is False
    assert fit.iterations == len(fit.objective) == 5


def test_the_warning_is_shown_where_it_was_called(small):
    with pytest.warns(ConvergenceWarning) as caught:
        latent(small[2], max_iterations=2)
    assert caught[0].filename == __file__


@pytest.mark.parametrize("estimate", [latent, additive])
def test_stopping_early_names_the_estimator(small, estimate):
    with pytest.warns(ConvergenceWarning, match=rf"^{estimate.__name__}: rho still changed"):
        estimate(small[2], max_iterations=2)


def test_labels_of_0_and_1_and_far_qualities_warn_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        latent(GroupedCounts([[3, 1], [2, 2], [1, 4]], [0, 1, 0.5]), np.inf)
        assert likelihood.sigmoid(np.array([-1e4, 0.0, 1e4])).tolist() == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("edge", [0.0, -0.1])
def test_weights_outside_the_simplex_have_no_likelihood(small, edge):
    problem = likelihood.Problem(small[2], 10.0)
    inside, outside = np.full(4, 0.25), np.array([edge, 0.5 - edge, 0.25, 0.25])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for sad, happy in ((inside, outside), (outside, inside), (outside, outside)):
            assert problem.objective(likelihood.with_quality(np.zeros(14), sad, happy)) == -np.inf
        assert np.isfinite(problem.objective(likelihood.with_quality(np.zeros(14), inside, inside)))


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("he_weight", WEIGHTS)
def test_converging_warns_of_nothing(small, he_weight, solver):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit = latent(small[2], he_weight, solver=solver)
    assert fit.converged is True
    assert fit.iterations == len(fit.objective)


@pytest.mark.parametrize("he_weight", [0, 1e-3, 10])
@pytest.mark.parametrize("extreme", [0.0, 1.0])
def test_extreme_labels_at_finite_weight_are_refused_with_the_remedy(extreme, he_weight):
    data = GroupedCounts([[3, 1], [2, 2]], [0.4, extreme], groups=["fine", "odd"])
    with pytest.raises(ValueError) as caught:
        latent(data, he_weight)
    remedy = (
        "pull the labels off 0 and 1 with clip=0.001 (clip_labels in Python), or take them as exact with "
    )
    remedy += "he_weight=inf"
    line = f"group odd: label {extreme:g} has an infinite logit (1 such group); {remedy}"
    assert str(caught.value) == line
    with pytest.raises(ValueError) as caught:
        latent(
            GroupedCounts([[3, 1], [2, 2], [1, 4]], [0.4, extreme, 1], groups=["fine", "odd", "too"]),
            he_weight,
        )
    assert str(caught.value) == line.replace("1 such group", "2 such groups")


@pytest.mark.parametrize("he_weight", [-1, np.nan])
def test_a_weight_that_is_none_is_refused(small, he_weight):
    with pytest.raises(ValueError, match=f"he_weight={he_weight}: expected"):
        latent(small[2], he_weight)


@pytest.mark.parametrize("max_iterations", [0, -3, np.nan])
def test_no_iteration_is_refused(small, max_iterations):
    with pytest.raises(ValueError, match=f"max_iterations={max_iterations}: expected 1 or more"):
        latent(small[2], max_iterations=max_iterations)


def test_an_unknown_solver_is_refused(small):
    with pytest.raises(ValueError, match="solver=bfgs: expected newton or em"):
        latent(small[2], solver="bfgs")


# --- equal data, equal answers


def test_bins_in_another_order(small):
    data = small[2]
    order = [2, 0, 3, 1]
    moved = GroupedCounts(data.counts[:, order], data.label)
    for he_weight in WEIGHTS:
        expected = latent(data, he_weight).posterior[order]
        np.testing.assert_allclose(latent(moved, he_weight).posterior, expected, atol=1e-7)


def test_groups_in_another_order(small):
    data = small[2]
    order = np.random.default_rng(0).permutation(14)
    moved = data.subset(order)
    for he_weight in WEIGHTS:
        fit, expected = latent(moved, he_weight), latent(data, he_weight)
        np.testing.assert_allclose(fit.posterior, expected.posterior, atol=1e-7)
        np.testing.assert_allclose(fit.share, expected.share[order], atol=1e-6)


def test_a_group_split_in_two_is_the_same_at_infinite_weight_only(small):
    data = small[2]
    part = np.array([1, 0, 1, 1]) * (data.counts[0] > 0)
    rest = data.counts[0] - part
    assert part.sum() > 0 and rest.sum() > 0
    split = GroupedCounts(np.vstack([part, rest, data.counts[1:]]), np.repeat(data.label, [2] + [1] * 13))
    same = [latent(d, np.inf).posterior for d in (data, split)]
    np.testing.assert_allclose(*same, atol=1e-8)
    np.testing.assert_allclose(direct(split).posterior, direct(data).posterior, atol=1e-12)
    assert np.abs(latent(data, 1).posterior - latent(split, 1).posterior).max() > 1e-4


def test_weight_two_is_every_click_twice(small):
    clicks, _, data = small
    twice = literal.counts_from_clicks([bins * 2 for bins in clicks], 4)
    weighted = GroupedCounts(2 * data.counts, data.label)
    for he_weight in WEIGHTS:
        np.testing.assert_allclose(
            latent(weighted, he_weight).posterior,
            latent(GroupedCounts(twice, data.label), he_weight).posterior,
            atol=1e-12,
        )


def test_a_cap_is_the_same_share_of_every_click(small):
    data = small[2]
    capped = data.cap(5)
    by_hand = np.array([row * min(1, 5 / row.sum()) for row in data.counts])
    fit = latent(capped, 10)
    np.testing.assert_allclose(
        fit.posterior, latent(GroupedCounts(by_hand, data.label), 10).posterior, atol=1e-12
    )
    assert np.abs(fit.posterior - latent(data, 10).posterior).max() > 1e-3


def test_the_names_of_groups_and_bins_do_not_matter(small):
    data = small[2]
    renamed = GroupedCounts(
        data.counts, data.label, [f"g{i}" for i in range(14)], pd.DataFrame({"colour": list("rgbw")})
    )
    np.testing.assert_array_equal(latent(renamed).posterior, latent(data).posterior)


@pytest.mark.parametrize("rows", [1, 3, 14])
@pytest.mark.parametrize("he_weight", [0, *WEIGHTS])
def test_the_size_of_a_block_does_not_matter(small, monkeypatch, he_weight, rows):
    data = small[2]
    tolerance = 1e-5 if he_weight == 0 else 1e-9
    whole = latent(data, he_weight, tolerance=tolerance)
    monkeypatch.setattr("wsclust.group_parts.BLOCK_GROUPS", rows)
    blocks = latent(data, he_weight, tolerance=tolerance)
    np.testing.assert_allclose(blocks.posterior, whole.posterior, atol=1e-7)
    np.testing.assert_allclose(blocks.share, whole.share, atol=1e-6)
    assert blocks.objective[-1] == pytest.approx(whole.objective[-1], abs=1e-9)
