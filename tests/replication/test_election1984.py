"""The analysis of 1984: tables of voters, Table 1, distances, the controls, the elections compared."""

import json

import numpy as np
import pandas as pd
import pytest

from replication.election1984 import figure5, half_splits
from replication.election1984 import figure_compared as draw_compared
from replication.election1984 import figure_why_it_works as draw_why
from replication.election1984.compared import agreement, compared, dispersion
from replication.election1984.electorate import electorate
from replication.election1984.half_splits import both_readings, distances
from replication.election1984.reconstruction import reconstruct
from replication.election1984.table1 import distance_table, draws_table, table1
from replication.election1984.voter_groups import voter_groups
from replication.election1984.voters import BINS, official_shares, outcomes_by_draw, table_of_voters
from replication.election1984.why_it_works import bin_weights, controls, grid, stretched
from replication.shared.yaml_files import read_yaml
from wsclust.estimators.latent import latent
from wsclust.estimators.oracle import oracle
from wsclust.outcomes import KnownOutcomes

CONFIG = read_yaml("config/config.yaml")
SETTINGS = CONFIG["election1984"]
FACTS = [
    pd.read_csv(f"data/us1984/us1984_{name}.csv")
    for name in ("state_results", "state_demographics", "vote_by_cell_surveys")
]
METHODS = {name: CONFIG["methods"][name] for name in SETTINGS["methods"]}
FAST = {name: CONFIG["methods"][name] for name in ("direct", "latent", "oracle")}


@pytest.fixture(scope="module")
def people():
    return electorate(*FACTS, SETTINGS["electorate"])


@pytest.fixture(scope="module")
def voters(people):
    return pd.concat(
        [reconstruct(people, SETTINGS, draw, seed=20150601).assign(draw=draw) for draw in (1, 2)]
    )


@pytest.fixture(scope="module")
def by_draw(voters):
    by_pi = half_splits.readings(voters, FACTS[0], "voters")
    table = both_readings(by_pi, METHODS, 3, lambda draw, split: np.random.default_rng([draw, split]))
    return table.assign(source="test")


def test_table_of_voters_round_trip(voters):
    outcomes = outcomes_by_draw(voters)[2]
    again = table_of_voters(outcomes.grouped.groups, outcomes.positives, outcomes.negatives)
    expected = voters[voters["draw"] == 2].drop(columns="draw")
    pd.testing.assert_frame_equal(again, expected, check_dtype=False)


def test_bins_stay_45_in_every_subset(voters):
    outcomes = outcomes_by_draw(voters)[1]
    few = outcomes.subset(np.arange(3))
    assert few.positives.shape == (3, 45)
    assert (few.grouped.totals == 0).any()
    assert latent(few.grouped, he_weight=np.inf).posterior.shape == (45,)


def test_official_labels_are_the_official_results(voters):
    outcomes = outcomes_by_draw(voters, official_shares(FACTS[0]))[1]
    place = list(outcomes.grouped.groups).index("MN")
    assert outcomes.grouped.label[place] == pytest.approx(1032603 / (1032603 + 1036364))


ROW = {"state": "OH", "income": 1, "union": "self", "race": "white", "reagan": 2, "mondale": 1}


@pytest.mark.parametrize(
    "change, message",
    [
        ({"income": 6}, "column 'income', row 2: '6' is not one of 1, 2, 3, 4, 5"),
        ({"union": "yes"}, "column 'union', row 2: 'yes' is not one of self, family, none"),
        ({"race": ""}, "column 'race', row 2: '' is not one of black, white, other"),
        ({"reagan": -1}, "column 'reagan', row 2: '-1' is no number of voters"),
        ({"mondale": 0.5}, "column 'mondale', row 2: '0.5' is no number of voters"),
        ({"mondale": "many"}, "column 'mondale', row 2: 'many' is no number of voters"),
        ({"state": ""}, "column 'state' is empty in row 2"),
        ({}, "row 2 repeats a cell"),
    ],
)
def test_bad_table_of_voters_is_refused_by_name(change, message):
    table = pd.DataFrame([ROW, {**ROW, **change}])
    with pytest.raises(ValueError, match=r"voters\.csv: ") as error:
        outcomes_by_draw(table, source="voters.csv")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_missing_column_and_empty_table_are_refused():
    with pytest.raises(ValueError, match="no column 'union'"):
        outcomes_by_draw(pd.DataFrame([ROW]).drop(columns="union"))
    with pytest.raises(ValueError, match="no rows"):
        outcomes_by_draw(pd.DataFrame([ROW]).iloc[:0])


