"""What the paper states as mathematics, checked to rounding on the simulation's data; and two errata.

Table: identity, place (in the paper), statement, value, expected, holds. The value is a largest deviation
where 0 is expected. It is rounded to nine decimals, since what is smaller differs from machine to machine.

Three statements do not hold as printed: equation (3.2) (`moments_equation`), the sign of log f0 in (4.6), and what the
update of mu maximises (`mu_equation`).
"""

import numpy as np
import pandas as pd
from scipy.special import expit

from replication.discussion.moments_equation import (
    beta_moments,
    conditional_mean,
    haldane_moments,
    normal_moments,
)
from replication.discussion.mu_equation import (
    label_share_deviation,
    most_probable_mu,
    mu_with_prior,
    roots_of_mu,
    share_convex,
    update_of_mu,
)
from replication.discussion.runs import write_table_of
from replication.shared.known_warnings import known_warnings_ignored
from wsclust.estimators.direct import direct
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
