"""What an estimator returns."""

from dataclasses import dataclass, field

import numpy as np


class ConvergenceWarning(UserWarning):
    """An iteration stopped at its limit before it reached its tolerance."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """An estimate of rho_k = P(Z = 1 | X = k).

    `posterior` (K,), one value per bin; `iterations` made; `converged`, whether the tolerance was reached;
    `objective`, the trace of what was maximised, one value an iteration (empty where the estimate is a
    formula).
    """

    posterior: np.ndarray
    iterations: int = 0
    converged: bool = True
    objective: np.ndarray = field(default_factory=lambda: np.empty(0), repr=False)


@dataclass(frozen=True, eq=False)
class MomentsEstimate(Estimate):
    """A moments fit, with the `rank` and the `condition_number` of its design matrix Omega."""

    rank: int = 0
    condition_number: float = np.nan


@dataclass(frozen=True, eq=False)
class LatentEstimate(Estimate):
    """A latent variables fit: `happy` and `sad` are w_1 and w_0 (K,), `share` is sigma(mu_i) (I,).

    `state` holds these, and goes on from here as `latent(..., start_at=fit.state)`.
    """

    state: object = field(default=None, repr=False)

    @property
    def happy(self) -> np.ndarray:
        """w_1, the distribution of the bins given happy, (K,)."""
        return self.state.happy

    @property
    def sad(self) -> np.ndarray:
        """w_0, the distribution of the bins given sad, (K,)."""
        return self.state.sad

    @property
    def share(self) -> np.ndarray:
        """sigma(mu_i), the share of happy events in each group, (I,)."""
        return self.state.share
