"""The audited answer, against closed forms, finite differences, quadrature and simulation."""

import time
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq, minimize
from scipy.special import expit, log_expit, logit
from scipy.stats import t as student

from wsclust.audit.audited import audited
from wsclust.audit.kernel import factor_kernel, level_numbers
from wsclust.audit.mismatch import mismatch
from wsclust.audit.model import centred_tilt, posterior_of
from wsclust.audit.model import rows_of as rows_at_mode
from wsclust.audit.outcomes import AuditedOutcomes
from wsclust.audit.posterior import audit_rows, component, mixture
from wsclust.audit.priors import SHAPES, Prior, middle_prior, priors
from wsclust.audit.raking import LeftOpen, pooled, rake, raked_answer
from wsclust.audit.sampling import allocation, audit_sample
from wsclust.audit.verdict import BETTER, MISLEADING, UNDECIDED, judged, worth
from wsclust.auditing import audited as answer
from wsclust.counts import GroupedCounts
from wsclust.estimators.direct import direct
from wsclust.estimators.latent import latent
from wsclust.estimators.oracle import oracle
from wsclust.label_noise import with_label_noise
from wsclust.outcomes import KnownOutcomes

BINS = pd.DataFrame({"sex": list("ffmm"), "age": ["old", "young"] * 2})
LOG_ODDS = np.array([1.2, 0.4, -0.3, -1.3])


def world(rng, n_groups=40, events=200, log_odds=LOG_ODDS, bins=BINS):
    """KnownOutcomes of groups that differ in composition and in their intercepts."""
    composition = rng.dirichlet(np.full(len(log_odds), 3.0), n_groups)
    counts = rng.multinomial(events, composition)
    happy = rng.binomial(counts, expit(rng.normal(0, 1, n_groups)[:, None] + log_odds))
    return KnownOutcomes(happy, counts - happy, bins=bins)


def looked_up(outcomes, size, rng, design="bins"):
    sample = audit_sample(outcomes.grouped, size, design, rng)
    happy = rng.hypergeometric(outcomes.positives.astype(int), outcomes.negatives.astype(int), sample.counts)
    return AuditedOutcomes(happy, sample.counts - happy)


# Raking


@settings(deadline=None)
@given(
    st.lists(st.floats(0.01, 5), min_size=3, max_size=3),
    st.lists(st.floats(-30, 30), min_size=3, max_size=3),
    st.floats(1e-6, 1 - 1e-6),
)
def test_raked_groups_have_exactly_their_labels(weights, log_odds, label):
    composition, log_odds = np.array([weights]) / np.sum(weights), np.array(log_odds)
    intercept = rake(composition, log_odds, np.array([label]))
    mean = (composition * expit(intercept[:, None] + log_odds)).sum()
    assert mean == pytest.approx(label, rel=1e-9)


def test_the_intercept_is_the_root_that_bisection_finds():
    composition, log_odds = np.array([[0.1, 0.6, 0.3]]), np.array([2.0, -1.0, 0.5])
    root = brentq(lambda c: composition[0] @ expit(c + log_odds) - 0.37, -10, 10, xtol=1e-14)
    assert rake(composition, log_odds, np.array([0.37]))[0] == pytest.approx(root, abs=1e-12)


def test_labels_of_0_and_1_are_kept():
    data = GroupedCounts([[5, 5], [5, 5], [4, 6]], label=[0, 1, 0.5])
    answer = raked_answer(data, np.array([1.0, -1.0]))
    assert answer.intercepts[:2].tolist() == [-np.inf, np.inf]
    q = expit(answer.intercepts[2] + np.array([1.0, -1.0]))
    assert answer.posterior == pytest.approx((np.array([5, 5]) + [4 * q[0], 6 * q[1]]) / data.totals)
    assert np.isfinite(answer.slope).all()


def test_slope_of_the_raked_answer_is_its_derivative():
    data = world(np.random.default_rng(1)).grouped
    data = replace(data, counts=data.counts * [1, 1, 0, 1])
    step = 1e-5 * np.eye(4)
    numeric = np.column_stack(
        [
            (raked_answer(data, LOG_ODDS + e).posterior - raked_answer(data, LOG_ODDS - e).posterior) / 2e-5
            for e in step
        ]
    )
    assert raked_answer(data, LOG_ODDS).slope == pytest.approx(numeric, abs=1e-8)
    shifted = raked_answer(data, LOG_ODDS, 0.4)
    higher, lower = (raked_answer(data, LOG_ODDS, shift).posterior for shift in (0.4 + 1e-5, 0.4 - 1e-5))
    assert shifted.lift == pytest.approx((higher - lower) / 2e-5, abs=1e-8)
    numeric = [
        (raked_answer(data, LOG_ODDS + e, 0.4).posterior - raked_answer(data, LOG_ODDS - e, 0.4).posterior)
        / 2e-5
        for e in step
    ]
    assert shifted.slope == pytest.approx(np.transpose(numeric), abs=1e-8)


def test_own_variance_is_that_of_outcomes_given_the_groups_totals():
    # One group of two bins: its happy events are a total split between the bins, hypergeometric with odds
    # e^(beta_1 - beta_2), of which the formula is the normal limit.
    counts, log_odds, total = np.array([400, 600]), np.array([0.5, -0.5]), 450
    data = GroupedCounts(counts[None], [total / 1000])
    from scipy.stats import nchypergeom_fisher

    exact = nchypergeom_fisher(1000, 400, total, np.exp(1.0)).var() / 400**2
    assert raked_answer(data, log_odds).own_variance[0] == pytest.approx(exact, rel=0.01)


# The regression


def rows_of(outcomes, size, seed=2, log_odds=LOG_ODDS / 2):
    data = outcomes.grouped
    audit = looked_up(outcomes, size, np.random.default_rng(seed))
    used = audit.events.sum(axis=1) > 0
    composition = data.counts[used] / data.sizes[used, None]
    return audit_rows(composition, data.label[used], audit.events[used], audit.happy[used], log_odds)


