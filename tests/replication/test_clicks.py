"""The synthetic clicks of section 6.2: their truth, their sizes, what is concluded from them, the cap."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from replication.clicks import cap as click_cap
from replication.clicks import panels as click_panels
from replication.clicks import study as clicks
from replication.clicks.world import (
    click_bins,
    click_truth,
    draw_clicks,
    mean_quality,
    smallest_size,
)
from replication.shared.yaml_files import read_yaml
from wsclust.counts import GroupedCounts
from wsclust.estimators.direct import direct
from wsclust.estimators.moments import moments
from wsclust.seeds import generator

CONFIG = read_yaml(Path(__file__).parents[2] / "config" / "config.yaml")
SETTINGS = CONFIG["clicks"]
TRUTH = SETTINGS["truth"]
METHODS = {name: CONFIG["methods"][name] for name in SETTINGS["methods"]}
SMALL = SETTINGS | {
    "groups": 400,
    "half_samples": 20,
    "without_cap": {"label_noise": [0.5], "replicates": 3},
    "methods": METHODS,
    "seed": 7,
}


def draw(seed=1, group_class="A", groups=400, noise=0.3, tail=1.1, smallest=30):
    return draw_clicks(
        click_truth(TRUTH, group_class),
        click_bins(TRUTH),
        groups,
        tail,
        smallest,
        noise,
        lambda role: generator(seed, "test", group_class, role=role),
    )


# --- the truth


def test_the_bins_are_the_papers_thirty():
    bins = click_bins(TRUTH)
    assert len(bins) == 30
    assert not bins.duplicated().any()
    assert [bins[factor].nunique() for factor in ("level", "shape", "colour")] == [5, 3, 2]


@pytest.mark.parametrize("group_class", clicks.CLASSES)
def test_the_truth_says_what_the_paper_found(group_class):
    frame = click_bins(TRUTH).assign(rho=click_truth(TRUTH, group_class).posterior)
    assert frame["rho"].between(0.05, 0.95).all()
    by_level = frame.pivot(index="level", columns=["shape", "colour"], values="rho").diff().iloc[1:]
    assert (by_level > 0).all(axis=None)
    assert (by_level.diff().iloc[1:] < 0).all(axis=None)
    by_colour = frame.pivot(index=["level", "shape"], columns="colour", values="rho")
    assert (by_colour["red"] > by_colour["blue"]).all()
    by_shape = frame.pivot(index=["level", "colour"], columns="shape", values="rho")
    assert (by_shape["circle"] > by_shape[["square", "triangle"]].max(axis=1)).all()


def test_class_a_is_above_class_b_for_circles_only():
    a, b = (click_truth(TRUTH, group_class).posterior for group_class in clicks.CLASSES)
    circle = (click_bins(TRUTH)["shape"] == "circle").to_numpy()
    assert (a[circle] > b[circle] + 0.1).all()
    np.testing.assert_array_equal(a[~circle], b[~circle])


@pytest.mark.parametrize("group_class", clicks.CLASSES)
def test_bayes_rule_gives_the_truth_back(group_class):
    true = click_truth(TRUTH, group_class)
    share = true.frequency @ true.posterior
    np.testing.assert_allclose(
        share * true.happy / (share * true.happy + (1 - share) * true.sad), true.posterior, rtol=1e-12
    )


def test_effects_that_leave_the_unit_interval_are_refused():
    with pytest.raises(ValueError, match=r"class A, level 2, shape circle, colour red: .* add up to 1\.08"):
        click_truth(TRUTH | {"base": 0.5}, "A")


def test_levels_need_a_frequency_each():
    frequency = TRUTH["frequency"] | {"level": [0.5, 0.3, 0.2]}
    with pytest.raises(ValueError, match="5 effects of levels but 3 frequencies"):
        click_truth(TRUTH | {"frequency": frequency}, "A")


# --- the draws


@pytest.mark.parametrize("share", [0.05, 0.379, 0.5, 0.9])
def test_mean_quality_gives_the_share(share):
    node = np.linspace(-10, 10, 20001)
    density = np.exp(-(node**2) / 2)
    assert (density @ expit(mean_quality(share) + node)) / density.sum() == pytest.approx(share, abs=1e-9)


@pytest.mark.parametrize("tail", [0.8, 1.0, 1.1, 2.5])
def test_capped_sizes_have_the_mean_asked_for(tail):
    smallest = smallest_size(tail, 500, 100)
    uniform = (np.arange(1_000_000) + 0.5) / 1_000_000
    assert np.minimum(smallest * uniform ** (-1 / tail), 500).mean() == pytest.approx(100, rel=1e-4)


def test_a_mean_above_the_cap_is_refused():
    with pytest.raises(ValueError, match="between 0 and the cap, 500"):
        smallest_size(1.1, 500, 500)


def test_sizes_are_unequal_and_do_not_depend_on_quality():
    data = draw(groups=5000, noise=0)
    assert data.sizes.max() > 100 * np.median(data.sizes)
    order = data.sizes.argsort().argsort()
    assert abs(np.corrcoef(order, data.label)[0, 1]) < 4 / np.sqrt(5000)


def test_the_share_of_happy_clicks_is_the_truths():
    true = click_truth(TRUTH, "A")
    data = draw(groups=20_000, noise=0)
    assert data.label.mean() == pytest.approx(true.frequency @ true.posterior, abs=4 * 0.21 / np.sqrt(20_000))


def test_bins_occur_as_often_as_they_should():
    data = draw(groups=20_000).cap(50)
    frequency = click_truth(TRUTH, "A").frequency
    np.testing.assert_allclose(data.totals / data.totals.sum(), frequency, rtol=0.05)


def test_the_noise_changes_the_labels_alone():
    quiet, noisy = draw(noise=0.1), draw(noise=1.5)
    np.testing.assert_array_equal(quiet.counts, noisy.counts)
    assert not np.allclose(quiet.label, noisy.label)


def test_the_draw_is_a_fixed_one():
    data = draw(groups=5)
    again = draw(groups=5)
    np.testing.assert_array_equal(data.counts, again.counts)
    assert not np.array_equal(data.counts, draw(seed=2, groups=5).counts)


# --- what is concluded


def test_contrasts_of_the_truth_are_its_effects():
    weights = clicks.contrasts_of(click_bins(TRUTH))
    rho = click_truth(TRUTH, "A").posterior
    found = {name: weight @ rho for name, weight in weights.items()}
    assert found["level"] == pytest.approx(0.38)
    assert found["diminishing_returns"] == pytest.approx(0.16 - 0.04)
    assert found["colour"] == pytest.approx(0.15)
    assert found["circle"] == pytest.approx(0.27 - 0.015)
    for name in ("level", "diminishing_returns", "colour", "circle"):
        assert weights[name].sum() == pytest.approx(0, abs=1e-15)


def test_insights_across_classes_add_variances():
    rows = [
        (insight, group_class, "direct", 0.3 * (group_class == "A"), se, 0.2 * (group_class == "A"))
        for insight in clicks.contrasts_of(click_bins(TRUTH))
        for group_class, se in (("A", 0.03), ("B", 0.04))
    ]
    columns = ["insight", "class", "method", "estimate", "se", "truth"]
    table = clicks.insights_of(pd.DataFrame(rows, columns=columns)).set_index(["insight", "class"])
    assert set(table.index.get_level_values("class")) == {"A", "B", "A-B"}
    across = table.loc[("class_of_circle", "A-B")]
    assert across["se"] == pytest.approx(0.05)
    assert across["z"] == pytest.approx(6)
    assert across["deviation"] == pytest.approx(2)


@pytest.fixture(scope="module")
def tables():
    return clicks.run_clicks(SMALL)


def test_tables_hold_every_bin_and_insight(tables):
    assert len(tables["posteriors"]) == 2 * 3 * 30
    assert len(tables["insights"]) == (2 * 4 + 4) * 3
    assert not any(table.isna().any(axis=None) for table in tables.values())
    assert (tables["posteriors"]["se"] > 0).all()


def test_methods_differ_as_in_the_paper(tables):
    ranges = tables["ranges"].set_index(["class", "method"])
    for group_class in clicks.CLASSES:
        share, se = ranges.loc[group_class]["share_of_range"], ranges.loc[group_class]["mean_se"]
        assert share["direct"] < 0.25
        assert share["latent_wh10"] > 0.7
        assert share["moments"] > 1.5
        assert se["moments"] > 3 * se["latent_wh10"]
    direct_rows = tables["insights"].query("method == 'direct' and truth != 0")
    assert (np.sign(direct_rows["estimate"]) == np.sign(direct_rows["truth"])).all()


def test_posteriors_are_the_estimators_on_capped_clicks(tables):
    smallest = smallest_size(SMALL["tail"], SMALL["cap"], SMALL["effective_clicks"])
    data = draw_clicks(
        click_truth(TRUTH, "B"),
        click_bins(TRUTH),
        SMALL["groups"],
        SMALL["tail"],
        smallest,
        SMALL["label_noise"],
        lambda role: generator(7, "clicks", "B", role=role),
    ).cap(SMALL["cap"])
    rows = tables["posteriors"].query("`class` == 'B' and method == 'direct'")
    np.testing.assert_array_equal(rows["posterior"], direct(data).posterior)
    np.testing.assert_allclose(rows["n"], data.totals)


# --- the cap


def test_moments_do_not_see_the_cap():
    data = draw()
    np.testing.assert_allclose(moments(data).posterior, moments(data.cap(20)).posterior, atol=1e-9)


def test_effect_of_the_cap_is_the_difference_of_the_errors():
    table = click_cap.cap_table({**SMALL, "seed": 3})
    assert set(table["method"]) == {"latent_wh10", "direct"}
    assert table["replicates"].eq(3).all()
    wide = table.pivot(index=["class", "method"], columns="capped", values="mean_absolute_error")
    effect = table[table["capped"]].set_index(["class", "method"])["effect_of_cap"]
    np.testing.assert_allclose(effect.loc[wide.index], wide[True] - wide[False], atol=1e-15)
    assert table[~table["capped"]]["effect_of_cap"].isna().all()


# --- command lines and figures


def test_command_line_writes_the_tables(tmp_path, tables):
    names = list(tables)
    paths = [part for name in names for part in (f"--{name}", str(tmp_path / f"{name}.csv"))]
    settings = tmp_path / "clicks.json"
    settings.write_text(json.dumps(SMALL))
    clicks.main(["--settings", str(settings), *paths])
    for name in names:
        written = pd.read_csv(tmp_path / f"{name}.csv")
        pd.testing.assert_frame_equal(
            written, tables[name].reset_index(drop=True), rtol=1e-5, check_dtype=False
        )


def test_figure_7_has_the_range_of_figure_6(tables):
    low, high = click_panels.vertical_range(tables["posteriors"], "latent_wh10")
    for method in ("latent_wh10", "direct"):
        for axis in click_panels.draw(tables["posteriors"], method).axes:
            assert axis.get_ylim() == (low, high)


def test_figure_7_shows_the_truth_beside_what_the_direct_estimate_leaves_of_it(tables):
    rows = tables["posteriors"].query("method == 'direct'")
    axis = click_panels.draw(tables["posteriors"], "direct", show_truth=True).axes[0]
    drawn = [line.get_ydata() for line in axis.lines if line.get_linestyle() == ":"]
    (first,) = rows["class"].unique()[:1]
    assert np.sort(np.concatenate(drawn)) == pytest.approx(np.sort(rows.loc[rows["class"] == first, "truth"]))


def test_figure_8_marks_the_limits_of_figure_6(tables):
    dashed = [
        line.get_ydata()[0]
        for line in click_panels.draw(tables["posteriors"], "moments", own_range=True).axes[0].lines
        if line.get_linestyle() == "--"
    ]
    assert dashed == [*click_panels.vertical_range(tables["posteriors"], "latent_wh10")]


def test_figures_say_that_the_clicks_are_synthetic(tables):
    for axis in click_panels.draw(tables["posteriors"], "direct").axes:
        assert "synthetic" in axis.get_title(loc="left")


def test_a_figure_without_its_method_names_it(tables):
    rows = tables["posteriors"].query("method != 'direct'")
    with pytest.raises(ValueError, match="no rows of method 'direct'"):
        click_panels.draw(rows, "direct")


def test_cap_keeps_the_shares_within_a_group():
    capped = GroupedCounts([[900, 100], [3, 1]], label=[0.5, 0.2]).cap(500)
    np.testing.assert_allclose(capped.counts, [[450, 50], [3, 1]])
