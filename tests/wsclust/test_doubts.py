"""Where the data cannot give an answer, there is none, or a line that says so: never a number that looks like one."""

import numpy as np
import pandas as pd
import pytest

from wsclust.cells import GroupedCells
from wsclust.check.doubts import (
    bins_of_few_groups,
    doubts_of,
    doubts_of_settings,
    factors_of_groups,
    labels_do_not_vary,
    levels_of_few,
    name_of_bin,
    same_mix,
)
from wsclust.cli import main
from wsclust.counts import GroupedCounts
from wsclust.fitting import additive, direct, latent
from wsclust.tables import write_csv


@pytest.fixture(scope="module")
def world():
    """Sixty groups of 300 events in three bins, that obey the model."""
    rng = np.random.default_rng(7)
    share = rng.uniform(0.1, 0.9, 60)
    mixtures = np.outer(1 - share, [0.2, 0.3, 0.5]) + np.outer(share, [0.6, 0.3, 0.1])
    return np.array([rng.multinomial(300, mixture) for mixture in mixtures]), share


def with_bin(world, events):
    """The counts with one bin more, which has these events: a dict from a group's place to their number."""
    counts, share = world
    more = np.zeros((len(counts), 1))
    more[list(events), 0] = list(events.values())
    return GroupedCounts(np.hstack([counts, more]), share)


def test_a_bin_of_two_factors_is_named_by_both_levels():
    bins = pd.DataFrame({"sex": ["f", "m"], "age": ["old", "young"]})
    assert name_of_bin(GroupedCounts([[3, 1]], [0.2], bins=bins), 1) == "'m' x 'young'"


def odd_counts(groups=20, bins=6):
    """Counts in which no two bins are alike and none is rare."""
    return np.random.default_rng(5).integers(5, 50, (groups, bins)).astype(float)


def test_labels_that_do_not_vary_are_those_within_a_thousandth_of_either_end():
    for ends in ([1e-5, 2e-5], [1 - 1e-5, 1 - 2e-5], [0.5, 0.501]):
        assert not labels_do_not_vary(np.array(ends))
    assert labels_do_not_vary(np.array([0.999, 0.999 + 5e-7]))
    assert labels_do_not_vary(np.zeros(3)) and labels_do_not_vary(np.ones(3))


def test_half_as_many_equal_groups_are_enough():
    """(4 * 6 + 16)^2 / (4 * 6^2 + 16) = 10, half of 20 groups; of 7 times as many events it is 9.2."""
    shares = odd_counts()
    shares /= shares.sum(axis=1, keepdims=True)
    for times, said in ((6, False), (7, True)):
        sizes = 960 * np.where(np.arange(20) < 4, times, 1)
        lines = list(doubts_of(GroupedCounts(shares * sizes[:, None], np.linspace(0.2, 0.8, 20))))
        assert any("as if there were" in line for line in lines) == said


def test_bins_and_levels_are_few_below_five_groups_and_ten_events():
    """Two events in each of five groups are enough, and so are ten groups of a weight below 1."""
    counts = np.zeros((12, 5))
    counts[:5, 0], counts[:4, 1], counts[:5, 2], counts[:11, 3], counts[:, 4] = 2, 50, 1.9, 0.95, 9
    data = GroupedCounts(counts, np.linspace(0.2, 0.8, 12))
    assert bins_of_few_groups(data).tolist() == [False, True, False, False, False]
    assert levels_of_few(data, "bin").tolist() == [2, 3]


def test_groups_of_one_mix_of_unequal_shares_and_sizes():
    mix = np.array([[2.0, 8.0], [1.0, 4.0], [3.0, 12.0]])
    label = [0.2, 0.5, 0.8]
    assert same_mix(GroupedCounts(mix, label)) and not same_mix(GroupedCounts(mix + np.eye(3, 2), label))
    # Each group has as many events in both bins, or the same difference: no group's own evenness matters.
    assert not same_mix(GroupedCounts([[1.0, 2.0, 2.0, 1.0], [2.0, 1.0, 1.0, 2.0]], [0.2, 0.5]))
    for counts, said in ((mix, True), (mix + np.eye(3, 2), False), (mix * [[1, 1], [1, 0], [1, 1]], False)):
        group, bin_ = np.nonzero(counts)
        assert same_mix(GroupedCells.from_triplets(group, bin_, counts[group, bin_], label, 2)) == said


