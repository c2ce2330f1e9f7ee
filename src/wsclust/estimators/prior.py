"""Pseudo-observations: the events of each kind that every bin has before any is counted.

The paper's (3.1), (4.3)-(4.4) and (4.8) count one of each kind, which pulls a bin of few events to one
half. Where positives are rare and bins are many that is far from all that is known, and the mean label is
nearer: of `a` pseudo-events, a pi are happy, with pi the label averaged over events. Then, for all k,

    w1_k ~ a pi + sum_i n_ik z_ik,   w0_k ~ a (1 - pi) + sum_i n_ik (1 - z_ik),
    rho_k = (a pi + sum_i n_ik z_ik) / (a + n_k),

which is EM for the log-likelihood plus sum_k [a (1 - pi) log w0_k + a pi log w1_k]: Dirichlet priors
with parameters 1 + a (1 - pi) and 1 + a pi. With pi = 1/2 and a = 2 they are the paper's Dirichlet(2).
"""

import numpy as np


def pseudo_observations(data, prior="half", pseudo_events=2.0):
    """Pseudo-events of each bin, (sad, happy).

    Arguments: `data`, GroupedCounts; `prior`, "half" (as many of each kind) or "mean" (in the proportion of
    the mean label); `pseudo_events`, their number a, above 0.

    Raises ValueError on another prior or number, and where the mean label is 0 or 1, as no bin would have a
    pseudo-event of one kind.

    >>> from wsclust.counts import GroupedCounts
    >>> data = GroupedCounts([[8, 2], [5, 5]], label=[0.1, 0.3])
    >>> pseudo_observations(data), pseudo_observations(data, "mean", 5)
    ((1.0, 1.0), (4.0, 1.0))
    """
    if prior not in ("half", "mean"):
        raise ValueError(f"prior={prior}: expected half or mean")
    if not 0 < pseudo_events < np.inf:
        raise ValueError(f"pseudo_events={pseudo_events}: expected a number above 0")
    share = 0.5 if prior == "half" else data.mean_label
    if not 0 < share < 1:
        raise ValueError(
            f"prior=mean: every label is {share:g}, so a kind of event would have no pseudo-event; use prior=half"
        )
    return pseudo_events * (1 - share), pseudo_events * share
