"""A fit answers from its own data and settings, and the same whatever the order of rows, groups and bins."""

import json
from dataclasses import FrozenInstanceError
from functools import partial
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wsclust
from wsclust import GroupedCounts, KnownOutcomes, direct, latent, moments, oracle
from wsclust.estimators.latent import latent as latent_estimate
from wsclust.registry import ESTIMATORS

EXAMPLES = Path(__file__).parents[2] / "examples"
FACTORS = ["level", "shape", "colour"]
ESTIMATED = ["n", "posterior", "se", "lower", "upper"]


@pytest.fixture(scope="module")
def events():
    return pd.read_csv(EXAMPLES / "events.csv")


@pytest.fixture(scope="module")
def labels():
    return pd.read_csv(EXAMPLES / "labels.csv")


@pytest.fixture(scope="module")
def data(events, labels):
    return GroupedCounts.from_events(events, labels, factors=FACTORS)


def small_data(counts=((9, 1, 4), (8, 2, 5), (2, 8, 4), (1, 9, 3), (5, 5, 5)), **more):
    return GroupedCounts(np.array(counts), label=[0.9, 0.7, 0.2, 0.2, 0.5], **more)


def test_the_users_lines(events, labels, capsys):
    data = GroupedCounts.from_events(events, labels, factors=["level", "shape", "colour"]).cap(500)
    fit = latent(data, he_weight=10)
    assert repr(fit).startswith("latent fit: 30 bins, 300 groups, W_H = 10, converged in ")
    assert fit.posterior.shape == (30,)
    frame = fit.to_frame(rng=1)
    assert list(frame.columns) == [*FACTORS, *ESTIMATED] and len(frame) == 30
    groups = fit.groups()
    assert list(groups.columns) == ["group", "label", "events", "share", "lower", "upper", "excess"]
    assert len(groups) == 300
    check = fit.check(rng=1)
    print(fit.summary())
    printed = capsys.readouterr().out
    assert printed.startswith("latent: 30 bins from 300 groups and 7,017 events\n")
    assert check.verdict in printed
    ax = fit.plot()
    assert ax.get_yticklabels()[0].get_text().count("·") == 2
    plt.close(ax.figure)
    events = events.assign(posterior=fit.predict(events))
    by_bin = events.groupby(FACTORS)["posterior"].agg(["min", "max"])
    assert (by_bin["min"] == by_bin["max"]).all()
    np.testing.assert_array_equal(by_bin["max"], frame.set_index(FACTORS)["posterior"].sort_index())
    compared = fit.compare(direct(data))
    assert list(compared.columns) == [*FACTORS, "n", "latent (W_H = 10)", "direct"]
    np.testing.assert_array_equal(compared["direct"], direct(data).posterior)


@pytest.mark.parametrize("weight", [np.inf, 3])
def test_half_samples_are_fits_with_the_fits_own_settings(data, weight):
    rows = latent(data, he_weight=weight).half_samples(3, np.random.default_rng(7))
    rng, ordered = np.random.default_rng(7), data.in_group_order()
    halves = [ordered.half_sample(rng) for _ in range(3)]
    expected = [latent_estimate(half, he_weight=weight).posterior for half in halves]
    np.testing.assert_array_equal(rows, expected)


def test_a_check_is_of_the_fits_own_settings(data):
    checks = {weight: latent(data, he_weight=weight).check(rng=2) for weight in (np.inf, 10)}
    assert checks[np.inf].label_r2 != checks[10].label_r2
    assert checks[np.inf].shuffle_ratio == checks[10].shuffle_ratio  # which takes labels as exact


def test_standard_errors_are_the_sd_of_the_half_samples(data):
    fit = direct(data)
    errors = fit.standard_errors(rng=3, half_samples=25)
    rows = fit.half_samples(25, rng=3)
    enough = data.totals >= 10
    np.testing.assert_allclose(errors[enough], rows.std(axis=0, ddof=1)[enough])
    assert np.isnan(errors[~enough]).all()
    with pytest.raises(ValueError, match="se=magic: expected half-samples or information"):
        fit.standard_errors("magic")


