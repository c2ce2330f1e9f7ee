r"""What ratings tell of a group: y_i of r_i rated events are happy, y_i ~ Binomial(r_i, sigma(mu_i)), mu_i ~ N(m, v).

m and v have the largest marginal likelihood over all groups; given them, sigma(mu_i) has a posterior in each group.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, logit, xlogy

from wsclust.estimators.em import solve_quality

_MOST_SD = 8.0  # of mu, where rated groups are all-or-nothing: sigma(8) is .9997
_STEPS = np.linspace(-1, 1, 101)


def prior_of_ratings(happy, rated):
    """m and sqrt(v) of mu ~ N(m, v), of largest marginal likelihood given y_i of r_i rated events: two numbers.

    Arguments: `happy` and `rated` (I,), as `labels_from_ratings` takes them. sqrt(v) is 0 where ratings differ no
    more between groups than by chance, and at most 8.

    >>> centre, sd = prior_of_ratings(np.array([0, 2, 3, 5]), np.array([5, 5, 5, 5]))
    >>> round(centre, 6) + 0, round(sd, 1)
    (0.0, 2.3)
    """
    y, r, _, times = _distinct(happy, rated)
    return _rated_prior(y, r, times)


def shares_given_ratings(happy, rated):
    """E[sigma(mu_i) | y_i of r_i], (I,), with m and v of `prior_of_ratings`; arguments as there.

    >>> shares_given_ratings(np.array([0, 2, 3, 5]), np.array([5, 5, 5, 5])).round(3)
    array([0.105, 0.416, 0.584, 0.895])
    """
    return share_moments_given_ratings(happy, rated)[0]


def share_moments_given_ratings(happy, rated):
    """Mean and variance of sigma(mu_i) given y_i of r_i, each (I,), with m and v of `prior_of_ratings`.

    >>> share_moments_given_ratings(np.array([0, 2, 3, 5]), np.array([5, 5, 5, 5]))[1].round(3)
    array([0.012, 0.035, 0.035, 0.012])
    """
    y, r, row, times = _distinct(happy, rated)
    centre, sd = _rated_prior(y, r, times)
    if sd == 0:
        return np.full(len(happy), expit(centre)), np.zeros(len(happy))
    found = posterior_given_ratings(y, r, centre, sd)
    return found.share[row], found.share_variance[row]


def common_error_given_ratings(happy, rated):
    """How far all E[sigma(mu_i) | y_i of r_i] are off together for one standard error of m, (I,).

    Arguments as in `prior_of_ratings`. m has the variance v / sum_i (1 - Var[z_i | y_i]), with
    z_i = (mu_i - m) / sqrt(v) (Louis 1982); where v is 0, that of a share of all rated events.

    >>> common_error_given_ratings(np.array([0, 2, 3, 5]), np.array([5, 5, 5, 5])).round(3)
    array([0.032, 0.043, 0.043, 0.032])
    """
    y, r, row, times = _distinct(happy, rated)
    centre, sd = _rated_prior(y, r, times)
    if sd == 0:
        share = expit(centre)
        return np.full(len(happy), np.sqrt(share * (1 - share) / (times @ r)))
    found = posterior_given_ratings(y, r, centre, sd)
    information = times @ (1 - found.square + found.standard**2) / sd**2
    step = 1e-4 * sd
    more, less = (posterior_given_ratings(y, r, centre + sign * step, sd).share for sign in (1, -1))
    return ((more - less) / (2 * step) / np.sqrt(information))[row]


def draw_shares_given_ratings(happy, rated, rng):
    """A share of each group drawn from its posterior given y_i of r_i, (I,), with m and v of `prior_of_ratings`.

    Arguments: `happy` and `rated` as there; `rng`, a generator.

    >>> drawn = draw_shares_given_ratings(np.repeat([1, 4], 10_000), np.full(20_000, 5), np.random.default_rng(1))
    >>> bool(abs(drawn[:10_000].mean() - shares_given_ratings(np.array([1, 4]), np.array([5, 5]))[0]) < 0.005)
    True
    """
    y, r, row, times = _distinct(happy, rated)
    centre, sd = _rated_prior(y, r, times)
    uniform = rng.random(len(happy))
    if sd == 0:
        return np.full(len(happy), expit(centre))
    mu, weights, _ = _on_nodes(y, r, centre, sd)
    below = np.cumsum(weights, axis=1) - weights / 2
    drawn = np.empty(len(happy))
    for place in range(len(y)):
        groups = row == place
        drawn[groups] = np.interp(uniform[groups], below[place], mu[place])
    return expit(drawn)


def _distinct(happy, rated):
    """The pairs (y, r) that occur: y, r (N,), which of them each group has (I,), and how many have it (N,)."""
    pairs, row, times = np.unique(
        np.column_stack([happy, rated]), axis=0, return_inverse=True, return_counts=True
    )
    return *pairs.T, row.ravel(), times


def _rated_prior(y, r, times):
    """m and sqrt(v) of largest marginal likelihood; `times` counts the groups with each (y, r)."""

    def minus_log(at):
        found = posterior_given_ratings(y, r, at[0], np.exp(at[1]))
        # The slope of a marginal likelihood is the mean slope of the log density of mu (Fisher's identity).
        slope = np.array([times @ found.standard / np.exp(at[1]), times @ (found.square - 1)])
        return -times @ found.log_marginal / times.sum(), -slope / times.sum()

    share = times @ y / (times @ r)
    common = -times @ (xlogy(y, share) + xlogy(r - y, 1 - share)) / times.sum()
    # From a small and a large spread: where all groups are alike the likelihood is nearly flat at small ones.
    found = min(
        (
            minimize(
                minus_log,
                (logit(share), np.log(sd)),
                jac=True,
                method="L-BFGS-B",
                bounds=[(-30, 30), (np.log(1e-3), np.log(_MOST_SD))],
                options={"ftol": 1e-14, "gtol": 1e-8},
            )
            for sd in (0.3, 1.5)
        ),
        key=lambda answer: answer.fun,
    )
    if found.fun >= common - 1e-12 * abs(common):
        return float(logit(share)), 0.0
    return float(found.x[0]), float(np.exp(found.x[1]))


@dataclass(frozen=True, eq=False)
class GivenRatings:
    """Of each (y, r): log marginal likelihood but for the binomial coefficient, and posterior means.

    They are those of sigma(mu), of (mu - m) / SD and of its square; `share_variance` is the posterior variance
    of sigma(mu).
    """

    log_marginal: np.ndarray
    share: np.ndarray
    share_variance: np.ndarray
    standard: np.ndarray
    square: np.ndarray


def posterior_given_ratings(y, r, centre, sd):
    """The GivenRatings of arrays y and r (N,), with mu ~ N(centre, sd^2), sd above 0."""
    mu, weights, log_marginal = _on_nodes(y, r, centre, sd)
    standard, shares = (mu - centre) / sd, expit(mu)
    share = np.sum(weights * shares, axis=1)
    # About its mean: the difference of two moments would lose a small variance to rounding.
    variance = np.sum(weights * (shares - share[:, None]) ** 2, axis=1)
    return GivenRatings(
        log_marginal,
        share,
        variance,
        np.sum(weights * standard, axis=1),
        np.sum(weights * standard**2, axis=1),
    )


def _on_nodes(y, r, centre, sd):
    """Nodes of mu and their weights in its posterior, (N, nodes), and the log marginal likelihood (N,).

    The posterior of mu may be far narrower than the prior, and skewed where y is 0 or r. So the trapezoidal
    rule runs along t in mu = mode + width sinh(t): fine about the mode, and as wide as the prior.
    """
    mode = solve_quality(1 / sd**2, np.full(len(y), centre), r, y)
    at_mode = expit(mode)
    width = 1 / np.sqrt(1 / sd**2 + r * at_mode * (1 - at_mode))
    reach = np.arcsinh(9 * sd / width)
    t = reach[:, None] * _STEPS
    mu = mode[:, None] + width[:, None] * np.sinh(t)
    log_density = y[:, None] * mu - r[:, None] * np.logaddexp(0, mu) - ((mu - centre) / sd) ** 2 / 2
    top = log_density.max(axis=1)
    density = np.exp(log_density - top[:, None]) * np.cosh(t)
    total = density.sum(axis=1)
    step = reach * (_STEPS[1] - _STEPS[0])
    return mu, density / total[:, None], top + np.log(total * step * width / (sd * np.sqrt(2 * np.pi)))
