"""wsclust fit --effects additive: trends, bins that no event fell in, and effects, against Python and pandas."""

import json
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from wsclust import GroupedCounts, additive
from wsclust.cli import main
from wsclust.commands import unseen_bins as unseen_module

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

SIZES = ["small", "medium", "large"]


@pytest.fixture(scope="module")
def world():
    """Events of 80 groups by city, size and basket, in which no large order comes from Hull, and labels."""
    rng = np.random.default_rng(5)
    quality = rng.normal(size=80)
    parts, labels = [], []
    for group, mu in enumerate(quality):
        happy = rng.random(50) < expit(mu)
        city = np.where(rng.random(50) < 0.3 + 0.4 * happy, "York", rng.choice(["Leeds", "Hull"], 50))
        size = rng.choice(SIZES, 50)
        size[(city == "Hull") & (size == "large")] = "small"
        basket = np.exp(rng.normal(3 + 0.6 * happy, 0.8)).round(2)
        parts.append(pd.DataFrame({"group": f"g{group}", "city": city, "size": size, "basket": basket}))
        labels.append({"group": f"g{group}", "label": (happy.sum() + 0.5) / 51})
    return pd.concat(parts, ignore_index=True), pd.DataFrame(labels)


@pytest.fixture
def run(tmp_path, world):
    """Runs wsclust fit on the world: a function of factors and options to the exit code; its files are in tmp_path."""
    events, labels = world
    events.to_csv(tmp_path / "events.csv", index=False)
    labels.to_csv(tmp_path / "labels.csv", index=False)

    def fit(factors, *options, events="events.csv"):
        return main(
            ["fit", str(tmp_path / events), "--labels", str(tmp_path / "labels.csv"), "--factors", factors]
            + ["--output", str(tmp_path / "posterior.csv"), "--summary", str(tmp_path / "fit.json")]
            + ["--half-samples", "0", "--no-check", *map(str, options)]
        )

    return fit


def table(path, *factors):
    return pd.read_csv(path, dtype=dict.fromkeys(factors, str), keep_default_na=False, na_values=[""])


def test_numbers_are_cut_and_their_means_make_a_trend(tmp_path, run, world):
    """Cuts, means, posteriors, bins never seen and effects: once more by pandas and the Python package."""
    effects = tmp_path / "effects.csv"
    assert run("city,size", "--effects", "additive", "--numeric", "basket", "--effects-output", effects) == 0
    found = table(tmp_path / "posterior.csv", "city", "size", "basket")
    told = json.loads((tmp_path / "fit.json").read_text())
    edges, ends = told["cut"]["basket"], told["settings"]["numeric"]["basket"]
    events, labels = world
    parts = pd.cut(events["basket"], [-np.inf, *edges, np.inf])
    assert len(edges) == 7 and parts.value_counts().min() > 0.8 * len(events) / 8
    text = [f"<= {edges[0]:g}", *(f"({low:g}, {high:g}]" for low, high in pairwise(edges))]
    named = parts.cat.rename_categories([*text, f"> {edges[-1]:g}"]).astype(str)
    cut = events.assign(basket=named, number=events["basket"])
    means = cut.groupby(["city", "size", "basket"])["number"].mean()
    data = GroupedCounts.from_events(cut, labels, ["city", "size", "basket"])
    expected = additive(data, numeric={"basket": means[pd.MultiIndex.from_frame(data.bins)].to_numpy()})
    assert ends == pytest.approx({"values": len(data.bins), "least": means.min(), "most": means.max()})
    seen = found[found["n"] > 0]
    pd.testing.assert_frame_equal(seen[list(data.bins)].reset_index(drop=True), data.bins, check_dtype=False)
    np.testing.assert_allclose(seen["posterior"], expected.posterior, atol=1e-9)
    unseen = found[found["n"] == 0]
    possible = {
        (city, size, basket) for city in ("Hull", "Leeds", "York") for size in SIZES for basket in set(named)
    }
    assert set(map(tuple, unseen[list(data.bins)].to_numpy())) == possible - set(means.index)
    assert {"Hull"} == set(unseen["city"]) and unseen[["se", "lower", "upper"]].isna().all(axis=None)
    np.testing.assert_allclose(unseen["posterior"], expected.predict(unseen), atol=1e-9)
    written = table(effects, "level")
    by_hand = expected.effects()
    np.testing.assert_allclose(written[["log_odds", "se"]], by_hand[["log_odds", "se"]], atol=1e-7)
    assert written["level"].tolist()[-8:] == [*text, f"> {edges[-1]:g}"]


