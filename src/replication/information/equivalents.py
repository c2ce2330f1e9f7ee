"""How many weak clicks tell as much as one labelled click, by the information formula.

Table, one row per (rho range, SD of mu): low, high (of rho), mu_sd, intraclass_correlation, label_sd, reliability,
weak_per_labelled, and rule_of_thumb, 1 / (intraclass correlation x reliability). Numbers of groups and of clicks
per group are given; neither matters much, as the part that comes from which groups were drawn is left out.
"""

import pandas as pd

from replication.shared.job_settings import study_parser
from wsclust.planning.design import Design
from wsclust.planning.equivalents import weak_per_labelled
from wsclust.planning.fisher import variances
from wsclust.tables import write_csv


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


def main(arguments=None):
    args = study_parser(__doc__, "output").parse_args(arguments)
    settings = args.settings
    size = settings["groups"], settings["clicks"], settings["bins"]
    rows = [row(*case, label_sd, *size) for case in settings["cases"] for label_sd in settings["label_sds"]]
    write_csv(pd.DataFrame(rows), args.output)


if __name__ == "__main__":
    main()
