"""How every figure looks, and the only place that saves one.

Colours are Okabe and Ito's, which stay apart under the common colour-vision deficiencies; each method also
has a marker of its own, so that no figure rests on colour alone.
"""

import re
from pathlib import Path
from zlib import crc32

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt

from wsclust.tables import replacing

WIDTH = 5.0  # inches: the text width of the journal
GREY = "0.45"
INK = "black"
# For methods that the table lacks: dark enough for a thin line on white, and apart from the table's and one
# another under every colour-vision deficiency.
SPARE_COLOURS = ("#332288", "#882255", "#5E4B00")
SPARE_MARKERS = ("*", "h", "<", ">", "d")

# method -> (name in legends, colour, marker)
METHODS = {
    "truth": ("truth", INK, ""),
    "null": ("null", GREY, "x"),
    "direct": ("direct", "#0072B2", "s"),
    "moments": ("moments", "#E69F00", "D"),
    "latent": ("latent", "#009E73", "o"),
    "latent_wh10": (r"latent, $W_H = 10$", "#009E73", "o"),
    "latent_wh0": (r"latent, $W_H = 0$", "#CC79A7", "p"),
    "oracle": ("oracle", INK, "^"),
    "logistic_main": ("logistic, main effects", "#D55E00", "P"),
    "logistic_saturated": ("logistic, saturated", "#56B4E9", "X"),
}


def appearance(method):
    """Legend name, colour and marker of a method; one that the table lacks gets a spare look.

    Its name is then its own, but that of a latent model is its weight.

    >>> appearance("latent_wh0")[0], appearance("latent_wh4")[0], appearance("latent_slow")[0]
    ('latent, $W_H = 0$', 'latent, $W_H = 4$', 'latent_slow')
    """
    if method in METHODS:
        return METHODS[method]
    # From the name alone, so that a method looks the same in every figure.
    row, column = divmod(crc32(method.encode()), len(SPARE_COLOURS))
    weight = weight_in(method)
    name = f"latent, $W_H = {weight}$" if weight else literal(method)
    return name, SPARE_COLOURS[column], SPARE_MARKERS[row % len(SPARE_MARKERS)]


def weight_in(method):
    """W_H as the name of a latent method has it, None where it has none.

    >>> weight_in("latent_wh4"), weight_in("latent")
    ('4', None)
    """
    found = re.fullmatch(r"latent_wh(\d+)", method)
    return found and found[1]


def literal(text):
    """A user's text as it is: between two dollars, matplotlib would set mathematics.

    >>> literal("$1-$5")
    '\\\\$1-\\\\$5'
    """
    return str(text).replace("$", r"\$")


def style():
    """A context in which figures are drawn: small type, thin lines, no frame at the top and right.

    It starts from matplotlib's defaults, so a matplotlibrc of the user's changes no figure.
    """
    look = {
        "figure.dpi": 150,
        "savefig.dpi": 300,
        "figure.constrained_layout.use": True,
        "font.family": "DejaVu Sans",
        "font.size": 8,
        "axes.labelsize": 8,
        "axes.titlesize": 8,
        "xtick.labelsize": 7,
        "ytick.labelsize": 7,
        "legend.fontsize": 7,
        "legend.frameon": False,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.linewidth": 0.6,
        "lines.linewidth": 1.0,
        "lines.markersize": 3.5,
        "pdf.fonttype": 42,
        "svg.hashsalt": "wsclust",
    }
    return plt.style.context(["default", look])


def save(figure, *paths):
    """Write the figure to each path, without dates or versions, so that equal figures are equal files."""
    metadata = {
        ".png": {"Software": None},
        ".pdf": {"CreationDate": None, "Producer": None, "Creator": None},
        ".svg": {"Date": None, "Creator": None},
    }
    for path in map(Path, paths):
        kind = path.suffix.lower()
        if kind not in metadata:
            raise ValueError(f"{path}: expected a name that ends in {', '.join(metadata)}")
        with replacing(path) as temporary, style():
            figure.savefig(temporary, metadata=metadata[kind])
    plt.close(figure)
