"""The paper transcribed literally: one z a click, one equation a line, no counts and no cleverness.

It is slow, and it is what the package is checked against. `clicks[i]` is the list of the bins, numbered from
0, of the clicks of group i; `he[i]` is HE_i, an infinite number where the label is 0 or 1.
"""

import math

import numpy as np
from scipy.optimize import brentq


def sigma(x):
    """The sigmoid of section 2.2."""
    if x >= 0:
        return 1 / (1 + math.exp(-x))
    return math.exp(x) / (1 + math.exp(x))


def clicks_from_counts(counts):
    """The list of the clicks of each group; only whole numbers of clicks can be listed."""
    return [[k for k, n in enumerate(row) for _ in range(int(n))] for row in counts]


def counts_from_clicks(clicks, n_bins):
    """The (I, K) table of how often each bin occurs in each group."""
    counts = np.zeros((len(clicks), n_bins))
    for i, bins in enumerate(clicks):
        for k in bins:
            counts[i, k] += 1
    return counts


def generate(rng, n_groups, clicks_per_group, w0, w1, sigma_h):
    """Clicks of the model of section 2.2, and noisy evaluations HE_i of the mu_i ~ N(0, 1)."""
    clicks, he = [], []
    for i in range(n_groups):
        mu = rng.standard_normal()
        size = clicks_per_group[i] if np.ndim(clicks_per_group) else clicks_per_group
        bins = []
        for _ in range(size):
            z = rng.random() < sigma(mu)
            bins.append(int(rng.choice(len(w0), p=w1 if z else w0)))
        clicks.append(bins)
        he.append(mu + sigma_h * rng.standard_normal())
    return clicks, he


def direct(clicks, label, n_bins):
    """Equation (3.1)."""
    rho = []
    for k in range(n_bins):
        above, below = 1.0, 2.0
        for i, bins in enumerate(clicks):
            for x in bins:
                if x == k:
                    above += label[i]
                    below += 1
        rho.append(above / below)
    return np.array(rho)


def weights(clicks, z, n_bins):
    """Equations (4.3) and (4.4): w0 and w1 from the z of every click."""
    w0, w1 = [], []
    for k in range(n_bins):
        sad, happy = 1.0, 1.0
        sad_below, happy_below = float(n_bins), float(n_bins)
        for i, bins in enumerate(clicks):
            for j, x in enumerate(bins):
                sad += (1 - z[i][j]) * (x == k)
                happy += z[i][j] * (x == k)
                sad_below += 1 - z[i][j]
                happy_below += z[i][j]
        w0.append(sad / sad_below)
        w1.append(happy / happy_below)
    return w0, w1


def e_step(clicks, mu, w0, w1):
    """Equation (4.5)."""
    return [
        [sigma(mu[i]) * w1[x] / ((1 - sigma(mu[i])) * w0[x] + sigma(mu[i]) * w1[x]) for x in bins]
        for i, bins in enumerate(clicks)
    ]


def m_step_mu(he, z, w_h):
    """Equation (4.7), solved by scipy's brentq for each group; W_H = infinity keeps mu_i = HE_i."""
    if w_h == math.inf:
        return list(he)
    mu = []
    for i, z_i in enumerate(z):
        if w_h == 0:
            share = sum(z_i) / len(z_i)
            mu.append(math.log(share / (1 - share)))
            continue

        def left_hand_side(m, i=i, z_i=z_i):
            return w_h * (m - he[i]) + sum(sigma(m) - z_ij for z_ij in z_i)

        reach = len(z_i) / w_h + 1
        mu.append(brentq(left_hand_side, he[i] - reach, he[i] + reach, xtol=1e-14, rtol=1e-14))
    return mu


def final_answer(clicks, z, n_bins):
    """Equation (4.8)."""
    rho = []
    for k in range(n_bins):
        above, below = 1.0, 2.0
        for i, bins in enumerate(clicks):
            for j, x in enumerate(bins):
                above += z[i][j] * (x == k)
                below += x == k
        rho.append(above / below)
    return np.array(rho)


def latent(clicks, he, n_bins, w_h, e_steps=10_000, tolerance=1e-10):
    """Equations (4.1) to (4.8): rho, and the state (mu, w0, w1) whose E-step gave it.

    It stops after `e_steps` E-steps, or when no element of rho moves by `tolerance`.
    """
    mu = list(he)
    z = [[sigma(mu[i]) for _ in bins] for i, bins in enumerate(clicks)]
    w0, w1 = weights(clicks, z, n_bins)
    rho = None
    for _ in range(e_steps):
        z = e_step(clicks, mu, w0, w1)
        before, rho = rho, final_answer(clicks, z, n_bins)
        state = mu, w0, w1
        if before is not None and np.abs(rho - before).max() < tolerance:
            break
        w0, w1 = weights(clicks, z, n_bins)
        mu = m_step_mu(he, z, w_h)
    return rho, state


def objective(clicks, he, w_h, share, w0, w1):
    """The log-likelihood of every click, the normal rater noise and the Dirichlet(2) pseudo-observations.

    `share[i]` is sigma(mu_i). Constants that no parameter enters are left out.
    """
    total = 0.0
    for i, bins in enumerate(clicks):
        for x in bins:
            total += math.log((1 - share[i]) * w0[x] + share[i] * w1[x])
        if 0 < w_h < math.inf:
            mu = math.log(share[i] / (1 - share[i]))
            total -= w_h * (mu - he[i]) ** 2 / 2
    for k in range(len(w0)):
        total += math.log(w0[k]) + math.log(w1[k])
    return total
