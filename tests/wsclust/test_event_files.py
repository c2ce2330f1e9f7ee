"""What is in event files beside plain text: times, types, partitions, other kinds of file, and near names."""

import codecs
import gzip
import os
import re
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from wsclust import GroupedCounts, cli
from wsclust.events.cuts import edges_of
from wsclust.events.partial_counts import add_counts, count_shard
from wsclust.events.reading import read_counts
from wsclust.events.scoring import score_events
from wsclust.events.text_files import ends_in_long_line, refuse_damaged_gzip, refuse_longer_lines
from wsclust.tables import replacing

pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
SRC = Path(__file__).parents[2] / "src"
LABELS = "group,label\na,0.8\nb,0.4\n"
EVENTS = "group,x\na,1\nb,2\n"


def put(folder, name, content):
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, pa.Table):
        pq.write_table(content, folder / name)
    elif isinstance(content, pd.DataFrame):
        content.to_parquet(folder / name)
    else:
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder / name


def refusal(function, *arguments, **options):
    with pytest.raises(ValueError) as caught:
        function(*arguments, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def warned(function, *arguments, **options):
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        result = function(*arguments, **options)
    return result, [str(warning.message) for warning in raised]


# Times and types.


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Kolkata"])
def test_times_with_a_zone_are_the_same_text_on_every_machine(tmp_path, zone):
    when = pd.date_range("2024-10-26 23:00", periods=4, freq="h", tz="Europe/London")
    put(tmp_path, "e.parquet", pd.DataFrame({"group": list("abab"), "when": when}))
    put(tmp_path, "l.csv", LABELS)
    code = (
        "from wsclust.events.reading import read_counts\n"
        "from wsclust.events.partial_counts import count_shard\n"
        "print(*read_counts('e.parquet', 'l.csv', 'when').bins['when'], sep=',')\n"
        "count_shard('e.parquet', 's.parquet', ['when'])\n"
    )
    env = os.environ | {"TZ": zone, "PYTHONPATH": str(SRC)}
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True)
    hours = [f"2024-10-{day} {hour}:00:00+00" for day, hour in ((26, 22), (26, 23), (27, "00"), (27, "01"))]
    assert run.stdout.split("\n")[0] == ",".join(hours), run.stderr
    assert (
        sorted(read_counts(tmp_path / "s.parquet", tmp_path / "l.csv", "when", count="n").bins["when"])
        == hours
    )


def test_scored_parquet_has_the_types_that_it_had(tmp_path):
    table = pa.table(
        {
            "x": ["1", "2", "3"],
            "hash": [b"\xff\x00", b"\x80", None],
            "took": pa.array([1, None, 3], pa.duration("us")),
            "when": pa.array([0, 1, 2], pa.timestamp("ms", "Europe/Paris")),
            "kind": pa.array(["b", "a", "b"]).dictionary_encode(),
            "parts": [[1], [], [2, 3]],
            "day": pa.array([1, 2, 3], pa.date32()),
            "price": pa.array([1, 2, 3], pa.decimal128(5, 2)),
        }
    )
    events = put(tmp_path, "e.parquet", table)
    known = put(tmp_path, "p.csv", "x,posterior\n1,0.25\n3,0.5\n")
    assert score_events(events, known, tmp_path / "s.parquet").without == 1
    scored = pq.read_table(tmp_path / "s.parquet")
    assert scored.drop_columns("posterior").equals(table)
    assert scored["posterior"].to_pylist() == [0.25, None, 0.5]
    score_events(events, known, tmp_path / "s.csv")
    lines = (tmp_path / "s.csv").read_text().splitlines()
    assert lines[1].startswith(r"1,\xFF\x00,1,1970-01-01 00:00:00+00,b,[1],1970-01-02,1.00,0.25")


