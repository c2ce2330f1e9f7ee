"""The maximum of a function by a general optimiser: what solvers are checked against."""

import numpy as np
from scipy.optimize import minimize


def maximum(function, begin):
    """Where a function is largest, near a start, and its value there, by BFGS.

    The function must be written for complex numbers, since a complex step differentiates it: it loses no digit.
    """
    steps = 1e-40j * np.eye(len(begin))

    def gradient(point):
        return np.array([-function(step).imag for step in point + steps]) / 1e-40

    best = minimize(
        lambda point: -function(point),
        begin,
        jac=gradient,
        method="BFGS",
        options={"gtol": 1e-8, "maxiter": 5_000},
    )
    return best.x, -best.fun
