"""The study of real events: figures as measured elsewhere, skill and counts by hand, and a figure of every design."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from replication.shared.designs import read_definitions, read_design
from replication.shared.yaml_files import read_yaml
from replication.survey import study
from replication.survey.figure import LOOKS, draw, points_of
from replication.survey.study import judge
from replication.survey.summary import foresight, main, sets_of, verdict_counts, what_became
from wsclust.check import track_record
from wsclust.check.verdicts import AGAINST, PREDICTED, VERDICTS, verdict
from wsclust.estimators.direct import direct
from wsclust.evaluation import prediction_errors, with_unseen_bins
from wsclust.outcomes import KnownOutcomes

ROOT = Path(__file__).parents[2]
CONFIG = read_yaml(ROOT / "config" / "config.yaml")
SETTINGS = CONFIG["survey"]
METHODS = {name: CONFIG["methods"][name] for name in SETTINGS["methods"]}
DEFINITIONS = read_definitions(ROOT / "data/survey/designs.csv")

# What some designs gave in an independent calculation with other splits: skill and held-out label R2 of the latent
# fit, W_H infinite.
ELSEWHERE = {
    "flights_day_delay": (0.96, 0.77),
    "flights_carrier_delay": (0.48, -0.25),
    "flights_dest": (-7.4, -4.3),
    "rodents_genus": (0.94, 0.92),
    "rodents_species": (0.94, 0.34),
    "storms": (0.98, 0.77),
    "chem97_school": (0.93, 0.52),
    "star_read": (0.66, 0.59),
    "star_background": (-1.7, -0.68),
    "hsb82": (-0.71, 0.38),
    "insteval_lecturer": (-3.6, -0.22),
    "pets_name": (-4.4, -0.05),
    "mpls_stops": (0.44, 0.50),
    "bundesliga": (0.99, 0.76),
    "cces2016_race_income_college": (-3.7, 0.14),
    "cces2016_ideology_party": (0.84, 0.80),
    "movielens": (0.84, 0.27),
    "flchain_death": (-0.06, 0.57),
    "nass_belt": (-5.6, 0.6),
    "race_female": (-1.8, 0.69),
    "twoyear_ba": (-0.8, 0.68),
}


def committed(name, folder="survey"):
    return pd.read_csv(ROOT / "results" / folder / f"{name}.csv", keep_default_na=False, na_values=[""])


def skills():
    return committed("table").pivot(index="design", columns="method", values="skill")


def test_figures_are_as_elsewhere():
    found, latent = committed("designs").set_index("design"), skills()["latent"]
    for design, (expected_skill, expected_r2) in ELSEWHERE.items():
        assert found.loc[design, "label_r2"] == pytest.approx(expected_r2, rel=0.2, abs=0.15), design
        assert latent[design] == pytest.approx(expected_skill, rel=0.35, abs=0.07), design


def test_every_design_is_there_with_every_method():
    designs, table = committed("designs"), committed("table")
    assert list(designs["design"]) == list(DEFINITIONS)
    assert table.groupby("design").size().eq(1 + len(METHODS)).all()
    for row in designs.itertuples():
        counted = (row.groups, row.bins, row.events)
        defined = DEFINITIONS[row.design]
        assert counted == tuple(int(defined[name]) for name in ("n_groups", "n_bins", "events"))
        assert row.verdict == verdict(row.label_r2, row.shuffle_ratio, row.label_r2_implied)


def test_noisy_labels_are_studied_on_the_designs_of_the_survey():
    sets = CONFIG["noisy_labels"]["real_designs"]["sets"]
    for name, designs in sets.items():
        rebuilt = [design for design, row in DEFINITIONS.items() if row["set"] == name and row["package"]]
        assert sorted(designs) == sorted(rebuilt)


def test_the_kept_designs_are_those_of_the_survey():
    kept = committed("table", "survey_kept")
    everywhere = committed("table").set_index(["design", "method"])
    assert set(kept["design"]) == set(SETTINGS["kept"])
    for row in kept.itertuples():
        assert row.brier == pytest.approx(everywhere.loc[(row.design, row.method), "brier"], rel=1e-4)


def test_designs_that_no_oracle_predicts_are_apart():
    brier = committed("table").pivot(index="design", columns="method", values="brier")
    hopeless = brier.index[brier["oracle"] >= brier["null"]]
    assert set(hopeless) == {name for name, of_set in sets_of(DEFINITIONS).items() if of_set == "apart"}
    assert len(hopeless) > 0


def test_the_package_has_the_surveys_record():
    assert track_record.TABLE.read_text() == (ROOT / "results/survey/verdicts.csv").read_text()
    designs = what_became(committed("designs"), committed("table"))
    for (name, found), record in track_record.records().items():
        part = designs[(designs["set"] == name) & (designs["verdict"] == found)]
        assert (record.designs, record.above_mean) == (len(part), (part["skill_latent"] > 0).sum())
    assert {found for _, found in track_record.records()} == set(VERDICTS)


def test_labels_that_are_predicted_promise_little_on_the_second_set():
    """What the verdicts' words are there for: on the first set they never failed, on the second they did."""
    first, second = (track_record.record(name, PREDICTED) for name in ("first", "second"))
    assert first.above_mean == first.designs >= 10
    assert second.designs >= 10 and second.above_mean <= 0.75 * second.designs
    areas = committed("foresight").set_index(["set", "figure"])["auc"]
    assert areas["first", "label_r2"] > 0.85 > 0.75 > areas["second", "label_r2"]


