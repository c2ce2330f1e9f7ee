"""Planning by Fisher information: golden values, other derivations of the same variances, and simulation."""

from dataclasses import replace
from math import exp, pi, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import binom

from replication.information.study import compare
from wsclust.estimators.information import information_standard_errors
from wsclust.estimators.latent import latent
from wsclust.estimators.latent_influence import latent_influence
from wsclust.planning.design import Design
from wsclust.planning.equivalents import groups_needed, weak_per_labelled
from wsclust.planning.fisher import audited_variance, variances
from wsclust.planning.plan import plan
from wsclust.planning.ratings import rated_labels
from wsclust.planning.simulate import drawn, latent_fit, simulate
from wsclust.quadrature import NODES, WEIGHTS, share_moments


@pytest.mark.parametrize("mean, sd", [(0.0, 1.0), (1.5, 0.3), (-2.0, 2.5), (0.7, 6.0)])
def test_moments_of_a_share_by_adaptive_quadrature(mean, sd):
    def average(f):
        def density(z):
            return f(1 / (1 + exp(-mean - sd * z))) * exp(-z * z / 2) / sqrt(2 * pi)

        return quad(density, -12, 12, epsabs=1e-13, limit=500)[0]

    first, variance = share_moments(mean, sd)
    assert first == pytest.approx(average(lambda p: p), abs=1e-11)
    assert variance == pytest.approx(average(lambda p: (p - first) ** 2), abs=1e-11)


# Standard errors of the logit curve from .05 to .95 in 15 bins, 500 groups: mean over bins, bins 1 and 8.
GOLDEN = [
    (100, 0.0, "labelled", 0.00842, 0.00417, 0.01268),
    (100, 0.0, "exact_shares", 0.01920, 0.01649, 0.02207),
    (100, 0.5, "labels", 0.02244, 0.02080, 0.02432),
    (100, 1.0, "labels", 0.03058, 0.03136, 0.03002),
    (5, 0.0, "labelled", 0.02901, 0.01696, 0.03962),
    (5, 0.0, "exact_shares", 0.08198, 0.07332, 0.08997),
    (5, 0.5, "labels", 0.09355, 0.08587, 0.10074),
]


@pytest.mark.parametrize("clicks, label_sd, kind, mean, first, eighth", GOLDEN)
def test_golden_standard_errors(clicks, label_sd, kind, mean, first, eighth):
    errors = np.sqrt(getattr(variances(Design.from_curve(500, clicks, label_sd=label_sd)), kind))
    assert (errors.mean(), errors[0], errors[7]) == pytest.approx((mean, first, eighth), abs=6e-6)


@pytest.mark.parametrize(
    "low, mu_sd, exact, at_half",
    [(0.4, 1, 5.4, 6.8), (0.25, 1, 5.8, 7.3), (0.25, 0.5, 18, 37), (0.25, 2, 2.5, 2.7)],
)
def test_weak_clicks_that_equal_a_labelled_one(low, mu_sd, exact, at_half):
    found = variances(Design.from_curve(500, 100, low=low, high=1 - low, mu_sd=mu_sd, label_sd=0.5))
    assert weak_per_labelled(found.exact_shares, found) == pytest.approx(exact, rel=0.03)
    assert weak_per_labelled(found.labels, found) == pytest.approx(at_half, rel=0.03)


def small(label_sd=0.7, groups=40, clicks=6):
    return Design(groups, clicks, [0.5, 0.3, 0.2], [0.2, 0.2, 0.6], mu_mean=0.4, mu_sd=1.2, label_sd=label_sd)


