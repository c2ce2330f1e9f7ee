"""Both latent models by Hamiltonian Monte Carlo: answers that share no line with the package.

    cd tests; python -m independent.nuts [--check]

Needs numpyro, which the project does not: `make independent` runs it in an environment of its own. Given exact shares
of the groups it samples w0 and w1, with Dirichlet(2) priors, which are the paper's pseudo-observations, or w0 and
the effects of the additive model, in units of their SDs. Of P(happy | bin), and of the effects, nuts.json has mean and
SD, and the standard error over samples of groups. That one too is found from the draws alone: group i moves an answer
by the covariance of the answer with the group's log-likelihood, and by what its own events change in it.
"""

import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
from numpyro.diagnostics import effective_sample_size
from numpyro.infer import MCMC, NUTS

from independent import draws, kept

CHAINS, DRAWS, BATCHES = 4, 10_000, 5


def contrasts(levels):
    """Orthonormal columns (levels, levels - 1) that sum to zero, of equal weight on all levels."""
    return np.linalg.svd(np.eye(levels) - 1 / levels)[0][:, :-1]


def effects_of_levels():
    """What one unit of each effect adds to each level of the two factors, (4, q) and (3, q), and to bins (12, q).

    A mean over levels is a constant, which the weights that sum to one do not have.
    """
    trend = (np.arange(4) - 1.5) / np.arange(4).std()
    first = np.column_stack([draws.MAIN_SD * trend, draws.ORDERED_SD * contrasts(4)])
    second = draws.MAIN_SD * contrasts(3)
    own = draws.DEVIATION_SD * np.eye(len(draws.LEVELS))
    by_level = np.zeros((7, first.shape[1] + second.shape[1] + len(own)))
    by_level[:4, :4], by_level[4:, 4:6] = first, second
    by_bin = np.array([by_level[a] + by_level[4 + b] for a, b in draws.LEVELS])
    by_bin[:, 6:] = own
    return by_level, by_bin


def latent_weights():
    prior = dist.Dirichlet(2 * jnp.ones(len(draws.SAD)))
    return numpyro.sample("sad", prior), numpyro.sample("happy", prior), jnp.zeros(0)


def additive_weights():
    by_level, by_bin = effects_of_levels()
    sad = numpyro.sample("sad", dist.Dirichlet(2 * jnp.ones(len(by_bin))))
    units = numpyro.sample("units", dist.Normal(0, 1).expand([by_bin.shape[1]]))
    happy = sad * jnp.exp(by_bin @ units)
    happy /= happy.sum()
    numpyro.factor("one happy event in each bin", jnp.log(happy).sum())
    return sad, happy, by_level @ units


def sampled_model(weights, share, counts):
    """Each click is of the mixture of its group; sums over clicks, not over their happiness."""
    sad, happy, effects = weights()
    mixture = (1 - share)[:, None] * sad + share[:, None] * happy
    by_group = numpyro.deterministic("by_group", (counts * jnp.log(mixture)).sum(axis=1))
    numpyro.deterministic("state", jnp.concatenate([sad, happy, effects]))
    numpyro.factor("clicks", by_group.sum())


def latent_answer(group_weights, state, share, counts):
    """P(happy | bin): of the clicks in a bin and one pseudo-observation of each kind, the happy ones."""
    n_bins = counts.shape[1]
    sad, happy = state[:n_bins], state[n_bins : 2 * n_bins]
    part = share[:, None] * happy
    z = part / ((1 - share)[:, None] * sad + part)
    return (1 + group_weights @ (counts * z)) / (2 + group_weights @ counts)


def additive_answer(group_weights, state, share, counts):
    """P(happy | bin) by Bayes' rule from the happy share of all events, and the effects of the levels."""
    n_bins = counts.shape[1]
    sad, happy, effects = jnp.split(state, [n_bins, 2 * n_bins])
    events = 2 + group_weights @ counts
    pi = (events * latent_answer(group_weights, state, share, counts)).sum() / events.sum()
    return jnp.concatenate([pi * happy / ((1 - pi) * sad + pi * happy), effects])


def standard_errors(answers, by_group, explicit):
    """Over samples of groups, from draws of answers (n, q) and log-likelihoods (n, I), and the (I, q) explicit part."""
    n_groups = len(explicit)
    influence = explicit + (by_group - by_group.mean(axis=0)).T @ (answers - answers.mean(axis=0)) / len(
        answers
    )
    return np.sqrt(n_groups * influence.var(axis=0) / (1 - 1 / n_groups))


def summary(weights, answer, share, counts, seed):
    """Mean, SD and standard error of an answer, each with its Monte Carlo error."""
    chains = MCMC(
        NUTS(sampled_model), num_warmup=1000, num_samples=DRAWS, num_chains=CHAINS, chain_method="sequential",
        progress_bar=False,
    )  # fmt: skip
    chains.run(jax.random.PRNGKey(seed), weights, jnp.array(share), jnp.array(counts, float))
    found = chains.get_samples()

    def with_slope(state):
        args = jnp.ones(len(share)), state, jnp.array(share), jnp.array(counts, float)
        return answer(*args), jax.jacrev(answer)(*args).T

    @jax.jit
    def of_batch(states):
        answers, slopes = jax.lax.map(with_slope, states)
        return answers, slopes.mean(axis=0)

    batches = [
        (*map(np.array, of_batch(states)), np.array(by_group))
        for states, by_group in zip(
            *(jnp.split(found[name], CHAINS * BATCHES) for name in ("state", "by_group")), strict=True
        )
    ]
    answers = np.concatenate([batch[0] for batch in batches])
    by_group = np.array(found["by_group"])
    explicit = np.mean([batch[1] for batch in batches], axis=0)
    of_batches = [standard_errors(values, groups, slopes) for values, slopes, groups in batches]
    draws_worth = effective_sample_size(answers.reshape(CHAINS, DRAWS, -1))
    sd = answers.std(axis=0)
    return {
        "mean": {"value": answers.mean(axis=0), "error": sd / np.sqrt(draws_worth)},
        "sd": {"value": sd, "error": sd / np.sqrt(2 * draws_worth)},
        "standard_error": {
            "value": standard_errors(answers, by_group, explicit),
            "error": np.std(of_batches, axis=0, ddof=1) / np.sqrt(len(of_batches)),
        },
    }


def ask(again):
    """Both models' data and answers; `again` draws another sample of the same posterior."""
    numpyro.enable_x64()
    found = {}
    for name, data, weights, answer in (
        ("latent", draws.latent_data(), latent_weights, latent_answer),
        ("additive", draws.additive_data(), additive_weights, additive_answer),
    ):
        answers = summary(weights, answer, *data, draws.SEED + again)
        found[name] = {"data": dict(zip(("share", "counts"), data, strict=True)), "answers": answers}
    return found


if __name__ == "__main__":
    kept.run("nuts", ask, __doc__.splitlines()[0])