def test_a_seed_gives_the_same_table_and_a_generator_a_new_one(data):
    fit = direct(data)
    first = fit.to_frame(rng=4, half_samples=10)
    pd.testing.assert_frame_equal(fit.to_frame(rng=4, half_samples=10), first)
    pd.testing.assert_frame_equal(direct(data).to_frame(rng=4, half_samples=10), first)
    assert not first["se"].equals(fit.to_frame(rng=5, half_samples=10)["se"])
    rng = np.random.default_rng(4)
    one, other = (fit.to_frame(rng=rng, half_samples=10) for _ in range(2))
    assert not one["se"].equals(other["se"])
    pd.testing.assert_frame_equal(fit.to_frame(rng=np.random.default_rng(4), half_samples=10), one)


def test_what_a_table_gives_out_is_the_callers(data):
    fit = direct(data)
    table = fit.to_frame(half_samples=5)
    table["posterior"] = table["se"] = 0.0
    assert (fit.posterior > 0).all() and fit.to_frame(half_samples=5)["se"].notna().any()


def test_nothing_of_a_fit_can_be_changed(data):
    fit = latent(data, he_weight=10)
    with pytest.raises(FrozenInstanceError):
        fit.method = "direct"
    with pytest.raises(TypeError):
        fit.settings["he_weight"] = 1
    for array in (fit.data.counts, fit.data.label, fit.data.groups):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = array[1]


def test_a_cap_remembers_the_sizes(data):
    capped = data.cap(20)
    assert capped.sizes.max() == pytest.approx(20) and data.sizes.max() > 20
    np.testing.assert_array_equal(capped.drawn_sizes, data.sizes)
    assert capped.cap(30).capped_at == 20 and capped.cap(10).capped_at == 10
    np.testing.assert_array_equal(capped.cap(10).drawn_sizes, data.sizes)
    fit = direct(capped)
    np.testing.assert_array_equal(fit.groups()["events"], data.sizes)
    summary = fit.report(half_samples=0).summary
    assert (summary["events"], summary["cap"]) == (data.sizes.sum(), 20)
    # The bins' numbers are what the fit used.
    np.testing.assert_allclose(fit.to_frame(half_samples=0)["n"], capped.totals)


def test_labels_by_name_meet_their_groups_and_a_crosstab_names_groups_and_bins(events, labels, data):
    named = labels.set_index("group")["label"]
    table = pd.crosstab(events["group"], [events[factor] for factor in FACTORS])
    crossed = GroupedCounts(table, named.sample(frac=1, random_state=1))
    assert list(crossed.bins.columns) == FACTORS
    expected = latent(data).to_frame(half_samples=0)
    found = latent(crossed).to_frame(half_samples=0).astype({"level": str})
    pd.testing.assert_frame_equal(found, expected, check_dtype=False, rtol=1e-6)
    flat = GroupedCounts(pd.crosstab(events["group"], events["colour"]), named)
    assert list(flat.bins.columns) == ["colour"]


@pytest.mark.parametrize(
    ("label", "groups", "message"),
    [
        (pd.Series([0.2, 0.8]), ["a", "b"], "label is a Series numbered from 0 beside groups with names"),
        (pd.Series([0.2, 0.8], ["a", "b"]), None, "Series by group, but the counts do not name their groups"),
        (pd.Series([0.2, 0.8], ["a", "c"]), ["a", "b"], "group b: counts but no label"),
        (pd.Series([0.2, 0.8, 0.5], ["a", "b", "c"]), ["a", "b"], "group c: a label but no counts"),
        (pd.Series([0.2, 0.8], ["a", "a"]), ["a", "b"], "group a has more than one label"),
    ],
)
def test_labels_that_may_be_of_another_group_are_refused(label, groups, message):
    with pytest.raises(ValueError, match=message):
        GroupedCounts([[3, 1], [1, 3]], label, groups)