def test_rows_are_the_tangent_of_the_raked_model():
    outcomes = world(np.random.default_rng(3))
    data = outcomes.grouped
    at = LOG_ODDS / 2
    rows = rows_of(outcomes, 100, log_odds=at)
    used = looked_up(outcomes, 100, np.random.default_rng(2)).events.sum(axis=1) > 0
    composition, label = data.counts[used] / data.sizes[used, None], data.label[used]

    def exact(log_odds):
        return (rake(composition, log_odds, label)[:, None] + log_odds)[rows.group, rows.bin]

    direction = np.array([0.3, -1.0, 0.2, 0.4])
    assert rows.logit(np.append(at, 0)) == pytest.approx(exact(at), abs=1e-12)
    numeric = (exact(at + 1e-5 * direction) - exact(at - 1e-5 * direction)) / 2e-5
    moved = rows.logit(np.append(at + direction, 0)) - rows.logit(np.append(at, 0))
    assert moved == pytest.approx(numeric, abs=1e-8)


def test_gradient_and_information_are_derivatives_of_the_likelihood():
    rows = rows_of(world(np.random.default_rng(4)), 150)
    theta = np.array([0.7, -0.2, 0.1, -0.9, 0.25])
    steps = 1e-5 * np.eye(5)
    gradient = [(rows.log_likelihood(theta + e) - rows.log_likelihood(theta - e)) / 2e-5 for e in steps]
    assert rows.gradient(theta) == pytest.approx(np.array(gradient), abs=1e-5)
    information = [-(rows.gradient(theta + e) - rows.gradient(theta - e)) / 2e-5 for e in steps]
    assert rows.information(theta) == pytest.approx(np.array(information), abs=1e-6)


def test_a_component_is_the_mode_the_curvature_and_laplaces_evidence_there():
    rows = rows_of(world(np.random.default_rng(5)), 120)
    tilt = np.array([1.0, 0.2, -0.4, -0.8])
    prior = priors(factor_kernel(BINS), tilt)[-1]
    found = component(rows, prior, tilt, shift_sd=0.3)
    covariance = np.zeros((5, 5))
    covariance[:4, :4], covariance[4, 4] = prior.covariance, 0.09
    precision, mean = np.linalg.inv(covariance), np.append(prior.mean, 0.0)

    def minus_log_posterior(theta):
        return (theta - mean) @ precision @ (theta - mean) / 2 - rows.log_likelihood(theta)

    best = minimize(minus_log_posterior, mean, method="BFGS", options={"gtol": 1e-8})
    assert found.theta == pytest.approx(best.x, abs=1e-5)
    hessian = rows.information(found.theta) + precision
    assert found.covariance == pytest.approx(np.linalg.inv(hessian), abs=1e-8)
    evidence = -best.fun - np.linalg.slogdet(hessian)[1] / 2 - np.linalg.slogdet(covariance)[1] / 2
    assert found.log_evidence == pytest.approx(evidence, abs=1e-6)


def test_slope_is_the_posterior_of_the_tilts_coefficient():
    # The same prior written out: beta = b x + r, with (b, r) jointly Gaussian and b the first coordinate.
    rows = rows_of(world(np.random.default_rng(6)), 120)
    tilt = np.array([1.0, 0.2, -0.4, -0.8])
    prior = priors(factor_kernel(BINS), tilt)[-1]
    found = component(rows, prior, tilt)
    _, _, mean, sd = SHAPES[1]
    rest = prior.covariance - sd**2 * np.outer(tilt, tilt)
    precision = np.linalg.inv(rest)

    def minus_log_posterior(coefficients):
        slope, left = coefficients[0], coefficients[1:]
        penalty = ((slope - mean) / sd) ** 2 / 2 + left @ precision @ left / 2
        return penalty - rows.log_likelihood(np.append(slope * tilt + left, 0.0))

    best = minimize(minus_log_posterior, np.zeros(5), method="BFGS", options={"gtol": 1e-9})
    assert found.slope == pytest.approx(best.x[0], abs=1e-4)
    design = np.column_stack([tilt, np.eye(4)])
    hessian = design.T @ rows.information(np.append(design @ best.x, 0.0))[:4, :4] @ design
    hessian[0, 0] += 1 / sd**2
    hessian[1:, 1:] += precision
    assert found.slope_variance == pytest.approx(np.linalg.inv(hessian)[0, 0], abs=1e-5)


def test_evidence_and_posterior_agree_with_quadrature_of_the_raked_model():
    # Two bins: only d = beta_1 - beta_2 matters, so that one integral is the exact answer.
    bins = pd.DataFrame({"kind": ["a", "b"]})
    outcomes = world(np.random.default_rng(7), 12, 60, np.array([0.8, -0.8]), bins)
    data, audit = outcomes.grouped, looked_up(outcomes, 60, np.random.default_rng(8))
    sizes = [(p.main**2 + p.deviation**2, p.weight) for p in priors(factor_kernel(bins))]
    composition = data.counts / data.sizes[:, None]
    rows = rows_at_mode(data, audit, middle_prior(factor_kernel(bins)))

    @cache
    def raked(d):
        log_odds = np.array([d / 2, -d / 2])
        at = rake(composition, log_odds, data.label)[:, None] + log_odds
        return np.sum(audit.happy * log_expit(at) + audit.sad * log_expit(-at))

    def tangent(d):
        return rows.log_likelihood(np.array([d / 2, -d / 2, 0.0]))

    def density(d, variance):
        return np.exp(-(d**2) / (4 * variance)) / np.sqrt(4 * np.pi * variance)

    top = raked(1.6)

    def integral(of, variance, log_likelihood):
        def integrand(d):
            return of(d) * np.exp(log_likelihood(d) - top) * density(d, variance)

        return quad(integrand, -4, 5, points=[0, 1, 2], epsabs=0, epsrel=1e-6)[0]

    # Laplace's evidence is that of the tangent model.
    evidence = [integral(lambda d: 1.0, variance, tangent) for variance, _ in sizes]
    found = [component(rows, prior).log_evidence for prior in priors(factor_kernel(bins))]
    assert found == pytest.approx(np.log(evidence) + top, abs=0.02)

    # The answer is that of the raked model itself.
    evidence = np.array([integral(lambda d: 1.0, variance, raked) for variance, _ in sizes])
    weights = evidence * [weight for _, weight in sizes]
    weights /= weights.sum()
    rho = [
        integral(lambda d: raked_answer(data, np.array([d / 2, -d / 2])).posterior[0], variance, raked)
        / total
        for (variance, _), total in zip(sizes, evidence, strict=True)
    ]
    fit = audited(data, audit)
    assert fit.posterior[0] == pytest.approx(weights @ rho, abs=0.01)