def test_state_without_official_result_is_refused():
    with pytest.raises(ValueError, match=r"'Ohio' has no official result.*postal codes"):
        outcomes_by_draw(pd.DataFrame([{**ROW, "state": "Ohio"}]), official_shares(FACTS[0]))


def test_command_refuses_bad_voters_in_one_line(tmp_path, capsys):
    path = tmp_path / "voters.csv"
    pd.DataFrame([{**ROW, "income": 9}]).to_csv(path, index=False)
    command = [str(path), "--results", "data/us1984/us1984_state_results.csv", "--source", "x"]
    settings = {"methods": {"direct": {"estimator": "direct"}}, "draws": [1, 1], "splits": 2, "seed": 1}
    (tmp_path / "settings.json").write_text(json.dumps(settings))
    command += ["--settings", str(tmp_path / "settings.json")]
    with pytest.raises(SystemExit) as stop:
        half_splits.main([*command, "--output", str(tmp_path / "out.csv")])
    assert stop.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "out.csv").exists()


def test_tables_have_a_row_a_method_and_reading(by_draw):
    paper = SETTINGS["paper"]
    table = table1(by_draw, paper)
    assert list(table.columns) == [
        *["source", "pi", "method", "classification_error", "classification_error_sd_splits"],
        *["classification_error_sd_draws", "rmse", "rmse_sd_splits", "rmse_sd_draws"],
        *["paper_classification_error", "paper_rmse"],
    ]
    assert list(table["method"]) == 2 * ["null", *METHODS]
    assert list(table["pi"]) == 7 * ["poll"] + 7 * ["official"]
    shown = table[(table["method"] == "latent") & (table["pi"] == "poll")].iloc[0]
    assert (shown["paper_classification_error"], shown["paper_rmse"]) == (0.33, 0.46)
    drawn = by_draw[(by_draw["method"] == "latent") & (by_draw["pi"] == "poll")].set_index("draw")
    assert shown["rmse"] == drawn["rmse"][1]
    assert shown["rmse_sd_draws"] == pytest.approx(drawn["rmse"].std())
    assert "oracle" not in set(distance_table(by_draw, paper)["method"])
    assert len(draws_table(by_draw)) == 2 * 2 * 7


def test_what_sees_the_votes_does_not_depend_on_pi(by_draw):
    table = by_draw.set_index(["pi", "draw", "method"])[["classification_error", "rmse", "distance"]]
    for method in ("null", "oracle", "logistic_main", "logistic_saturated"):
        poll, official = (table.xs((pi, method), level=("pi", "method")) for pi in ("poll", "official"))
        pd.testing.assert_frame_equal(poll, official)
    assert not np.allclose(table.loc["poll", 1, "latent"], table.loc["official", 1, "latent"])


def test_saturated_logistic_is_the_oracle(by_draw):
    table = by_draw[by_draw["pi"] == "poll"].set_index(["draw", "method"])
    for draw in (1, 2):
        assert table["rmse"][draw, "logistic_saturated"] == pytest.approx(table["rmse"][draw, "oracle"])


def test_distance_is_the_mean_square_over_all_45_bins(voters):
    outcomes = outcomes_by_draw(voters)[1]
    found = distances(outcomes, FAST)
    by_hand = np.mean(
        (latent(outcomes.grouped, he_weight=np.inf).posterior - oracle(outcomes).posterior) ** 2
    )
    assert found["latent"] == pytest.approx(by_hand, rel=1e-6)
    assert found["oracle"] == 0


def test_oracle_beats_latent_beats_direct_on_the_polls_own_shares(by_draw):
    error = by_draw[by_draw["pi"] == "poll"].groupby("method")["classification_error"].mean()
    assert error["oracle"] < error["latent"] < error["direct"]


def test_voter_groups_have_45_bins_a_method_and_no_estimate_without_voters(voters):
    outcomes = outcomes_by_draw(voters)[1].subset(np.arange(4))
    table = voter_groups(outcomes, FAST, 5, lambda name: np.random.default_rng(1))
    assert len(table) == 3 * 45
    assert table.loc[table["voters"] == 0, "estimate"].isna().all()
    assert table.loc[table["voters"] > 0, "estimate"].between(0, 1).all()


