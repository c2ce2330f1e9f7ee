"""Noisy labels: calibrated ones against quadrature and optimisers, and what they do to fits."""

from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq, minimize, minimize_scalar
from scipy.special import expit, logit

from replication.noisy_labels import accuracy, real_designs
from replication.noisy_labels.truths import design_of
from wsclust.calibration import calibrated_labels, labels_from_ratings, quality_given_labels
from wsclust.ratings_model import draw_shares_given_ratings, posterior_given_ratings, prior_of_ratings

SHARES = st.lists(st.floats(0.01, 0.99), min_size=3, max_size=12)


def sigma(mu):
    return 1 / (1 + exp(-mu))


@given(SHARES)
@settings(max_examples=30, deadline=None)
def test_exact_labels_stay_bit_for_bit(labels):
    labels = np.array([0.0, 1.0, *labels])
    assert calibrated_labels(labels, 0).tobytes() == labels.tobytes()
    assert calibrated_labels([0, 1], 0).dtype == float
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


def test_errors_larger_than_the_spread_leave_a_twentieth_of_it():
    """The spread is the weighted variance of numpy, where labels of small error weigh most."""
    he, errors = np.array([-2.0, -0.4, 0.1, 0.9, 2.2, 0.3]), np.array([2.0, 3.0, 9.0, 2.5, 4.0, 6.0])
    weights = 1 / (he.var(ddof=1) + errors**2)
    v = 0.05 * np.cov(he, aweights=weights, ddof=0) * 6 / 5
    mean = np.average(he, weights=1 / (v + errors**2))
    b = v / (v + errors**2)
    z, w = np.polynomial.hermite_e.hermegauss(60)
    expected = expit((mean + b * (he - mean))[:, None] + (np.sqrt(b) * errors)[:, None] * z) @ w / w.sum()
    np.testing.assert_allclose(calibrated_labels(expit(he), errors), expected, rtol=1e-10)


def test_two_labels_and_labels_hardly_apart_are_drawn_together_by_their_reliability():
    """With equal errors v is Var HE - s^2; sigma is a line to three digits of so little."""
    for apart in (0.1, 1e-4):
        he = apart * np.array([-1.0, 1.0])
        kept = 1 - 0.5**2 / 2  # s is half of the labels' distance to the middle, and Var HE twice its square
        found = calibrated_labels(expit(he), apart / 2)
        np.testing.assert_allclose(found - 0.5, kept * he / 4, rtol=2e-3 if apart == 0.1 else 1e-7)


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


def on_a_grid(y, r, centre, sd, points):
    """Log marginal likelihood and posterior means of p, (p - E p)^2, z and z^2 by the trapezoidal rule."""
    z = np.linspace(-10, 10, points)
    mu = centre + sd * z
    log = y * mu - r * np.logaddexp(0, mu) - z**2 / 2
    density = np.exp(log - log.max())
    log_marginal = log.max() + np.log(density.sum() * (z[1] - z[0]) / np.sqrt(2 * np.pi))
    density /= density.sum()
    share = density @ expit(mu)
    return log_marginal, share, density @ (expit(mu) - share) ** 2, density @ z, density @ z**2


@pytest.mark.parametrize(
    ("y", "r", "centre", "sd"),
    [
        (3, 5, 0.4, 0.7),
        (0, 0, 0.5, 1.3),
        (0, 4, 2.0, 8.0),
        (0, 1000, -1.0, 8.0),
        (2, 2, -3.0, 0.05),
        (600, 1000, 1.0, 0.2),
        (40_000, 100_000, 0.3, 2.5),
    ],
)
def test_what_ratings_tell_is_the_integral_over_mu(y, r, centre, sd):
    """Wide and narrow, skewed, and far from the prior: the nodes lie where the posterior is."""
    found = posterior_given_ratings(np.array([float(y)]), np.array([float(r)]), centre, sd)
    means = (found.log_marginal, found.share, found.share_variance, found.standard, found.square)
    expected = on_a_grid(y, r, centre, sd, 400_001)
    np.testing.assert_allclose(np.ravel(means), expected, rtol=2e-8, atol=1e-10)


