"""Standard errors by formula: against the change that a group's weight makes, and against simulation."""

from dataclasses import replace

import numpy as np
import pytest

from wsclust.counts import GroupedCounts
from wsclust.estimators.direct import direct
from wsclust.estimators.information import _direct, _latent, _moments, group_errors
from wsclust.estimators.latent import latent
from wsclust.estimators.likelihood import Problem
from wsclust.estimators.moments import moments
from wsclust.fit_options import Options
from wsclust.fitting import fit_table
from wsclust.intervals import normal_interval
from wsclust.studies.simulation import draw
from wsclust.studies.truth_curves import truth


def tight(he_weight):
    return lambda data: latent(data, he_weight=he_weight, tolerance=1e-12)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(3)
    return draw(truth("quadratic", 6, low=0.05, frequency_tilt=0.2), 60, 40, 0.3, lambda role: rng)


def test_influence_of_the_latent_fit_is_its_derivative_in_a_groups_weight(data):
    estimate = tight(np.inf)
    fit = estimate(data)
    (influence,) = _latent(Problem(data, np.inf), fit)
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
    influence = np.vstack(list(_latent(Problem(base, he_weight), fit)))
    for group in (3, 21):
        more = GroupedCounts(
            np.vstack([base.counts, base.counts[[group]]]), np.append(base.label, base.label[group])
        )
        moved = estimate(more).posterior - fit.posterior
        np.testing.assert_allclose(moved, influence[group], rtol=0.05, atol=2e-6)


def test_influence_of_direct_and_moments(data):
    weight = np.ones(60)
    weight[5] += 1e-6
    heavier = replace(data, counts=data.counts * weight[:, None])
    fit = direct(data)
    (influence,) = _direct(Problem(data, np.inf), fit)
    change = (direct(heavier).posterior - fit.posterior) / 1e-6
    np.testing.assert_allclose(influence[5], change, rtol=0, atol=1e-7)
    # Leverages sum to the number of bins; without them it is the sandwich of least squares.
    omega = data.counts / data.sizes[:, None]
    projection = omega @ np.linalg.pinv(omega)
    fit = moments(data)
    (influence,) = _moments(Problem(data, np.inf), fit)
    left = data.label - omega @ fit.posterior
    by_hand = np.linalg.pinv(omega).T * (left / np.sqrt(1 - np.diag(projection)))[:, None]
    np.testing.assert_allclose(influence, by_hand, rtol=0, atol=1e-10)


def test_errors_are_the_spread_of_the_groups_influences():
    """By hand, about their mean, which the pseudo-observations keep off 0."""
    data = GroupedCounts([[9, 1], [8, 2], [6, 4]], label=[0.9, 0.8, 0.9])
    posterior = (1 + data.label @ data.counts) / (2 + data.counts.sum(axis=0))
    influence = data.counts * (data.label[:, None] - posterior) / (2 + data.counts.sum(axis=0))
    expected = np.sqrt(3 / 2 * ((influence - influence.mean(axis=0)) ** 2).sum(axis=0))
    assert not np.allclose(influence.mean(axis=0), 0, atol=1e-3)
    np.testing.assert_allclose(group_errors(data, direct(data), "direct"), expected, rtol=1e-12)


@pytest.mark.parametrize("he_weight", [np.inf, 10.0])
def test_near_the_jackknife(data, he_weight):
    estimate = tight(he_weight)
    left_out = np.array([estimate(data.subset(np.arange(60) != i)).posterior for i in range(60)])
    jackknife = np.sqrt(59 / 60 * ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0))
    found = group_errors(data, estimate(data), "latent", he_weight)
    np.testing.assert_allclose(found, jackknife, rtol=0.1)


def test_blocks_of_groups_do_not_change_it(data, monkeypatch):
    fit = tight(10.0)(data)
    whole = group_errors(data, fit, "latent", 10.0)
    monkeypatch.setattr("wsclust.estimators.likelihood.BLOCK_ROWS", 7)
    np.testing.assert_allclose(group_errors(data, fit, "latent", 10.0), whole, rtol=1e-9)


def test_coverage_where_bias_is_small():
    true = truth("linear", 6, low=0.25, high=0.75)
    held = []
    for run in range(150):
        rng = np.random.default_rng(run)
        simulated = draw(true, 200, 100, 0, lambda role, rng=rng: rng)
        fit = latent(simulated, he_weight=np.inf)
        lower, upper = normal_interval(fit.posterior, group_errors(simulated, fit, "latent"))
        held.append((lower <= true.posterior) & (true.posterior <= upper))
    assert 0.90 < np.mean(held) < 0.98


def test_empty_bins_have_none():
    data = GroupedCounts([[9, 0, 1], [8, 0, 2], [2, 0, 8]], label=[0.9, 0.7, 0.2])
    for estimate, method in ((direct, "direct"), (moments, "moments"), (tight(np.inf), "latent")):
        se = group_errors(data, estimate(data), method)
        assert np.isnan(se).tolist() == [False, True, False], method


def test_options(data):
    with pytest.raises(ValueError, match="--se information: there is none at --he-weight 0"):
        Options(se="information", he_weight=0)
    with pytest.raises(ValueError, match="--se jackknife: expected one of half-samples, information"):
        Options(se="jackknife")
    with pytest.raises(ValueError, match="not identified"):
        group_errors(data, latent(data), "latent", 0)
    table, summary = fit_table(data, Options(se="information", check=False))
    assert summary["se"] == "information" and summary["subsamples"] is None
    np.testing.assert_allclose(table["se"], group_errors(data, latent(data), "latent", 10.0), rtol=1e-9)
    assert (table["lower"] >= 0).all() and (table["upper"] <= 1).all()
    halves, _ = fit_table(data, Options(check=False))
    assert np.abs(np.log(halves["se"] / table["se"])).max() < 0.6
