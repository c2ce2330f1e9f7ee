"""How the voters of 1984 chose: a logit with main effects, fitted to two surveys, and an effect of the state.

P(Reagan | state i, bin k) = sigma(x_k beta + c + a_i). beta comes from the surveys; their level, which
is too high for Reagan, is replaced by c, with which the whole electorate has its official share, and the
state effect a_i brings each state's expected share to its official result.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.special import expit, logit

from replication.election1984.voters import BINS

BASELINE = {"income": 1, "union": "none", "race": "white"}
SURVEYS = {"gss": ("n_gss", "reagan_gss"), "anes": ("n_anes", "reagan_anes")}


@dataclass(frozen=True, eq=False)
class VoteModel:
    """`taste` (K,), x_k beta; `level`, c; `state_effect` (I,), a_i."""

    taste: np.ndarray
    level: float
    state_effect: np.ndarray

    def reagan(self, effect=1.0):
        """P(Reagan | state, bin), (I, K), with the state effects multiplied by `effect`."""
        return expit(self.taste + self.level + effect * self.state_effect[:, None])


def design(bins=BINS):
    """Indicators of the levels other than the baseline (low income, no union, white), a named frame."""
    return pd.DataFrame(
        {
            f"{factor} {level}": (bins[factor] == level).astype(float)
            for factor, levels in (
                ("income", [2, 3, 4, 5]),
                ("union", ["self", "family"]),
                ("race", ["black", "other"]),
            )
            for level in levels
        }
    )


def fit_surveys(cells):
    """Coefficients of the main-effects logit on both surveys pooled, with an indicator of the second.

    Argument: us1984_vote_by_cell_surveys.csv as a frame. Returns a Series by name: intercept, the columns of
    `design`, anes. Maximum likelihood by Newton's method.
    """
    columns = design(cells)
    blocks, voters, reagan = [], [], []
    for survey, (n, votes) in SURVEYS.items():
        blocks.append(
            np.column_stack([np.ones(len(cells)), columns, np.full(len(cells), float(survey == "anes"))])
        )
        voters.append(cells[n])
        reagan.append(cells[votes])
    matrix, voters, reagan = np.vstack(blocks), np.concatenate(voters), np.concatenate(reagan)
    beta = np.zeros(matrix.shape[1])
    for _ in range(50):
        share = expit(matrix @ beta)
        hessian = (matrix * (voters * share * (1 - share))[:, None]).T @ matrix
        step = np.linalg.solve(hessian, matrix.T @ (reagan - voters * share))
        beta += step
        if np.abs(step).max() < 1e-12:
            break
    return pd.Series(beta, index=["intercept", *columns, "anes"])


def vote_model(cells, composition, sizes, official):
    """The model of the vote: tastes from the surveys, level and state effects from the official results.

    Arguments: the surveys' cells; `composition` (I, K), each state's population as shares of the bins;
    `sizes` (I,); `official` (I,), Reagan's share. The effects are fitted to the population, before any
    precinct is drawn: fitted to a drawn sample they would undo the clustering of its precincts.
    """
    coefficients = fit_surveys(cells)
    columns = design()
    taste = columns.to_numpy() @ coefficients[columns.columns].to_numpy()
    electorate = sizes @ composition / sizes.sum()
    level = shift_to_share(taste, electorate, sizes @ official / sizes.sum())
    total = [shift_to_share(taste, row, share) for row, share in zip(composition, official, strict=True)]
    return VoteModel(taste, level, np.array(total) - level)


def shift_to_share(logits, weights, share):
    """The shift c with sum_k weights_k sigma(logits_k + c) = share, for weights that sum to 1.

    >>> round(shift_to_share(np.zeros(2), np.array([0.5, 0.5]), 0.75), 4)
    1.0986
    """
    centre = logit(share)
    reach = np.abs(logits).max() + 1
    return brentq(
        lambda shift: weights @ expit(logits + shift) - share, centre - reach, centre + reach, xtol=1e-13
    )
