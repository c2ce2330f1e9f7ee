"""wsclust plan: the same figures as the formulas, from options, a file or a pilot; one line an error."""

import json
import re
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from wsclust import Design, latent, plan, with_label_noise
from wsclust.cli import main
from wsclust.counts import GroupedCounts
from wsclust.planning.simulate import drawn, latent_fit, simulate
from wsclust.seeds import generator

BY_HAND = ["--groups", "500", "--clicks", "100", "--label-sd", ".5"]


def run(*arguments):
    return main(["plan", *map(str, arguments)])


def test_the_six_sentences(capsys):
    assert run(*BY_HAND, "--mu-sd", 1, "--bins", 15, "--rho", ".05", ".95") == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert printed.out.splitlines() == plan(Design.from_curve(500, 100, label_sd=0.5)).summary().splitlines()
    assert "exact shares 0.0192 (0.0221); these labels 0.0224 (0.0243)" in printed.out
    assert "0.02 needs 630 groups; 0.01 needs 2,518 groups" in printed.out


def test_a_plan_without_simulation_takes_milliseconds():
    design = Design.from_curve(500, 100, label_sd=0.5)
    plan(design)
    seconds = []
    for _ in range(5):
        began = time.process_time()
        plan(design)
        seconds.append(time.process_time() - began)
    assert min(seconds) < 0.05


def test_table_summary_and_picture(tmp_path, capsys):
    output, summary, plot = (tmp_path / name for name in ("plan.csv", "plan.json", "plan.png"))
    assert run(*BY_HAND, "--se-wanted", ".03", "--output", output, "--summary", summary, "--plot", plot) == 0
    design = Design.from_curve(500, 100, label_sd=0.5)
    planned = plan(design, [0.03])
    pd.testing.assert_frame_equal(pd.read_csv(output), planned.to_frame(), rtol=1e-14)
    found = json.loads(summary.read_text())
    assert found["groups_needed"] == {"0.03": planned.needed[0.03]}
    assert found["standard_error"]["these_labels"] == pytest.approx(planned.standard_error.mean(), rel=1e-14)
    assert found["simulated"] is None and found["caution"] is None
    assert plot.read_bytes()[:4] == b"\x89PNG"


def test_too_few_clicks_are_simulated_without_being_asked(tmp_path, capsys):
    summary, output = tmp_path / "plan.json", tmp_path / "plan.csv"
    few = ["--groups", 40, "--clicks", 5, "--bins", 4, "--label-sd", 1, "--summary", summary, "--seed", 3]
    assert run(*few, "--output", output) == 0
    assert "simulated, 50 data sets fitted: standard error of a bin" in capsys.readouterr().out
    design = Design.from_curve(40, 5, 4, label_sd=1)
    expected = simulate(design, 50, generator(3, "plan"), lambda data: latent_fit(data, 1))
    found = json.loads(summary.read_text())
    assert found["labelled_per_bin"] < 15 and found["caution"]
    assert found["simulated"]["bias"] == pytest.approx(np.abs(expected.bias).mean())
    np.testing.assert_allclose(pd.read_csv(output)["simulated_sd"], expected.sd)
    assert run(*few, "--simulate", 0) == 0
    assert json.loads(summary.read_text())["simulated"] is None
    assert run(*few, "--simulate", 2) == 0
    assert json.loads(summary.read_text())["simulated"]["runs"] == 2


def test_the_fit_that_is_simulated_is_that_of_calibrated_labels():
    data = drawn(Design.from_curve(40, 30, 4, label_sd=1), np.random.default_rng(1))
    expected = latent(with_label_noise(data, 1), he_weight=np.inf).posterior
    np.testing.assert_array_equal(latent_fit(data, 1).posterior, expected)


def test_weights_of_a_file_in_any_unit(tmp_path, capsys):
    table = pd.DataFrame({"bin": list("abc"), "w0": [60, 30, 10], "w1": [0.1, 0.3, 0.6]})
    table.to_csv(tmp_path / "weights.csv", index=False)
    summary = tmp_path / "plan.json"
    path = tmp_path / "weights.csv"
    assert run("--groups", 200, "--clicks", 50, "--weights", path, "--share", ".3", "--summary", summary) == 0
    found = json.loads(summary.read_text())
    assert found["share"] == pytest.approx(0.3)
    expected = plan(Design.from_weights(200, 50, [0.6, 0.3, 0.1], [0.1, 0.3, 0.6], 0.3))
    assert found["standard_error"]["exact_shares"] == pytest.approx(expected.standard_error.mean())


