r"""A study that is planned: how many groups and events, how the groups differ, and what the bins tell.

The model is the paper's (section 2.2): mu_i ~ N(m, v) in each group; an event is happy with probability
p_i = sigma(mu_i), and falls in a bin by w_1 if it is happy, by w_0 if not; the label shows
HE_i = mu_i + N(0, sigma_H^2). All groups have J events.

======================  ================  ==============================================================
paper                   here              meaning
======================  ================  ==============================================================
I, J                    groups, clicks    number of groups, events in each
m, sqrt(v)              mu_mean, mu_sd    mean and SD of mu, the logit of a group's share of happy events
sigma_H                 label_sd          SD of the labels' error, on the logit scale
r_i                     rated             or: numbers of rated events whose happy share is the label (R,)
w_0, w_1                sad, happy        distribution of the bins given sad, given happy (K,)
pi                      share             E sigma(mu), the share of happy events
rho_k                   posterior         P(happy | bin k) = pi w_1k / ((1 - pi) w_0k + pi w_1k)
======================  ================  ==============================================================
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.special import logit

from wsclust.counts import GroupedCounts
from wsclust.planning.limits import SPREAD, WIDEST, refuse_unless, refuse_wrong_design
from wsclust.planning.ratings import rated_labels
from wsclust.planning.suggested import suggested
from wsclust.quadrature import mean_of_share, share_moments

MOST_BINS = 1000  # of a curve: the cost grows with their cube, and these take seconds


@dataclass(frozen=True, eq=False)
class Design:
    """A planned study, as in the table above.

    Arguments: `groups` and `clicks`, numbers of 1 or more; `sad` and `happy` (K,), positive, each with the
    sum 1; `mu_mean`; `mu_sd` above 0; `label_sd` of 0 or more, where 0 means that the labels are exact; `rated`
    (R,), numbers of 0 or more, some of 2 or more, of which each is as likely for a group, or None.

    Raises ValueError, naming the argument and what was expected, where these do not hold.

    >>> design = Design(groups=500, clicks=100, sad=[0.8, 0.2], happy=[0.3, 0.7], label_sd=0.5)
    >>> design.posterior.round(3), round(design.share_sd, 3), round(design.intraclass_correlation, 3)
    (array([0.273, 0.778]), 0.208, 0.174)
    """

    groups: int
    clicks: float
    sad: np.ndarray
    happy: np.ndarray
    mu_mean: float = 0.0
    mu_sd: float = 1.0
    label_sd: float = 0.0
    rated: np.ndarray | None = None

    def __post_init__(self):
        for name in ("sad", "happy"):
            object.__setattr__(self, name, np.array(getattr(self, name), dtype=float))
        if self.rated is not None:
            object.__setattr__(self, "rated", np.atleast_1d(np.array(self.rated, dtype=float)))
        refuse_wrong_design(self)

    @classmethod
    def from_posterior(
        cls,
        groups: int,
        clicks: int,
        posterior: np.ndarray,
        frequency: np.ndarray | None = None,
        mu_sd: float = 1.0,
        label_sd: float = 0.0,
    ) -> "Design":
        """A design whose bins have these rho_k and these frequencies, equal ones by default.

        Arguments: `posterior` (K,), rho_k strictly between 0 and 1; `frequency` (K,), positive, of any sum;
        the others as in the class. The mean of mu follows: the share of happy events has to be
        sum_k frequency_k rho_k. Raises ValueError where rho or a frequency is out of its range.

        >>> design = Design.from_posterior(500, 100, [0.1, 0.2, 0.6])
        >>> design.posterior.round(6), round(design.mu_mean, 3)
        (array([0.1, 0.2, 0.6]), -1.018)
        """
        rho = np.array(posterior, dtype=float)
        if rho.ndim != 1:
            raise ValueError(f"rho has {rho.ndim} dimensions; expected one number per bin")
        inside = (rho > 0) & (rho < 1)
        if not inside.all():
            k = int(np.argmin(inside))
            raise ValueError(f"rho of bin {k + 1} is {rho[k]:g}; expected a number between 0 and 1, neither")
        often = np.ones(len(rho)) if frequency is None else np.array(frequency, dtype=float)
        if often.shape != rho.shape or not (often > 0).all() or not np.isfinite(often).all():
            raise ValueError(
                f"frequency {np.array2string(often, threshold=4)}: expected {len(rho)} numbers above 0, one "
                "per bin"
            )
        refuse_unless(0 < mu_sd <= WIDEST, "mu_sd", mu_sd, SPREAD)
        often = often / often.sum()
        share = float(often @ rho)
        happy, sad = often * rho / share, often * (1 - rho) / (1 - share)
        return cls(groups, clicks, sad, happy, mean_of_share(share, mu_sd), mu_sd, label_sd)

    @classmethod
    def from_weights(
        cls,
        groups: int,
        clicks: int,
        sad: np.ndarray,
        happy: np.ndarray,
        share: float = 0.5,
        mu_sd: float = 1.0,
        label_sd: float = 0.0,
    ) -> "Design":
        """A design whose sad and happy events fall in the bins in these proportions, of any sums.

        Arguments: `sad` and `happy` (K,), numbers above 0; `share`, that of happy events in all, between 0 and 1,
        from which the mean of mu follows; the others as in the class.

        >>> design = Design.from_weights(500, 100, sad=[80, 20], happy=[3, 7], share=0.3)
        >>> design.happy, round(design.share, 6)
        (array([0.3, 0.7]), 0.3)
        """
        refuse_unless(0 < share < 1, "share", share, "a number between 0 and 1, neither")
        refuse_unless(0 < mu_sd <= WIDEST, "mu_sd", mu_sd, SPREAD)
        sad, happy = np.array(sad, dtype=float), np.array(happy, dtype=float)
        return cls(
            groups, clicks, sad / sad.sum(), happy / happy.sum(), mean_of_share(share, mu_sd), mu_sd, label_sd
        )

    @classmethod
    def from_curve(
        cls,
        groups: int,
        clicks: int,
        bins: int = 15,
        low: float = 0.05,
        high: float = 0.95,
        mu_sd: float = 1.0,
        label_sd: float = 0.0,
    ) -> "Design":
        """A design whose rho_k go from `low` to `high` in even steps of their logit, all bins as frequent.

        >>> Design.from_curve(500, 100, bins=3, low=0.2, high=0.8).posterior.round(6)
        array([0.2, 0.5, 0.8])
        """
        for name, end in (("low", low), ("high", high)):
            refuse_unless(0 < end < 1, f"rho, {name} end,", end, "a number between 0 and 1, neither")
        refuse_unless(2 <= bins <= MOST_BINS, "bins", bins, f"2 to {MOST_BINS:,}")
        with np.errstate(over="ignore"):
            rho = 1 / (1 + np.exp(-np.linspace(logit(low), logit(high), int(bins))))
        return cls.from_posterior(groups, clicks, rho, None, mu_sd, label_sd)

    @classmethod
    def from_fit(cls, data: GroupedCounts, fit: object, label_sd: float = 0.0) -> "Design":
        """The design that a latent fit suggests for more data of the same kind.

        Arguments: `data`, GroupedCounts; `fit`, its latent Fit or LatentEstimate; `label_sd`, the SD of its
        labels' error. J is the mean size of the groups. The mean and the variance of mu are those of the labels'
        logits, less label_sd^2, but at least a twentieth of it. Where `data` knows its labels for shares of rated
        events, they are those that the ratings suggest, and the groups to come have as many rated events as these.
        The fit should know of that noise (`label_noise`), and `data` holds the labels as they were given.

        Raises ValueError where the labels do not differ, or differ no more than by chance, and where one of them
        is 0 or 1 without a number of rated events.

        >>> from wsclust.counts import GroupedCounts
        >>> from wsclust.estimators.latent import latent
        >>> data = GroupedCounts([[80, 20], [30, 70], [50, 50]], label=[0.8, 0.3, 0.5])
        >>> design = Design.from_fit(data, latent(data, he_weight=np.inf))
        >>> design.groups, design.clicks, round(design.mu_sd, 2)
        (3, 100.0, 1.12)
        """
        return cls(*suggested(data, fit, label_sd))

    def with_groups(self, groups: int) -> "Design":
        """The same design with another number of groups."""
        return replace(self, groups=groups)

    def with_label_sd(self, label_sd: float) -> "Design":
        """The same design with labels that have this error."""
        return replace(self, label_sd=label_sd, rated=None)

    @property
    def noisy(self) -> bool:
        """Whether the labels are not the exact shares."""
        return self.label_sd > 0 or self.rated is not None

    @cached_property
    def _moments(self):
        mean, variance = share_moments(self.mu_mean, self.mu_sd)
        return float(mean), float(variance)

    @property
    def share(self) -> float:
        """pi = E sigma(mu), the share of happy events."""
        return self._moments[0]

    @property
    def share_sd(self) -> float:
        """SD over groups of the share of happy events, sigma(mu)."""
        return float(np.sqrt(self._moments[1]))

    @property
    def intraclass_correlation(self) -> float:
        """Var sigma(mu) / (pi (1 - pi)): how alike two events of one group are."""
        return self._moments[1] / (self.share * (1 - self.share))

    @property
    def reliability(self) -> float:
        """v / (v + sigma_H^2): the part of the labels' variance, in logits, that is the groups' own.

        With rated events, 1 - E Var(p | label) / Var(p): the part of the shares' variance that labels tell.
        """
        if self.rated is not None:
            _, hidden, chances = rated_labels(self.rated, self.mu_mean, self.mu_sd)
            return float(1 - chances @ hidden / self.share_sd**2)
        return self.mu_sd**2 / (self.mu_sd**2 + self.label_sd**2)

    @property
    def frequency(self) -> np.ndarray:
        """How often each bin occurs, (K,)."""
        return (1 - self.share) * self.sad + self.share * self.happy

    @property
    def posterior(self) -> np.ndarray:
        """rho_k = P(happy | bin k), (K,)."""
        return self.share * self.happy / self.frequency
