"""What the paper states as mathematics, checked to rounding on the simulation's data; and two errata.

Table: identity, place (in the paper), statement, value, expected, holds. The value is a largest deviation
where 0 is expected. It is rounded to nine decimals, since what is smaller differs from machine to machine.

Three statements do not hold as printed. Equation (3.2) says that E[sigma(mu) | all clicks of a group] is the
average of rho over them. With one click per group that is so under the paper's Haldane prior, where each group
is all happy or all sad, and nearly so under priors near it; with more clicks it is not. And log f0 stands
in (4.6) with a plus sign inside an argmin: that minimum is the maximum of the posterior only where f0 is
flat, as in (4.7). And before (4.6) the update of mu "must maximize the marginal log-likelihood". What (4.7) maximises
is the expected complete-data log-likelihood, as an M-step does; the two maxima meet at a fixed point of EM alone.
"""

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.special import expit

from replication.discussion.runs import write_table_of
from replication.shared.known_warnings import known_warnings_ignored
from wsclust.estimators.direct import direct
from wsclust.estimators.em import solve_quality
from wsclust.estimators.latent import latent
from wsclust.estimators.likelihood import Problem, start
from wsclust.estimators.moments import moments
from wsclust.estimators.oracle import oracle
from wsclust.outcomes import KnownOutcomes

TOLERANCE = 1e-6
WEIGHTS = (0.0, 0.1, 1.0, 10.0, np.inf)


def without_pseudo_observations(data):
    """The direct estimate with its pseudo-observations taken out again, (K,); NaN in a bin without clicks."""
    happy = direct(data).posterior * (2 + data.totals) - 1
    return np.divide(happy, data.totals, out=np.full(len(happy), np.nan), where=data.totals > 0)


def regression(data):
    """Linear regression of the labels on bin indicators, one row a click: coefficients (K,)."""
    group, bins = np.nonzero(data.counts)
    times = data.counts[group, bins].astype(int)
    group, bins = np.repeat(group, times), np.repeat(bins, times)
    return np.linalg.lstsq(np.eye(data.counts.shape[1])[bins], data.label[group], rcond=None)[0]


def start_by_bayes(data):
    """P(happy | bin) that EM's start implies: Bayes' rule on its w_0 and w_1, and the prior they count."""
    state = start(Problem(data, 10))
    n_bins = len(state.happy)
    prior = (n_bins + data.sizes @ data.label) / (2 * n_bins + data.sizes.sum())
    happy = prior * state.happy
    return happy / (happy + (1 - prior) * state.sad)


def largest_fall(data):
    """The most that the objective ever falls from one step of EM to the next, relative to its size."""
    fits = [latent(data, weight, 1e-6, solver="em") for weight in WEIGHTS]
    return max(0.0, *(-np.diff(fit.objective).min() / abs(fit.objective[-1]) for fit in fits))


def mu_cases(rng, cases=2000):
    """Inputs of equation (4.7): W_H, HE, J and the happy events, (cases,) each."""
    he_weight, evaluation = 10 ** rng.uniform(-2, 3, cases), rng.normal(0, 3, cases)
    sizes = rng.integers(1, 1001, cases).astype(float)
    return he_weight, evaluation, sizes, sizes * rng.random(cases)


def roots_of_mu(rng):
    """Fewest and most sign changes of (4.7) in its bracket, and the largest residual of its solver."""
    he_weight, evaluation, sizes, happy = (value[:, None] for value in mu_cases(rng))

    def left(mu):
        return he_weight * (mu - evaluation) + sizes * expit(mu) - happy

    low, high = evaluation - (sizes - happy) / he_weight, evaluation + happy / he_weight
    changes = (np.diff(np.sign(left(low + (high - low) * np.linspace(0, 1, 501))), axis=1) != 0).sum(axis=1)
    found = [
        solve_quality(w, e, s, z)[0]
        for w, e, s, z in zip(he_weight[:, 0], evaluation, sizes, happy, strict=True)
    ]
    residual = np.abs(left(np.array(found)[:, None])) / (sizes + he_weight)
    return changes.min(), changes.max(), residual.max()