def test_three_bins_agree_with_quadrature_too():
    bins = pd.DataFrame({"kind": ["a", "b", "c"]})
    outcomes = world(np.random.default_rng(9), 15, 60, np.array([0.9, 0.0, -0.9]), bins)
    data, audit = outcomes.grouped, looked_up(outcomes, 60, np.random.default_rng(10))
    composition = data.counts / data.sizes[:, None]
    # beta = a (1, 0, -1) + b (1, -2, 1); with covariance s^2 I, a and b are independent Gaussians.
    a, b = (grid.ravel() for grid in np.meshgrid(np.linspace(-1, 3, 41), np.linspace(-1.5, 1.5, 31)))
    points = a[:, None] * [1, 0, -1] + b[:, None] * [1, -2, 1]
    log_likelihood, rho = np.empty(len(points)), np.empty((len(points), 3))
    for number, log_odds in enumerate(points):
        at = rake(composition, log_odds, data.label)[:, None] + log_odds
        log_likelihood[number] = np.sum(audit.happy * log_expit(at) + audit.sad * log_expit(-at))
        rho[number] = np.sum(data.counts * expit(at), axis=0) / data.totals
    total, first = 0.0, 0.0
    for prior in priors(factor_kernel(bins)):
        variance = prior.main**2 + prior.deviation**2
        density = np.exp(log_likelihood - log_likelihood.max() - (2 * a**2 + 6 * b**2) / (2 * variance))
        density *= prior.weight / variance
        total, first = total + density.sum(), first + density @ rho
    assert audited(data, audit).posterior == pytest.approx(first / total, abs=0.01)


def test_a_mixture_has_the_moments_of_its_components():
    rows = rows_of(world(np.random.default_rng(11)), 60)
    parts = [component(rows, prior) for prior in priors(factor_kernel(BINS))]
    weights = np.arange(1, 10) / 45
    mixed = mixture(parts, weights)
    evidence = np.array([part.log_evidence for part in parts])
    assert np.ptp(evidence) > 1  # some sizes suit these data better than others
    assert np.log(mixed.weights / weights) - evidence == pytest.approx(
        np.full(9, np.log(mixed.weights[0] / weights[0]) - evidence[0])
    )
    rng = np.random.default_rng(12)
    chosen = rng.choice(9, 100_000, p=mixed.weights)
    draws = np.empty((100_000, 5))
    for number, part in enumerate(parts):
        root = np.linalg.cholesky(part.covariance + 1e-12 * np.eye(5))
        of = chosen == number
        draws[of] = part.theta + rng.normal(size=(of.sum(), 5)) @ root.T
    assert mixed.mean == pytest.approx(draws.mean(axis=0), abs=0.02)
    assert mixed.covariance == pytest.approx(np.cov(draws.T), abs=0.03)


# The answer


def test_without_outcomes_and_weak_answer_it_is_direct_without_pseudo_observations():
    data = world(np.random.default_rng(13)).grouped
    fit = audited(data, AuditedOutcomes.none(data))
    assert fit.log_odds == pytest.approx(np.zeros(4), abs=1e-12)
    assert fit.posterior == pytest.approx(data.label @ data.counts / data.totals, abs=1e-12)
    totals = data.totals
    assert (1 + totals * fit.posterior) / (2 + totals) == pytest.approx(direct(data).posterior, abs=1e-12)
    assert fit.verdict is None


def test_with_every_event_looked_up_it_is_the_oracle():
    outcomes = world(np.random.default_rng(14), 60, 5_000)
    data = outcomes.grouped
    everything = AuditedOutcomes(outcomes.positives, outcomes.negatives)
    truth = oracle(outcomes).posterior
    away = np.abs(direct(data).posterior - truth).max()
    assert away > 0.03
    for weak in (None, LOG_ODDS[::-1]):
        assert audited(data, everything, weak).posterior == pytest.approx(truth, abs=1e-3)


def test_it_nears_the_oracle_as_more_is_looked_up():
    errors = np.zeros(3)
    for seed in range(6):
        outcomes = world(np.random.default_rng(seed), 60, 2_000)
        truth = oracle(outcomes).posterior
        for place, size in enumerate((30, 300, 30_000)):
            audit = looked_up(outcomes, size, np.random.default_rng(seed))
            errors[place] += np.abs(audited(outcomes.grouped, audit).posterior - truth).mean() / 6
    assert errors[0] > 1.5 * errors[1] > 3 * errors[2]


def test_order_of_groups_and_bins_changes_nothing():
    rng = np.random.default_rng(15)
    outcomes = world(rng)
    data, audit = outcomes.grouped, looked_up(outcomes, 80, rng)
    tilt = np.array([1.0, 0.2, -0.4, -0.8])
    fit = audited(data, audit, tilt, ordered=["age"])
    groups, bins = rng.permutation(40), rng.permutation(4)
    shuffled = GroupedCounts(
        data.counts[groups][:, bins],
        data.label[groups],
        data.groups[groups],
        data.bins.iloc[bins].reset_index(drop=True),
    )
    other = audited(
        shuffled,
        AuditedOutcomes(audit.happy[groups][:, bins], audit.sad[groups][:, bins]),
        tilt[bins],
        ordered=["age"],
    )
    assert other.posterior == pytest.approx(fit.posterior[bins], abs=1e-9)
    assert other.sd == pytest.approx(fit.sd[bins], abs=1e-9)
    assert other.intercepts == pytest.approx(fit.intercepts[groups], abs=1e-8)
    assert other.verdict.probability == pytest.approx(fit.verdict.probability, abs=1e-9)
    assert other.mismatch.agreement == pytest.approx(fit.mismatch.agreement, abs=1e-7)
    assert other.worth == pytest.approx(fit.worth, rel=1e-6)


