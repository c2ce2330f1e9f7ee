"""Standard errors by formula: against the change that a group's weight makes, and against simulation."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from replication.simulation.study import draw
from replication.simulation.truth_curves import truth
from wsclust.cells import GroupedCells
from wsclust.counts import GroupedCounts
from wsclust.estimators import information
from wsclust.estimators.direct import direct, direct_influence
from wsclust.estimators.information import information_standard_errors
from wsclust.estimators.latent import latent
from wsclust.estimators.latent_influence import latent_influence
from wsclust.estimators.moments import moments, moments_influence
from wsclust.intervals import normal_interval
from wsclust.registry import ESTIMATORS


def tight(he_weight):
    return lambda data: latent(data, he_weight=he_weight, tolerance=1e-12)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(3)
    return draw(truth("quadratic", 6, low=0.05, frequency_tilt=0.2), 60, 40, 0.3, lambda role: rng)


def test_influence_of_the_latent_fit_is_its_derivative_in_a_groups_weight(data):
    estimate = tight(np.inf)
    fit = estimate(data)
    (influence,) = latent_influence(data, fit, np.inf)
    for group in (0, 17, 59):
        weight = np.ones(60)
        weight[group] += 1e-4
        moved = estimate(replace(data, counts=data.counts * weight[:, None]))
        derivative = (moved.posterior - fit.posterior) / 1e-4
        np.testing.assert_allclose(influence[group], derivative, rtol=0, atol=2e-6)


@pytest.mark.parametrize("he_weight", [10.0, 1.0])
def test_influence_with_free_qualities_is_that_of_a_group_more(data, he_weight):
    """A group there twice: the data of many groups make that a small step."""
    estimate = tight(he_weight)
    many = 40
    base = GroupedCounts(np.vstack([data.counts] * many), np.tile(data.label, many))
    fit = estimate(base)
    influence = np.vstack(list(latent_influence(base, fit, he_weight)))
    for group in (3, 21):
        more = GroupedCounts(
            np.vstack([base.counts, base.counts[[group]]]), np.append(base.label, base.label[group])
        )
        moved = estimate(more).posterior - fit.posterior
        np.testing.assert_allclose(moved, influence[group], rtol=0.05, atol=2e-6)


@pytest.mark.parametrize("pseudo_events", [2.0, 11.0])
def test_influence_of_direct_is_its_derivative_in_a_groups_weight(data, pseudo_events):
    weight = np.ones(60)
    weight[5] += 1e-6
    heavier = replace(data, counts=data.counts * weight[:, None])
    fit = direct(data, pseudo_events=pseudo_events)
    (influence,) = direct_influence(data, fit, pseudo_events=pseudo_events)
    change = (direct(heavier, pseudo_events=pseudo_events).posterior - fit.posterior) / 1e-6
    np.testing.assert_allclose(influence[5], change, rtol=0, atol=1e-7)


def test_influence_of_moments_is_the_sandwich_with_leverages(data):
    """A group that alone has a bin is fitted whatever its label, and a bin without events has no influence."""
    more = np.zeros((60, 2))
    more[7, 0] = 1
    data = GroupedCounts(np.hstack([data.counts, more]), data.label)
    omega = (data.counts / data.sizes[:, None])[:, :-1]
    # Leverages sum to the number of bins; without them it is the sandwich of least squares.
    projection = omega @ np.linalg.pinv(omega)
    assert projection[7, 7] == pytest.approx(1)
    fit = moments(data)
    (influence,) = moments_influence(data, fit)
    left = data.label - omega @ fit.posterior[:-1]
    others = np.arange(60) != 7
    by_hand = (
        np.linalg.pinv(omega).T[others] * (left[others] / np.sqrt(1 - np.diag(projection)[others]))[:, None]
    )
    np.testing.assert_allclose(influence[others, :-1], by_hand, rtol=0, atol=1e-10)
    np.testing.assert_allclose(influence[7], 0, atol=1e-8)
    assert (influence[:, -1] == 0).all()


def test_errors_are_the_spread_of_the_groups_influences():
    """By hand, about their mean, which the pseudo-observations keep off 0."""
    data = GroupedCounts([[9, 1], [8, 2], [6, 4]], label=[0.9, 0.8, 0.9])
    posterior = (1 + data.label @ data.counts) / (2 + data.counts.sum(axis=0))
    influence = data.counts * (data.label[:, None] - posterior) / (2 + data.counts.sum(axis=0))
    expected = np.sqrt(3 / 2 * ((influence - influence.mean(axis=0)) ** 2).sum(axis=0))
    assert not np.allclose(influence.mean(axis=0), 0, atol=1e-3)
    np.testing.assert_allclose(
        information_standard_errors(data, direct_influence(data, direct(data))), expected, rtol=1e-12
    )


@pytest.mark.parametrize("he_weight", [np.inf, 10.0])
def test_near_the_jackknife(data, he_weight):
    estimate = tight(he_weight)
    left_out = np.array([estimate(data.subset(np.arange(60) != i)).posterior for i in range(60)])
    jackknife = np.sqrt(59 / 60 * ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0))
    found = information_standard_errors(data, latent_influence(data, estimate(data), he_weight))
    np.testing.assert_allclose(found, jackknife, rtol=0.1)


def test_blocks_of_groups_do_not_change_it(data, monkeypatch):
    fit = tight(10.0)(data)
    whole = information_standard_errors(data, latent_influence(data, fit, 10.0))
    monkeypatch.setattr("wsclust.group_parts.BLOCK_GROUPS", 7)
    np.testing.assert_allclose(
        information_standard_errors(data, latent_influence(data, fit, 10.0)), whole, rtol=1e-9
    )


def test_coverage_where_bias_is_small():
    true = truth("linear", 6, low=0.25, high=0.75)
    held = []
    for run in range(150):
        rng = np.random.default_rng(run)
        simulated = draw(true, 200, 100, 0, lambda role, rng=rng: rng)
        fit = latent(simulated, he_weight=np.inf)
        lower, upper = normal_interval(
            fit.posterior, information_standard_errors(simulated, latent_influence(simulated, fit, np.inf))
        )
        held.append((lower <= true.posterior) & (true.posterior <= upper))
    assert 0.90 < np.mean(held) < 0.98


def test_empty_bins_have_none():
    data = GroupedCounts([[9, 0, 1], [8, 0, 2], [2, 0, 8]], label=[0.9, 0.7, 0.2])
    fit = tight(np.inf)(data)
    for influence in (
        direct_influence(data, direct(data)),
        moments_influence(data, moments(data)),
        latent_influence(data, fit, np.inf),
    ):
        assert np.isnan(information_standard_errors(data, influence)).tolist() == [False, True, False]


def test_there_is_none_where_the_model_is_not_identified(data):
    with pytest.raises(ValueError, match="not identified"):
        list(latent_influence(data, latent(data), 0))


@pytest.mark.parametrize("influence_of", ["latent", "additive"])
def test_there_is_none_is_said_with_the_remedy(data, monkeypatch, influence_of):
    """At W_H = 0, of sparse counts, with too many bins, and where a quality has no maximum."""
    entry = ESTIMATORS[influence_of]

    def said(data, fit, **settings):
        with pytest.raises(ValueError) as caught:
            list(entry.influence(data, fit, **settings))
        return str(caught.value)

    free = entry.estimate(data, 0, tolerance=1e-2)
    assert said(data, free, he_weight=0) == (
        "he_weight=0: the model is not identified and has no information; use half-samples"
    )
    group, bin_ = np.nonzero(data.counts)
    cells = GroupedCells.from_triplets(group, bin_, data.counts[group, bin_], data.label, 6)
    assert said(cells, entry.estimate(cells, tolerance=1e-2)) == (
        "counts of cells: there is no information of sparse counts; use half-samples"
    )
    fit = entry.estimate(data)
    monkeypatch.setattr(information, "MOST_BINS", 6)
    list(entry.influence(data, fit))
    monkeypatch.setattr(information, "MOST_BINS", 5)
    assert said(data, fit) == (
        "6 bins: the information is a matrix of twice as many rows; use half-samples with more than 5"
    )


def test_an_objective_that_is_not_curved_downwards_has_none():
    line = (
        "the objective is not curved downwards at the fit, so the information gives no standard errors; use "
        "half-samples, or a larger he_weight"
    )
    with pytest.raises(ValueError) as caught:
        information.factored(np.array([[1.0, 2.0], [2.0, 1.0]]))
    assert str(caught.value) == line
    problem = SimpleNamespace(totals=np.ones(2), he_weight=1.0, sparse=False)
    with pytest.raises(ValueError) as caught:
        information.curvature_with_information(problem, None, lambda problem, state: None)
    assert str(caught.value) == line


def test_errors_of_two_groups_and_of_bins_that_weigh_less_than_an_event():
    influence = np.array([[0.3, 0.1], [0.1, 0.4]])
    data = GroupedCounts([[0.4, 0.2], [0.3, 0.1]], [0.2, 0.6])
    # With I = 2 the variance is twice the sum of squares about the mean, so the error is the difference.
    np.testing.assert_allclose(information_standard_errors(data, [influence]), [0.2, 0.3], rtol=1e-12)
