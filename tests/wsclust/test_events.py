"""Event files to counts: the same counts from every way of writing them, and one line on what is wrong."""

import gzip
import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wsclust import cli
from wsclust.columns.names import spelled
from wsclust.counts import GroupedCounts
from wsclust.events import files as event_files
from wsclust.events import memory
from wsclust.events import reading as events
from wsclust.events.partial_counts import count_shard

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")
FACTORS = ["level", "shape", "colour"]


def log(n_events=3000, n_groups=40, seed=3):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "group": [f"q{i:03d}" for i in np.r_[np.arange(n_groups), rng.integers(0, n_groups, n_events)]],
            "level": rng.choice(list("12345"), n_events + n_groups),
            "shape": rng.choice(["NA", "two words ", 'a "b", c', "line\nbreak"], n_events + n_groups),
            "colour": rng.choice(["red", "bleu", "é"], n_events + n_groups),
        }
    )
    order = rng.permutation(n_groups)
    labels = pd.DataFrame({"group": [f"q{i:03d}" for i in order], "label": rng.random(n_groups)})
    return frame, labels


def write(frame, path):
    if path.suffix == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index=False)
    return path


def same(a, b):
    assert list(map(str, a.groups)) == list(map(str, b.groups))
    assert np.array_equal(a.counts, b.counts)
    assert np.array_equal(a.label, b.label)
    assert a.bins.astype(str).equals(b.bins.astype(str))


def files(folder, log_text, label_text="group,label\na,0.8\nb,0.4\n"):
    (folder / "events.csv").write_bytes(log_text if isinstance(log_text, bytes) else log_text.encode())
    (folder / "labels.csv").write_bytes(label_text if isinstance(label_text, bytes) else label_text.encode())
    return folder / "events.csv", folder / "labels.csv"


def refusal(*args, **options):
    with pytest.raises(ValueError) as caught:
        events.read_counts(*args, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize("kind", ["csv", "csv.gz", "parquet"])
@pytest.mark.parametrize("shards", [1, 50])
def test_every_way_of_writing_gives_the_counts_of_the_frame(tmp_path, kind, shards):
    frame, labels = log()
    expected = GroupedCounts.from_events(frame, labels, FACTORS)
    write(labels, tmp_path / "labels.csv")
    shuffled = frame.sample(frac=1, random_state=1)[["colour", "group", "level", "shape"]]
    folder = tmp_path / "log [1]*"  # the characters of patterns are names here
    folder.mkdir()
    (folder / "_SUCCESS").touch()
    for i in range(shards):
        write(shuffled.iloc[i::shards], folder / f"part-{i:02d}.{kind}")
    same(events.read_counts(folder, tmp_path / "labels.csv", FACTORS), expected)
    with_pattern = os.path.join(event_files.glob.escape(str(folder)), f"part-*.{kind}")
    same(events.read_counts(with_pattern, tmp_path / "labels.csv", FACTORS, threads=1), expected)


def test_codes_frames_and_files_agree(tmp_path):
    rng = np.random.default_rng(5)
    group, bins, label = rng.integers(0, 30, 2000), rng.integers(0, 12, 2000), rng.random(30)
    by_code = GroupedCounts.from_codes(group, bins, label, n_bins=12)
    frame = pd.DataFrame({"group": group, "bin": bins})
    labels = pd.DataFrame({"group": np.arange(30), "label": label})
    by_frame = GroupedCounts.from_events(frame, labels, ["bin"])
    assert np.array_equal(by_code.counts, by_frame.counts)
    for path in (write(frame, tmp_path / "e.csv"), write(frame, tmp_path / "e.parquet")):
        for rated in (write(labels, tmp_path / "l.csv"), write(labels, tmp_path / "l.parquet")):
            same(events.read_counts(path, rated, "bin"), by_frame)


def test_frames_and_codes_refuse_what_files_refuse():
    with pytest.raises(ValueError, match=r"bin codes are float64; expected integers"):
        GroupedCounts.from_codes([0, 1], [0.5, 1.0], label=[0.5, 0.5], n_bins=2)
    labels = pd.DataFrame({"group": ["a", "b"], "label": 0.5})
    for n, x, message in (
        ([1, -1, 3], "112", r"column 'n' is '-1' in row 2"),
        (["1", "2", "many"], "112", r"column 'n' is 'many' in row 3"),
        ([1, 2, 3], ["1", "", "2"], r"column 'x' is empty in row 2"),
    ):
        frame = pd.DataFrame({"group": list("aab"), "x": list(x), "n": n})
        with pytest.raises(ValueError, match=message):
            GroupedCounts.from_events(frame, labels, ["x"], count="n")


# `True` and `1.0` are other spellings of names, which tests of their own are about.
text = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=5).filter(
    lambda name: spelled(name) == name
)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.tuples(text, text, text), min_size=2, max_size=20))
def test_any_text_stays_itself(tmp_path, rows):
    frame = pd.DataFrame(rows, columns=["group", "f", "g"])
    if len(frame[["f", "g"]].drop_duplicates()) < 2:
        return
    labels = pd.DataFrame({"group": frame["group"].unique(), "label": 0.5})
    expected = frame.groupby(["group", "f", "g"]).size().to_dict()
    for kind in ("csv", "parquet"):
        paths = [tmp_path / f"{name}.{kind}" for name in ("events", "labels")]
        for table, path in zip((frame, labels), paths, strict=True):
            # pandas leaves a lone " " or "#" unquoted, as it should; quote all that CSV would trim.
            table.to_parquet(path) if kind == "parquet" else table.to_csv(path, index=False, quoting=1)
        data = events.read_counts(*paths, ["f", "g"])
        assert list(data.groups) == list(labels["group"])
        found = {
            (group, *data.bins.iloc[k]): data.counts[i, k]
            for i, group in enumerate(data.groups)
            for k in np.flatnonzero(data.counts[i])
        }
        assert found == expected