def alike(pairs, bins=10):
    """Counts in which of each pair of bins the second has twice what the first has in every group."""
    counts = odd_counts(bins=bins)
    for first, second in pairs:
        counts[:, second] = 2 * counts[:, first]
    return GroupedCounts(counts, np.linspace(0.2, 0.8, 20))


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([(0, 9)], "'1' and '10'"),
        ([(1, 8), (0, 9)], "'1' and '10', '2' and '9'"),
        ([(2, 7), (1, 8), (0, 9)], "'1' and '10', '2' and '9', '3' and '8'"),
        ([(3, 6), (2, 7), (1, 8), (0, 9)], "'1' and '10', '2' and '9', '3' and '8', ..."),
    ],
)
def test_three_pairs_of_bins_in_proportion_are_named_in_order(pairs, said):
    line = "bins that are always in the same proportion, which no data of these groups can tell apart: "
    assert list(doubts_of(alike(pairs))) == [line + said]
    sparse = alike(pairs)
    group, bin_ = np.nonzero(sparse.counts)
    cells = GroupedCells.from_triplets(group, bin_, sparse.counts[group, bin_], sparse.label, 10)
    assert list(doubts_of(cells)) == [line + said]


def test_bins_a_few_events_of_billions_apart_are_not_in_proportion():
    counts = odd_counts() * 1e8
    counts[:, 1] = counts[:, 0]
    counts[3, 1] += 40
    label = np.linspace(0.2, 0.8, 20)
    assert np.ptp(counts[:, 0] / counts[:, 0].sum() - counts[:, 1] / counts[:, 1].sum()) < 1e-9
    assert not list(doubts_of(GroupedCounts(counts, label)))


def test_settings_that_leave_little_to_say_are_those_beyond_their_bounds():
    """A prior of more events than the bin has, of more than ten; a change of a thousandth, which people read."""
    data = GroupedCounts([[90, 5], [20, 6]], [0.8, 0.3])
    prior = (
        "pseudo_events=12: the prior weighs more than the events in 1 of 2 bins, whose estimates are mostly "
        "the prior"
    )
    coarse = (
        "tolerance=0.001: the fit stops while posteriors still change by so much; take a smaller one, or leave "
        "it out"
    )
    assert list(doubts_of_settings(data, {"pseudo_events": 12, "tolerance": 1e-3})) == [prior, coarse]
    assert not list(doubts_of_settings(data, {"pseudo_events": 11, "tolerance": 0.99e-3}))
    few = GroupedCounts([[90, 2], [20, 2]], [0.8, 0.3])
    assert not list(doubts_of_settings(few, {"pseudo_events": 10})) and not list(doubts_of_settings(few, {}))


def test_a_factor_of_groups_is_named_below_half_by_chance():
    """Groups of two events that all have one level; half of them by chance is no fewer than half."""
    label = np.linspace(0.2, 0.8, 6)
    pairs = np.array([[2, 0, 0], [2, 0, 0], [0, 2, 0], [0, 2, 0], [0, 0, 2], [0, 0, 2]])
    assert factors_of_groups(GroupedCounts(pairs, label)) == ["bin"]
    assert factors_of_groups(GroupedCounts([[2, 0], [0, 1], [0, 1]], label[:3])) == []
    assert (
        factors_of_groups(
            GroupedCounts(
                [[2, 0], [0, 2]], label[:2], bins=pd.DataFrame({"a": "xx", "b": "xx"}, index=[0, 1])
            )
        )
        == []
    )


def test_a_few_large_groups_are_said_where_events_are_weighed():
    counts = odd_counts()
    counts *= np.where(np.arange(20) < 7, 1000, 20)[:, None] / counts.sum(axis=1, keepdims=True)
    data = GroupedCounts(counts, np.linspace(0.2, 0.8, 20))
    # (7 * 1000 + 13 * 20)^2 / (7 * 1000^2 + 13 * 20^2) = 7.5
    line = (
        "20 groups, but a few have most of the events, as if there were 8; let none count for more than some number "
        "of events, such as cap=500"
    )
    assert list(doubts_of(data)) == [line] and not list(doubts_of(data, weighs_events=False))


