"""The parts of docs/noisy-labels.md that are written from results/noisy_labels/."""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from replication.shared.page_blocks import markdown_table, write_parts

TREATMENTS = {
    "exact": "taken as exact",
    "he_weight_10": "W_H = 10",
    "told": "W_H = 1 / variance",
    "calibrated": "calibrated",
    "direct": "direct estimate",
}


def parts(folder):
    """name -> text, from the tables in a folder such as results/noisy_labels."""
    return {
        "accuracy": _accuracy(pd.read_csv(Path(folder, "accuracy.csv"))),
        "coverage": _coverage(pd.read_csv(Path(folder, "coverage.csv"))),
        "real-designs": _real(pd.read_csv(Path(folder, "real_designs.csv"))),
        "default": _default(pd.read_csv(Path(folder, "real_designs.csv"))),
        "implied": _implied(
            pd.concat([pd.read_csv(Path(folder, f"{name}_implied.csv")) for name in ("first", "second")])
        ),
        "calibration": _calibration(
            pd.concat([pd.read_csv(Path(folder, f"{name}_designs.csv")) for name in ("first", "second")])
        ),
    }


def _implied(table):
    """How noisy labels look from the moments, and how often that contradicts the noise that there is."""
    rows = []
    for (name, noise), group in table.groupby(["set", "noise"]):
        found = group["implied"].quantile([0.1, 0.5, 0.9])
        low, middle, high = (f"{value:.2f}" for value in found)
        rows.append(
            [f"{name} ({len(group)})", f"{noise:g}", f"{middle} ({low} to {high})"]
            + [f"{group['disagrees'].mean():.0%}"]
        )
    return markdown_table(
        ["data", "error that the labels have", "error implied, median (10 to 90%)", "warned"], rows
    )


def _accuracy(table):
    """Mean error by noise and clicks per group, over the truths."""
    rows = []
    for (noise, clicks), group in table.groupby(["noise", "clicks_per_group"], sort=False):
        cells = []
        for treatment in TREATMENTS:
            found = group[group["treatment"] == treatment]
            if not len(found):
                cells.append("")
                continue
            error = np.sqrt(np.square(found["error_se"]).sum()) / len(found)
            cells.append(f"{found['error'].mean():.3f} ± {error:.3f}")
        rows.append((noise, clicks, cells))
    order = list(dict.fromkeys(noise for noise, _, _ in rows))
    rows.sort(key=lambda row: (order.index(row[0]), row[1]))
    return markdown_table(
        ["noise of the labels", "clicks per group", *TREATMENTS.values()],
        [[_noise(noise), str(clicks), *cells] for noise, clicks, cells in rows],
    )


def _real(table):
    rows = []
    for name, of_set in table.groupby("set", sort=False):
        for noise, group in of_set.groupby("noise", sort=False):
            found = group.set_index("treatment")
            cells = [
                f"{found.at[treatment, 'skill']:.2f} ± {found.at[treatment, 'skill_se']:.2f}"
                if treatment in found.index
                else ""
                for treatment in TREATMENTS
            ]
            rows.append([f"{name} ({found['designs'].iloc[0]} designs)", _noise(noise), *cells])
    return markdown_table(["set", "noise added to the labels", *TREATMENTS.values()], rows)


def _default(table):
    """What W_H = 10 costs on the designs that no choice was made on, in a sentence."""
    rows = table[(table["set"] == "second") & (table["treatment"].isin(["he_weight_10", "exact"]))]
    skill = rows.pivot(index="noise", columns="treatment", values="skill")
    lost = skill["exact"] - skill["he_weight_10"]
    return (
        f"On the second set W_H = 10 has {lost.min():.2f} to {lost.max():.2f} less skill than labels taken as exact, "
        "whatever noise is added."
    )


def _calibration(skills):
    """Calibrated less exact on all designs, and on those where the latent fit works without noise."""
    wide = skills.assign(skill=skills["skill"].clip(-1, 1)).pivot(
        index=["noise", "design"], columns="treatment", values="skill"
    )
    without = wide.loc["none", "exact"]
    works = without.index[without > 0]
    rows = []
    for noise in (noise for noise in skills["noise"].unique() if noise != "none"):
        cells = []
        for chosen in (without.index, works):
            found = wide.loc[noise].loc[chosen]
            gain = found["calibrated"] - found["exact"]
            cells += [f"{found['exact'].mean():.2f}", f"{found['calibrated'].mean():.2f}"]
            cells.append(f"{gain.mean():+.2f} ± {gain.std(ddof=1) / np.sqrt(len(gain)):.2f}")
        rows.append([_noise(noise), *cells])
    kinds = (f"all {len(without)}", f"the {len(works)} with skill")
    head = [f"{what}, {kind}" for kind in kinds for what in ("as exact", "calibrated", "gain")]
    return markdown_table(["noise added to the labels", *head], rows)


def _coverage(table):
    rows = [
        [
            f"{row['label_sd']:g}",
            str(row["clicks_per_group"]),
            row["se"],
            f"{row['coverage']:.3f} ± {row['coverage_se']:.3f}",
            f"{row['mean_se'] / row['sd']:.2f}",
        ]
        for _, row in table.sort_values(["label_sd", "clicks_per_group", "se"]).iterrows()
    ]
    head = [
        "label error",
        "clicks per group",
        "standard errors from",
        "coverage of 95% intervals",
        "error by SD",
    ]
    return markdown_table(head, rows)


def _noise(noise):
    """A noise in words.

    >>> _noise("sd 0.5"), _noise("r 5"), _noise("none")
    ('error 0.5', '5 rated events', 'none')
    """
    kind, _, amount = noise.partition(" ")
    if kind == "none" or (kind == "sd" and float(amount) == 0):
        return "none"
    return f"error {amount}" if kind == "sd" else f"{amount} rated events"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", default="results/noisy_labels", help="folder of the tables")
    parser.add_argument("--page", default="docs/noisy-labels.md", help="the page, written anew")
    args = parser.parse_args(arguments)
    write_parts(args.page, parts(args.results))


if __name__ == "__main__":
    main()
