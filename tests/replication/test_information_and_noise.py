"""The studies of what weak labels tell, and of noisy labels."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from replication.information import audits, equivalents, no_labels, ratings
from replication.information.figure import draw
from replication.noisy_labels import audits as noisy_audits
from replication.noisy_labels import audits_summary, implied
from replication.noisy_labels.summary import summarise
from replication.shared.designs import read_design
from wsclust.audit.audited import audited
from wsclust.audit.outcomes import AuditedOutcomes
from wsclust.audit.sampling import audit_sample
from wsclust.audit.words import RECORD_OF_NOISY, sentences
from wsclust.counts import GroupedCounts
from wsclust.estimators.additive import additive
from wsclust.label_noise import with_label_noise
from wsclust.planning.design import Design
from wsclust.planning.equivalents import FAIR, weak_per_labelled
from wsclust.planning.fisher import variances
from wsclust.planning.plan import plan
from wsclust.seeds import generator

ROOT = Path(__file__).parents[2]
FORMULA = pd.read_csv(ROOT / "results/information/formula.csv")


def within_a_tenth(table):
    """Whether the formula is within 10% of the SD of fits, up to twice its Monte Carlo error, (n,)."""
    return np.abs(table["ratio"] - 1) - 2 * table["ratio_se"] <= 0.1


def test_the_formula_is_within_a_tenth_of_the_sd_of_fits_to_exact_or_calibrated_labels():
    calibrated = (FORMULA["label_sd"] == 0) | (FORMULA["estimator"] == "calibrated")
    rows = FORMULA[(FORMULA["labelled_per_bin"] >= FAIR) & calibrated]
    assert len(rows) > 15
    assert within_a_tenth(rows).all()
    assert abs(rows["ratio"].mean() - 1) < 0.05


def test_equivalents_are_those_of_the_command_line(tmp_path, settings_option):
    output = tmp_path / "equivalents.csv"
    settings = settings_option(cases=[[0.05, 0.95, 1]], label_sds=[0, 0.5], groups=500, clicks=100, bins=15)
    equivalents.main([*settings, "--output", str(output)])
    table = pd.read_csv(output)
    assert table["weak_per_labelled"].round(1).tolist() == [7.7, 10.7]
    np.testing.assert_allclose(
        table["rule_of_thumb"], 1 / (table["intraclass_correlation"] * table["reliability"]), rtol=1e-5
    )


def test_kinds_that_are_known_are_exact_shares_of_two_kinds_and_many_clicks_show_the_kind():
    design = Design.from_curve(1, 20, 4, 0.25, 0.75)
    few, many = (
        no_labels.weak_clicks(replace(design, clicks=clicks), 20_000, np.random.default_rng(1))
        for clicks in (20, 2000)
    )
    # As exact shares that go evenly count.
    found = variances(replace(design, groups=500))
    assert few[0] == pytest.approx(weak_per_labelled(found.exact_shares, found), rel=0.05)
    assert few[1] > 2 * few[0]
    assert many[1] == pytest.approx(many[0], rel=0.02)


def test_scores_are_derivatives_of_the_mixtures_likelihood():
    rng = np.random.default_rng(2)
    counts, shares = rng.integers(0, 9, (5, 3)), np.array([0.3, 0.6])
    weights = np.array([0.5, 0.3, 0.2, 0.1, 0.2, 0.7])

    def log(weights):
        mixtures = (1 - shares[:, None]) * weights[:3] + shares[:, None] * weights[3:]
        return np.logaddexp(*(counts @ np.log(mixtures).T).T), mixtures

    of_kind = counts @ np.log(log(weights)[1]).T
    chances = np.exp(of_kind - np.logaddexp(*of_kind.T)[:, None])
    steps = [(log(weights + step)[0] - log(weights - step)[0]) / 2e-6 for step in 1e-6 * np.eye(6)]
    found = no_labels.scores(counts, shares, chances, weights[:3], weights[3:])
    np.testing.assert_allclose(found, np.transpose(steps), rtol=1e-6)


def test_ratings_and_audits_are_the_formula_beside_simulated_answers(tmp_path, settings_option):
    path = tmp_path / "table.csv"
    common = {"rho": [0.2, 0.8], "groups": [60], "runs": 4, "seed": 1}
    settings = settings_option(**common, bins=[4], clicks=30, rated=[20])
    ratings.main([*settings, "--output", str(path)])
    (row,) = pd.read_csv(path).itertuples()
    expected = plan(replace(Design.from_curve(60, 30, 4, 0.2, 0.8), rated=[20]))
    assert row.formula == pytest.approx(expected.standard_error.mean(), rel=1e-5)
    assert row.ratio == pytest.approx(row.simulated / row.formula, rel=1e-5) and 0.3 < row.ratio < 2
    settings = settings_option(**common, bins=4, clicks_per_group=[10], sizes=[500])
    audits.main([*settings, "--output", str(path)])
    (row,) = pd.read_csv(path).itertuples()
    expected = plan(Design.from_curve(60, 10, 4, 0.2, 0.8), audit=500)
    assert row.formula_audited == pytest.approx(np.sqrt(expected.audited).mean(), rel=1e-5)
    assert row.audited < row.weak and row.audited < 0.06  # nearly all is known


@pytest.mark.parametrize("noise", [0.0, 0.5, 1.0])
def test_moments_imply_the_error_of_labels_where_the_model_holds_and_not_where_groups_differ_otherwise(noise):
    rng = np.random.default_rng(3)
    quality = rng.standard_normal((2000, 1))
    share = expit(quality)
    label = expit(quality.ravel() + noise * rng.standard_normal(2000))
    sad, happy = np.array([0.4, 0.3, 0.2, 0.1]), np.array([0.1, 0.2, 0.3, 0.4])
    expected = (1 - share) * sad + share * happy
    assert implied.implied_error(rng.multinomial(60, expected), label) == pytest.approx(noise, abs=0.12)
    other = expected * np.exp(0.6 * rng.standard_normal((2000, 1)) * (happy - sad) / 0.3)
    other /= other.sum(axis=1, keepdims=True)
    assert implied.implied_error(rng.multinomial(60, other), label) > noise + 0.2


def test_a_table_of_implied_errors_has_real_and_simulated_rows(tmp_path, settings_option):
    rng = np.random.default_rng(4)
    cells = [
        (f"g{g}", k, p, p + int(rng.integers(1, 9)))
        for g in range(30)
        for k, p in enumerate(rng.integers(1, 9, 3))
    ]
    pd.DataFrame(cells, columns=["group", "bin", "positive", "n"]).to_csv(tmp_path / "shops.csv", index=False)
    output = tmp_path / "implied.csv"
    settings = settings_option(set="first", noises=[0, 1], simulated=2, groups=300, seed=1)
    implied.main([*settings, "--tables", str(tmp_path / "shops.csv"), "--output", str(output)])
    table = pd.read_csv(output)
    assert table["set"].tolist() == ["simulated", "simulated", "first"] * 2
    simulated = table[table["set"] == "simulated"]
    assert not simulated["disagrees"].any()
    np.testing.assert_allclose(simulated["implied"], simulated["noise"], atol=0.3)


def test_the_summary_clips_pairs_and_averages():
    skills = pd.DataFrame(
        {
            "design": ["a", "b", "a", "b"],
            "noise": "sd 1",
            "treatment": ["exact", "exact", "calibrated", "calibrated"],
            "skill": [0.5, -80.0, 0.9, 0.1],
        }
    )
    found = summarise(skills).set_index("treatment")
    assert found.at["exact", "skill"] == pytest.approx(-0.25)
    assert found.at["exact", "skill_se"] == pytest.approx(0.75)
    assert found.at["exact", "against_calibrated"] == pytest.approx(-0.75)
    assert found.at["exact", "against_se"] == pytest.approx(0.35)
    assert found.at["calibrated", "against_calibrated"] == 0


def known_events(path, of_group):
    """A table of 40 groups and four bins, where a function from a group's number gives its share of positives."""
    rng = np.random.default_rng(5)
    rows = []
    for group in range(40):
        for bin_, factor in {"0|f": 0.6, "0|m": 0.9, "1|f": 1.1, "1|m": 1.4}.items():
            n = int(rng.integers(10, 20))
            rows.append((f"g{group}", bin_, int(rng.binomial(n, factor * of_group(group))), n))
    pd.DataFrame(rows, columns=["group", "bin", "positive", "n"]).to_csv(path, index=False)
    return path