def test_rows_count_as_often_as_count_says(tmp_path, run, world):
    """A file with a row per distinct event gives the means, and so the fit, of one with a row per event."""
    options = ("--effects", "additive", "--cut", "basket:10,20,50", "--numeric", "basket")
    few = world[0].assign(basket=world[0]["basket"].round(0)).assign(n=1)
    few.to_csv(tmp_path / "rounded.csv", index=False)
    few.groupby(["group", "city", "basket"])["n"].sum().reset_index().to_csv(tmp_path / "n.csv", index=False)
    assert run("city", *options, "--count", "n", events="rounded.csv") == 0
    expected = table(tmp_path / "posterior.csv", "city", "basket")
    assert run("city", *options, "--count", "n", events="n.csv") == 0
    found = table(tmp_path / "posterior.csv", "city", "basket")
    pd.testing.assert_frame_equal(found, expected, atol=1e-9)


@pytest.mark.parametrize(
    ("factor", "options", "levels"),
    [
        ("size", ("--order", "size=small,medium,large"), SIZES),
        ("basket", ("--cut", "basket:9,30,70"), ["<= 9", "(9, 30]", "(30, 70]", "> 70"]),
    ],
)
def test_a_trend_follows_the_levels_in_their_order(tmp_path, run, factor, options, levels):
    """With no room about the line, effects are equally far apart in the order given, or that of the ranges."""
    effects = tmp_path / "effects.csv"
    no_room = ("--ordered-sd", "1e-4", "--deviation-sd", "0", "--effects-output", effects)
    assert run("city," + factor, "--effects", "additive", "--ordered", factor, *options, *no_room) == 0
    of_factor = table(effects, "level").query("factor == @factor")
    assert of_factor["level"].tolist() == levels
    steps = np.diff(of_factor["log_odds"])
    assert np.abs(steps).min() > 0.01
    np.testing.assert_allclose(steps, steps.mean(), atol=1e-4)


def test_a_trend_follows_the_order_that_a_file_carries(tmp_path, run, world):
    ordered = world[0].assign(size=pd.Categorical(world[0]["size"], SIZES, ordered=True))
    ordered.to_parquet(tmp_path / "events.parquet", index=False)
    effects = tmp_path / "effects.csv"
    options = ("--effects", "additive", "--ordered", "size", "--effects-output", effects)
    assert run("city,size", *options, events="events.parquet") == 0
    assert table(effects, "level").query("factor == 'size'")["level"].tolist() == SIZES
    carried = table(tmp_path / "posterior.csv", "city", "size").sort_values(
        ["city", "size"], ignore_index=True
    )
    assert run("city,size", *options, "--order", f"size={','.join(SIZES)}") == 0
    given = table(tmp_path / "posterior.csv", "city", "size").sort_values(["city", "size"], ignore_index=True)
    np.testing.assert_allclose(carried["posterior"], given["posterior"], atol=1e-9)


@pytest.mark.parametrize(
    ("factor", "options", "lost"),
    [
        ("size", (), "'large', 'medium', 'small' are"),
        ("basket", ("--cut", "basket:9,30", "--missing", "not known"), "'not known' is"),
        ("basket", ("--cut", "basket:9,30", "--missing", "-1"), "'-1' is"),
    ],
)
def test_a_level_without_a_place_is_not_put_at_the_end_of_a_trend(
    tmp_path, run, world, capsys, factor, options, lost
):
    """Sorted as text, it would be pulled to the largest level, and the others away from where they are."""
    events = world[0].assign(basket=world[0]["basket"].where(world[0].index % 7 > 0))
    events.to_csv(tmp_path / "holes.csv", index=False)
    trend = ("--effects", "additive", "--ordered", factor, *options)
    assert run(f"city,{factor}", *trend, events="holes.csv") == 2
    assert f"--ordered {factor}: nothing says where {lost} in the order; give" in capsys.readouterr().err
    assert not (tmp_path / "posterior.csv").exists()
    levels = f'{options[-1]},<= 9,"(9, 30]",> 30' if options else ",".join(SIZES)
    assert run(f"city,{factor}", *trend, "--order", f"{factor}={levels}", events="holes.csv") == 0


