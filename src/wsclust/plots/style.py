"""How every figure is set, and the only place that saves one."""

import io
from pathlib import Path

import matplotlib.pyplot as plt

from wsclust.tables import replacing

WIDTH = 5.0  # inches: the text width of the journal


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


# Neither dates nor versions, so that equal figures are equal files.
METADATA = {
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    ".svg": {"Date": None, "Creator": None},
}


def save(figure, *paths):
    """Write the figure to each path; equal figures are equal files."""
    for path in map(Path, paths):
        kind = path.suffix.lower()
        if kind not in METADATA:
            raise ValueError(f"{path}: expected a name that ends in {', '.join(METADATA)}")
        with replacing(path) as temporary, style():
            figure.savefig(temporary, metadata=METADATA[kind])
    plt.close(figure)


def svg(figure):
    """The figure as an SVG element, as an HTML page takes it; equal figures give equal text."""
    text = io.StringIO()
    with style():
        figure.savefig(text, format="svg", metadata=METADATA[".svg"])
    plt.close(figure)
    drawn = text.getvalue()
    return drawn[drawn.index("<svg") :]  # without the XML declaration, which HTML does not have