def test_scored_files_with_text_and_a_dictionary_are_one(tmp_path):
    kinds = pd.DataFrame({"x": ["1", "2"], "kind": ["a", "b"]})
    put(tmp_path, "log/1.parquet", kinds.astype({"kind": "category"}))
    put(tmp_path, "log/2.parquet", kinds)
    put(tmp_path, "p.csv", "x,posterior\n1,0.25\n2,0.5\n")
    for first in ("1", "2"):
        score_events(tmp_path / "log", tmp_path / "p.csv", tmp_path / "s.parquet")
        scored = pd.read_parquet(tmp_path / "s.parquet")
        assert scored["kind"].tolist() == list("abab") and scored["posterior"].tolist() == [0.25, 0.5] * 2
        if first == "1":
            (tmp_path / "log/1.parquet").rename(tmp_path / "log/3.parquet")


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ([[1], [2]], "list"),
        ([{"a": 1}, {"a": 2}], "struct"),
        (pa.array([[("k", 1)], []], pa.map_(pa.string(), pa.int64())), "map"),
        (pa.array([1, 2], pa.duration("s")), r"duration\[s\]"),
    ],
)
def test_values_with_parts_are_no_names(tmp_path, values, named):
    events = put(tmp_path, "e.parquet", pa.table({"group": ["a", "b"], "x": ["1", "2"], "odd": values}))
    labels = put(tmp_path, "l.csv", LABELS)
    odd = put(tmp_path, "o.parquet", pa.table({"group": ["a", "b"], "label": values}))
    expected = rf"column '\w+' is of type {named}.*; expected text, numbers, dates or truth values: write "
    for arguments, options in (
        ((events, labels, ["odd"]), {}),
        ((events, labels, ["x"]), {"count": "odd"}),
        ((events, labels, ["x"]), {"group": "odd", "label_group": "group"}),
        ((events, odd, ["x"]), {}),
    ):
        assert re.search(expected, refusal(read_counts, *arguments, **options))
    assert re.search(expected, refusal(count_shard, events, tmp_path / "c.parquet", ["odd"]))
    known = put(tmp_path, "p.csv", "odd,posterior\n1,0.25\n")
    assert re.search(expected, refusal(score_events, events, known, tmp_path / "s.csv"))


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_whole_floats_and_truth_values_meet(tmp_path, ending):
    frame = pd.DataFrame({"group": [100.0, 0.0, 2.5], "x": [True, False, True]})
    events = tmp_path / f"e.{ending}"
    frame.to_csv(events, index=False) if ending == "csv" else frame.to_parquet(events)
    for names in ("100,0,2.5", "100.0,-0.0,2.5"):
        rows = "".join(f"{name},0.5\n" for name in names.split(","))
        data = read_counts(events, put(tmp_path, "l.csv", f"group,label\n{rows}"), ["x"])
        assert data.groups.tolist() == ["100", "0", "2.5"] and data.bins["x"].tolist() == ["false", "true"]
        assert data.counts.tolist() == [[0, 1], [1, 0], [0, 1]]
    assert "group '100' has more than one row, with 'label' 0.5 and 0.7" in refusal(
        read_counts,
        events,
        put(tmp_path, "l.csv", "group,label\n100,0.5\n0,0.5\n2.5,0.5\n100.0,0.7\n"),
        ["x"],
    )
    for spelling in ("true", "True", "TRUE"):
        known = put(tmp_path, "p.csv", f"x,group,posterior\n{spelling},100,0.25\nfalse,0.0,0.5\n")
        assert score_events(events, known, tmp_path / "s.csv").without == 1
        assert pd.read_csv(tmp_path / "s.csv")["posterior"].tolist()[:2] == [0.25, 0.5]


def test_shards_that_spell_a_level_otherwise_are_one_bin(tmp_path):
    put(tmp_path, "1.csv", "group,x\na,1.0\na,True\nb,1\n")
    put(tmp_path, "2.csv", "group,x\nb,1\na,true\n")
    parts = [tmp_path / "1.parquet", tmp_path / "2.parquet"]
    for part in parts:
        count_shard(part.with_suffix(".csv"), part, ["x"])
    add_counts(parts, tmp_path / "sum.parquet")
    data = read_counts(tmp_path / "sum.parquet", put(tmp_path, "l.csv", LABELS), ["x"], count="n")
    assert data.bins["x"].tolist() == ["1", "true"] and data.counts.tolist() == [[1, 2], [2, 0]]


def test_shards_of_other_columns_have_their_remedy(tmp_path):
    log = put(tmp_path, "log.csv", "group,x,y\na,1,2\nb,2,1\n")
    parts = [tmp_path / "1.parquet", tmp_path / "2.parquet"]
    for part, factors in zip(parts, (["x", "y"], ["y", "x"]), strict=True):
        count_shard(log, part, factors)
    message = refusal(add_counts, parts, tmp_path / "sum.parquet")
    assert message.endswith("; count all shards with the same --group and the same --factors in one order")


