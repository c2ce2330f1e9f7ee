"""How closely two runs of the workflow must agree, and what is not compared.

Two cells of a CSV that both hold a number agree where |new - old| <= absolute + relative * max(|old|, |new|); all
other cells must be equal as text. Left out is what was measured on one machine (`Rules.measured`, `Rules.left_out`):
seconds, and the number of iterations, which may be one more or one less where a fit stops at its tolerance. So is the
fingerprint of a result's content in the manifest, as the result itself is compared.
"""

import re
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

import numpy as np

NUMBER = re.compile(r"[+-]?(?!0\d)(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
# Folders of results that `make` does not make: measured, private, or of longer runs with their own targets.
ELSEWHERE = (
    "additive",
    "audit",
    "benchmarks",
    "coverage",
    "information",
    "noisy_labels",
    "private",
    "survey",
)


@dataclass(frozen=True)
class Rules:
    """How closely two runs must agree.

    `tolerances` maps "FILE:COLUMN", both patterns as of a shell, to (relative, absolute); the last that
    matches holds. `measured` are patterns of columns, `left_out` of paths, that are not compared.
    """

    relative: float = 1e-4
    absolute: float = 1e-6
    tolerances: dict = field(default_factory=dict)
    measured: tuple = ("*seconds*", "*iterations*", "machine", "content")
    left_out: tuple = tuple(
        pattern for name in ELSEWHERE for pattern in (f"{name}/*", f"results/{name}/*")
    ) + (".*", "*/.*")
    levels: int = 8

    def tolerance(self, file, column):
        """(relative, absolute) for a column of a file.

        >>> Rules(tolerances={"why.csv:rmse*": (0.01, 0)}).tolerance("why.csv", "rmse_sd")
        (0.01, 0)
        """
        found = (self.relative, self.absolute)
        for pattern, tolerance in self.tolerances.items():
            of_file, _, of_column = pattern.rpartition(":")
            if fnmatchcase(file, of_file) and fnmatchcase(column, of_column):
                found = tolerance
        return found


DEFAULT = Rules()


def excess(old, new, relative, absolute):
    """How far two cells are apart, in multiples of the tolerance; infinite for unequal text.

    >>> excess("0.5", "0.505", 1e-4, 1e-6) > 90, excess("0.5", "0.50001", 1e-4, 1e-6) < 1
    (True, True)
    >>> excess("true", "false", 1e-4, 1e-6), excess("07", "7", 1e-4, 1e-6)
    (inf, inf)
    """
    if old == new:
        return 0.0
    if not (NUMBER.fullmatch(old) and NUMBER.fullmatch(new)):
        return np.inf
    first, second = float(old), float(new)
    if first == second and np.isfinite(first):
        return 0.0
    allowed = absolute + relative * max(abs(first), abs(second))
    # Text that is no number to anybody but the pattern, such as 1e999, has an infinite value.
    return abs(second - first) / allowed if 0 < allowed < np.inf else np.inf
