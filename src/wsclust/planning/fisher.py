r"""How precise an estimate can be: the variance of rho_k by Fisher information.

Three kinds of data, all with I groups of J clicks, p = sigma(mu) the share of happy clicks in a group,
d_k = (1 - p) w0_k + p w1_k and B the basis in which the sums of w0 and of w1 stay 1
(`estimators.curvature.free`):

* every click is labelled:  V_k = rho_k (1 - rho_k) / (I J E d_k) + G_k
* each group's exact share is known (a sandwich, as `estimators.information` has it):

      V_k = [E J (a_k^2 / d_k - a_k^2) + E J^2 a_k^2 + X (DB)' + 2 X (cB)'] / (I J^2 (E d_k)^2)

  with a_k = p w1_k - rho_k d_k, which is what a click adds to happy clicks of bin k beyond rho_k;
  A = E J ((1-p)^2, p(1-p); p(1-p), p^2) / d_k, the information of (w0_k, w1_k); D_k = E J p(1-p)/d_k (-w1_k,
  w0_k), how the count of happy clicks moves with the weights; c_k = E J a_k / d_k (1-p, p), how it varies
  together with their slope; and X = D B (B'AB)^-1.
* labels with error sigma_H, mu integrated out given the label:

      V_k = grad' B (I B' info B)^-1 B' grad + G_k,   grad = rho_k (1 - rho_k) (-1 / w0_k, 1 / w1_k)

  info is A at p~ = E(p | HE), less s / (1 + s J sum_k D_k^2 / d_k) q q', what the unknown rest of p hides:
  s = (1 - 1/J) Var(p | HE), D = w1 - w0, q = J ((1-p~) D/d, p~ D/d); all averaged over HE. Labels that are y of
  r rated events have E(p | y) and Var(p | y) there, averaged over y and over the groups' r.

Events of bin k whose outcome is looked up, n_k of them beside the labels, add to I B' info B

      n_k E[q (1 - q) | k] (-1 / w0_k, 1 / w1_k)'(-1 / w0_k, 1 / w1_k),   q = p~ w1_k / d_k:

given its bin and its group, the logit of an event's outcome is logit p~ + log(w1_k / w0_k). Exact shares get the
proportion in which this lowers the variance of labels that have next to no error.

G_k = (1 - 1/J) Var(p) / I (rho_k (1 - rho_k) / (pi (1 - pi)))^2 is in all three: the groups that were drawn
have another mean share than all groups, and no label changes that.
"""

from dataclasses import dataclass

import numpy as np

from wsclust.estimators.curvature import free
from wsclust.estimators.likelihood import sigmoid
from wsclust.planning.ratings import rated_labels
from wsclust.quadrature import NODES, WEIGHTS, share_moments


@dataclass(frozen=True, eq=False)
class Variances:
    """Variances of rho, each (K,): of all clicks labelled, of exact shares, of labels with error.

    `of_groups` is G_k, the part that comes from which groups were drawn; it is contained in the others.
    """

    labelled: np.ndarray
    exact_shares: np.ndarray
    labels: np.ndarray
    of_groups: np.ndarray


def variances(design):
    """The three variances of a Design. With label_sd 0, `labels` equals `exact_shares`.

    Raises ValueError where the groups differ so little, or the labels are so noisy, that the information is
    singular.

    >>> from wsclust.planning.design import Design
    >>> found = variances(Design.from_curve(500, 100, label_sd=0.5))
    >>> for kind in (found.labelled, found.exact_shares, found.labels):
    ...     print(np.sqrt(kind).mean().round(5))
    0.00842
    0.0192
    0.02244
    """
    of_groups = _of_groups(design)
    rho = design.posterior
    labelled = rho * (1 - rho) / (design.groups * design.clicks * design.frequency) + of_groups
    exact = _with_exact_shares(design)
    labels = _with_label_noise(design) + of_groups if design.noisy else exact
    return Variances(labelled, exact, labels, of_groups)


def audited_variance(design, found, events):
    """The variance of rho, (K,), where the outcomes of some events are looked up beside the labels.

    Arguments: a Design; `found`, its Variances; `events`, how many are looked up: bins get them in proportion to
    the square root of their frequency, as `wsclust audit-sample` draws them. It is that of the estimate that uses
    the paper's model for both; the audited answer of `wsclust fit --audit` trusts it less.

    >>> from wsclust.planning.design import Design
    >>> design = Design.from_curve(50, 20)
    >>> found = variances(design)
    >>> for events in (0, 100, 400):
    ...     print(np.sqrt(audited_variance(design, found, events)).mean().round(3))
    0.131
    0.097
    0.066
    """
    looked_up = np.sqrt(design.frequency)
    looked_up = np.minimum(
        events * looked_up / looked_up.sum(), design.groups * design.clicks * design.frequency
    )
    lowered = _with_label_noise(design, looked_up / design.groups) / _with_label_noise(design)
    return (found.labels - found.of_groups) * lowered + found.of_groups


