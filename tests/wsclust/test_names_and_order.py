"""Names as text, names that look the same, and the orders of levels and groups."""

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wsclust.cli import main
from wsclust.columns.alike import alike, alike_across, in_words
from wsclust.columns.count_columns import count_doubts, forgotten_count
from wsclust.columns.level_order import check_order, in_order, limits, merged, order_of, ranks
from wsclust.columns.names import names_as_text, spelled, spelled_sql, spellings_sql
from wsclust.counts import GroupedCounts
from wsclust.events.cuts import check_edges, cut_values, level_names, recode_frame
from wsclust.events.files import open_table
from wsclust.group_order import group_order

CUT = ["(0, 5]", "(5, 10]", "(10, 15]", "(25, 50]", "(100, 250]", "(250, 1000]"]
ORDERS = [
    CUT,
    ["-1.5", "-1", "-0.5", "0", "0.5", "1", "2", "10", "100"],
    ["0-4", "5-9", "10-14", "65-99", "100+"],
    ["<5", "5 to 9", "10-99", "100 or more"],
    ["under 18", "18–24", "25–34", "over 34"],
    ["$0-$999", "$1,000-$9,999", "$10,000+"],
    ["0%-9%", "10%-99%", "100%"],
    ["(-inf, 0.5]", "(0.5, 2.5]", "(2.5, inf]"],
    ["1e-3", "0.01", "5e3"],
    ["9007199254740992", "9007199254740993"],
    ["-9--5", "-4-0", "1-5"],
    ["1", "2", "10", "other", "unknown"],
    ["v1", "v10", "v9"],
    ["2024-01-02", "2024-01-10", "2024-1-3"],
    ["7-up", "coke"],
]


@pytest.mark.parametrize("levels", ORDERS, ids=lambda levels: levels[0])
def test_levels_stand_in_the_order_of_their_numbers(levels):
    rng = np.random.default_rng(1)
    for _ in range(5):
        assert in_order(rng.permutation(levels)) == levels
    assert ranks([*levels, levels[0]]).tolist() == [*range(len(levels)), 0]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=8, unique=True))
def test_ranges_that_pandas_cuts_stand_in_its_order(edges):
    edges = sorted({round(edge, 3) for edge in edges} | {-2e6, 2e6})
    categories = pd.cut(pd.Series([0.0]), edges).cat.categories
    assert in_order(names_as_text(categories.to_series())) == [str(c) for c in categories]
    assert limits(str(categories[0])) == (categories[0].left, categories[0].right)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(max_size=4), max_size=8))
def test_any_levels_have_one_order(levels):
    expected = in_order(levels)
    assert in_order(levels[::-1]) == expected and set(expected) == set(levels)


def test_an_order_is_carried_or_given():
    sizes = pd.Series(pd.Categorical(["M", "S"], ["S", "M", "L"], ordered=True))
    assert order_of(sizes) == ["S", "M", "L"]
    assert order_of(sizes.astype(str)) is None and order_of(pd.Series(pd.Categorical(["a"]))) is None
    assert in_order({"M", "S"}, order_of(sizes)) == ["S", "M"]
    assert check_order("size", {"1", "2"}, [2, 1]) == ["2", "1"]
    for given_order, message in (
        (["S"], "order of 'size': 'M' missing; expected each of 'M', 'S' once"),
        (["S", "M", "L"], "'L' not in the data"),
        (["S", "M", "S"], "'S' is there twice"),
        (["S", "m"], "'M' and 'm' differ in case"),
    ):
        with pytest.raises(ValueError, match=message):
            check_order("size", {"S", "M"}, given_order)
    assert merged([["a", "c"], ["b", "c", "d"], ["a", "b"]], "xyz")[-2:] == ["c", "d"]
    with pytest.raises(ValueError, match=r"y: its levels are in another order \(b, a\) than in x \(a, b\)"):
        merged([["a", "b"], ["b", "a"]], "xy")