def test_a_shift_of_the_tilt_changes_nothing():
    rng = np.random.default_rng(16)
    outcomes = world(rng)
    audit = looked_up(outcomes, 80, rng)
    tilt = np.array([1.0, 0.2, -0.4, -0.8])
    shifted = audited(outcomes.grouped, audit, tilt + 7)
    assert shifted.posterior == pytest.approx(audited(outcomes.grouped, audit, tilt).posterior, abs=1e-12)


def test_intervals_hold_the_truth_about_as_often_as_they_say():
    held = np.zeros(2)
    for seed in range(40):
        rng = np.random.default_rng([17, seed])
        outcomes = world(rng, log_odds=rng.normal(0, 0.8, 4))
        truth = outcomes.positives.sum(axis=0) / outcomes.grouped.totals
        fit = audited(outcomes.grouped, looked_up(outcomes, 100, rng))
        for place, level in enumerate((0.9, 0.95)):
            lower, upper = fit.interval(level)
            held[place] += np.mean((lower <= truth) & (truth <= upper)) / 40
    assert 0.87 < held[0] <= held[1]
    assert 0.93 < held[1] <= 1


def test_an_interval_reaches_a_rate_of_0_or_1_and_is_never_narrower_than_that_of_the_logit():
    rng = np.random.default_rng(18)
    outcomes = world(rng, log_odds=np.array([-4.0, 0.0, 0.5, 4.5]))
    fit = audited(outcomes.grouped, looked_up(outcomes, 40, rng))
    lower, upper = fit.interval(0.95)
    wide_lower, wide_upper = fit.interval(1 - 1e-6)
    assert wide_lower[0] == 0 and wide_upper[-1] == 1
    assert (0 <= lower).all() and (lower < fit.posterior).all()
    assert (fit.posterior < upper).all() and (upper <= 1).all()
    half = student.ppf(0.975, 8) * fit.sd
    on_logit = np.array([-half, half]) / (fit.posterior * (1 - fit.posterior)) + logit(fit.posterior)
    assert (lower <= expit(on_logit[0]) + 1e-12).all() and (upper >= expit(on_logit[1]) - 1e-12).all()
    narrow = fit.interval(0.9)
    assert (narrow[0] >= lower).all() and (narrow[1] <= upper).all()


def test_ten_thousand_groups_take_less_than_a_second():
    rng = np.random.default_rng(19)
    bins = pd.DataFrame({"size": np.repeat(range(10), 3), "colour": list("rgb") * 10})
    outcomes = world(rng, 10_000, 90, rng.normal(0, 0.7, 30), bins)
    audit = looked_up(outcomes, 200, rng)
    seconds = []
    for _ in range(3):
        began = time.process_time()
        audited(outcomes.grouped, audit, rng.normal(0, 0.7, 30))
        seconds.append(time.process_time() - began)
    assert min(seconds) < 1


def test_a_bin_without_events_has_what_a_group_of_all_events_would_give_it():
    outcomes = world(np.random.default_rng(18))
    counts = outcomes.grouped.counts * [1, 0, 1, 1]
    data = GroupedCounts(counts, outcomes.grouped.label, bins=BINS)
    happy = np.zeros((40, 4))
    happy[:, 0] = np.minimum(counts[:, 0], 3)
    fit = audited(data, AuditedOutcomes(happy, np.zeros((40, 4))))
    assert np.isfinite(fit.posterior).all() and np.isfinite(fit.sd).all()
    assert fit.posterior[0] > fit.posterior[1] > fit.posterior[3]  # like young, like female


def test_for_new_groups_an_answer_with_one_intercept_counts_as_much():
    rng = np.random.default_rng(19)
    outcomes = world(rng)
    data, audit = outcomes.grouped, looked_up(outcomes, 100, rng)
    fit, here = audited(data, audit, new_groups=True), audited(data, audit)
    together = AuditedOutcomes(audit.happy.sum(axis=0)[None], audit.sad.sum(axis=0)[None])
    common = audited(pooled(data), together)
    assert fit.posterior == pytest.approx((here.posterior + common.posterior) / 2, abs=1e-12)
    # Two models of equal weight: the mean of their variances and the variance of their means.
    kernel = factor_kernel(BINS)
    spreads = [np.diag(posterior_of(*of, kernel).spread) for of in ((data, audit), (pooled(data), together))]
    variance = np.mean(spreads, axis=0) + np.var([here.posterior, common.posterior], axis=0)
    own = posterior_of(data, audit, kernel).answer.own_variance
    assert fit.sd == pytest.approx(np.sqrt(variance + own), rel=1e-9)


def test_equal_labels_and_equal_bins_are_no_trouble():
    data = GroupedCounts(np.full((5, 2), 20), np.full(5, 0.4))
    fit = audited(data, AuditedOutcomes(np.full((5, 2), 2), np.full((5, 2), 3)), weak=np.zeros(2))
    assert fit.posterior == pytest.approx([0.4, 0.4])
    assert np.isnan(fit.mismatch.agreement) and not fit.mismatch.alarm
    assert fit.verdict.word == UNDECIDED