def test_a_table_of_counts_equals_its_events(tmp_path):
    frame, labels = log(500)
    table = frame.groupby(["group", *FACTORS]).size().rename("n").reset_index()
    rated = write(labels, tmp_path / "labels.csv")
    expected = events.read_counts(write(frame, tmp_path / "events.csv"), rated, FACTORS)
    for name in ("table.csv", "table.parquet"):
        same(events.read_counts(write(table, tmp_path / name), rated, FACTORS, count="n"), expected)


def test_a_bin_whose_counts_are_all_0_does_not_occur(tmp_path):
    paths = files(tmp_path, "group,x,n\na,1,0\na,2,3\nb,1,0.0\nb,2,1\nb,3,2\n")
    count_shard(paths[0], tmp_path / "counts.parquet", ["x"], count="n")
    frames = GroupedCounts.from_events(*map(pd.read_csv, paths), ["x"], count="n")
    for log_path in (paths[0], tmp_path / "counts.parquet"):
        data = events.read_counts(log_path, paths[1], ["x"], count="n")
        assert data.bins["x"].tolist() == ["2", "3"] and data.bins.index.tolist() == [0, 1]
        assert data.counts.tolist() == [[3, 0], [1, 2]]
        same(data, frames)
    assert "1 bin: nothing to tell apart" in refusal(
        *files(tmp_path, "group,x,n\na,1,0\na,2,3\nb,2,1\n"), ["x"], count="n"
    )


def test_names_are_text(tmp_path):
    paths = files(tmp_path, "group,x\n007,NA\n7, a\n7,null\n", "group,label\n007,0.1\n7,.9\n")
    data = events.read_counts(*paths, ["x"])
    assert data.groups.tolist() == ["007", "7"]
    assert data.bins["x"].tolist() == [" a", "NA", "null"]
    integers = pd.DataFrame({"group": [7, 7], "x": [True, False]})
    message = refusal(write(integers, tmp_path / "e.parquet"), paths[1], ["x"])
    assert "1 label without events" in message and "'007'" in message
    floats = write(pd.DataFrame({"group": [7.0, 7.0], "x": [1, 2]}), tmp_path / "f.parquet")
    assert "1 label without events" in refusal(floats, paths[1], ["x"])  # 7.0 is 7
    paths[1].write_text("group,label\n7,0.1\n")
    assert events.read_counts(floats, paths[1], ["x"]).groups.tolist() == ["7"]


