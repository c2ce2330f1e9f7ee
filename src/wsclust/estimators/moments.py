"""The method of moments (section 3.2): least squares of the labels on each group's shares of the bins.

rho = argmin |s - Omega rho|^2, equation (3.3), with rows omega_ik = n_ik / J_i, unweighted. Nothing holds
the answer in [0, 1]. Simulated, it is .03 to .07 off on average with 5 clicks per group, where 86 to 94% of its
intervals (by the information) hold the truth, but .7 to .8 off with 100, where 29 to 83% do
(`results/coverage/`).
"""

import warnings
from collections.abc import Iterator

import numpy as np

from wsclust.counts import GroupedCounts
from wsclust.estimators.estimate import MomentsEstimate


def moments(data: GroupedCounts) -> MomentsEstimate:
    """Estimate P(happy | bin) by matching first moments, equation (3.3).

    Argument: `data`, GroupedCounts. Returns a MomentsEstimate with `posterior` (K,), NaN in a bin without
    events, and Omega's rank and condition number. A rank below the number of bins (fewer groups than bins,
    say) gives the solution of least norm, with a warning.

    >>> from wsclust.counts import GroupedCounts
    >>> moments(GroupedCounts([[8, 2], [2, 8], [5, 5]], label=[0.9, 0.1, 0.5])).posterior.round(3)
    array([ 1.167, -0.167])
    """
    seen = data.totals > 0
    omega = data.counts[:, seen] / data.sizes[:, None]
    solution, _, rank, singular = np.linalg.lstsq(omega, data.label, rcond=None)
    if rank < seen.sum():
        warnings.warn(
            f"moments: Omega has rank {rank} for {seen.sum()} bins, so the solution of least norm is "
            "given; more groups, or fewer bins, would determine it",
            RuntimeWarning,
            stacklevel=2,
        )
    posterior = np.full(len(seen), np.nan)
    posterior[seen] = solution
    smallest = singular[-1] if rank == seen.sum() else 0.0
    condition = singular[0] / smallest if smallest > 0 else np.inf
    return MomentsEstimate(posterior, rank=int(rank), condition_number=float(condition))


def moments_influence(data: GroupedCounts, estimate: MomentsEstimate) -> Iterator[np.ndarray]:
    """How the estimate moves with each group's weight, in one block:

        f_i = (Omega' Omega)^+ omega_i (s_i - omega_i . rho) / sqrt(1 - leverage_i),

    since a fit comes too near to its own labels where bins are not few beside the groups.
    """
    seen = data.totals > 0
    omega = data.counts / data.sizes[:, np.newaxis]
    left = data.label - omega[:, seen] @ estimate.posterior[seen]
    influence = np.zeros_like(omega)
    weights = omega[:, seen] @ np.linalg.pinv(omega[:, seen].T @ omega[:, seen])
    leverage = np.sum(weights * omega[:, seen], axis=1)
    # A group that alone determines a bin has leverage 1 and leaves nothing to divide.
    influence[:, seen] = weights * (left / np.sqrt(np.maximum(1 - leverage, 1e-6)))[:, None]
    yield influence