def test_what_cannot_be_used_is_refused():
    data = GroupedCounts([[8, 2], [2, 0]], label=[0.9, 0.1], groups=["A", "B"])
    none = AuditedOutcomes.none(data)
    with pytest.raises(ValueError, match=r"tilt of 3 bins, but the data have 2"):
        audited(data, none, weak=np.zeros(3))
    with pytest.raises(ValueError, match=r"log\(w1 / w0\) is inf in bin 2"):
        audited(data, none, weak=np.array([0, np.inf]))
    with pytest.raises(ValueError, match="group B: an outcome but no events in bin 2"):
        audited(data, AuditedOutcomes([[0, 0], [0, 1]], np.zeros((2, 2))))
    with pytest.raises(ValueError, match="no factor 'age'; there are bin"):
        audited(data, none, ordered=["age"])
    with pytest.raises(ValueError, match="the data have"):
        audited(data, AuditedOutcomes([[1]], [[0]]))
    with pytest.raises(ValueError, match=r"level 1\.2: expected a number between 0 and 1"):
        audited(data, none).interval(1.2)


def test_noisy_scores_may_all_be_off_by_a_common_amount():
    rng = np.random.default_rng(20)
    outcomes = world(rng, 60, 1_000)
    data = outcomes.grouped
    off = replace(data, label=expit(logit(data.label) + 0.5))
    audit = looked_up(outcomes, 1_500, rng)
    truth = oracle(outcomes).posterior
    exact, scores = (audited(off, audit, label_scores=scores) for scores in (False, True))
    assert exact.mismatch.level < -3 < scores.mismatch.level
    assert np.abs(exact.posterior - truth).max() > 0.08
    assert np.abs(scores.posterior - truth).max() < 0.03


# Kernel and priors


def test_levels_have_the_order_given_or_their_own():
    assert level_numbers(pd.Series([10, 9, 10]))[0].tolist() == [1, 0, 1]
    assert level_numbers(pd.Series(["lo", "hi"], name="x"), ["lo", "hi"])[0].tolist() == [0, 1]
    column = pd.Series(pd.Categorical(["lo", "hi"], categories=["lo", "mid", "hi"]))
    assert level_numbers(column) == (pytest.approx([0, 1]), 2)
    with pytest.raises(ValueError, match="level 'hi' of factor 'x' has no place in the order"):
        level_numbers(pd.Series(["lo", "hi"], name="x"), ["lo"])


def test_an_ordered_factor_makes_neighbours_alike():
    kernel = factor_kernel(pd.DataFrame({"age": [1, 2, 3]}), ["age"])
    z = np.array([-1, 0, 1]) * np.sqrt(1.5)
    assert kernel == pytest.approx((np.eye(3) + np.outer(z, z)) / 2)


def test_priors_are_positive_definite_and_weigh_one():
    table = priors(factor_kernel(BINS), np.array([1.0, 0, 0, -1]))
    assert sum(prior.weight for prior in table) == pytest.approx(1)
    assert all(np.linalg.eigvalsh(prior.covariance).min() > 0 for prior in table)
    assert isinstance(middle_prior(np.eye(4)), Prior) and middle_prior(np.eye(4)).shape == "none"


# Sampling


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 400), st.sampled_from(["bins", "random", "groups"]), st.integers(0, 99))
def test_a_sample_has_its_size_and_no_more_than_there_is(size, design, seed):
    counts = np.array([[90, 4, 0], [30, 6, 1], [50, 0, 2]])
    data = GroupedCounts(counts, [0.9, 0.1, 0.5])
    sample = audit_sample(data, size, design, seed)
    assert sample.size == min(size, counts.sum())
    assert (sample.counts <= counts).all() and (sample.counts >= 0).all()
    assert sample.to_frame()["n"].sum() == sample.size
    assert sample.bins_covered == (sample.counts.sum(axis=0) > 0).sum()
    assert sample.groups_covered == (sample.counts.sum(axis=1) > 0).sum()


def test_bins_are_sampled_in_proportion_to_the_square_root_of_their_events():
    rng = np.random.default_rng(22)
    totals = np.array([10_000, 400, 25, 1])
    drawn = np.mean([allocation(np.sqrt(totals), totals, 63, rng) for _ in range(1_500)], axis=0)
    assert drawn == pytest.approx(63 * np.sqrt(totals) / 126, abs=0.05)
    data = GroupedCounts(totals[None] * [[1.0], [1.0]], label=[0.4, 0.6])
    samples = [audit_sample(data, 63, rng=rng).counts.sum(axis=0) for _ in range(200)]
    assert np.mean(samples, axis=0) == pytest.approx(63 * np.sqrt(totals) / 126, abs=0.2)


def test_ten_groups_are_enough_where_they_have_the_events():
    data = world(np.random.default_rng(23)).grouped
    assert audit_sample(data, 500, "groups", 1).groups_covered == 10
    assert audit_sample(data, 3_000, "groups", 1).groups_covered == 15


def test_samples_that_cannot_be_drawn_are_refused():
    data = GroupedCounts([[90, 10], [3, 1]], label=[0.5, 0.2])
    with pytest.raises(ValueError, match="design 'strata': expected one of bins, random, groups"):
        audit_sample(data, 5, "strata")
    with pytest.raises(ValueError, match="size 0: expected a whole number"):
        audit_sample(data, 0)
    with pytest.raises(ValueError, match=r"group 2: count 2.5 is not a whole number .* before any cap"):
        audit_sample(replace(data, counts=np.array([[90, 10], [2.5, 1]])), 5)


# Outcomes

DATA = GroupedCounts([[3, 2, 1, 0], [1, 1, 1, 1]], label=[0.5, 0.5], groups=["A", "B"], bins=BINS)
TABLE = pd.DataFrame(
    {
        "group": ["A", "A", "B", "A"],
        "sex": ["f", "f", "m", "m"],
        "age": ["old", "young", "young", "old"],
        "outcome": ["Yes", "FALSE", None, " 1 "],
        "id": [7, 8, 9, 10],
    }
)