def label_share_deviation(rng, step=1e-4):
    """How far d mu / d HE, by differences, is from W_H / (W_H + J v)."""
    he_weight, evaluation, sizes, happy = mu_cases(rng, 200)
    deviation = []
    for w, e, s, z in zip(he_weight, evaluation, sizes, happy, strict=True):
        ends = solve_quality(w, np.array([e - step, e, e + step]), np.full(3, s), np.full(3, z))
        share = expit(ends[1])
        deviation.append((ends[2] - ends[0]) / (2 * step) - w / (w + s * share * (1 - share)))
    # The differences' own error is of the order of step squared.
    return round(float(np.abs(deviation).max()), 6)


def conditional_mean(happy, sad, clicks, prior):
    """E[sigma(mu) | clicks in one bin] where its probability is `happy` given happy and `sad` given sad.

    `prior` is a function from m to E[p^m], p = sigma(mu).

    >>> one, two = (conditional_mean(0.7, 0.2, clicks, beta_moments(0.01)) for clicks in (1, 2))
    >>> round(one, 3), round(two, 3)
    (0.772, 0.918)
    """
    chance = np.polynomial.Polynomial([sad, happy - sad]) ** clicks
    weights = chance.coef
    below = sum(c * prior(m) for m, c in enumerate(weights))
    return float(sum(c * prior(m + 1) for m, c in enumerate(weights)) / below)


def haldane_moments(m):
    """E[p^m] where p is 0 or 1 with even odds, to which Beta(a, a) tends as a falls to 0."""
    return 0.5 if m else 1.0


def beta_moments(a):
    """E[p^m] of p ~ Beta(a, a), as a function of m."""
    return lambda m: float(np.prod([(a + r) / (2 * a + r) for r in range(m)]))


def normal_moments(m, nodes=80):
    """E[sigma(mu)^m] of mu ~ N(0, 1)."""
    points, weight = np.polynomial.hermite_e.hermegauss(nodes)
    return float(weight @ expit(points) ** m / weight.sum())


def mu_with_prior(sign, he_weight=10.0, evaluation=1.0, size=5, happy=3.0):
    """Stationary point of (4.6) where f0 is standard normal and log f0 has this sign."""

    def slope(mu):
        return he_weight * (mu - evaluation) + size * expit(mu) - happy + sign * -mu

    return brentq(slope, -10, 10)


def most_probable_mu(he_weight=10.0, evaluation=1.0, size=5, happy=3.0):
    """The mu that maximises rater noise x clicks x standard normal prior, on a fine grid and then finer."""
    low, high = -10.0, 10.0
    for _ in range(12):
        mu = np.linspace(low, high, 401)
        log = -he_weight / 2 * (mu - evaluation) ** 2 + happy * mu - size * np.logaddexp(0, mu) - mu**2 / 2
        best, width = mu[np.argmax(log)], (high - low) / 20
        low, high = best - width, best + width
    return float(best)


def update_of_mu(group, state, he_weight):
    """The M-step's mu of one group with counts (K,), and where two log-likelihoods are largest, found on grids.

    Returns what (4.7) gives from the z of `state`, the maximum of the expected complete-data log-likelihood and that of
    the marginal one, each with the labels' penalty.
    """
    happy_of = state.share[0] * state.happy
    z = happy_of / (happy_of + (1 - state.share[0]) * state.sad)
    evaluation = state.quality[0]
    size, happy = group.sum(), group @ z
    printed = solve_quality(he_weight, *(np.array([value]) for value in (evaluation, size, happy)))[0]

    def expected(mu):
        return happy * mu - size * np.logaddexp(0, mu)

    def marginal(mu):
        return np.log(np.outer(expit(-mu), state.sad) + np.outer(expit(mu), state.happy)) @ group

    return printed, *(_highest(curve, evaluation, he_weight) for curve in (expected, marginal))


def _highest(log_likelihood, evaluation, he_weight):
    low, high = -10.0, 10.0
    for _ in range(12):
        mu = np.linspace(low, high, 401)
        best = mu[np.argmax(log_likelihood(mu) - he_weight / 2 * (mu - evaluation) ** 2)]
        low, high = best - (high - low) / 20, best + (high - low) / 20
    return float(best)


