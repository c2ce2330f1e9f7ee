"""The oracle (section 6.1): it sees every outcome, as the direct estimate would with one group per event."""

from wsclust.estimators.estimate import Estimate
from wsclust.outcomes import KnownOutcomes


def oracle(outcomes: KnownOutcomes) -> Estimate:
    """Estimate P(happy | bin) from the outcomes themselves: (1 + positives_k) / (2 + n_k).

    Argument: `outcomes`, KnownOutcomes. Returns an Estimate with `posterior` (K,) in (0, 1).

    >>> from wsclust.outcomes import KnownOutcomes
    >>> oracle(KnownOutcomes([[3, 0], [1, 1]], [[1, 2], [0, 2]])).posterior.round(3)
    array([0.714, 0.286])
    """
    positives = outcomes.positives.sum(axis=0)
    return Estimate((1 + positives) / (2 + positives + outcomes.negatives.sum(axis=0)))