def test_an_audit_of_noisy_labels_is_that_of_the_rated_shares_with_and_without_their_noise(
    tmp_path, settings_option
):
    table = known_events(tmp_path / "shops.csv", lambda group: 0.1 + 0.015 * group)
    alike = known_events(tmp_path / "alike.csv", lambda _: 0.0)  # none is rated happy
    output = tmp_path / "audits.csv"
    settings = settings_option(rated=[4], size=60, samples=2, seed=1)
    noisy_audits.main([*settings, "--tables", str(table), str(alike), "--output", str(output)])
    found = pd.read_csv(output)
    rows, left_out = found[found["design"] == "shops"], found[found["design"] == "alike"]
    assert left_out["treatment"].isna().tolist() == [True] and left_out["rated"].tolist() == [4]

    outcomes = read_design(table)
    y, n = outcomes.positives, outcomes.positives + outcomes.negatives
    truth, share = y.sum(axis=0) / n.sum(axis=0), y.sum() / n.sum()

    def stream(role, sample):
        return generator(1, "noisy_labels", "audits shops 4", run=sample, role=role)

    label = stream("ratings", 0).binomial(4, y.sum(axis=1) / n.sum(axis=1)) / 4
    raw = GroupedCounts(n, label, outcomes.groups, outcomes.bins)
    noisy = with_label_noise(raw, rated=4)
    weak = additive(noisy.calibrated())
    for sample in range(2):
        rng = stream("audit", sample)
        taken = audit_sample(raw, 60, "bins", rng).counts
        happy = rng.hypergeometric(y.astype(int), (n - y).astype(int), taken)
        for treatment, data in {
            "as exact": raw,
            "calibrated": noisy,
            "exact shares": outcomes.grouped,
        }.items():
            fit = audited(data, AuditedOutcomes(happy, taken - happy), weak)
            (row,) = rows[(rows["sample"] == sample) & (rows["treatment"] == treatment)].itertuples()
            off, at_worst = n.sum(axis=0) @ (fit.posterior - truth) ** 2, n.sum(axis=0) @ (share - truth) ** 2
            assert row.skill == pytest.approx(1 - off / at_worst, rel=1e-5)
            off = n.sum(axis=0) @ (weak.posterior - truth) ** 2
            assert row.weak_skill == pytest.approx(1 - off / at_worst, rel=1e-5)
            lower, upper = fit.interval(0.95)
            assert row.coverage_95 == np.mean((lower <= truth) & (truth <= upper))
            assert (row.alarm, row.verdict) == (fit.mismatch.alarm, fit.verdict.word)
    assert len(rows) == 6 and rows["skill"].nunique() == 6