def test_labels_with_error_as_a_quasi_likelihood():
    """The information of counts of mean J d and covariance J (diag d - d d') + J (J - 1) Var(p | HE) D D'."""
    design, J = small(), 6
    spread = np.hypot(1.2, 0.7)
    total = np.zeros((6, 6))
    for z, weight in zip(NODES, WEIGHTS, strict=True):
        centre = 0.4 + design.reliability * spread * z
        p, left = share_moments(centre, np.sqrt(design.reliability) * 0.7)
        d = (1 - p) * design.sad + p * design.happy
        D = design.happy - design.sad
        covariance = J * (np.diag(d) - np.outer(d, d)) + J * (J - 1) * left * np.outer(D, D)
        slopes = J * np.hstack([(1 - p) * np.eye(3), p * np.eye(3)])
        total += weight * slopes.T @ np.linalg.pinv(covariance) @ slopes
    moves = np.zeros((6, 4))  # of (w0, w1), such that both sums stay
    for j, (one, last) in enumerate([(0, 2), (1, 2), (3, 5), (4, 5)]):
        moves[one, j], moves[last, j] = 1, -1
    covariance = np.linalg.inv(moves.T @ total @ moves)
    rho = design.posterior
    for k, found in enumerate(variances(design).labels - variances(design).of_groups):
        gradient = np.zeros(6)
        gradient[k], gradient[3 + k] = (
            np.array([-1, 1]) * rho[k] * (1 - rho[k]) / np.array([design.sad[k], design.happy[k]])
        )
        inside = gradient @ moves
        assert found == pytest.approx(inside @ covariance @ inside / 40, rel=1e-8)


def test_exact_shares_as_the_sandwich_of_a_large_sample():
    design = small(label_sd=0.0, groups=20_000, clicks=8)
    data = drawn(design, np.random.default_rng(1))
    exact = latent(data, he_weight=np.inf)
    np.testing.assert_allclose(
        np.sqrt(variances(design).exact_shares),
        information_standard_errors(data, latent_influence(data, exact, np.inf)),
        rtol=0.03,
    )


def test_labelled_clicks_by_the_variance_of_a_ratio():
    """Happy by all clicks of a bin, whole groups drawn: the linearised variance, by simulated groups."""
    design = small(label_sd=0.0, groups=50, clicks=8)
    rng = np.random.default_rng(2)
    happy = rng.binomial(8, expit(0.4 + 1.2 * rng.standard_normal(400_000)))
    of_happy = rng.multinomial(happy, design.happy)
    clicks = of_happy + rng.multinomial(8 - happy, design.sad)
    beyond = of_happy - design.posterior * clicks
    expected = beyond.var(axis=0) / (8 * design.frequency) ** 2 / 50
    np.testing.assert_allclose(variances(design).labelled, expected, rtol=0.02)


def test_labels_with_next_to_no_error_are_nearly_exact_shares():
    nearly = variances(small(label_sd=1e-6))
    np.testing.assert_allclose(nearly.labels, nearly.exact_shares, rtol=0.03)


def test_labels_of_rated_events_as_a_sum_over_what_they_may_say():
    """E(p | y), Var(p | y) and the chance of y by quadrature over mu, for each number of rated events."""
    rated = [0, 2, 7]
    design = replace(small(label_sd=0.0), rated=rated)
    shares, hidden, chances = rated_labels(np.array(rated), 0.4, 1.2)
    p, expected = expit(0.4 + 1.2 * NODES), []
    for r in rated:
        for y in range(r + 1):
            likely = WEIGHTS * binom.pmf(y, r, p)
            mean = likely @ p / likely.sum()
            expected.append((mean, likely @ (p - mean) ** 2 / likely.sum(), likely.sum() / 3))
    np.testing.assert_allclose(np.column_stack([shares, hidden, chances]), expected, atol=1e-9)
    assert design.reliability == pytest.approx(1 - chances @ hidden / design.share_sd**2)


