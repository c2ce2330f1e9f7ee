"""What the numbers of a Design may be, and the refusal, naming the number and what was expected, where one is not."""

import numpy as np

MOST = 1e15  # groups, or events of one: beyond, sums of squares leave what numbers can hold
WIDEST = 1e3  # on the logit scale, where 40 is already as good as certain
SPREAD = f"a finite number above 0, at most {WIDEST:g}"


def refuse_unless(holds, name, value, expected):
    """Raise ValueError unless this holds of a number; where `name` is an argument, the line begins as it is typed.

    >>> refuse_unless(0 < 2 < 1, "share", 2, "a number between 0 and 1, neither")
    Traceback (most recent call last):
        ...
    ValueError: share=2: expected a number between 0 and 1, neither
    """
    if not holds:
        found = (
            f"{value}" if isinstance(value, int) else f"{value:g}"
        )  # whole ones may be beyond what floats hold
        raise ValueError(f"{name}{'=' if name.isidentifier() else ' '}{found}: expected {expected}")


def refuse_wrong_design(design):
    """Raise ValueError where a number of a Design, whose bins and rated events are arrays, is out of its range."""
    for name, least, most in (("groups", 1, MOST), ("clicks", 1, MOST), ("label_sd", 0, WIDEST)):
        value = getattr(design, name)
        refuse_unless(least <= value <= most, name, value, f"{least} or more, at most {most:g}")
    if design.rated is not None:
        _refuse_wrong_ratings(design.rated, design.label_sd)
    refuse_unless(np.isfinite(design.mu_mean), "mu_mean", design.mu_mean, "a finite number")
    refuse_unless(0 < design.mu_sd <= WIDEST, "mu_sd", design.mu_sd, SPREAD)
    if design.sad.ndim != 1 or design.sad.shape != design.happy.shape or len(design.sad) < 2:
        raise ValueError(
            f"sad has shape {design.sad.shape} and happy {design.happy.shape}; expected one number per "
            "bin in each, for 2 bins or more"
        )
    for name in ("sad", "happy"):
        weights = getattr(design, name)
        if not (weights > 0).all():
            k = int(np.argmin(weights > 0))
            raise ValueError(
                f"{name}: bin {k + 1} has {weights[k]:g}; expected a number above 0, so leave out bins "
                "that never occur"
            )
        refuse_unless(abs(weights.sum() - 1) < 1e-6, f"sum of {name}", weights.sum(), "1")


def _refuse_wrong_ratings(rated, label_sd):
    if label_sd > 0:
        raise ValueError(
            f"label_sd={label_sd:g}: no use with rated events, whose number says how noisy each label is"
        )
    wrong = ~((rated >= 0) & np.isfinite(rated))
    if wrong.any():
        raise ValueError(f"label_n={rated[wrong][0]:g}: expected a number of rated events, 0 or more")
    refuse_unless(rated.max() >= 2, "label_n", rated.max(), "2 rated events or more in some groups")