def test_one_name_for_what_is_the_same():
    mixed = pd.Series([2, "2", 2.0, np.int8(2), np.float32(2), "2.0", Decimal(2)], dtype=object)
    assert set(names_as_text(mixed)) == {"2"}
    assert names_as_text(pd.Series([1, True, 1.0, "True", np.bool_(True)], dtype=object)).tolist() == [
        "1", "true", "1", "true", "true",
    ]  # fmt: skip
    assert names_as_text(pd.Series([1.0, None, 2.5])).tolist() == ["1", None, "2.5"]
    assert names_as_text(pd.Series([1, None], dtype="Int64")).tolist() == ["1", None]
    assert names_as_text(pd.Series([True, None], dtype="boolean")).tolist() == ["true", None]
    assert names_as_text(pd.Series(["", "a", None])).tolist() == [None, "a", None]
    assert names_as_text(pd.Series(pd.Categorical([2, 1, None]))).tolist() == ["2", "1", None]
    assert names_as_text([datetime.date(2024, 3, 1)]).tolist() == ["2024-03-01"]
    moment = pd.Series(pd.to_datetime(["2024-03-01", "2024-03-01 12:00:00.5"], format="ISO8601"))
    assert names_as_text(moment).tolist() == ["2024-03-01 00:00:00", "2024-03-01 12:00:00.5"]
    there = moment.dt.tz_localize("America/New_York")
    assert names_as_text(there).tolist() == ["2024-03-01 05:00:00+00", "2024-03-01 17:00:00.5+00"]
    for value in (pd.Timedelta("1h"), [1, 2], {"a": 1}):
        with pytest.raises(ValueError, match="expected text, a number, a date or a truth value"):
            names_as_text(pd.Series([value], dtype=object))