def test_many_rated_events_are_nearly_exact_shares_and_few_are_noisy_labels():
    exact = variances(small(label_sd=0.0)).exact_shares
    by_number = [variances(replace(small(0.0), rated=[r])).labels for r in (2, 10, 100, 10**6)]
    assert (np.diff(by_number, axis=0) < 0).all()
    np.testing.assert_allclose(by_number[-1], exact, rtol=0.03)
    mixed = variances(replace(small(0.0), rated=[10] * 30 + [100] * 10)).labels
    assert ((mixed < by_number[1]) & (mixed > by_number[2])).all()
    # Numbers that differ from group to group have 20 quantiles in their place.
    many = variances(replace(small(0.0), rated=np.arange(90, 111))).labels
    np.testing.assert_allclose(many, by_number[2], rtol=1e-2)


def test_formula_foretells_the_spread_of_fits_to_rated_labels():
    design = replace(Design.from_curve(300, 40, bins=4, low=0.2, high=0.8), rated=[20, 20, 60])
    assert plan(design).labelled_per_bin > 40
    found = simulate(design, 30, np.random.default_rng(5), latent_fit)
    assert found.sd.mean() == pytest.approx(plan(design).standard_error.mean(), rel=0.2)
    assert np.abs(found.bias).mean() < 0.5 * found.sd.mean()


def test_audited_events_by_the_likelihood_of_counts_and_outcomes():
    """The variance with an audit as the SD of maximum-likelihood fits, groups' shares known."""
    design = Design(30, 10, [0.5, 0.3, 0.2], [0.2, 0.2, 0.6], mu_mean=0.4, mu_sd=1.2)
    rng, size, fits = np.random.default_rng(6), 90, []
    looked_up = np.rint(size * np.sqrt(design.frequency) / np.sqrt(design.frequency).sum()).astype(int)

    def minus_log(free, counts, share, group, bins, outcome):
        sad, happy = (
            np.exp(part) / np.exp(part).sum() for part in (np.append(free[:2], 0), np.append(free[2:], 0))
        )
        mixture = (1 - share) * sad + share * happy
        chance = (share * happy / mixture)[group, bins]
        return -(counts * np.log(mixture)).sum() - np.log(np.where(outcome, chance, 1 - chance)).sum()

    for _ in range(200):
        share = expit(0.4 + 1.2 * rng.standard_normal((30, 1)))
        happy = rng.multinomial(rng.binomial(10, share.ravel()), design.happy)
        sad = rng.multinomial(10 - happy.sum(axis=1), design.sad)
        events = [np.repeat(np.arange(30), cells[:, k]) for cells in (sad, happy) for k in range(3)]
        rows = []
        for k in range(3):
            of_bin = [(i, k, y) for y in (0, 1) for i in events[3 * y + k]]
            rows += rng.permutation(of_bin)[: looked_up[k]].tolist()
        group, bins, outcome = np.array(rows).T
        answer = minimize(minus_log, np.zeros(4), (happy + sad, share, group, bins, outcome))
        w0, w1 = (
            np.exp(part) / np.exp(part).sum()
            for part in (np.append(answer.x[:2], 0), np.append(answer.x[2:], 0))
        )
        fits.append(design.share * w1 / (design.share * w1 + (1 - design.share) * w0))
    found = variances(design)
    expected = audited_variance(design, found, size) - found.of_groups
    np.testing.assert_allclose(np.std(fits, axis=0), np.sqrt(expected), rtol=0.15)
    assert (np.std(fits, axis=0) < 0.8 * np.sqrt(found.labels - found.of_groups)).all()


@pytest.mark.parametrize("label_sd", [0.0, 0.7])
def test_an_audit_of_no_event_adds_nothing_and_one_of_all_is_as_if_all_were_labelled(label_sd):
    design = Design.from_curve(500, 100, label_sd=label_sd)
    found = variances(design)
    np.testing.assert_allclose(audited_variance(design, found, 0), found.labels, rtol=1e-12)
    by_size = [audited_variance(design, found, events) for events in (0, 100, 1000, 10_000)]
    assert (np.diff(by_size, axis=0) < 0).all()
    everything = audited_variance(design, found, 10**9)
    np.testing.assert_allclose(np.sqrt(everything), np.sqrt(found.labelled), rtol=0.02)