def test_a_shard_that_was_not_cut_is_not_added_to_one_that_was(tmp_path):
    log = put(tmp_path, "log.csv", "group,x\na,5\na,15\nb,25\n")
    parts = [tmp_path / "1.parquet", tmp_path / "2.parquet"]
    count_shard(log, parts[0], ["x"], cut={"x": [10, 20]}, missing="unknown")
    count_shard(log, parts[1], ["x"], missing="unknown")
    message = refusal(add_counts, parts, tmp_path / "sum.parquet")
    assert re.search(
        r"2\.parquet: column 'x' has '\d+', and '.*' in .*1\.parquet: .* with the same --cut", message
    )
    # Levels of the user's own may be numbers and a range above them.
    own = put(tmp_path, "own.csv", "group,x\na,1\na,2\nb,> 2\n")
    for part in parts:
        count_shard(own, part, ["x"])
    assert add_counts(parts, tmp_path / "sum.parquet") == 3


# Orders, cuts and empty values.


def test_levels_keep_the_order_of_their_categories(tmp_path):
    sizes = pd.Categorical(["M", "S", "L", "M"], ["S", "M", "L", "XL"], ordered=True)
    frame = pd.DataFrame({"group": list("abab"), "size": sizes})
    events, labels = put(tmp_path, "log/1.parquet", frame), put(tmp_path, "l.csv", LABELS)
    assert read_counts(events, labels, "size").bins["size"].tolist() == ["S", "M", "L"]
    given = {"size": ["L", "S", "M"]}
    assert read_counts(events, labels, "size", order=given).bins["size"].tolist() == given["size"]
    assert "'L' missing" in refusal(read_counts, events, labels, "size", order={"size": ["S", "M"]})
    assert "order of 'shape': no factor" in refusal(
        read_counts, events, labels, "size", order={"shape": ["S"]}
    )
    put(
        tmp_path,
        "log/2.parquet",
        frame.assign(size=frame["size"].cat.reorder_categories(["L", "S", "M", "XL"])),
    )
    assert "2.parquet: its levels are in another order" in refusal(
        read_counts, tmp_path / "log", labels, "size"
    )
    put(tmp_path, "log/2.parquet", frame.astype({"size": str}))
    assert read_counts(tmp_path / "log", labels, "size").bins["size"].tolist() == ["S", "M", "L"]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_cuts_and_missing_levels_come_back_in_scoring(tmp_path, ending):
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"group": rng.choice(list("ab"), 400), "size": rng.exponential(10, 400).round(1)})
    frame.loc[::7, "size"] = np.nan
    frame["kind"] = np.where(np.arange(400) % 5, "x", None)
    events, labels = tmp_path / f"e.{ending}", put(tmp_path, "l.csv", LABELS)
    frame.to_csv(events, index=False) if ending == "csv" else frame.to_parquet(events)
    edges = edges_of(events, {"size": 4})
    assert edges["size"] == pytest.approx(frame["size"].quantile([0.25, 0.5, 0.75]), abs=0.5)
    options = {"cut": edges, "missing": "unknown"}
    data = read_counts(events, labels, ["size", "kind"], **options)
    cut = pd.cut(frame["size"], [-np.inf, *edges["size"], np.inf], labels=False).fillna(4).astype(int)
    expected = pd.crosstab(frame["group"], [cut, frame["kind"].isna()]).sort_index(axis=1)
    found = data.bins["kind"].eq("unknown").to_numpy()
    order = np.lexsort((found, pd.factorize(data.bins["size"])[0]))
    assert np.array_equal(data.counts[:, order], expected.to_numpy())
    count_shard(events, tmp_path / "c.parquet", ["size", "kind"], **options)
    again = read_counts(tmp_path / "c.parquet", labels, ["size", "kind"], count="n")
    assert np.array_equal(again.counts, data.counts) and again.bins.equals(data.bins)
    known = data.bins.assign(posterior=np.linspace(0.1, 0.9, len(data.bins)))
    known.to_csv(tmp_path / "p.csv", index=False)
    scored = score_events(events, tmp_path / "p.csv", tmp_path / "s.csv", **options)
    assert scored.without == 0
    value = pd.read_csv(tmp_path / "s.csv")["posterior"].groupby([cut, frame["kind"].isna()]).unique()
    assert [len(v) for v in value] == [1] * len(known)
    assert np.concatenate(value.to_list()) == pytest.approx(known["posterior"].to_numpy()[order])
    assert "is empty" in refusal(read_counts, events, labels, ["size"])


