"""Effects of levels on the survey's real designs: in how many better, in how many worse, and by how much on average.

One row per set (second chose nothing, first did, apart has outcomes that no oracle can predict), of the designs with
several factors: designs; better and worse, those whose skill differs by more than .01; latent and additive, mean skills
clipped to [-1, 1]; difference, of these means, and difference_se, its standard error with designs from one source, a
package's table, taken together; sources.
"""

import argparse

import numpy as np
import pandas as pd

from replication.additive.methods import ADDITIVE, SATURATED
from wsclust.tables import write_csv

SETS = ["second", "first", "apart"]
SAME = 0.01  # skills closer than this count as equal


def clustered_error(values, clusters):
    """Standard error of the mean of values (n,) that are independent between clusters (n,) alone; NaN for one cluster.

    >>> round(clustered_error(np.array([1.0, 1.0, 3.0, 3.0]), np.array(["a", "a", "b", "b"])), 3)
    1.0
    """
    _, place = np.unique(clusters, return_inverse=True)
    sums = np.bincount(place, values - values.mean())
    n_clusters = len(sums)
    if n_clusters < 2:
        return np.nan
    return float(np.sqrt(n_clusters / (n_clusters - 1) * np.sum(sums**2)) / len(values))


def counts(table, designs):
    """The table above.

    Arguments: frames of the survey, the methods' rows of all designs, with design, set, method and skill, and one row
    per design, with design, factors (names with blanks between) and items, the table that it is from.
    """
    crossed = designs[designs["factors"].str.split().str.len() > 1].set_index("design")
    wide = table.pivot(index=["set", "design"], columns="method", values="skill")[[SATURATED, ADDITIVE]]
    wide = wide.reset_index().query("design in @crossed.index")
    rows = []
    for name in SETS:
        some = wide[wide["set"] == name]
        if some.empty:
            continue
        more = some[ADDITIVE] - some[SATURATED]
        clipped = some[[SATURATED, ADDITIVE]].clip(-1, 1)
        difference = (clipped[ADDITIVE] - clipped[SATURATED]).to_numpy()
        sources = crossed.loc[some["design"], "items"].to_numpy(str)
        rows.append(
            {
                "set": name,
                "designs": len(some),
                "better": int((more > SAME).sum()),
                "worse": int((more < -SAME).sum()),
                "latent": clipped[SATURATED].mean(),
                "additive": clipped[ADDITIVE].mean(),
                "difference": difference.mean(),
                "difference_se": clustered_error(difference, sources),
                "sources": len(set(sources)),
            }
        )
    return pd.DataFrame(rows)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", required=True, help="CSV of the methods' rows, of the survey")
    parser.add_argument("--designs", required=True, help="CSV of the designs, of the survey")
    parser.add_argument("--output", required=True, help="CSV")
    args = parser.parse_args(arguments)
    table, designs = pd.read_csv(args.table), pd.read_csv(args.designs)
    try:
        found = counts(table, designs)
    except KeyError:
        parser.exit(2, f"{args.table}: no rows of the additive method; run make survey\n")
    write_csv(found, args.output)


if __name__ == "__main__":
    main()
