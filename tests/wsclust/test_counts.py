"""The table of counts: what it computes, and that every bad table is refused with a reason and a remedy."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from wsclust.counts import GroupedCounts

GOOD = [[4, 1, 0], [2, 3, 5]]


def refusal(*arguments, make=GroupedCounts, **keywords):
    """The message with which a table is refused: one line."""
    with pytest.raises(ValueError) as caught:
        make(*arguments, **keywords)
    message = str(caught.value)
    assert "\n" not in message
    return message


# --- bad tables


@pytest.mark.parametrize(("value", "what"), [(-2, "-2"), (np.nan, "nan"), (np.inf, "inf"), (-np.inf, "-inf")])
def test_a_bad_count_names_group_bin_value_and_remedy(value, what):
    bins = pd.DataFrame({"colour": ["red", "red", "blue"], "level": [1, 2, 1]})
    message = refusal([[4, 1, 0], [2, value, 5]], [0.5, 0.6], ["fair", "poor"], bins)
    for part in ("poor", f"count {what} ", "colour 'red'", "level", "2", "0 or more"):
        assert part in message, (part, message)
    assert "fair" not in message and "blue" not in message


@pytest.mark.parametrize("value", [-0.1, 1.0001, 80, np.nan, np.inf])
def test_a_bad_label_names_group_value_and_remedy(value):
    message = refusal(GOOD, [0.5, value], ["fair", "poor"])
    for part in ("group poor", f"label {value:g} ", "[0, 1]", "divide percentages by 100"):
        assert part in message, (part, message)


def test_more_bad_labels_are_counted():
    assert "(and 2 more such groups)" in refusal([[1, 1]] * 4, [0.5, 2, 3, 4])


def test_an_empty_group_is_named():
    message = refusal([[4, 1], [0, 0]], [0.5, 0.6], ["fair", "poor"])
    assert "group poor" in message and "no events" in message and "leave" in message


def test_groups_and_labels_must_agree():
    assert "2 groups of events but 3 labels" in refusal(GOOD, [0.5, 0.6, 0.7])
    assert "2 groups of events but 1 labels" in refusal(GOOD, [0.5])
    assert "one label" in refusal(GOOD, [0.5])


def test_names_must_agree():
    assert "2 rows of counts but 3 group names" in refusal(GOOD, [0.5, 0.6], list("abc"))
    bins = pd.DataFrame({"bin": [1, 2]})
    assert "3 columns of counts but 2 rows of bins" in refusal(GOOD, [0.5, 0.6], bins=bins)


@pytest.mark.parametrize(
    "bins", [["red", "green", "blue"], np.arange(3), pd.Series([1, 2, 3]), {"bin": [1, 2, 3]}]
)
def test_bins_that_are_no_frame_are_refused(bins):
    message = refusal(GOOD, [0.5, 0.6], bins=bins)
    assert f"bins is of type {type(bins).__name__}; expected a pandas.DataFrame" in message


def test_no_group_and_one_bin_are_refused():
    assert "no group" in refusal(np.empty((0, 3)), [])
    message = refusal([[4], [5]], [0.5, 0.6])
    assert "1 bin" in message and "at least 2 bins" in message
    assert "1 dimensions; expected 2" in refusal([4, 5], [0.5, 0.6])


def test_labels_of_exactly_0_and_1_are_allowed():
    assert GroupedCounts(GOOD, [0, 1]).label.tolist() == [0, 1]


# --- what is computed


@settings(max_examples=50, deadline=None, derandomize=True, database=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=60))
def test_codes_are_counted_one_by_one(events):
    events += [(i, 0) for i in range(4)]  # no group may be empty
    expected = np.zeros((4, 5))
    for i, k in events:
        expected[i, k] += 1
    label = [0.1, 0.2, 0.3, 0.4]
    data = GroupedCounts.from_codes(*zip(*events, strict=True), label, n_bins=5)
    np.testing.assert_array_equal(data.counts, expected)
    assert data.sizes.tolist() == [sum(i == g for i, _ in events) for g in range(4)]
    assert data.totals.tolist() == [sum(k == b for _, k in events) for b in range(5)]
    assert data.mean_label == pytest.approx(sum(label[i] for i, _ in events) / len(events))


def test_the_size_of_a_chunk_of_codes_does_not_matter(monkeypatch):
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 6, 1000), rng.integers(0, 5, 1000)
    whole = GroupedCounts.from_codes(*codes, np.full(6, 0.5), n_bins=5).counts
    monkeypatch.setattr("wsclust.coded_events._CHUNK", 7)
    parts = GroupedCounts.from_codes(*codes, np.full(6, 0.5), n_bins=5).counts
    np.testing.assert_array_equal(parts, whole)


@pytest.mark.parametrize(
    ("groups", "bins", "what"), [([0, 2], [0, 1], "group code 2"), ([0, 1], [-1, 1], "bin code -1")]
)
def test_a_code_out_of_range_is_refused(groups, bins, what):
    message = refusal(groups, bins, [0.5, 0.5], 2, make=GroupedCounts.from_codes)
    assert what in message and "expected 0 to 1" in message


def test_codes_come_in_pairs():
    assert "3 group codes but 2 bin codes" in refusal(
        [0, 1, 1], [0, 1], [0.5, 0.5], 2, make=GroupedCounts.from_codes
    )


EVENTS = pd.DataFrame(
    {
        "page": ["a", "c", "a", "b", "b", "c", "a"],
        "colour": ["red", "red", "blue", "red", "red", "blue", "red"],
        "level": [2, 1, 1, 2, 1, 1, 2],
    }
)
LABELS = pd.DataFrame({"page": ["c", "a", "b"], "rating": [0.1, 0.7, 0.4]})
READ = {"factors": ["colour", "level"], "group": "page", "label": "rating"}


def test_events_are_counted_by_group_and_combination():
    data = GroupedCounts.from_events(EVENTS, LABELS, **READ)
    assert data.groups.tolist() == ["c", "a", "b"] and data.label.tolist() == [0.1, 0.7, 0.4]
    names = list(data.bins.itertuples(index=False, name=None))
    assert names == [("blue", "1"), ("red", "1"), ("red", "2")]
    for i, page in enumerate(data.groups):
        for k, (colour, level) in enumerate(names):
            there = (EVENTS.page == page) & (EVENTS.colour == colour) & (EVENTS.level == int(level))
            assert data.counts[i, k] == there.sum()


def test_a_table_of_counts_is_as_good_as_its_events():
    table = EVENTS.groupby(["page", "colour", "level"]).size().reset_index(name="clicks")
    counted = GroupedCounts.from_events(table, LABELS, **READ, count="clicks")
    data = GroupedCounts.from_events(EVENTS, LABELS, **READ)
    np.testing.assert_array_equal(counted.counts, data.counts)
    pd.testing.assert_frame_equal(counted.bins, data.bins)


def test_bad_frames_are_refused():
    def of(events=EVENTS, labels=LABELS):
        return refusal(events, labels, **READ, make=GroupedCounts.from_events)

    message = of(events=EVENTS.drop(columns="level"))
    assert "events: no column 'level'" in message and "page, colour" in message
    assert "labels: no column 'rating'" in of(labels=LABELS[["page"]])
    message = of(events=EVENTS.assign(colour=["red", None] + ["blue"] * 5))
    assert "'colour' is empty in row 2; write a name, such as by .fillna('unknown'), or" in message
    assert "'rating' is empty in row 3" in of(labels=LABELS.assign(rating=[0.1, 0.2, np.nan]))
    message = of(labels=pd.concat([LABELS, LABELS[1:2]]))
    assert "group a has more than one row" in message and "one label" in message
    message = of(labels=LABELS[:2])
    assert "group b: events but no label" in message and "add a row" in message
    assert "group c: no events" in of(events=EVENTS[EVENTS.page != "c"])
    assert of(events=EVENTS[:0]) == "events: no rows; expected one row per event"
    assert of(labels=LABELS[:0]) == "labels: no rows; expected one row per group"
    assert "events: of type str; expected a pandas.DataFrame" in of(events="log.csv")
    assert "labels: of type Series; expected a pandas.DataFrame" in of(labels=LABELS.rating)
    twice = pd.concat([EVENTS, EVENTS[["level"]]], axis=1)
    assert of(events=twice) == "events: 2 columns 'level'; rename or drop all but one"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"factors": ["colour", "colour"]}, "column 'colour' is named twice; group, factors and count are"),
        ({"factors": ["colour", "page"]}, "column 'page' is named twice; group, factors and count are"),
        ({"order": {"color": ["red"]}}, "order of 'color': no factor; the factors are 'colour', 'level'"),
        ({"count": "when"}, "column 'when' is '2024-03-01 00:00:00' in row 1; counts are numbers of events"),
        ({"count": "many"}, "column 'many' is 'inf' in row 1; counts are numbers of events"),
        ({"label": "when"}, "column 'when' is '2024-03-01 00:00:00' in row 1, group"),
    ],
)
def test_columns_of_a_frame_that_cannot_be_meant_are_refused(options, message):
    there = {"when": pd.Timestamp("2024-03-01"), "many": np.inf}
    frames = EVENTS.assign(**there), LABELS.assign(**there)
    assert message in refusal(*frames, **READ | options, make=GroupedCounts.from_events)


# --- subsets, halves and caps


def test_a_subset_keeps_every_bin_and_its_own_groups():
    data = GroupedCounts([[4, 0], [2, 0], [1, 3]], [0.1, 0.2, 0.3], list("abc"))
    for rows in ([0, 1], np.array([True, True, False])):
        part = data.subset(rows)
        assert part.groups.tolist() == ["a", "b"] and part.label.tolist() == [0.1, 0.2]
        assert part.totals.tolist() == [6, 0]


def test_a_mask_by_group_is_matched_by_the_names_of_the_groups():
    data = GroupedCounts([[4, 0], [2, 0], [1, 3]], [0.1, 0.2, 0.3], list("abc"))
    mask = pd.Series({"c": False, "b": True, "a": True})
    assert (
        data.subset(mask).groups.tolist() == data.subset(mask.to_numpy()[::-1]).groups.tolist() == ["a", "b"]
    )
    assert "group c: counts but no mask" in refusal(mask[1:], make=data.subset)
    for gap in (mask.astype("boolean"), mask.astype("boolean").reset_index(drop=True)):
        gap.iloc[1] = pd.NA
        assert f"mask: no truth value for {gap.index[1]}" in refusal(gap, make=data.subset)


@pytest.mark.parametrize("rows", [[0, 3], [True, False], ["a"], [0.0, 1.0]])
def test_rows_that_are_not_there_are_refused(rows):
    data = GroupedCounts([[4, 0], [2, 0], [1, 3]], [0.1, 0.2, 0.3])
    assert "expected numbers of the 3 groups from 0, or a mask" in refusal(rows, make=data.subset)


@pytest.mark.parametrize("n_groups", [2, 7, 20])
def test_a_half_sample_is_half_of_the_groups_each_once(n_groups):
    data = GroupedCounts(np.arange(1, 1 + 2 * n_groups).reshape(-1, 2), np.linspace(0, 1, n_groups))
    rng = np.random.default_rng(4)
    drawn = np.zeros(n_groups)
    for _ in range(400):
        half = data.half_sample(rng)
        rows = half.groups - 1
        assert len(rows) == n_groups // 2 and np.all(np.diff(rows) > 0)
        np.testing.assert_array_equal(half.counts, data.counts[rows])
        np.testing.assert_array_equal(half.label, data.label[rows])
        drawn[rows] += 1
    # Each group is as likely as any other: within four standard deviations.
    expected = 400 * (n_groups // 2) / n_groups
    assert np.abs(drawn - expected).max() < 4 * np.sqrt(expected)


def test_a_cap_shrinks_large_groups_only():
    data = GroupedCounts([[90, 10], [3, 1], [30, 20]], [0.5, 0.2, 0.3])
    np.testing.assert_allclose(data.cap(50).counts, [[45, 5], [3, 1], [30, 20]])
    assert data.cap(50).sizes.max() == pytest.approx(50)
    np.testing.assert_array_equal(data.cap(np.inf).counts, data.counts)


@pytest.mark.parametrize("most", [0, -3, np.nan])
def test_a_cap_must_be_above_zero(most):
    data = GroupedCounts(GOOD, [0.5, 0.6])
    assert f"cap={most}: expected" in refusal(most, make=data.cap)


def test_sparse_counts_are_refused_with_what_to_give():
    message = refusal(csr_array(np.array(GOOD, dtype=float)), [0.5, 0.6])
    assert message == "counts is a sparse csr_array; expected an array or a frame: give counts.toarray()"


def test_a_half_is_drawn_by_a_seed_as_by_its_generator():
    data = GroupedCounts(np.arange(1, 41).reshape(-1, 2), np.linspace(0, 1, 20))
    by_seed, by_generator = data.half_sample(3), data.half_sample(np.random.default_rng(3))
    assert by_seed.groups.tolist() == by_generator.groups.tolist()