def test_what_became_of_designs_by_hand():
    table = pd.DataFrame(
        [
            *(("a", "latent", 0.5), ("a", "direct", 0.2)),
            *(("b", "latent", 0.1), ("b", "direct", 0.2)),
            *(("c", "latent", -3.0), ("c", "direct", 0.0)),
        ],
        columns=["design", "method", "skill"],
    )
    designs = pd.DataFrame(
        {"design": list("abc"), "set": "second", "verdict": [PREDICTED, PREDICTED, AGAINST]}
    )
    figures = {
        "label_r2": [0.6, 0.9, 0.1],
        "label_r2_implied": [0.7, 0.8, 0.4],
        "shuffle_ratio": [2, np.nan, 1],
    }
    judged = what_became(designs.assign(groups=5, **figures), table)
    counts = verdict_counts(judged).set_index(["set", "verdict"])
    row = counts.loc[("second", PREDICTED)]
    assert (row["designs"], row["above_mean"], row["above_direct"]) == (2, 2, 1)
    assert row["skill_latent"] == pytest.approx(0.3) and counts.loc[("second", AGAINST), "skill_latent"] == -1
    assert counts.loc["first", "designs"].sum() == 0
    areas = foresight(judged).set_index(["set", "figure"])
    assert areas.loc[("second", "label_r2"), "auc"] == 1
    assert areas.loc[("second", "label_r2"), "auc_direct"] == 0.5
    assert areas.loc[("second", "shuffle_ratio"), "designs"] == 2
    assert areas.loc[("second", "groups"), "auc"] == 0.5


def test_skill_by_hand():
    rng = np.random.default_rng(1)
    positives, negatives = rng.integers(0, 20, (2, 12, 3)).astype(float)
    outcomes = KnownOutcomes(positives + 1, negatives)
    table = judge(outcomes, METHODS, 3, np.random.default_rng).set_index("method")
    brier = {"null": [], "direct": [], "oracle": []}
    for split in (1, 2, 3):
        training = np.zeros(12, dtype=bool)
        training[np.random.default_rng(split).choice(12, 6, replace=False)] = True
        train, test = outcomes.subset(training), outcomes.subset(~training)
        oracle = (1 + train.positives.sum(axis=0)) / (2 + train.grouped.totals)
        estimates = {
            "null": np.full(3, train.positive_share),
            "direct": with_unseen_bins(direct(train.grouped).posterior, train),
            "oracle": oracle,
        }
        for name, posterior in estimates.items():
            brier[name].append(prediction_errors(posterior, test)[1] ** 2)
    brier = {name: np.mean(values) for name, values in brier.items()}
    expected = (brier["null"] - brier["direct"]) / (brier["null"] - brier["oracle"])
    assert table.loc["direct", "brier"] == pytest.approx(brier["direct"], rel=1e-9)
    assert table.loc["direct", "skill"] == pytest.approx(expected, rel=1e-9)
    assert table.loc["null", "skill"] == 0 and table.loc["oracle", "skill"] == 1
    assert table.loc["oracle", "distance"] == 0 and table.loc["oracle", "correlation"] == pytest.approx(1)
    assert np.isnan(table.loc["null", "correlation"])


def test_labels_are_own_shares_off_the_edges():
    outcomes = read_design(ROOT / "data/survey/storms.csv").with_smoothed_labels()
    assert (outcomes.grouped.totals > 0).all()
    happy, events = outcomes.positives.sum(axis=1), outcomes.grouped.sizes
    np.testing.assert_allclose(outcomes.grouped.label, (happy + 0.5) / (events + 1))