def test_outcomes_are_read_in_any_of_three_forms_and_empty_ones_left_out():
    audit = AuditedOutcomes.from_table(TABLE, DATA, identity="id")
    assert audit.happy.tolist() == [[1, 0, 1, 0], [0, 0, 0, 0]]
    assert audit.sad.tolist() == [[0, 1, 0, 0], [0, 0, 0, 0]]
    assert (audit.left_out, audit.size) == (1, 3)
    shuffled = AuditedOutcomes.from_table(TABLE.sample(frac=1, random_state=1), DATA)
    assert (shuffled.happy == audit.happy).all() and (shuffled.sad == audit.sad).all()
    numbers = AuditedOutcomes.from_table(TABLE.assign(outcome=[1.0, 0.0, np.nan, 1.0]), DATA)
    assert (numbers.happy == audit.happy).all() and numbers.left_out == 1
    booleans = AuditedOutcomes.from_table(TABLE.assign(outcome=[True, False, False, True]), DATA)
    assert booleans.sad.sum() == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"outcome": ["1", "2", "", "0"]}, "audit: outcome '2' in row 2 is no outcome; expected 1 or 0"),
        ({"group": ["A", "A", "B", "C"]}, "audit: group 'C' in row 4 is no group with events"),
        ({"age": ["old", "dead", "old", "old"]}, "audit: sex 'f', age 'dead' in row 2 is no bin of the data"),
        ({"age": ["old", "old", "old", "young"]}, "group 'A', sex 'm', age 'young' in row 4 has no events"),
        ({"id": [1, 2, 3, 2]}, "audit: id 2 in row 4 occurs before"),
    ],
)
def test_a_wrong_row_is_named(change, message):
    with pytest.raises(ValueError, match=message) as refused:
        AuditedOutcomes.from_table(TABLE.assign(**change), DATA, identity="id")
    assert "\n" not in str(refused.value)


def test_a_missing_column_is_named():
    with pytest.raises(ValueError, match="audit: no column 'age'; there are group, sex, outcome, id"):
        AuditedOutcomes.from_table(TABLE.drop(columns="age"), DATA)


# Do outcomes and labels belong together?


def scores(change, runs=40, size=100):
    found = []
    for seed in range(runs):
        rng = np.random.default_rng([24, seed])
        outcomes = world(rng)
        data, audit = change(outcomes.grouped, looked_up(outcomes, size, rng), rng)
        prior = middle_prior(factor_kernel(BINS))
        rows = rows_at_mode(data, audit, prior)
        part = component(rows, prior)
        found.append(mismatch(rows, part.theta, part.covariance))
    return np.array([[m.level, m.agreement] for m in found]), np.array([m.alarm for m in found])


def test_mismatch_is_standard_normal_where_all_is_well():
    z, alarms = scores(lambda data, audit, rng: (data, audit), runs=300)
    assert np.abs(z.mean(axis=0)).max() < 0.2
    assert (0.8 < z.std(axis=0)).all() and (z.std(axis=0) < 1.2).all()
    assert alarms.mean() <= 0.02


def test_flipped_outcomes_and_labels_of_other_groups_are_found():
    _, flipped = scores(lambda data, audit, rng: (data, AuditedOutcomes(audit.sad, audit.happy)))
    assert flipped.mean() > 0.95
    z, other = scores(
        lambda data, audit, rng: (replace(data, label=rng.permutation(data.label)), audit), size=200
    )
    assert other.mean() > 0.9
    # The sum of the residuals alone, without the agreement, does not see it.
    assert (np.abs(z[:, 0]) > 3).mean() < 0.2


def test_the_factor_on_the_intercepts_is_1_where_all_is_well():
    rng = np.random.default_rng(25)
    outcomes = world(rng, 200, 200)
    audit = looked_up(outcomes, 4_000, rng)
    fit = audited(outcomes.grouped, audit)
    assert fit.mismatch.factor == pytest.approx(1, abs=3 * fit.mismatch.factor_sd)
    assert fit.mismatch.factor_sd < 0.06


def test_an_outcome_against_a_label_of_1_is_a_contradiction():
    data = GroupedCounts([[5, 5], [5, 5]], label=[1, 0.5])
    audit = AuditedOutcomes([[2, 0], [1, 1]], [[0, 1], [1, 1]])
    found = audited(data, audit).mismatch
    assert found.contradictions == 1 and found.alarm


def audits_of_rated_labels(rated, flipped, runs=30):
    """Of labels that are shares of so many rated events: 95% intervals that hold, alarms, errors, exact labels' too."""
    held, alarms, errors = [], [], []
    for seed in range(runs):
        rng = np.random.default_rng([29, seed])
        outcomes = world(rng)
        data, audit = outcomes.grouped, looked_up(outcomes, 100, rng)
        y = rng.binomial(rated, data.label)
        raw = replace(data, label=y / rated)
        if flipped:
            audit = AuditedOutcomes(audit.sad, audit.happy)
        truth = outcomes.positives.sum(axis=0) / data.totals
        found = audited(with_label_noise(raw, rated=rated), audit)
        lower, upper = found.interval()
        held.append((lower <= truth) & (truth <= upper))
        alarms.append(found.mismatch.alarm)
        errors.append([np.abs(fit.posterior - truth).mean() for fit in (found, audited(raw, audit))])
    return np.mean(held), np.mean(alarms), np.mean(errors, axis=0)


@pytest.mark.parametrize("shift", [0, 0.4])
def test_what_labels_leave_open_moves_the_answer_as_their_change_does(shift):
    data = world(np.random.default_rng(31), 6).grouped
    variance = np.array([0, 0.01, 0.02, 0.003, 0.01, 0.04])
    step = 1e-6
    changes = [
        [
            raked_answer(
                replace(data, label=data.label + sign * step * np.eye(6)[i]), LOG_ODDS, shift
            ).posterior
            for sign in (1, -1)
        ]
        for i in range(6)
    ]
    by_label = np.array([(up - down) / (2 * step) for up, down in changes])
    common = np.array([0.01, 0, 0.02, 0.01, 0.03, 0.02])
    found = raked_answer(data, LOG_ODDS, shift, LeftOpen(variance, common)).label_covariance
    expected = by_label.T @ (np.diag(variance) + np.outer(common, common)) @ by_label
    assert found == pytest.approx(expected, rel=1e-6)
    assert not raked_answer(data, LOG_ODDS, shift).label_covariance.any()


