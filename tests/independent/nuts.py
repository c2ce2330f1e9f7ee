"""The latent variables model by Hamiltonian Monte Carlo, an answer that shares no line with the package.

    python tests/independent/nuts.py

Needs numpyro, which the project does not: run it in an environment of its own. It draws data from a seed, samples
(w0, w1) given exact shares of the groups with Dirichlet(2) priors, which are the paper's pseudo-observations, and
writes counts, shares and what was found to nuts.json beside it. A test compares the package's mode and standard errors
with that file.
"""

import json
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
from jax import random
from numpyro.infer import MCMC, NUTS

GROUPS, CLICKS, SEED = 120, 60, 2026
SAD, HAPPY = (0.4, 0.3, 0.15, 0.1, 0.05), (0.1, 0.15, 0.2, 0.25, 0.3)


def draw(rng):
    """Shares of the groups and their counts by bin."""
    share = 1 / (1 + np.exp(-rng.standard_normal(GROUPS)))
    happy = rng.binomial(CLICKS, share)
    counts = [rng.multinomial(n, HAPPY) + rng.multinomial(CLICKS - n, SAD) for n in happy]
    return share, np.array(counts)


def model(share, counts):
    """Each click is of the mixture of its group; sums over clicks, not over their happiness."""
    prior = dist.Dirichlet(2 * jnp.ones(counts.shape[1]))
    sad, happy = numpyro.sample("sad", prior), numpyro.sample("happy", prior)
    mixture = (1 - share)[:, None] * sad + share[:, None] * happy
    numpyro.factor("clicks", (counts * jnp.log(mixture)).sum())


def posterior(share, counts, sad, happy):
    """P(happy | bin) of each draw: of the clicks in a bin and one pseudo-observation of each kind, the happy ones."""
    part = share[:, None] * happy[:, None, :]
    z = part / ((1 - share)[:, None] * sad[:, None, :] + part)
    return ((z * counts).sum(axis=1) + 1) / (counts.sum(axis=0) + 2)


def main():
    numpyro.enable_x64()
    share, counts = draw(np.random.default_rng(SEED))
    chains = MCMC(NUTS(model), num_warmup=1000, num_samples=4000, num_chains=4, chain_method="sequential")
    chains.run(random.PRNGKey(SEED), jnp.array(share), jnp.array(counts))
    found = {name: np.array(values) for name, values in chains.get_samples().items()}
    rho = posterior(share, counts, found["sad"], found["happy"])
    effective = [float(numpyro.diagnostics.effective_sample_size(chain)) for chain in
                 np.moveaxis(rho.reshape(4, -1, rho.shape[1]), 2, 0)]  # fmt: skip
    result = {
        "share": share.tolist(),
        "counts": counts.tolist(),
        "mean": rho.mean(axis=0).tolist(),
        "sd": rho.std(axis=0).tolist(),
        "effective_draws": effective,
    }
    Path(__file__).with_name("nuts.json").write_text(json.dumps(result) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
