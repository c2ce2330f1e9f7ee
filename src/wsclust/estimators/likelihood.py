r"""The penalised likelihood of the latent variables model (section 4), on grouped counts.

The paper writes z_ij for each click; clicks of one group in one bin share one z_ik, so all sums run over
cells. With p_i = sigma(mu_i) and d_ik = (1 - p_i) w0_k + p_i w1_k, what EM climbs is

    sum_ik n_ik log d_ik  -  W_H / 2 sum_i (mu_i - HE_i)^2  +  sum_k (log w0_k + log w1_k):

the penalty is the normal rater noise with a flat prior on mu_i (the log f0 of (4.6) belongs there with a
minus sign; a flat prior hides it), and the pseudo-observations of (4.3)-(4.4) are Dirichlet(2) priors. Other
pseudo-observations (`prior`) weigh the two logarithms.

==================  ===================  ==================================================
paper               here                 meaning
==================  ===================  ==================================================
mu_i, sigma(mu_i)   quality, share       quality of a group, its share of happy events
w_1, w_0            happy, sad           distribution of the bins given happy, given sad
HE_i                evaluation           logit of the label
W_H                 he_weight            weight of the labels, 1 / sigma_H^2
z_ik                (never stored)       P(happy | group i, bin k); only its sums are needed
==================  ===================  ==================================================

Since z_ik = p_i w1_k / d_ik, its sums need one matrix, ratio = n / d: sum_k n_ik z_ik = p_i (ratio w1)_i and
sum_i n_ik z_ik = w1_k (p ratio)_k. Rows are worked in blocks whose temporaries stay in the cache. Of sparse
counts (`cells`) only the cells that occur are worked, as n = 0 makes ratio and log-likelihood 0.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, issparse
from scipy.special import logit

from wsclust.group_parts import blocks_of_groups


@dataclass(frozen=True, eq=False)
class State:
    """Parameters: `quality` mu (I,), `share` sigma(mu) (I,), `sad` w0 (K,) and `happy` w1 (K,).

    `complement` is 1 - share. It is kept, since 1 minus a share that rounds to 1 would be 0: at W_H = 0,
    where shares do drift to the edge, an exact 0 stays there and a tiny number comes back.
    """

    quality: np.ndarray
    share: np.ndarray
    complement: np.ndarray
    sad: np.ndarray
    happy: np.ndarray

    def mixture(self, rows, weights):
        """d_ik = (1 - p_i) w0_k + p_i w1_k for some groups; `weights` is w0 above w1."""
        return np.column_stack([self.complement[rows], self.share[rows]]) @ weights


@dataclass(frozen=True, eq=False)
class Expectation:
    """An E-step's sums: happy events by group (I,) and by bin (K,), and the objective at that state.

    `sad_by_group`, the rest of each group, is found at W_H = 0 only.
    """

    by_group: np.ndarray
    sad_by_group: np.ndarray
    by_bin: np.ndarray
    objective: float


class Problem:
    """Counts, labels and the weight W_H: what the objective depends on besides the parameters.

    `pseudo` are the pseudo-observations of each bin, (sad, happy): the paper's one of each kind.
    """

    def __init__(self, data, he_weight, pseudo=(1.0, 1.0)):
        self.counts = data.counts
        self.sizes = data.sizes
        self.totals = data.totals
        self.he_weight = float(he_weight)
        self.pseudo_sad, self.pseudo_happy = pseudo
        self.label = data.label
        self._kept_cells = {}
        with np.errstate(divide="ignore"):
            self.evaluation = logit(data.label)

    def blocks(self):
        """Slices of groups whose temporaries stay in the cache."""
        return blocks_of_groups(len(self.sizes))

    def penalty(self, state):
        """What is added to the log-likelihood: the labels' penalty and the pseudo-observations."""
        value = self.pseudo_sad * np.log(state.sad).sum() + self.pseudo_happy * np.log(state.happy).sum()
        if 0 < self.he_weight < np.inf:
            value -= self.he_weight / 2 * np.square(state.quality - self.evaluation).sum()
        return value

    def objective(self, state):
        """The penalised log-likelihood of a state; -inf where it has no likelihood."""
        if state.sad.min() <= 0 or state.happy.min() <= 0:
            return -np.inf
        total = self.penalty(state)
        weights = np.vstack([state.sad, state.happy])
        for rows in self.blocks():
            total += self._log_likelihood(rows, self._mixture(rows, state, weights))
        return float(total)

    def expectation(self, state):
        """The E-step (4.5), summed over groups and over bins."""
        weights = np.vstack([state.sad, state.happy])
        by_group, sad_by_group = np.empty_like(self.sizes), np.empty_like(self.sizes)
        by_bin = np.zeros_like(self.totals)
        total = self.penalty(state)
        for rows in self.blocks():
            share = state.share[rows]
            mixture = self._mixture(rows, state, weights)
            total += self._log_likelihood(rows, mixture)
            ratio = self._ratio(rows, mixture)
            by_group[rows] = share * (ratio @ state.happy)
            if self.he_weight == 0:
                sad_by_group[rows] = state.complement[rows] * (ratio @ state.sad)
            by_bin += share @ ratio
        return Expectation(by_group, sad_by_group, by_bin * state.happy, float(total))

    @property
    def weighed(self):
        """2 + n_k, the events of each bin with its pseudo-observations, (K,)."""
        return self.pseudo_sad + self.pseudo_happy + self.totals

    def posterior(self, state, expectation):
        """rho_k = (1 + sum_i n_ik z_ik) / (2 + n_k), equation (4.8), after the E-step at a state."""
        return (self.pseudo_happy + expectation.by_bin) / self.weighed

    def _cells(self, rows):
        """Some groups' counts; of sparse counts also the group of each cell, kept from one step to the next."""
        if not self.sparse:
            return self.counts[rows], None
        if rows.start not in self._kept_cells:
            counts = self.counts[rows]
            group = np.repeat(np.arange(rows.start, rows.stop), np.diff(counts.indptr))
            self._kept_cells[rows.start] = counts, group
        return self._kept_cells[rows.start]

    @property
    def sparse(self):
        """Whether the counts are sparse; a mixture is then one of the cells that occur, row by row."""
        return issparse(self.counts)

    def _mixture(self, rows, state, weights):
        if not self.sparse:
            return state.mixture(rows, weights)
        counts, group = self._cells(rows)
        sad, happy = weights[:, counts.indices]
        return state.complement[group] * sad + state.share[group] * happy

    def _log_likelihood(self, rows, mixture):
        counts, _ = self._cells(rows)
        return np.vdot(counts.data if self.sparse else counts, np.log(mixture))

    def _ratio(self, rows, mixture):
        counts, _ = self._cells(rows)
        if not self.sparse:
            return np.divide(counts, mixture, out=mixture)
        return csr_array((counts.data / mixture, counts.indices, counts.indptr), shape=counts.shape)


def start(problem):
    """The naive start of section 4: mu_i = HE_i, z_ik = sigma(HE_i), weights by (4.3) and (4.4)."""
    sad, happy = weights_from(problem, problem.label @ problem.counts)
    return State(problem.evaluation, problem.label, 1 - problem.label, sad, happy)


def weights_from(problem, by_bin):
    """The M-step for w_0 and w_1 from the happy events of each bin, equations (4.3) and (4.4)."""
    n_bins = len(by_bin)
    sad = problem.totals - by_bin
    return (
        (problem.pseudo_sad + sad) / (problem.pseudo_sad * n_bins + sad.sum()),
        (problem.pseudo_happy + by_bin) / (problem.pseudo_happy * n_bins + by_bin.sum()),
    )


def with_quality(quality, sad, happy):
    """A state from mu rather than sigma(mu)."""
    return State(quality, sigmoid(quality), sigmoid(-quality), sad, happy)


def sigmoid(quality):
    """sigma(mu), in half the time that scipy's expit takes."""
    with np.errstate(over="ignore"):  # exp(-mu) = infinity makes an exact 0, which is right
        return 1 / (1 + np.exp(-quality))
