"""EM for the latent variables model in plain numpy, one value a click: the same steps as em_per_click.R."""

import numpy as np
from scipy.special import expit


def fit(group, bins, evaluation, weight, tolerance):
    """Posterior (K,) and iterations; `group` and `bins` are codes from 0, one a click."""
    n_bins = bins.max() + 1
    size = np.bincount(group)
    total = np.bincount(bins)
    mu = evaluation.copy()
    z = expit(mu)[group]
    previous = np.full(n_bins, np.inf)
    iterations = 0
    while True:
        iterations += 1
        happy = np.bincount(bins, weights=z)
        posterior = (1 + happy) / (2 + total)
        if np.abs(posterior - previous).max() < tolerance:
            return posterior, iterations
        previous = posterior
        w1 = (1 + happy) / (n_bins + happy.sum())
        w0 = (1 + total - happy) / (n_bins + (total - happy).sum())
        if iterations > 1:
            happy_group = np.bincount(group, weights=z)
            for _ in range(20):
                share = expit(mu)
                excess = weight * (mu - evaluation) + size * share - happy_group
                step = excess / (weight + size * share * (1 - share))
                mu = mu - step
                if np.abs(step).max() < 1e-6:
                    break
        share = expit(mu)[group]
        z = share * w1[bins] / ((1 - share) * w0[bins] + share * w1[bins])
