"""The standard error that a plan promises against the number of groups, one line per quality of the labels."""

import matplotlib.pyplot as plt

from wsclust.plots.palette import COLOURS, GREY, INK
from wsclust.plots.style import WIDTH, style

_LINES = tuple(COLOURS[name] for name in ("blue", "green", "orange", "vermilion", "wine", "sky", "pink"))


def draw(planned):
    """The figure of a `planning.plan.Plan`, on logarithmic axes.

    Lines are dotted where a bin's events equal fewer than 15 labelled ones, as the formula is no guide there; the
    point is the design itself.
    """
    design, table = planned.design, planned.lines()
    with style():
        figure, axis = plt.subplots(figsize=(WIDTH, 3.6))
        kinds = table["labels"].unique()  # every event labelled first, in ink
        for labels, colour in zip(kinds, (INK, *_LINES), strict=False):
            line = table[table["labels"] == labels]
            sure = line["standard_error"].where(line["asymptotic"])
            own = line["own"].any()
            axis.plot(line["groups"], line["standard_error"], color=colour, linestyle=":", linewidth=0.8)
            axis.plot(line["groups"], sure, color=colour, linewidth=1.8 if own else 1.0, label=labels)
        error = planned.standard_error.mean()
        axis.plot(design.groups, error, marker="o", color=INK, linestyle="", zorder=3, label="the plan")
        axis.set(xscale="log", yscale="log", xlabel=f"groups of {design.clicks:,.3g} events")
        axis.set_ylabel("mean standard error of a bin")
        axis.xaxis.set_major_formatter("{x:,.0f}")
        axis.yaxis.set_major_formatter("{x:g}")
        axis.yaxis.set_minor_formatter("")
        axis.xaxis.set_minor_formatter("")
        handles = axis.get_legend_handles_labels()[0]
        if not table["asymptotic"].all():
            look = {"color": GREY, "linestyle": ":", "linewidth": 0.8}
            handles.append(plt.Line2D([], [], **look, label="the formula is no guide"))
        figure.legend(handles=handles, title="labels", title_fontsize=7, loc="outside lower center", ncols=3)
    return figure
