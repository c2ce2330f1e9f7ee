"""What a simulated world is made of: how often each bin occurs, and how happy its clicks are."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Truth:
    """`posterior` rho_k and `frequency` p_k of each bin (K,); `happy` w_1 and `sad` w_0 follow from them.

    >>> true = Truth(np.array([0.2, 0.8]), np.array([0.5, 0.5]))
    >>> true.happy, true.sad
    (array([0.2, 0.8]), array([0.8, 0.2]))
    """

    posterior: np.ndarray
    frequency: np.ndarray

    @property
    def happy(self):
        """w_1k = P(X = k | Z = 1), by Bayes' rule."""
        weights = self.frequency * self.posterior
        return weights / weights.sum()

    @property
    def sad(self):
        """w_0k = P(X = k | Z = 0), by Bayes' rule."""
        weights = self.frequency * (1 - self.posterior)
        return weights / weights.sum()