def test_few_different_labels_and_one_mix_are_said():
    few = "4 distinct labels: too few to tell the bins apart well; finer labels would help"
    assert list(doubts_of(GroupedCounts(odd_counts(), np.arange(20) % 4 / 4))) == [few]
    assert not list(doubts_of(GroupedCounts(odd_counts(), np.arange(20) % 5 / 5)))
    mix = (
        "every group has the same mix of the bins, so nothing tells the bins apart; where a row of the events stands "
        "for several events, name the column that says how many (count=...)"
    )
    assert list(doubts_of(GroupedCounts(np.ones((20, 2)), np.arange(20) % 5 / 5))) == [mix]


@pytest.mark.parametrize(
    ("rare", "said"),
    [
        (1, "1 of 6 bins has fewer than 10 events ('1')"),
        (3, "3 of 6 bins have fewer than 10 events ('1', '2', '3')"),
        (4, "4 of 6 bins have fewer than 10 events ('1', '2', '3', ...)"),
    ],
)
def test_bins_of_fewer_than_ten_events_are_counted_and_three_named(rare, said):
    counts = odd_counts()
    counts[:, : rare + 1] = 0
    for k in range(rare):
        counts[k : k + 9, k] = 1
    counts[10:20, rare] = 1  # ten, which is enough
    (line,) = doubts_of(GroupedCounts(counts, np.linspace(0.2, 0.8, 20)))
    remedy = "; cut numbers into ranges, or join rare levels" if 2 * rare > counts.shape[1] else ""
    assert line == f"{said}: what stands there is mostly the prior's, and there is no interval{remedy}"


@pytest.mark.parametrize(("shops", "each", "said"), [(501, 5, True), (500, 5, False), (501, 10, False)])
def test_more_than_a_thousand_bins_of_few_events_are_said_with_the_factor_of_most_levels(shops, each, said):
    bins = pd.DataFrame({"day": np.tile(["1", "2"], shops), "city": np.repeat(np.arange(shops), 2)})
    counts = np.zeros((20, len(bins)))
    for k in range(len(bins)):
        counts[(k + np.arange(each)) % 20, k] = 1
    lines = list(doubts_of(GroupedCounts(counts, np.linspace(0.2, 0.8, 20), bins=bins)))
    line = (
        "1,002 bins of 5.0 events on average, since factor 'city' has 501 levels; cut numbers into ranges, join rare "
        "levels, or leave the factor out"
    )
    assert [text for text in lines if "on average" in text] == [line] * said


@pytest.mark.parametrize("estimate", [latent, direct])
@pytest.mark.parametrize("se", ["half-samples", "information"])
def test_a_bin_of_few_events_has_no_interval_and_is_named(world, estimate, se):
    data = with_bin(world, dict.fromkeys(range(9), 1))
    report = estimate(data).report(se=se, half_samples=0 if se == "information" else 60, check=False)
    assert report.table.loc[3, ["se", "lower", "upper"]].isna().all()
    assert report.table.loc[:2, ["se", "lower", "upper"]].notna().all(axis=None)
    line = "1 of 4 bins has fewer than 10 events ('4'): what stands there is mostly the prior's"
    assert any(warning.startswith(line) for warning in report.warnings)
    enough = estimate(with_bin(world, dict.fromkeys(range(10), 1))).report(
        se=se, half_samples=60, check=False
    )
    assert enough.table["se"].notna().all() and not any("fewer than 10" in line for line in enough.warnings)


def test_a_factor_of_groups_is_named(world):
    """P(happy | country) is the mean label there, .47 or .54 say, and the fit makes .3 and .7 of it."""
    counts, share = world
    country = np.arange(60) % 3 == 0
    zeros = np.zeros_like(counts)
    both = np.hstack([np.where(country[:, None], counts, zeros), np.where(country[:, None], zeros, counts)])
    bins = pd.DataFrame({"country": ["DE"] * 3 + ["FR"] * 3, "level": ["1", "2", "3"] * 2})
    data = GroupedCounts(both, share, bins=bins)
    line = "factor 'country' is the same in all events of each group"

    def lines(fit):
        return [text for text in fit.report(half_samples=0, check=False).warnings if text.startswith(line)]

    for estimate in (latent, additive):
        assert len(lines(estimate(data))) == 1 and "wsclust fit --by country" in lines(estimate(data))[0]
        assert len(lines(estimate(data.cap(40)))) == 1
    assert not lines(direct(data))  # which has it right
    mixed = both.copy()
    mixed[5, 0] += 1
    assert not lines(latent(GroupedCounts(mixed, share, bins=bins)))


