"""The tables of the page on noisy labels."""

import numpy as np
import pandas as pd

from replication.documents.markdown import markdown, result

TREATMENTS = {
    "exact": "taken as exact",
    "he_weight_10": "W_H = 10",
    "told": "W_H = 1 / variance",
    "calibrated": "calibrated",
    "direct": "direct estimate",
}


def noise_implied(root):
    """How noisy labels look from the moments, and how often that contradicts the noise that there is."""
    table = _of_both_sets(root, "implied")
    rows = []
    for (name, noise), group in table.groupby(["set", "noise"]):
        found = group["implied"].quantile([0.1, 0.5, 0.9])
        low, middle, high = (f"{value:.2f}" for value in found)
        rows.append(
            [f"{name} ({len(group)})", f"{noise:g}", f"{middle} ({low} to {high})"]
            + [f"{group['disagrees'].mean():.0%}"]
        )
    return markdown(
        ["data", "error that the labels have", "error implied, median (10 to 90%)", "warned"], rows
    )


def noise_accuracy(root):
    """Mean error by noise and clicks per group, over the truths."""
    table = result(root, "noisy_labels/accuracy.csv")
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
    return markdown(
        ["noise of the labels", "clicks per group", *TREATMENTS.values()],
        [[_noise(noise), str(clicks), *cells] for noise, clicks, cells in rows],
    )


def noise_real_designs(root):
    """Mean skill of each treatment of the labels on real designs, by set and noise."""
    table = result(root, "noisy_labels/real_designs.csv")
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
    return markdown(["set", "noise added to the labels", *TREATMENTS.values()], rows)


def noise_calibration(root):
    """Calibrated less exact on all designs, and on those where the latent fit works without noise."""
    skills = _of_both_sets(root, "designs")
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
    return markdown(["noise added to the labels", *head], rows)


def noise_audits(root):
    """Audits beside noisy labels on real designs: skill, intervals, alarms and verdicts by treatment."""
    table = result(root, "noisy_labels/audits.csv")
    table = table[table["set"] != "apart"]
    rows = [
        [
            f"{row.set} ({row.designs} designs)",
            f"{row.rated}",
            row.treatment,
            f"{row.skill:.2f} ± {row.skill_se:.2f}",
            f"{row.coverage_95:.1%}",
            f"{row.alarms:.0%}",
            f"{row.decided:.0%}",
            f"{row.wrong:.0%}",
        ]
        for row in table.itertuples()
    ]
    head = ["set", "rated events", "labels taken", "skill", "95% intervals hold", "alarms"]
    return markdown([*head, "verdicts", "of these wrong"], rows)


def noise_coverage(root):
    """Coverage of 95% intervals of fits to calibrated labels, by where the standard errors come from."""
    table = result(root, "noisy_labels/coverage.csv")
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
    return markdown(head, rows)


def _of_both_sets(root, name):
    return pd.concat([result(root, f"noisy_labels/{of}_{name}.csv") for of in ("first", "second")])


def _noise(noise):
    """A noise in words.

    >>> _noise("sd 0.5"), _noise("r 5"), _noise("none")
    ('error 0.5', '5 rated events', 'none')
    """
    kind, _, amount = noise.partition(" ")
    if kind == "none" or (kind == "sd" and float(amount) == 0):
        return "none"
    return f"error {amount}" if kind == "sd" else f"{amount} rated events"
