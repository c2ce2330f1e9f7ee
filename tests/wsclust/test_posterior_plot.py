"""The plot of wsclust fit: every name and note is whole, whatever the bins are and are called."""

import warnings
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.transforms import Bbox

from wsclust.plots.posterior import draw
from wsclust.plots.style import save

NOTE = "verdict: evidence against\nheld-out label R2 -0.41 (0.44 implied by the model), shuffle ratio 12.3"


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def table(bins, name="item-{:03d}"):
    posterior = np.random.default_rng(1).uniform(0.2, 0.8, bins)
    rows = pd.DataFrame({"code": [name.format(i) for i in range(bins)], "n": 9.0, "posterior": posterior})
    return rows.assign(se=0.05, lower=posterior - 0.1, upper=posterior + 0.1)


def names(figure):
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


def boxes(figure):
    """Every text with its box, in inches, once the figure is laid out."""
    figure.draw_without_rendering()
    axis = figure.axes[0]
    texts = [
        *axis.get_yticklabels(),
        *axis.texts,
        axis.xaxis.label,
        axis.yaxis.label,
    ]
    texts += [figure._suptitle] if figure._suptitle else []
    return [
        (text.get_text(), Bbox(text.get_window_extent().get_points() / figure.dpi))
        for text in texts
        if text.get_text()
    ]


@pytest.mark.parametrize("bins", [1, 2, 3, 4, 5, 30, 64, 150, 151, 400])
@pytest.mark.parametrize("name", ["{}", "WWWWWWWWWW MMMMMMMMMM WWWWWWWWWW MMMMMMMMMM number {}"])
def test_no_text_is_cut(bins, name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # such as that the layout was given up
        figure = draw(table(bins, name), 0.5, note=NOTE)
        width, height = figure.get_size_inches()
        for text, box in boxes(figure):
            assert 0 <= box.x0 and box.x1 <= width and 0 <= box.y0 and box.y1 <= height, text
    rows = sorted((box.y0, box.y1) for text, box in boxes(figure) if text in names(figure))
    assert all(below[1] <= above[0] for below, above in pairwise(rows))


def test_twelve_factors_fit():
    rows = pd.concat([table(4)[["code"]].add_suffix(str(i)) for i in range(12)] + [table(4)], axis=1)
    figure = draw(rows, 0.5)
    assert min(box.x0 for _, box in boxes(figure)) >= 0
    assert len(set(names(figure))) == 4


def test_dollars_are_no_mathematics(tmp_path):
    prices = table(2).assign(code=["$1-$5", r"$\frac$"]).rename(columns={"code": r"$\price$"})
    figure = draw(prices, 0.5, note=r"$\note$")
    assert names(figure) == [r"\$1-\$5", r"\$\frac\$"]
    save(figure, tmp_path / "plot.png")


@pytest.mark.parametrize("bins", [64, 150])
def test_up_to_150_bins_have_their_names_in_order(bins):
    assert names(draw(table(bins))) == list(table(bins)["code"])


def test_more_bins_are_sorted_and_some_named_with_their_rows():
    rows = table(400)
    figure = draw(rows)
    (points,) = (line for line in figure.axes[0].lines if len(line.get_xdata()) == 400)
    assert (np.diff(points.get_xdata()) >= 0).all()
    assert "400 bins by posterior" in figure.axes[0].get_ylabel()
    ranks = rows["posterior"].rank()
    assert len(names(figure)) == 60
    for place, name in zip(figure.axes[0].get_yticks(), names(figure), strict=True):
        row, code = name.split(": ")
        assert rows["code"][int(row) - 1] == code and ranks[int(row) - 1] == place + 1


def test_names_that_are_not_told_apart_get_their_row():
    long = "the same beginning of every name, {:03d}, and the same end of every name"
    assert [name.split(":")[0] for name in names(draw(table(3, long)))] == ["1", "2", "3"]
    assert names(draw(table(2).assign(code=["", "a\nb"]))) == ["(empty)", "a b"]


def test_the_note_is_on_its_own_lines():
    assert draw(table(5), note=NOTE).get_suptitle() == NOTE
    assert max(map(len, draw(table(5), note="word " * 60).get_suptitle().splitlines())) <= 85


def test_estimates_outside_are_seen_against_0_to_1():
    rows = table(5).assign(posterior=[-4, 0.5, 14, 2, 1], lower=-5.0, upper=15.0)
    axis = draw(rows, 0.4, method="moments").axes[0]
    assert axis.get_xlim()[0] < -5 and axis.get_xlim()[1] > 15
    (band,) = axis.patches
    assert (band.get_x(), band.get_width()) == (0, 1)
    assert "shaded: 0 to 1" in axis.get_xlabel()
    assert not draw(table(5), 0.4).axes[0].patches


def test_signs_that_no_font_has_are_said_once(tmp_path):
    with pytest.warns(UserWarning) as warned:
        save(draw(table(2, chr(0x10FFFE) + "{}")), tmp_path / "plot.png")
    assert ["a box stands for each" in str(warning.message) for warning in warned] == [True]


def test_a_control_character_is_named_as_it_is_typed():
    with pytest.warns(UserWarning) as warned:
        draw(table(2, "\x01{}"))
    (line,) = [str(warning.message) for warning in warned]
    assert line == r"plot: no font here has \x01: a box stands for each; write the names without them"
