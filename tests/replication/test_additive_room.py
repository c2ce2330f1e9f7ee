"""The additive model on the paper's studies and real designs: what the tables say, by literal loops and by hand."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from replication.additive import boundary, clicks, designs, figure, survey, unseen
from replication.additive.election1984 import correlations, over_draws
from replication.additive.methods import with_order
from replication.motivation.world import Model
from replication.shared.yaml_files import read_yaml
from wsclust import GroupedCounts, additive, latent
from wsclust.outcomes import KnownOutcomes

METHODS = {
    "latent": {"estimator": "latent"},
    "additive": {"estimator": "additive"},
    "oracle": {"estimator": "oracle"},
}


@pytest.fixture
def source(tmp_path):
    """A design of 30 groups and 3 x 2 bins as a table, and its outcomes."""
    rng = np.random.default_rng(3)
    rate = expit(np.add.outer([-1.5, 0, 1.5], [-0.5, 0.5])).ravel()
    rows = []
    for group in range(30):
        mu = rng.normal()
        events = rng.multinomial(60, np.full(6, 1 / 6))
        happy = rng.binomial(events, expit(np.log(rate / (1 - rate)) + mu))
        rows += [
            {"group": f"g{group:02d}", "bin": f"{k // 2}|{k % 2}", "positive": happy[k], "n": events[k]}
            for k in range(6)
        ]
    path = tmp_path / "design.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    return {"table": path, "crossed": ["size", "colour"], "ordered": ["size"]}


def test_a_design_is_judged_by_every_method(source):
    table = designs.study({"mine": source}, METHODS, 3, lambda design: np.random.default_rng)
    assert table["method"].tolist() == ["null", "latent", "additive", "oracle", "additive_ordered"]
    assert (table["groups"].iloc[0], table["bins"].iloc[0]) == (30, 6)
    # The distance, from the table itself: labels (y + 1/2) / (n + 1), the oracle (1 + y_k) / (2 + n_k).
    frame = pd.read_csv(source["table"], dtype={"bin": str})
    wide = frame.pivot(index="group", columns="bin", values=["positive", "n"])
    happy, events = wide["positive"].to_numpy(float), wide["n"].to_numpy(float)
    label = (happy.sum(axis=1) + 0.5) / (events.sum(axis=1) + 1)
    oracle = (1 + happy.sum(axis=0)) / (2 + events.sum(axis=0))
    bins = pd.DataFrame({"size": list("001122"), "colour": list("010101")})
    data = GroupedCounts(events, label, bins=bins)
    by_method = table.set_index("method")["distance"]
    for method, fit in (("latent", latent(data)), ("additive", additive(data))):
        assert by_method[method] == pytest.approx(np.mean((fit.posterior - oracle) ** 2), rel=1e-6)
    ordered = additive(data, ordered=["size"]).posterior
    assert by_method["additive_ordered"] == pytest.approx(np.mean((ordered - oracle) ** 2), rel=1e-6)


def test_every_level_stays_where_bins_are_left_out():
    bins = pd.DataFrame({"a": list("001122"), "b": list("010101")})
    for seed in range(20):
        out = unseen.left_out(bins, 0.34, np.random.default_rng(seed))
        stay = bins.drop(index=out)
        assert len(out) == len(set(out)) == 2 and set(stay["a"]) == set("012") and set(stay["b"]) == set("01")
    diagonal = pd.DataFrame({"a": list("01"), "b": list("01")})
    assert unseen.left_out(diagonal, 0.5, np.random.default_rng(1)) is None


def test_bins_left_out_are_predicted_without_them(source):
    """Skill of one run, with the bins taken out of the table of counts by hand."""
    table = unseen.study({"mine": source}, METHODS, 0.3, 1, lambda design: np.random.default_rng)
    outcomes = designs.outcomes_of(source)
    data = outcomes.grouped
    out = sorted(unseen.left_out(data.bins, 0.3, np.random.default_rng(1)))
    stay = [k for k in range(6) if k not in out]
    part = GroupedCounts(data.counts[:, stay], data.label, bins=data.bins.iloc[stay].reset_index(drop=True))
    truth = outcomes.positives.sum(axis=0)[out] / data.totals[out]
    said = {"additive": additive(part).predict(data.bins.iloc[out]), "latent": latent(data).posterior[out]}
    mean = outcomes.positives.sum() / data.totals.sum()
    for method, posterior in said.items():
        worst = sum(data.totals[k] * (mean - t) ** 2 for k, t in zip(out, truth, strict=True))
        off = sum(data.totals[k] * (p - t) ** 2 for k, p, t in zip(out, posterior, truth, strict=True))
        found = table.set_index("method").loc[method, "skill"]
        assert found == pytest.approx(1 - off / worst, rel=1e-6)


def test_means_and_correlations_over_draws():
    votes = KnownOutcomes([[30, 9, 4], [5, 8, 20]], [[6, 12, 9], [20, 9, 7]])
    found = correlations(
        {"poll": {1: votes}}, {"direct": {"estimator": "direct"}, "oracle": {"estimator": "oracle"}}
    )
    share = np.array([43 / 70, 33 / 69])
    counts = np.array([[36, 21, 13], [25, 17, 27]])
    direct = (1 + share @ counts) / (2 + counts.sum(axis=0))
    oracle = (1 + np.array([35, 17, 24])) / (2 + counts.sum(axis=0))
    assert found["correlation"].tolist() == pytest.approx([np.corrcoef(direct, oracle)[0, 1]])
    rows = pd.DataFrame(
        {"pi": "poll", "draw": [1, 2], "method": "direct", "classification_error": [0.2, 0.4]}
        | {"rmse": 0.5, "distance": [0.01, 0.03], "correlation": 1.0}
    )
    row = over_draws(rows).iloc[0]
    assert (row["classification_error"], row["distance"], row["draws"]) == (pytest.approx(0.3), 0.02, 2)
    assert row["distance_sd"] == pytest.approx(0.02 / np.sqrt(2))


def test_clicks_are_judged_by_their_truth():
    world = read_yaml("config/config.yaml")["clicks"]
    table = clicks.study(world, METHODS, [40], 2, lambda groups, run: partial(_stream, run))
    errors = []
    for run in (1, 2):
        true, data = clicks.synthetic_clicks(
            {**world, "groups": 40}, "A", world["label_noise"], partial(_stream, run)
        )
        posterior = additive(data.cap(world["cap"]), deviation_sd=0).posterior
        errors.append(np.sqrt(np.mean((posterior - true.posterior) ** 2)))
    row = table.set_index("method").loc["main_effects"]
    assert row["rmse"] == pytest.approx(np.mean(errors)) and row["groups"] == 40
    assert row["rmse_se"] == pytest.approx(abs(errors[0] - errors[1]) / 2)


def _stream(run, role):
    return np.random.default_rng([run, len(role)])


def test_numbers_find_the_boundary_where_clicks_are_many():
    """With so many clicks that neither bins nor pseudo-events matter, the trend is the optimum's own slope."""
    model = Model((0.85, 0.5, 0.15), outcome_separation=1.5, behaviour_separation=1, tilt=20)
    data, points = boundary.binned(model.draw(np.random.default_rng(1), 20_000), model.shares, 10)
    line = boundary.line_of("additive", additive, data, points)
    np.testing.assert_allclose(line, model.boundary, atol=0.15)
    exact = boundary.judged(model.boundary, model, model.draw(np.random.default_rng(2), 50))
    assert exact == {"angle": 0, "steepness": pytest.approx(1), "rmse": 0}


