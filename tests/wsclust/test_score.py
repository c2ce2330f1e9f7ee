"""wsclust score: every column and row stays, each with its bin's posterior, and one line an error."""

import csv
import gzip
import re

import numpy as np
import pandas as pd
import pytest

from wsclust.cli import main
from wsclust.commands.score import EXAMPLE
from wsclust.events.cuts import edges_of, level_names
from wsclust.events.scoring import score_events

pytest.importorskip("duckdb")
pq = pytest.importorskip("pyarrow.parquet")

POSTERIOR = 'level,shape,n,posterior,se,lower,upper\n10,round,5,0.1,,,\n007,"a,b",5,0.30000000000000004,,,\n'
EVENTS = (
    """id,shape,level,note
1,round,10,"two
lines"
2,"a,b",007,NA
3,round,007,
4,"a,b",7,"""
    + '"say ""hi"""\n5,,10,é\n6,round,10,x\n'
)
EXPECTED = [0.1, 0.30000000000000004, np.nan, np.nan, np.nan, 0.1]


@pytest.fixture
def files(tmp_path):
    (tmp_path / "events.csv").write_text(EVENTS, encoding="utf-8")
    (tmp_path / "posterior.csv").write_text(POSTERIOR, encoding="utf-8")
    return tmp_path / "events.csv", tmp_path / "posterior.csv"


def score(events, posterior, output):
    return main(["score", str(events), "--posterior", str(posterior), "--output", str(output)])


def read(path):
    if path.suffix == ".parquet":
        return pd.read_parquet(path)
    text = dict.fromkeys(("id", "shape", "level", "note"), str)
    return pd.read_csv(path, dtype=text, keep_default_na=False, na_values={"posterior": ""})


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet"])
def test_rows_and_columns_stay(tmp_path, files, ending, capsys):
    output = tmp_path / f"scored{ending}"
    assert score(*files, output) == 0
    scored, events = read(output).fillna({"note": "", "shape": ""}), read(files[0])
    assert list(scored.columns) == ["id", "shape", "level", "note", "posterior"]
    assert scored[events.columns].astype(str).equals(events.astype(str))
    np.testing.assert_array_equal(scored["posterior"], EXPECTED)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "3 of 6 events are in a bin without a posterior" in printed.err
    assert "('007', 'round')" in printed.err and "('10', empty)" in printed.err
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_parquet_keeps_its_types(tmp_path, files):
    events = pd.DataFrame(
        {"when": pd.date_range("2020", periods=3), "level": [10, 7, 10], "x": [0.5, None, 2]}
    )
    events["shape"] = pd.Categorical(["round", "a,b", "round"])
    events.to_parquet(tmp_path / "events.parquet")
    assert score(tmp_path / "events.parquet", files[1], tmp_path / "scored.parquet") == 0
    scored = pd.read_parquet(tmp_path / "scored.parquet")
    np.testing.assert_array_equal(scored["posterior"], [0.1, np.nan, 0.1])
    assert scored["level"].dtype == "int64" and scored["when"].dtype.kind == "M"
    assert scored["x"].isna().tolist() == [False, True, False]


