"""What the figures of a check say: the thresholds, the verdicts and their words.

A verdict names what was measured, not what to do, and its words say what became of real designs that had it
(`track_record`). The thresholds were chosen on one set of real designs whose outcomes are known, with the groups' own
shares as labels and W_H = infinity; on a second set, on which nothing was chosen, they tell little. No check of labels
can be certain: if what happy and sad events do depends on the group linearly in its label, that hides in w0 and w1.
"""

from dataclasses import dataclass

import numpy as np

from wsclust.check.track_record import in_words

GOOD_R2, FAIR_R2, NO_R2 = 0.5, 0.2, 0.0
FAIR_RATIO, SOME_RATIO, NO_RATIO = 2.6, 2.0, 1.5
ABOUT = 0.1  # R2 this close to what the model implies, or above it, is as the model implies

PREDICTED, PARTLY, TOO_LITTLE = "labels predicted", "labels partly predicted", "too little data to tell"
HARDLY, AGAINST, NOTHING = "labels hardly predicted", "evidence against", "nothing to check"
VERDICTS = PREDICTED, PARTLY, TOO_LITTLE, HARDLY, AGAINST, NOTHING
BAD = AGAINST, NOTHING
_UNWARNED = PREDICTED, PARTLY

DIRECT = "the direct estimate is weak, but seldom worse than guessing the mean, and ranks bins nearly as well"
MEASURED = {
    PREDICTED: "the fit predicts the labels of groups that it has not seen",
    PARTLY: "the fit partly predicts the labels of groups that it has not seen, and the labels tell it much",
    TOO_LITTLE: "R2 is about what the fitted model itself implies, and the labels tell the fit something, so more "
    "groups or events, or a cap, may change the verdict",
    HARDLY: "the fit hardly predicts the labels of groups that it has not seen, as can be where it is right and the "
    "factors tell happy from sad events poorly",
    AGAINST: "the fit predicts the labels of groups that it has not seen no better than their mean does, or bins "
    "come out about as far apart with shuffled labels",
    NOTHING: "labels and bins differ too little between the groups to check anything",
}
CAUTION = (
    "no check sees everything: where what events look like changes in step with the labels, as along age, rank, time "
    "or size, a wrong estimate may predict labels well"
)


@dataclass(frozen=True, repr=False)
class Check:
    """The figures: `label_r2`, what the model implies for it, `shuffle_ratio`; NaN where there is none.

    >>> Check(0.4, np.nan, 3.0)  # doctest: +ELLIPSIS
    labels partly predicted (held-out label R2 0.40, shuffle ratio 3.0): the fit partly predicts the labels of ...
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
        """One of VERDICTS."""
        return verdict(self.label_r2, self.shuffle_ratio, self.label_r2_implied)

    @property
    def is_bad(self) -> bool:
        """Whether there is evidence against the fit, or nothing to check."""
        return self.verdict in BAD

    @property
    def is_warned_of(self) -> bool:
        """Whether the verdict is one of the warnings: the labels are not even predicted in part."""
        return self.verdict not in _UNWARNED

    @property
    def meaning(self) -> str:
        """What was measured, and what became of real designs with such figures."""
        return meaning(self.verdict)


def verdict(label_r2: float, shuffle_ratio: float, label_r2_implied: float = np.nan) -> str:
    """The verdict of a check's figures: one of VERDICTS.

    >>> verdict(0.77, 15.6), verdict(0.34, 3.9), verdict(0.14, 2.4, 0.15)
    ('labels predicted', 'labels partly predicted', 'too little data to tell')
    >>> verdict(0.14, 2.4, 0.5), verdict(0.3, 1.4), verdict(np.nan, 1.0)
    ('labels hardly predicted', 'evidence against', 'nothing to check')
    """
    if np.isnan(label_r2) or np.isnan(shuffle_ratio):
        return NOTHING  # as where all labels are equal
    if label_r2 > GOOD_R2:
        return PREDICTED
    if label_r2 >= FAIR_R2 and shuffle_ratio >= FAIR_RATIO:
        return PARTLY
    if label_r2 > label_r2_implied - ABOUT and shuffle_ratio > SOME_RATIO:
        return TOO_LITTLE
    return HARDLY if label_r2 > NO_R2 and shuffle_ratio >= NO_RATIO else AGAINST


def meaning(verdict: str) -> str:
    """What a verdict says was measured, what became of real designs that had it, and what to fall back on.

    >>> meaning(NOTHING).startswith("labels and bins differ too little between the groups")
    True
    """
    if verdict == NOTHING:
        return f"{MEASURED[verdict]}; {DIRECT}"
    return "; ".join([MEASURED[verdict], in_words(verdict), *([DIRECT] if verdict == AGAINST else [])])