def test_a_design_of_two_tables_is_drawn_once_and_with_its_order():
    kept = pd.DataFrame(
        {
            "design": "a",
            "set": "kept",
            "method": ["latent", "additive", "additive_ordered"],
            "distance": [3, 2, 1],
        }
    )
    survey = pd.DataFrame(
        {"design": ["a", "a", "b", "b", "c", "c"], "set": ["first"] * 4 + ["apart"] * 2}
        | {"method": ["latent", "additive"] * 3, "distance": [9, 9, 5, 4, 8, 7]}
    )
    found = figure.points([kept, survey], "distance")
    assert found.to_numpy().tolist() == [["a", "kept", 3, 1], ["b", "first", 5, 4]]


def test_an_order_is_the_additive_methods_alone():
    assert with_order(METHODS, []) == METHODS
    assert with_order(METHODS, ["age"])["additive_ordered"] == {"estimator": "additive", "ordered": ["age"]}


def test_the_survey_counts_designs_and_clusters_sources():
    """Differences of .2, -.1 and .005 of two sources, and one design of a single factor, which is left out."""
    skills = {"a": (0.5, 0.7), "b": (0.4, 0.3), "c": (-3, -0.995), "d": (0.1, 0.9)}
    table = pd.DataFrame(
        {"design": name, "set": "second", "method": method, "skill": skill}
        for name, pair in skills.items()
        for method, skill in zip(("latent", "additive"), pair, strict=True)
    )
    listed = pd.DataFrame(
        {
            "design": list("abcd"),
            "factors": ["x y", "x y z", "x y", "x"],
            "items": ["one", "two", "two", "one"],
        }
    )
    (row,) = survey.counts(table, listed).to_dict("records")
    assert (row["designs"], row["better"], row["worse"], row["sources"]) == (3, 2, 1, 2)
    differences = np.array([0.2, -0.1, 0.005])  # -3 is clipped to -1
    assert row["difference"] == pytest.approx(differences.mean())
    off = differences - differences.mean()
    assert row["difference_se"] == pytest.approx(np.sqrt(2 * (off[0] ** 2 + (off[1] + off[2]) ** 2)) / 3)