def test_cuts_that_are_refused(tmp_path):
    events, labels = put(tmp_path, "e.csv", "group,x\na,1\nb,many\n"), put(tmp_path, "l.csv", LABELS)
    expected = (
        "e.csv: line 3: found 'many' in column 'x'; expected a number, as its column is cut into ranges"
    )
    assert expected in refusal(read_counts, events, labels, "x", cut={"x": [1]})
    assert expected in refusal(edges_of, events, {"x": 2})
    assert "cut of 'y': no factor" in refusal(read_counts, events, labels, "x", cut={"y": [1]})
    for parts in (1, 1001):
        said = refusal(edges_of, events, {"x": parts})
        assert f"{parts} parts; expected a whole number from 2 to 1,000" in said
    put(tmp_path, "e.csv", "group,x\na,1\nb,1\n")
    assert "too few distinct numbers for 3 parts" in refusal(edges_of, events, {"x": 3})
    assert "missing: an empty name" in refusal(read_counts, events, labels, "x", missing="")


# Groups and labels.


def test_a_group_column_of_another_name_in_the_labels(tmp_path):
    events = put(tmp_path, "e.csv", EVENTS)
    labels = put(tmp_path, "l.csv", LABELS.replace("group", "shop"))
    assert read_counts(events, labels, "x", label_group="shop").groups.tolist() == ["a", "b"]


def test_percentages_and_what_may_be_shares_are_not_mixed_in_silence(tmp_path):
    events = put(tmp_path, "e.csv", "group,x\na,1\nb,2\nc,1\n")
    for second, third in (("0.574", "0.6"), ("1", "1"), ("0.574", "57")):
        labels = put(tmp_path, "l.csv", f"group,label\na,57.4%\nb,{second}\nc,{third}\n")
        message = refusal(read_counts, events, labels, "x", percent=True)
        lines = "line 3, 4" if third != "57" else "line 3"
        assert f"l.csv: {lines}: group 'b': label '{second}' has no percent sign" in message
    for second, share in (("57.4", 0.574), ("0", 0), ("0.574%", 0.00574), ("1.5", 0.015)):
        labels = put(tmp_path, "l.csv", f"group,label\na,57.4%\nb,{second}\nc,20%\n")
        assert read_counts(events, labels, "x", percent=True).label == pytest.approx([0.574, share, 0.2])


def test_percentages_are_read_when_asked(tmp_path):
    events, labels = put(tmp_path, "e.csv", EVENTS), put(tmp_path, "l.csv", "group,rated\na,57%\nb,4.5 %\n")
    data = read_counts(events, labels, "x", label="rated", percent=True)
    assert data.label == pytest.approx([0.57, 0.045])
    message = refusal(read_counts, events, labels, "x", label="rated")
    assert "l.csv: line 2, 3: group 'a': rated '57%' is not a number" in message
    assert "write percentages as shares (57% is 0.57), or read them with percent" in message
    put(tmp_path, "l.csv", "group,rated\na,57\nb,4.5\n")
    assert read_counts(events, labels, "x", label="rated", percent=True).label == pytest.approx(data.label)
    assert "divide percentages in column 'rated' by 100" in refusal(
        read_counts, events, labels, "x", label="rated"
    )
    put(tmp_path, "l.csv", "group,rated\na,157%\nb,4.5\n")
    assert "rated 157% is not from 0 to 100 percent" in refusal(
        read_counts, events, labels, "x", label="rated", percent=True
    )


def test_what_is_not_utf8_is_said_of_what_it_is(tmp_path):
    events, labels = put(tmp_path, "e.csv", EVENTS), put(tmp_path, "l.csv", LABELS)
    message = refusal(read_counts, events, labels, "x", missing="\udcff")
    assert message == r"missing='\udcff': not in UTF-8; expected a level such as 'unknown'"
    odd = tmp_path / "bad\udcff.csv"
    try:
        odd.write_text(EVENTS)
    except OSError:
        pytest.skip("this file system has no such names")
    for paths in ((odd, labels), (events, odd)):
        odd.write_text(EVENTS if paths[0] is odd else LABELS)
        message = refusal(read_counts, *paths, "x")
        assert message == f"{odd}: a name that is not in UTF-8; rename the file or its folder"


