"""The additive model against EM, a literal objective and its optimiser, `latent`, and closed forms."""

import warnings
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize
from scipy.special import expit, logit

from optimum import maximum
from wsclust import fitting
from wsclust.counts import GroupedCounts
from wsclust.estimators.additive import additive, fit_design
from wsclust.estimators.additive_influence import additive_influence, coefficient_influences
from wsclust.estimators.design import Design, additive_design, predicted_log_odds
from wsclust.estimators.direct import direct
from wsclust.estimators.estimate import ConvergenceWarning
from wsclust.estimators.factors import along_a_line, level_order
from wsclust.estimators.information import information_standard_errors
from wsclust.estimators.latent import latent
from wsclust.estimators.prior import pseudo_observations
from wsclust.estimators.profile import (
    AdditiveProblem,
    additive_newton_step,
    additive_state,
    additive_step_along,
    profile_curvature,
    regression,
)
from wsclust.registry import ESTIMATORS

WEIGHTS = [0.1, 1, 10, np.inf]


def crossed(*sizes):
    """Bins of crossed factors a, b, ... with levels 0, 1, ..., as text."""
    grid = np.indices(sizes).reshape(len(sizes), -1)
    return pd.DataFrame({"abcd"[j]: levels.astype(str) for j, levels in enumerate(grid)})


def simulated(seed, sizes=(4, 3), n_groups=60, clicks=40, noise=0.4):
    """Groups whose bins' log-odds are a sum over the factors and a deviation of .2."""
    rng = np.random.default_rng(seed)
    bins = crossed(*sizes)
    log_odds = 0.2 * rng.standard_normal(len(bins))
    for name in bins:
        levels = rng.standard_normal(bins[name].nunique())
        log_odds += levels[bins[name].astype(int)]
    rate = expit(log_odds)
    frequency = rng.dirichlet(np.full(len(bins), 3.0))
    happy, sad = frequency * rate, frequency * (1 - rate)
    mu = rng.standard_normal(n_groups)
    positives = rng.binomial(clicks, expit(mu))
    counts = rng.multinomial(positives, happy / happy.sum())
    counts += rng.multinomial(clicks - positives, sad / sad.sum())
    label = expit(mu + noise * rng.standard_normal(n_groups))
    return GroupedCounts(counts, label, bins=bins)


@pytest.fixture(scope="module")
def data():
    return simulated(1)


# --- the objective, written literally


def literal_weights(log_ratio, events):
    """w0 and w1 at their best for log(w1 / w0): the multiplier l by bisection, a loop over the bins."""
    odds = [float(np.exp(value)) for value in log_ratio]

    def slope(part):
        return sum(n * (odd - 1) / (1 - part + part * odd) for n, odd in zip(events, odds, strict=True))

    part = brentq(slope, 1e-13, 1 - 1e-13, xtol=1e-15)
    sad = np.array([n / (1 - part + part * odd) for n, odd in zip(events, odds, strict=True)]) / sum(events)
    return sad, sad * odds


def literal_objective(data, he_weight, design, coefficients, quality, pseudo=(1.0, 1.0)):
    """The penalised log-likelihood of beta and mu, each cell by itself, with w0 at its best."""
    columns = design.columns.toarray()
    events = data.totals + sum(pseudo)
    log_odds = columns @ coefficients
    # The intercept stands in for logit(l), which makes w1 sum to one.
    happy = expit(log_odds) * events
    log_ratio = log_odds - logit(happy.sum() / events.sum())
    sad, happy = literal_weights(log_ratio, events)
    assert sad.sum() == pytest.approx(1, abs=1e-9) and happy.sum() == pytest.approx(1, abs=1e-9)
    value = -sum(p * b * b for p, b in zip(design.penalty, coefficients, strict=True)) / 2
    value += pseudo[0] * np.log(sad).sum() + pseudo[1] * np.log(happy).sum()
    share = data.label if np.isinf(he_weight) else 1 / (1 + np.exp(-quality))
    for i, p in enumerate(share):
        for k in range(len(sad)):
            value += data.counts[i, k] * np.log((1 - p) * sad[k] + p * happy[k])
        if he_weight < np.inf:
            value -= he_weight / 2 * (quality[i] - logit(data.label[i])) ** 2
    return value


def off_the_mode(data, he_weight, design, pseudo=(1.0, 1.0)):
    """A problem and a state some way off its mode."""
    rng = np.random.default_rng(4)
    fit = fit_design(data, design, he_weight, pseudo=pseudo)
    moved = fit.coefficients + 0.1 * rng.standard_normal(len(fit.coefficients))
    quality = fit.state.quality + (0.1 * rng.standard_normal(len(data.label)) if he_weight < np.inf else 0)
    return fit.problem, additive_state(fit.problem, moved, quality, expit(quality), expit(-quality))


def test_ordered_levels_are_in_the_order_that_the_events_were_counted_in():
    rng = np.random.default_rng(34)
    events = pd.DataFrame(
        {"group": rng.integers(0, 40, 4000), "size": rng.choice(["low", "mid", "high"], 4000)}
    )
    events["sex"] = rng.choice(["f", "m"], 4000)
    labels = pd.DataFrame({"group": range(40), "label": rng.uniform(0.2, 0.8, 40)})
    order = {"size": ["low", "mid", "high"]}
    by_hand = fitting.fit(
        "additive", GroupedCounts.from_events(events, labels, ["sex", "size"]), ordered=order
    )
    categories = events.assign(size=pd.Categorical(events["size"], order["size"], ordered=True))
    for data in (
        GroupedCounts.from_events(events, labels, ["sex", "size"], order=order),
        GroupedCounts.from_events(categories, labels, ["sex", "size"]),
    ):
        found = fitting.fit("additive", data, ordered=["size"])
        assert found.settings["ordered"] == order and not found.remarks
        effects = found.effects().set_index("level")["log_odds"]
        assert effects[order["size"]].to_numpy() == pytest.approx(
            by_hand.effects().set_index("level")["log_odds"][order["size"]].to_numpy(), abs=1e-9
        )
    with pytest.warns(
        UserWarning, match="'size' are taken in the order of the alphabet, 'high', 'low', 'mid'"
    ):
        fitting.fit("additive", GroupedCounts.from_events(events, labels, ["sex", "size"]), ordered=["size"])


