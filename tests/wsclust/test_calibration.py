"""Noisy labels: calibrated ones against quadrature and optimisers, and what they do to fits."""

from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq, minimize
from scipy.special import expit, logit

from replication.noisy_labels import accuracy, real_designs
from replication.noisy_labels.truths import design_of
from wsclust.calibration import calibrated_labels, labels_from_ratings

SHARES = st.lists(st.floats(0.01, 0.99), min_size=3, max_size=12)


def sigma(mu):
    return 1 / (1 + exp(-mu))


@given(SHARES)
@settings(max_examples=30, deadline=None)
def test_exact_labels_stay_bit_for_bit(labels):
    labels = np.array([0.0, 1.0, *labels])
    assert calibrated_labels(labels, 0).tobytes() == labels.tobytes()
    some = np.zeros(len(labels) - 2)
    some[0] = 0.5
    assert (calibrated_labels(labels[2:], some)[1:] == labels[3:]).all()


@pytest.mark.parametrize("s", [0.3, 0.8, 3.0])
def test_a_calibrated_label_is_the_posterior_mean_of_the_share(s):
    labels = expit(np.array([-2.0, -0.4, 0.1, 0.9, 2.2]))
    he = logit(labels)
    v = max(he.var(ddof=1) - s**2, 0.05 * he.var(ddof=1))
    centre = he.mean()
    found = calibrated_labels(labels, s)
    for i, seen in enumerate(he):

        def average(f, seen=seen):
            def integrand(mu):
                return f(mu) * exp(-((seen - mu) ** 2) / s**2 / 2 - (mu - centre) ** 2 / v / 2)

            return quad(integrand, -15, 15, limit=300)[0]

        total = average(lambda mu: 1.0)
        assert found[i] == pytest.approx(average(sigma) / total, abs=1e-8)


def test_labels_of_unequal_error_weigh_unequally():
    """m and v of mu solve the equations of Paule and Mandel, written out."""
    rng = np.random.default_rng(1)
    errors = np.tile([0.2, 0.5, 1.0], 40)
    he = rng.standard_normal(120) + errors * rng.standard_normal(120)
    found = calibrated_labels(expit(he), errors)

    def excess(v):
        weights = 1 / (v + errors**2)
        mean = np.average(he, weights=weights)
        return (weights * (he - mean) ** 2).sum() - 119

    v = brentq(excess, 0.01, 10)
    mean = np.average(he, weights=1 / (v + errors**2))
    b = v / (v + errors**2)
    z, w = np.polynomial.hermite_e.hermegauss(60)
    expected = expit((mean + b * (he - mean))[:, None] + (np.sqrt(b) * errors)[:, None] * z) @ w / w.sum()
    np.testing.assert_allclose(found, expected, atol=1e-8)


def test_labels_without_worth_become_one_common_share():
    labels = np.array([0.1, 0.4, 0.6, 0.95])
    assert np.ptp(calibrated_labels(labels, 1e6)) < 1e-9
    np.testing.assert_array_equal(calibrated_labels([0.3, 0.3, 0.3], 0.5), [0.3, 0.3, 0.3])


@given(SHARES, st.floats(0.01, 3), st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_calibration_keeps_order_and_mirrors(labels, s, random):
    labels = np.array(labels)
    found = calibrated_labels(labels, s)
    assert ((found > 0) & (found < 1)).all()
    assert (np.diff(found[np.argsort(labels, kind="stable")]) >= -1e-12).all()
    np.testing.assert_allclose(calibrated_labels(1 - labels, s), 1 - found, atol=1e-9)
    order = random.sample(range(len(labels)), len(labels))
    np.testing.assert_allclose(calibrated_labels(labels[order], s), found[order], atol=1e-9)


def test_shares_regress_on_calibrated_labels_with_slope_one():
    rng = np.random.default_rng(2)
    mu = 0.3 + rng.standard_normal(10_000)
    found = calibrated_labels(expit(mu + 0.8 * rng.standard_normal(10_000)), 0.8)
    slope, intercept = np.polyfit(found, expit(mu), 1)
    assert slope == pytest.approx(1, abs=0.03) and intercept == pytest.approx(0, abs=0.015)


def test_ratings_by_a_general_optimiser():
    happy, rated = np.array([0, 1, 4, 2, 7, 3, 0, 9]), np.array([3, 1, 5, 8, 7, 6, 4, 10])

    z, w = np.polynomial.legendre.leggauss(200)
    w = w * np.exp(-((9 * z) ** 2) / 2)

    def integral(f, y, r, m, sd):
        p = expit(m + sd * 9 * z)
        return w @ (f(p) * p**y * (1 - p) ** (r - y))

    def minus_log(at):
        each = (
            integral(lambda p: 1.0, y, r, at[0], np.exp(at[1])) for y, r in zip(happy, rated, strict=True)
        )
        return -np.log(list(each)).sum()

    best = minimize(minus_log, [0, 0], method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-11})
    m, sd = best.x[0], np.exp(best.x[1])
    expected = [
        integral(lambda p: p, y, r, m, sd) / integral(lambda p: 1.0, y, r, m, sd)
        for y, r in zip(happy, rated, strict=True)
    ]
    np.testing.assert_allclose(labels_from_ratings(happy, rated), expected, atol=1e-5)


