"""How many weak clicks tell as much as one labelled click, by the information formula.

Table, one row per (rho range, SD of mu): low, high (of rho), mu_sd, intraclass_correlation, label_sd, reliability,
weak_per_labelled, and rule_of_thumb, 1 / (intraclass correlation x reliability). Numbers of groups and of clicks
per group are given; neither matters much, as the part that comes from which groups were drawn is left out.
"""

import pandas as pd

from replication.shared.job_settings import write_study
from wsclust.planning.design import Design
from wsclust.planning.equivalents import weak_per_labelled
from wsclust.planning.fisher import variances


def row(low, high, mu_sd, label_sd, groups, clicks, bins):
    """One row of the table, a dict."""
    design = Design.from_curve(groups, clicks, bins, low, high, mu_sd, label_sd)
    found = variances(design)
    return {
        "low": low,
        "high": high,
        "mu_sd": mu_sd,
        "intraclass_correlation": design.intraclass_correlation,
        "label_sd": label_sd,
        "reliability": design.reliability,
        "weak_per_labelled": weak_per_labelled(found.labels, found),
        "rule_of_thumb": 1 / (design.intraclass_correlation * design.reliability),
    }


def table_of(settings):
    """The table at the settings of its rule."""
    size = settings["groups"], settings["clicks"], settings["bins"]
    rows = [row(*case, label_sd, *size) for case in settings["cases"] for label_sd in settings["label_sds"]]
    return pd.DataFrame(rows)


def main(arguments=None):
    write_study(table_of, __doc__, arguments)


if __name__ == "__main__":
    main()