def test_a_prediction_is_of_the_bin_by_its_levels(data, events):
    fit = direct(data)
    some = events.sample(50, random_state=3)
    predicted = fit.predict(some.astype({"level": str})[["colour", "level", "group", "shape"]])
    assert predicted.index.equals(some.index) and predicted.name == "posterior"
    table = fit.bins.assign(posterior=fit.posterior)
    expected = some.astype(str).merge(table.astype(dict.fromkeys(FACTORS, str)), on=FACTORS, how="left")[
        "posterior"
    ]
    np.testing.assert_array_equal(predicted, expected)
    unseen = fit.predict(pd.DataFrame({"level": [1, 99], "shape": "circle", "colour": "red"}))
    assert np.isfinite(unseen[0]) and np.isnan(unseen[1])
    with pytest.raises(ValueError, match="events: no column 'shape'; there are group, level"):
        fit.predict(events[["group", "level"]])


def test_fits_are_compared_on_the_same_bins():
    data = small_data()
    ten = [latent(data, he_weight=10) for _ in range(2)]
    compared = latent(data).compare(*ten, moments(data))
    names = ["latent (W_H = inf)", "latent (W_H = 10) (2)", "latent (W_H = 10) (3)", "moments"]
    assert list(compared.columns) == ["bin", "n", *names]
    assert compared[names[1]].equals(compared[names[2]]) and not compared[names[0]].equals(compared[names[1]])
    other = small_data(bins=pd.DataFrame({"colour": ["red", "blue", "green"]}))
    with pytest.raises(ValueError, match=r"direct fit: 3 bins, 5 groups: its bins are not those of"):
        latent(data).compare(direct(other))


@pytest.mark.parametrize(
    ("names", "what"), [(("a.html", "s.json"), "table"), (("a.csv", "s.txt"), "summary")]
)
def test_a_report_is_saved_under_a_name_of_its_kind_alone(tmp_path, data, names, what):
    with pytest.raises(ValueError, match=f"the {what} cannot be of this kind; expected a name that ends in"):
        direct(data).report(half_samples=0).save(*(tmp_path / name for name in names))
    assert not list(tmp_path.iterdir())


def test_a_report_is_saved_whole_or_not_at_all(tmp_path):
    fit = direct(small_data())
    table, summary = tmp_path / "posterior.csv", tmp_path / "fit.json"
    fit.save(table, summary)
    read = pd.read_csv(table, dtype=dict.fromkeys(FACTORS, str))
    pd.testing.assert_frame_equal(read, fit.to_frame(), check_dtype=False, rtol=1e-15)
    assert json.loads(summary.read_text())["method"] == "direct"
    table.unlink(), summary.unlink()
    summary.mkdir()
    with pytest.raises(ValueError, match="a folder, and no file"):
        fit.save(table, summary)
    assert not table.exists()


@pytest.mark.parametrize("method", ESTIMATORS)
def test_a_fit_of_every_method_is_one_line_and_has_all_that_is_asked_of_it(method):
    rng = np.random.default_rng(3)
    voters = 1 + rng.multinomial(100, rng.dirichlet([1, 1, 1, 1], 30))
    happy = rng.binomial(voters, [0.1, 0.3, 0.7, 0.9])
    votes = KnownOutcomes(happy, voters - happy)
    fit = wsclust.fit(method, votes)
    assert "\n" not in repr(fit) and repr(fit).startswith(f"{method} fit: 4 bins, 30 groups")
    table = fit.to_frame(half_samples=5)
    assert table["se"].gt(0).all() and (table["lower"] < table["upper"]).all()
    assert str(fit.report(half_samples=5, check=False)).startswith(f"{method}: 4 bins from 30 groups")
    assert len(fit.groups()) == 30
    by_function = getattr(wsclust, method)(votes if ESTIMATORS[method].needs_outcomes else votes.grouped)
    np.testing.assert_array_equal(by_function.posterior, fit.posterior)
    if not fit.has_check:
        with pytest.raises(ValueError, match=f"{method}: no check"):
            fit.check()


def test_a_plot_is_on_the_axes_that_are_given(data):
    axes = plt.figure().add_subplot()
    assert direct(data).plot(axes) is axes and len(axes.get_yticklabels()) == 30
    plt.close(axes.figure)


