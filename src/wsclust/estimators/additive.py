"""The latent variables model with log-odds that are a sum over the factors of a bin.

The paper's model gives each bin its own log(w1_k / w0_k). Where bins are crossed factors most of these say
the same: here they are main effects of the factors and small deviations of the bins (`design`), and all else
is as in section 4. With one free column per bin and no penalty it is `latent`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from scipy.sparse import block_diag, csr_array, hstack

from wsclust.counts import GroupedCounts
from wsclust.estimators.additive_influence import coefficient_influences
from wsclust.estimators.ascent import Steps, check_settings, climb
from wsclust.estimators.design import Design, additive_design, predicted_log_odds
from wsclust.estimators.estimate import LatentEstimate
from wsclust.estimators.information import spread_over_groups
from wsclust.estimators.likelihood import sigmoid
from wsclust.estimators.prior import pseudo_observations
from wsclust.estimators.profile import (
    AdditiveProblem,
    AdditiveState,
    additive_em_step,
    additive_newton_step,
    additive_start,
    additive_step_along,
)

STEPS = Steps(additive_em_step, additive_newton_step, additive_step_along)


@dataclass(frozen=True, eq=False)
class AdditiveEstimate(LatentEstimate):
    """An additive fit: a LatentEstimate with the `problem` that it solves and the `bins` of the data."""

    problem: AdditiveProblem = field(default=None, repr=False)
    bins: pd.DataFrame = field(default=None, repr=False)

    @property
    def design(self):
        """The Design: columns, penalty and factors."""
        return self.problem.design

    @property
    def coefficients(self):
        """beta, (d,)."""
        return self.state.coefficients

    def effects(self):
        """What each level adds to the log-odds of happy, against the mean over the levels of its factor.

        Returns a frame with one row per level: factor, level, log_odds, and se by the information, which is
        NaN where there is none (W_H = 0, too many bins, no maximum). A numeric column that is no factor has
        one row: what one standard deviation adds.
        """
        factors = self.design.factors
        centred = [_centred(factor) for factor in factors]
        n_levels = sum(len(factor.levels) for factor in factors)
        n_left = len(self.coefficients) - 1 - sum(len(factor.sds) for factor in factors)
        contrasts = csr_array((0, len(self.coefficients)))
        if factors:
            contrasts = hstack(
                [csr_array((n_levels, 1)), block_diag(centred), csr_array((n_levels, n_left))], format="csr"
            )
        try:
            influences = coefficient_influences(self.problem, self.state, contrasts)
            se = spread_over_groups(influences, len(self.problem.label))
        except ValueError:
            se = np.full(n_levels, np.nan)
        return pd.DataFrame(
            {
                "factor": np.repeat([factor.name for factor in factors], [len(f.levels) for f in factors]),
                "level": [level for factor in factors for level in factor.levels],
                "log_odds": contrasts @ self.coefficients,
                "se": se,
            }
        )

    def predict_bins(self, frame):
        """P(happy | bin) for the rows of a frame of factor levels, (n,), whether such a bin was seen or not.

        The main effects, and the deviation where the bin was seen. NaN where a level was never seen. Raises
        ValueError where a factor has no column.
        """
        return sigmoid(predicted_log_odds(self.design, self.coefficients, self.bins, frame))


def additive(
    data: GroupedCounts,
    he_weight: float = np.inf,
    ordered: Collection[str] | Mapping[str, Sequence] | None = None,
    numeric: Mapping[str, np.ndarray] | None = None,
    deviation_sd: float = 0.3,
    main_sd: float = 10.0,
    ordered_sd: float = 0.3,
    tolerance: float | None = None,
    max_iterations: int = 10_000,
    solver: str = "newton",
    start_at: AdditiveState | None = None,
    prior: str = "half",
    pseudo_events: float = 2.0,
) -> AdditiveEstimate:
    """Estimate P(happy | bin) by the latent variables model with additive log-odds.

    Arguments: `data`, GroupedCounts with one column of `bins` per factor; `ordered`, names of ordered
    factors, or name -> levels in order; `numeric`, name -> the bins' means (K,); the standard deviations of
    bins about the sum, of main effects, and of ordered levels about a line (`design.additive_design`, all in
    log-odds); the others as for `latent`, with `start_at` a `profile.AdditiveState`.

    Returns an AdditiveEstimate; `posterior` (K,) is sigma(x_k beta), `objective` the penalised log-likelihood at
    each iteration, never falling. Stopping at `max_iterations` gives a ConvergenceWarning and `converged`
    False.

    Raises ValueError as `latent` and `additive_design` do.

    >>> from wsclust.counts import GroupedCounts
    >>> bins = pd.DataFrame({"sex": ["f", "f", "m"], "age": ["old", "young", "old"]})
    >>> data = GroupedCounts([[60, 25, 15], [25, 25, 50], [40, 25, 35]], [0.8, 0.3, 0.5], bins=bins)
    >>> fit = additive(data)
    >>> fit.posterior.round(2)
    array([0.88, 0.53, 0.11])
    >>> fit.predict_bins(pd.DataFrame({"sex": ["m"], "age": ["young"]})).round(2)
    array([0.02])
    """
    design = additive_design(data.bins, ordered, numeric, main_sd, deviation_sd, ordered_sd)
    pseudo = pseudo_observations(data, prior, pseudo_events)
    return fit_design(data, design, he_weight, tolerance, max_iterations, solver, start_at, pseudo)


def fit_design(
    data,
    design: Design,
    he_weight=np.inf,
    tolerance=None,
    max_iterations=10_000,
    solver="newton",
    start_at=None,
    pseudo=(1.0, 1.0),
):
    """The AdditiveEstimate of a Design of one's own; the other arguments are those of `additive`."""
    check_settings(data, he_weight, max_iterations, solver)
    problem = AdditiveProblem(data, he_weight, pseudo, design)
    state = additive_start(problem) if start_at is None else start_at
    climbed = climb(problem, state, STEPS, "additive", tolerance, max_iterations, solver)
    return AdditiveEstimate(*climbed, problem=problem, bins=data.bins)


def _centred(factor):
    """The rows of a factor's levels less their mean; a numeric column's one row as it is."""
    rows = factor.by_level.toarray()
    return rows if np.isfinite(factor.scale) else rows - rows.mean(axis=0)