def test_ratings_of_all_numbers():
    rng = np.random.default_rng(3)
    mu = rng.standard_normal(300)
    many = rng.binomial(100_000, expit(mu))
    np.testing.assert_allclose(labels_from_ratings(many, np.full(300, 100_000)), many / 1e5, atol=1e-4)
    # A group without ratings is any group: the mean of the prior, and so nearly the mean share.
    few = np.where(np.arange(300) < 299, 10, 0)
    found = labels_from_ratings(rng.binomial(few, expit(mu)), few)
    assert found[-1] == pytest.approx(expit(mu).mean(), abs=0.05)
    assert ((found > 0) & (found < 1)).all()


def test_ratings_that_differ_by_chance_only_give_one_label():
    happy = np.repeat([0, 1, 2, 3, 4], [1, 4, 6, 4, 1])  # Binomial(4, 1/2) to the last group
    np.testing.assert_allclose(labels_from_ratings(happy, np.full(16, 4)), 0.5)


def test_rated_events_among_those_counted_are_known():
    happy, rated = np.array([0.0, 2, 3, 5]), np.full(4, 5.0)
    alone = labels_from_ratings(happy, rated)
    found = labels_from_ratings(happy, rated, events=[5, 10, 5, 50])
    np.testing.assert_allclose(found, [0, (2 + 5 * alone[1]) / 10, 0.6, (5 + 45 * alone[3]) / 50])


@pytest.mark.parametrize(
    "happy, rated, events, words",
    [
        ([1, 6], [5, 5], None, "row 2: 6 happy of 5 rated events"),
        ([1, -1], [5, 5], None, "happy -1 in row 2: expected a finite number of 0 or more"),
        ([1, 0], [1, 1], None, "rate at least two events in some groups"),
        ([5, 3], [5, 3], None, "all 8 rated events are happy"),
        ([0, 0], [5, 3], None, "all 8 rated events are sad"),
        ([1], [5, 3], None, "1 numbers of happy events but 2 of rated ones"),
        ([1, 2], [5, 3], [5, 2], "row 2: 3 rated of 2 events"),
        ([1, 0], [5, 0], [5, 0], "row 2: 0 rated of 0 events"),
    ],
)
def test_ratings_that_make_no_sense_are_refused(happy, rated, events, words):
    with pytest.raises(ValueError, match=words):
        labels_from_ratings(happy, rated, events)


@pytest.mark.parametrize(
    "labels, label_sd, words",
    [
        ([0.5, 1.2], 0.5, "label 1.2 in row 2: expected a share"),
        ([0.5, np.nan], 0.5, "label nan in row 2"),
        ([0.5, 0.6], -0.5, "label SD -0.5 in row 1: expected a finite number"),
        ([0.5, 0.6], np.inf, "label SD inf in row 1"),
        ([0.5, 0.6], [0.1, 0.1, 0.1], "2 labels but 3 label SDs"),
        ([0.5, 1.0], 0.5, "label 1 in row 2 has an infinite logit .1 such labels.; clip"),
        ([0.5], 0.5, "1 label: at least 2"),
    ],
)
def test_labels_that_cannot_be_calibrated_are_refused(labels, label_sd, words):
    with pytest.raises(ValueError, match=words):
        calibrated_labels(labels, label_sd)


def test_calibrated_labels_undo_what_the_noise_does_to_a_fit():
    design = design_of("logit", 300, 100, 1.0)
    table = accuracy.compare(design, 4, np.random.default_rng).set_index("treatment")["error"]
    assert table["calibrated"] < 0.5 * table["exact"]
    of_ratings = accuracy.compare(design, 4, np.random.default_rng, r=5).set_index("treatment")["error"]
    assert of_ratings["calibrated"] < 0.6 * of_ratings["exact"]


def test_real_designs_are_scored_from_a_table(tmp_path, settings_option):
    """Three bins, two of which tell the outcome; every group has all, in proportion to its share."""
    rows = ["group,bin,positive,n"]
    for group, share in enumerate(np.linspace(0.1, 0.9, 24)):
        happy = round(100 * share)
        rows += [f"g{group},up,{happy // 2},{happy // 2}", f"g{group},down,0,{(100 - happy) // 2}"]
        rows += [f"g{group},any,{happy - happy // 2},{100 - happy // 2 - (100 - happy) // 2}"]
    (tmp_path / "made.csv").write_text("\n".join(rows))
    output = tmp_path / "skills.csv"
    real_designs.main(
        settings_option(noises=["none", "sd 0.5", "r 10"], splits=2, seed=1)
        + ["--tables", str(tmp_path / "made.csv"), "--output", str(output)]
    )
    lines = [line.split(",") for line in output.read_text().splitlines()[1:]]
    skill = {(noise, treatment): float(value) for _, noise, treatment, value in lines}
    assert skill["none", "exact"] > 0.95
    assert skill["none", "calibrated"] == skill["none", "exact"]
    assert ("r 10", "told") not in skill and ("sd 0.5", "told") in skill
