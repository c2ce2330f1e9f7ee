"""Shares of groups: against other optimisers, how often their intervals hold the truth, and from files."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq, minimize_scalar
from scipy.special import expit, logit
from scipy.stats import chi2

from wsclust.check.misfit import excess_variation
from wsclust.cli import main
from wsclust.counts import GroupedCounts
from wsclust.estimators.shares import intervals_of_shares, shares_by_events, spread_of_groups
from wsclust.fitting import direct, latent

SAD, HAPPY = np.array([0.5, 0.3, 0.2]), np.array([0.1, 0.3, 0.6])


@pytest.mark.parametrize("counts", [(40, 25, 35), (3, 0, 0), (0, 1, 9), (200, 30, 100)])
def test_shares_and_intervals_are_those_of_a_general_optimiser(counts):
    def height(p):
        return np.array(counts) @ np.log((1 - p) * SAD + p * HAPPY)

    best = minimize_scalar(lambda p: -height(p), bounds=(0, 1), method="bounded", options={"xatol": 1e-12}).x

    def above(p):
        return height(p) - height(best) + chi2.ppf(0.95, 1) / 2

    lower = brentq(above, 0, best) if above(0) < 0 else 0
    upper = brentq(above, best, 1) if above(1) < 0 else 1
    found = [values[0] for values in shares_by_events(np.array([counts]), SAD, HAPPY)]
    assert found == pytest.approx([best, lower, upper], abs=1e-5)


def test_shares_of_all_or_nothing_are_exact_ends():
    counts = np.array([[3, 0, 0], [0, 0, 3], [40, 25, 35]])
    share, lower, upper = shares_by_events(counts, SAD, HAPPY)
    assert share[0] == lower[0] == 0 and share[1] == upper[1] == 1
    alone = [float(values[0]) for values in shares_by_events(counts[2:], SAD, HAPPY)]
    assert [share[2], lower[2], upper[2]] == alone


def test_a_label_narrows_the_interval_as_its_weight_says():
    counts, label, share = np.array([[40, 25, 35]]), np.array([0.3]), 0.45
    for weight in (0.5, 50):

        def height(p, weight=weight):
            return counts[0] @ np.log((1 - p) * SAD + p * HAPPY) - weight / 2 * (logit(p) - logit(0.3)) ** 2

        best = minimize_scalar(lambda p: -height(p), bounds=(1e-9, 1 - 1e-9), method="bounded").x
        lower, upper = intervals_of_shares(counts, np.array([best]), SAD, HAPPY, 1.0, weight, label)
        assert lower[0] < best < upper[0]
        ends = [height(p) for p in (lower[0], upper[0])]
        assert ends == pytest.approx([height(best) - chi2.ppf(0.95, 1) / 2] * 2, abs=1e-4)
    assert upper - lower < 0.5 * share


def test_groups_vary_as_a_dirichlet_multinomial_of_their_size():
    """Its correlation is found from sizes and excess, but not from groups that cannot have any."""
    sizes = np.array([1.0, 2, 51, 101, 30])
    excess = 1 + 0.02 * (sizes - 1) + [7, 0.5, -0.5, 0, np.nan]
    np.testing.assert_allclose(spread_of_groups(excess, sizes)([0, 1, 11, 101]), [1, 1, 1.2, 3], rtol=1e-12)
    for less in ([0.2, 0.9, 0.5, 0.7, np.nan], [np.nan] * 5):
        np.testing.assert_array_equal(spread_of_groups(np.array(less), sizes)([0, 11, 101]), 1)
    of_one = spread_of_groups(np.array([3.0]), np.ones(1))
    np.testing.assert_array_equal(of_one([5]), 1)


def simulated(rng, groups, events, alike=None):
    """Shares and counts of groups; `alike` is how close a group's bins are to the model's, or None for exactly so."""
    happy, sad = rng.dirichlet([3.0] * 10), rng.dirichlet([3.0] * 10)
    share = expit(rng.normal(0, 1, groups))
    mixtures = np.outer(1 - share, sad) + np.outer(share, happy)
    if alike:
        mixtures = np.array([rng.dirichlet(alike * mixture) for mixture in mixtures])
    return share, np.array(
        [rng.multinomial(n, p) for n, p in zip(rng.poisson(events, groups) + 1, mixtures, strict=True)]
    )


def events_of(counts, names):
    group, bin_ = np.nonzero(counts)
    return pd.DataFrame({"group": names[group], "bin": bin_ + 1, "n": counts[group, bin_]})


@pytest.mark.parametrize("alike", [None, 60])
def test_intervals_of_groups_without_a_label_hold_the_truth(alike):
    """Nineteen in twenty, also where groups differ in their bins whatever their share."""
    rng, held, widths = np.random.default_rng(8), [], []
    for _ in range(8):
        share, counts = simulated(rng, 300, 200, alike)
        fit = latent(GroupedCounts(counts[:200], share[:200]))
        table = fit.groups(events_of(counts[200:], np.arange(1000, 1100)), count="n").iloc[200:]
        assert table["group"].astype(int).tolist() == [*range(1000, 1100)] and table["label"].isna().all()
        held += [(table["lower"] <= share[200:]) & (share[200:] <= table["upper"])]
        widths += [table["upper"] - table["lower"]]
    assert 0.92 < np.mean(held) < 0.98 and np.mean(widths) < (0.8 if alike else 0.5)


def test_intervals_of_noisy_labels_hold_the_truth():
    rng, held = np.random.default_rng(9), []
    for _ in range(8):
        share, counts = simulated(rng, 200, 200)
        label = expit(logit(share) + rng.normal(0, 10**-0.5, 200))
        table = latent(GroupedCounts(counts, label), he_weight=10).groups()
        held += [(table["lower"] <= share) & (share <= table["upper"])]
    assert 0.92 < np.mean(held) < 0.98


def test_the_mean_of_scores_is_drawn_to_the_middle_and_the_share_is_not():
    share, counts = simulated(np.random.default_rng(4), 600, 1000)
    fit = latent(GroupedCounts(counts[:300], share[:300]))
    found = fit.groups(events_of(counts[300:], np.arange(1000, 1300)), count="n")["share"].to_numpy()[300:]
    of_scores = counts[300:] @ fit.posterior / counts[300:].sum(axis=1)
    slopes = [np.polyfit(share[300:], values, 1)[0] for values in (found, of_scores)]
    assert slopes[0] == pytest.approx(1, abs=0.1) and slopes[1] < 0.6


def test_labels_that_are_exact_are_the_shares_and_a_cap_widens_intervals():
    share, counts = simulated(np.random.default_rng(5), 60, 400)
    data = GroupedCounts(counts[:50], share[:50])
    others = events_of(counts[50:], np.arange(50, 60))
    table = latent(data).groups(others, count="n")
    assert table.columns.tolist() == ["group", "label", "events", "share", "lower", "upper", "excess"]
    np.testing.assert_array_equal(table["share"][:50], share[:50])
    assert table["lower"][:50].isna().all() and table["lower"][50:].notna().all()
    capped = latent(data.cap(40)).groups(others, count="n")
    np.testing.assert_array_equal(capped["events"], table["events"])
    wider = (capped["upper"] - capped["lower"]) > (table["upper"] - table["lower"])
    assert wider[50:].all()


def test_the_excess_is_of_the_events_before_a_cap():
    """About 1 where the model holds, whatever the cap: at 40 of some 400 events it was a tenth."""
    share, counts = simulated(np.random.default_rng(5), 250, 400)
    others = events_of(counts[200:], np.arange(200, 250))
    data = GroupedCounts(counts[:200], share[:200]).cap(40)
    for fit in (latent(data), latent(data, he_weight=10)):
        table = fit.groups(others, count="n")
        assert table["excess"][:200].mean() == pytest.approx(1, abs=0.12)
        assert table["excess"][200:].mean() == pytest.approx(1, abs=0.2)
        # Another formula: Pearson's sum over the drawn counts, its variance over cells.
        row, mixture = table.iloc[7], fit.estimate.share[7] * fit.estimate.happy
        mixture = mixture + (1 - fit.estimate.share[7]) * fit.estimate.sad
        variance = counts[7].sum() * mixture * (1 - mixture)
        expected = ((counts[7] - counts[7].sum() * mixture) ** 2).sum() / variance.sum()
        assert row["excess"] == pytest.approx(expected)
        of_groups, of_bins = excess_variation(data, fit.estimate)
        np.testing.assert_allclose(of_groups, table["excess"][:200])
        assert np.mean(of_bins) == pytest.approx(1, abs=0.12)


def test_events_in_bins_that_no_labelled_group_has_are_left_out_with_a_warning():
    data = GroupedCounts([[9, 1], [2, 8], [5, 5]], [0.9, 0.2, 0.5], groups=list("abc"))
    events = pd.DataFrame({"group": list("xxya"), "bin": [1, 7, 7, 1]})
    with pytest.warns(UserWarning, match="2 events of groups without a label are in bins"):
        table = latent(data).groups(events)
    assert table["group"].tolist() == list("abcxy")
    assert table["events"].tolist()[3:] == [1, 0]
    assert table[["lower", "upper"]].iloc[4].tolist() == [0, 1] and np.isnan(table["share"][4])
    with pytest.raises(ValueError, match="direct: no shares of groups"):
        direct(data).groups(events)
    with pytest.raises(ValueError, match="events: no column 'bin'"):
        latent(data).groups(events[["group"]])


@pytest.fixture
def files(tmp_path):
    pytest.importorskip("duckdb")
    rng = np.random.default_rng(6)
    share, counts = simulated(rng, 40, 80)
    names = np.array([f"{i}" for i in range(40)])
    events = events_of(counts, names).loc[lambda t: t.index.repeat(t["n"]), ["group", "bin"]]
    events["size"] = rng.exponential(10, len(events)).round(1)
    events.loc[rng.random(len(events)) < 0.1, "size"] = np.nan
    events = events.sample(frac=1, random_state=1)
    events.to_csv(tmp_path / "events.csv", index=False)
    label = pd.Series(share.round(3)).where(np.arange(40) < 30)
    pd.DataFrame({"shop": names, "label": label})[:35].to_csv(tmp_path / "labels.csv", index=False)
    return tmp_path, events, names, label


def arguments(folder, *more):
    return [
        "fit",
        str(folder / "events.csv"),
        "--labels",
        str(folder / "labels.csv"),
        "--label-group",
        "shop",
        "--half-samples",
        "0",
        "--no-check",
        "--output",
        str(folder / "out.csv"),
        *more,
    ]


def test_the_file_of_groups_is_what_the_fit_says(files, capsys):
    folder, events, names, label = files
    cut = ["--cut", "size:5,10", "--missing", "none", "--drop-unlabelled", "--factors", "bin,size"]
    path = folder / "groups.csv"
    assert main(arguments(folder, *cut, "--groups", str(path))) == 0
    table = pd.read_csv(path, dtype={"group": str})
    parts = pd.cut(events["size"], [-np.inf, 5, 10, np.inf]).cat.codes.astype(str)
    events = events.assign(size=parts)
    labelled = events["group"].isin(names[:30])
    data = GroupedCounts.from_events(
        events[labelled], pd.DataFrame({"group": names[:30], "label": label[:30]}), ["bin", "size"]
    )
    expected = latent(data).groups(events)
    assert table["group"].tolist() == expected["group"].tolist() == names.tolist()
    for column in expected.columns[1:]:
        np.testing.assert_allclose(table[column], expected[column].to_numpy(float), atol=1e-7)
    assert table["share"][30:].notna().all() and table["label"][30:].isna().all()
    assert main(arguments(folder, *cut, "--groups", str(folder / "groups.parquet"))) == 0
    again = pd.read_parquet(folder / "groups.parquet")
    np.testing.assert_allclose(again["upper"], table["upper"])


def test_groups_that_cannot_have_shares_are_refused(files, capsys):
    folder, *_ = files
    for more, said in (
        (["--method", "direct"], "--groups: no use with --method direct"),
        (["--audit", "a.csv"], "--groups: no use with --audit"),
        (["--groups", str(folder / "g.txt")], "expected a name that ends in .csv or .parquet"),
    ):
        command = [
            "fit",
            str(folder / "events.csv"),
            "--labels",
            str(folder / "labels.csv"),
            "--factors",
            "bin",
        ]
        command += ["--output", str(folder / "out.csv"), "--groups", str(folder / "g.csv"), *more]
        assert main(command) == 2
        assert said in capsys.readouterr().err and not (folder / "out.csv").exists()


def test_a_fit_in_parquet_scores_as_the_one_in_csv(files, capsys):
    folder = files[0]
    common = arguments(folder, "--factors", "bin,size", "--cut", "size:5,10", "--missing", "none")
    common.append("--drop-unlabelled")
    assert main([*common, "--summary", str(folder / "fit.json")]) == 0
    assert main([*common, "--output", str(folder / "out.parquet")]) == 0
    csv = pd.read_csv(folder / "out.csv", dtype={"bin": str})
    parquet = pd.read_parquet(folder / "out.parquet")
    pd.testing.assert_frame_equal(
        csv.astype({"n": float}), parquet.astype({"bin": csv["bin"].dtype, "size": csv["size"].dtype})
    )
    assert parquet["size"].cat.categories.tolist() == ["<= 5", "(5, 10]", "> 10", "none"]
    assert parquet["bin"].cat.ordered
    scored = []
    for kind in ("csv", "parquet"):
        score = ["score", str(folder / "events.csv"), "--posterior", str(folder / f"out.{kind}")]
        score += ["--summary", str(folder / "fit.json"), "--output", str(folder / f"s-{kind}.csv")]
        assert main(score) == 0
        scored.append((folder / f"s-{kind}.csv").read_bytes())
    assert scored[0] == scored[1] and pd.read_csv(folder / "s-csv.csv")["posterior"].notna().all()


@pytest.mark.parametrize(("count", "shown"), [(-1, "-1"), (np.inf, "inf"), (np.nan, "nan"), ("few", "few")])
def test_counts_of_groups_without_a_label_that_are_none_are_refused(count, shown):
    fit = latent(GroupedCounts([[5, 2], [2, 6]], [0.2, 0.8], groups=["a", "b"]))
    events = pd.DataFrame({"group": ["a", "new"], "bin": [1, 2], "n": [3, count]})
    with pytest.raises(
        ValueError, match=f"events: column 'n' is '{shown}' in row 2; counts are numbers of ev"
    ):
        fit.groups(events, count="n")
