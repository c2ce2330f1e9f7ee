"""Slope and curvature of the objective: against a literal gradient, cell by cell, and its differences."""

import numpy as np
import pytest

from wsclust.counts import GroupedCounts
from wsclust.estimators.curvature import curvature_at, free, meets_quality, with_last
from wsclust.estimators.latent import latent
from wsclust.estimators.likelihood import Problem, with_quality
from wsclust.estimators.newton import newton_step, step_along

GROUPS, BINS = 9, 4
QUALITY, SAD, HAPPY = slice(0, GROUPS), slice(GROUPS, GROUPS + BINS), slice(GROUPS + BINS, None)
# Sums of w0 and of w1 stay as they are.
CONSTRAINTS = np.zeros((2, GROUPS + 2 * BINS))
CONSTRAINTS[0, SAD] = CONSTRAINTS[1, HAPPY] = 1


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(11)
    share = rng.uniform(0.2, 0.8, GROUPS)
    sad, happy = rng.dirichlet(np.full(BINS, 4.0)), rng.dirichlet(np.full(BINS, 4.0))
    counts = [rng.multinomial(60, (1 - p) * sad + p * happy) for p in share]
    return GroupedCounts(counts, np.clip(share + rng.normal(0, 0.05, GROUPS), 0.05, 0.95))


def literal_gradient(data, he_weight, point):
    """Derivatives of the objective in (mu, w0, w1), a loop over the cells."""
    quality, sad, happy = point[QUALITY], point[SAD], point[HAPPY]
    gradient = np.concatenate([np.zeros(GROUPS), 1 / sad, 1 / happy])
    for i in range(GROUPS):
        share = 1 / (1 + np.exp(-quality[i]))
        if np.isfinite(he_weight):
            label = data.label[i]
            gradient[i] -= he_weight * (quality[i] - np.log(label / (1 - label)))
        for k in range(BINS):
            ratio = data.counts[i, k] / ((1 - share) * sad[k] + share * happy[k])
            gradient[i] += share * (1 - share) * (happy[k] - sad[k]) * ratio
            gradient[GROUPS + k] += (1 - share) * ratio
            gradient[GROUPS + BINS + k] += share * ratio
    return gradient


def literal_hessian(data, he_weight, point, step=1e-5):
    columns = []
    for place in range(len(point)):
        move = np.zeros(len(point))
        move[place] = step
        ahead, behind = (literal_gradient(data, he_weight, point + sign * move) for sign in (1, -1))
        columns.append((ahead - behind) / (2 * step))
    return np.array(columns)


def near_the_mode(data, he_weight):
    """A state a little off the mode, as a point and as a State."""
    rng = np.random.default_rng(5)
    fit = latent(data, he_weight=he_weight, tolerance=1e-6, solver="em")
    quality = fit.state.quality + (0.05 * rng.standard_normal(GROUPS) if np.isfinite(he_weight) else 0)
    sad, happy = (weights * rng.uniform(0.95, 1.05, BINS) for weights in (fit.sad, fit.happy))
    sad, happy = sad / sad.sum(), happy / happy.sum()
    return np.concatenate([quality, sad, happy]), with_quality(quality, sad, happy)


@pytest.mark.parametrize("he_weight", [0.5, 10.0, np.inf])
def test_newtons_step_solves_the_whole_system(data, he_weight):
    point, state = near_the_mode(data, he_weight)
    gradient, hessian = literal_gradient(data, he_weight, point), literal_hessian(data, he_weight, point)
    constraints = CONSTRAINTS
    if np.isinf(he_weight):  # and the qualities too
        fixed = np.eye(GROUPS, len(point))
        constraints = np.vstack([CONSTRAINTS, fixed])
    n_constraints = len(constraints)
    system = np.block([[hessian, constraints.T], [constraints, np.zeros((n_constraints, n_constraints))]])
    expected = np.linalg.solve(system, np.append(-gradient, np.zeros(n_constraints)))[: len(point)]
    found = np.concatenate(newton_step(Problem(data, he_weight), state))
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("he_weight", [0.5, 10.0])
def test_eliminating_the_qualities_is_a_schur_complement(data, he_weight):
    point, state = near_the_mode(data, he_weight)
    gradient, hessian = literal_gradient(data, he_weight, point), literal_hessian(data, he_weight, point)
    across = hessian[QUALITY, GROUPS:]
    eliminated = np.linalg.solve(hessian[QUALITY, QUALITY], np.column_stack([across, gradient[QUALITY]]))
    at = curvature_at(Problem(data, he_weight), state)
    reduced = hessian[GROUPS:, GROUPS:] - across.T @ eliminated[:, :-1]
    np.testing.assert_allclose(at.hessian, reduced, rtol=1e-5, atol=1e-4)
    np.testing.assert_allclose(at.gradient, gradient[GROUPS:] - across.T @ eliminated[:, -1], rtol=1e-6)
    # What the information takes from it: the sums that mu_i meets.
    share = state.share
    curvature = data.counts / (np.outer(1 - share, state.sad) + np.outer(share, state.happy)) ** 2
    np.testing.assert_allclose(at.facing, share * (1 - share) @ curvature, rtol=1e-12)
    met = (share * (1 - share))[:, None] * np.tile(curvature, 2) * meets_quality(state)
    np.testing.assert_allclose(met, across, rtol=1e-5, atol=1e-6)