def _of_groups(design):
    rho, share = design.posterior, design.share
    between = (1 - 1 / design.clicks) * design.share_sd**2 / design.groups
    return between * (rho * (1 - rho) / (share * (1 - share))) ** 2


def _with_exact_shares(design):
    sad, happy, clicks = design.sad, design.happy, design.clicks
    share = sigmoid(design.mu_mean + design.mu_sd * NODES)[:, None]
    mixture = (1 - share) * sad + share * happy
    beyond = share * happy - design.posterior * mixture
    information = _weights_information(clicks, share, mixture, WEIGHTS)
    facing = clicks * (WEIGHTS @ (share * (1 - share) / mixture))
    moves = free(np.hstack([np.diag(-happy * facing), np.diag(sad * facing)]))
    together = [np.diag(clicks * (WEIGHTS @ (beyond / mixture * part))) for part in (1 - share, share)]
    towards = _solved(information, moves)
    own = WEIGHTS @ (clicks * (beyond**2 / mixture - beyond**2) + clicks**2 * beyond**2)
    varied = own + np.sum(towards * (moves + 2 * free(np.hstack(together))), axis=1)
    return varied / (design.groups * (clicks * design.frequency) ** 2)


def _given_labels(design):
    """E(p | label), Var(p | label) and the chance of each label: three arrays."""
    if design.rated is not None:
        return rated_labels(design.rated, design.mu_mean, design.mu_sd)
    spread = np.hypot(design.mu_sd, design.label_sd)
    centre = design.mu_mean + design.reliability * spread * NODES  # E(mu | HE)
    return *share_moments(centre, design.mu_sd * design.label_sd / spread), WEIGHTS


def _with_label_noise(design, looked_up=0.0):
    """V_k without G_k, (K,); `looked_up` (K,) are audited events of each bin, per group."""
    sad, happy, clicks, rho = design.sad, design.happy, design.clicks, design.posterior
    first, rest, chances = _given_labels(design)
    share, hidden = first[:, None], (1 - 1 / clicks) * rest
    mixture = (1 - share) * sad + share * happy
    tilt = (happy - sad) / mixture
    information = _weights_information(clicks, share, mixture, chances)
    along = clicks * np.hstack([(1 - share) * tilt, share * tilt])
    lost = hidden / (1 + hidden * clicks * (tilt * (happy - sad)).sum(axis=1))
    information -= (along * (chances * lost)[:, None]).T @ along
    to_logit = np.hstack([np.diag(-1 / sad), np.diag(1 / happy)])  # of log(w1 / w0)
    # q (1 - q) = p (1 - p) w0 w1 / d^2, averaged over the events of the bin, which are d / E d as many.
    outcome = sad * happy * (chances @ (share * (1 - share) / mixture)) / (chances @ mixture)
    information += to_logit.T @ (to_logit * (looked_up * outcome)[:, None])
    gradient = free((rho * (1 - rho))[:, None] * to_logit)
    return np.sum(_solved(information, gradient) * gradient, axis=1) / design.groups


def _weights_information(clicks, share, mixture, chances):
    """A: the information of (w0, w1) in one group, averaged over the rows of `share`, (2K, 2K)."""
    parts = (1 - share) ** 2, share * (1 - share), share**2
    of_sad, of_both, of_happy = (np.diag(clicks * (chances @ (part / mixture))) for part in parts)
    return np.block([[of_sad, of_both], [of_both, of_happy]])


def _solved(information, rows):
    """rows (B' information B)^-1, for rows that are in the basis B already."""
    inside = free(free(information).T)
    scale = np.sqrt(np.diag(inside))  # a rare bin has a large entry, which is no sign of a singular matrix
    balanced = inside / np.outer(scale, scale)
    # Where it is singular up to rounding, the digits that are left would be noise.
    spread = np.linalg.eigvalsh(balanced)
    if not spread[0] > 1e-13 * spread[-1]:
        raise ValueError(
            "the labels tell nothing of the bins, as the information is singular: the groups differ too "
            "little or the labels are too noisy; raise mu_sd or lower label_sd"
        )
    return np.linalg.solve(balanced, (rows / scale).T).T / scale