def test_a_label_is_1_to_rounding(tmp_path):
    events, labels = put(tmp_path, "e.csv", EVENTS), tmp_path / "l.csv"
    put(tmp_path, "l.csv", "group,label\na,1.0000000002\nb,-0.0000000002\n")
    assert read_counts(events, labels, "x").label.tolist() == [1, 0]
    put(tmp_path, "l.csv", "group,label\na,1.00002\nb,0.4\n")
    message = refusal(read_counts, events, labels, "x")
    assert "it looks like rounding, so write 1" in message and "percent" not in message


def test_names_without_a_group_are_dropped_when_asked(tmp_path):
    events = put(tmp_path, "e.csv", EVENTS + ",1\n,2\n")
    labels = put(tmp_path, "l.csv", LABELS + ",0.5\n")
    data, said = warned(read_counts, events, labels, "x", drop_unlabelled=True)
    assert data.counts.tolist() == [[1, 0], [0, 1]] and len(said) == 1
    assert (
        "l.csv: 1 row with an empty 'group'" in said[0] and "e.csv: 2 rows with an empty 'group'" in said[0]
    )
    message = refusal(read_counts, events, labels, "x")
    assert "l.csv: line 4: column 'group' is empty" in message


def test_a_level_that_no_labelled_event_has_is_named(tmp_path):
    events, labels = put(tmp_path, "e.csv", EVENTS + "c,9\nc,1\n"), put(tmp_path, "l.csv", LABELS)
    data, said = warned(read_counts, events, labels, "x", drop_unlabelled=True)
    assert data.bins["x"].tolist() == ["1", "2"]
    assert said[1:] == ["factor 'x': no event with a label has '9'"]


def test_ratings_on_a_scale_are_no_percentages(tmp_path):
    events, labels = put(tmp_path, "e.csv", EVENTS), put(tmp_path, "l.csv", "group,label\na,3.64\nb,4.2\n")
    said = refusal(read_counts, events, labels, "x")
    assert (
        "none in column 'label' is above 4.2: turn ratings from 1 to 5 into shares by (rating - 1) / 4"
        in said
    )
    _, warnings = warned(read_counts, events, labels, "x", percent=True)
    assert any("has no label above 4.2 percent, as if they were ratings" in line for line in warnings)
    put(tmp_path, "l.csv", "group,label\na,3.64\nb,42\n")
    assert "turn ratings" not in refusal(read_counts, events, labels, "x")
    assert not warned(read_counts, events, labels, "x", percent=True)[1]


def test_names_that_lost_their_zeros_are_said_to_have(tmp_path):
    events = put(tmp_path, "e.csv", "group,x\n007,1\n008,2\n")
    labels = put(tmp_path, "l.csv", "group,label\n7,0.2\n8,0.4\n")
    for drop in (False, True):
        said = refusal(read_counts, events, labels, "x", drop_unlabelled=drop)
        assert "'007' and '7' differ in zeros in front" in said and said.endswith(
            "add the labels: no event has one"
        )
    frames = [pd.read_csv(events, dtype=str), pd.read_csv(labels)]
    with pytest.raises(ValueError, match="'007' and '7' differ in zeros in front"):
        GroupedCounts.from_events(*frames, ["x"])


def test_groups_that_do_not_meet_are_named_on_both_sides(tmp_path):
    events, labels = put(tmp_path, "e.csv", "group,x\nA\u00a0,1\nb,2\n"), put(tmp_path, "l.csv", LABELS)
    message = refusal(read_counts, events, labels, "x")
    assert r"without a label in" in message and "labels are there for 'a', 'b'" in message
    assert r"'A\xa0' and 'a' differ in case, blanks or Unicode form alone" in message
    _, said = warned(
        read_counts, put(tmp_path, "e.csv", EVENTS + "b,1\nB,1\n"), labels, "x", drop_unlabelled=True
    )
    assert "('B'; 'B' and 'b' differ in case" in said[0]


def test_levels_and_groups_that_look_the_same_are_named(tmp_path, capsys):
    rows = "a,red\nb,Red\nb,red \nB,blue\nb,re\u0301d\nb,r\u00e9d\n"
    events = put(tmp_path, "e.csv", "group,x\n" + rows)
    labels = put(tmp_path, "l.csv", LABELS + "B,0.3\n")
    data, said = warned(read_counts, events, labels, "x")
    assert len(data.bins) == 6 and len(said) == 2
    assert "factor 'x': levels that differ in case, blanks or Unicode form alone are counted apart" in said[0]
    assert "'Red' and 'red' and 'red '" in said[0] and r"'re\u0301d' and 'r\xe9d'" in said[0]
    assert "l.csv: groups that differ" in said[1] and "'b' and 'B'" in said[1]
    arguments = ["--labels", str(labels), "--factors", "x", "--subsamples", "0", "--no-check"]
    assert cli.main(["fit", str(events), *arguments, "--output", str(tmp_path / "p.csv")]) == 0
    assert "wsclust: warning: factor 'x': levels that differ" in capsys.readouterr().err


