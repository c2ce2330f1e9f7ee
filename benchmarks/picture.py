"""Draw the benchmarks: `python benchmarks/picture.py SOLVER.csv GROWTH.csv --output PICTURE.png`."""

import argparse

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from wsclust.plots.style import GREY, WIDTH, save, style

NAMES = {
    "r_per_click": "R, a value a click",
    "numpy_per_click": "numpy, a value a click",
    "wsclust": "wsclust",
}
COLOURS = {"r_per_click": "#D55E00", "numpy_per_click": "#0072B2", "wsclust": "#009E73"}
KINDS = {"integer": ("codes", "#009E73", "o"), "text": ("text, three factors", "#E69F00", "s")}


def draw(solver, growth):
    """Left: seconds of one fit by implementation. Right: seconds of counting and of fitting by events."""
    with style():
        figure, (left, right) = plt.subplots(1, 2, figsize=(WIDTH, 2.6))
        bins = sorted(solver["bins"].unique())
        for place, name in enumerate(solver["implementation"].unique()):
            rows = solver[solver["implementation"] == name].set_index("bins").loc[bins]
            at = np.arange(len(bins)) + 0.25 * (place - 1)
            spread = [
                rows["seconds_median"] - rows["seconds_min"], rows["seconds_max"] - rows["seconds_median"]
            ]  # fmt: skip
            left.bar(at, rows["seconds_median"], 0.23, color=COLOURS[name], label=NAMES[name])
            left.errorbar(at, rows["seconds_median"], yerr=spread, fmt="none", ecolor="black", elinewidth=0.7)
        left.set_yscale("log")
        left.set_xticks(np.arange(len(bins)), [f"{k} bins" for k in bins])
        left.set_ylabel("seconds a fit")
        left.set_title("(a) 1,000,000 clicks, 10,000 groups", loc="left")
        for kind, (name, colour, marker) in KINDS.items():
            rows = growth[growth["kind"] == kind]
            right.plot(
                rows["events"], rows["seconds_counting"], marker=marker, color=colour, label=f"count, {name}"
            )
        rows = growth[growth["kind"] == "integer"]
        right.plot(rows["events"], rows["seconds_fitting"], "--", marker="^", color=GREY, label="fit")
        right.set_xscale("log")
        right.set_yscale("log")
        right.set_xlabel("events")
        right.set_ylabel("seconds")
        right.set_title("(b) growth, 100 events a group", loc="left")
        figure.legend(loc="outside lower center", ncols=3)
    return figure


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("solver")
    parser.add_argument("growth")
    parser.add_argument("--output", nargs="+", required=True)
    args = parser.parse_args(arguments)
    save(draw(pd.read_csv(args.solver), pd.read_csv(args.growth)), *args.output)


if __name__ == "__main__":
    main()