def test_groups_of_one_event_have_no_factor_of_groups():
    """By chance alone each has one level; of two events and a rare level nearly each has."""
    rng = np.random.default_rng(3)
    single = np.eye(2)[rng.integers(0, 2, 80)]
    pairs = np.array([[2, 0]] * 77 + [[0, 2]] * 3)
    for counts in (single, pairs):
        assert factors_of_groups(GroupedCounts(counts, rng.uniform(0.1, 0.9, 80))) == []
    fifty = np.array([[2, 0]] * 40 + [[0, 3]] * 40)
    assert factors_of_groups(GroupedCounts(fifty, rng.uniform(0.1, 0.9, 80))) == ["bin"]


def test_a_bin_that_one_group_has_is_no_surer_than_that_group(world):
    data = with_bin(world, {5: 40})
    by_halves = latent(data).report(half_samples=200, check=False).table
    assert by_halves["se"][3] > 5 * by_halves["se"][:3].max()
    report = latent(data).report(se="information", check=False)
    assert report.table.loc[3, ["se", "lower", "upper"]].isna().all()
    line = "no interval by the information in 1 of 4 bins ('4'): fewer than 5 groups have them"
    assert any(warning.startswith(line) for warning in report.warnings)
    five = latent(with_bin(world, dict.fromkeys(range(5), 8))).report(se="information", check=False)
    assert five.table["se"].notna().all()


def test_groups_of_one_mix_have_no_shuffle_ratio_and_a_verdict_that_warns():
    """As where a table of counts is read without its column of counts."""
    data = GroupedCounts(np.ones((40, 4)), np.linspace(0.2, 0.8, 40))
    fit = latent(data)
    assert np.ptp(fit.posterior) < 1e-9
    report = fit.report(half_samples=10)
    assert np.isnan(report.check.shuffle_ratio) and report.check.verdict == "nothing to check"
    assert report.check.is_warned_of and "Verdict: nothing to check; held-out" in str(report)
    assert report.summary["check"]["shuffle_ratio"] is None
    assert any("every group has the same mix of the bins" in line for line in report.warnings)


@pytest.mark.parametrize("apart", [0, 1e-6])
@pytest.mark.parametrize("estimate", [latent, direct])
def test_labels_that_do_not_vary_give_no_table(world, estimate, apart):
    label = np.full(60, 0.37)
    label[0] += apart
    with pytest.raises(
        ValueError, match=r"all labels are 0\.37.*: nothing tells the bins apart.*0\.37 in every bin"
    ):
        estimate(GroupedCounts(world[0], label))


def test_bins_that_are_always_in_proportion_are_named(world):
    counts, share = world
    data = GroupedCounts(np.column_stack([counts, 2 * counts[:, 1]]), share)
    line = "bins that are always in the same proportion, which no data of these groups can tell apart: '2' and '4'"
    assert line in latent(data).report(half_samples=0, check=False).warnings
    assert not latent(GroupedCounts(counts, share)).report(half_samples=0, check=False).warnings


def test_half_samples_too_few_for_an_interval_are_said(world):
    data = GroupedCounts(*world)
    for half_samples, said in ((2, True), (49, True), (50, False)):
        warnings = direct(data).report(half_samples=half_samples).warnings
        assert any("fewer than 50 half-samples" in line for line in warnings) == said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--method", "direct", "--he-weight", "4"], "--he-weight"),
        (["--se", "information", "--subsamples", "100"], "--half-samples 100: no use with --se information"),
        (["--he-weight", "1e-300"], "--he-weight 1e-300: expected 0, a number from 1e-6"),
        (["--method", "moments", "--prior", "mean"], "--prior"),
        (["--method", "direct", "--strict"], "--strict: nothing to be strict about"),
    ],
)
def test_an_option_that_would_be_ignored_is_refused(tmp_path, capsys, options, said):
    pytest.importorskip("duckdb")
    (tmp_path / "e.csv").write_text("group,kind\na,x\na,y\nb,x\nb,x\n")
    (tmp_path / "l.csv").write_text("group,label\na,.2\nb,.6\n")
    command = ["fit", tmp_path / "e.csv", "--labels", tmp_path / "l.csv", "--factors", "kind"]
    command += ["--output", tmp_path / "out.csv", *options]
    assert main([str(word) for word in command]) == 2
    printed = capsys.readouterr().err
    assert said in printed and printed.count("\n") == 1 and not (tmp_path / "out.csv").exists()


