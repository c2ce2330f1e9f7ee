"""The graphical models of Figures 2 and 3: one drawing, with and without the human evaluation HE_i.

As in the paper, shaded nodes are observed and boxes are repeated: mu_i is the quality of result i, Z_ij
whether click j on it was satisfied, X_ij the behaviour seen, HE_i a noisy evaluation of mu_i.
"""

import daft

from replication.shared.job_settings import figure_parser
from wsclust.plots.style import save, style

_COLUMN = 1.3  # between neighbouring nodes, in units of daft's grid
_LABEL = {"fontsize": 8, "position": "bottom right", "label_offset": (5, 5)}


def plate_diagram(evaluated):
    """The matplotlib figure: mu_i observed, or latent with an observed HE_i where `evaluated`.

    >>> plate_diagram(evaluated=False).get_size_inches().round(1)
    array([3.1, 1.3])
    """
    # HE_i stands left of mu_i and makes the outer box one column wider.
    left = -_COLUMN if evaluated else 0.0
    right = 2 * _COLUMN
    # daft reads the type and its size from matplotlib's settings while it draws.
    with style():
        diagram = daft.PGM(
            shape=(right - left + 1.35, 1.65),
            origin=(left - 0.55, -1.05),
            node_unit=1.2,
            line_width=0.8,
        )
        # The outer box first: boxes are filled.
        diagram.add_plate(
            [left - 0.5, -1.0, right - left + 1.25, 1.55], label=r"$i = 1, \ldots, I$", **_LABEL
        )
        diagram.add_plate([_COLUMN - 0.5, -0.7, _COLUMN + 1.1, 1.15], label=r"$j = 1, \ldots, J_i$", **_LABEL)
        node = {"fontsize": 10}
        diagram.add_node("quality", r"$\mu_i$", 0, 0, observed=not evaluated, **node)
        diagram.add_node("click", "$Z_{ij}$", _COLUMN, 0, **node)
        diagram.add_node("behaviour", "$X_{ij}$", right, 0, observed=True, **node)
        diagram.add_edge("quality", "click")
        diagram.add_edge("click", "behaviour")
        if evaluated:
            diagram.add_node("label", r"$\mathrm{HE}_i$", left, 0, observed=True, **node)
            diagram.add_edge("quality", "label")
        diagram.render()
    # daft has set every size and position already.
    diagram.figure.set_layout_engine("none")
    return diagram.figure


def main(evaluated, description, arguments=None):
    """Write the diagram to the images that the command line names."""
    parser = figure_parser(description)
    args = parser.parse_args(arguments)
    with style():
        save(plate_diagram(evaluated), *args.output)