def test_a_prediction_of_no_event_is_warned_of(data, events):
    with pytest.warns(UserWarning, match="no event is in a bin of the fit"):
        found = direct(data).predict(events.assign(level="none such"))
    assert found.isna().all()


def test_a_plot_of_its_own_has_the_verdict_above_it(data):
    fit = latent(data, he_weight=np.inf)
    own, bare = fit.plot().figure, direct(data).plot().figure
    assert own.get_suptitle() == f"verdict: {fit.check().verdict}\n{fit.check().words}"
    assert bare.get_suptitle() == ""
    plt.close("all")


def test_what_a_fit_cannot_be_made_of_is_refused():
    data = small_data()
    with pytest.raises(ValueError, match="oracle needs the outcomes: KnownOutcomes instead of GroupedCounts"):
        oracle(data)
    with pytest.raises(
        ValueError,
        match=r"strength=1: no setting of the direct estimator; it has prior=\.\.\., pseudo_events=\.\.\.",
    ):
        direct(data, strength=1)
    with pytest.raises(TypeError, match="latent takes the data and at most 6 settings"):
        latent(data, 10, None, 100, "em", "half", 2.0, None)
    with pytest.raises(ValueError, match="factor 'n': the output has a column of this name"):
        direct(small_data(bins=pd.DataFrame({"n": [1, 2, 3]}))).to_frame()


CELLS = st.lists(st.tuples(*[st.integers(1, 30)] * 3), min_size=6, max_size=9)


@settings(max_examples=15, deadline=None)
@given(
    cells=CELLS,
    order=st.randoms(use_true_random=False),
    method=st.sampled_from(
        [direct, moments, partial(latent, he_weight=10), partial(latent, he_weight=np.inf)]
    ),
)
def test_the_order_of_rows_groups_and_bins_changes_nothing(cells, order, method):
    groups = [f"g{number}" for number in range(len(cells))]
    labels = pd.DataFrame({"group": groups, "label": np.linspace(0.1, 0.9, len(cells))})
    rows = [(g, b, n) for g, row in zip(groups, cells, strict=True) for b, n in zip("abc", row, strict=True)]
    events = pd.DataFrame(rows, columns=["group", "bin", "n"])

    def table(events, labels):
        data = GroupedCounts.from_events(events, labels, ["bin"], count="n")
        return method(data).to_frame(half_samples=6).set_index("bin")

    def shuffled(frame):
        return frame.iloc[order.sample(range(len(frame)), len(frame))]

    def moved(frame, places):
        counts = frame.pivot(index="group", columns="bin", values="n").loc[groups].to_numpy()[:, places]
        bins = pd.DataFrame({"bin": np.array(list("abc"))[places]})
        return GroupedCounts(counts, labels["label"], bins=bins)

    expected = table(events, labels)
    pd.testing.assert_frame_equal(table(shuffled(events), labels), expected)
    pd.testing.assert_frame_equal(table(events, shuffled(labels)), expected, atol=1e-7)
    places = order.sample(range(3), 3)
    there = method(moved(events, places)).to_frame(half_samples=6).set_index("bin").loc[list("abc")]
    np.testing.assert_allclose(there, expected, atol=1e-6)


@pytest.mark.parametrize("data", [pd.DataFrame({"group": ["a"]}), np.ones((3, 2)), None])
def test_what_is_no_data_is_refused_with_how_to_make_them(data):
    with pytest.raises(
        ValueError, match=rf"latent: the data are of type {type(data).__name__}; expected Group"
    ):
        latent(data)


def test_events_cannot_be_placed_where_two_bins_have_the_same_levels():
    bins = pd.DataFrame({"colour": ["red", "red", "blue"]})
    fit = latent(GroupedCounts([[5, 2, 9], [2, 6, 1]], [0.2, 0.8], bins=bins))
    with pytest.raises(ValueError, match="two bins have colour 'red', so that the bin of an event cannot be"):
        fit.predict(pd.DataFrame({"colour": ["red"]}))
