"""Newton's method for the M-step of mu (section 4, after equation (4.7): "works well and is easy to implement").

Plain Newton, without the bracket that `wsclust.estimators.em.solve_quality` keeps it in, is started at the labels
mu_i = HE_i, where EM starts, at 0 and in the middle of the bracket. Its inputs are the simulation's groups with the
z_ij of EM's first E-step ("simulation"), or 2,000 cases spread over W_H, HE, J and z ("spread", one row for all).

Table: inputs, clicks_per_group and he_weight (empty where they are spread), start, solved (share of the groups whose
residual falls below TOLERANCE, relative to W_H + J, within STEPS steps), steps (mean number of the groups that are
solved), groups.
"""

import numpy as np
import pandas as pd
from scipy.special import expit

from replication.discussion.mu_equation import mu_cases
from replication.discussion.runs import write_table_of
from wsclust.estimators.likelihood import Problem, start

STEPS = 50
TOLERANCE = 1e-10


def plain_newton(he_weight, evaluation, sizes, happy_events, guess):
    """The number of steps that plain Newton takes to the root of (4.7), (I,); STEPS + 1 where it does not get there.

    >>> one = np.ones(1)
    >>> plain_newton(10 * one, one, 5 * one, 3 * one, guess=one).tolist()
    [2]
    """
    mu = np.array(guess, dtype=float)
    taken = np.full(len(mu), STEPS + 1)
    for step in range(STEPS + 1):
        share = expit(mu)
        excess = he_weight * (mu - evaluation) + sizes * share - happy_events
        there = (np.abs(excess) < TOLERANCE * (he_weight + sizes)) & (taken > STEPS)
        taken[there] = step
        mu = mu - excess / (he_weight + sizes * share * (1 - share))
    return taken


def starts(he_weight, evaluation, sizes, happy_events):
    """Where Newton is started, by name, (I,) each."""
    middle = evaluation + (happy_events - sizes / 2) / he_weight
    return {"labels": evaluation, "zero": np.zeros_like(evaluation), "middle": middle}


def rows(cell, he_weight, evaluation, sizes, happy_events):
    """The table's rows for one set of inputs, all (I,); `cell` is what names it, a dict."""
    found = []
    for name, guess in starts(he_weight, evaluation, sizes, happy_events).items():
        steps = plain_newton(he_weight, evaluation, sizes, happy_events, guess)
        solved = steps <= STEPS
        found.append(
            {
                **cell,
                "start": name,
                "solved": solved.mean(),
                "steps": steps[solved].mean() if solved.any() else np.nan,
                "groups": len(steps),
            }
        )
    return found


def study(world, clicks_per_group, he_weights):
    """The table of the module's docstring, on data set 1 of each number of clicks."""
    table = []
    for clicks in clicks_per_group:
        for he_weight in he_weights:
            problem = Problem(world.data(clicks, 1), he_weight)
            happy = problem.expectation(start(problem)).by_group
            weight = np.full(len(happy), float(he_weight))
            cell = {"inputs": "simulation", "clicks_per_group": clicks, "he_weight": he_weight}
            table += rows(cell, weight, problem.evaluation, problem.sizes, happy)
    spread = rows({"inputs": "spread"}, *mu_cases(world.rng("newton for quality")))
    frame = pd.DataFrame([*table, *spread])
    return frame.astype({"clicks_per_group": "Int64"})


def main(arguments=None):
    write_table_of(study, __doc__, arguments)


if __name__ == "__main__":
    main()