RATINGS = [
    ([0, 1, 4, 2, 7, 3, 0, 9], [3, 1, 5, 8, 7, 6, 4, 10]),
    ([0, 0, 1, 9, 10, 10, 10, 3], [10] * 8),  # far apart
    ([3, 4, 5, 8, 5, 6, 7, 4, 5, 9, 3, 6], [12] * 12),  # hardly more apart than by chance
    ([0, 0, 0, 2, 2, 1, 0], [2] * 7),
]


@pytest.mark.parametrize(("happy", "rated"), RATINGS)
def test_the_likelihood_of_ratings_is_level_at_what_is_found(happy, rated):
    centre, sd = prior_of_ratings(np.array(happy), np.array(rated))

    def mean_log(m, log_sd):
        return np.mean(
            [on_a_grid(y, r, m, np.exp(log_sd), 1601)[0] for y, r in zip(happy, rated, strict=True)]
        )

    def slope(along, step=1e-3):
        ends = [mean_log(*(np.array([centre, np.log(sd)]) + part * step * along)) for part in (2, 1, -1, -2)]
        return (8 * (ends[1] - ends[2]) - ends[0] + ends[3]) / (12 * step)

    assert abs(slope(np.array([1.0, 0.0]))) < 2e-8 and abs(slope(np.array([0.0, 1.0]))) < 2e-8


@pytest.mark.parametrize(("happy", "rated"), RATINGS)
def test_ratings_by_a_general_optimiser(happy, rated):
    def minus_log(at):
        return -sum(on_a_grid(y, r, at[0], np.exp(at[1]), 801)[0] for y, r in zip(happy, rated, strict=True))

    best = minimize(minus_log, [0, 0], method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-11})
    m, sd = best.x[0], np.exp(best.x[1])
    np.testing.assert_allclose(prior_of_ratings(np.array(happy), np.array(rated)), (m, sd), rtol=1e-4)
    expected = [on_a_grid(y, r, m, sd, 801)[1] for y, r in zip(happy, rated, strict=True)]
    np.testing.assert_allclose(labels_from_ratings(happy, rated), expected, atol=1e-5)


def test_ratings_of_all_or_nothing_have_the_largest_spread():
    """Their likelihood has no maximum: the larger the SD of mu, the better."""
    assert prior_of_ratings(np.array([0, 10]), np.array([10, 10])) == pytest.approx((0, 8), abs=1e-9)
    best = minimize_scalar(
        lambda m: -sum(on_a_grid(y, 10, m, 8, 801)[0] for y in (0, 10, 10)), bounds=(0, 8), method="bounded"
    ).x
    assert prior_of_ratings(np.array([0, 10, 10]), np.full(3, 10)) == pytest.approx((best, 8), abs=1e-4)


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


def test_shares_that_are_drawn_are_quantiles_of_the_posterior_of_each_group():
    """Each group has its own place of the stream, and its posterior by the trapezoidal rule."""
    happy, rated = np.array([0, 5, 2, 0, 9, 5]), np.array([5, 5, 5, 5, 10, 5])
    uniform = np.random.default_rng(6).random(6)
    drawn = draw_shares_given_ratings(happy, rated, np.random.default_rng(6))
    centre, sd = prior_of_ratings(happy, rated)
    for y, r, part, share in zip(happy, rated, uniform, drawn, strict=True):
        mu = np.linspace(centre - 9 * sd, centre + 9 * sd, 200_001)
        log = y * mu - r * np.logaddexp(0, mu) - ((mu - centre) / sd) ** 2 / 2
        below = np.cumsum(np.exp(log - log.max()))
        assert np.interp(logit(share), mu, below / below[-1]) == pytest.approx(part, abs=2e-3)


def test_shares_of_groups_that_differ_by_chance_only_are_drawn_alike():
    happy = np.repeat([0, 1, 2, 3, 4], [1, 4, 6, 4, 1])
    drawn = draw_shares_given_ratings(happy, np.full(16, 4), np.random.default_rng(1))
    np.testing.assert_allclose(drawn, 0.5, rtol=1e-12)