def test_stretched_shares_keep_the_whole_and_the_order(people):
    for spread in (0.058, 0.2):
        share = stretched(people.official, people.sizes, spread)
        assert share.std(ddof=1) == pytest.approx(spread, abs=1e-6)
        assert people.sizes @ share == pytest.approx(people.sizes @ people.official)
        np.testing.assert_array_equal(np.argsort(share), np.argsort(people.official))


def test_first_spread_is_that_of_the_official_results(people):
    assert people.official.std(ddof=1) == pytest.approx(SETTINGS["why"]["spreads"][0], abs=5e-4)


def test_controls_have_the_electorates_margins(people):
    reagan, mondale = bin_weights(people)
    share = people.sizes @ people.official / people.sizes.sum()
    margin = people.sizes @ people.composition / people.sizes.sum()
    np.testing.assert_allclose(share * reagan + (1 - share) * mondale, margin, atol=1e-9)


def test_controls_come_nearer_to_the_oracle_with_more_voters(people):
    why = {**SETTINGS["why"], "draws": 6, "splits": 2}
    table = controls(people, why, FAST, 0.07, seed=20150601)
    for pi in ("poll", "official"):
        rows = table[(table["method"] == "latent") & (table["pi"] == pi)].sort_values("multiple")
        assert list(rows["multiple"]) == [1, 5, 25, 125]
        assert (np.diff(rows["distance"]) < 0).all()
        assert rows["distance"].iloc[-1] < 0.015


def test_grid_repeats_the_reconstruction(people, by_draw):
    settings = {**SETTINGS, "why": {**SETTINGS["why"], "draws": 2, "splits": 2, "state_effects": [1]}}
    table = grid(people, settings, FAST, SETTINGS["clustering"], seed=20150601)
    of_grid = table.set_index(["pi", "method"])["distance"]
    of_draws = by_draw.groupby(["pi", "method"])["distance"].mean()
    assert of_grid["poll", "latent"] == pytest.approx(of_draws["poll", "latent"])


def test_dispersion_is_one_where_the_states_are_alike():
    rng = np.random.default_rng(3)
    counts = rng.multinomial(200, np.full(10, 0.1), size=60)
    ratio, excess = dispersion(counts)
    assert ratio == pytest.approx(1, abs=0.15)
    assert abs(excess) < 0.02
    assert dispersion(counts.sum(axis=0) * np.ones((4, 1)))[0] == pytest.approx(0, abs=1e-12)


def test_figures_are_drawn_from_tables(voters, people, tmp_path):
    outcomes = outcomes_by_draw(voters)[1]
    groups = voter_groups(outcomes, FAST, 3, lambda name: np.random.default_rng(1))
    figure = figure5.draw(groups.assign(source="reconstruction"), small_group=60)
    assert "simulated" in figure.get_suptitle()
    assert r"\$poll\$" in figure5.draw(groups.assign(source="$poll$"), small_group=60).get_suptitle()
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert "union member × other: 53 voters" in texts
    assert "union member in family × other: 29 voters" in texts
    why = {**SETTINGS["why"], "draws": 2, "splits": 2, "multiples": [1, 5], "state_effects": [0, 1]}
    settings = {**SETTINGS, "why": why}
    table = pd.concat(
        [
            grid(people, settings, FAST, "none", seed=1),
            controls(people, why, FAST, 0.1, seed=1),
        ]
    )
    assert len(draw_why.draw(table, SETTINGS["paper"]).axes) == 4


def test_compared_figure_has_a_panel_an_election():
    counts = np.random.default_rng(1).integers(1, 9, (2, 3, 45))
    outcomes = KnownOutcomes(*counts, bins=BINS)
    estimates = agreement(outcomes, FAST, "one")
    errors = pd.DataFrame({"method": ["direct", "latent"], "classification_error": 0.4, "rmse": 0.5})
    table = compared(outcomes, errors, estimates, "one", "simulated")
    (axis,) = draw_compared.draw(table, estimates).axes
    positive, negative = dispersion(outcomes.positives)[0], dispersion(outcomes.negatives)[0]
    assert f"dispersion R {positive:.1f}, others {negative:.1f}" in axis.get_title(loc="left")
    assert axis.get_xlim()[0] < 0 and axis.get_ylim()[1] > 1
