"""The check of a latent fit: its figures by hand, its verdicts, and what wsclust fit makes of them."""

import json
import warnings
from collections import Counter
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, logit

from replication.coverage.check_controls import checked, sample
from replication.simulation.truth_curves import truth
from wsclust import fitting
from wsclust.cells import GroupedCells
from wsclust.check import figures, track_record
from wsclust.check.figures import check_fit, drawn, label_r2, mean_label_r2, shuffle_ratio, spread
from wsclust.check.misfit import excess_of_counts, excess_variation, total_variation, worst
from wsclust.check.track_record import TABLE, Record, in_words, record
from wsclust.check.verdicts import (
    AGAINST,
    CAUTION,
    HARDLY,
    MEASURED,
    NOTHING,
    PARTLY,
    PREDICTED,
    TOO_LITTLE,
    VERDICTS,
    Check,
    meaning,
    verdict,
)
from wsclust.check.words import about, verdict_line
from wsclust.cli import main
from wsclust.counts import GroupedCounts
from wsclust.estimators.estimate import ConvergenceWarning, Estimate
from wsclust.estimators.latent import latent
from wsclust.label_noise import LabelError
from wsclust.seeds import generator


def exact(data):
    return latent(data, he_weight=np.inf)


def streams(seed):
    return lambda role: generator(seed, "test", role=role)


@pytest.fixture(scope="module")
def good():
    """Two hundred groups that obey the model, with features that tell happy from sad well."""
    return sample(truth("logistic", 8, low=0.05, high=0.95), 200, 100, np.random.default_rng(1))[0]


@pytest.mark.parametrize(
    ("r2", "implied", "ratio", "expected"),
    [
        (0.51, 0.9, 1.0, PREDICTED),
        (0.5, 0.5, 2.6, PARTLY),
        (0.2, 0.2, 2.6, PARTLY),
        (0.2, 0.29, 2.59, TOO_LITTLE),
        (0.2, 0.31, 2.59, HARDLY),
        (0.19, 0.1, 9.0, TOO_LITTLE),
        (0.19, 0.1, 2.0, HARDLY),
        (0.19, 0.5, 9.0, HARDLY),
        (0.001, 0.5, 1.5, HARDLY),
        (0.3, 0.3, 1.49, AGAINST),
        (0.0, 0.5, 9.0, AGAINST),
        (-0.05, 0.0, 2.1, TOO_LITTLE),
        (-0.05, 0.0, 1.9, AGAINST),
        (-5.0, 0.5, 1.0, AGAINST),
        (0.1, np.nan, 2.5, HARDLY),
        (-0.1, np.nan, 2.5, AGAINST),
        (np.nan, 0.5, 1.0, NOTHING),
        (np.nan, np.nan, np.nan, NOTHING),
        (0.6, 0.6, np.nan, NOTHING),
        (0.0, 0.1, 2.1, AGAINST),  # .1 below what is implied is not about as much
    ],
)
def test_verdicts_at_their_thresholds(r2, implied, ratio, expected):
    assert verdict(r2, ratio, implied) == expected
    assert Check(r2, implied, ratio).verdict == expected


def test_what_is_bad_and_what_is_warned_of():
    examples = {
        Check(r2, implied, ratio).verdict: Check(r2, implied, ratio)
        for r2, implied, ratio in [
            (0.6, 0.6, 5),
            (0.3, 0.6, 5),
            (0.1, 0.1, 5),
            (0.1, 0.6, 5),
            (-1, 0.6, 5),
            (np.nan, 0.6, 5),
        ]
    }
    assert set(examples) == set(VERDICTS)
    assert {name for name, check in examples.items() if check.is_bad} == {AGAINST, NOTHING}
    assert {name for name, check in examples.items() if not check.is_warned_of} == {PREDICTED, PARTLY}