def test_whole_numbers_sort_as_numbers_and_other_levels_as_text(tmp_path):
    rows = "".join(f"a,{x},{y}\nb,{x},{y}\n" for x, y in [(10, "v10"), (-9, "v9"), (1, "v1"), ("01", "w")])
    data = events.read_counts(*files(tmp_path, "group,x,y\n" + rows), ["x", "y"])
    assert data.bins["x"].tolist() == ["-9", "01", "1", "10"]
    data = events.read_counts(*files(tmp_path, "group,x,y\n" + rows), ["y"])
    assert data.bins["y"].tolist() == ["v1", "v10", "v9", "w"]


@pytest.mark.parametrize(
    "raw",
    [
        b"\xef\xbb\xbfgroup,x\na,1\nb,2\n",
        b"group,x\r\na,1\r\nb,2\r\n",
        b"group,x\na,1\n\nb,2\n\n",
        b'group,x\n"a","1"\nb,2',
        b"x,Group,group\n1,z,a\n2,z,b\n",
        b"a b,x,a b,group\n9,1,9,a\n9,2,9,b\n",
    ],
)
def test_csv_that_is_read(tmp_path, raw):
    data = events.read_counts(*files(tmp_path, raw), ["x"])
    assert data.counts.tolist() == [[1, 0], [0, 1]]


def test_a_factor_may_be_called_group_or_file(tmp_path):
    paths = files(tmp_path, "query,group,file,my count\na,u,1,2\nb,v,1,3\n", "query,share\nb,0.4\na,0.8\n")
    data = events.read_counts(*paths, ["group", "file"], group="query", label="share", count="my count")
    assert data.counts.tolist() == [[0, 3], [2, 0]]
    assert data.bins.columns.tolist() == ["group", "file"]
    parquet = write(pd.read_csv(paths[0]), tmp_path / "e.parquet")
    same(
        events.read_counts(
            parquet, paths[1], ["group", "file"], group="query", label="share", count="my count"
        ),
        data,
    )


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("group,x\n", "no rows below the header"),
        ("", "empty; expected a header"),
        ("group;x\na;1\n", r"separated by semicolons \(line 1: 'group;x'\); the separator must be a comma"),
        ("group,y,z\na,1,2\n", r"no column 'x'; .*there are 'group', 'y', 'z'"),
        ("group,x,x\na,1,2\n", "2 columns 'x'"),
        ("group,x\na,1\na,\nb,1\nb,\nb,\nb,\n", r"line 3, 5, 6 and 1 more: column 'x' is empty"),
        ("group,x\na,1\n,2\nb,1\n", r"line 3: column 'group' is empty"),
        ("group,x\na,1\nb\nb,2\n", "line 3: 1 values; expected 2"),
        ("group,x\na,1\nb,2,3\n", "line 3: 3 values; expected 2"),
        ('group,x\na,1\nb,"2\n', "line 3: a quote is opened"),
        ("group,x\na,1\r\nb,2\n", "one kind of line ending"),
        ("group,x\na,1\nb,2\0\n", "line 3: column 'x' holds a NUL byte"),
        ("group,x\na,1\nb,é\n".encode("latin-1"), "not UTF-8 text"),
        ("group,x\n" + "a,1\n" * 9000 + "b,é\n", None),
        (("group,x\n" + "a,1\n" * 9000 + "b,é\n").encode("latin-1"), "line 9002: not UTF-8 text"),
        ("group,x\na,1\n".encode("utf-16"), "not UTF-8 text"),
        ("group,x\na,1\nb,2\nc,1\nc,2\nd,1\n", "3 rows of 2 groups without a label in .*'c', 'd'"),
        ("group,x\na,1\na,2\n", "1 label without events in .*'b'"),
        ("group,x\na,1\nb,1\n", "1 bin"),
    ],
)
def test_events_that_are_refused(tmp_path, raw, expected):
    paths = files(tmp_path, raw)
    if expected is None:
        assert events.read_counts(*paths, ["x"]).sizes.tolist() == [9000, 1]
        return
    message = refusal(*paths, ["x"])
    assert re.search(expected, message), message
    assert "events.csv" in message or expected == "1 bin"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("group,label\n", "no rows below the header"),
        ("group,label\na,0.5\nb,high\n", "line 3: group 'b': label 'high' is not a number"),
        ("group,label\na,80\nb,40\n", r"line 2, 3: group 'a': label 80 is not in \[0, 1\]; .*divide"),
        ("group,label\na,nan\nb,0.1\n", "line 2: .*label 'nan' is not a number"),
        ("group,label\na,inf\nb,0.1\n", "line 2: .*label 'inf' is not a number"),
        ("group,label\na,0.1_5\nb,0_5\n", "line 2, 3: .*label '0.1_5' is not a number"),
        ("group,label\na,-0.1\nb,0.1\n", r"line 2: .*label -0.1 is not in \[0, 1\]; .*such as 0.25$"),
        ("group,label\na,101\nb,0.1\n", r"line 2: .*label 101 is not in \[0, 1\]; .*such as 0.25$"),
        ('group,label\na,"0,5"\nb,0.1\n', "label '0,5' is not a number"),
        ("group,label\na,\nb,0.1\n", "line 2: column 'label' is empty for group 'a'"),
        ("group,label\na,0.5\n,0.1\n", "line 3: column 'group' is empty"),
        ("group,label\na,0.5\nb,0.1\na,0.5\n", "line 2, 4: group 'a' has more than one row"),
        ("group,rating\na,1\nb,0\n", r"no column 'label'; .*'rating'"),
    ],
)
def test_labels_that_are_refused(tmp_path, raw, expected):
    message = refusal(*files(tmp_path, "group,x\na,1\nb,2\n", raw), ["x"])
    assert re.search(expected, message), message
    assert "labels.csv" in message