def test_a_count_that_is_not_used_is_named(tmp_path):
    events, labels = put(tmp_path, "e.csv", "group,x,n\na,1,9\nb,2,3\n"), put(tmp_path, "l.csv", LABELS)
    assert "column 'n' of the events is not used" in warned(read_counts, events, labels, "x")[1][0]
    assert warned(read_counts, events, labels, "x", count="n")[1] == []
    assert "column 'n' of the events" in warned(count_shard, events, tmp_path / "c.parquet", ["x"])[1][0]
    assert warned(count_shard, events, tmp_path / "c.parquet", ["x"], count="n")[1] == []
    put(tmp_path, "e.csv", "group,x,n\na,1,0.75\nb,2,0.25\n")
    assert "its fractions are 1 event in all" in warned(read_counts, events, labels, "x", count="n")[1][0]


# Files.

PARQUET = b"PAR1\x15\x04\x15"


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("e.csv", EVENTS.replace(",", "\t"), "separated by tabs .*the separator must be a comma"),
        ("e.csv", EVENTS.replace(",", "|"), "separated by bars .*the separator must be a comma"),
        ("e.csv", "\ufeff" + EVENTS.replace(",", ";"), "separated by semicolons"),
        ("e.csv", "sep=;\n" + EVENTS.replace(",", ";"), "line 1 is 'sep=;'.*the separator must be a comma"),
        ("e.csv", "\n" + EVENTS, "line 1 is blank; expected a header"),
        (
            "e.csv",
            "group,x\r\na,1\r\nb,2\na,1\r\n",
            "line 3 ends otherwise than line 1.*save the file with one",
        ),
        (
            "e.csv",
            gzip.compress(EVENTS.encode(), mtime=0),
            "packed with gzip; give it a name that ends in .csv.gz",
        ),
        ("e.csv.gz", EVENTS, "not packed with gzip"),
        ("e.csv", PARQUET, "not CSV but a Parquet file"),
        ("e.parquet", EVENTS, "not a Parquet file .*if it is CSV, give it a name that ends in .csv"),
        ("e.csv", b"PK\x03\x04\x14\0", "an Excel workbook"),
        ("e.csv", codecs.BOM_UTF16_LE + EVENTS.encode("utf-16-le"), "not UTF-8 text but UTF-16"),
        ("e.csv", EVENTS.encode("utf-16-be"), "not UTF-8 text but UTF-16"),
        ("e.csv", (EVENTS + "a,\u20ac\n").encode("cp1252"), "not UTF-8 text; save the file as UTF-8"),
    ],
)
def test_what_a_file_is_not_is_said(tmp_path, name, content, expected):
    message = refusal(read_counts, put(tmp_path, name, content), put(tmp_path, "l.csv", LABELS), "x")
    assert re.search(expected, message), message
    assert name in message


def test_a_separator_within_a_value_is_no_separator(tmp_path):
    events = put(tmp_path, "e.csv", "group,x;y\na,1;2\nb,3\n")
    assert read_counts(events, put(tmp_path, "l.csv", LABELS), "x;y").bins["x;y"].tolist() == ["1;2", "3"]


@pytest.mark.parametrize("damage", ["checksum", "cut", "bit"])
def test_a_packed_file_that_is_not_whole_is_refused(tmp_path, damage):
    content = gzip.compress((EVENTS + "a,1\n" * 5000).encode())
    damaged = {
        "checksum": content[:-8] + bytes(4) + content[-4:],
        "cut": content[:-9],
        "bit": content[:25] + bytes([content[25] ^ 1]) + content[26:],
    }[damage]
    events, labels = put(tmp_path, "e.csv.gz", damaged), put(tmp_path, "l.csv", LABELS)
    known = put(tmp_path, "p.csv", "x,posterior\n1,0.5\n")
    for function, rest in (
        (read_counts, (labels, "x")),
        (count_shard, (tmp_path / "c.parquet", ["x"])),
        (score_events, (known, tmp_path / "s.csv")),
    ):
        assert "e.csv.gz" in refusal(function, events, *rest)
    two = gzip.compress(EVENTS.encode(), mtime=0) + gzip.compress(b"a,1\n")
    assert read_counts(put(tmp_path, "e.csv.gz", two), labels, "x").counts.tolist() == [[2, 0], [0, 1]]