def test_events_in_unseen_bins_are_scored_and_unseen_levels_counted(tmp_path, run, capsys):
    assert run("city,size", "--method", "additive") == 0
    fitted = table(tmp_path / "posterior.csv", "city", "size").set_index(["city", "size"])
    new = pd.DataFrame({"city": ["Hull", "York", "Bath"], "size": ["large", "small", "small"]})
    new.to_csv(tmp_path / "new.csv", index=False)
    files = [tmp_path / name for name in ("new.csv", "posterior.csv", "scored.csv")]
    assert main(["score", str(files[0]), "--posterior", str(files[1]), "--output", str(files[2])]) == 0
    scored = pd.read_csv(files[2])["posterior"]
    assert fitted.loc[("Hull", "large"), "n"] == 0 and 0 < scored[0] < 1
    assert scored[0] == pytest.approx(fitted.loc[("Hull", "large"), "posterior"])
    assert scored[1] == pytest.approx(fitted.loc[("York", "small"), "posterior"]) and np.isnan(scored[2])
    assert "1 of 3 events are in a bin without a posterior" in capsys.readouterr().err


def test_bins_of_the_papers_model_are_those_that_occur(tmp_path, run):
    assert run("city,size", "--effects", "bins") == 0
    found = table(tmp_path / "posterior.csv", "city", "size")
    assert len(found) == 8 and found["n"].min() > 0
    assert json.loads((tmp_path / "fit.json").read_text())["method"] == "latent"


def test_more_unseen_bins_than_a_table_should_have(tmp_path, run, monkeypatch, capsys):
    monkeypatch.setattr(unseen_module, "MOST_ROWS", 0)
    assert run("city,size", "--effects", "additive") == 0
    assert len(table(tmp_path / "posterior.csv", "city", "size")) == 8
    assert "1 combinations of levels were never seen together" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--effects", "additive", "--method", "direct"), "it stands for --method additive, and --method direct"),
        (("--ordered", "size"), "--ordered: it is for effects of levels; add --effects additive"),
        (("--numeric", "basket", "--effects", "bins"), "--numeric: it is for effects of levels"),
        (("--effects-output", "e.csv"), "--effects-output: it is for effects of levels"),
        (("--effects", "additive", "--effects-output", "e.txt"), "expected a name that ends in .csv"),
        (("--effects", "additive", "--ordered", "colour"), "ordered: no factor 'colour'; there are city, size"),
        (("--effects", "additive", "--numeric", "city"), "in column 'city'; expected a number"),
        (
            ("--effects", "additive", "--numeric", "basket", "--ordered", "basket"),
            "factor 'basket' is ordered and numeric",
        ),
    ],
)  # fmt: skip
def test_what_is_refused(run, capsys, options, message):
    assert run("city,size", *options) == 2
    said = capsys.readouterr().err
    assert message in said and said.count("\n") == 1


def test_empty_values_have_no_place_on_a_trend(tmp_path, run, world, capsys):
    events = world[0].copy()
    events.loc[::7, "basket"] = np.nan
    events.to_csv(tmp_path / "empty.csv", index=False)
    options = ("--effects", "additive", "--numeric", "basket", "--missing", "unknown")
    assert run("city", *options, events="empty.csv") == 2
    assert "column 'basket' has no number in level 'unknown'" in capsys.readouterr().err


@pytest.mark.parametrize("large", [1e300, 1.7e308])
def test_numbers_too_large_for_a_trend_are_refused(tmp_path, run, world, capsys, large):
    events = world[0].copy()
    events["basket"] = np.linspace(large / 10, large, len(events))
    events.to_csv(tmp_path / "large.csv", index=False)
    assert run("city", "--effects", "additive", "--numeric", "basket", events="large.csv") == 2
    said = capsys.readouterr().err
    assert "large.csv: column 'basket' has numbers too large for a trend in level '<= " in said
    assert said.count("\n") == 1 and "in a larger unit" in said
    events["basket"] = np.linspace(1e140, 1e145, len(events))
    events.to_csv(tmp_path / "large.csv", index=False)
    assert run("city", "--effects", "additive", "--numeric", "basket", events="large.csv") == 0
    found = pd.read_csv(tmp_path / "posterior.csv")["posterior"]
    events["basket"] /= 1e140
    events.to_csv(tmp_path / "units.csv", index=False)
    assert run("city", "--effects", "additive", "--numeric", "basket", events="units.csv") == 0
    np.testing.assert_allclose(found, pd.read_csv(tmp_path / "posterior.csv")["posterior"], atol=1e-6)
