r"""The clicks of the motivating example (section 2, Figure 1): groups, one hidden outcome, a plane.

The paper discloses the shares of happy clicks (80%, 60%, 10%) and what the figure shows, not the model
that drew it. Ours: a click is happy or sad, and, independently, shows one of two equally likely behaviours.
With orthogonal unit vectors u = (cos t, sin t) and v = (-sin t, cos t),

    X = +-(a / 2) u  +-(b / 2) v  +  N(0, 1),      first sign: happy or sad; second: the behaviour.

Since u and v are orthogonal, logit P(happy | X) = logit(pi) + a u.X exactly. That line is the boundary that
minimises logistic loss, over all clicks rather than those drawn, and needs no large sample. With b > a the
two clusters that stand out are the behaviours: a Gaussian mixture finds these.

=================  ========================  =============================================
here               variable                  meaning
=================  ========================  =============================================
a, b               outcome_separation, ...   distance of happy from sad, of the behaviours
t                  tilt                      degrees of u from the x axis
pi                 (mean of shares)          share of happy clicks: the groups are equal
=================  ========================  =============================================
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import logit


@dataclass(frozen=True)
class Model:
    """The generative model: `shares` (I,) of happy clicks, separations a and b, `tilt` in degrees.

    Raises ValueError on a share out of (0, 1), shares that are all the same, a separation not above 0.
    """

    shares: tuple
    outcome_separation: float
    behaviour_separation: float
    tilt: float

    def __post_init__(self):
        for share in self.shares:
            if not 0 < share < 1:
                raise ValueError(f"shares: {share:g} is not between 0 and 1; divide percentages by 100")
        if len(set(self.shares)) < 2:
            raise ValueError("shares: all the same; the groups must differ for labels to tell anything")
        for name in ("outcome_separation", "behaviour_separation"):
            if not 0 < getattr(self, name) < np.inf:
                raise ValueError(f"{name} {getattr(self, name):g}: expected a distance above 0")

    @property
    def axes(self):
        """The rows u and v, (2, 2)."""
        t = np.radians(self.tilt)
        return np.array([[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]])

    @property
    def boundary(self):
        """Intercept and two slopes of logit P(happy | X), equal groups.

        >>> Model((0.75, 0.25), outcome_separation=2, behaviour_separation=5, tilt=0).boundary.tolist()
        [0.0, 2.0, 0.0]
        """
        return np.array([logit(np.mean(self.shares)), *self.outcome_separation * self.axes[0]])

    def draw(self, rng, clicks_per_group):
        """Clicks as a frame: group (from 1), share, x, y, happy."""
        group = np.repeat(np.arange(len(self.shares)), clicks_per_group)
        share = np.asarray(self.shares)[group]
        happy = rng.random(len(group)) < share
        behaviour = rng.random(len(group)) < 0.5
        noise = rng.standard_normal((len(group), 2))
        signs = np.column_stack([happy, behaviour]) - 0.5
        point = signs * [self.outcome_separation, self.behaviour_separation] @ self.axes + noise
        return pd.DataFrame(
            {"group": group + 1, "share": share, "x": point[:, 0], "y": point[:, 1], "happy": happy}
        )