@pytest.mark.parametrize("ending", ["csv", "csv.gz"])
@pytest.mark.parametrize("rows", ["b,2,LONG\na,1,\n", "a,1,\nb,2,LONG\n", "a,1,\nb,2,LONG"])
def test_a_long_line_is_read(tmp_path, rows, ending):
    """DuckDB would leave out the last line, and say nothing, where it does not fit in a buffer."""
    content = ("group,x,note\n" + rows.replace("LONG", "q" * 2_100_000)).encode()
    events = put(
        tmp_path, f"e.{ending}", gzip.compress(content, 1, mtime=0) if ending == "csv.gz" else content
    )
    counts = read_counts(events, put(tmp_path, "l.csv", LABELS), "x").counts
    assert counts.tolist() == [[1, 0], [0, 1]]
    at_the_end = not rows.startswith("b")
    assert ends_in_long_line(str(put(tmp_path, "plain.csv", content)), 2_000_000) == at_the_end
    packed = put(tmp_path, "p.csv.gz", gzip.compress(content, 1, mtime=0))
    assert (refuse_damaged_gzip(packed) > 2_000_000) == at_the_end
    with pytest.raises(ValueError, match=r"plain.csv: line [23]: longer than 2,000,000 bytes"):
        refuse_longer_lines(str(tmp_path / "plain.csv"), 2_000_000)


def test_lines_are_those_of_an_editor(tmp_path):
    text = 'group,x\na,1\n\n"b","line\nbreak"\nb,2\n\n\na,\n'
    labels = put(tmp_path, "l.csv", LABELS)
    assert "e.csv: line 9: column 'x' is empty" in refusal(
        read_counts, put(tmp_path, "e.csv", text), labels, "x"
    )
    put(tmp_path, "log/1.csv", LABELS)
    put(tmp_path, "log/2.csv", "group,label\nc,0.5\na,0.5\nd,2\n")
    events = put(tmp_path, "e.csv", EVENTS)
    assert "2.csv: line 4: group 'd': label 2 is not in" in refusal(
        read_counts, events, tmp_path / "log", "x"
    )
    put(tmp_path, "log/2.csv", "group,label\nc,0.5\na,0.5\n")
    message = refusal(read_counts, events, tmp_path / "log", "x")
    assert re.search(
        r"1.csv: line 2; .*2.csv: line 3: group 'a' has more than one row, .* 0.8 and 0.5", message
    )


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_folders_named_column_and_value_are_a_column(tmp_path, ending):
    base = tmp_path / "run=3"
    for group, other in (("b%20c", "9"), ("a", "10")):
        frame = pd.DataFrame({"x": ["1", "2"]})
        path = base / f"g={group}/day={other}/part.{ending}"
        path.parent.mkdir(parents=True)
        frame.to_csv(path, index=False) if ending == "csv" else frame.to_parquet(path)
    labels = put(tmp_path, "l.csv", "g,label\na,0.8\nb c,0.4\n")
    pattern = base / "**" / f"*.{ending}"
    data = read_counts(pattern, labels, ["day", "x"], group="g")
    assert data.groups.tolist() == ["a", "b c"] and data.counts.tolist() == [[0, 0, 1, 1], [1, 1, 0, 0]]
    assert data.bins["day"].tolist() == ["9", "9", "10", "10"]
    known = put(tmp_path, "p.csv", "day,posterior\n9,0.5\n10,0.25\n")
    for output in (tmp_path / "s.csv", tmp_path / "s.parquet"):
        score_events(pattern, known, output)
        scored = pd.read_csv(output) if output.suffix == ".csv" else pd.read_parquet(output)
        assert scored.columns.tolist() == ["x", "g", "day", "posterior"]
        assert scored["g"].tolist() == ["a", "a", "b c", "b c"]
        assert scored["posterior"].tolist() == [0.25, 0.25, 0.5, 0.5]
    assert "no column 'run'" in refusal(read_counts, pattern, labels, ["run"], group="g")


