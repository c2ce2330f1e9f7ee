"""wsclust fit: the studies' numbers, the same answer however the files are written, and one line an error."""

import importlib.util
import json
import os
import re
import shlex
import shutil
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from replication.shared.yaml_files import read_yaml
from replication.simulation.study import draw, simulate
from replication.simulation.truth_curves import truth
from wsclust import fitting
from wsclust.cli import main
from wsclust.commands.fit import EXAMPLE
from wsclust.commands.progress import Progress
from wsclust.counts import GroupedCounts
from wsclust.estimators.latent import latent
from wsclust.half_samples import half_sample_standard_errors
from wsclust.seeds import generator

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

ROOT = Path(__file__).parents[2]
CONFIG = read_yaml(ROOT / "config" / "config.yaml")
ESTIMATES = ["n", "posterior", "se", "lower", "upper"]


def expand(data, names=None):
    """Frames of events, one row an event, and of labels, from counts with numbered bins."""
    names = np.array([f"g{i:04d}" for i in range(len(data.label))]) if names is None else names
    group, bins = np.nonzero(data.counts)
    times = data.counts[group, bins].astype(int)
    events = pd.DataFrame({"group": names[group], "bin": bins + 1}).loc[
        np.repeat(np.arange(len(group)), times)
    ]
    return events.reset_index(drop=True), pd.DataFrame({"group": names, "label": data.label})


def read(path, factors):
    text = dict.fromkeys(factors.split(","), str)
    empty = dict.fromkeys(ESTIMATES, "")
    # Before version 3.1 pandas reads 17 digits to the last bit only where it is asked to.
    return pd.read_csv(path, dtype=text, keep_default_na=False, na_values=empty)


def write(frame, path):
    if path.suffix == ".parquet":
        frame.to_parquet(path, index=False)
    else:
        frame.to_csv(path, index=False)
    return path


@pytest.fixture
def fit(tmp_path):
    """Runs the command on frames or paths: fit(events, labels, *options) -> table, or the exit code."""

    def run(events, labels, *options, factors="bin", output=tmp_path / "posterior.csv"):
        if isinstance(events, pd.DataFrame):
            events = write(events, tmp_path / "events.csv")
        if isinstance(labels, pd.DataFrame):
            labels = write(labels, tmp_path / "labels.csv")
        arguments = [events, "--labels", labels, "--factors", factors, "--output", output, *options]
        code = main(["fit", *map(str, arguments)])
        return read(output, factors) if code == 0 else code

    return run


@pytest.fixture(scope="module")
def world():
    """Events and labels of 40 groups of 30 clicks in 4 bins."""
    true = truth("linear", 4, low=0.1, high=0.9)
    return expand(draw(true, 40, 30, 0.3, lambda role: generator(1, "test", role=role)))


@pytest.mark.parametrize("method", ["latent_wh10", "latent_wh0", "direct", "moments"])
def test_the_simulations_numbers(fit, method):
    settings, seed, setting, clicks = CONFIG["simulation"], CONFIG["seed"], "default", 5
    true = truth(**settings["truths"][setting])
    study = simulate(
        setting, true, settings["groups"], clicks, settings["label_noise"], [3],
        {method: CONFIG["methods"][method]}, seed,
    )  # fmt: skip
    data = draw(
        true, settings["groups"], clicks, settings["label_noise"],
        lambda role: generator(seed, "simulation", setting, clicks, 3, role),
    )  # fmt: skip
    chosen = CONFIG["methods"][method]
    options = ["--method", chosen["estimator"], "--half-samples", 0]
    options += ["--he-weight", chosen["he_weight"]] if "he_weight" in chosen else []
    table = fit(*expand(data), *options)
    assert table["bin"].tolist() == [str(k) for k in range(1, 16)]
    np.testing.assert_allclose(table["posterior"], study["estimate"], rtol=0, atol=1e-9)
    np.testing.assert_array_equal(table["n"], data.totals)


def test_files_of_any_form_and_order_give_the_same(tmp_path, fit, world):
    events, labels = world
    table = fit(events, labels, "--half-samples", 20)
    shuffled, labels_shuffled = events.sample(frac=1, random_state=1), labels.sample(frac=1, random_state=2)
    for suffix in (".csv", ".parquet"):
        folder = tmp_path / f"shards{suffix}"
        folder.mkdir()
        for i in range(50):
            write(shuffled.iloc[i::50], folder / f"part-{i}{suffix}")
        one = write(shuffled, tmp_path / f"shuffled{suffix}")
        these = write(labels_shuffled, tmp_path / f"labels{suffix}")
        for source in (one, folder, folder / f"part-*{suffix}"):
            again = fit(source, these, "--half-samples", 20)
            pd.testing.assert_frame_equal(again, table, check_exact=True)