def test_what_labels_leave_open_of_all_is_that_of_the_mean_label():
    sizes, common = np.array([10.0, 30, 60]), np.array([0.03, 0, 0.02])
    left = LeftOpen(np.array([0.01, 0.02, 0.005]), common)
    of_all, weights = left.of_all(sizes), sizes / 100
    covariance = np.diag(left.variance) + np.outer(common, common)
    assert of_all.variance[0] + of_all.common[0] ** 2 == pytest.approx(weights @ covariance @ weights)


def test_labels_that_are_shares_of_a_few_rated_events_are_no_contradiction():
    held, alarms, (calibrated, as_exact) = audits_of_rated_labels(5, flipped=False)
    assert alarms == 0 and held > 0.9
    assert calibrated < as_exact
    assert audits_of_rated_labels(5, flipped=True)[1] > 0.8


@pytest.mark.parametrize("noise", ["rated", "sd"])
def test_events_that_share_a_noisy_label_are_no_contradiction_of_their_level(noise):
    """Many events are looked up in few groups, whose labels are off, each by itself and all together."""
    rng = np.random.default_rng(33)
    levels = []
    for _ in range(40):
        outcomes = world(rng, 25)
        data, audit = outcomes.grouped, looked_up(outcomes, 400, rng)
        if noise == "rated":
            data = with_label_noise(replace(data, label=rng.binomial(2, data.label) / 2), rated=2)
        else:
            data = replace(data, label=expit(logit(data.label) + rng.normal(0, 1, 25)))
            data = with_label_noise(data, label_sd=1)
        levels.append(audited(data, audit).mismatch.level)
    assert 0.6 < np.std(levels) < 1.4
    assert np.mean(np.abs(levels) > 3) <= 0.05


def test_an_audit_of_noisy_labels_is_that_of_the_calibrated_ones():
    rng = np.random.default_rng(30)
    outcomes = world(rng)
    noisy = with_label_noise(outcomes.grouped, label_sd=0.5)
    audit = looked_up(outcomes, 100, rng)
    one, other = audited(noisy, audit), audited(noisy.calibrated(), audit)
    np.testing.assert_array_equal(one.posterior, other.posterior)
    assert one.mismatch.factor == other.mismatch.factor
    # What the labels leave open makes the same residuals less surprising.
    assert 0 < one.mismatch.agreement / other.mismatch.agreement < 1
    assert (one.sd > other.sd).all()
    exact = audited(with_label_noise(outcomes.grouped, label_sd=0), audit)
    np.testing.assert_array_equal(exact.posterior, audited(outcomes.grouped, audit).posterior)


def test_ordered_levels_of_an_audit_are_in_their_own_order():
    """Ranges by their numbers and other levels as the bins have them, not by the alphabet."""
    rng = np.random.default_rng(35)
    for levels in (["<= 5", "(5, 10]", "(10, 20]", "> 20"], ["low", "mid", "high", "top"]):
        outcomes = world(rng, bins=pd.DataFrame({"size": levels}))
        audit = looked_up(outcomes, 100, rng)
        by_name, given, nominal = (
            answer(outcomes.grouped, audit, weak=None, ordered=ordered)
            for ordered in (["size"], {"size": levels}, None)
        )
        np.testing.assert_array_equal(by_name.posterior, given.posterior)
        assert by_name.settings["ordered"] == {"size": levels}
        assert np.abs(by_name.posterior - nominal.posterior).max() > 1e-4


def test_a_row_of_several_events_is_no_single_outcome():
    data = GroupedCounts([[8, 2], [2, 8]], label=[0.9, 0.1])
    table = pd.DataFrame({"group": [1, 2], "bin": [1, 2], "n": [1, 3], "outcome": [1, 0]})
    with pytest.raises(ValueError, match="row 2 stands for 3 events"):
        AuditedOutcomes.from_table(table, data)
    assert (
        AuditedOutcomes.from_table(table.loc[table.index.repeat(table["n"])].drop(columns="n"), data).size
        == 4
    )


def test_mismatch_of_no_outcomes_is_not_a_number():
    data = GroupedCounts([[5, 5], [5, 5]], label=[0.2, 0.5])
    found = audited(data, AuditedOutcomes.none(data)).mismatch
    assert np.isnan(found.level) and not found.alarm


def test_the_variance_takes_out_what_beta_fits():
    rows = rows_of(world(np.random.default_rng(26)), 150)
    part = component(rows, middle_prior(factor_kernel(BINS)))
    found = mismatch(rows, part.theta, part.covariance)
    logits = rows.logit(part.theta)
    q = expit(logits)
    design = np.eye(4)[rows.bin] - rows.responses[rows.group]
    weight = np.diag(rows.trials * q * (1 - q))
    intercept = (rows.offset - rows.responses @ part.theta[:-1])[rows.group]
    columns = np.column_stack([np.ones(len(q)), intercept - np.average(intercept, weights=np.diag(weight))])
    left = weight - weight @ design @ part.covariance[:-1, :-1] @ design.T @ weight
    expected = columns.T @ (rows.successes - rows.trials * q) / np.sqrt(np.diag(columns.T @ left @ columns))
    assert [found.level, found.agreement] == pytest.approx(expected, rel=1e-9)


# The verdict