@pytest.fixture
def pilot(tmp_path):
    data = drawn(Design.from_curve(80, 50, 4, label_sd=0.4), np.random.default_rng(7))
    group, bins = np.nonzero(data.counts)
    events = pd.DataFrame({"shop": group, "bin": bins, "n": data.counts[group, bins].astype(int)})
    events.to_csv(tmp_path / "events.csv", index=False)
    pd.DataFrame({"shop": np.arange(80), "good": data.label}).to_csv(tmp_path / "labels.csv", index=False)
    columns = ["--factors", "bin", "--group", "shop", "--label", "good", "--count", "n"]
    return data, ["--like", tmp_path / "events.csv", "--labels", tmp_path / "labels.csv", *columns]


def test_more_data_like_those_of_a_pilot(tmp_path, pilot, capsys):
    data, options = pilot
    summary = tmp_path / "plan.json"
    assert run(*options, "--label-sd", ".4", "--groups", 300, "--summary", summary) == 0
    found = json.loads(summary.read_text())
    assert (found["groups"], found["clicks_per_group"], found["bins"]) == (300, 50, 4)
    assert found["share_sd"] == pytest.approx(0.208, abs=0.05)
    design = Design.from_fit(data, latent(with_label_noise(data, 0.4)), 0.4).with_groups(300)
    assert found["standard_error"]["these_labels"] == pytest.approx(plan(design).standard_error.mean())


@pytest.mark.parametrize("read", ["--like", "--labels"])
def test_a_file_of_a_pilot_in_a_folder_is_not_written_over(tmp_path, pilot, capsys, read):
    _, options = pilot
    folder, at = tmp_path / "log", options.index(read) + 1
    folder.mkdir()
    file = options[at].rename(folder / "a.csv")
    before = file.read_bytes()
    for where in (folder, folder / "*.csv"):
        options[at] = where
        assert run(*options, "--simulate", 0, "--output", file) == 2
        assert f"{file}: --output would overwrite what is read" in capsys.readouterr().err
    assert file.read_bytes() == before


@pytest.fixture
def rated_pilot(tmp_path):
    """A pilot of 80 groups, 5 rated events in the first 40 and 30 in the others, whose labels are percentages."""
    design = Design.from_curve(80, 50, 4, low=0.2, high=0.8)
    data = drawn(replace(design, rated=np.repeat([5, 30], 40)), np.random.default_rng(8))
    group, bins = np.nonzero(data.counts)
    width = np.where(bins < 2, bins * 10 + 5, bins * 10.5).astype(object)
    width[(group == 0) & (bins == 0)] = ""
    events = pd.DataFrame({"shop": group, "width": width, "n": data.counts[group, bins].astype(int)})
    events.to_csv(tmp_path / "events.csv", index=False)
    labels = {"name": np.arange(80), "good": 100 * data.label, "rated": data.noise.rated.astype(int)}
    pd.DataFrame(labels).to_csv(tmp_path / "labels.csv", index=False)
    columns = [
        "--factors",
        "width",
        "--group",
        "shop",
        "--label-group",
        "name",
        "--label",
        "good",
        "--percent",
    ]
    columns += ["--count", "n", "--cut", "width:10,20,30", "--missing", "unknown", "--label-n", "rated"]
    return data, ["--like", tmp_path / "events.csv", "--labels", tmp_path / "labels.csv", *columns]


def test_a_pilots_ratings_give_the_noise_of_the_labels_to_come(tmp_path, rated_pilot, capsys):
    data, options = rated_pilot
    summary, plot = tmp_path / "plan.json", tmp_path / "plan.svg"
    assert run(*options, "--groups", 300, "--simulate", 2, "--summary", summary, "--plot", plot) == 0
    found = json.loads(summary.read_text())
    assert (found["groups"], found["bins"], found["label_n"]) == (300, 5, 17.5)  # one bin is "unknown"
    design = Design.from_fit(data, latent(data)).with_groups(300)
    np.testing.assert_array_equal(np.unique(design.rated, return_counts=True), [[5, 30], [40, 40]])
    assert found["share_sd"] == pytest.approx(design.share_sd, rel=1e-12)
    assert found["reliability"] == pytest.approx(design.reliability, rel=1e-12)
    assert found["simulated"]["runs"] == 2
    # A label of 5 ratings tells less than the average one, one of 30 more.
    worse, better = (plan(replace(design, rated=[r])).standard_error.mean() for r in (5, 30))
    assert worse > plan(design).standard_error.mean() > better
    assert "5 to 30 rated events" in plot.read_text()


