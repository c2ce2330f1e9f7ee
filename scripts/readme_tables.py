"""Write the README's tables from the result files, so that no number there is typed by hand.

    python scripts/readme_tables.py [--check]

A table stands between `<!-- table NAME -->` and `<!-- end -->`; NAME is a function below. With --check
nothing is written, and a table that differs from the results ends with exit code 1.
"""

import argparse
import re
import sys
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(<!-- table (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
NAMES = {
    "null": "null: the overall share for everybody",
    "direct": "direct",
    "moments": "moments",
    "latent": "latent, W_H = ∞",
    "latent_wh10": "latent, W_H = 10",
    "latent_wh0": "latent, W_H = 0",
    "oracle": "oracle: sees every vote",
    "logistic_main": "logistic, main effects, sees every vote",
}


def result(name):
    """A result file as a frame."""
    return pd.read_csv(ROOT / "results" / name)


def markdown(header, rows):
    """A Markdown table, its columns after the first aligned right."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def simulation():
    """Mean absolute error of the default setting, by method and clicks a group."""
    errors = result("simulation/errors.csv")
    errors = errors[errors["setting"] == errors["setting"].iloc[0]]
    sizes = sorted(errors["clicks_per_group"].unique())
    rows = []
    for method, of_method in errors.groupby("method", sort=False):
        by_size = of_method.set_index("clicks_per_group")
        row = [NAMES[method]]
        for size in sizes:
            error, monte_carlo = by_size.loc[size, ["mean_absolute_error", "monte_carlo_error"]]
            row += [f"{error:.3f} ± {monte_carlo:.3f}", by_size.loc[size, "bins_outside"]]
        rows.append(row)
    header = ["method"]
    for size in sizes:
        header += [f"error, J = {size}", "bins outside [0, 1]"]
    return markdown(header, rows)


def cces2016():
    """Held-out errors of the two CCES designs."""
    designs = ["cces2016_ideology_party", "cces2016_race_income_college"]
    tables = [result(f"election/{design}.csv").set_index("method") for design in designs]
    rows = []
    for method in NAMES:
        if method in tables[0].index:
            cells = [f"{t.loc[method, e]:.3f}" for t in tables for e in ("classification_error", "rmse")]
            rows.append([NAMES[method], *cells])
    header = ["method", "ideology × party: error", "RMSE", "race × income × college: error", "RMSE"]
    return markdown(header, rows)


TABLES = {function.__name__: function for function in (simulation, cces2016)}


def with_tables(text):
    """The README's text with every table computed anew."""
    return BLOCK.sub(lambda block: f"{block[1]}{TABLES[block[2]]()}{block[4]}", text)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where a table is stale")
    args = parser.parse_args(arguments)
    path = ROOT / "README.md"
    text = path.read_text(encoding="utf-8")
    new = with_tables(text)
    if args.check:
        for old, block in zip(BLOCK.finditer(text), BLOCK.finditer(new), strict=True):
            if old[3] != block[3]:
                print(f"README.md: table {old[2]} differs from results/; run `make readme`", file=sys.stderr)
        return int(new != text)
    path.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