@pytest.mark.parametrize("value", ["-1", "many", "nan", "inf", "", "1_0", "1e308", "9" * 22])
def test_counts_that_are_refused(tmp_path, value):
    paths = files(tmp_path, f"group,x,n\na,1,5\na,1,{value}\nb,2,1\n")
    message = refusal(*paths, ["x"], count="n")
    assert f"events.csv: line 3: found {value!r} in column 'n'" in message


def test_numbers_that_are_read(tmp_path):
    rows = "".join(f"a,1,{n}\n" for n in ("2", "+2", " 2", "2.", ".5", "1.5E0", "20e-1", 2**53 - 20))
    labels = "group,label\na, .5\nb,1e-1\n"
    data = events.read_counts(*files(tmp_path, f"group,x,n\n{rows}b,2,1\n", labels), ["x"], count="n")
    assert data.counts.tolist() == [[2**53 - 8, 0], [0, 1]] and data.label.tolist() == [0.5, 0.1]
    frame = pd.DataFrame({"group": ["a", "b"], "x": ["1", "2"], "n": [1, 2**53]})
    message = refusal(write(frame, tmp_path / "e.parquet"), tmp_path / "labels.csv", ["x"], count="n")
    assert "row 2: found 9007199254740992 in column 'n'" in message and "below 2^53" in message


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('a,5"\nb,1\n', None),  # a quote within a value is text, an odd number of them too
        ('a,5"\n"b,1\nc,2\n', 3),
        ('a,"x\n""y"", z\n"\nb, "1"\n"c",""\n', None),
        ('a,"x\n""y""\nb,1\n', 2),
        ('a,"x,"",y\n"\n"b,1"" ', 4),
        ('a,"x"\r\n"b",1\r\n"c', 4),
    ],
)
@pytest.mark.parametrize("ending", ["csv", "csv.gz"])
def test_one_thread_refuses_an_open_quote(tmp_path, text, line, ending):
    path = tmp_path / f"events.{ending}"
    raw = f"group,x\n{text}".encode()
    path.write_bytes(gzip.compress(raw) if ending == "csv.gz" else raw)
    table = event_files.open_table(path, ["group", "x"])
    if line is None:
        assert not table.unshared().shared
        return
    with pytest.raises(ValueError, match=f"events.{ending}: line {line}: a quote is opened and not closed"):
        table.unshared()