def test_renamed_groups_give_the_same_posterior(fit, world):
    events, labels = world
    table = fit(events, labels, "--half-samples", 5)
    new = {name: f"{(7 * i) % 40} of {i}" for i, name in enumerate(labels["group"])}
    renamed = [frame.assign(group=frame["group"].map(new)) for frame in world]
    same = ["bin", "n", "posterior"]
    again = fit(*renamed, "--half-samples", 5)
    pd.testing.assert_frame_equal(again[same], table[same], rtol=0, atol=1e-9)


def test_counted_rows_give_the_same(fit, world):
    events, labels = world
    counted = events.groupby(["group", "bin"]).size().rename("clicks").reset_index()
    table = fit(events, labels, "--half-samples", 5)
    pd.testing.assert_frame_equal(fit(counted, labels, "--count", "clicks", "--half-samples", 5), table)
    counted["clicks"] *= 0.3
    thirds = fit(counted, labels, "--count", "clicks", "--half-samples", 0)
    np.testing.assert_allclose(thirds["n"], 0.3 * table["n"], rtol=1e-12)


def test_errors_are_the_packages(fit, world):
    events, labels = world
    data = GroupedCounts.from_events(events, labels, ["bin"])
    table = fit(events, labels, "--half-samples", 10, "--seed", 5)
    rng = generator(5, "fit", "latent", role="half-samples")
    se = half_sample_standard_errors(latent, data.in_group_order(), 10, rng)
    np.testing.assert_allclose(table["se"], se, rtol=1e-12)
    np.testing.assert_allclose(table["upper"], np.minimum(1, table["posterior"] + 1.95996398 * se), rtol=1e-8)
    np.testing.assert_allclose(table["lower"], np.maximum(0, table["posterior"] - 1.95996398 * se), atol=1e-8)
    # 17 digits: what is read is what was fitted, to the last bit.
    frame = fitting.latent(data).to_frame(rng=5, half_samples=10)
    assert (table[ESTIMATES] == frame[ESTIMATES]).all(axis=None)


def test_bounds(fit):
    """Bins that happen to be nearly sure: within [0, 1] by latent and direct, beyond it by moments."""
    rng = np.random.default_rng(3)
    share = rng.uniform(0.3, 0.7, 60)
    happy = rng.binomial(200, share)
    counts = np.column_stack([rng.binomial(happy, 0.4), 100 + 0 * happy, rng.binomial(200 - happy, 0.4)])
    events, labels = expand(GroupedCounts(counts, np.clip(share * 1.5 - 0.25, 0.01, 0.99)))
    for method, options in (("latent", ["--he-weight", "inf"]), ("direct", [])):
        table = fit(events, labels, "--method", method, "--half-samples", 20, *options)
        assert table[["lower", "posterior", "upper"]].stack().between(0, 1).all()
    raw = fit(events, labels, "--method", "moments", "--half-samples", 20)
    assert not raw[["lower", "posterior", "upper"]].stack().between(0, 1).all()
    np.testing.assert_allclose(raw["upper"] - raw["posterior"], raw["posterior"] - raw["lower"])


def test_without_half_samples_errors_are_empty(tmp_path, fit, world):
    fit(*world, "--half-samples", 0)
    lines = (tmp_path / "posterior.csv").read_text().splitlines()
    assert lines[0] == "bin,n,posterior,se,lower,upper"
    assert all(line.endswith(",,,") for line in lines[1:])


def test_text_levels_stay_and_are_sorted(fit, world):
    events, labels = world
    events = events.assign(code=events["bin"].map({1: "010", 2: "NA", 3: "9", 4: 'a,"b'}))
    assert fit(events, labels, "--half-samples", 0, factors="code")["code"].tolist() == [
        "9",
        "010",
        "NA",
        'a,"b',
    ]
    tens = events.assign(code=events["bin"] * 5)
    assert fit(tens, labels, "--half-samples", 0, factors="code")["code"].tolist() == ["5", "10", "15", "20"]


