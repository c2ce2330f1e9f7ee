"""Noisy labels on real events: the mean skill of each treatment over designs.

Table, one row per (set of designs, noise, treatment): designs, their number; skill, the mean over designs of the
skill clipped to [-1, 1], as single designs can be off by hundreds; skill_se, its standard error over designs;
against_calibrated, the mean difference to the calibrated fit of the same design, and its error against_se.
"""

import numpy as np
import pandas as pd

from replication.shared.job_settings import study_parser
from wsclust.tables import write_csv

REFERENCE = "calibrated"


def summarise(skills):
    """The table above, but for the set, from that of `replication.noisy_labels.real_designs`."""
    rows = []
    for noise, of_noise in skills.groupby("noise", sort=False):
        wide = of_noise.assign(skill=of_noise["skill"].clip(-1, 1)).pivot(
            index="design", columns="treatment", values="skill"
        )
        for treatment in of_noise["treatment"].unique():
            apart = wide[treatment] - wide[REFERENCE]
            rows.append(
                {
                    "noise": noise,
                    "treatment": treatment,
                    "designs": len(wide),
                    "skill": wide[treatment].mean(),
                    "skill_se": _error(wide[treatment]),
                    "against_calibrated": apart.mean(),
                    "against_se": _error(apart),
                }
            )
    return pd.DataFrame(rows)


def _error(values):
    return values.std(ddof=1) / np.sqrt(len(values))


def main(arguments=None):
    parser = study_parser(__doc__, "output")
    parser.add_argument(
        "--skills", nargs="+", required=True, metavar="CSV", help="one of each set of designs"
    )
    args = parser.parse_args(arguments)
    tables = []
    for name, path in zip(args.settings["sets"], args.skills, strict=True):
        table = summarise(pd.read_csv(path))
        tables.append(table.assign(set=name)[["set", *table.columns]])
    write_csv(pd.concat(tables, ignore_index=True), args.output)


if __name__ == "__main__":
    main()