def test_designs_with_negatives_or_totals():
    events = {"cces2016_ideology_party": 43_029, "movielens": 81_915}
    for name, expected in events.items():
        source = SETTINGS["tables"][name]
        outcomes = read_design(**{**source, "table": ROOT / source["table"]})
        assert outcomes.grouped.counts.sum() == expected
        assert list(outcomes.bins.columns) == DEFINITIONS[name]["factors"]


def test_a_table_with_other_factors_is_refused(tmp_path):
    file = tmp_path / "belts.csv"
    file.write_text("group,bin,positive,n\na,0|m,1,2\n")
    with pytest.raises(ValueError, match=r"belts\.csv: bin '0\|m' has 2 levels, expected 3: a, b, c"):
        read_design(file, ["a", "b", "c"])
    with pytest.raises(ValueError, match=r"belts\.csv: no column 'happy', but group, bin"):
        read_design(file, positive="happy")


@pytest.fixture
def storms(tmp_path):
    """The study's two tables of one design, as the workflow asks for them."""
    settings = {
        "design": "storms",
        "source": {"table": str(ROOT / "data/survey/storms.csv")},
        "factors": ["pressure"],
        "ordered": ["pressure"],
        "methods": METHODS,
        "splits": 2,
        "seed": 1,
    }
    (tmp_path / "storms.json").write_text(json.dumps(settings))
    paths = [tmp_path / "table.csv", tmp_path / "check.csv"]
    study.main(
        ["--settings", str(tmp_path / "storms.json"), "--table", str(paths[0]), "--check", str(paths[1])]
    )
    return paths


def test_the_commands_tables(storms, tmp_path):
    table = pd.read_csv(storms[0], keep_default_na=False)
    columns = "design method brier classification_error skill correlation distance"
    assert list(table.columns) == columns.split() and list(table["method"]) == ["null", *METHODS]
    check = pd.read_csv(storms[1])
    figures = "design groups bins events label_r2 label_r2_implied shuffle_ratio"
    assert list(check.columns) == figures.split()
    names = ("designs", "table", "verdicts", "foresight")
    outputs = [word for name in names for word in (f"--{name}", str(tmp_path / f"all_{name}.csv"))]
    inputs = ["--definitions", str(ROOT / "data/survey/designs.csv")]
    main([*inputs, "--errors", str(storms[0]), "--checks", str(storms[1]), *outputs])
    designs = pd.read_csv(tmp_path / "all_designs.csv")
    assert designs["verdict"].tolist() == [PREDICTED] and designs["licence"].tolist() == ["MIT"]
    counts = pd.read_csv(tmp_path / "all_verdicts.csv").set_index(["set", "verdict"])
    assert counts["designs"].sum() == counts.loc[("first", PREDICTED), "above_mean"] == 1


def test_the_additive_fit_knows_which_factors_are_ordered(storms):
    """On twelve classes of pressure a trend is closer to the oracle than twelve free levels are."""
    outcomes = read_design(ROOT / "data/survey/storms.csv", ["pressure"]).with_smoothed_labels()
    additive = {"additive": METHODS["additive"], "oracle": METHODS["oracle"]}
    free, trend = (
        judge(outcomes, study.with_order(additive, ordered), 2, np.random.default_rng).set_index("method")
        for ordered in ([], ["pressure"])
    )
    assert free.loc["additive", "brier"] != trend.loc["additive", "brier"]
    found = pd.read_csv(storms[0], keep_default_na=False).set_index("method")
    assert found.loc["additive", "distance"] == pytest.approx(trend.loc["additive", "distance"], rel=1e-4)


def test_the_figure_has_a_point_for_every_design_and_names_the_failures():
    designs, table = committed("designs"), committed("table")
    figure = draw(designs, table)
    points = points_of(designs, table)
    for axis, name in zip(figure.axes, ("second", "first"), strict=True):
        part = points[points["set"] == name]
        labels = {line.get_label(): len(line.get_xdata()) for line in axis.get_lines()}
        drawn = {verdict: labels[verdict] for verdict in LOOKS if verdict in labels}
        assert drawn == part["verdict"].value_counts().to_dict()
        words = " ".join(text.get_text() for text in axis.texts)
        failures = part[part["verdict"].str.contains("predicted") & ~part["verdict"].str.contains("hardly")]
        failures = failures[failures["skill"] < 0]
        assert len(failures) and all(design.replace("_", " ") in words for design in failures["design"])
