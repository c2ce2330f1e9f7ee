"""The example of docs/audit.md before and after its audit: the labels' answer, and labels and outcomes together.

One row per bin, with 95% intervals; the rings are the rates that the example's events were drawn with, which
a user would not know.
"""

import matplotlib.pyplot as plt
import numpy as np

from replication.clicks.world import FACTORS, click_bins, click_truth
from replication.shared.job_settings import add_settings, figure_parser
from wsclust.events.outcome_files import read_outcomes
from wsclust.events.reading import read_counts
from wsclust.fitting import additive
from wsclust.plots.palette import INK
from wsclust.plots.posterior import draw_on
from wsclust.plots.style import WIDTH, save, style

CLASS = "A"  # of the clicks that examples/make_examples.py draws


def draw(data, outcomes, rates):
    """The figure: GroupedCounts, AuditedOutcomes and the true rate of each bin, (K,)."""
    before = additive(data)
    after = before.audit(outcomes)
    with style():
        figure, axes = plt.subplots(1, 2, figsize=(WIDTH * 1.3, 4.9))
        tables = before.to_frame(se="information"), after.to_frame()
        titles = "labels alone", f"labels and {outcomes.size} outcomes"
        for axis, table, title in zip(axes, tables, titles, strict=True):
            draw_on(axis, table, data.mean_label, "additive")
            axis.plot(rates, np.arange(len(rates)), "o", mfc="none", mec=INK, mew=0.6, markersize=4)
            axis.set_title(title, pad=14)
        # The names of the bins, and above them those of the factors, stand on the left alone.
        axes[1].set_yticklabels([])
        axes[1].texts[0].set_visible(False)
        axes[1].texts[0].set_in_layout(False)
    return figure


def true_rates(data, truth):
    """The rates that the events were drawn with, in the order of the bins of `data`, (K,).

    Arguments: GroupedCounts; `clicks.truth` of config.yaml.
    """
    bins = click_bins(truth).astype(str)
    rates = bins.assign(rate=click_truth(truth, CLASS).posterior)
    return data.bins[FACTORS].astype(str).merge(rates, on=FACTORS, how="left")["rate"].to_numpy()


def main(arguments=None):
    parser = figure_parser(__doc__)
    add_settings(parser)
    parser.add_argument("--events", required=True)
    parser.add_argument("--labels", required=True)
    parser.add_argument("--outcomes", required=True)
    args = parser.parse_args(arguments)
    data = read_counts(args.events, args.labels, FACTORS)
    outcomes = read_outcomes(args.outcomes, data)
    save(draw(data, outcomes, true_rates(data, args.settings["truth"])), *args.output)


if __name__ == "__main__":
    main()