def test_summary(tmp_path, fit, world):
    events, labels = world
    path = tmp_path / "fit.json"
    fit(events, labels, "--half-samples", 60, "--cap", 10, "--he-weight", "inf", "--summary", path)
    summary = json.loads(path.read_text(), parse_constant=pytest.fail)
    expected = {
        "method": "latent", "groups": 40, "events": len(events), "bins": 4, "cap": 10,
        "converged": True, "warnings": [],
    }  # fmt: skip
    assert {key: summary[key] for key in expected} == expected
    assert summary["settings"]["he_weight"] == "inf"
    assert summary["iterations"] > 1 and summary["objective"] < 0 and summary["seconds"] > 0
    fit(events, labels, "--half-samples", 3, "--method", "moments", "--summary", path)
    summary = json.loads(path.read_text())
    assert summary["settings"] == {} and summary["objective"] is None and summary["converged"]


def test_cap_and_clip(fit, world):
    events, labels = world
    table = fit(events, labels, "--cap", 3, "--half-samples", 0)
    assert table["n"].sum() == pytest.approx(3 * 40)
    exact = labels.assign(label=[0, 1] + labels["label"].tolist()[2:])
    clipped = fit(events, exact, "--clip", 0.01, "--half-samples", 0)
    by_hand = fit(events, exact.assign(label=exact["label"].clip(0.01, 0.99)), "--half-samples", 0)
    pd.testing.assert_frame_equal(clipped, by_hand)
    assert len(fit(events, exact, "--he-weight", "inf", "--half-samples", 0)) == 4
    assert len(fit(events, exact, "--method", "direct", "--half-samples", 0)) == 4


def test_drop_unlabelled_says_what_it_drops(tmp_path, fit, world, capsys):
    events, labels = world
    path = tmp_path / "fit.json"
    fewer = pd.concat([labels[1:], pd.DataFrame({"group": ["idle"], "label": [0.5]})])
    options = ["--drop-unlabelled", "--half-samples", 0, "--summary", path]
    table = fit(events, fewer, *options)
    kept = events[events["group"] != "g0000"]
    assert table["n"].sum() == len(kept)
    (warning,) = json.loads(path.read_text())["warnings"]
    assert warning in capsys.readouterr().err
    assert "30 rows of 1 group without a label" in warning and "'g0000'" in warning
    assert "1 label without events" in warning and "'idle'" in warning
    pd.testing.assert_frame_equal(fit(kept, labels[1:], "--half-samples", 0), table)


@pytest.mark.parametrize(
    ("groups", "labels", "options", "message"),
    [
        (19, None, [], "19 groups: .* below 20 groups"),
        (40, [0.2, 0.4, 0.6, 0.8], [], "4 distinct labels: too few"),
        (40, None, ["--max-iterations", 3], "after 3 iterations .* raise --max-iterations"),
        (
            40,
            None,
            ["--max-iterations", 12, "--half-samples", 4, "--he-weight", 10],
            "4 of 4 half-samples did not converge",
        ),
        (40, None, ["--he-weight", 0], "--he-weight 0: the model is not identified"),
        (40, None, ["--method", "direct", "--half-samples", 2], "direct: bins come out too close together"),
        (3, None, ["--method", "moments"], "moments: Omega has rank 3 for 4 bins"),
    ],
)
def test_doubts_are_said(tmp_path, fit, world, capsys, groups, labels, options, message):
    events, given = world
    given = given[:groups]
    events = events[events["group"].isin(given["group"])]
    if labels:
        given = given.assign(label=np.resize(labels, groups))
    path = tmp_path / "fit.json"
    assert len(fit(events, given, "--half-samples", 0, "--summary", path, *options)) == 4
    warnings = json.loads(path.read_text())["warnings"]
    assert any(re.search(message, line) for line in warnings)
    printed = capsys.readouterr()
    assert printed.out == ""
    said = [
        line for line in printed.err.splitlines() if not line.startswith("  ")
    ]  # what is said about a verdict
    assert [line for line in said if ": warning: " in line] == [
        f"wsclust: warning: {line}" for line in warnings
    ]


def test_intervals_are_cautioned_of_where_there_are_any(fit, world, capsys):
    for count, said in ((0, False), (2, True)):
        fit(*world, "--method", "direct", "--half-samples", count)
        assert ("the intervals are of that estimate" in capsys.readouterr().err) == said