def test_names_of_frames_are_those_of_the_same_parquet_file(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    single = pd.Series(np.float32([0.1, 1.5, -0.0, 7, 1e10, 3e16, 1e-5, 1e6 + 0.5, np.inf]))
    times = pd.Series([datetime.time(3, 4, 5, 600), datetime.time(1, 2, 3, 500_000), datetime.time(23)])
    half = pd.Series(np.float16([0.1, 2]))
    for series in (single, single.astype("float[pyarrow]"), single.astype("Float32"), half, times):
        series.to_frame("x").to_parquet(tmp_path / "x.parquet")
        table = open_table(tmp_path / "x.parquet", ["x"])
        written = duckdb.sql(f"SELECT {table.value('x')} FROM {table.rows()}").fetchall()
        assert names_as_text(series).tolist() == [spelled(text) for (text,) in written]
    assert names_as_text(single.astype("category"))[0] == "0.1"
    with pytest.raises(ValueError, match="is no text in UTF-8; decode the column"):
        names_as_text([b"\xff"])


TEXTS = ["007", "7", "7.0", "-7.0", "-0.0", "0.0", "0", "7.00", "1.5", "True", "TRUE", "tRUE", "False", "x.0",
         "1e5", "12345678901234567.0", ".0", "", " 7.0"]  # fmt: skip


def test_sql_spells_as_python_does():
    duckdb = pytest.importorskip("duckdb")
    db = duckdb.connect()
    for text in TEXTS:
        assert db.execute(f"SELECT {spelled_sql('x')} FROM (SELECT ? AS x)", [text]).fetchone()[0] == spelled(
            text
        )
        spellings = db.execute(
            f"SELECT {spellings_sql('x')} FROM (SELECT ? AS x)", [spelled(text)]
        ).fetchone()[0]
        assert {spelled(spelling) for spelling in spellings} == {spelled(text)} and text in spellings


@settings(max_examples=50, deadline=None)
@given(st.floats(allow_nan=False) | st.integers(-(2**60), 2**60).map(float))
def test_a_float_has_the_name_of_its_text(value):
    assert names_as_text(pd.Series([value]))[0] == spelled(repr(value))


def test_names_that_look_the_same():
    pairs = ["red ", "RED", "r\u200bed", "red\u00a0", "red"]
    assert alike([*pairs, "blue"]) == [pairs]
    assert alike(["Z\u00fcrich", "Zu\u0308rich"]) and not alike(["a b", "ab", "a-b"])
    assert alike_across(["A", "b"], ["a", "b"]) == [("A", "a")]
    said = in_words([("Z\u00fcrich", "Zu\u0308rich")])
    assert said == r"'Z\xfcrich' and 'Zu\u0308rich'"


def test_the_order_of_groups_is_not_of_their_names():
    rng = np.random.default_rng(3)
    counts = rng.integers(0, 3, (200, 3)) + [1, 0, 0]
    label = rng.choice([0.25, 0.5, 0.75], 200)
    names = np.array([f"g{i}" for i in range(200)])
    data = GroupedCounts(counts, label, names)
    place = rng.permutation(200)
    other = GroupedCounts(counts[place], label[place], rng.permutation(names))
    one, two = group_order(data), group_order(other)
    assert np.array_equal(counts[one], counts[place][two]) and np.array_equal(label[one], label[place][two])
    rows = [(label[i], counts[i].sum(), *counts[i], names[i]) for i in range(200)]
    assert one.tolist() == sorted(range(200), key=rows.__getitem__)


def test_counts_that_may_be_none():
    assert forgotten_count(["g", "x", "Count"], ["g", "x"]).startswith(
        "column 'Count' of the events is not used"
    )
    assert forgotten_count(["g", "n"], ["g", "n"]) is None
    assert count_doubts(np.full((100, 4), 1 / 400), "w") == [
        "column 'w': its fractions are 1 event in all, and the prior adds 8 (2 for each bin), so estimates "
        "lean to one half; multiply the column so that its sum is the number of events that it stands for"
    ]
    assert count_doubts(np.full((100, 4), 1.25), "w") == []
    assert "fractions have three digits, such as 3.824" in count_doubts([[3.824, 12.5], [7.001, 250]] * 9)[0]
    assert "1 of 41 counts has a fraction, such as 3.5" in count_doubts([3.5] + [2] * 40)[0]


def test_numbers_are_cut_as_pandas_cuts_them():
    values = pd.Series(np.r_[np.random.default_rng(1).normal(0, 10, 200), [-5, 0, 5, np.nan]])
    edges = [-5, 0, 5.5]
    codes = pd.cut(values, [-np.inf, *edges, np.inf], labels=False)
    names = np.array([*level_names(edges), None], dtype=object)[codes.fillna(4).astype(int)]
    assert cut_values(values, edges).tolist() == names.tolist()
    assert in_order(level_names(edges)) == level_names(edges) == ["<= -5", "(-5, 0]", "(0, 5.5]", "> 5.5"]
    for wrong in ([], [1, 1], [2, 1], [1, np.inf], ["a"], 5):
        with pytest.raises(ValueError, match=r"cut of 'x': .*expected rising numbers"):
            check_edges("x", wrong)
    with pytest.raises(ValueError, match="column 'x' is 'many' in row 2; expected a number"):
        recode_frame(pd.DataFrame({"x": ["1", "many"]}), ["x"], cut={"x": [1]})
    with pytest.raises(ValueError, match="cut of 'y': no factor; the factors are 'x'"):
        recode_frame(pd.DataFrame({"x": ["1", "2"]}), ["x"], cut={"y": [1]})


def test_times_of_one_table_beside_dates_of_the_other_have_their_remedy(tmp_path, capsys):
    """In frames, and in files: a column of times in Parquet beside a CSV of dates."""
    days = pd.date_range("2024-01-01", periods=5)
    events = pd.DataFrame({"group": np.repeat(days, 4), "x": list("abab") * 5})
    labels = pd.DataFrame({"group": days.strftime("%Y-%m-%d"), "label": [0.1, 0.2, 0.3, 0.4, 0.5]})
    said = "'2024-01-01 00:00:00' and '2024-01-01' are a time and another way to write one"
    with pytest.raises(ValueError, match=said):
        GroupedCounts.from_events(events, labels, ["x"])
    as_dates = events.assign(group=events["group"].dt.strftime("%Y-%m-%d"))
    with pytest.raises(ValueError, match="'2024-01-01 00:00:00' and '2024-01-01' are a time"):
        GroupedCounts.from_events(as_dates, labels.assign(group=days), ["x"])
    assert len(GroupedCounts.from_events(as_dates, labels, ["x"]).label) == 5
    events.to_parquet(tmp_path / "events.parquet")
    labels.to_csv(tmp_path / "labels.csv", index=False)
    arguments = ["fit", tmp_path / "events.parquet", "--labels", tmp_path / "labels.csv", "--factors", "x"]
    assert main([*map(str, arguments), "--output", str(tmp_path / "p.csv")]) == 2
    assert said in capsys.readouterr().err