def test_ratings_of_a_plan_by_hand(tmp_path, capsys):
    summary = tmp_path / "plan.json"
    assert run("--groups", 500, "--clicks", 100, "--label-n", 20, "--summary", summary) == 0
    found = json.loads(summary.read_text())
    expected = plan(replace(Design.from_curve(500, 100), rated=[20]))
    assert found["standard_error"]["these_labels"] == pytest.approx(expected.standard_error.mean())
    assert "these labels" in capsys.readouterr().out


def test_what_an_audit_adds_is_said_in_words_table_and_summary(tmp_path, capsys):
    output, summary = tmp_path / "plan.csv", tmp_path / "plan.json"
    assert run(*BY_HAND, "--audit", 400, "--output", output, "--summary", summary) == 0
    planned = plan(Design.from_curve(500, 100, label_sd=0.5), audit=400)
    found = json.loads(summary.read_text())["audit"]
    table = pd.read_csv(output)
    assert found["events"] == 400
    assert found["standard_error"] == pytest.approx(table["se_audited"].mean())
    assert found["worth_more_groups"] == pytest.approx(
        500 * ((table["se"].mean() / table["se_audited"].mean()) ** 2 - 1)
    )
    assert (
        f"an audit of 400 events beside the labels: {found['standard_error']:.4f}" in capsys.readouterr().out
    )
    assert run(*BY_HAND, "--audit", 0, "--output", output, "--summary", summary) == 0
    assert json.loads(summary.read_text())["audit"] is None and "audit" not in capsys.readouterr().out
    assert "se_audited" not in pd.read_csv(output) and planned.audited is not None


def test_an_audit_that_is_not_asked_for_is_of_all_events_where_they_are_few(capsys):
    few = ["--groups", 10, "--events", 5, "--bins", 2, "--simulate", 0]
    assert run(*few) == 0
    printed = capsys.readouterr().out
    assert "an audit of 50 events beside the labels" in printed
    assert run(*few, "--audit", 50) == 0
    assert capsys.readouterr().out == printed


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--groups", 50, "--clicks", 5, "--audit", -1], "--audit -1: expected a number of events, 0"),
        (["--groups", 50, "--clicks", 5, "--label-n", "rated"], "--label-n rated: expected a whole number"),
        (["--groups", 50, "--clicks", 5, "--label-n", 1], "--label-n 1: expected 2 rated events"),
        (
            ["--groups", 50, "--clicks", 5, "--label-n", 5, "--label-sd", 1],
            "--label-sd 1: no use with --label-n",
        ),
        (["--groups", 50, "--clicks", 5, "--percent"], "--percent: no use with a design without"),
        (["--groups", 50, "--clicks", 5, "--cut", "a:1"], "--cut: no use with a design without"),
        (["--groups", 50, "--clicks", 0], "--clicks 0: expected 1 or more"),
        (["--groups", 50, "--events", 5, "--bins", 1], "--bins 1: expected 2 to 1,000"),
        (["--groups", 50, "--events", 5, "--bins", 10**11], "--bins 100000000000: expected 2 to 1,000"),
        (["--groups", 50, "--events", 5, "--label-n", 5, "--clip", 0.1], "--clip 0.1: no use with --label-n"),
        (
            ["--groups", 50, "--events", 5, "--numeric", "age"],
            "--numeric: no use with a design without --like",
        ),
        (
            ["--like", "e.csv", "--labels", "l", "--factors", "a", "--effects", "additive"],
            "--effects additive: the formulas are of bins with a value each",
        ),
        (["--groups", 50], "--events: missing; give --groups and --events"),
        (["--groups", 50, "--events", "nan"], "--events nan: expected 1 or more"),
        (["--groups", 50, "--events", 5, "--audit", 251], "--audit 251: more than the 250 events that are"),
        (["--groups", 0, "--clicks", 5], "--groups 0: expected 2 or more"),
        (["--groups", 10**400, "--clicks", 5], "--groups 10{400}: expected 2 or more"),
        (["--groups", 1, "--clicks", 5], "--groups 1: expected 2 or more"),
        (["--groups", 50, "--clicks", 5, "--rho", "0", ".5"], "--rho 0 0.5: expected two numbers between"),
        (["--groups", 50, "--clicks", 5, "--mu-sd", 0], "--mu-sd 0"),
        (["--groups", 50, "--clicks", 5, "--label-sd", -1], "--label-sd -1: expected 0 or more"),
        (["--groups", 50, "--clicks", 5, "--se-wanted", 0], "--se-wanted 0: expected a number above 0"),
        (["--groups", 50, "--clicks", 5, "--simulate", 1], "--simulate 1: expected 2 or more, or 0"),
        (
            ["--groups", 50, "--clicks", 5, "--share", ".5"],
            "--share: no use with a design without --like or --weights; add --weights, or",
        ),
        (
            ["--groups", 50, "--clicks", 5, "--labels", "l.csv"],
            "--labels: no use with a design without --like or --weights; add --like, the",
        ),
        (["--like", "events.csv"], "--labels and --factors: missing; a pilot has"),
        (["--like", "e.csv", "--labels", "l", "--factors", "a", "--bins", 3], "--bins: no use with --like"),
        (
            ["--groups", 50, "--clicks", 5, "--weights", "u.csv"],
            "u.csv: 1 rows below the header; expected one",
        ),
        (["--groups", 50, "--clicks", 5, "--weights", "none.csv"], "none.csv: No such file"),
        (["--groups", 50, "--clicks", 5, "--weights", "w.csv"], "w.csv: row 2: column 'w1' is '0'; expected"),
        (["--groups", 50, "--clicks", 5, "--weights", "v.csv"], "v.csv: no column 'w1'; there are w0, x"),
        (["--groups", 50, "--clicks", 5, "--plot", "plan.gif"], "plan.gif: --plot cannot be of this kind"),
        (["--groups", 50, "--clicks", 5, "--seed", -1], "--seed -1: expected a whole number"),
    ],
)
def test_what_cannot_be_planned_is_one_line(tmp_path, monkeypatch, capsys, options, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "w.csv").write_text("w0,w1\n1,2\n2,0\n")
    (tmp_path / "v.csv").write_text("w0,x\n1,2\n2,3\n")
    (tmp_path / "u.csv").write_text("w0,w1\n1,2\n")
    before = sorted(tmp_path.iterdir())
    assert run(*options) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count("\n") == 1
    assert re.search(words, printed.err), printed.err
    assert sorted(tmp_path.iterdir()) == before


