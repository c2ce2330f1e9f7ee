"""wsclust fit with several methods side by side, and with one fit for each segment: each as if run alone."""

import importlib
import json
from html import unescape

import numpy as np
import pandas as pd
import pytest

from wsclust.cli import main

pytest.importorskip("duckdb")
COLUMNS = ["posterior", "se", "lower", "upper"]


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(12)
    share = rng.uniform(0.1, 0.9, 60)
    happy, sad = rng.dirichlet([2.0] * 4), rng.dirichlet([2.0] * 4)
    rows = [
        (f"g{i}", ["NL", "UK", "BE"][i % 3] if i < 58 else "LU", "abcd"[bin_])
        for i, p in enumerate(share)
        for bin_ in rng.choice(4, 50, p=(1 - p) * sad + p * happy)
    ]
    events = pd.DataFrame(rows, columns=["group", "country", "kind"])
    events = events[~((events["country"] == "LU") & (events["group"] == "g59"))].sample(
        frac=1, random_state=2
    )
    events.to_csv(tmp_path / "events.csv", index=False)
    labels = pd.DataFrame({"group": [f"g{i}" for i in range(59)], "label": share[:59]})
    labels.to_csv(tmp_path / "labels.csv", index=False)
    return tmp_path


def fit(folder, *more, events="events.csv", labels="labels.csv", output="out.csv"):
    command = [
        "fit",
        folder / events,
        "--labels",
        folder / labels,
        "--factors",
        "kind",
        "--half-samples",
        "20",
    ]
    return main([*map(str, command), "--output", str(folder / output), *map(str, more)])


def test_methods_side_by_side_are_those_of_runs_alone(folder, capsys):
    summary = folder / "fit.json"
    assert fit(folder, "--method", "latent,direct,moments", "--he-weight", "5", "--summary", summary) == 0
    said = capsys.readouterr().err
    table = pd.read_csv(folder / "out.csv")
    for method in ("latent", "direct", "moments"):
        more = ["--he-weight", "5"] if method == "latent" else []
        assert fit(folder, "--method", method, *more, output="alone.csv") == 0
        alone = pd.read_csv(folder / "alone.csv")
        names = COLUMNS if method == "latent" else [f"{name} ({method})" for name in COLUMNS]
        np.testing.assert_array_equal(table[names], alone[COLUMNS])
    assert len(table.columns) == 2 + 3 * 4
    found = json.loads(summary.read_text())
    assert found["method"] == "latent" and set(found["beside"]) == {"direct", "moments"}
    assert found["beside"]["direct"]["settings"] == {"prior": "half", "pseudo_events": 2.0}
    assert "warning: direct: bins come out too close together" in said
    score = ["score", str(folder / "events.csv"), "--posterior", str(folder / "out.csv")]
    assert main([*score, "--output", str(folder / "s.csv")]) == 0
    scored = pd.read_csv(folder / "s.csv").drop_duplicates("kind").set_index("kind")["posterior"]
    np.testing.assert_array_equal(scored[table["kind"]], table["posterior"])


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--method", "latent,best"], "'best' is not one of direct, moments, latent, additive"),
        (["--method", "latent,latent"], "'latent' is there twice"),
        (
            ["--method", "direct,moments", "--he-weight", "3"],
            "--he-weight 3.0: none of direct, moments has it",
        ),
        (["--method", "direct", "--he-weight", "3"], "he_weight"),
        (["--method", "latent,direct", "--audit", "a.csv"], "no use with --audit"),
        (["--by", "kind"], "--by kind: a factor as well"),
        (["--by", "se"], "--by se: the output has a column of this name"),
        (["--by", "country", "--numeric", "size", "--effects", "additive"], "give a file of its events"),
        (["--by", "planet"], "no column 'planet'"),
    ],
)
def test_what_cannot_be_is_refused(folder, capsys, more, said):
    try:
        code = fit(folder, *more)
    except SystemExit as stopped:  # argparse
        code = stopped.code
    found = capsys.readouterr().err
    assert code == 2 and found.count("\n") == 1 and not (folder / "out.csv").exists()
    assert said in found or said.replace("_", "-") in found


def test_segments_are_fits_of_their_own(folder, capsys):
    summary, plot = folder / "fit.json", folder / "fit.png"
    assert fit(folder, "--by", "country", "--cap", "40", "--summary", summary, "--plot", plot) == 0
    said = capsys.readouterr().err
    assert "country 'LU' is left out: group 'g58': the only group" in said and plot.stat().st_size > 5000
    table = pd.read_csv(folder / "out.csv")
    assert table.columns[0] == "country" and table["country"].unique().tolist() == ["BE", "NL", "UK"]
    events, labels = pd.read_csv(folder / "events.csv"), pd.read_csv(folder / "labels.csv")
    for country, part in table.groupby("country"):
        one = events[events["country"] == country]
        one.to_csv(folder / "one.csv", index=False)
        labels[labels["group"].isin(one["group"])].to_csv(folder / "some.csv", index=False)
        assert fit(folder, "--cap", "40", events="one.csv", labels="some.csv", output="alone.csv") == 0
        alone = pd.read_csv(folder / "alone.csv")
        np.testing.assert_array_equal(part[["n", *COLUMNS]], alone[["n", *COLUMNS]])
    found = json.loads(summary.read_text())
    assert found["by"] == "country" and found["bins"] == len(table)
    assert found["segments"]["UK"]["check"]["verdict"] and found["segments"]["UK"]["groups"] == 19
    score = ["score", str(folder / "events.csv"), "--posterior", str(folder / "out.csv")]
    assert main([*score, "--summary", str(summary), "--output", str(folder / "s.csv")]) == 0
    scored = pd.read_csv(folder / "s.csv").merge(table, on=["country", "kind"], how="left")
    np.testing.assert_array_equal(scored["posterior_x"], scored["posterior_y"])
    assert (scored["posterior_x"].isna() == (scored["country"] == "LU")).all()