weights = st.lists(st.floats(0.05, 1), min_size=3, max_size=3)


@given(weights, weights, st.floats(-1, 1), st.floats(0.3, 2), st.floats(0, 1.5), st.permutations(range(3)))
@settings(max_examples=20, deadline=None)
def test_order_of_bins_and_name_of_the_classes_do_not_matter(sad, happy, mean, sd, label_sd, order):
    sad, happy = np.array(sad) / sum(sad), np.array(happy) / sum(happy)
    design = Design(30, 12, sad, happy, mean, sd, label_sd)
    found = variances(design)
    shuffled = variances(replace(design, sad=sad[order], happy=happy[order]))
    mirrored = variances(replace(design, sad=happy, happy=sad, mu_mean=-mean))
    for kind in ("labelled", "exact_shares", "labels"):
        np.testing.assert_allclose(getattr(shuffled, kind), getattr(found, kind)[order], rtol=1e-6)
        np.testing.assert_allclose(getattr(mirrored, kind), getattr(found, kind), rtol=1e-6)


def test_variances_fall_as_groups_are_added_and_labels_get_better():
    by_quality = [variances(small(label_sd)).labels for label_sd in (0.0, 0.3, 0.8, 1.6)]
    assert (np.diff(by_quality, axis=0) > 0).all()
    twice = variances(small().with_groups(80))
    np.testing.assert_allclose(twice.labels, variances(small()).labels / 2, rtol=1e-12)


def test_groups_needed_are_the_fewest():
    design = Design.from_curve(500, 100, label_sd=0.5)
    needed = groups_needed(design, variances(design).labels, 0.02)

    def error(groups):
        return np.sqrt(variances(design.with_groups(groups)).labels).mean()

    assert error(needed) <= 0.02 < error(needed - 1)


@pytest.mark.parametrize("label_sd", [0.0, 0.6])
def test_formula_foretells_the_spread_of_fits(label_sd):
    design = Design.from_curve(300, 40, bins=4, low=0.2, high=0.8, label_sd=label_sd)
    assert plan(design).labelled_per_bin > 40
    for row in compare(design, 30, lambda _: np.random.default_rng(3)).itertuples():
        assert abs(row.ratio - 1) < 0.1 + 2.5 * row.ratio_se
        assert row.bias < 0.5 * row.simulated


def test_simulated_bias_sd_and_rmse_hang_together():
    design = Design.from_curve(20, 10, bins=3, label_sd=0.5)
    found = simulate(design, 12, np.random.default_rng(1), lambda data: latent(data, he_weight=4))
    np.testing.assert_allclose(found.rmse**2, found.bias**2 + found.sd**2 * 11 / 12)
    assert found.to_frame()["runs"].tolist() == [12, 12, 12]


def test_a_plan_says_where_the_formula_is_no_guide():
    enough = plan(Design.from_curve(500, 100, label_sd=0.5))
    assert enough.caution is None and "caution" not in enough.summary()
    fair = plan(Design.from_curve(50, 100, label_sd=0.5))
    assert 15 < fair.labelled_per_bin < 40 and "up to 25% less" in fair.summary()
    few = plan(Design.from_curve(50, 5))
    assert few.labelled_per_bin < 15 and "simulate" in few.summary()
    assert "these labels" not in few.summary()


def test_a_plan_says_that_few_rated_events_do_not_tell_how_groups_differ():
    design = Design.from_curve(500, 100)
    assert "4 rated events per group: too few" in plan(replace(design, rated=[4])).summary()
    assert plan(replace(design, rated=[20])).caution is None