def test_no_step_where_a_quality_has_no_maximum():
    """Happy groups' clicks at qualities that say sad: on the way up, the likelihood of mu is convex."""
    data = GroupedCounts([[900, 100], [100, 900]], label=[0.5, 0.5])
    state = with_quality(np.array([-3.0, 3.0]), np.array([0.05, 0.95]), np.array([0.95, 0.05]))
    problem = Problem(data, 1e-3)
    assert curvature_at(problem, state) is None and newton_step(problem, state) is None
    assert curvature_at(Problem(data, 1e6), state) is not None


def test_changes_of_the_free_weights_keep_the_sums():
    changes = np.array([0.3, -0.1, 0.05, 0.2, 0.1, -0.4])
    both = with_last(changes)
    np.testing.assert_allclose(both.reshape(2, -1).sum(axis=1), 0, atol=1e-15)
    # What a change does to a linear function is its free derivatives times the free changes.
    slopes = np.arange(8.0) ** 2
    assert free(slopes) @ changes == pytest.approx(slopes @ both)


def test_a_step_that_leaves_the_simplex_is_none(data):
    _, state = near_the_mode(data, 10.0)
    direction = np.zeros(GROUPS), np.array([-1.0, 1.0, 0, 0]), np.zeros(BINS)
    assert step_along(Problem(data, 10.0), state, direction, 1.0) is None
    assert step_along(Problem(data, 10.0), state, direction, 1e-3) is not None


@pytest.mark.parametrize("place", ["sad", "happy"])
def test_a_step_on_to_the_edge_of_the_simplex_is_none(data, place):
    state = with_quality(np.zeros(GROUPS), *np.array([[0.25, 0.25, 0.25, 0.25], [0.5, 0.25, 0.125, 0.125]]))
    to_the_edge = np.array([-0.25, -0.25, 0.25, 0.25])
    direction = np.zeros(GROUPS), *((to_the_edge, np.zeros(BINS)) if place == "sad" else (0, to_the_edge))
    assert step_along(Problem(data, 10.0), state, direction, 1.0) is None
    assert step_along(Problem(data, 10.0), state, direction, 0.99) is not None


@pytest.mark.parametrize("he_weight", [10.0, np.inf])
def test_a_step_is_a_part_of_its_direction(data, he_weight):
    point, state = near_the_mode(data, he_weight)
    rng = np.random.default_rng(2)
    direction = (
        rng.standard_normal(GROUPS),
        0.01 * rng.standard_normal(BINS),
        0.01 * rng.standard_normal(BINS),
    )
    moved = step_along(Problem(data, he_weight), state, direction, 0.5)
    quality = point[QUALITY] + (0.5 * direction[0] if np.isfinite(he_weight) else 0)
    np.testing.assert_allclose(moved.quality, quality, rtol=1e-12)
    np.testing.assert_allclose(moved.share, 1 / (1 + np.exp(-quality)), rtol=1e-12)
    np.testing.assert_allclose(moved.complement, 1 / (1 + np.exp(quality)), rtol=1e-12)
    # Rounding, or as here a direction that does not sum to zero, leaves distributions that sum to one.
    for found, start, change in ((moved.sad, SAD, direction[1]), (moved.happy, HAPPY, direction[2])):
        whole = point[start] + 0.5 * change
        np.testing.assert_allclose(found, whole / whole.sum(), rtol=1e-12)


@pytest.mark.parametrize("he_weight", [10.0, np.inf])
def test_sums_are_over_all_blocks_of_groups(data, monkeypatch, he_weight):
    _, state = near_the_mode(data, he_weight)
    whole = curvature_at(Problem(data, he_weight), state)
    monkeypatch.setattr("wsclust.group_parts.BLOCK_GROUPS", 4)
    parts = curvature_at(Problem(data, he_weight), state)
    for name in ("gradient", "hessian", "facing", "coupling"):
        np.testing.assert_allclose(getattr(parts, name), getattr(whole, name), rtol=1e-9, atol=1e-9)


def test_qualities_are_eliminated_from_the_weight_on_at_which_each_has_a_maximum(data):
    """That is the largest second derivative of the log-likelihood in any of them."""
    point, _ = near_the_mode(data, 10.0)
    point[QUALITY] *= -2
    state = with_quality(point[QUALITY], point[SAD], point[HAPPY])
    edge = np.diag(literal_hessian(data, 0.0, point))[QUALITY].max()
    assert edge > 1
    assert curvature_at(Problem(data, edge - 0.01), state) is None
    assert curvature_at(Problem(data, edge + 0.01), state) is not None
