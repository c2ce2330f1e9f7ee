"""The study of what an audit buys, on small tables."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from replication.audit import figure
from replication.audit import study as audits
from replication.audit import summary as summaries
from replication.audit.methods import Audit, alone, full, shares, slope
from replication.audit.summary import by_design, summary
from replication.shared.foresight import area_under_curve
from wsclust.audit import audited
from wsclust.audit.outcomes import AuditedOutcomes
from wsclust.audit.words import RECORD
from wsclust.estimators.latent import latent

ROOT = Path(__file__).parents[2]


@pytest.fixture
def table(tmp_path):
    """Two factors, 30 groups whose share follows their composition, as the weak answer needs it."""
    rng = np.random.default_rng(1)
    rows = []
    for group in range(30):
        happy = expit(rng.normal(0, 1.5))
        for bin_, seen in {
            "0|f": (0.1, 0.4),
            "0|m": (0.2, 0.3),
            "1|f": (0.3, 0.2),
            "1|m": (0.4, 0.1),
        }.items():
            positive = rng.poisson(200 * happy * seen[0])
            negative = rng.poisson(200 * (1 - happy) * seen[1])
            rows.append((f"g{group}", bin_, positive, positive + negative))
    path = tmp_path / "table.csv"
    pd.DataFrame(rows, columns=["group", "bin", "positive", "n"]).to_csv(path, index=False)
    return path


def test_a_design_keeps_its_counts_and_splits_its_bins(table):
    outcomes, frame = audits.read_design(table), pd.read_csv(table)
    assert outcomes.positives.sum() == frame["positive"].sum()
    assert outcomes.grouped.totals.sum() == frame["n"].sum()
    assert outcomes.bins.to_numpy().tolist() == [["0", "f"], ["0", "m"], ["1", "f"], ["1", "m"]]
    one = frame[(frame["group"] == "g3") & (frame["bin"] == "1|f")]
    i = outcomes.grouped.groups.tolist().index("g3")
    assert outcomes.positives[i, 2] == one["positive"].item()


def test_the_audited_answers_are_nearer_to_the_truth_than_the_audit_alone(table):
    outcomes = audits.read_design(table)
    weak = latent(audits.off_zero_and_one(outcomes), he_weight=np.inf)
    found = audits.study(
        outcomes, (), weak, [40], 12, "bins", list(audits.METHODS), lambda size, k: np.random.default_rng(k)
    )
    assert len(found) == 12 * 4
    mean = found.groupby("method")["skill"].mean()
    assert mean["full"] > mean["shares"] > mean["alone"]
    assert mean["full"] > 0.8
    audited_rows = found[found["method"].isin(["full", "shares"])]
    assert audited_rows["coverage_90"].mean() > 0.8 and audited_rows["worth"].min() > 0
    assert (found.loc[found["method"] == "full", "verdict"] != "misleading here").all()


def test_sizes_beyond_the_events_are_left_out(table):
    outcomes = audits.read_design(table)
    weak = latent(audits.off_zero_and_one(outcomes), he_weight=np.inf)
    found = audits.study(
        outcomes, (), weak, [10, 10**6], 1, "groups", ["slope"], lambda size, k: np.random.default_rng(k)
    )
    assert found["size"].tolist() == [10]


def test_every_method_is_the_oracle_or_its_model_once_all_is_looked_up(table):
    outcomes = audits.read_design(table)
    data = outcomes.grouped
    truth = outcomes.positives.sum(axis=0) / data.totals
    weak = latent(audits.off_zero_and_one(outcomes), he_weight=np.inf)
    everything = Audit(data, AuditedOutcomes(outcomes.positives, outcomes.negatives), weak)
    assert full(everything).posterior == pytest.approx(truth, abs=0.01)
    assert shares(everything).posterior == pytest.approx(truth, abs=0.01)
    # Main effects and one slope do not hold every truth, but this one nearly.
    assert alone(everything) == pytest.approx(truth, abs=0.05)
    assert slope(everything) == pytest.approx(truth, abs=0.08)


def test_the_command_writes_the_rows_of_a_design(table, tmp_path, settings_option):
    output = tmp_path / "audits.csv"
    settings = settings_option(
        design="made",
        ordered=[0],
        weak="latent",
        answers=["full"],
        sizes=[30],
        samples=2,
        sampling=["bins"],
        seed=1,
    )
    options = [*settings, "--table", str(table), "--output", str(output)]
    audits.main(options)
    first = output.read_bytes()
    found = pd.read_csv(output)
    assert found["design"].tolist() == ["made", "made"] and found["skill"].notna().all()
    audits.main(options)
    assert output.read_bytes() == first


def test_a_summary_clips_averages_and_counts():
    rows = pd.DataFrame(
        {
            "set": "first",
            "sampling": "bins",
            "method": "full",
            "size": 100,
            "design": ["a", "a", "b", "b"],
            "skill": [0.5, 0.9, -3.0, 0.6],
            "coverage_90": [1, 0.8, 0.6, 0.4],
            "coverage_95": 1.0,
            "level": [0.1, 4.0, 0.0, np.nan],
            "agreement": [0.1, 0.0, -1.0, np.nan],
            "verdict": ["better than the mean", "undecided", "misleading here", "misleading here"],
            "probability": [0.99, 0.5, 0.01, 0.02],
            "weak_skill": [0.4, 0.2, -2.0, 0.1],
        }
    )
    found = summary(rows).iloc[0]
    assert found["designs"] == 2 and found["below_mean"] == 1
    assert found["skill"] == pytest.approx((0.7 - 0.2) / 2)
    assert found["coverage_90"] == pytest.approx(0.7)
    assert found["alarms"] == pytest.approx(1 / 3)
    assert (found["decided"], found["wrong"]) == (pytest.approx(0.75), pytest.approx(1 / 3))
    assert found["auc"] == pytest.approx(1.0)


def test_the_words_of_a_verdict_have_the_record_of_the_committed_results():
    table = pd.read_csv(Path(__file__).parents[2] / "results/audit/summary.csv")
    wrong = table[(table["set"] == "second") & (table["method"] == "full")].set_index("size")["wrong"]
    many = wrong[wrong.index >= 50]
    assert f"at most {np.ceil(100 * wrong.max()):.0f}% of the audits" in RECORD
    assert f"at most {np.ceil(100 * many.max()):.0f}% with 50 events or more" in RECORD
    assert table.loc[table["set"] == "second", "designs"].max() == 40 and "On 40 real designs" in RECORD


def test_area_under_the_curve_of_one_kind_is_not_a_number():
    assert np.isnan(area_under_curve(np.array([0.1, 0.2]), np.array([True, True])))


def test_the_command_puts_sets_and_designs_into_two_tables_that_the_figure_draws(table, tmp_path):
    outcomes = audits.read_design(table)
    weak = latent(audits.off_zero_and_one(outcomes), he_weight=np.inf)
    rows = audits.study(
        outcomes, (), weak, [20, 40], 2, "bins", ["alone", "full"], lambda size, k: np.random.default_rng(k)
    )
    for name in ("one", "two"):
        rows.assign(design=name).to_csv(tmp_path / f"{name}.csv", index=False)
    sets = pd.DataFrame({"design": ["one", "two"], "set": ["first", "second"], "apart": ["", "yes"]})
    sets.to_csv(tmp_path / "sets.csv", index=False)
    files = [str(tmp_path / name) for name in ("one.csv", "two.csv")]
    outputs = ["--summary", str(tmp_path / "s.csv"), "--by-design", str(tmp_path / "d.csv")]
    summaries.main(["--designs", str(tmp_path / "sets.csv"), "--audits", *files, *outputs])
    found, designs = pd.read_csv(tmp_path / "s.csv"), pd.read_csv(tmp_path / "d.csv")
    assert sorted(found["set"].unique()) == ["apart", "first"]
    assert len(designs) == 2 * 2 * 2
    full_rows = rows[(rows["method"] == "full") & (rows["size"] == 20)]
    assert by_design(rows.assign(design="a", set="b"))["skill"].iloc[2] == pytest.approx(
        full_rows["skill"].mean()
    )
    figure.main(["--summary", str(tmp_path / "s.csv"), "--output", str(tmp_path / "audit.png")])
    assert (tmp_path / "audit.png").stat().st_size > 5000


def in_text(values, form="{:.2f}"):
    """Numbers as the docstring has them: .57, .65 and .72."""
    words = [form.format(value).removeprefix("0") for value in values]
    return f"{', '.join(words[:-1])} and {words[-1]}"


def test_what_is_said_of_real_designs_is_what_the_table_has():
    found = pd.read_csv(ROOT / "results/audit/summary.csv")
    full_rows = found[(found["set"] == "second") & (found["method"] == "full")]
    by_bins = full_rows[full_rows["sampling"] == "bins"].sort_values("size")
    (designs,) = full_rows["designs"].unique()
    said = " ".join(audited.__doc__.split())
    assert f"On {designs} real designs that chose nothing" in said
    assert in_text(by_bins["skill"]) in said and in_text(by_bins["size"], "{:.0f}") in said
    held = [set((100 * by_bins[name]).round()) for name in ("coverage_90", "coverage_95")]
    assert held == [{97}, {99}] and "90 and 95% intervals held 97 and 99% of the bins' rates" in said
    assert f"at most {100 * by_bins['wrong'].max():.1f}% of the audits" in said
    worst = [np.ceil(100 * rows["wrong"].max()) for rows in (full_rows, full_rows[full_rows["size"] >= 50])]
    assert RECORD.startswith(f"On {designs} real designs on which no choice was made")
    assert f"at most {worst[0]:.0f}% of the audits" in RECORD and f"at most {worst[1]:.0f}% with 50" in RECORD
    first = found[(found["set"] == "first") & (found["method"] == "full")]
    assert first["alarms"].max() < 0.05  # "seldom false"