def test_the_probability_is_that_of_draws():
    rng = np.random.default_rng(27)
    posterior, totals = np.array([0.7, 0.5, 0.2]), np.array([50.0, 30, 20])
    answer, root = np.array([0.9, 0.55, 0.3]), rng.normal(0, 0.05, (3, 3))
    mean = 0.54
    draws = posterior + rng.normal(size=(200_000, 3)) @ root.T
    better = ((mean - draws) ** 2 - (answer - draws) ** 2) @ totals > 0
    probability, skill, _ = judged(answer, posterior, root @ root.T, totals, mean, 100)
    assert probability == pytest.approx(better.mean(), abs=0.005)
    away = [totals @ (guess - posterior) ** 2 for guess in (answer, mean)]
    assert skill == pytest.approx(1 - away[0] / away[1])


def test_the_more_events_the_verdict_asks_for_would_decide():
    answer, posterior, totals = np.array([0.8, 0.3]), np.array([0.7, 0.4]), np.array([50, 50])
    covariance = np.eye(2) / 50
    probability, _, more = judged(answer, posterior, covariance, totals, 0.55, 100)
    assert 0.05 < probability < 0.95 and more > 0
    for events, decides in ((more + 100, True), (0.8 * more + 100, False)):
        shrunk = covariance * 100 / events
        assert (judged(answer, posterior, shrunk, totals, 0.55, events)[0] > 0.95) == decides


def test_a_good_and_a_misleading_weak_answer_are_told_apart():
    rng = np.random.default_rng(28)
    outcomes = world(rng, 60, 1_000)
    audit = looked_up(outcomes, 200, rng)
    good = audited(outcomes.grouped, audit, LOG_ODDS).verdict
    bad = audited(outcomes.grouped, audit, -LOG_ODDS).verdict
    assert (good.word, bad.word) == (BETTER, MISLEADING)
    assert good.slope == pytest.approx(1, abs=3 * good.slope_sd)
    assert good.trust > bad.trust
    unknown = audited(outcomes.grouped, AuditedOutcomes.none(outcomes.grouped), LOG_ODDS).verdict
    assert unknown.trust == pytest.approx(0.7) and unknown.slope == pytest.approx(0.6)


def test_a_fit_brings_its_tilt_and_its_answer():
    rng = np.random.default_rng(29)
    outcomes = world(rng, 60, 1_000)
    weak = latent(outcomes.grouped, he_weight=np.inf)
    tilt = centred_tilt(weak, outcomes.grouped)
    assert outcomes.grouped.totals @ tilt == pytest.approx(0, abs=1e-6)
    audit = looked_up(outcomes, 100, rng)
    by_fit = audited(outcomes.grouped, audit, weak)
    assert by_fit.posterior == pytest.approx(audited(outcomes.grouped, audit, tilt).posterior, abs=1e-9)
    assert 0 <= by_fit.verdict.probability <= 1


def test_worth_is_the_size_of_a_random_sample_that_errs_as_much():
    bins, totals = pd.DataFrame({"kind": ["a", "b", "c"]}), np.array([500.0, 300, 200])
    posterior = np.array([0.7, 0.5, 0.2])
    variance = posterior * (1 - posterior) / (120 * totals / totals.sum())
    assert worth(posterior, variance, totals, bins) == pytest.approx(120)
    assert worth(posterior, variance / 1e6, totals, bins) == 1_000  # there are no more


def test_worth_knows_what_main_effects_can_do():
    # A truth of main effects alone: a logistic regression on them has 3 parameters instead of 4.
    totals, posterior = np.full(4, 250.0), expit(np.array([0.5, 0.1, -0.1, -0.5]))
    spread, columns = posterior * (1 - posterior), np.array([[1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1]])
    covariance = np.linalg.inv((columns.T * spread / 4) @ columns) / 200
    variance = spread**2 * np.einsum("kj,jl,kl->k", columns, covariance, columns)
    assert worth(posterior, variance, totals, BINS) == pytest.approx(200, rel=1e-6)


def test_worth_is_a_number_where_a_rate_is_known_to_be_0():
    bins = pd.DataFrame({"sex": list("ffmm"), "age": ["old", "young"] * 2})
    rates, totals = np.array([0.3, 0.5, 0.4, 0.6]), np.full(4, 500.0)
    plain = worth(rates, np.full(4, 1e-3), totals, bins)
    known = worth(np.array([0.3, 0.5, 0.4, 0.0]), np.array([1e-3, 1e-3, 1e-3, 0.0]), totals, bins)
    assert np.isfinite(known) and 0 < known <= 2000 and plain > 0


def test_a_frame_has_one_row_per_bin():
    rng = np.random.default_rng(30)
    outcomes = world(rng)
    fit = audited(outcomes.grouped, looked_up(outcomes, 50, rng))
    frame = fit.to_frame()
    assert list(frame)[:5] == ["sex", "age", "n", "posterior", "sd"]
    nested = frame[["lower_95", "lower_90", "posterior", "upper_90", "upper_95"]].to_numpy()
    assert (np.diff(nested, axis=1) > 0).all()


def test_names_of_outcomes_are_compared_as_those_of_events_are():
    bins = pd.DataFrame({"size": ["1", "2"], "on": ["true", "false"]})
    data = GroupedCounts([[8, 2], [2, 8]], label=[0.9, 0.1], groups=["10", "20"], bins=bins)
    table = pd.DataFrame({"group": [10.0, 20.0], "size": [1.0, 2.0], "on": [True, False], "outcome": [1, 0]})
    audit = AuditedOutcomes.from_table(table, data)
    assert audit.happy.tolist() == [[1, 0], [0, 0]] and audit.sad.tolist() == [[0, 0], [0, 1]]


@pytest.mark.parametrize("cap", [np.inf, 4])
def test_more_outcomes_than_events_are_refused(cap):
    data = GroupedCounts([[8, 2], [2, 8]], label=[0.9, 0.1], groups=["A", "B"]).cap(cap)
    audited(data, AuditedOutcomes([[0, 2], [0, 0]], [[8, 0], [0, 0]]))
    with pytest.raises(
        ValueError, match="group A: 3 outcomes but 2 events in bin 2; give each event that was"
    ):
        audited(data, AuditedOutcomes([[0, 2], [0, 0]], [[8, 1], [0, 0]]))