def test_why_a_name_stands_for_no_file_is_said(tmp_path, monkeypatch):
    labels = put(tmp_path, "l.csv", LABELS)
    put(tmp_path, "log [1]/a.csv", EVENTS)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert "a URL" in refusal(read_counts, "https://example.org/e.csv", labels, "x")
    assert f"write '{tmp_path}/e.csv'" in refusal(read_counts, "~/e.csv", labels, "x")
    assert "no folder" in refusal(read_counts, tmp_path / "nowhere" / "e.csv", labels, "x")
    message = refusal(read_counts, tmp_path / "log [1]" / "*.csv", labels, "x")
    assert "brackets and stars make a pattern of a folder's name" in message
    assert read_counts(re.search(r"write '(.+)'", message)[1], labels, "x").counts.sum() == 2


def test_a_path_with_an_accent_is_read_under_any_settings(tmp_path):
    events, labels = put(tmp_path, "journ\u00e9e/e.csv", EVENTS), put(tmp_path, "l.csv", LABELS)
    put(tmp_path, "p.csv", "x,posterior\n1,0.5\n")
    env = {**os.environ, "PYTHONPATH": str(SRC), "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for command in (
        ["fit", events, "--labels", labels, "--factors", "x", "--no-check", "--subsamples", "0"],
        ["score", events, "--posterior", tmp_path / "p.csv"],
    ):
        output = tmp_path / "journ\u00e9e" / "o.csv"
        command = [sys.executable, "-m", "wsclust.cli", *map(str, command), "--output", str(output)]
        run = subprocess.run(command, env=env, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        output.unlink()


def test_events_that_all_have_no_posterior_are_refused(tmp_path, capsys):
    events = put(tmp_path, "e.csv", EVENTS)
    known = put(tmp_path, "p.csv", "x,posterior\nI,0.5\nII,0.25\n")
    command = ["score", str(events), "--posterior", str(known), "--output", str(tmp_path / "s.csv")]
    assert cli.main(command) == 2 and not (tmp_path / "s.csv").exists()
    error = capsys.readouterr().err
    assert "the events are in ('1'), ('2'), and posteriors are there for ('I'), ('II')" in error


# Outputs.


def test_an_output_keeps_links_and_permissions(tmp_path):
    target = put(tmp_path, "share/real.csv", "old")
    target.chmod(0o600)
    (tmp_path / "link.csv").symlink_to("share/real.csv")
    with replacing(tmp_path / "link.csv") as temporary:
        temporary.write_text("new")
    assert (tmp_path / "link.csv").is_symlink() and target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o600
    (tmp_path / "dangling.csv").symlink_to("share/later.csv")
    with replacing(tmp_path / "dangling.csv") as temporary:
        temporary.write_text("new")
    assert (tmp_path / "share/later.csv").read_text() == "new"


def test_outputs_that_cannot_be_replaced_are_refused(tmp_path, capsys):
    events, known = put(tmp_path, "e.csv", EVENTS), put(tmp_path, "p.csv", "x,posterior\n1,0.5\n")
    put(tmp_path, "read.csv", "keep").chmod(0o444)
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "null.csv").symlink_to("/dev/null")
    for name, expected in (
        ("read", "read-only"),
        ("pipe", "a pipe, a socket or a device"),
        ("null", "a device"),
    ):
        output = tmp_path / f"{name}.csv"
        command = ["score", str(events), "--posterior", str(known), "--output", str(output)]
        assert cli.main(command) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1 and f"{output}: " in error and expected in error and "--output" in error
        with pytest.raises(ValueError, match=expected), replacing(output):
            pass
    assert (tmp_path / "read.csv").read_text() == "keep" and (tmp_path / "pipe.csv").is_fifo()


def test_what_a_killed_process_left_is_removed_when_the_file_is_next_written(tmp_path):
    killed = f"import os; from wsclust.tables import replacing\nwith replacing('{tmp_path}/a.csv') as path:\n"
    killed += "    path.write_text('half'); os.kill(os.getpid(), 9)\n"
    assert subprocess.run([sys.executable, "-c", killed]).returncode == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    living = left.with_name(left.name.replace(left.suffixes[-2], f".{os.getppid()}"))
    living.write_text("of another process")
    with replacing(tmp_path / "a.csv") as temporary:
        temporary.write_text("whole")
    assert sorted(tmp_path.iterdir()) == sorted([living, tmp_path / "a.csv"])
