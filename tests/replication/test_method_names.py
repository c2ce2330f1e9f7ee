"""A method that a researcher adds to the settings can be seen and read in the figures and the tables."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb

from replication.documents import study_tables as tables
from replication.simulation import figure4
from wsclust.plots.appearance import appearance
from wsclust.plots.palette import COLOURS, SPARE_COLOURS
from wsclust.registry import ESTIMATORS

ROOT = Path(__file__).parents[2]
# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
SEEN = {
    "normal": np.eye(3),
    "protan": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deutan": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritan": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(colour):
    part = np.array(to_rgb(colour))
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    """CIE Lab of linear RGB."""
    xyz = TO_XYZ @ np.clip(rgb, 0, 1) / [0.9505, 1, 1.089]
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("colour", SPARE_COLOURS)
def test_spare_colours_are_legible_on_white(colour):
    assert 1.05 / (TO_XYZ[1] @ linear(colour) + 0.05) >= 7  # WCAG 2, AAA


@pytest.mark.parametrize("eyes", SEEN)
def test_spare_colours_are_apart_from_all_others(eyes):
    # The null is drawn nowhere beside another method.
    used = {colour for name, colour in COLOURS.items() if name != "grey"}
    pairs = [*combinations(SPARE_COLOURS, 2), *((spare, c) for spare in SPARE_COLOURS for c in used)]
    for one, other in pairs:
        difference = lab(SEEN[eyes] @ linear(one)) - lab(SEEN[eyes] @ linear(other))
        assert np.linalg.norm(difference) >= 20, (one, other)


def test_new_methods_have_a_look_of_their_own():
    looks = {appearance(f"latent_wh{weight}")[1:] for weight in (2, 4, 5, 20)}
    assert len(looks) == 4
    assert not looks & {appearance(method)[1:] for method in ("truth", "null", *ESTIMATORS, "latent_wh0")}


def test_figure_4_names_a_new_method_by_its_weight():
    summary = pd.read_csv(ROOT / "results/simulation/summary.csv")
    summary = summary[summary["setting"] == summary["setting"].iloc[0]]
    new = summary[summary["method"] == "latent_wh10"].assign(method="latent_wh4")
    others = [new.assign(method=f"latent_slow{number}") for number in range(5)]
    figure = figure4.draw(pd.concat([summary, new, *others]))
    assert r"latent, $W_H = 4$" in [text.get_text() for text in figure.legends[0].get_texts()]
    places = [line.get_xdata() for line in figure.axes[0].lines if len(line.get_xdata()) == 15]
    assert max(place[0] for place in places) < min(place[1] for place in places)


@pytest.mark.parametrize("table", ["simulation", "cces2016", "movielens"])
def test_the_tables_show_a_new_method(monkeypatch, table):
    before = getattr(tables, table)(ROOT).splitlines()
    read = tables.result

    def with_new(root, name):
        rows = read(root, name)
        copied = rows[rows["method"] == "latent_wh0" if table == "simulation" else rows["method"] == "latent"]
        return pd.concat([rows, copied.assign(method="latent_wh4"), copied.assign(method="latent_slow")])

    monkeypatch.setattr(tables, "result", with_new)
    after = getattr(tables, table)(ROOT).splitlines()
    assert after[: len(before)] == before
    assert [line.split(" | ")[0] for line in after[len(before) :]] == ["| latent, W_H = 4", "| latent_slow"]