def test_a_plans_frame_and_lines():
    planned = plan(Design.from_curve(500, 100, bins=5, label_sd=0.4))
    frame = planned.to_frame()
    assert (frame["se_labelled"] < frame["se_exact_shares"]).all()
    assert (frame["se_exact_shares"] < frame["se"]).all()
    lines = planned.lines(groups=[500, 2000])
    errors = [f"error SD {sd}" for sd in ("0.25", "0.4", "0.5", "1")]
    assert lines["labels"].unique().tolist() == ["every event labelled", "exact shares", *errors]
    assert lines.loc[lines["own"], "labels"].unique().tolist() == ["error SD 0.4"]
    own = lines[lines["own"]].set_index("groups")["standard_error"]
    assert own[500] == pytest.approx(frame["se"].mean())
    assert own[2000] == pytest.approx(own[500] / 2)


def test_a_design_from_rho_has_that_rho_and_frequency():
    design = Design.from_posterior(10, 5, [0.1, 0.3, 0.2], [2, 1, 1], mu_sd=1.7)
    np.testing.assert_allclose(design.posterior, [0.1, 0.3, 0.2])
    np.testing.assert_allclose(design.frequency, [0.5, 0.25, 0.25])


def test_a_design_from_a_fit_is_near_that_of_the_data():
    true = Design.from_curve(4000, 60, bins=4, low=0.2, high=0.8, label_sd=0.5)
    data = drawn(true, np.random.default_rng(4))
    found = Design.from_fit(data, latent(data, he_weight=4), label_sd=0.5)
    assert (found.groups, found.clicks) == (4000, 60)
    assert found.mu_sd == pytest.approx(1, abs=0.05) and found.mu_mean == pytest.approx(0, abs=0.07)
    np.testing.assert_allclose(found.posterior, true.posterior, atol=0.04)


@pytest.mark.parametrize(
    "change, words",
    [
        ({"groups": 0}, "groups=0: expected 1 or more"),
        ({"clicks": np.nan}, "clicks=nan: expected 1 or more"),
        ({"label_sd": -1}, "label_sd=-1: expected 0 or more"),
        ({"label_sd": np.inf}, "label_sd=inf: expected 0 or more, at most 1000"),
        ({"clicks": 1e300}, r"clicks=1e\+300: expected 1 or more, at most 1e\+15"),
        ({"mu_sd": 1e300}, r"mu_sd=1e\+300: expected a finite number above 0, at most 1000"),
        ({"rated": [5]}, "label_sd=0.7: no use with rated events"),
        ({"rated": [5, -1], "label_sd": 0}, "label_n=-1: expected a number of rated events, 0 or more"),
        ({"rated": [1, 0], "label_sd": 0}, "label_n=1: expected 2 rated events or more in some groups"),
        ({"mu_sd": 0}, "mu_sd=0: expected a finite number above 0"),
        ({"sad": [0.5, 0.5, 0.0]}, "sad: bin 3 has 0; expected a number above 0"),
        ({"happy": [0.5, 0.2, 0.2]}, "sum of happy 0.9: expected 1"),
        ({"happy": [0.5, 0.5]}, "expected one number per bin in each"),
    ],
)
def test_a_design_that_makes_no_sense_is_refused(change, words):
    with pytest.raises(ValueError, match=words):
        replace(small(), **change)


def test_refusals_name_what_to_do():
    with pytest.raises(ValueError, match="rho of bin 2 is 1; expected"):
        Design.from_posterior(10, 10, [0.5, 1.0])
    with pytest.raises(ValueError, match=r"frequency .*: expected 2 numbers above 0"):
        Design.from_posterior(10, 10, [0.5, 0.6], [1, 0])
    with pytest.raises(ValueError, match="rho, high end, 1: expected a number between 0 and 1"):
        Design.from_curve(10, 10, high=1.0)
    with pytest.raises(ValueError, match="standard error 1e-160: no number of groups gives it"):
        plan(small(), [1e-160])
    with pytest.raises(ValueError, match="standard error 0: expected a number above 0"):
        plan(small(), standard_errors=[0])
    with pytest.raises(ValueError, match="raise mu_sd or lower label_sd"):
        plan(replace(small(), mu_sd=1e-8))
    with pytest.raises(ValueError, match="runs 1: at least 2"):
        simulate(small(), 1, np.random.default_rng(1), latent)