def share_convex(rng, log_prior):
    """The share of cases in which what (4.6) minimises, with - log f0, is convex in mu between -8 and 8."""
    he_weight, evaluation, sizes, happy = (value[:, None] for value in mu_cases(rng))
    mu = np.linspace(-8, 8, 401)
    objective = he_weight / 2 * (mu - evaluation) ** 2 - happy * mu + sizes * np.logaddexp(0, mu)
    second = np.diff(objective - log_prior(mu), 2, axis=1)
    return (second > -1e-9 * np.abs(objective).max(axis=1, keepdims=True)).all(axis=1).mean()


def limits_of_label_noise(data, other_labels):
    """How far the fits to two data sets of equal clicks are from what the limits of sigma_H are said to give.

    Returns: at sigma_H near 0, the distance of rho from that at mu_i = HE_i; as sigma_H grows, the distance from that
    at W_H = 0 after as many steps; and at W_H = 0 how far other labels move an answer that has the same start.
    """
    with known_warnings_ignored():
        exact, near_zero = latent(data, np.inf), latent(data, 1e9)
        steps = {"solver": "em", "max_iterations": 40}
        free, near_free = latent(data, 0, **steps), latent(data, 1e-9, **steps)
        begin = start(Problem(data, 0))
        other = latent(other_labels, 0, **steps, start_at=begin)
        again = latent(data, 0, **steps, start_at=begin)
    pairs = ((exact, near_zero), (free, near_free), (again, other))
    return [float(np.abs(one.posterior - two.posterior).max()) for one, two in pairs]


def along_the_line(data):
    """Change of the log-likelihood a click when w_0 and w_1 move apart along their line at W_H = 0."""
    fit = latent(data, 10)
    # As far as weights and shares stay in [0, 1]: half of the way.
    gap = fit.happy - fit.sad
    room_sad = np.min(np.where(gap > 0, fit.sad, np.inf) / np.where(gap > 0, gap, 1))
    room_happy = np.min(np.where(gap < 0, fit.happy, np.inf) / np.where(gap < 0, -gap, 1))
    a, b = room_sad / 2, room_happy / 2
    sad, happy = fit.sad - a * gap, fit.happy + b * gap
    share = (fit.share + a) / (1 + a + b)

    def log_likelihood(share, sad, happy):
        return np.vdot(data.counts, np.log(np.outer(1 - share, sad) + np.outer(share, happy)))

    before = log_likelihood(fit.share, fit.sad, fit.happy)
    return abs(log_likelihood(share, sad, happy) - before) / data.totals.sum()


