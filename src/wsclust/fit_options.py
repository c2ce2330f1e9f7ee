"""What a user of `wsclust fit` may choose, and what is refused."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from wsclust.methods import FROM_LABELS

# The model is not identified at W_H = 0, and its estimates depend on where EM stops: there it is the study's.
TOLERANCE_WITHOUT_WEIGHT = 1e-5
SOURCES = ("half-samples", "information")


@dataclass(frozen=True)
class Options:
    """What a user may choose: `method`, a name in `methods.FROM_LABELS`; `he_weight`, W_H of the latent
    method; `cap`, the most events that a group counts for, or None; `clip`, c to pull labels into
    [c, 1 - c], or None; `se`, "half-samples" or "information", where the standard errors come from;
    `subsamples`, how many half-samples, 0 for none; `seed`; `tolerance` (None: that of `latent`, or 1e-5 at
    W_H = 0) and `max_iterations` of the latent method; `check`, whether to check whether a latent fit can be
    believed.

    Raises ValueError, one line naming the option, on a value that cannot be.
    """

    method: str = "latent"
    he_weight: float = 10.0
    cap: float = None
    clip: float = None
    se: str = "half-samples"
    subsamples: int = 200
    seed: int = 1
    tolerance: float = None
    max_iterations: int = 10_000
    check: bool = True

    def __post_init__(self):
        for option, right, expected in (
            ("method", self.method in FROM_LABELS, f"one of {', '.join(FROM_LABELS)}"),
            ("he-weight", self.he_weight >= 0, "a number from 0, or inf"),
            ("cap", self.cap is None or 0 < self.cap < np.inf, "a number of events above 0, such as 500"),
            ("clip", self.clip is None or 0 < self.clip < 0.5, "between 0 and 0.5, such as 0.001"),
            ("se", self.se in SOURCES, f"one of {', '.join(SOURCES)}"),
            ("subsamples", self.subsamples == 0 or self.subsamples >= 2, "2 or more, or 0 for no errors"),
            ("seed", self.seed >= 0, "a whole number from 0"),
            ("tolerance", self.tolerance is None or 0 < self.tolerance < 1, "above 0, such as 1e-8"),
            ("max-iterations", self.max_iterations >= 1, "1 or more"),
        ):
            if not right:
                found = getattr(self, option.replace("-", "_"))
                raise ValueError(f"--{option} {found}: expected {expected}")
        if self.se == "information" and self.method == "latent" and self.he_weight == 0:
            raise ValueError(
                "--se information: there is none at --he-weight 0, where the model is not identified; "
                "use half-samples"
            )

    @property
    def estimator(self):
        """The method with its settings: a function from GroupedCounts to a Fit."""
        if self.method != "latent":
            return FROM_LABELS[self.method]
        settings = {"he_weight": self.he_weight, "max_iterations": self.max_iterations}
        if self.tolerance is not None:
            settings["tolerance"] = self.tolerance
        elif self.he_weight == 0:
            settings["tolerance"] = TOLERANCE_WITHOUT_WEIGHT
        return partial(FROM_LABELS["latent"], **settings)