def test_the_summary_of_audits_of_noisy_labels_averages_over_audits_and_then_designs(tmp_path):
    def row(design, sample, treatment, skill, coverage, alarm, verdict, weak_skill):
        return {
            "design": design,
            "rated": 5,
            "sample": sample,
            "treatment": treatment,
            "skill": skill,
            "coverage_95": coverage,
            "alarm": alarm,
            "probability": 0.5,
            "verdict": verdict,
            "weak_skill": weak_skill,
        }

    undecided, better, misleading = "undecided", "better than the mean", "misleading here"
    audits = [
        row("storms", 0, "as exact", 0.2, 0.8, True, undecided, 0.1),
        row("storms", 1, "as exact", -7, 0.6, True, misleading, -0.1),
        row("movies_drama", 0, "as exact", 0.4, 1, False, better, -0.1),
        row("storms", 0, "calibrated", 0.6, 1, False, better, 0.1),
        row("storms", 1, "calibrated", 0.8, 0.9, False, undecided, 0.1),
        row("movies_drama", 0, "calibrated", 0.5, 1, True, misleading, 0.1),
        {"design": "happiness", "rated": 5},
        row("bfi_item", 0, "as exact", 0.9, 1, True, better, 0.1),
    ]
    parts = [tmp_path / name for name in ("a.csv", "b.csv")]
    pd.DataFrame(audits[:3]).to_csv(parts[0], index=False)
    pd.DataFrame(audits[3:]).to_csv(parts[1], index=False)
    arguments = ["--definitions", str(ROOT / "data/survey/designs.csv"), "--audits", *map(str, parts)]
    audits_summary.main([*arguments, "--output", str(tmp_path / "summary.csv")])
    found = pd.read_csv(tmp_path / "summary.csv")
    assert found["set"].tolist() == ["apart", "first", "first"]
    exact, calibrated = found[1:].to_dict("records")
    expected = {"designs": 2, "left_out": 1, "skill": 0, "skill_se": 0.4, "gain": 0, "gain_se": 0}
    expected |= {"coverage_95": 0.85, "alarms": 2 / 3, "decided": 2 / 3, "wrong": 0.5}
    assert {key: exact[key] for key in expected} == pytest.approx(expected, rel=1e-5)
    expected = {"designs": 2, "left_out": 1, "skill": 0.6, "skill_se": 0.1, "gain": 0.6, "gain_se": 0.5}
    expected |= {"coverage_95": 0.975, "alarms": 1 / 3, "decided": 2 / 3, "wrong": 0.5}
    assert {key: calibrated[key] for key in expected} == pytest.approx(expected, rel=1e-5)


def test_what_an_audit_says_of_noisy_labels_is_what_was_measured():
    table = pd.read_csv(ROOT / "results/noisy_labels/audits.csv")
    wrong = table.query("treatment == 'calibrated' and rated == 5 and set != 'apart'")["wrong"]
    assert len(wrong) == 2
    assert f"5 rated events it was wrong in at most {np.ceil(100 * wrong.max()):.0f}%" in RECORD_OF_NOISY
    data = GroupedCounts([[50, 50], [30, 70], [70, 30]], label=[0.5, 0.4, 0.6])
    outcomes = AuditedOutcomes([[9, 1], [9, 2], [9, 1]], [[1, 9], [1, 8], [1, 9]])
    said = [
        RECORD_OF_NOISY in "".join(sentences(audited(labels, outcomes, weak=[1.0, -1.0])))
        for labels in (data, with_label_noise(data, 0.3))
    ]
    assert said == [False, True]


def test_the_figure_has_a_point_for_each_design_and_fit():
    figure = draw(FORMULA)
    exact = (FORMULA["label_sd"] == 0).sum()
    for axis, estimator in zip(figure.axes, ("calibrated", "told"), strict=True):
        points = sum(len(container.lines[0].get_xdata()) for container in axis.containers)
        noisy = ((FORMULA["estimator"] == estimator) & (FORMULA["label_sd"] > 0)).sum()
        assert points == exact + noisy