def table(world, few, many):
    """The table of the module's docstring, on data sets 1 with `few` and `many` clicks per group."""
    data = world.data(few, 1)
    both = data, world.data(many, 1)
    rng = world.rng("identities")
    fewest, most, residual = roots_of_mu(rng)
    share = expit(world.quality(many, 1))
    true = world.true
    noiseless = np.outer(1 - share, true.sad) + np.outer(share, true.happy)
    single = world.data(1, 1)
    voted, ballots = rng.binomial(1, 0.5, (200, 1)), rng.multinomial(1, np.full(6, 1 / 6), 200)
    voters = KnownOutcomes(voted * ballots, (1 - voted) * ballots)
    bin_1 = 0.7, 0.2  # its probability among happy and among sad clicks
    to_zero, to_infinity, start_alone = limits_of_label_noise(
        both[1], world.data(many, 1, labels="labels drawn anew")
    )
    problem = Problem(both[1], 1)
    printed, expected_maximum, marginal_maximum = update_of_mu(both[1].counts[0], start(problem), 1)

    def deviation(one, other):
        return max(float(np.nanmax(np.abs(one(d) - other(d)))) for d in both)

    rows = [
        ("direct_is_regression", "3.1", "direct without pseudo-observations is regression on bin indicators",
         deviation(without_pseudo_observations, regression), 0),
        ("direct_of_single_voters_is_oracle", "6.1", "with one group a voter direct is the oracle",
         np.abs(direct(voters.grouped).posterior - oracle(voters).posterior).max(), 0),
        ("moments_of_single_clicks_is_direct", "3.2", "at J = 1 moments is direct, pseudo-observations aside",
         np.nanmax(np.abs(moments(single).posterior - without_pseudo_observations(single))), 0),
        ("start_is_direct", "4", "EM's start implies the direct estimate, pseudo-observations included",
         deviation(start_by_bayes, lambda d: direct(d).posterior), 0),
        ("objective_rises", "4", "largest relative fall of the objective in a step of EM, any W_H",
         max(largest_fall(d) for d in both), 0),
        ("mu_roots_fewest", "(4.7)", "sign changes of the mu equation, fewest of 2,000 cases", fewest, 1),
        ("mu_roots_most", "(4.7)", "sign changes of the mu equation, most of 2,000 cases", most, 1),
        ("mu_residual", "(4.7)", "largest residual at the solver's root, relative to W_H + J", residual, 0),
        ("convex_flat", "(4.6)", "share of 2,000 cases in which (4.6), with - log f0, is convex; f0 flat",
         share_convex(rng, lambda mu: 0 * mu), 1),
        ("convex_normal", "(4.6)", "the same; f0 normal", share_convex(rng, lambda mu: -(mu**2) / 2), 1),
        ("convex_cauchy", "(4.6)", "the same; f0 Cauchy, which is not log-concave",
         share_convex(rng, lambda mu: -np.log1p(mu**2)), 1),
        ("label_noise_zero", "2.2", "largest change of rho from sigma_H near 0 to mu = HE", to_zero, 0),
        ("label_noise_infinite", "2.2", "the same from sigma_H near infinity to W_H = 0, after 40 steps of EM",
         to_infinity, 0),
        ("labels_start_alone", "2.2", "change of rho when labels are drawn anew; W_H = 0, the same start",
         start_alone, 0),
        ("update_is_of_the_expected", "(4.6)", "the M-step's mu against the maximum of the expected complete one",
         printed, expected_maximum),
        ("update_is_of_the_marginal", "(4.6)", "the same against the maximum of the marginal one",
         printed, marginal_maximum),
        ("label_share", "7.1", "d mu / d HE in the M-step is W_H / (W_H + J v), so its odds go as 1 / J",
         label_share_deviation(rng), 0),
        ("unidentified_at_zero_weight", "7.1", "the log-likelihood is flat along the line of w_0 and w_1",
         along_the_line(both[1]), 0),
        ("noiseless_rank", "7.2", "rank of Omega without noise", np.linalg.matrix_rank(noiseless), 2),
        ("moments_equation_one_click", "(3.2)", "E[sigma(mu) | one click in bin 1] is rho; Haldane prior",
         conditional_mean(*bin_1, 1, haldane_moments), 0.7 / 0.9),
        ("moments_equation_two_clicks", "(3.2)", "E[sigma(mu) | two clicks in bin 1] is rho; Haldane prior",
         conditional_mean(*bin_1, 2, haldane_moments), 0.7 / 0.9),
        ("moments_equation_one_click_beta", "(3.2)", "one click; Beta(.01, .01), near the Haldane prior",
         conditional_mean(*bin_1, 1, beta_moments(0.01)), 0.7 / 0.9),
        ("moments_equation_two_clicks_beta", "(3.2)", "two clicks; Beta(.01, .01), near the Haldane prior",
         conditional_mean(*bin_1, 2, beta_moments(0.01)), 0.7 / 0.9),
        ("moments_equation_simulation", "(3.2)", "five clicks in bin 1 of the simulation; mu ~ N(0, 1)",
         conditional_mean(true.happy[0], true.sad[0], 5, normal_moments), true.posterior[0]),
        ("prior_sign_corrected", "(4.6)", "mu where (4.6) with - log f0 is stationary; f0 normal",
         mu_with_prior(-1), most_probable_mu()),
        ("prior_sign_printed", "(4.6)", "the same with + log f0, as printed",
         mu_with_prior(+1), most_probable_mu()),
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["identity", "place", "statement", "value", "expected"])
    frame = frame.astype({"value": float, "expected": float}).round({"value": 9})
    return frame.assign(holds=(frame["value"] - frame["expected"]).abs() < TOLERANCE)


def main(arguments=None):
    write_table_of(table, __doc__, arguments)


if __name__ == "__main__":
    main()