def test_a_group_in_two_segments_is_named_and_groups_have_their_segment(folder, capsys):
    events = pd.read_csv(folder / "events.csv")
    events.loc[events.index[events["group"] == "g0"][:10], "country"] = "UK"
    events["group"] = events["group"].replace("g4", "new")
    events.to_csv(folder / "events.csv", index=False)
    groups = folder / "groups.csv"
    assert fit(folder, "--by", "country", "--drop-unlabelled", "--groups", groups, "--no-check") == 0
    assert "1 of 58 groups have events in more than one country ('g0')" in capsys.readouterr().err
    table = pd.read_csv(groups)
    assert table.columns[:3].tolist() == ["country", "group", "label"]
    assert sorted(table.loc[table["group"] == "g0", "country"]) == ["NL", "UK"]
    new = table[table["group"] == "new"]
    assert new["country"].tolist() == ["UK"] and new["label"].isna().all() and new["share"].notna().all()
    assert new["events"].tolist() == [(events["group"] == "new").sum()]


def test_groups_of_a_segment_without_a_label_are_named(folder, capsys):
    events = pd.read_csv(folder / "events.csv")
    events.loc[events["group"].isin(["g1", "g4"]), "country"] = "FR"
    events["group"] = events["group"].replace({"g1": "new", "g4": "other"})
    events.to_csv(folder / "events.csv", index=False)
    groups = folder / "groups.csv"
    assert fit(folder, "--by", "country", "--drop-unlabelled", "--groups", groups, "--no-check") == 0
    line = (
        "country 'FR' has no fit: no share and no row in the table of groups for its 2 groups without a label "
        "('new', 'other')"
    )
    assert capsys.readouterr().err.count(line) == 1
    assert "FR" not in pd.read_csv(groups)["country"].tolist()


def test_page_and_pictures_of_segments_have_each_verdict(folder, monkeypatch, capsys):
    drawn = {}
    for module, name in (("posterior", 3), ("lines", 2)):
        draw = importlib.import_module(f"wsclust.plots.{module}").draw

        def kept(*arguments, draw=draw, module=module, name=name, **more):
            drawn[module] = arguments[name]
            return draw(*arguments, **more)

        monkeypatch.setattr(f"wsclust.plots.{module}.draw", kept)
    outputs = {name: folder / name for name in ("fit.json", "page.html", "fit.png", "lines.png")}
    options = ("--summary", "--report", "--plot", "--plot-lines")
    written = [word for pair in zip(options, outputs.values(), strict=True) for word in pair]
    assert fit(folder, "--by", "country", *written) == 0
    segments = json.loads(outputs["fit.json"].read_text())["segments"]
    of = {}
    for country, found in segments.items():
        of.setdefault(found["check"]["verdict"], []).append(repr(country))
    whole = len(of) == 1
    expected = "\n".join(
        f"verdict: {verdict} ({'each country' if whole else 'country ' + ', '.join(countries)})"
        for verdict, countries in of.items()
    )
    assert drawn == {"posterior": expected, "lines": expected}
    page = unescape(outputs["page.html"].read_text())
    said = capsys.readouterr().err
    assert said.count("No check sees everything") == (": warning: verdict" in said)
    for country, found in segments.items():
        assert f"erdict of country '{country}': {found['check']['verdict']}; held-out" in page
        assert f"erdict of country '{country}': {found['check']['verdict']}; held-out" in said
    assert page.count("No check sees everything") == 1
    groups = page[page.index('<section class="table" id="groups">') :]
    assert "country</button>" in groups and groups.count("<tr><td>") == sum(
        found["groups"] for found in segments.values()
    )


def test_the_groups_themselves_are_no_segments(folder, capsys):
    assert fit(folder, "--by", "group") == 2
    assert "--by group: the column of the groups, each of which has one label" in capsys.readouterr().err


def test_strict_minds_the_verdict_of_each_segment(folder):
    labels = pd.read_csv(folder / "labels.csv")
    rng = np.random.default_rng(3)
    labels["label"] = rng.permutation(labels["label"])
    labels.to_csv(folder / "labels.csv", index=False)
    summary = folder / "fit.json"
    code = fit(folder, "--by", "country", "--strict", "--summary", summary)
    segments = json.loads(summary.read_text())["segments"].values()
    verdicts = {segment["check"]["verdict"] for segment in segments}
    assert code == 3 and "evidence against" in verdicts


def test_a_missing_column_names_the_option_that_says_which(folder, capsys):
    for more, said in (
        (["--group", "shop"], "--group COLUMN"),
        (["--label", "score"], "labels.csv: no column 'score'"),
        (["--label", "score"], "name it with --label COLUMN"),
        (["--label-group", "shop"], "name it with --label-group COLUMN"),
        (["--count", "times"], "name another with --count COLUMN"),
    ):
        assert fit(folder, *more) == 2
        assert said in capsys.readouterr().err
    pd.DataFrame({"colour": ["red"], "posterior": [0.3]}).to_csv(folder / "p.csv", index=False)
    command = ["score", folder / "events.csv", "--posterior", folder / "p.csv", "--output", folder / "s.csv"]
    assert main([*map(str, command)]) == 2
    said = capsys.readouterr().err
    assert (
        "no column 'colour'" in said and "score events that have the factors of" in said and "p.csv" in said
    )