@pytest.mark.parametrize("pseudo", [(1.0, 1.0), (0.4, 1.6)])
@pytest.mark.parametrize("he_weight", WEIGHTS)
def test_the_objective_is_the_literal_one(data, he_weight, pseudo):
    design = additive_design(data.bins, ordered=["a"])
    problem, state = off_the_mode(data, he_weight, design, pseudo)
    expected = literal_objective(data, he_weight, design, state.coefficients, state.quality, pseudo)
    assert problem.objective(state) == pytest.approx(expected, rel=1e-12)
    assert problem.expectation(state).objective == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("pseudo", [(1.0, 1.0), (0.4, 1.6)])
@pytest.mark.parametrize("he_weight", [1, 10, np.inf])
def test_newtons_step_solves_the_whole_system_by_differences(he_weight, pseudo):
    """In beta and mu together, where the package has mu eliminated: gradient, Hessian and Schur term."""
    data = simulated(2, (2, 2), n_groups=5)
    design = additive_design(data.bins)
    problem, state = off_the_mode(data, he_weight, design, pseudo)
    n_free = len(state.coefficients)
    point = state.coefficients
    if he_weight < np.inf:
        point = np.concatenate([point, state.quality])

    def value(point):
        quality = point[n_free:] if he_weight < np.inf else state.quality
        return literal_objective(data, he_weight, design, point[:n_free], quality, pseudo)

    step = 2e-3
    moves = step * np.eye(len(point))
    # Five points for each first derivative; second derivatives by extrapolated differences.
    gradient = np.array(
        [
            (8 * (value(point + m) - value(point - m)) - value(point + 2 * m) + value(point - 2 * m))
            / 12
            / step
            for m in moves
        ]
    )

    def mixed(one, other):
        corners = [value(point + s * one + t * other) * s * t for s in (1, -1) for t in (1, -1)]
        return sum(corners) / (4 * step**2)

    hessian = np.array([[(4 * mixed(a, b) - mixed(2 * a, 2 * b) / 4) / 3 for b in moves] for a in moves])
    at = profile_curvature(problem, state)
    if np.isinf(he_weight):
        np.testing.assert_allclose(at.gradient, gradient, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(at.hessian, hessian, rtol=1e-5, atol=1e-4)
    else:
        coupled = np.linalg.solve(hessian[n_free:, n_free:], hessian[n_free:, :n_free])
        reduced = hessian[:n_free, :n_free] - hessian[:n_free, n_free:] @ coupled
        np.testing.assert_allclose(at.hessian, reduced, rtol=1e-4, atol=1e-3)
        np.testing.assert_allclose(
            at.gradient, gradient[:n_free] - coupled.T @ gradient[n_free:], rtol=1e-5, atol=1e-5
        )
    expected = np.linalg.solve(-hessian, gradient)
    quality, coefficients = additive_newton_step(problem, state)
    found = np.concatenate([coefficients, quality]) if he_weight < np.inf else coefficients
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("he_weight", [10, np.inf])
def test_a_step_is_a_part_of_its_direction(data, he_weight):
    problem, state = off_the_mode(data, he_weight, additive_design(data.bins))
    rng = np.random.default_rng(3)
    quality, coefficients = rng.standard_normal(len(data.label)), rng.standard_normal(len(state.coefficients))
    moved = additive_step_along(problem, state, (quality, coefficients), 0.5)
    np.testing.assert_allclose(moved.coefficients, state.coefficients + coefficients / 2, rtol=1e-12)
    quality = state.quality + (quality / 2 if he_weight < np.inf else 0)
    np.testing.assert_allclose(moved.quality, quality, rtol=1e-12)
    np.testing.assert_allclose(moved.share, expit(quality), rtol=1e-12)
    np.testing.assert_allclose(moved.complement, expit(-quality), rtol=1e-12)


@pytest.mark.parametrize("he_weight", [1, np.inf])
def test_a_fit_goes_on_from_a_state(data, he_weight):
    fit = additive(data, he_weight, tolerance=1e-11)
    again = additive(data, he_weight, start_at=fit.state)
    assert again.objective[0] == pytest.approx(fit.objective[-1], rel=1e-12)
    assert again.objective[0] > additive(data, he_weight).objective[0]


@pytest.mark.parametrize("he_weight", [1, 10, np.inf])
def test_a_general_optimiser_of_w0_and_beta_finds_the_same_mode(he_weight):
    """beta without an intercept, w0 and mu free: no weight eliminated, w1 normalised by its sum."""
    data = simulated(3, (3, 2), n_groups=12, clicks=20)
    design = additive_design(data.bins, ordered=["a"])
    columns, penalty = design.columns.toarray()[:, 1:], design.penalty[1:]
    n_free, n_bins, evaluation = len(penalty), len(data.bins), logit(data.label)

    def objective(point):
        mu = evaluation if np.isinf(he_weight) else point[n_free + n_bins :]
        coefficients = point[:n_free]
        sad = np.exp(point[n_free : n_free + n_bins])
        sad = sad / sad.sum()
        happy = sad * np.exp(columns @ coefficients)
        happy = happy / happy.sum()
        share = (1 / (1 + np.exp(-mu)))[:, None]
        value = (data.counts * np.log((1 - share) * sad + share * happy)).sum()
        value += np.log(sad).sum() + np.log(happy).sum() - (penalty * coefficients**2).sum() / 2
        if he_weight < np.inf:
            value -= he_weight / 2 * ((mu - evaluation) ** 2).sum()
        return value

    begin = np.zeros(n_free + n_bins + (len(evaluation) if he_weight < np.inf else 0))
    fit = additive(data, he_weight, ordered=["a"], tolerance=1e-11)
    begin[:n_free] = direct_regression(data, design)[1:]
    if he_weight < np.inf:
        begin[n_free + n_bins :] = evaluation
    best, value = maximum(objective, begin)
    assert fit.objective[-1] == pytest.approx(value, abs=1e-8)
    np.testing.assert_allclose(fit.coefficients[1:], best[:n_free], atol=2e-5)
    sad = np.exp(best[n_free : n_free + n_bins])
    np.testing.assert_allclose(fit.sad, sad / sad.sum(), atol=1e-6)
    happy = sad * np.exp(columns @ best[:n_free])
    np.testing.assert_allclose(fit.happy, happy / happy.sum(), atol=1e-6)
    assert fit.sad.sum() == pytest.approx(1) and fit.happy.sum() == pytest.approx(1)
    # The answer is (4.8) at the mode where the columns leave every bin free, and near it otherwise.
    expectation = fit.problem.expectation(fit.state)
    left = (1 + expectation.by_bin) - (2 + data.totals) * fit.posterior
    np.testing.assert_allclose(design.columns.T @ left, design.penalty * fit.coefficients, atol=1e-5)


def direct_regression(data, design):
    """beta of the logistic regression of the labels, by a general optimiser."""
    columns = design.columns.toarray()
    happy, events = 1 + data.label @ data.counts, 2 + data.totals

    def minus(beta):
        log_odds = columns @ beta
        return (
            -happy @ log_odds + events @ np.logaddexp(0, log_odds) + design.penalty @ beta**2 / 2,
            columns.T @ (events * expit(log_odds) - happy) + design.penalty * beta,
        )

    return minimize(minus, np.zeros(len(design.penalty)), jac=True, method="BFGS").x


def test_the_start_is_the_logistic_regression_of_the_labels(data):
    design = additive_design(data.bins)
    with pytest.warns(ConvergenceWarning):
        fit = additive(data, max_iterations=1)
    np.testing.assert_allclose(fit.coefficients, direct_regression(data, design), atol=1e-4)


# --- the regression of the M-step


def regressed(columns, penalty, happy, events, guess):
    """(beta, how many steps): the package's regression, pseudo-observations included in the events."""
    design = Design(np.atleast_2d(columns).T, np.atleast_1d(penalty))
    steps = []

    def solve(*system):
        steps.append(system)
        return design.solve(*system)

    counted = SimpleNamespace(
        columns=design.columns, penalty=design.penalty, log_odds=design.log_odds, solve=solve
    )
    problem = SimpleNamespace(design=counted, weighed=np.asarray(events), pseudo_happy=1.0)
    return regression(problem, np.asarray(happy) - 1.0, np.atleast_1d(guess)), len(steps)


@pytest.mark.parametrize("guess", [-12.0, -4.0, 0.0, 8.0])
def test_the_regression_of_one_bin_is_the_logit_of_its_rate_from_any_start(guess):
    """From 8, where sigma is flat, a whole step of Newton's would lead 1,000 beyond."""
    found, steps = regressed([1.0], 0.0, [4.0], [10.0], guess)
    assert found[0] == pytest.approx(logit(0.4), abs=1e-12) and steps <= 40
    assert regressed([1.0], 0.0, [4.0], [10.0], logit(0.4) + 0.01)[1] <= 4


@pytest.mark.parametrize("penalty", [0.5, 4.0])
def test_the_regression_weighs_its_penalty_on_the_way_too(penalty):
    """From where a weaker or a stronger penalty would have its mode, and from afar."""

    def slope(beta, weaker):
        return 2.5 - 3 * expit(beta) - weaker * penalty * beta

    root, *starts = (brentq(slope, -9, 9, (part,), xtol=1e-15) for part in (1, 2 / 3, 1.5))
    for start in [*starts, 30.0, -30.0]:
        found, steps = regressed([1.0], penalty, [2.5], [3.0], start)
        assert found[0] == pytest.approx(root, abs=1e-10) and steps <= 12


# --- Newton against EM, and the saturated design against latent


DESIGNS = {
    "three factors": ((5, 3, 2), (), 0.3),
    "ordered": ((4, 3), ("a",), 0.1),
    "line": ((6,), "a", 0.0),
}


@pytest.mark.parametrize(
    ("he_weight", "clicks", "design"),
    [
        (np.inf, 5, "three factors"),
        (np.inf, 100, "three factors"),
        (np.inf, 100, "ordered"),
        (np.inf, 5, "line"),
        (10, 5, "ordered"),
        (10, 100, "three factors"),
        (10, 100, "line"),
        (1, 5, "line"),
        (1, 100, "ordered"),
        (0.1, 5, "ordered"),
    ],
)
def test_newton_is_em_run_to_the_end(he_weight, clicks, design):
    sizes, ordered, deviation_sd = DESIGNS[design]
    data = simulated(7, sizes, n_groups=60, clicks=clicks)
    settings = {"he_weight": he_weight, "ordered": ordered, "deviation_sd": deviation_sd}
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        em = additive(data, **settings, tolerance=1e-11, max_iterations=50_000, solver="em")
        newton = additive(data, **settings)
    np.testing.assert_allclose(newton.posterior, em.posterior, atol=1e-8, rtol=0)
    np.testing.assert_allclose(newton.share, em.share, atol=1e-7, rtol=0)
    assert newton.objective[-1] == pytest.approx(em.objective[-1], abs=1e-9, rel=1e-13)
    assert newton.iterations < em.iterations


@pytest.mark.parametrize(
    ("he_weight", "solver"), [*((weight, "newton") for weight in WEIGHTS), (10, "em"), (np.inf, "em")]
)
def test_a_free_column_a_bin_is_latent(data, he_weight, solver):
    n_bins = len(data.bins)
    free = Design(np.eye(n_bins), np.zeros(n_bins))
    expected = latent(data, he_weight, tolerance=1e-11)
    fit = fit_design(data, free, he_weight, tolerance=1e-11, solver=solver)
    np.testing.assert_allclose(fit.posterior, expected.posterior, atol=1e-8, rtol=0)
    np.testing.assert_allclose(fit.happy, expected.happy, atol=1e-8, rtol=0)
    np.testing.assert_allclose(fit.share, expected.share, atol=1e-8, rtol=0)
    assert fit.objective[-1] == pytest.approx(expected.objective[-1], abs=1e-9, rel=1e-13)


def test_zero_weight_takes_the_same_steps_as_latent(data):
    n_bins = len(data.bins)
    free = Design(np.eye(n_bins), np.zeros(n_bins))
    with pytest.warns(ConvergenceWarning):
        fit = fit_design(data, free, 0, max_iterations=30)
    with pytest.warns(ConvergenceWarning):
        # The regression's rate follows the weights; (4.8) is an M-step ahead of them.
        expected = latent(data, 0, max_iterations=29, solver="em")
    np.testing.assert_allclose(fit.posterior, expected.posterior, atol=1e-9, rtol=0)


def test_one_mode_at_infinite_weight(data):
    fit = additive(data, tolerance=1e-11)
    problem, rng = fit.problem, np.random.default_rng(9)
    for _ in range(20):
        begin = additive_state(
            problem,
            2 * rng.standard_normal(len(fit.coefficients)),
            problem.evaluation,
            data.label,
            1 - data.label,
        )
        other = additive(data, tolerance=1e-11, start_at=begin)
        np.testing.assert_allclose(other.posterior, fit.posterior, atol=1e-8)


# --- what may never be


@st.composite
def tables(draw):
    sizes = draw(st.sampled_from([(2, 2), (3, 2), (4,)]))
    n_groups, n_bins = draw(st.integers(1, 5)), int(np.prod(sizes))
    cell = st.one_of(st.just(0), st.integers(0, 8), st.integers(0, 2000))
    row = st.lists(cell, min_size=n_bins, max_size=n_bins).filter(any)
    counts = draw(st.lists(row, min_size=n_groups, max_size=n_groups))
    label = draw(st.lists(st.floats(0.001, 0.999), min_size=n_groups, max_size=n_groups))
    return GroupedCounts(counts, label, bins=crossed(*sizes))


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(
    data=tables(),
    he_weight=st.sampled_from([0, 1e-3, 0.05, 1, 10, 1e3, np.inf]),
    solver=st.sampled_from(["em", "newton"]),
    prior=st.sampled_from(["half", "mean"]),
)
def test_the_objective_never_falls(data, he_weight, solver, prior):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        fit = additive(data, he_weight, max_iterations=25, solver=solver, prior=prior)
    rise = np.diff(fit.objective)
    assert np.all(rise >= -1e-11 * (1 + np.abs(fit.objective[:-1])))
    assert np.all((fit.posterior > 0) & (fit.posterior < 1))
    assert fit.happy.sum() == pytest.approx(1) and fit.sad.sum() == pytest.approx(1)


@pytest.mark.parametrize("he_weight", WEIGHTS)
def test_groups_and_bins_in_another_order(data, he_weight):
    rng = np.random.default_rng(0)
    groups, bins = rng.permutation(len(data.label)), rng.permutation(len(data.bins))
    moved = GroupedCounts(
        data.counts[np.ix_(groups, bins)],
        data.label[groups],
        bins=data.bins.iloc[bins].reset_index(drop=True),
    )
    fit, expected = additive(moved, he_weight), additive(data, he_weight)
    np.testing.assert_allclose(fit.posterior, expected.posterior[bins], atol=1e-8)
    np.testing.assert_allclose(fit.share, expected.share[groups], atol=1e-7)
    pd.testing.assert_frame_equal(fit.effects(), expected.effects(), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("he_weight", [1, np.inf])
def test_the_size_of_a_block_does_not_matter(data, monkeypatch, he_weight):
    whole = additive(data, he_weight, tolerance=1e-10)
    errors = information_standard_errors(data, additive_influence(data, whole))
    monkeypatch.setattr("wsclust.group_parts.BLOCK_GROUPS", 7)
    np.testing.assert_allclose(
        additive(data, he_weight, tolerance=1e-10).posterior, whole.posterior, atol=1e-9
    )
    np.testing.assert_allclose(
        information_standard_errors(data, additive_influence(data, whole)), errors, rtol=1e-9
    )


# --- closed forms


def test_two_levels_of_equal_frequency():
    """Two groups, labels p and 1 - p, mirrored counts: rho_2 = 1 - rho_1, and the group's mix fixes rho.

    The pseudo-observations are two of many events, and rho's prior is flat beside N(0, 10^2).
    """
    p, n = 0.8, 1e7
    rate = 0.7  # P(happy | first bin), so that w1 = (.7, .3) and w0 = (.3, .7)
    first = p * rate + (1 - p) * (1 - rate)
    counts = n * np.array([[first, 1 - first], [1 - first, first]])
    data = GroupedCounts(counts, [p, 1 - p], bins=crossed(2))
    fit = additive(data, ordered=(), deviation_sd=0)
    np.testing.assert_allclose(fit.posterior, [rate, 1 - rate], atol=1e-6)
    effects = fit.effects()["log_odds"].to_numpy()
    np.testing.assert_allclose(effects, [logit(rate), -logit(rate)], atol=1e-5)


def test_two_levels_of_equal_frequency_with_the_pseudo_observations():
    """Of one free parameter the mode is where its own equation has a root, by brentq."""
    p, counts = 0.8, np.array([[13.0, 7.0], [7.0, 13.0]])
    data = GroupedCounts(counts, [p, 1 - p], bins=crossed(2))

    def slope(log_odds):  # of the objective at coefficients (0, b, -b), zeta = (b, -b)
        rate = expit(log_odds)
        happy = sum(
            counts[i, 0] * s * rate / (s * rate + (1 - s) * (1 - rate)) for i, s in enumerate([p, 1 - p])
        )
        # Two bins, mirrored: both give the same equation, whose penalty is of b alone.
        return (1 + happy) - (2 + counts[:, 0].sum()) * rate - log_odds / 10**2

    root = brentq(slope, 0.01, 5, xtol=1e-14)
    fit = additive(data, deviation_sd=0, tolerance=1e-12)
    np.testing.assert_allclose(fit.posterior, expit([root, -root]), atol=1e-9)


# --- designs, effects and bins never seen


def test_deviations_tend_to_latent_as_they_are_freed(data):
    far = np.abs(additive(data, deviation_sd=0.1).posterior - latent(data, np.inf).posterior).max()
    near = np.abs(additive(data, deviation_sd=100).posterior - latent(data, np.inf).posterior).max()
    assert near < 1e-3 < far


def test_posterior_without_deviations_is_a_sum_of_effects(data):
    fit = additive(data, deviation_sd=0)
    log_odds = logit(fit.posterior).reshape(4, 3)
    interaction = log_odds - log_odds.mean(axis=0) - log_odds.mean(axis=1)[:, None] + log_odds.mean()
    np.testing.assert_allclose(interaction, 0, atol=1e-12)
    effects = fit.effects().set_index(["factor", "level"])["log_odds"]
    np.testing.assert_allclose(effects["a"], log_odds.mean(axis=1) - log_odds.mean(), atol=1e-9)
    np.testing.assert_allclose(effects["b"], log_odds.mean(axis=0) - log_odds.mean(), atol=1e-9)


@pytest.mark.parametrize("settings", [{}, {"ordered": ["a"]}, {"numeric": {"a": np.arange(12) // 3 * 0.7}}])
def test_predicted_bins_that_were_seen_are_the_posterior(data, settings):
    fit = additive(data, **settings)
    shuffled = data.bins.iloc[::-1][["b", "a"]]
    np.testing.assert_allclose(fit.predict_bins(shuffled), fit.posterior[::-1], rtol=1e-12)


@pytest.mark.parametrize("ordered", [{}, {"ordered": ["a"]}, {"numeric": {"a": np.arange(12) // 3 * 0.7}}])
def test_effects_are_against_the_mean_over_the_levels(data, ordered):
    fit = additive(data, deviation_sd=0, **ordered)
    effects = fit.effects().set_index(["factor", "level"])["log_odds"]
    log_odds = logit(fit.predict_bins(pd.DataFrame({"a": list("0123"), "b": "1"})))
    np.testing.assert_allclose(effects["a"], log_odds - log_odds.mean(), atol=1e-12)
    assert effects["b"].sum() == pytest.approx(0, abs=1e-12)
    # At a mode the coefficients of a factor's levels sum to zero anyhow; elsewhere they need not.
    moved = replace(fit.state, coefficients=fit.coefficients + np.arange(len(fit.coefficients)))
    effects = replace(fit, state=moved).effects().groupby("factor")["log_odds"]
    np.testing.assert_allclose(effects.mean(), 0, atol=1e-12)
    assert (effects.std() > 0.1).all()


def test_a_design_without_factors_has_no_effects(data):
    fit = fit_design(data, Design(np.eye(12), np.zeros(12)), tolerance=1e-3)
    effects = fit.effects()
    assert len(effects) == 0 and list(effects) == ["factor", "level", "log_odds", "se"]


def test_columns_of_an_ordered_factor_are_the_standardised_number_and_its_levels():
    """Its place in the order, or the mean of its bins where numbers are given."""
    column = pd.Series(["low", "high", "middle", "low"])
    factor = along_a_line("a", column, 10.0, 0.3, order=["low", "middle", "high", "never"])
    number = np.array([-1.0, 0.0, 1.0]) / np.sqrt(2 / 3)
    np.testing.assert_allclose(factor.by_level.toarray(), np.column_stack([number, np.eye(3)]))
    np.testing.assert_allclose(factor.by_bin.toarray(), factor.by_level.toarray()[[0, 2, 1, 0]])
    assert list(factor.levels) == ["low", "middle", "high"] and factor.sds.tolist() == [10, 0.3, 0.3, 0.3]
    means = along_a_line("a", column, 10.0, 0.3, ["low", "middle", "high"], [2.0, 9.0, 6.0, 4.0])
    np.testing.assert_allclose(means.by_level.toarray()[:, 0], (np.array([3, 6, 9]) - 6) / np.sqrt(6))
    np.testing.assert_allclose(means.by_bin.toarray()[:, 0], (np.array([2, 9, 6, 4]) - 6) / np.sqrt(6))


def test_the_levels_of_a_categorical_are_those_that_occur_in_its_order():
    column = pd.Series(pd.Categorical(["b", "a", "b"], ["c", "b", "a"]))
    assert list(level_order("x", column)) == ["b", "a"]
    with pytest.raises(ValueError) as caught:
        level_order("x", pd.Series(["b", "a", "b"]), ["b"])
    assert str(caught.value) == "ordered: factor 'x': the order has no level 'a'; give each level once"


def test_a_factor_named_by_a_word_is_ordered_as_a_list_of_it_is():
    bins = pd.DataFrame({"age": ["old", "young", "middle"]})
    one, listed = additive_design(bins, "age"), additive_design(bins, ["age"])
    np.testing.assert_array_equal(one.columns.toarray(), listed.columns.toarray())


@pytest.mark.parametrize(
    ("sizes", "deviation_sd", "deviations"),
    [((3, 2), 0.3, True), ((3, 2), 0, False), ((3, 2), 1e-3, True), ((4,), 0.3, False), ((4,), 0, False)],
)
def test_bins_have_columns_of_their_own_unless_they_are_the_levels_of_one_factor(
    sizes, deviation_sd, deviations
):
    design = additive_design(crossed(*sizes), deviation_sd=deviation_sd)
    assert design.deviations == deviations
    n_bins = int(np.prod(sizes))
    assert design.columns.shape[1] == 1 + sum(sizes) + deviations * n_bins
    if deviations:
        np.testing.assert_array_equal(design.columns.toarray()[:, -n_bins:], np.eye(n_bins))
        np.testing.assert_allclose(design.penalty[-n_bins:], deviation_sd**-2.0)


def test_one_ordered_factor_and_bins_given_twice_have_deviations():
    """An ordered factor has a column more than it has levels; the bins of one level given twice are two."""
    assert additive_design(crossed(4), "a").deviations
    assert additive_design(pd.DataFrame({"a": ["x", "y", "x"]})).deviations


def test_bins_never_seen_are_the_sum_of_their_effects(data):
    keep = np.arange(12) != 5  # a = 1, b = 2
    part = GroupedCounts(data.counts[:, keep], data.label, bins=data.bins[keep].reset_index(drop=True))
    fit = additive(part)
    new = pd.DataFrame({"a": ["1", "1", "9"], "b": ["2", "0", "0"]})
    effects = fit.effects().set_index(["factor", "level"])["log_odds"]
    found = fit.predict_bins(new)
    base = fit.coefficients[0]
    assert logit(found[0]) == pytest.approx(base + effects["a", "1"] + effects["b", "2"], abs=1e-6)
    assert found[1] == pytest.approx(fit.posterior[3]) and np.isnan(found[2])
    with pytest.raises(ValueError) as caught:
        fit.predict_bins(new[["a"]].assign(c="0"))
    assert str(caught.value) == "bins to predict: no column 'b'; there are a, c"
    with pytest.raises(ValueError) as caught:
        predicted_log_odds(Design(np.eye(11), np.ones(11)), np.zeros(11), part.bins, new)
    assert str(caught.value) == (
        "a design given as a matrix has no factors to predict from; fit bins that have"
    )


def test_a_level_of_few_events_or_groups_has_no_standard_error(data):
    few = np.zeros((len(data.counts), 2))
    few[:30, 0] = 0.3  # nine events after weights, in thirty groups
    few[:4, 1] = 50  # many events, in four groups
    bins = pd.concat([data.bins, pd.DataFrame({"a": ["rare", "lumped"], "b": ["0", "0"]})], ignore_index=True)
    fit = fitting.additive(GroupedCounts(np.hstack([data.counts, few]), data.label, bins=bins))
    effects = fit.effects()
    np.testing.assert_array_equal(effects["se"].isna(), effects["level"].isin(["rare", "lumped"]))
    assert effects["log_odds"].notna().all()


def test_a_numeric_column_that_is_no_factor(data):
    price = np.random.default_rng(2).normal(5, 2, 12)
    fit = additive(data, numeric={"price": price})
    frame = data.bins.assign(price=price)
    np.testing.assert_allclose(fit.predict_bins(frame), fit.posterior, rtol=1e-12)
    as_objects = fit.predict_bins(
        frame.astype({"price": object})
    )  # as where a column was read with other things
    np.testing.assert_array_equal(as_objects, fit.predict_bins(frame))
    np.testing.assert_array_equal(
        additive(data, numeric={"price": price.astype(object)}).posterior, fit.posterior
    )
    slope = fit.effects().set_index("factor").loc["price"]
    dearer = frame.assign(price=price + price.std())
    moved = logit(fit.predict_bins(dearer)) - logit(fit.predict_bins(frame))
    np.testing.assert_allclose(moved, slope["log_odds"], rtol=1e-9)
    assert slope["level"] == "+1 SD"


def test_an_ordered_factor_is_pulled_to_a_line():
    bins = crossed(6)
    design = additive_design(bins, ordered="a", deviation_sd=0, ordered_sd=1e-4)
    counts = np.random.default_rng(1).integers(20, 60, (30, 6))
    fit = fit_design(GroupedCounts(counts, np.linspace(0.2, 0.8, 30), bins=bins), design)
    line = fit.coefficients[0] + fit.coefficients[1] * design.columns.toarray()[:, 1]
    np.testing.assert_allclose(logit(fit.posterior), line, atol=0.02)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ordered": ["z"]}, "ordered: no factor 'z'; there are a, b"),
        (
            {"ordered": {"a": ["0", "1"]}},
            "^ordered: factor 'a': the order has no level '2'; give each level once$",
        ),
        (
            {"ordered": {"a": ["0", "1", "2", "3", "3"]}},
            "^ordered: factor 'a': the order has a level twice; give each level once$",
        ),
        ({"ordered": "a", "numeric": {"a": np.zeros(12)}}, "is ordered and numeric"),
        (
            {"numeric": {"a": np.zeros(3)}},
            "numeric 'a': 3 means, of which 3 are finite; expected a finite one for each",
        ),
        ({"numeric": {"c": [np.nan] * 12}}, "numeric 'c': 12 means, of which 0 are finite; expected"),
        ({"deviation_sd": -1}, "deviation_sd=-1: expected"),
        ({"deviation_sd": np.inf}, "deviation_sd=inf: expected 0, or a number from 1e-06 to 1,000,000"),
        ({"main_sd": 0}, "main_sd=0: expected"),
        ({"main_sd": 1e-160}, "main_sd=1e-160: expected"),
        ({"ordered_sd": np.inf}, "ordered_sd=inf: expected a number from 1e-06 to 1,000,000"),
        ({"he_weight": -1}, "he_weight=-1: expected"),
        ({"prior": "third"}, "prior=third: expected"),
        ({"pseudo_events": 0}, "pseudo_events=0: expected"),
    ],
)
def test_what_is_refused(data, settings, message):
    with pytest.raises(ValueError, match=message) as caught:
        additive(data, max_iterations=2, **settings)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("sizes", [(4, 3), (900, 2)])
def test_effects_that_are_too_free_for_floats_are_refused(sizes):
    bins = pd.DataFrame({name: np.arange(max(sizes)).astype(str) for name in "ab"})
    bins["b"] = (np.arange(max(sizes)) % sizes[1]).astype(str)
    counts = np.full((2, len(bins)), 1e9)
    counts[0, ::2] *= 2
    with pytest.raises(ValueError, match="main_sd, ordered_sd or deviation_sd is too large beside so many"):
        additive(GroupedCounts(counts, [0.2, 0.8], bins=bins), main_sd=1e6, deviation_sd=1e6)


@pytest.mark.parametrize(
    ("sizes", "deviation_sd"), [((4, 3), 0.3), ((20, 6), 0.3), ((300, 2), 0), ((900,), 0.3)]
)
@pytest.mark.parametrize("ordered", [(), ("a",)])
@pytest.mark.parametrize("block", [True, False])
def test_designs_of_every_size_are_solved(monkeypatch, sizes, deviation_sd, ordered, block):
    """Dense, sparse with a dense factor, sparse, and by a block of levels: the normal equations, written out."""
    bins = crossed(*sizes)
    design = additive_design(bins, ordered, deviation_sd=deviation_sd)
    if not block:
        monkeypatch.setattr("wsclust.estimators.design._FEW", np.inf)
    rng = np.random.default_rng(6)
    weights, right = rng.uniform(0.5, 5, len(bins)), rng.standard_normal(len(design.penalty))
    columns = design.columns.toarray()
    expected = np.linalg.solve((columns.T * weights) @ columns + np.diag(design.penalty), right)
    np.testing.assert_allclose(design.solve(weights, right), expected, rtol=1e-6, atol=1e-8)


# --- standard errors


def heavier(data, group, by):
    weight = np.ones(len(data.label))
    weight[group] += by
    return replace(data, counts=data.counts * weight[:, None])


def test_influence_is_the_derivative_in_a_groups_weight(data):
    fit = additive(data, ordered="a", tolerance=1e-12)
    (influence,) = additive_influence(None, fit)
    (of_beta,) = coefficient_influences(
        fit.problem, fit.state, Design(np.eye(len(fit.coefficients)), 0).columns
    )
    for group in (0, 17, 59):
        up, down = (additive(heavier(data, group, by), ordered="a", tolerance=1e-12) for by in (1e-3, -1e-3))
        np.testing.assert_allclose(influence[group], (up.posterior - down.posterior) / 2e-3, atol=1e-6)
        np.testing.assert_allclose(of_beta[group], (up.coefficients - down.coefficients) / 2e-3, atol=1e-5)


@pytest.mark.parametrize("he_weight", [1, 10])
def test_influence_with_free_qualities_is_that_of_a_group_more(data, he_weight):
    many = 40
    counts, label = np.vstack([data.counts] * many), np.tile(data.label, many)
    fit = additive(GroupedCounts(counts, label, bins=data.bins), he_weight, tolerance=1e-12)
    influence = np.vstack(list(additive_influence(None, fit)))
    for group in (3, 21):
        more = GroupedCounts(
            np.vstack([counts, counts[[group]]]), np.append(label, label[group]), bins=data.bins
        )
        moved = additive(more, he_weight, tolerance=1e-12).posterior - fit.posterior
        np.testing.assert_allclose(moved, influence[group], rtol=0.05, atol=2e-6)


@pytest.mark.parametrize("he_weight", [10, np.inf])
def test_errors_are_near_the_jackknife(data, he_weight):
    fit = additive(data, he_weight)
    n_groups = len(data.label)
    left_out = [additive(data.subset(np.arange(n_groups) != i), he_weight) for i in range(n_groups)]

    def jackknife(values):
        return np.sqrt((n_groups - 1) * np.var(values, axis=0))

    found = information_standard_errors(data, additive_influence(data, fit))
    np.testing.assert_allclose(found, jackknife([f.posterior for f in left_out]), rtol=0.15)
    effects = np.array([f.effects()["log_odds"] for f in left_out])
    np.testing.assert_allclose(fit.effects()["se"], jackknife(effects), rtol=0.15)


def test_no_errors_at_weight_zero(data):
    with pytest.warns(ConvergenceWarning):
        fit = additive(data, 0, max_iterations=20)
    assert fit.effects()["se"].isna().all() and fit.effects()["se"].dtype == float
    with pytest.raises(ValueError, match="not identified"):
        list(additive_influence(data, fit))


# --- the prior at the mean label


@pytest.mark.parametrize("estimate", [direct, latent, additive])
def test_half_and_two_events_are_the_default(data, estimate):
    explicit = estimate(data, prior="half", pseudo_events=2)
    np.testing.assert_array_equal(explicit.posterior, estimate(data).posterior)


def test_rare_bins_lean_to_the_mean_label(data):
    label = data.label * 0.1
    counts = data.counts.copy()
    counts[:, 0] = 0
    rare = GroupedCounts(counts, label, bins=data.bins)
    assert direct(rare).posterior[0] == 0.5
    assert direct(rare, prior="mean").posterior[0] == pytest.approx(rare.mean_label)
    assert latent(rare, np.inf).posterior[0] == pytest.approx(0.5)
    assert latent(rare, np.inf, prior="mean").posterior[0] == pytest.approx(rare.mean_label)


@pytest.mark.parametrize("solver", ["em", "newton"])
@pytest.mark.parametrize("he_weight", [1, np.inf])
def test_the_prior_is_a_dirichlet_one(small, he_weight, solver):
    """At the mode of latent no move within the simplex raises the objective with its two logarithms."""
    data, number = small[2], 5.0
    fit = latent(data, he_weight, tolerance=1e-11, solver=solver, prior="mean", pseudo_events=number)
    pi = data.mean_label

    def objective(sad, happy):
        share = fit.share[:, None]
        value = (data.counts * np.log((1 - share) * sad + share * happy)).sum()
        return value + number * ((1 - pi) * np.log(sad).sum() + pi * np.log(happy).sum())

    n_bins = data.counts.shape[1]
    for k in range(n_bins - 1):
        move = np.zeros(n_bins)
        move[[k, -1]] = 1e-6, -1e-6
        for sad, happy in ((move, 0), (0, move)):
            ahead = objective(fit.sad + sad, fit.happy + happy)
            behind = objective(fit.sad - sad, fit.happy - happy)
            assert abs(ahead - behind) / 2e-6 < 1e-3
    n_happy = (
        data.counts
        * fit.share[:, None]
        * fit.happy
        / fit.state.mixture(slice(None), np.vstack([fit.sad, fit.happy]))
    ).sum(axis=0)
    np.testing.assert_allclose(fit.posterior, (number * pi + n_happy) / (number + data.totals), atol=1e-9)


@pytest.mark.parametrize("method", ["direct", "latent", "additive"])
def test_errors_with_a_prior_at_the_mean(data, method):
    estimate = {"direct": direct, "latent": latent, "additive": additive}[method]
    weight = {} if method == "direct" else {"he_weight": np.inf}
    settings = {} if method == "direct" else {**weight, "tolerance": 1e-12}
    fit = estimate(data, prior="mean", pseudo_events=5, **settings)
    influence = ESTIMATORS[method].influence
    found = information_standard_errors(data, influence(data, fit, prior="mean", pseudo_events=5, **weight))
    n_groups = len(data.label)
    left_out = [
        estimate(data.subset(np.arange(n_groups) != i), prior="mean", pseudo_events=5, **settings).posterior
        for i in range(n_groups)
    ]
    jackknife = np.sqrt((n_groups - 1) * np.var(left_out, axis=0))
    np.testing.assert_allclose(found, jackknife, rtol=0.15)


def test_pseudo_observations_are_in_the_proportion_of_the_prior(data):
    assert pseudo_observations(data) == (1.0, 1.0)
    assert pseudo_observations(data, pseudo_events=0.5) == (0.25, 0.25)
    sad, happy = pseudo_observations(data, "mean", 4)
    assert (sad + happy, happy) == pytest.approx((4, 4 * data.label @ data.sizes / data.sizes.sum()))
    with pytest.raises(ValueError) as caught:
        pseudo_observations(data, pseudo_events=np.inf)
    assert str(caught.value) == "pseudo_events=inf: expected a number above 0"


@pytest.mark.parametrize("label", [0, 1])
def test_no_prior_at_a_mean_of_all_or_nothing(label):
    data = GroupedCounts([[3, 1], [2, 2]], [label, label])
    with pytest.raises(ValueError, match=f"every label is {label}, .*use prior=half"):
        direct(data, prior="mean")


def test_a_problem_has_the_prior_of_its_design(data):
    """A design of one's own with pseudo-observations of one's own."""
    design = additive_design(data.bins)
    fit = fit_design(data, design, pseudo=(0.5, 2.5))
    assert isinstance(fit.problem, AdditiveProblem)
    left = 2.5 + fit.problem.expectation(fit.state).by_bin - (3 + data.totals) * fit.posterior
    np.testing.assert_allclose(design.columns.T @ left, design.penalty * fit.coefficients, atol=1e-5)


def test_the_prior_at_the_mean_reaches_the_additive_fit(data):
    fit = additive(data, prior="mean", pseudo_events=5)
    happy = 5 * data.mean_label + fit.problem.expectation(fit.state).by_bin
    slope = fit.design.columns.T @ (happy - (5 + data.totals) * fit.posterior)
    np.testing.assert_allclose(slope, fit.design.penalty * fit.coefficients, atol=1e-5)
