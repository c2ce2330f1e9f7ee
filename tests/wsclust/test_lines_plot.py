"""The plot of lines: what stands where, that no text is cut, and what is refused."""

import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.transforms import Bbox

from wsclust.cli import main
from wsclust.plots.lines import MOST_LEVELS, MOST_LINES, MOST_PANELS, check_factors, draw
from wsclust.plots.style import save

NOTE = "verdict: evidence against\nheld-out label R2 -0.41 (0.44 implied by the model), shuffle ratio 12.3"


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def table(*levels):
    rows = pd.MultiIndex.from_product(map(list, levels), names=[*"abcdef"[: len(levels)]]).to_frame(
        index=False
    )
    posterior = np.random.default_rng(1).uniform(0.2, 0.8, len(rows))
    return rows.assign(n=9.0, posterior=posterior, se=0.05, lower=posterior - 0.1, upper=posterior + 0.1)


def curves(axis):
    return [line for line in axis.lines if line.get_marker() not in ("None", None, "")]


def test_points_stand_at_their_level_in_the_line_and_panel_of_theirs():
    rows = table(["low", "mid", "high"], ["x", "y"], ["north", "south"])
    rows = rows.drop(index=rows.index[(rows["a"] == "mid") & (rows["b"] == "y") & (rows["c"] == "south")])
    figure = draw(rows, 0.4)
    assert [axis.get_title(loc="left") for axis in figure.axes] == ["c: north", "c: south"]
    for axis, c in zip(figure.axes, ["north", "south"], strict=True):
        assert [label.get_text() for label in axis.get_xticklabels()] == ["low", "mid", "high"]
        for line, b in zip(curves(axis), ["x", "y"], strict=True):
            assert np.abs(line.get_xdata() - np.arange(3)).max() < 0.3
            expected = rows[(rows["b"] == b) & (rows["c"] == c)].set_index("a")["posterior"]
            np.testing.assert_array_equal(line.get_ydata(), expected.reindex(["low", "mid", "high"]))
    bars = figure.axes[0].collections[0].get_segments()
    first = rows[(rows["b"] == "x") & (rows["c"] == "north")]
    np.testing.assert_allclose([bar[:, 1] for bar in bars], first[["lower", "upper"]].to_numpy())
    words = [text.get_text() for text in figure.legends[0].get_texts()]
    assert words == ["x", "y", "mean label 0.40"] and figure.legends[0].get_title().get_text() == "b"


@pytest.mark.parametrize("name", ["{}", "$WWWWWWWWWWWWWWWW MMMMMMMMMM$ {}"])
@pytest.mark.parametrize("shape", [(2, 2), (40, 8), (12, 8, 12), (3, 2, 2, 2)])
def test_no_text_is_cut(shape, name, tmp_path):
    rows = table(
        *[[name.format(f"{factor}{i}") for i in range(n)] for factor, n in zip("pqrs", shape, strict=False)]
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = draw(rows, 0.5, NOTE)
        save_it = tmp_path / "lines.png"
        figure.draw_without_rendering()
    width, height = figure.get_size_inches()
    texts = [figure._supylabel, figure._suptitle, *figure.legends[0].get_texts()]
    for axis in figure.axes:
        texts += [
            axis.title,
            axis._left_title,
            axis.xaxis.label,
            *axis.get_xticklabels(),
            *axis.get_yticklabels(),
        ]
    for text in texts:
        if text.get_text() and text.get_visible():
            box = Bbox(text.get_window_extent().get_points() / figure.dpi)
            assert box.x0 > -0.01 and box.x1 <= width + 0.01, text.get_text()
            assert box.y0 > -0.01 and box.y1 <= height + 0.01, text.get_text()
    save(figure, save_it)
    assert save_it.stat().st_size > 5000


def test_a_long_title_of_a_panel_goes_on_in_a_second_line():
    levels = ["Some college, no degree", "High school graduate", "none"]
    figure = draw(table("ab", "xy", levels).rename(columns={"c": "education"}), 0.5)
    titles = [axis._left_title.get_text() for axis in figure.axes]
    assert [" ".join(title.split()) for title in titles] == [f"education: {level}" for level in levels]
    assert "\n" in titles[0] and "\n" not in titles[2]
    endless = draw(table("ab", "xy", ["an uncommonly long name of a level " * 4, "b"]), 0.5)
    title = endless.axes[0]._left_title.get_text()
    assert title.count("\n") == 2 and "…" in title and title.startswith("c: an uncommonly")


def test_intervals_are_whole_in_the_legend_and_in_titles():
    intervals = ["<= 10", "(10, 20]", "(20, 50]", "> 50"]
    figure = draw(table("pq", intervals, intervals, ["a long name of a level", "b"]), 0.5)
    assert [text.get_text() for text in figure.legends[0].get_texts()][:4] == intervals
    for axis, interval in zip(figure.axes[::2], intervals, strict=True):
        assert interval in axis._left_title.get_text()


def test_what_cannot_be_told_apart_is_refused():
    for levels, said in (
        (["ab"], "one factor, 'a'"),
        (
            [range(MOST_LEVELS + 1), "xy"],
            "41 levels; at most 40 can be told apart along x: name another first",
        ),
        (
            ["xy", range(MOST_LINES + 1)],
            "9 levels; at most 8 can be told apart as lines: name another second",
        ),
        (["xy", "xy", range(MOST_PANELS + 1)], "13 panels; at most 12"),
    ):
        with pytest.raises(ValueError, match=said):
            check_factors(table(*levels)[[*"abc"[: len(levels)]]])


def test_the_command_draws_it_and_refuses_one_factor_before_the_fit(tmp_path, capsys):
    pytest.importorskip("duckdb")
    rng = np.random.default_rng(3)
    events = pd.DataFrame({"group": rng.integers(0, 30, 2000), "a": rng.choice([*"pqr"], 2000)})
    events["b"] = rng.choice([*"xy"], 2000)
    events.to_csv(tmp_path / "e.csv", index=False)
    pd.DataFrame({"group": range(30), "label": rng.random(30)}).to_csv(tmp_path / "l.csv", index=False)
    command = ["fit", tmp_path / "e.csv", "--labels", tmp_path / "l.csv", "--half-samples", "0", "--no-check"]
    command += ["--output", tmp_path / "out.csv", "--plot-lines", tmp_path / "lines.png"]
    command = [str(word) for word in command]
    assert main([*command, "--factors", "a"]) == 2
    said = capsys.readouterr().err
    assert "--plot-lines: one factor, 'a'" in said and not (tmp_path / "out.csv").exists()
    assert main([*command, "--factors", "a,b"]) == 0
    assert (tmp_path / "lines.png").stat().st_size > 5000
    assert main([*command, "--factors", "a", "--by", "b"]) == 0