def test_order_of_many_rows_and_files(tmp_path, files, capsys):
    rows = 300_000
    shape = np.where(np.arange(rows) % 2, "round", "a,b")
    frame = pd.DataFrame(
        {"id": np.arange(rows), "level": np.where(shape == "round", "10", "007"), "shape": shape}
    )
    folder = tmp_path / "log"
    folder.mkdir()
    for i, part in enumerate(np.array_split(np.arange(rows), 3)):
        frame.iloc[part].to_csv(folder / f"part-{i}.csv", index=False)
    for source, output in ((folder, tmp_path / "scored.csv"), (folder / "part-*.csv", tmp_path / "two.csv")):
        assert score(source, files[1], output) == 0
        scored = read(output)
        np.testing.assert_array_equal(scored["id"].astype(int), np.arange(rows))
        np.testing.assert_array_equal(scored["posterior"], np.where(shape == "round", 0.1, 0.1 + 0.2))
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("target", [".csv", ".parquet"])
@pytest.mark.parametrize("source", [".csv", ".parquet"])
def test_each_row_has_the_posterior_of_its_own_bin_where_numbers_are_cut(tmp_path, source, target):
    """A merge by pandas says which; the bins of some events are not in the table, and some levels are empty."""
    rows, rng = 150_000, np.random.default_rng(4)
    events = pd.DataFrame({"id": np.arange(rows), "basket": rng.lognormal(3, 1, rows).round(2)})
    events["kind"] = rng.choice(["new", "old", "other", None], rows)
    path = tmp_path / f"events{source}"
    if source == ".csv":
        events.to_csv(path, index=False)
    else:
        events.to_parquet(path, row_group_size=7_000)
    edges = edges_of(path, {"basket": 5})
    parts = pd.cut(events["basket"], [-np.inf, *edges["basket"], np.inf], labels=level_names(edges["basket"]))
    known = pd.MultiIndex.from_product([parts.cat.categories, ["new", "unknown"]]).to_frame(index=False)
    known = known.set_axis(["basket", "kind"], axis=1).assign(posterior=np.linspace(0.1, 0.9, 10))
    known.to_csv(tmp_path / "posterior.csv", index=False)
    expected = events.assign(basket=parts.astype(str), kind=events["kind"].fillna("unknown")).merge(
        known, how="left", on=["basket", "kind"]
    )
    assert expected["id"].equals(events["id"]) and expected["posterior"].isna().any()
    for threads in (1, 2):
        output = tmp_path / f"scored{target}"
        score_events(path, tmp_path / "posterior.csv", output, threads=threads, cut=edges, missing="unknown")
        scored = read(output)
        np.testing.assert_array_equal(scored["id"].astype(int), events["id"])
        np.testing.assert_array_equal(scored["basket"].astype(float), events["basket"])
        np.testing.assert_array_equal(scored["posterior"], expected["posterior"])


def test_a_level_of_another_bins_two(tmp_path):
    """Levels (a, bc) and (ab, c) are two bins."""
    (tmp_path / "events.csv").write_text("f,g\na,bc\nab,c\n1:a,1\n")
    (tmp_path / "posterior.csv").write_text("f,g,posterior\na,bc,0.1\nab,c,0.2\n1:a,1,\n")
    assert score(tmp_path / "events.csv", tmp_path / "posterior.csv", tmp_path / "s.csv") == 0
    assert (tmp_path / "s.csv").read_text() == "f,g,posterior\na,bc,0.1\nab,c,0.2\n1:a,1,\n"


def test_line_breaks_within_levels_come_back_from_the_fit(tmp_path, capsys):
    levels = ["a\rb", "\r", "a\r\nb", "\n", "a"]
    events = pd.DataFrame({"group": np.repeat([*"pqrst"], 25), "level": levels * 25})
    events.to_parquet(tmp_path / "events.parquet")
    pd.DataFrame({"group": [*"pqrst"], "label": np.arange(1, 6) / 6}).to_csv(tmp_path / "l.csv", index=False)
    fit = ["fit", tmp_path / "events.parquet", "--labels", tmp_path / "l.csv", "--factors", "level"]
    assert main([*map(str, fit), "--method", "direct", "--output", str(tmp_path / "posterior.csv")]) == 0
    capsys.readouterr()
    for ending in ("csv", "parquet"):
        output = tmp_path / f"scored.{ending}"
        assert score(tmp_path / "events.parquet", tmp_path / "posterior.csv", output) == 0
        scored = read(output)
        assert scored["level"].equals(events["level"]) and scored["posterior"].notna().all()
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet"])
@pytest.mark.parametrize("header", ["id,ID,Kind,kind", ",id,ID,kind", '"a ""b"", c",",",é,kind'])
def test_names_stay_as_they_are(tmp_path, ending, header):
    """Also those that differ in case alone, and the empty one that pandas gives an index."""
    (tmp_path / "events.csv").write_text(f"{header}\n0,1,2,x\n1,3,4,y\n", encoding="utf-8")
    (tmp_path / "posterior.csv").write_text("kind,n,posterior\nx,5,0.25\n")
    output = tmp_path / f"scored{ending}"
    assert score(tmp_path / "events.csv", tmp_path / "posterior.csv", output) == 0
    if ending == ".parquet":
        table = pq.read_table(output)
        assert table.schema.names == next(csv.reader([f"{header},posterior"]))
        assert [column.to_pylist() for column in table.columns][2:] == [["2", "4"], ["x", "y"], [0.25, None]]
    else:
        content = gzip.decompress(output.read_bytes()) if ending == ".csv.gz" else output.read_bytes()
        assert content.decode() == f"{header},posterior\n0,1,2,x,0.25\n1,3,4,y,\n"