def test_a_prior_that_outweighs_the_events_and_a_coarse_tolerance_are_said(world):
    data = with_bin(world, dict.fromkeys(range(30), 2))
    lines = latent(data, pseudo_events=100, tolerance=0.5).report(half_samples=0, check=False).warnings
    assert any(
        "pseudo_events=100: the prior weighs more than the events in 1 of 4 bins" in line for line in lines
    )
    assert any("tolerance=0.5: the fit stops while posteriors still change" in line for line in lines)
    assert latent(data, pseudo_events=50, tolerance=1e-4).report(half_samples=0, check=False).warnings == ()


def test_shares_that_are_read_as_percentages_are_said(tmp_path, capsys):
    pytest.importorskip("duckdb")
    (tmp_path / "e.csv").write_text("group,kind\n" + "a,x\na,y\nb,x\nb,x\n" * 9)
    command = ["fit", tmp_path / "e.csv", "--labels", tmp_path / "l.csv", "--factors", "kind", "--percent"]
    command = [str(word) for word in [*command, "--half-samples", "0", "--output", tmp_path / "out.csv"]]
    for labels, said in (("a,.2\nb,.6\n", True), ("a,.2%\nb,.6%\n", False), ("a,20\nb,.6\n", False)):
        (tmp_path / "l.csv").write_text(f"group,label\n{labels}")
        assert main(command) == 0
        line = "column 'label' has no label above 1 percent, as if they were shares; if they are, leave out --percent"
        assert (line in capsys.readouterr().err) == said


def test_a_time_that_is_cut_is_shown_as_its_text(tmp_path, capsys):
    pytest.importorskip("duckdb")
    frame = pd.DataFrame({"group": list("ab"), "at": pd.date_range("2020-01-01", periods=2, tz="UTC")})
    frame.to_parquet(tmp_path / "e.parquet")
    (tmp_path / "l.csv").write_text("group,label\na,.2\nb,.6\n")
    command = [
        "fit",
        tmp_path / "e.parquet",
        "--labels",
        tmp_path / "l.csv",
        "--factors",
        "at",
        "--cut",
        "at:5",
    ]
    assert main([str(word) for word in [*command, "--output", tmp_path / "out.csv"]]) == 2
    said = capsys.readouterr().err
    assert "found '2020-01-01 00:00:00+00:00'" in said and "datetime" not in said


def test_a_group_with_two_labels_is_named_with_both(tmp_path, capsys):
    pytest.importorskip("duckdb")
    (tmp_path / "e.csv").write_text("group,kind\na,x\nb,y\n")
    (tmp_path / "l.csv").write_text("group,label\na,.2\nb,.6\na,.5\n")
    command = ["fit", tmp_path / "e.csv", "--labels", tmp_path / "l.csv", "--factors", "kind"]
    assert main([str(word) for word in [*command, "--output", tmp_path / "out.csv"]]) == 2
    assert "line 2, 4: group 'a' has more than one row, with 'label' .2 and .5" in capsys.readouterr().err


def test_a_table_with_17_digits_comes_back_exactly(tmp_path):
    values = np.random.default_rng(2).random(2000) * 10.0 ** np.arange(-9, 11).repeat(100)
    write_csv(pd.DataFrame({"x": values}), tmp_path / "x.csv", digits=17)
    np.testing.assert_array_equal(pd.read_csv(tmp_path / "x.csv")["x"], values)


def test_a_factor_that_does_not_vary_within_groups_is_named():
    rng = np.random.default_rng(8)
    events = pd.DataFrame({"group": rng.integers(0, 40, 4000), "device": rng.choice(["phone", "desk"], 4000)})
    events["city"] = np.where(events["group"] % 4 == 0, "Bonn", "Ulm")
    labels = pd.DataFrame({"group": range(40), "label": rng.uniform(0.2, 0.8, 40)})
    fixed = latent(GroupedCounts.from_events(events, labels, ["device", "city"]))
    assert any(
        "factor 'city' is the same" in line for line in fixed.report(half_samples=0, check=False).warnings
    )
    events.loc[0, "city"] = {"Bonn": "Ulm", "Ulm": "Bonn"}[events.loc[0, "city"]]
    free = latent(GroupedCounts.from_events(events, labels, ["device", "city"]))
    assert not any("is the same in all" in line for line in free.report(half_samples=0, check=False).warnings)
