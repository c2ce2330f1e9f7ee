"""The colours of every figure, each once, by name; which method has which is in `wsclust.registry`.

They are Okabe and Ito's, which stay apart under the common colour-vision deficiencies.
"""

COLOURS = {
    "ink": "black",
    "grey": "0.45",
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "pink": "#CC79A7",
    "vermilion": "#D55E00",
    "sky": "#56B4E9",
    "wine": "#882255",
}
INK, GREY = COLOURS["ink"], COLOURS["grey"]
# For lines of one kind that are numbered rather than named, in this order.
SERIES = tuple(COLOURS[name] for name in ("blue", "orange", "green", "pink", "vermilion"))
# For methods that have no colour of their own: dark enough for a thin line on white, and apart from the colours
# above and one another under every colour-vision deficiency.
SPARE = {"indigo": "#332288", "brown": "#5E4B00"}
SPARE_COLOURS = tuple(SPARE.values())
SPARE_MARKERS = ("*", "h", "<", ">", "d")