def test_a_few_groups_with_most_of_the_events_are_said():
    rng = np.random.default_rng(1)
    sizes = np.array([5000, 4000, *[50] * 38])
    data = GroupedCounts(rng.multinomial(sizes, [0.2, 0.3, 0.5]), rng.uniform(0.2, 0.8, 40))
    warnings = fitting.latent(data).report(half_samples=0, check=False).warnings
    assert any(line.startswith("40 groups, but a few") and "as if there were 3" in line for line in warnings)
    even = GroupedCounts(data.counts[2:22], data.label[2:22])
    assert fitting.latent(even).report(half_samples=0, check=False).warnings == ()
    capped = fitting.latent(data.cap(100)).report(half_samples=0, check=False).warnings
    assert not any("but a few" in line for line in capped)


def test_moments_outside_0_and_1_are_counted():
    share = np.linspace(0.1, 0.9, 30)
    counts = np.column_stack([50 + 5 * share, 50 - 5 * share])
    report = fitting.moments(GroupedCounts(counts, share)).report(half_samples=0)
    assert (report.table["posterior"] < 0).any()
    assert any("2 of 2 posteriors are outside [0, 1]" in line for line in report.warnings)


def test_a_factor_of_measurements_is_said():
    """A price as a factor makes a bin of nearly every event."""
    rng = np.random.default_rng(1)
    counts = np.zeros((30, 1500))
    np.add.at(counts, (rng.integers(0, 30, 4000), rng.integers(0, 1500, 4000)), 1)
    bins = pd.DataFrame({"kind": np.arange(1500) % 2, "price": np.arange(1500)})
    data = GroupedCounts(counts + 0.001, rng.uniform(0.2, 0.8, 30), bins=bins)
    warnings = fitting.direct(data).report(half_samples=0).warnings
    assert any(
        re.search(r"1,500 bins of 2\.7 events.*factor 'price' has 1,500 levels", line) for line in warnings
    )


def test_quiet_in_a_pipe_and_progress_on_a_terminal(fit, world, capsys):
    fit(*world, "--half-samples", 50, "--no-check")
    assert capsys.readouterr() == ("", "")

    class Terminal:
        text = ""

        def isatty(self):
            return True

        def write(self, text):
            self.text += text

        def flush(self):
            pass

    progress = Progress(Terminal())
    progress.count(3, 9)
    progress.clear()
    assert "half-sample 3 of 9" in progress.stream.text and "\n" not in progress.stream.text


@pytest.mark.parametrize("suffix", [".png", ".pdf", ".svg"])
def test_plot(tmp_path, fit, world, suffix):
    for method in ("latent", "moments"):
        fit(*world, "--half-samples", 2, "--method", method, "--plot", tmp_path / f"plot{suffix}")
        assert (tmp_path / f"plot{suffix}").stat().st_size > 1000
    fit(*world, "--half-samples", 0, "--plot", tmp_path / f"plot{suffix}")


def test_endings_may_be_upper_case(tmp_path, fit, world):
    files = {name: tmp_path / name for name in ("FIT.CSV", "FIT.JSON", "A.PNG", "B.PDF", "C.SVG", "D.Png")}
    fit(*world, "--half-samples", 0, "--summary", files["FIT.JSON"], output=files["FIT.CSV"])
    for name in ("A.PNG", "B.PDF", "C.SVG", "D.Png"):
        fit(*world, "--half-samples", 0, "--no-check", "--plot", files[name])
    fit(*world, "--half-samples", 0, "--no-check", "--plot", tmp_path / "a.png")
    assert all(path.is_file() for path in files.values())
    assert files["A.PNG"].read_bytes() == files["D.Png"].read_bytes() == (tmp_path / "a.png").read_bytes()
    events = tmp_path / "LOG.CSV"
    shutil.copy(tmp_path / "events.csv", events)
    for ending in ("CSV", "CSV.GZ", "Parquet"):
        scored = tmp_path / f"SCORED.{ending}"
        assert (
            main(["score", str(events), "--posterior", str(files["FIT.CSV"]), "--output", str(scored)]) == 0
        )
        assert fit(scored, tmp_path / "labels.csv", "--half-samples", 0, "--no-check").shape == (4, 6)