def test_labels_that_are_all_equal_leave_no_quality_open():
    mean, sd = quality_given_labels(np.full(3, 0.4), np.array([0.5, 0.0, 0.5]))
    np.testing.assert_allclose(mean, logit(0.4))
    assert sd.tolist() == [0, 0, 0]


def test_ratings_that_differ_by_chance_only_give_one_label():
    happy = np.repeat([0, 1, 2, 3, 4], [1, 4, 6, 4, 1])  # Binomial(4, 1/2) to the last group
    np.testing.assert_allclose(labels_from_ratings(happy, np.full(16, 4)), 0.5)


def test_rated_events_among_those_counted_are_known():
    happy, rated = np.array([0.0, 2, 3, 5]), np.full(4, 5.0)
    alone = labels_from_ratings(happy, rated)
    found = labels_from_ratings(happy, rated, events=[5, 10, 5, 50])
    np.testing.assert_allclose(found, [0, (2 + 5 * alone[1]) / 10, 0.6, (5 + 45 * alone[3]) / 50])


@pytest.mark.parametrize(
    "happy, rated, events, line",
    [
        ([5, 6], [5, 5], None, "row 2: 6 happy of 5 rated events; expected no more"),
        ([1, -1], [5, 5], None, "happy -1 in row 2: expected a finite number of 0 or more"),
        ([1, 1], [5, -2], None, "rated -2 in row 2: expected a finite number of 0 or more"),
        ([1, 1], [5, 5], [np.inf, 9], "events inf in row 1: expected a finite number of 0 or more"),
        ([[1, 1]], [5, 5], None, "happy has 2 dimensions; expected one number per group"),
        (
            [1, 0],
            [1, 1],
            None,
            "no group has more than one rated event, so how groups differ cannot be told; rate at least two "
            "events in some groups",
        ),
        ([5, 3], [5, 3], None, "all 8 rated events are happy; rate more events, until they differ"),
        ([0, 0], [5, 3], None, "all 8 rated events are sad; rate more events, until they differ"),
        ([1], [5, 3], None, "1 numbers of happy events but 2 of rated ones"),
        ([1, 2], [5, 3], [5], "2 numbers of rated events but 1 of all events"),
        (
            [1, 2],
            [5, 3],
            [5, 2],
            "row 2: 3 rated of 2 events; expected at least one event, and no fewer than are rated",
        ),
        (
            [1, 0],
            [5, 0],
            [5, 0],
            "row 2: 0 rated of 0 events; expected at least one event, and no fewer than are rated",
        ),
    ],
)
def test_ratings_that_make_no_sense_are_refused(happy, rated, events, line):
    with pytest.raises(ValueError) as caught:
        labels_from_ratings(happy, rated, events)
    assert str(caught.value) == line


@pytest.mark.parametrize(
    "labels, label_sd, line",
    [
        ([0.5, 1.2], 0.5, "label 1.2 in row 2: expected a share in [0, 1]"),
        ([0.5, np.nan], 0.5, "label nan in row 2: expected a share in [0, 1]"),
        ([0.5, 0.6], -0.5, "label SD -0.5 in row 1: expected a finite number of 0 or more"),
        ([0.5, 0.6], np.inf, "label SD inf in row 1: expected a finite number of 0 or more"),
        ([0.5, 0.6], [0.1, 0.1, 0.1], "2 labels but 3 label SDs; give one for all, or one each"),
        (
            [0.5, 0.0, 1.0],
            0.5,
            "label 0 in row 2 has an infinite logit (2 such labels); clip the labels (say to [0.001, 0.999]), "
            "or give the numbers of happy and rated events",
        ),
        ([0.5], 0.5, "1 label: at least 2 are needed to tell how the groups differ"),
    ],
)
def test_labels_that_cannot_be_calibrated_are_refused(labels, label_sd, line):
    with pytest.raises(ValueError) as caught:
        calibrated_labels(labels, label_sd)
    assert str(caught.value) == line


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