def test_the_examples_of_both_commands_run(tmp_path, monkeypatch, capsys):
    from test_fit import EXAMPLE as FIT
    from test_fit import ROOT, run_example

    assert run_example(FIT.replace("--output", "--half-samples 0 --output"), tmp_path, monkeypatch) == 0
    assert run_example(EXAMPLE, tmp_path, monkeypatch) == 0
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count(": warning: ") == 1
    assert "verdict: too little data to tell" in printed.err
    scored = pd.read_csv(tmp_path / "scored.csv")
    pd.testing.assert_frame_equal(scored.drop(columns="posterior"), pd.read_csv(ROOT / "examples/events.csv"))
    table = pd.read_csv(tmp_path / "posterior.csv")
    again = scored.drop(columns="posterior").merge(table, how="left")
    np.testing.assert_allclose(scored["posterior"], again["posterior"], rtol=1e-15)


BAD = {
    "no factor in events": (EVENTS.replace("level", "lvl"), POSTERIOR, "no column 'level'.*'lvl'"),
    "posterior there": (EVENTS.replace("note", "posterior"), POSTERIOR, "has a column 'posterior' already"),
    "column twice": (EVENTS.replace("note", "id"), POSTERIOR, "2 columns 'id'"),
    "two without a name": (EVENTS.replace("id", "").replace("note", ""), POSTERIOR, "2 columns ''"),
    "posterior's index": (EVENTS, "," + POSTERIOR, "posterior.csv: a column without a name"),
    "no posterior": (EVENTS, POSTERIOR.replace("posterior", "rho"), "no column 'posterior'"),
    "no factors": (EVENTS, "n,posterior\n1,0.5\n", "no factor"),
    "posterior of text": (EVENTS, POSTERIOR.replace("0.1", "high"), "line 2: 'posterior' is not a number"),
    "posterior inf": (EVENTS, POSTERIOR.replace("0.1", "inf"), "line 2: 'posterior' is not a number"),
    "bin twice": (EVENTS, POSTERIOR + "10,round,5,0.2,,,\n", "line 4: its bin has a row above"),
    "empty level": (EVENTS, POSTERIOR + ",round,5,0.2,,,\n", "line 4: a factor is empty"),
    "posterior's header only": (EVENTS, POSTERIOR.splitlines()[0] + "\n", "posterior.csv: no rows"),
    "empty posterior": (EVENTS, "", "posterior.csv: empty"),
    "ragged posterior": (EVENTS, POSTERIOR + "10\n", "posterior.csv: line 4: 1 values; expected 7"),
    "posterior's quote": (EVENTS, POSTERIOR + '"10,x,5,.2\n', "posterior.csv: line 4: a quote is opened"),
    "empty events": ("", POSTERIOR, "events.csv: empty"),
    "header only": ("level,shape\n", POSTERIOR, "events.csv: no rows"),
    "ragged events": (EVENTS + "1,2\n", POSTERIOR, "events.csv: line .*2 values; expected 4"),
    "wrong encoding": (EVENTS.encode("latin-1"), POSTERIOR, "events.csv.*not UTF-8"),
    "open quote": (EVENTS + '1,2,3,"', POSTERIOR, "events.csv.*quote"),
}  # fmt: skip