def run_example(text, folder, monkeypatch):
    """Run the command of a help text's example in a folder with a copy of examples/."""
    if not (folder / "examples").exists():
        shutil.copytree(ROOT / "examples", folder / "examples")
    monkeypatch.chdir(folder)
    command = re.search(r"^  wsclust .*?[^\\]\n(?=\n)", text, re.M | re.S)[0].replace("\\\n", " ")
    return main(shlex.split(command)[1:])


def test_the_example_of_help_runs(tmp_path, monkeypatch, capsys):
    assert run_example(EXAMPLE, tmp_path, monkeypatch) == 0
    # 7,017 clicks in 300 groups and 30 bins are not enough for more.
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("wsclust: warning: verdict: too little data to tell")
    assert err.count("\n") == 6
    assert len(pd.read_csv(tmp_path / "posterior.csv")) == 30
    assert json.loads((tmp_path / "fit.json").read_text())["converged"]
    assert (tmp_path / "posterior.png").exists()
    with pytest.raises(SystemExit) as stop:
        main(["fit", "--help"])
    assert stop.value.code == 0 and EXAMPLE.splitlines()[1] in capsys.readouterr().out


def test_the_examples_files_are_what_their_script_writes(tmp_path):
    spec = importlib.util.spec_from_file_location("make_examples", ROOT / "examples" / "make_examples.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    script.main(tmp_path)
    for name in ("events.csv", "labels.csv"):
        pd.testing.assert_frame_equal(pd.read_csv(tmp_path / name), pd.read_csv(ROOT / "examples" / name))


# Bad input: what is done to the events' text, to the labels' text, options, and what the line must say.
EVENTS = "group,bin\n" + "".join(f"g{i},{k}\n" for i in range(25) for k in ("a", "b", "c")[: 2 + i % 2])
LABELS = "group,label\n" + "".join(f"g{i},{0.1 + 0.03 * i:.2f}\n" for i in range(25))
ROW = "g0,a\n"
BAD = {
    "wrong factor": (EVENTS, LABELS, ["--factors", "bn"], r"no column 'bn'.*'group', 'bin'"),
    "wrong group column": (EVENTS, LABELS, ["--group", "page"], "no column 'page'"),
    "wrong label column": (EVENTS, LABELS, ["--label", "share"], "labels.csv: no column 'share'"),
    "wrong count column": (EVENTS, LABELS, ["--count", "clicks"], "no column 'clicks'"),
    "empty factor name": (EVENTS, LABELS, ["--factors", "bin,"], "--factors 'bin,': an empty name"),
    "factor twice": (EVENTS, LABELS, ["--factors", "bin,bin"], "'bin' is there twice"),
    "factor is the group": (EVENTS, LABELS, ["--factors", "group"], "'group' is named twice"),
    "factor is called n": (EVENTS.replace("bin", "n"), LABELS, ["--factors", "n"], "factor 'n'.*rename"),
    "column twice": (EVENTS.replace("group,bin", "bin,bin"), LABELS, [], "'group'|2 columns 'bin'"),
    "text in a label": (EVENTS, LABELS.replace("0.10", "low"), [], "line 2: group 'g0': label 'low' is not"),
    "label 1.2": (EVENTS, LABELS.replace("0.10", "1.2"), [], r"line 2: group 'g0': label 1.2 is not in"),
    "label nan": (EVENTS, LABELS.replace("0.10", "nan"), [], "line 2: group 'g0': label"),
    "percentages": (EVENTS, LABELS.replace("0.", ""), [], r"label 10 is not in \[0, 1\].*divide percentages"),
    "empty label": (EVENTS, LABELS.replace("0.10", ""), [], "'label' is empty for group 'g0'"),
    "label twice": (EVENTS, LABELS + "g3,0.5\n", [], "line 5, 27: group 'g3' has more than one row"),
    "label of 0": (EVENTS, LABELS.replace("0.10", "0"), ["--he-weight", "10"],
                   "g0: label 0 .*--clip 0.001.*--he-weight inf"),
    "label of 1": (EVENTS, LABELS.replace("0.10", "1"), ["--he-weight", "0"], "g0: label 1 .*1 such group"),
    "no label": (EVENTS + "x,a\ny,a\n", LABELS, [], "2 rows of 2 groups without a label.*'x', 'y'.*--drop"),
    "label without events": (EVENTS, LABELS + "x,0.5\n", [], "1 label without events.*'x'.*--drop"),
    "empty factor": (EVENTS + "g1,\n", LABELS, [], "line 64: column 'bin' is empty"),
    "empty group": (EVENTS + ",a\n", LABELS, [], "line 64: column 'group' is empty"),
    "empty group in labels": (EVENTS, LABELS + ",0.5\n", [], "line 27: column 'group' is empty"),
    "empty events": ("", LABELS, [], "events.csv: empty"),
    "empty labels": (EVENTS, "", [], "labels.csv: empty"),
    "header only": ("group,bin\n", LABELS, [], "events.csv: no rows below the header"),
    "labels' header only": (EVENTS, "group,label\n", [], "labels.csv: no rows below the header"),
    "Latin-1": ((EVENTS + "g1,caf\xe9\n").encode("latin-1"), LABELS, [], "events.csv.*not UTF-8"),
    "UTF-16": (EVENTS.encode("utf-16"), LABELS, [], "events.csv.*not UTF-8"),
    "more values": (EVENTS + "g1,a,9\n", LABELS, [], "events.csv: line 64: 3 values; expected 2"),
    "fewer values": (EVENTS + "g1\n", LABELS, [], "events.csv: line 64: 1 values; expected 2"),
    "open quote": (EVENTS + 'g1,"a\n', LABELS, [], "events.csv.*quote"),
    "NUL bytes": (EVENTS + "g1,a\0b\n", LABELS, [], "column 'bin' holds a NUL byte"),
    "NUL in a label's group": (EVENTS, LABELS + "g\0,0.5\n", [], "labels.csv: line 27: .*NUL byte"),
    "only NUL bytes": (b"\0" * 400, LABELS, [], "events.csv"),
    "one group": (ROW + "g0,b\n", "group,label\ng0,0.4\n", [], "group 'g0': the only group"),
    "one bin": (EVENTS.replace(",b", ",a").replace(",c", ",a").replace("group,ain", "group,bin"), LABELS, [],
                "1 bin: nothing to tell apart"),
    "count of text": ("group,bin,n\ng0,a,two\n", LABELS, ["--count", "n"], "line 2: found 'two' in col"),
    "negative count": ("group,bin,n\ng0,a,-2\n", LABELS, ["--count", "n"], "line 2: found '-2' in column"),
    "no such clip": (EVENTS, LABELS, ["--clip", "0.5"], "--clip 0.5: expected between 0 and 0.5"),
    "no such cap": (EVENTS, LABELS, ["--cap", "0"], "--cap 0.0: expected a number of events above 0"),
    "no such weight": (EVENTS, LABELS, ["--he-weight", "-1"], "--he-weight -1.0: expected 0, a number from"),
    "weight nan": (EVENTS, LABELS, ["--he-weight", "nan"], "--he-weight nan"),
    "one half-sample": (EVENTS, LABELS, ["--half-samples", "1"], "--half-samples 1: expected 2 or more, or 0"),
    "negative seed": (EVENTS, LABELS, ["--seed", "-1"], "--seed -1"),
    "no such memory": (EVENTS, LABELS, ["--memory-limit", "lots"], "--memory-limit lots: .*expected such as 500MB"),
}  # fmt: skip
BAD["one group"] = ("group,bin\n" + BAD["one group"][0], *BAD["one group"][1:])


@pytest.fixture
def refused(tmp_path, capsys):
    """Runs the command on bad input: exit code 2, one line, no output; returns the line."""

    def run(events, labels, *options, output=None):
        output = tmp_path / "out" / "posterior.csv" if output is None else output
        (tmp_path / "out").mkdir(exist_ok=True)
        before = sorted(tmp_path.rglob("*"))
        arguments = ["fit", str(events), "--labels", str(labels), "--output", str(output)]
        if "--factors" not in options:
            arguments += ["--factors", "bin"]
        code = main([*arguments, *map(str, options)])
        printed = capsys.readouterr()
        assert code == 2
        assert printed.out == ""
        assert printed.err.count("\n") == 1 and printed.err.startswith("wsclust fit: ")
        assert "Traceback" not in printed.err
        assert sorted(tmp_path.rglob("*")) == before
        return printed.err

    return run


def text_file(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("name", BAD)
def test_bad_input(tmp_path, refused, name):
    events, labels, options, message = BAD[name]
    paths = text_file(tmp_path / "events.csv", events), text_file(tmp_path / "labels.csv", labels)
    assert re.search(message, refused(*paths, *options))


@pytest.fixture
def files(tmp_path):
    return text_file(tmp_path / "events.csv", EVENTS), text_file(tmp_path / "labels.csv", LABELS)


def test_the_base_of_the_bad_inputs_is_good_even_with_a_bom_and_other_line_ends(tmp_path, files):
    output = tmp_path / "posterior.csv"
    tables = []
    for start, end in (("", "\n"), ("\ufeff", "\r\n")):
        for path, text in zip(files, (EVENTS, LABELS), strict=True):
            text_file(path, (start + text).replace("\n", end))
        arguments = ["fit", files[0], "--labels", files[1], "--factors", "bin", "--output", output]
        assert main([*map(str, arguments), "--half-samples", "0"]) == 0
        tables.append(output.read_bytes())
    assert tables[0] == tables[1]


def test_files_that_cannot_be_read(tmp_path, files, refused):
    events, labels = files
    assert "absent.csv: no such file" in refused(tmp_path / "absent.csv", labels)
    assert "log-*.csv: no such file" in refused(tmp_path / "log-*.csv", labels)
    assert "absent.csv: no such file" in refused(events, tmp_path / "absent.csv")
    (tmp_path / "folder").mkdir()
    assert "no events in this folder" in refused(tmp_path / "folder", labels)
    assert "what kind of file" in refused(text_file(tmp_path / "events.xlsx", "PK"), labels)
    whole = tmp_path / "whole.parquet"
    pd.read_csv(events).to_parquet(whole)
    content = whole.read_bytes()
    empty = text_file(tmp_path / "empty.parquet", "")
    assert "empty.parquet: empty" in refused(empty, labels)
    for part in (4, 40, len(content) // 2, len(content) - 1):
        cut = text_file(tmp_path / "cut.parquet", content[:part])
        assert "cut.parquet: not a whole Parquet file" in refused(cut, labels)
    mixed = tmp_path / "mixed"
    mixed.mkdir()
    shutil.copy(whole, mixed)
    shutil.copy(events, mixed)
    assert "CSV and Parquet mixed" in refused(mixed, labels)
    (mixed / "whole.parquet").unlink()
    text_file(mixed / "other.csv", EVENTS.replace("bin", "bins"))
    assert "other.csv" in refused(mixed, labels)


not_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read and write anywhere"
)


@not_root
def test_a_file_without_permission(files, refused):
    files[0].chmod(0)
    assert "events.csv: cannot be read" in refused(*files)


def test_outputs_that_cannot_be_written(tmp_path, files, refused):
    missing, good = tmp_path / "missing", tmp_path / "out" / "posterior.csv"
    assert "its folder does not exist" in refused(*files, output=missing / "posterior.csv")
    assert "its folder does not exist" in refused(*files, "--summary", missing / "fit.json")
    assert "its folder does not exist" in refused(*files, "--plot", missing / "plot.png")
    assert "its folder is not a folder" in refused(*files, output=files[0] / "posterior.csv")
    assert "--output is a folder" in refused(*files, output=folder_named(tmp_path / "x.csv"))
    assert "expected a name that ends in .csv" in refused(*files, output=tmp_path / "posterior.xlsx")
    assert "ends in .png or .pdf or .svg" in refused(*files, "--plot", tmp_path / "plot.gif")
    assert ".PNG: --plot is an ending alone" in refused(*files, "--plot", tmp_path / ".PNG")
    assert "--output would overwrite what is read" in refused(*files, output=files[1])
    assert "would overwrite" in refused(tmp_path / "ev*.csv", files[1], output=files[0])
    assert not good.exists()


def folder_named(path):
    path.mkdir()
    return path


@not_root
def test_output_in_a_read_only_folder(tmp_path, files, refused):
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o555)
    assert "its folder may not be written to" in refused(*files, output=folder / "posterior.csv")


@pytest.mark.parametrize("where", ["wsclust.plots.style.save", "wsclust.report.write_table"])
def test_all_outputs_are_written_or_none(tmp_path, files, refused, monkeypatch, where):
    output = tmp_path / "posterior.csv"
    output.write_text("earlier")

    def full(*arguments, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(where, full)
    options = ["--half-samples", 0, "--summary", tmp_path / "fit.json", "--plot", tmp_path / "plot.png"]
    line = refused(*files, *options, output=output)
    assert "No space left on device" in line and "posterior.csv" in line
    assert output.read_text() == "earlier"


def test_without_duckdb(files, refused, monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    assert "pip install duckdb pyarrow" in refused(*files)
