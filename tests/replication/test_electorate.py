"""The electorate of 1984 and its simulated polls: margins, official results, clustering, relabelling."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replication.election1984.electorate import (
    electorate,
    income_shares,
    largest_remainders,
    national_margins,
    partition,
    state_sizes,
)
from replication.election1984.exit_poll import precinct_compositions, relabel, sample_voters, vote
from replication.election1984.raking import rake
from replication.election1984.reconstruction import reconstruct
from replication.election1984.vote_model import fit_surveys
from replication.election1984.voters import BINS, LEVELS
from replication.shared.yaml_files import read_yaml
from wsclust.seeds import generator

SETTINGS = read_yaml("config/config.yaml")["election1984"]
FACTS = [
    pd.read_csv(f"data/us1984/us1984_{name}.csv")
    for name in ("state_results", "state_demographics", "vote_by_cell_surveys")
]


@pytest.fixture(scope="module")
def people():
    return electorate(*FACTS, SETTINGS["electorate"])


def roles(draw):
    return lambda role: generator(1, "test", "electorate", run=draw, role=role)


def sample(people, clustering, draw=1):
    return sample_voters(
        people,
        SETTINGS["electorate"],
        SETTINGS["precinct_voters"],
        SETTINGS["clusterings"][clustering],
        roles(draw),
    )


def test_states_and_sizes_are_the_papers(people):
    assert len(people.states) == 42
    assert people.sizes.sum() == 8082
    assert np.median(people.sizes) == 129.5
    assert not {"DC", "WY", "AK", "VT"} & set(people.states)


def test_each_state_expects_its_official_result(people):
    expected = (people.composition * people.vote.reagan()).sum(axis=1)
    np.testing.assert_allclose(expected, people.official, atol=1e-6)


def test_without_state_effects_the_whole_electorate_expects_the_official_share(people):
    expected = people.sizes @ (people.composition * people.vote.reagan(0)).sum(axis=1)
    assert expected == pytest.approx(people.sizes @ people.official, abs=1e-6)


def test_population_meets_every_margin(people):
    population = people.sizes @ people.composition
    for part, target in national_margins(SETTINGS["electorate"]):
        np.testing.assert_allclose(population @ part, target, atol=1e-5)
    np.testing.assert_allclose(people.composition.sum(axis=1), 1, atol=1e-9)


def test_states_keep_their_order_in_race_and_union(people):
    facts = FACTS[1].set_index("state_po").loc[people.states]
    black = people.composition @ partition("race")[:, 0]
    none = people.composition @ partition("union")[:, 2]
    assert facts["pct_black"].corr(pd.Series(black, facts.index), method="spearman") > 0.95
    assert facts["union_density"].corr(pd.Series(none, facts.index), method="spearman") < -0.95


def test_vote_logit_is_the_one_that_statsmodels_fits():
    import statsmodels.api as sm

    beta = fit_surveys(FACTS[2])
    np.testing.assert_allclose(
        beta, [0.517, 0.287, 0.561, 0.702, 0.904, -0.914, -0.755, -2.561, -0.795, -0.198], atol=6e-4
    )
    cells = FACTS[2]
    rows = pd.concat([cells, cells])
    design = pd.DataFrame(
        {
            "intercept": 1.0,
            **{f"income {band}": rows["income"] == band for band in (2, 3, 4, 5)},
            **{f"union {level}": rows["union"] == level for level in ("self", "family")},
            **{f"race {level}": rows["race"] == level for level in ("black", "other")},
            "anes": np.repeat([0.0, 1.0], len(cells)),
        }
    ).astype(float)
    n = np.concatenate([cells["n_gss"], cells["n_anes"]])
    reagan = np.concatenate([cells["reagan_gss"], cells["reagan_anes"]])
    seen = n > 0
    fit = sm.GLM(
        np.column_stack([reagan, n - reagan])[seen], design[seen], family=sm.families.Binomial()
    ).fit()
    np.testing.assert_allclose(beta, fit.params, atol=1e-6)


@pytest.mark.parametrize("clustering", SETTINGS["clusterings"])
@pytest.mark.parametrize("draw", [1, 2, 3])
def test_every_draw_has_the_papers_margins_to_the_voter(people, clustering, draw):
    drawn = sample(people, clustering, draw)
    counts = np.bincount(drawn.bin, minlength=len(BINS))
    for part, target in national_margins(SETTINGS["electorate"]):
        np.testing.assert_array_equal(counts @ part, target)
    other = BINS["race"] == "other"
    assert counts[other & (BINS["union"] == "self")].sum() == 53
    assert counts[other & (BINS["union"] == "family")].sum() == 29
    np.testing.assert_array_equal(np.bincount(drawn.state), people.sizes)


def test_every_draw_of_the_reconstruction_has_the_papers_margins(people):
    for draw in range(1, SETTINGS["draws"] + 1):
        table = reconstruct(people, SETTINGS, draw, seed=20150601)
        voters = table["reagan"] + table["mondale"]
        for factor, levels in LEVELS.items():
            found = voters.groupby(table[factor]).sum()
            assert {level: found[level] for level in levels} == SETTINGS["electorate"]["margins"][factor]
        small = voters[table["race"] == "other"].groupby(table["union"]).sum()
        assert (small["self"], small["family"]) == (53, 29)


def test_a_draw_depends_on_its_number_alone(people):
    one = reconstruct(people, SETTINGS, 3, seed=1)
    pd.testing.assert_frame_equal(one, reconstruct(people, SETTINGS, 3, seed=1))
    assert not one.equals(reconstruct(people, SETTINGS, 4, seed=1))


def test_precincts_have_the_intraclass_correlation_asked_for(people):
    composition = np.tile(people.composition[people.states == "NY"], (4000, 1))
    icc = {"income": 0.05, "union": 0.2, "race": 0.5}
    drawn = precinct_compositions(composition, icc, np.random.default_rng(1))
    for factor, correlation in icc.items():
        shares, mean = drawn @ partition(factor), composition[0] @ partition(factor)
        np.testing.assert_allclose(shares.mean(axis=0), mean, atol=0.03)
        # Two voters of a precinct: the covariance of their indicators is the variance of the share.
        np.testing.assert_allclose(
            shares.var(axis=0) / (mean * (1 - mean)), correlation, rtol=0.15, atol=0.005
        )


def test_no_clustering_leaves_the_states_composition(people):
    icc = {"income": 0, "union": 0, "race": 0}
    drawn = precinct_compositions(people.composition, icc, np.random.default_rng(1))
    np.testing.assert_array_equal(drawn, people.composition)


def test_relabelling_moves_only_what_the_margins_ask(people):
    drawn = sample(people, "strong")
    likely = people.composition[drawn.state]
    same = relabel(drawn.bin, likely, SETTINGS["electorate"], np.random.default_rng(1))
    np.testing.assert_array_equal(same, drawn.bin)


def test_state_effect_moves_the_states_not_the_whole(people):
    drawn = sample(people, "none")
    shares = []
    for effect in (0, 1):
        reagan, mondale = vote(drawn, people, effect, roles(1)("votes"))
        shares.append(reagan.sum() / 8082)
        assert (reagan + mondale).sum() == 8082
    assert abs(shares[0] - shares[1]) < 0.02


@given(st.lists(st.floats(0.01, 1e6), min_size=1, max_size=30), st.integers(0, 5000))
def test_largest_remainders_sum_to_the_total_and_stay_within_one_of_the_quota(weights, total):
    weights = np.array(weights)
    whole = largest_remainders(weights, total)
    assert whole.sum() == total
    assert np.all(np.abs(whole - weights / weights.sum() * total) < 1 + 1e-6)


def test_income_shares_sum_to_one_and_halve_at_the_median():
    shares = income_shares(np.array([12500.0, 30000.0]), [12500, 25000, 35000, 50000], 0.956, 0.674)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert shares[0, 0] == pytest.approx(0.5)


def test_raking_keeps_the_seeds_odds_ratios():
    seed = np.array([[4.0, 1.0], [2.0, 3.0]])
    table = rake(seed, [(np.ones((2, 1)), np.array([[60.0], [40.0]])), (np.eye(2), np.array([30.0, 70.0]))])
    np.testing.assert_allclose(table.sum(axis=0), [30, 70])
    odds = table[0, 0] * table[1, 1] / table[0, 1] / table[1, 0]
    assert odds == pytest.approx(6)


def test_raking_to_contradictory_margins_is_refused():
    with pytest.raises(ValueError, match="contradict"):
        rake(np.ones((2, 2)), [(np.eye(2), np.array([1.0, 1.0])), (np.ones((2, 1)), np.ones((2, 1)) * 5)])


def test_no_power_of_the_votes_gives_the_median():
    with pytest.raises(ValueError, match="median of 500"):
        state_sizes(np.array([100.0, 200.0, 400.0]), 60, 500)


def test_margins_are_the_same_from_yaml_and_from_json():
    settings = SETTINGS["electorate"]
    from_json = national_margins(json.loads(json.dumps(settings)))
    for (_, margin), (_, again) in zip(national_margins(settings), from_json, strict=True):
        np.testing.assert_array_equal(margin, again)