def test_rows_are_named_within_their_own_shard(tmp_path):
    files(tmp_path, "group,x\n")
    folder = tmp_path / "log"
    folder.mkdir()
    for kind in ("csv", "parquet"):
        for i in range(3):
            frame = pd.DataFrame({"group": list("abab"), "x": ["1", "2", None if i == 1 else "1", "2"]})
            write(frame, folder / f"{i}.{kind}")
        message = refusal(folder / f"*.{kind}", tmp_path / "labels.csv", ["x"])
        where = "line 4" if kind == "csv" else "row 3"
        assert f"1.{kind}: {where}: column 'x' is empty" in message


def test_files_that_are_refused(tmp_path):
    log_path, rated = files(tmp_path, "group,x\na,1\nb,2\n")
    good = write(pd.read_csv(log_path), tmp_path / "good.parquet")
    assert "no such file" in refusal(tmp_path / "none.csv", rated, ["x"])
    assert "no such file" in refusal(log_path, tmp_path / "none.csv", ["x"])
    assert "CSV and Parquet mixed" in refusal(tmp_path, rated, ["x"])
    with gzip.open(tmp_path / "events.csv.gz", "wt") as packed:
        packed.write("group,x\na,1\nb,2\n")
    message = refusal(tmp_path / "events.csv*", rated, ["x"])
    assert "events.csv is there too, and events in both would count twice; remove one" in message
    (tmp_path / "log.txt").write_text("group,x\n")
    assert "what kind of file" in refusal(tmp_path / "log.txt", rated, ["x"])
    (tmp_path / "folder").mkdir()
    assert "found nothing" in refusal(tmp_path / "folder", rated, ["x"])
    (tmp_path / "folder.csv").mkdir()
    assert "found nothing" in refusal(tmp_path / "folder.csv", rated, ["x"])
    raw = good.read_bytes()
    for name, content in (
        ("cut.parquet", raw[:-20]),
        ("zero.parquet", b""),
        ("torn.parquet", raw[:4] + bytes(60) + raw[64:]),
        ("cut.csv.gz", gzip.compress(os.urandom(50_000).hex().encode())[:300]),
        ("fake.csv.gz", b"group,x\na,1\n"),
        ("bad.csv.gz", gzip.compress(b"group,x\na,1\n")[:10] + b"\xff" * 20),
    ):
        (tmp_path / name).write_bytes(content)
        assert name in refusal(tmp_path / name, rated, ["x"])


