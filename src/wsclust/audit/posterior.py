r"""The posterior of the bins' log-odds given audited outcomes: a mixture of Gaussians.

An audited event of group i in bin k is happy with q_ik = sigma(c_i(beta) + beta_k), the intercept raked to
the group's label. Around some beta* this is a logistic regression with rows e_k - h_i,

    logit q_ik = o_ik + beta_k - h_i'beta,      o_ik = c_i(beta*) + h_i'beta*,

and for each prior N(m, S) the mode is found by Newton's method, with u = S^-1 (beta - m) so that S may be
singular. Laplace's approximation gives its evidence and covariance:

    u = (I + H S)^-1 (g + H (beta - m)),        beta = m + S u,
    log evidence = log likelihood - (beta - m)'u / 2 - log |I + H S| / 2,
    V = S - S (I + H S)^-1 H S,

g and H the gradient and the information of the likelihood. Labels that are scores instead of counted shares
may all be off by a common amount: an extra parameter, added to the logit of all audited events.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import lu_factor, lu_solve
from scipy.special import expit, log_expit

from wsclust.audit.raking import rake, response

_LINEARISATIONS = 3
_MOST_STEPS = 100


@dataclass(frozen=True, eq=False)
class AuditRows:
    """A logistic regression in theta = (beta, shift), (K + 1,), with rows e_k - h_i and 1 for the shift.

    One row per cell with audited events, C of them: `group` and `bin` (C,) are its numbers, `trials` and
    `successes` (C,) its audited events and the happy ones of them. `offset` o (G,) and `responses` h (G, K)
    belong to the groups. `at` (K + 1,) is the theta around which the rows are linear.
    """

    group: np.ndarray
    bin: np.ndarray
    trials: np.ndarray
    successes: np.ndarray
    offset: np.ndarray
    responses: np.ndarray
    at: np.ndarray

    def logit(self, theta):
        """logit q (C,)."""
        beta, shift = theta[:-1], theta[-1]
        return beta[self.bin] + (self.offset - self.responses @ beta)[self.group] + shift

    def log_likelihood(self, theta):
        """sum y log q + (n - y) log(1 - q), over the audited events."""
        logit = self.logit(theta)
        return float(self.successes @ logit + self.trials @ log_expit(-logit))

    def gradient(self, theta):
        """A'(y - n q), (K + 1,)."""
        left = self.successes - self.trials * expit(self.logit(theta))
        n_groups, n_bins = self.responses.shape
        of_group = np.bincount(self.group, left, n_groups)
        return np.append(np.bincount(self.bin, left, n_bins) - of_group @ self.responses, left.sum())

    def information(self, theta):
        """A' diag(n q (1 - q)) A, (K + 1, K + 1), without forming A."""
        q = expit(self.logit(theta))
        cell = self.trials * q * (1 - q)
        n_groups, n_bins = self.responses.shape
        weight = np.bincount(self.group * n_bins + self.bin, cell, n_groups * n_bins).reshape(
            n_groups, n_bins
        )
        of_group, of_bin = weight.sum(axis=1), weight.sum(axis=0)
        met = (weight - self.responses * (of_group / 2)[:, None]).T @ self.responses
        information = np.empty((n_bins + 1, n_bins + 1))
        information[:-1, :-1] = np.diag(of_bin) - met - met.T
        information[-1, :-1] = information[:-1, -1] = of_bin - of_group @ self.responses
        information[-1, -1] = of_group.sum()
        return information


def audit_rows(composition, label, trials, successes, log_odds):
    """The rows linearised at `log_odds` beta* (K,).

    Arguments: `composition` W (G, K), `label` (G,), `trials` and `successes` (G, K) of the groups with
    audited events. Groups whose label is 0 or 1 say nothing of beta: leave them out.
    """
    intercepts = rake(composition, log_odds, label)
    responses = response(composition, expit(intercepts[:, None] + log_odds))
    group, bin_ = np.nonzero(trials)
    return AuditRows(
        group,
        bin_,
        trials[group, bin_],
        successes[group, bin_],
        intercepts + responses @ log_odds,
        responses,
        np.append(log_odds, 0.0),
    )


