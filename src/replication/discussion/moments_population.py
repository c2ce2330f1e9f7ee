r"""What the moments estimate tends to as the number of groups grows, in closed form (section 7.2).

Let omega = q w_0 + p w_1 be a group's distribution of the bins, p = sigma(mu), q = 1 - p, mu ~ N(0, 1), and
s = sigma(HE). The rows of Omega are omega plus multinomial noise of mean zero, whose covariance averages
C / J with C = E[diag(omega) - omega omega']. Therefore

    E (s - row . b)^2 = E (s - omega . b)^2 + b' C b / J :

the noise IS a ridge penalty, in the metric of C, and its weight is 1 / J. The first term sees b only
through w_0 . b and w_1 . b, since E[omega omega'] has rank 2. As J grows these tend to the regression of s on
p, namely intercept and intercept + slope (0 and 1 where s = p), and among all b with those two values the
penalty picks the one with the least variance of b_X within groups, however small its weight.
"""

import numpy as np
from scipy.special import expit


class Population:
    """Moments of the model: a Truth with mu ~ N(0, 1) and labels of noise sigma_H.

    Attributes: `sad_value` and `happy_value`, the limits of w_0 . b and w_1 . b as J grows;
    `noise` C (K, K); `cross` E[omega s] (K,); `second` E[omega omega'] (K, K).

    >>> from replication.simulation.truth_curves import truth
    >>> limit = Population(truth("quadratic", 15, low=0.05, frequency_tilt=0.2), label_noise=0.5)
    >>> round(limit.sad_value, 3), round(limit.happy_value, 3)
    (0.018, 0.982)
    """

    def __init__(self, true, label_noise, nodes=80):
        points, weight = np.polynomial.hermite_e.hermegauss(nodes)
        weight = weight / weight.sum()
        share = expit(points)
        label = expit(points[:, None] + label_noise * points) @ weight
        slope = (weight @ (share * label) - weight @ share * (weight @ label)) / (
            weight @ share**2 - (weight @ share) ** 2
        )
        self.sad_value = float(weight @ label - slope * (weight @ share))
        self.happy_value = float(self.sad_value + slope)
        mean = [weight @ (1 - share), weight @ share]
        weights = np.vstack([true.sad, true.happy])
        both = np.vstack([1 - share, share])
        self.weights = weights
        self.second = weights.T @ ((both * weight) @ both.T) @ weights
        self.noise = np.diag(mean @ weights) - self.second
        self.cross = (both @ (weight * label)) @ weights

    def moments(self, clicks_per_group):
        """The moments estimate (K,) from infinitely many groups of J clicks; J may be infinity.

        At J = infinity it is the limit as J grows: there Omega has rank 2, and nothing else picks one b.
        """
        if np.isfinite(clicks_per_group):
            return np.linalg.solve(self.second + self.noise / clicks_per_group, self.cross)
        # Least b' C b where W b is given, by its stationary point. C is singular along constants, but C + W'W
        # is not, and adds a constant where W b is given.
        metric = np.linalg.solve(self.noise + self.weights.T @ self.weights, self.weights.T)
        return metric @ np.linalg.solve(self.weights @ metric, [self.sad_value, self.happy_value])