def test_a_number_of_a_pilot_is_cut_as_for_a_fit(tmp_path, pilot, capsys):
    data, options = pilot
    events = pd.read_csv(tmp_path / "events.csv")
    events["price"] = np.random.default_rng(1).random(len(events))
    events.to_csv(tmp_path / "events.csv", index=False)
    summary = tmp_path / "plan.json"
    given = [*options, "--simulate", 0, "--summary", summary]
    assert run(*given, "--numeric", "price", "--effects", "bins") == 0
    told = json.loads(summary.read_text())
    factors = options[options.index("--factors") + 1]
    at = given.index("--factors") + 1
    given[at] = f"{factors},price"
    assert run(*given, "--cut", "price:quantiles=8") == 0
    assert told == json.loads(summary.read_text()) and told["bins"] == 8 * len(data.bins)


def test_a_pilot_with_a_label_of_0_names_the_remedy(tmp_path, pilot, capsys):
    _, options = pilot
    labels = pd.read_csv(tmp_path / "labels.csv")
    labels.loc[3, "good"] = 0
    labels.to_csv(tmp_path / "labels.csv", index=False)
    assert run(*options) == 2
    assert "group 3: label 0 has an infinite logit" in (said := capsys.readouterr().err)
    assert "--clip 0.001" in said
    assert run(*options, "--clip", 0.01) == 0


def test_a_warning_on_the_labels_of_a_pilot_names_the_option(pilot, capsys):
    _, options = pilot
    assert run(*options, "--percent") == 0
    assert "if they are, leave out --percent\n" in capsys.readouterr().err


def test_a_design_from_a_data_frame_of_counts_needs_two_labels():
    data = GroupedCounts([[5, 5], [4, 6]], label=[0.5, 0.5])
    with pytest.raises(ValueError, match=r"all labels are 0\.5, so how groups differ cannot be told; labels"):
        Design.from_fit(data, latent_fit(GroupedCounts([[5, 5], [4, 6]], [0.4, 0.6])))


def test_the_page_on_planning_shows_what_the_command_prints(capsys):
    page = (Path(__file__).parents[2] / "docs/planning.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```\n\$ wsclust (plan .*)\n((?:.*\n)*?)```", page)
    assert main(shown[0].split()) == 0
    assert capsys.readouterr().out == shown[1]