def test_the_record_of_both_sets_is_said_the_second_first():
    rows = pd.read_csv(TABLE).set_index(["set", "verdict"])
    every = rows[["designs", "above_mean"]].groupby(level="set").sum()
    for name in (PREDICTED, PARTLY, TOO_LITTLE, HARDLY, AGAINST):
        said, whatever = [], []
        for which, chosen in (("second", "nothing was chosen"), ("first", "the thresholds were chosen")):
            designs, mean, direct = (
                rows.loc[(which, name), ["designs", "above_mean", "above_direct"]].astype(int).tolist()
            )
            assert record(which, name) == Record(designs, mean, direct)
            said.append(f"{mean} of {designs} on which {chosen}")
            whatever.append("{above_mean} of {designs}".format(**every.loc[which]))
        words = in_words(name)
        assert words.endswith(f"in {', and in '.join(said)} (whatever the verdict: {', '.join(whatever)})")
        direct = "; the direct estimate is weak, but seldom worse than guessing the mean, and ranks bins nearly as well"
        assert meaning(name) == f"{MEASURED[name]}; {words}" + (direct if name == AGAINST else "")


def test_each_thing_is_said_once_of_several_verdicts():
    lines = about([HARDLY, AGAINST, HARDLY], "what decides is this:\n  wsclust audit-sample")
    assert [line.partition(":")[0] for line in lines[:3]] == [
        "Labels hardly predicted",
        "Evidence against",
        "No check sees everything",
    ]
    assert lines[3] == (
        "Evidence against: the direct estimate is weak, but seldom worse than guessing the mean, and ranks bins nearly "
        "as well; what decides is this:"
    )
    assert lines[4:] == ["  wsclust audit-sample"]
    alone = about([HARDLY], "what decides is this")
    assert alone[0].startswith("Of real designs with this verdict") and alone[2] == "What decides is this."


def test_no_verdict_says_what_to_do():
    for name in VERDICTS:
        assert "use" not in name.split()


def test_label_r2_by_hand():
    data = GroupedCounts([[3, 1], [1, 1], [2, 6], [5, 5]], label=[0.8, 0.5, 0.3, 0.6])
    training = np.sort(np.random.default_rng(3).choice(4, 2, replace=False))
    test = np.setdiff1d(np.arange(4), training)
    mean = sum(data.sizes[i] * data.label[i] for i in training) / sum(data.sizes[i] for i in training)
    rho = np.array([0.9, 0.2])
    left = total = 0.0
    for i in test:
        predicted = (data.counts[i] / data.sizes[i]) @ rho
        left += data.sizes[i] * (data.label[i] - predicted) ** 2
        total += data.sizes[i] * (data.label[i] - mean) ** 2
    found = label_r2(lambda _: Estimate(rho), data, np.random.default_rng(3))
    assert found == pytest.approx(1 - left / total, rel=1e-12)


def test_a_bin_that_the_fitted_half_never_saw_predicts_its_mean_label():
    data = GroupedCounts([[4, 0], [4, 0], [0, 4], [0, 4]], label=[0.2, 0.4, 0.6, 0.8])
    seed = next(s for s in range(99) if set(np.random.default_rng(s).choice(4, 2, replace=False)) == {0, 1})
    assert label_r2(lambda _: Estimate(np.array([0.3, 0.99])), data, np.random.default_rng(seed)) == 0
    once = GroupedCounts([[3, 1], [4, 0], [0, 4], [0, 4]], label=data.label)  # one event is enough
    found = label_r2(lambda _: Estimate(np.array([0.3, 0.7])), once, np.random.default_rng(seed))
    assert found == pytest.approx(1 - 2 * 0.1**2 / (0.3**2 + 0.5**2))


