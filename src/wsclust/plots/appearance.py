"""How each method looks in figures: name in legends, colour and marker, from its entry in the registry."""

import re
from zlib import crc32

from wsclust.plots.palette import COLOURS, SPARE_COLOURS, SPARE_MARKERS
from wsclust.registry import ESTIMATORS, variant_of

# What figures show beside estimators.
_OTHERS = {"truth": ("truth", "ink", ""), "null": ("null", "grey", "x")}


def appearance(method: str) -> tuple[str, str, str]:
    """Legend name, colour and marker of a method, as config.yaml names it.

    A method that is called after an estimator, as latent_wh10, looks as the estimator's entry has it; any other, and
    what the entry leaves open, gets a spare look. Its name is its own, but that of a latent model is its weight.

    >>> appearance("direct") == ("direct", COLOURS["blue"], "s")
    True
    >>> appearance("latent_wh0")[0], appearance("latent_wh4")[0], appearance("latent_slow")[0]
    ('latent, $W_H = 0$', 'latent, $W_H = 4$', 'latent_slow')
    """
    if method in _OTHERS:
        name, colour, marker = _OTHERS[method]
        return name, COLOURS[colour], marker
    if method in ESTIMATORS:
        entry = ESTIMATORS[method]
        return entry.title, COLOURS[entry.colour], entry.marker
    weight = weight_in(method)
    name = f"latent, $W_H = {weight}$" if weight else literal(method)
    if look := _look_of_variant(method):
        colour, marker = look
        return name, COLOURS[colour], marker
    # From the name alone, so that a method looks the same in every figure.
    row, column = divmod(crc32(method.encode()), len(SPARE_COLOURS))
    return name, SPARE_COLOURS[column], SPARE_MARKERS[row % len(SPARE_MARKERS)]


def _look_of_variant(method):
    if (variant := variant_of(method)) is None:
        return None
    estimator, rest = variant
    entry = ESTIMATORS[estimator]
    return entry.looks.get(rest) if entry.looks else (entry.colour, entry.marker)


def weight_in(method: str) -> str | None:
    """W_H as the name of a latent method has it, None where it has none.

    >>> weight_in("latent_wh4"), weight_in("latent")
    ('4', None)
    """
    found = re.fullmatch(r"latent_wh(\d+)", method)
    return found and found[1]


def literal(text: object) -> str:
    """A user's text as it is: between two dollars, matplotlib would set mathematics.

    >>> literal("$1-$5")
    '\\\\$1-\\\\$5'
    """
    return str(text).replace("$", r"\$")