@pytest.mark.parametrize("ending", ["csv", "CSV.gz", "parquet"])
def test_a_folder_within_a_folder_is_refused_with_the_pattern_that_reads_it(tmp_path, ending):
    rated = files(tmp_path, "")[1]
    folder = tmp_path / "log"
    for name in (f"a.{ending}", "docs/readme.txt", ".old/a.csv", f"2024/q1/b.{ending}"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    frame = pd.DataFrame({"group": list("abab"), "x": list("1213")})
    write(frame, folder / f"a.{ending.lower()}").rename(folder / f"a.{ending}")
    shutil.copy(folder / f"a.{ending}", folder / f"2024/q1/b.{ending}")
    message = refusal(folder, rated, ["x"])
    assert f"q1/b.{ending} is in a folder within it" in message and f"'{folder}/*.{ending}'" in message
    pattern = re.search(r"all files with '([^']+)'", message)[1]
    assert events.read_counts(pattern, rated, ["x"]).counts.sum() == 8
    assert events.read_counts(folder / f"*.{ending}", rated, ["x"]).counts.sum() == 4
    (folder / f"a.{ending}").unlink()
    assert f"q1/b.{ending} is in a folder within it" in refusal(folder, rated, ["x"])
    shutil.rmtree(folder / "2024")
    assert "found docs" in refusal(folder, rated, ["x"])


def test_a_file_that_may_not_be_read(tmp_path, monkeypatch):
    def denied(*args, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("wsclust.events.text_files.open", denied, raising=False)
    assert "labels.csv: cannot be read" in refusal(*files(tmp_path, "group,x\na,1\nb,2\n"), ["x"])


def test_shards_that_differ_are_refused(tmp_path):
    rated = files(tmp_path, "")[1]
    folder = tmp_path / "log"
    folder.mkdir()
    (folder / "1.csv").write_text("group,x\na,1\n")
    (folder / "2.csv").write_text("x,group\n1,b\n")
    assert "2.csv: its columns are not those of" in refusal(folder / "*.csv", rated, ["x"])
    write(pd.DataFrame({"group": ["a", "b"], "x": [7, 8]}), folder / "1.parquet")
    write(pd.DataFrame({"group": ["a", "b"], "x": ["007", "8"]}), folder / "2.parquet")
    assert "column 'x' is string, and int64 in" in refusal(folder / "*.parquet", rated, ["x"])
    # A categorical column is text like any other.
    write(pd.DataFrame({"group": ["a", "b"], "x": ["7", "8"]}), folder / "1.parquet")
    write(pd.DataFrame({"group": ["a", "b"], "x": pd.Categorical(["7", "9"])}), folder / "2.parquet")
    assert events.read_counts(folder / "*.parquet", rated, ["x"]).bins["x"].tolist() == ["7", "8", "9"]


def test_parquet_types(tmp_path):
    rated = files(tmp_path, "")[1]
    frame = pd.DataFrame(
        {
            "group": ["a", "b"],
            "big": np.array([2**63 + 1, 5], dtype=np.uint64),
            "real": [1.5, 2.0],
            "day": pd.to_datetime(["2024-02-01", "2023-01-01"]),
            "missing": [1.0, np.nan],
            "bytes": [b"x", b"y"],
        }
    )
    path = write(frame, tmp_path / "e.parquet")
    for factor, levels in (
        ("big", ["5", "9223372036854775809"]),
        ("real", ["1.5", "2"]),
        ("day", ["2023-01-01 00:00:00", "2024-02-01 00:00:00"]),
        ("bytes", ["x", "y"]),
    ):
        data = events.read_counts(path, rated, [factor])
        assert sorted(data.bins[factor]) == sorted(levels), factor
    assert "row 2: column 'missing' is empty" in refusal(path, rated, ["missing"])


def test_unlabelled_groups_are_dropped_when_asked(tmp_path):
    paths = files(
        tmp_path,
        "group,x\na,1\nb,2\nc,3\nc,1\n,1\n",
        "group,label\nz,0.1\na,0.8\nb,0.4\n",
    )
    assert "line 6: column 'group' is empty" in refusal(*paths, ["x"])
    expected = r"1 row with an empty 'group'; .*2 rows of 1 group without a label \('c'\).*1 label .*'z'"
    with pytest.warns(UserWarning, match=expected) as w:
        data = events.read_counts(*paths, ["x"], drop_unlabelled=True)
    assert w[0].filename == __file__
    assert data.groups.tolist() == ["a", "b"]
    assert data.bins["x"].tolist() == ["1", "2"]
    assert data.counts.tolist() == [[1, 0], [0, 1]]


def test_an_empty_label_is_none_when_asked(tmp_path):
    paths = files(tmp_path, "group,x\na,1\nb,2\nc,2\n", "group,label\nb,\nc,0.4\nz,\na,0.8\n")
    assert "leave the group out with drop_unlabelled" in refusal(*paths, ["x"])
    with pytest.warns(UserWarning, match=r"1 row of 1 group without a label \('b'\)"):
        data = events.read_counts(*paths, ["x"], drop_unlabelled=True)
    assert data.groups.tolist() == ["c", "a"] and data.label.tolist() == [0.4, 0.8]
    paths[1].write_text("group,label\na,\nb,\nc,\n")
    assert "'label' is empty in every row" in refusal(*paths, ["x"], drop_unlabelled=True)


def test_arguments_that_are_refused(tmp_path):
    paths = files(tmp_path, "group,x\na,1\nb,2\n")
    assert "'group' is named twice" in refusal(*paths, ["group"])
    assert "no factor" in refusal(*paths, [])
    assert "memory_limit=lots" in refusal(*paths, ["x"], memory_limit="lots")
    assert "threads=-1: expected 1 or more" in refusal(*paths, ["x"], threads=-1)
    assert "threads=0: expected 1 or more" in refusal(*paths, ["x"], threads=0)
    assert len(events.read_counts(*paths, ["x"], threads=10**9).groups) == 2


def test_counts_that_would_not_fit_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 50)
    message = refusal(*files(tmp_path, "group,x\na,1\nb,2\n"), ["x"])
    assert "2 groups x 2 bins need 64 bytes and 50 are available" in message


def test_counts_that_fit_where_a_fit_may_not_are_read_with_a_warning(tmp_path, monkeypatch, capsys):
    paths = files(tmp_path, "group,x\na,1\na,2\nb,1\n")
    monkeypatch.setattr(memory, "available_memory", lambda: 100)
    with pytest.warns(memory.TightMemory, match="2 groups x 2 bins: a fit takes up to 192 bytes and 100 are"):
        events.read_counts(*paths, ["x"])
    command = ["fit", str(paths[0]), "--labels", str(paths[1]), "--factors", "x", "--half-samples", "0"]
    assert cli.main([*command, "--output", str(tmp_path / "p.csv")]) == 0
    assert "wsclust: warning: 2 groups x 2 bins: a fit takes" in capsys.readouterr().err


def test_too_small_a_memory_limit_is_named(tmp_path):
    groups = [f"{'long name ' * 5}{i}" for i in range(100_000)]
    paths = (
        write(pd.DataFrame({"group": groups, "x": "1"}), tmp_path / "events.parquet"),
        write(pd.DataFrame({"group": groups, "label": 0.5}), tmp_path / "labels.csv"),
    )
    message = refusal(*paths, "x", memory_limit="4MB", threads=2)
    assert "memory limit too small" in message and "raise memory_limit" in message


def test_without_duckdb_the_remedy_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(ImportError, match="pip install duckdb pyarrow"):
        events.read_counts(*files(tmp_path, "group,x\na,1\nb,2\n"), ["x"])


def test_importing_does_not_load_duckdb():
    code = (
        "import sys, wsclust.events.reading; print('duckdb' in sys.modules, 'pyarrow.parquet' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["False", "False"]


def test_nothing_is_left_behind(tmp_path, monkeypatch):
    paths = files(tmp_path, "group,x\na,1\nb,2\n")
    monkeypatch.chdir(tmp_path)
    events.read_counts(*paths, ["x"])
    assert sorted(os.listdir()) == ["events.csv", "labels.csv"]


def test_quoted_line_breaks_and_label_order_across_buffers(tmp_path):
    # 45 MB and more than one row group: DuckDB reads CSV in pieces of 32 MB, which two threads share.
    n, pad = 200_000, "p" * 80
    rows = (f'"name\nof {i}",{pad},u\n"name\nof {i}",{pad},"v\nv"\n' for i in range(n))
    order = np.random.default_rng(2).permutation(n)
    rated = "".join(f'"name\nof {i}",{(i + 0.5) / n}\n' for i in order)
    paths = files(tmp_path, "group,pad,x\n" + "".join(rows), "group,label\n" + rated)
    data = events.read_counts(*paths, ["x"], threads=2)
    assert data.groups.tolist() == [f"name\nof {i}" for i in order]
    assert data.bins["x"].tolist() == ["u", "v\nv"]
    assert (data.counts == 1).all()
    assert np.array_equal(np.floor(data.label * n).astype(int), order)


def test_links_and_hidden_folders_add_nothing(tmp_path):
    inner = tmp_path / "log" / "inner"
    (tmp_path / "log" / "_temporary").mkdir(parents=True)
    inner.mkdir()
    table = "group,x\na,1\nb,2\n"
    for file in (inner / "a.csv", tmp_path / "log" / "_temporary" / "b.csv"):
        file.write_text(table)
    (inner / "b.csv").symlink_to(inner / "a.csv")
    (inner / "up").symlink_to(tmp_path / "log")
    (tmp_path / "labels.csv").write_text("group,label\na,0.8\nb,0.4\n")
    for where in (inner, tmp_path / "log" / "**" / "*.csv"):
        data = events.read_counts(where, tmp_path / "labels.csv", ["x"])
        assert data.counts.tolist() == [[1, 0], [0, 1]], where