def test_labels_that_are_all_equal_have_no_r2():
    data = GroupedCounts([[4, 1], [4, 2], [1, 4], [2, 4]], label=[0.5] * 4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(mean_label_r2(exact, [data] * 3, np.random.default_rng(1)))
    check = check_fit(exact, data, exact(data), streams(1))
    assert check.verdict == NOTHING


def test_labels_that_are_equal_but_for_rounding_have_none_either():
    sizes = np.arange(3, 23)
    data = GroupedCounts(np.column_stack([sizes, sizes[::-1]]), label=np.full(20, 0.3))
    assert np.isnan(mean_label_r2(exact, [data] * 5, np.random.default_rng(1)))


def test_a_check_without_a_figure_says_so():
    data = GroupedCounts([[1, 1], [1, 1]], label=[0.2, 0.7])
    check = check_fit(exact, data, exact(data), streams(1))
    assert np.isnan(check.shuffle_ratio)
    assert check.verdict == NOTHING and "differ too little" in check.meaning and check.is_bad


def test_too_little_data_is_no_evidence_against():
    assert "more groups or events" in Check(0.1, 0.12, 2.5).meaning
    assert "more groups or events" not in Check(0.1, 0.5, 2.5).meaning


def test_many_events_at_a_finite_weight_are_no_fault():
    """There, labels only choose the mode, which shuffled ones find too: the ratio takes them as exact."""
    true = truth("linear", 8, low=0.1, high=0.9)
    rng = np.random.default_rng(4)
    data, rho = sample(true, 200, 500, rng)
    rated = GroupedCounts(data.counts, expit(logit(data.label) + 0.316 * rng.standard_normal(200)))
    ten = partial(latent, he_weight=10)
    fit = ten(rated)
    np.testing.assert_allclose(fit.posterior, rho, atol=0.06)
    by_chance = shuffle_ratio(ten, rated, fit.posterior, np.random.default_rng(1))
    check = check_fit(ten, rated, fit, streams(4))
    assert by_chance < 1.2 and check.shuffle_ratio > 5
    assert check.verdict in (PREDICTED, PARTLY)


def test_what_a_capped_fit_implies_is_of_all_events(good):
    capped = good.cap(10)
    check = check_fit(exact, capped, exact(capped), streams(2))
    # Below it a little: with 2,000 events the pseudo-observations draw w0 and w1 together.
    assert check.label_r2 == pytest.approx(check.label_r2_implied, abs=0.1)
    few = GroupedCounts(capped.counts, capped.label)
    without = check_fit(exact, few, exact(few), streams(2))
    assert without.label_r2_implied < check.label_r2_implied - 0.1


def test_shuffle_ratio_is_of_the_spread_over_events():
    data = GroupedCounts([[10, 30], [20, 20]], label=[0.2, 0.8])
    assert spread(np.array([0.0, 1.0]), data.totals) == pytest.approx(np.sqrt(3 / 8 * 5 / 8))
    found = shuffle_ratio(
        lambda _: Estimate(np.array([0.4, 0.6])), data, np.array([0.2, 0.8]), np.random.default_rng(1)
    )
    assert found == pytest.approx(3)


def test_shuffled_labels_are_the_same_labels_elsewhere():
    data = GroupedCounts(np.full((30, 2), 5), label=np.linspace(0.1, 0.9, 30))
    seen = []

    def fit(shuffled):
        seen.append(shuffled.label)
        return Estimate(np.array([0.4, 0.6]))

    shuffle_ratio(fit, data, np.array([0.2, 0.8]), np.random.default_rng(1))
    for label in seen:
        assert (label != data.label).sum() > 20
        np.testing.assert_array_equal(np.sort(label), data.label)


def test_drawn_counts_are_the_models(good):
    fit = exact(good)
    counts = np.mean([drawn(good, fit, np.random.default_rng(seed)).counts for seed in range(60)], axis=0)
    share = fit.share[:, None]
    expected = good.sizes[:, None] * ((1 - share) * fit.sad + share * fit.happy)
    assert np.abs(counts - expected).max() < 6 * np.sqrt(expected.max() / 60)
    np.testing.assert_allclose(counts.sum(axis=1), good.sizes)


def test_what_the_model_implies_is_found_where_the_model_holds(good):
    check = check_fit(exact, good, exact(good), streams(2))
    assert check.verdict == PREDICTED
    assert check.label_r2 == pytest.approx(check.label_r2_implied, abs=0.06)


def test_shuffled_labels_are_never_predicted(good):
    rng = np.random.default_rng(5)
    for run in range(20):
        some = good.subset(np.sort(rng.choice(200, 40, replace=False)))
        shuffled = GroupedCounts(some.counts, rng.permutation(some.label))
        assert check_fit(exact, shuffled, exact(shuffled), streams(run)).verdict != PREDICTED


def test_dependence_on_the_group_moves_the_verdict_down():
    true = truth("logistic", 8, low=0.05, high=0.95)
    estimators = {"latent": exact, "direct": exact}
    found = [
        checked(*sample(true, 100, 100, np.random.default_rng(2), strength), estimators, streams(3))
        for strength in (0, 0.6, 1.6)
    ]
    r2 = [row["label_r2"] for row in found]
    assert r2[0] > r2[1] > r2[2]
    assert found[0]["verdict"] == PREDICTED and found[2]["verdict"] != PREDICTED


def test_the_check_is_the_same_whatever_the_fit_was_run_with(good):
    once, again = (
        fitting.latent(good, he_weight=np.inf).report(half_samples=b).summary["check"] for b in (0, 5)
    )
    assert once == again
    assert once["verdict"] == PREDICTED and once["meaning"] == meaning(PREDICTED)
    assert once["caution"] == CAUTION and once["bad"] is False
    assert once["label_sd"] == pytest.approx(np.std(good.label))
    assert fitting.latent(good).report(check=False, half_samples=0).summary["check"] is None
    assert fitting.moments(good).report(half_samples=0).summary["check"] is None
    with pytest.raises(ValueError, match="moments: no check"):
        fitting.moments(good).check()


def counting(counts, name):
    """An estimator that counts its calls and says each time that it did not converge."""

    def estimate(data):
        counts[name] += 1
        warnings.warn("slow", ConvergenceWarning, stacklevel=1)
        return Estimate(np.array([0.9, 0.1]))

    return estimate


def fit_of_two():
    return exact(GroupedCounts([[9, 1], [2, 8], [6, 4], [5, 5]], [0.9, 0.2, 0.6, 0.5]))


@pytest.mark.parametrize("kind", ["plain", "noisy labels", "sparse"])
def test_what_a_check_fits_draws_and_says(monkeypatch, kind):
    """Each fit once, by the estimator or with labels as exact; a stream for each figure; no other warning kept back."""
    monkeypatch.setattr(figures, "HALVINGS", 3)
    monkeypatch.setattr(figures, "IMPLIED", 2)
    monkeypatch.setattr(figures, "SHUFFLES", 4)
    data = GroupedCounts([[9, 1], [2, 8], [6, 4], [5, 5]], [0.9, 0.2, 0.6, 0.5])
    implied = 2
    if kind == "noisy labels":
        data = replace(data, noise=LabelError(np.full(4, 0.3)))
    if kind == "sparse":
        group, bin_ = np.nonzero(data.counts)
        data, implied = GroupedCells.from_triplets(group, bin_, data.counts[group, bin_], data.label, 2), 0
    counts, roles, done = Counter(), [], []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check = check_fit(
            counting(counts, "own"),
            data,
            fit_of_two(),
            lambda role: roles.append(role) or np.random.default_rng(1),
            exact=counting(counts, "exact"),
            progress=lambda *said: done.append(said),
        )
    # The counts of sparse data are not drawn anew.
    assert counts == {"own": 3 + implied, "exact": 4 + 1} and roles == ["halvings", "implied", "shuffles"]
    assert done == [(i + 1, 7 + implied, "check") for i in range(7 + implied)]
    assert np.isfinite([check.label_r2, check.label_r2_implied]).tolist() == [True, implied > 0]


def test_other_warnings_of_a_check_are_not_kept_back(monkeypatch):
    monkeypatch.setattr(figures, "HALVINGS", 1)

    def estimate(data):
        warnings.warn("odd", RuntimeWarning, stacklevel=1)
        return exact(data)

    data = GroupedCounts([[9, 1], [2, 8], [6, 4], [5, 5]], [0.9, 0.2, 0.6, 0.5])
    with pytest.warns(RuntimeWarning, match="odd"):
        check_fit(estimate, data, fit_of_two(), streams(1))


@pytest.mark.parametrize(("apart", "known"), [(5e-9, True), (5e-10, False)])
def test_labels_that_differ_by_more_than_rounding_have_an_r2(apart, known):
    data = GroupedCounts([[9, 1], [2, 8]], [0.5, 0.5 + apart])
    assert np.isfinite(label_r2(exact, data, np.random.default_rng(1))) == known


def test_shares_a_rounding_beyond_0_and_1_are_drawn_from(good):
    state = SimpleNamespace(
        share=np.array([1 + 1e-12, -1e-12]), sad=np.array([1.0, 0.0]), happy=np.array([0.0, 1.0])
    )
    sample = drawn(GroupedCounts([[5, 5], [3, 3]], [0.4, 0.6]), state, np.random.default_rng(1))
    assert sample.counts.tolist() == [[0, 10], [6, 0]]


def test_the_line_of_a_verdict_says_what_it_is_of_where_there_are_several():
    figures = "labels partly predicted; held-out label R2 0.40, shuffle ratio 3.0"
    assert verdict_line(Check(0.4, np.nan, 3.0)) == f"verdict: {figures}"
    assert verdict_line(Check(0.4, np.nan, 3.0), "size L") == f"verdict of size L: {figures}"


def test_counts_of_noisy_labels_are_drawn_from_shares_that_are_drawn_given_them():
    """Given each label and the events before any cap, with the stream of the counts."""
    asked, rng = [], np.random.default_rng(1)
    noise = SimpleNamespace(draw=lambda *given: asked.append(given) or np.array([1.0, 0.0]))
    data = replace(GroupedCounts([[5, 5], [3, 3]], [0.4, 0.6]).cap(4), noise=noise)
    state = SimpleNamespace(share=np.full(2, 0.5), sad=np.array([1.0, 0.0]), happy=np.array([0.0, 1.0]))
    np.testing.assert_allclose(drawn(data, state, rng).counts, [[0, 4], [4, 0]])
    ((label, events, stream),) = asked
    assert label.tolist() == [0.4, 0.6] and events.tolist() == [10, 6] and stream is rng


def test_a_verdict_that_no_design_had_is_said_to_have_no_record():
    assert record("first", "unheard of") == track_record.Record(0, 0, 0)
    assert in_words("unheard of") == "no real design of the survey had such figures"


def test_a_verdict_that_one_design_had_has_a_record(monkeypatch):
    one = {("second", "rare"): track_record.Record(1, 1, 0)}
    monkeypatch.setattr(track_record, "records", lambda: one)
    assert in_words("rare") == (
        "of real designs with this verdict the fit beat guessing the mean in 1 of 1 on which nothing was chosen "
        "(whatever the verdict: 1 of 1)"
    )


def test_a_spread_that_is_rounding_has_no_ratio():
    """Neither the fit's own nor that of shuffled labels, which is 1/2 here."""
    half = np.array([0.0, 1.0] * 4)
    even = GroupedCounts(np.ones((10, 8)), np.linspace(0.2, 0.8, 10))
    for found, by_chance, ratio in ((1e-8, 1, np.nan), (1, 1e-8, np.nan), (0.5, 1, 0.5)):
        estimator = partial(lambda size, _: Estimate(half * size), by_chance)
        answer = shuffle_ratio(estimator, even, half * found, np.random.default_rng(1))
        assert answer == pytest.approx(ratio, nan_ok=True)


def test_description(good):
    fit = exact(good)
    assert total_variation(fit) == pytest.approx(np.abs(fit.happy - fit.sad).sum() / 2)
    odd = good.counts.copy()
    extreme = np.abs(good.label - 0.5).argmax()
    odd[extreme] = odd[extreme, ::-1]
    groups, bins = excess_variation(GroupedCounts(odd, good.label), fit)
    assert groups.argmax() == extreme
    assert np.median(excess_variation(good, fit)[0]) == pytest.approx(1, abs=0.2)
    assert worst("abc", np.array([2.0, np.nan, 3.0])) == [("c", 3.0), ("a", 2.0)]
    assert bins.shape == (8,)


def test_drawn_counts_have_the_sizes_of_the_data_and_are_whole_events(good):
    capped = GroupedCounts(good.counts, good.label).cap(40)
    assert (capped.sizes < good.sizes).any()
    sample = drawn(capped, exact(capped), np.random.default_rng(1))
    np.testing.assert_allclose(sample.sizes, capped.sizes, rtol=1e-12)
    events = sample.counts * (good.sizes / capped.sizes)[:, None]
    np.testing.assert_allclose(events, np.rint(events), atol=1e-9)
    single = GroupedCounts(np.eye(8)[np.arange(200) % 8], good.label)
    of_one = drawn(single, exact(good), np.random.default_rng(1))
    assert set(np.unique(of_one.counts)) == {0, 1} and (of_one.sizes == 1).all()


def literal_excess(counts, share, sad, happy):
    """Squared errors over variances of a multinomial, cell by cell: of each group and of each bin."""
    errors, variances = np.zeros(counts.shape), np.zeros(counts.shape)
    for (i, k), n in np.ndenumerate(counts):
        w = (1 - share[i]) * sad[k] + share[i] * happy[k]
        size = sum(counts[i])
        errors[i, k], variances[i, k] = (n - size * w) ** 2, size * w * (1 - w)
    with np.errstate(invalid="ignore"):
        return [errors.sum(axis=axis) / variances.sum(axis=axis) for axis in (1, 0)]


def test_excess_is_a_sum_over_cells():
    counts = np.array([[8.0, 2, 5], [0, 0, 0], [1, 7, 2], [4, 4, 9]])
    share, sad, happy = np.array([0.8, 0.5, 0.1, 0.4]), np.array([0.2, 0.5, 0.3]), np.array([0.6, 0.1, 0.3])
    groups, bins = literal_excess(counts, share, sad, happy)
    assert np.isnan(groups[1]) and np.isfinite(bins).all()
    np.testing.assert_allclose(excess_of_counts(counts, share, sad, happy), groups, rtol=1e-12)
    small = literal_excess(counts / 50, share, sad, happy)[0]  # of counts that weigh little
    np.testing.assert_allclose(excess_of_counts(counts / 50, share, sad, happy), small, rtol=1e-12)
    data = GroupedCounts(counts[[0, 2, 3]], [0.8, 0.1, 0.4])
    fit = exact(data)
    for found, expected in zip(
        excess_variation(data, fit), literal_excess(data.counts, fit.share, fit.sad, fit.happy), strict=True
    ):
        np.testing.assert_allclose(found, expected, rtol=1e-9)
    # So many bins that the groups are gone through a few at a time: bins that nothing is in change nothing.
    empty = 400_000
    wide = GroupedCounts(np.hstack([data.counts, np.zeros((3, empty))]), data.label)
    pad = partial(np.pad, pad_width=(0, empty))
    of_groups, of_bins = excess_variation(
        wide, replace(fit, state=replace(fit.state, sad=pad(fit.sad), happy=pad(fit.happy)))
    )
    np.testing.assert_allclose(of_groups, excess_variation(data, fit)[0], rtol=1e-12)
    np.testing.assert_allclose(of_bins[:3], excess_variation(data, fit)[1], rtol=1e-12)
    assert np.isnan(of_bins[3:]).all()


def test_without_events_or_variance_there_is_no_excess():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = excess_of_counts(np.array([[3.0, 1.0], [0.0, 0.0]]), np.array([0.3, 0.3]), *np.eye(2)[[0, 0]])
        assert np.isnan(found).tolist() == [True, True]


def test_five_are_named_and_none_that_has_no_excess():
    excess = np.array([np.nan, 0.0, 3.0, 1.0, 2.0, np.nan, 0.0, 4.0])
    assert [name for name, _ in worst("abcdefgh", excess)] == ["h", "c", "e", "d", "b"]
    assert [name for name, _ in worst("abcdefgh", excess, most=8)] == ["h", "c", "e", "d", "b", "g"]


def test_of_the_same_excess_the_first_are_named():
    assert [name for name, _ in worst(range(40), np.tile([1.0, 2.0], 20), most=4)] == [1, 3, 5, 7]


@pytest.fixture
def command(tmp_path, good):
    """Runs wsclust fit on the good data, their labels shuffled where asked: (exit code, summary)."""
    pytest.importorskip("duckdb")

    def run(*options, shuffled=False, groups=200):
        counts = pd.DataFrame(good.counts[:groups], columns=range(1, 9)).rename_axis("group").reset_index()
        counts = counts.melt("group", var_name="bin", value_name="n")
        counts[counts["n"] > 0].to_csv(tmp_path / "events.csv", index=False)
        label = np.random.default_rng(1).permutation(good.label) if shuffled else good.label
        labels = pd.DataFrame({"group": range(groups), "label": label[:groups]})
        labels.to_csv(tmp_path / "labels.csv", index=False)
        arguments = ["fit", tmp_path / "events.csv", "--labels", tmp_path / "labels.csv", "--factors", "bin"]
        arguments += [
            "--count",
            "n",
            "--output",
            tmp_path / "posterior.csv",
            "--summary",
            tmp_path / "fit.json",
        ]
        code = main([*map(str, arguments), *options, "--half-samples", "0"])
        text = tmp_path / "fit.json"
        return code, json.loads(text.read_text(), parse_constant=pytest.fail) if text.exists() else None

    return run


def _check_in(summary):
    return Check(*(summary["check"][name] for name in ("label_r2", "label_r2_implied", "shuffle_ratio")))


def test_the_commands_verdict(command, capsys, tmp_path):
    code, summary = command("--he-weight", "inf", "--plot", str(tmp_path / "plot.png"))
    # One line off a terminal, so that a good fit is told from one that was not checked.
    assert code == 0 and capsys.readouterr() == ("", f"wsclust: {verdict_line(_check_in(summary))}\n")
    assert summary["check"]["verdict"] == PREDICTED and summary["warnings"] == []
    assert summary["check"]["record"]["second"]["designs"] == record("second", PREDICTED).designs
    assert len(summary["check"]["excess_variation"]["groups"]) == 5


def test_a_bad_verdict_is_a_warning_and_with_strict_an_exit_code(command, capsys, tmp_path):
    code, summary = command("--he-weight", "inf", "--strict", shuffled=True)
    assert code == 3 and summary["check"]["verdict"] == AGAINST and summary["check"]["bad"]
    assert (tmp_path / "posterior.csv").exists()
    line, taken, became, caution, decides, command_line = capsys.readouterr().err.splitlines()
    assert line == f"wsclust: warning: {summary['warnings'][0]}" and f"verdict: {AGAINST}; held-out" in line
    assert taken.startswith("  Labels were taken as exact; ")
    assert became == f"  O{in_words(AGAINST)[1:]}." and caution == f"  N{CAUTION[1:]}."
    assert "direct estimate is weak" in decides and decides.endswith("an audit of 100 events, drawn by:")
    assert command_line.startswith("    wsclust audit-sample ")
    assert command_line.endswith("--size 100 --output to_label.csv")
    assert command("--he-weight", "inf", shuffled=True)[0] == 0
    assert command("--he-weight", "inf", "--strict")[0] == 0
    assert command("--method", "additive", "--strict", shuffled=True)[0] == 3


@pytest.mark.parametrize("options", [["--strict", "--no-check"], ["--strict", "--method", "direct"]])
def test_strict_needs_a_check(command, capsys, options):
    assert command(*options) == (2, None)
    (line,) = capsys.readouterr().err.splitlines()
    assert "--strict" in line


def test_no_check(command):
    code, summary = command("--no-check")
    assert code == 0 and summary["check"] is None


def test_two_groups_have_a_check(command, capsys):
    code, summary = command(groups=2)
    assert code == 0 and summary["check"]["verdict"] in VERDICTS
    assert all("\n" not in line for line in summary["warnings"])