def refused(capsys, folder, *arguments):
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    assert score(*arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.startswith("wsclust score: ") and printed.err.count("\n") == 1
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
    return printed.err


@pytest.mark.parametrize("name", BAD)
def test_bad_input(tmp_path, files, capsys, name):
    events, posterior, message = BAD[name]
    files[0].write_bytes(events if isinstance(events, bytes) else events.encode())
    files[1].write_text(posterior)
    assert re.search(message, refused(capsys, tmp_path, *files, tmp_path / "scored.csv"))


def test_other_bad_input(tmp_path, files, capsys):
    events, posterior = files
    (tmp_path / "bad.csv.gz").write_bytes(gzip.compress(EVENTS.encode())[:10] + b"\xff" * 20)
    for arguments, message in (
        ((tmp_path / "absent.csv", posterior, tmp_path / "s.csv"), "absent.csv: no such file"),
        ((tmp_path / "bad.csv.gz", posterior, tmp_path / "s.csv"), "bad.csv.gz: cannot be read"),
        ((events, tmp_path / "absent.csv", tmp_path / "s.csv"), "absent.csv: no such file"),
        ((events, posterior, tmp_path / "s.xlsx"), "ends in .csv or .csv.gz or .parquet"),
        ((events, posterior, tmp_path / "missing" / "s.csv"), "its folder does not exist"),
        ((events, posterior, events), "would overwrite what is read"),
        ((events, posterior, posterior), "would overwrite what is read"),
    ):
        assert message in refused(capsys, tmp_path, *arguments)


def test_damage_deep_in_a_file_leaves_no_output(tmp_path, files, capsys):
    with gzip.open(tmp_path / "whole.csv.gz", "wt") as file:
        file.write("id,shape,level\n" + "".join(f"{i},round,10\n" for i in range(200_000)))
    content = (tmp_path / "whole.csv.gz").read_bytes()
    (tmp_path / "cut.csv.gz").write_bytes(content[: len(content) * 2 // 3])
    assert "cut.csv.gz" in refused(capsys, tmp_path, tmp_path / "cut.csv.gz", files[1], tmp_path / "s.csv")


def test_edges_and_levels_other_than_the_fits_are_refused(tmp_path, capsys):
    pd.DataFrame({"id": range(4), "x": [1, 5, 9, None]}).to_csv(tmp_path / "e.csv", index=False)
    (tmp_path / "p.csv").write_text("x,n,posterior\n<= 3,9,.2\n> 3,9,.7\nnone,9,.5\n")
    (tmp_path / "fit.json").write_text('{"cut": {"x": [3.0]}, "missing": "none"}')
    common = ["score", str(tmp_path / "e.csv"), "--posterior", str(tmp_path / "p.csv")]
    common += ["--summary", str(tmp_path / "fit.json"), "--output", str(tmp_path / "s.csv")]
    for more, said in (
        (["--cut", "x:4"], "--cut x: .*fit.json has .3.0. for it; leave one of them out"),
        (["--cut", "id:4"], "--cut id: .*fit.json has no cut for it"),
        (["--missing", "unknown"], "--missing unknown: .*fit.json has none; leave one of them out"),
    ):
        assert main([*common, *more]) == 2
        assert re.search(said, capsys.readouterr().err) and not (tmp_path / "s.csv").exists()
    assert main([*common, "--cut", "x:3", "--missing", "none"]) == 0
    assert pd.read_csv(tmp_path / "s.csv")["posterior"].tolist() == [0.2, 0.7, 0.7, 0.5]
    assert main([*common[:4], "--output", str(tmp_path / "t.csv")]) == 2
    assert "where the fit cut numbers into ranges, give its summary" in capsys.readouterr().err
