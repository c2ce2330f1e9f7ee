"""What the figures of a check say: the thresholds, the verdicts and their words.

The thresholds were chosen on 38 real designs whose outcomes are known (with others, 45), with the groups' own
shares as labels and W_H = infinity. On 45 designs that were kept apart they tell little: the held-out label R2 ranks
designs where the latent fit beats the mean with an area under the curve of .67, the shuffle ratio of .60. No check of
labels can be certain: if what happy and sad events do depends on the group linearly in its label, that hides in w0
and w1, as where groups are ordered by age, rank, time or size. In the election of 2020 (ANES, voters by state) R2 was
.39 and .36 was implied, and yet the estimate was worse than guessing the mean.
"""

from dataclasses import dataclass

import numpy as np

GOOD_R2, FAIR_R2, NO_R2 = 0.5, 0.2, 0.0
FAIR_RATIO, NO_RATIO = 2.6, 1.5

USE, LIKELY, UNSURE, DO_NOT_USE = "use", "likely", "unsure", "do not use"
WARNED = UNSURE, DO_NOT_USE
_DIRECT = "prefer the direct estimate: weak, but seldom far wrong, and it ranks bins nearly as well"
# Of 38 real designs on which the thresholds were chosen, and of 45 that were defined before anything was fitted and
# used to choose nothing; those that not even an oracle predicts are left out.
MEANINGS = {
    USE: "of 12 real designs with such figures that were kept apart, 8 beat guessing the mean and 6 the direct "
    "estimate too; of those on which the thresholds were chosen, 10 of 10",
    LIKELY: "of 5 real designs with such figures that were kept apart, 3 beat guessing the mean; of those on which "
    "the thresholds were chosen, 3 of 4",
    UNSURE: "too little to tell: of 12 real designs with such figures that were kept apart, 11 beat guessing the mean; "
    "of those on which the thresholds were chosen, 1 of 2",
    DO_NOT_USE: "of 10 real designs with such figures that were kept apart, 7 were worse than guessing the mean; of "
    f"those on which the thresholds were chosen, 17 of 21; {_DIRECT}",
}
NOTHING_TO_CHECK = f"labels and bins differ too little between the groups to check anything; {_DIRECT}"
AS_IMPLIED = (
    "R2 is about what the fitted model implies, so more groups or events, or a cap, may change the verdict"
)
_ABOUT = 0.1  # R2 this close to what the model implies is as the model implies
CAUTION = (
    "no check is certain: what changes in step with the groups' labels cannot be told from the outcome "
    "(election of 2020, ANES: R2 .39 with .36 implied, and worse than guessing)"
)


@dataclass(frozen=True, repr=False)
class Check:
    """The figures: `label_r2`, what the model implies for it, `shuffle_ratio`; NaN where there is none.

    >>> Check(0.4, np.nan, 3.0)  # doctest: +ELLIPSIS
    likely (held-out label R2 0.40, shuffle ratio 3.0): of 5 real designs with such figures that were kept apart, 3 ...
    """

    label_r2: float
    label_r2_implied: float
    shuffle_ratio: float

    def __repr__(self) -> str:
        return f"{self.verdict} ({self.words}): {self.meaning}"

    @property
    def words(self) -> str:
        """The two figures in words."""
        words = "held-out label R2 " + ("unknown" if np.isnan(self.label_r2) else f"{self.label_r2:.2f}")
        if not np.isnan(self.label_r2_implied):
            words += f" ({self.label_r2_implied:.2f} implied by the model)"
        ratio = "unknown" if np.isnan(self.shuffle_ratio) else f"{self.shuffle_ratio:.1f}"
        return f"{words}, shuffle ratio {ratio}"

    @property
    def verdict(self) -> str:
        """One of the four verdicts."""
        return verdict(self.label_r2, self.shuffle_ratio)

    @property
    def meaning(self) -> str:
        """What became of real designs with such figures, and what to do."""
        if _unknown(self.label_r2, self.shuffle_ratio):
            return NOTHING_TO_CHECK
        meaning = MEANINGS[self.verdict]
        if self.verdict in WARNED and self.label_r2 > self.label_r2_implied - _ABOUT:
            meaning += f"; {AS_IMPLIED}"
        return meaning


def verdict(label_r2: float, shuffle_ratio: float) -> str:
    """The verdict of two figures: a key of MEANINGS.

    >>> verdict(0.77, 15.6), verdict(0.34, 3.9), verdict(0.14, 2.4), verdict(0.3, 1.4)
    ('use', 'likely', 'unsure', 'do not use')
    """
    if _unknown(label_r2, shuffle_ratio):
        return DO_NOT_USE  # nothing to go by, as where all labels are equal
    if label_r2 > GOOD_R2:
        return USE
    if label_r2 >= FAIR_R2 and shuffle_ratio >= FAIR_RATIO:
        return LIKELY
    return UNSURE if label_r2 > NO_R2 and shuffle_ratio >= NO_RATIO else DO_NOT_USE


def _unknown(label_r2, shuffle_ratio):
    return np.isnan(label_r2) or np.isnan(shuffle_ratio)