@dataclass(frozen=True, eq=False)
class Component:
    """The posterior under one prior: `theta` (K + 1,), its `covariance`, the `log_evidence`.

    `slope` and `slope_variance` are those of the weak answer's tilt, 0 where the prior has none.
    """

    theta: np.ndarray
    covariance: np.ndarray
    log_evidence: float
    slope: float
    slope_variance: float


def component(rows, prior, tilt=None, shift_sd=0.0):
    """The Component of one `priors.Prior` given the AuditRows.

    Arguments: `tilt` (K,) as the prior has it; `shift_sd`, SD of the common shift, 0 for exact labels.
    """
    n = len(prior.mean)
    mean = np.append(prior.mean, 0.0)
    spread = np.zeros((n + 1, n + 1))
    spread[:n, :n], spread[n, n] = prior.covariance, shift_sd**2
    u, theta, value = np.zeros(n + 1), rows.at, -np.inf
    for step in range(_MOST_STEPS):
        information = rows.information(theta)
        factor = lu_factor(np.eye(n + 1) + information @ spread, check_finite=False)
        aim = lu_solve(factor, rows.gradient(theta) + information @ (theta - mean), check_finite=False)
        u, theta, value, moved = _ascend(rows, spread, mean, u, aim, value)
        # The step squares the error, so that what it leaves of a change of 1e-6 is rounding, and the
        # information of the point before it is that of the mode.
        if step and moved < 1e-6:
            break
    log_determinant = np.log(np.abs(np.diag(factor[0]))).sum()
    known = lu_solve(factor, information, check_finite=False)
    covariance = spread - spread @ known @ spread
    slope = variance = 0.0
    if prior.slope_sd > 0:
        x = np.append(tilt, 0.0)
        slope = prior.slope_mean + prior.slope_sd**2 * float(x @ u)
        variance = prior.slope_sd**2 - prior.slope_sd**4 * float(x @ known @ x)
    return Component(theta, (covariance + covariance.T) / 2, value - log_determinant / 2, slope, variance)


def _ascend(rows, spread, mean, u, aim, value):
    """From u towards `aim`, halved until log likelihood - (beta - m)'u / 2 does not fall."""
    for fraction in 0.5 ** np.arange(20):
        candidate = u + fraction * (aim - u)
        away = spread @ candidate
        raised = rows.log_likelihood(mean + away) - away @ candidate / 2
        if raised >= value - 1e-12 * abs(value):
            break
    return candidate, mean + away, raised, float(np.abs(spread @ (candidate - u)).max())


@dataclass(frozen=True, eq=False)
class Mixture:
    """The average over priors: `mean` and `covariance` of theta = (beta, shift), and the `components`.

    `weights` (P,) are the posterior weights of the priors, in their order.
    """

    mean: np.ndarray
    covariance: np.ndarray
    weights: np.ndarray
    components: tuple


def mixture(components, weights):
    """Average components by prior weight times evidence: a Mixture."""
    log_weights = np.log(weights) + np.array([c.log_evidence for c in components])
    posterior = np.exp(log_weights - log_weights.max())
    posterior /= posterior.sum()
    thetas = np.array([c.theta for c in components])
    mean = posterior @ thetas
    away = thetas - mean
    within = np.einsum("p,pij->ij", posterior, np.array([c.covariance for c in components]))
    return Mixture(mean, within + (away * posterior[:, None]).T @ away, posterior, tuple(components))


def linearised(composition, label, trials, successes, prior, tilt=None, shift_sd=0.0):
    """The AuditRows at the mode under one middle prior, found by three linearisations from beta = 0."""
    log_odds = np.zeros(trials.shape[1])
    for _ in range(_LINEARISATIONS):
        rows = audit_rows(composition, label, trials, successes, log_odds)
        log_odds = component(rows, prior, tilt, shift_sd).theta[:-1]
    return audit_rows(composition, label, trials, successes, log_odds)
