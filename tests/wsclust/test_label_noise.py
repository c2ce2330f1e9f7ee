"""Labels that are known to be noisy: every fit, of halves too, calibrates them, and says so."""

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import expit, logit
from scipy.stats import binom, norm

from wsclust import direct, fit, latent, moments, with_label_noise
from wsclust.calibration import calibrated_labels, labels_from_ratings
from wsclust.cli import main
from wsclust.counts import GroupedCounts
from wsclust.drawing import draw_outcomes
from wsclust.events.reading import read_counts
from wsclust.half_samples import half_sample_standard_errors
from wsclust.label_noise import LabelError, RatedEvents
from wsclust.planning.design import Design
from wsclust.planning.simulate import drawn
from wsclust.ratings_model import prior_of_ratings
from wsclust.seeds import generator

HAPPY, SAD = (np.array(weights) / 20 for weights in ([1, 2, 5, 12], [12, 5, 2, 1]))


@pytest.fixture(scope="module")
def noisy():
    return drawn(Design.from_curve(60, 40, bins=4, label_sd=0.7), np.random.default_rng(1))


@pytest.fixture(scope="module")
def rated():
    """Labels that are y of 3 to 9 rated events, and these numbers."""
    data = drawn(Design.from_curve(60, 40, bins=4), np.random.default_rng(2))
    r = np.random.default_rng(3).integers(3, 10, 60)
    y = np.random.default_rng(4).binomial(r, data.label)
    return GroupedCounts(data.counts, y / r), y, r


def with_labels(data, label):
    return GroupedCounts(data.counts, label, data.groups, data.bins)


@pytest.mark.parametrize("method", ["latent", "additive"])
def test_a_fit_is_that_of_the_calibrated_labels(noisy, method):
    found = fit(method, with_label_noise(noisy, 0.7))
    by_hand = fit(method, with_labels(noisy, calibrated_labels(noisy.label, 0.7)))
    np.testing.assert_array_equal(found.posterior, by_hand.posterior)
    np.testing.assert_allclose(
        found.standard_errors("information"), by_hand.standard_errors("information"), rtol=1e-12
    )
    assert np.abs(found.posterior - fit(method, noisy).posterior).max() > 0.01
    np.testing.assert_array_equal(found.data.label, noisy.label)  # as they were given


def test_the_mean_label_of_a_prior_is_that_of_calibrated_labels(noisy):
    found = latent(with_label_noise(noisy, 0.7), prior="mean")
    by_hand = latent(with_labels(noisy, calibrated_labels(noisy.label, 0.7)), prior="mean")
    np.testing.assert_array_equal(found.posterior, by_hand.posterior)
    np.testing.assert_allclose(
        found.standard_errors("information"), by_hand.standard_errors("information"), rtol=1e-12
    )


def test_ratings_of_0_and_all_need_no_clipping(rated):
    data, y, r = rated
    assert ((y == 0) | (y == r)).any()
    found = latent(with_label_noise(data, rated=r))
    by_hand = latent(with_labels(data, labels_from_ratings(y, r)))
    np.testing.assert_array_equal(found.posterior, by_hand.posterior)


def test_groups_rated_in_full_keep_their_labels_where_the_rated_are_among_the_events(rated):
    data, _, _ = rated
    sizes = data.sizes
    happy = np.random.default_rng(5).binomial(sizes.astype(int), 0.2 + 0.6 * data.label)
    of_all = GroupedCounts(data.counts, happy / sizes)
    among = with_label_noise(of_all, rated=sizes, among_events=True)
    np.testing.assert_allclose(among.calibrated().label, of_all.label, rtol=1e-12)
    others = with_label_noise(of_all, rated=sizes)
    assert np.ptp(others.calibrated().label) < np.ptp(of_all.label)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=10, deadline=None)
def test_no_error_leaves_everything_bit_for_bit(seed):
    rng = np.random.default_rng(seed)
    data = GroupedCounts(rng.integers(1, 20, (8, 3)), rng.random(8))
    assert with_label_noise(data, 0) is data
    assert with_label_noise(data, np.zeros(8)) is data


def test_half_samples_are_calibrated_anew(noisy):
    data = with_label_noise(noisy, 0.7)
    found = latent(data).standard_errors(rng=5, half_samples=6)

    def by_hand(half):
        return latent(with_labels(half, calibrated_labels(half.label, 0.7)))

    stream = generator(5, "fit", "latent", role="half-samples")
    expected = half_sample_standard_errors(by_hand, noisy.in_group_order(), 6, stream)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_what_is_known_of_a_group_goes_with_it(rated):
    data, y, r = rated
    noise = with_label_noise(data, rated=r)
    rows = np.array([5, 2, 40, 41, 8, 17])
    some = noise.subset(rows)
    np.testing.assert_allclose(some.calibrated().label, labels_from_ratings(y[rows], r[rows]), rtol=1e-12)
    order = np.random.default_rng(6).permutation(60)
    moved = noise.with_labels_of(order)
    np.testing.assert_array_equal(moved.counts, noise.counts)
    np.testing.assert_array_equal(moved.noise.rated, r[order])
    np.testing.assert_array_equal(moved.label, data.label[order])


def test_estimates_that_average_labels_take_them_as_they_are(noisy):
    for method in (direct, moments):
        np.testing.assert_array_equal(method(with_label_noise(noisy, 0.7)).posterior, method(noisy).posterior)


def test_one_error_for_each_group(noisy):
    errors = np.where(np.arange(60) < 30, 0.2, 1.2)
    found = with_label_noise(noisy, errors).calibrated().label
    np.testing.assert_array_equal(found, calibrated_labels(noisy.label, errors))


def test_a_fit_says_what_it_did_and_what_is_doubtful(noisy, rated):
    report = latent(with_label_noise(noisy, 0.7)).report(half_samples=0)
    assert report.summary["labels"] == {"used": "calibrated", "label_sd": 0.7, "label_n": None}
    assert "implied by the model" in report.check.words
    assert latent(noisy).report(half_samples=0, check=False).summary["labels"] == {"used": "as given"}
    assert "calibrated labels" in repr(latent(with_label_noise(noisy, 0.7)))
    far = latent(with_label_noise(noisy, 30)).report(half_samples=0, check=False).warnings
    assert any("label_sd=30: the labels' logits have an SD of" in line for line in far)
    data, _, _ = rated
    alike = GroupedCounts(data.counts, np.resize([0.4, 0.6], 60))
    said = latent(with_label_noise(alike, rated=5)).report(half_samples=0, check=False).warnings
    assert any("no more than by chance" in line for line in said)


@pytest.mark.parametrize("method", ["latent", "additive"])
def test_groups_of_which_most_events_are_rated_can_be_checked(method):
    """The check gives groups each other's labels, of which more may be rated than a group has events."""
    rng = np.random.default_rng(33)
    data = drawn(Design.from_curve(40, 60, bins=4), rng)
    data = GroupedCounts(rng.binomial(data.counts.astype(int), rng.uniform(0.2, 1, 40)[:, None]), data.label)
    rated = np.floor(0.9 * data.sizes)
    noisy = with_label_noise(
        GroupedCounts(data.counts, np.rint(data.label * rated) / rated), rated=rated, among_events=True
    )
    for seed in range(1, 6):
        assert fit(method, noisy).check(rng=seed).verdict


@pytest.mark.parametrize("kind", ["rated", "rated among events", "error"])
@pytest.mark.parametrize("events", [12, 10**9])
def test_the_variance_of_shares_is_that_of_what_is_drawn(rated, events, kind):
    _, y, r = rated
    times, rng = 20_000, np.random.default_rng(32)
    y, r, sizes = (np.tile(values, times) for values in (y[:8], r[:8], np.full(8, events)))
    label, left = y / r, sizes
    if kind == "error":
        label = np.clip(label, 0.1, 0.9)
        noise = LabelError(np.tile(np.linspace(0, 0.9, 8), times))
    else:
        noise = RatedEvents(r.astype(float), kind == "rated among events")
    share = noise.draw(label, sizes, rng)
    if kind == "rated among events":  # what is drawn is the share of all; only those that are left vary
        left = sizes - r
        share = (share * sizes - y) / left
    drawn = (rng.binomial(left, np.clip(share, 0, 1)) / sizes).reshape(times, 8).var(axis=0)
    if kind == "error":
        drawn[0] = 0  # an exact label is the share of its own events
    assert noise.variance(label, sizes)[:8] == pytest.approx(drawn, rel=0.06, abs=1e-12)


@pytest.mark.parametrize("method", ["latent", "additive"])
def test_a_report_says_where_labels_were_taken_as_exact(noisy, method):
    fits = fit(method, noisy), fit(method, noisy, he_weight=10), fit(method, with_label_noise(noisy, 0.1))
    lines = [found.report(half_samples=0).about_verdicts for found in fits]
    assert [sum("taken as exact" in line for line in said) for said in lines] == [1, 0, 0]


def test_a_share_is_drawn_from_what_its_label_leaves_open(noisy, rated):
    """Beside the density of a general quadrature, in quantiles and means; a label without error stays."""
    data, y, r = rated
    rng = np.random.default_rng(1)
    label, happy, of = (np.tile(values, 1000) for values in (data.label, y, r))
    noise = RatedEvents(of)
    shares = noise.draw(label, of, rng).reshape(1000, 60)
    centre, sd = prior_of_ratings(happy, of)
    for group in (0, int(np.argmin(y / r)), int(np.argmax(y / r))):

        def density(mu, group=group):
            return binom.pmf(y[group], r[group], expit(mu)) * norm.pdf(mu, centre, sd)

        whole = quad(density, -30, 30, points=[centre])[0]
        for level in (0.1, 0.5, 0.9):
            at = logit(np.quantile(shares[:, group], level))
            below = quad(density, -30, at, points=[min(centre, at)])[0]
            assert below / whole == pytest.approx(level, abs=0.03)
    some = replace(noise, among_events=True).draw(label, 2.0 * of, np.random.default_rng(1))
    others = noise.draw(label, of, np.random.default_rng(1))
    np.testing.assert_allclose(some, (happy / of + others) / 2)
    label = np.tile(noisy.label, 3000)
    error = LabelError(np.where(np.arange(len(label)) % 60 < 30, 0.0, 0.7))
    shares = error.draw(label, label, rng).reshape(3000, 60)
    assert (shares[:, :30] == noisy.label[:30]).all()
    expected = error.expected(label, label)[:60]
    np.testing.assert_allclose(shares.mean(axis=0), expected, atol=0.015)
    again = logit(shares[:, 30:]).var(axis=0) / np.var(logit(noisy.label))
    assert (np.abs(again - again.mean()) < 0.1).all() and 0.05 < again.mean() < 0.7


@pytest.mark.parametrize(
    ("kind", "events"), [("error", 200), ("ratings", 200), ("ratings of the events", 60)]
)
def test_the_model_implies_the_r2_that_its_own_data_have(kind, events):
    """Of data that obey it, whose counts from shares that are merely expected would imply .05 to .11 more."""
    found = []
    for run in range(3):
        rng = np.random.default_rng(run)
        share = expit(1.5 * rng.standard_normal(300))
        happy, sad = draw_outcomes(share, np.full(300, events), SAD, HAPPY, rng)
        counts, right = happy + sad, happy.sum(axis=1)
        if kind == "error":
            label = expit(logit(share) + 1.5 * rng.standard_normal(300))
            data = with_label_noise(GroupedCounts(counts, label), 1.5)
        elif kind == "ratings":
            data = with_label_noise(GroupedCounts(counts, rng.binomial(3, share) / 3), rated=3)
        else:
            label = rng.hypergeometric(right, events - right, 4) / 4
            data = with_label_noise(GroupedCounts(counts, label), rated=4, among_events=True)
        check = latent(data).check(rng=run)
        found.append((check.label_r2, check.label_r2_implied))
    r2, implied = np.mean(found, axis=0)
    assert r2 == pytest.approx(implied, abs=0.03)


@pytest.mark.parametrize(
    ("label", "arguments", "words"),
    [
        ([0, 0.5, 0.9], {"label_sd": 0.5}, "group 1: label 0 has an infinite logit.*clip=0.001.*label_n"),
        ([0.1, 0.5, 0.9], {"label_sd": -1}, "label_sd=-1: expected a finite number of 0 or more"),
        ([0.1, 0.5, 0.9], {"label_sd": [0.1, np.nan, 1]}, "group 2: label_sd=nan"),
        ([0.1, 0.5, 0.9], {"label_sd": [0.1, 0.2]}, "2 numbers for 3 groups"),
        ([0.1, 0.5, 0.9], {}, "expected one of them"),
        ([0.1, 0.5, 0.9], {"label_sd": 1, "rated": 10}, "expected one of them"),
        ([0.2, 0.5, 0.8], {"rated": 5}, r"group 2: label 0.5 of 5 rated events would be 2.5 happy ones"),
        ([0.2, 0.4, 0.8], {"rated": [5, -5, 5]}, "group 2: label_n=-5"),
        ([0, 0, 1], {"rated": 1}, "no group has more than one rated event"),
        ([0, 0, 0], {"rated": 4}, "all 12 rated events are sad"),
        ([0.25, 0.5, 0.75], {"rated": 40, "among_events": True}, "group 1: 40 rated of 20 events.*2 more"),
    ],
)
def test_noise_that_makes_no_sense_is_refused(label, arguments, words):
    data = GroupedCounts([[15, 5], [10, 10], [5, 15]], label)
    with pytest.raises(ValueError, match=words):
        with_label_noise(data, **arguments)


def test_a_finite_weight_would_reckon_with_the_noise_twice(noisy):
    with pytest.raises(ValueError, match="he_weight=10: no use with label_sd or label_n"):
        latent(with_label_noise(noisy, 0.7), he_weight=10)


# The command.


@pytest.fixture
def files(tmp_path, rated):
    data, _, r = rated
    group, bins = np.nonzero(data.counts)
    events = pd.DataFrame({"group": group, "bin": bins, "n": data.counts[group, bins].astype(int)})
    events.to_csv(tmp_path / "events.csv", index=False)
    labels = pd.DataFrame({"group": np.arange(60), "label": data.label, "rated": r})
    labels.sample(frac=1, random_state=1).to_csv(tmp_path / "labels.csv", index=False)
    return tmp_path


def run(folder, *options):
    names = [str(folder / name) for name in ("events.csv", "labels.csv", "posterior.csv")]
    arguments = [
        "fit",
        names[0],
        "--labels",
        names[1],
        "--output",
        names[2],
        "--factors",
        "bin",
        "--count",
        "n",
    ]
    return main([*arguments, "--half-samples", "0", "--no-check", *map(str, options)])


def test_the_command_reads_the_number_of_rated_events(files, rated):
    data, _, r = rated
    assert run(files, "--label-n", "rated", "--summary", files / "fit.json") == 0
    expected = latent(with_label_noise(data, rated=r)).posterior
    np.testing.assert_allclose(pd.read_csv(files / "posterior.csv")["posterior"], expected, atol=1e-12)
    said = json.loads((files / "fit.json").read_text())["labels"]
    assert said == {"used": "calibrated", "label_sd": None, "label_n": [3, 9], "rated_among_events": False}
    assert run(files, "--label-n", "rated", "--rated-among-events") == 0
    among = latent(with_label_noise(data, rated=r, among_events=True)).posterior
    np.testing.assert_allclose(pd.read_csv(files / "posterior.csv")["posterior"], among, atol=1e-12)
    assert np.abs(among - expected).max() > 1e-3


def test_the_command_takes_the_error_of_clipped_labels(files, rated):
    data, _, _ = rated
    assert run(files, "--label-sd", 0.5, "--clip", 0.05) == 0
    expected = latent(with_label_noise(data.clip_labels(0.05), 0.5)).posterior
    np.testing.assert_allclose(pd.read_csv(files / "posterior.csv")["posterior"], expected, atol=1e-12)


def test_an_error_of_0_changes_no_bit_of_the_output(files):
    assert run(files) == 0
    plain = (files / "posterior.csv").read_bytes()
    assert run(files, "--label-sd", 0) == 0
    assert (files / "posterior.csv").read_bytes() == plain


def test_groups_without_a_label_are_left_out_with_their_ratings(files, rated):
    _, _, r = rated
    labels = pd.read_csv(files / "labels.csv")
    labels.loc[labels["group"] == 7, "label"] = np.nan
    labels.to_csv(files / "labels.csv", index=False)
    with pytest.warns(UserWarning, match="left out"):
        found = read_counts(
            files / "events.csv",
            files / "labels.csv",
            "bin",
            count="n",
            drop_unlabelled=True,
            label_n="rated",
        )
    np.testing.assert_array_equal(found.noise.rated, r[found.groups.astype(int)])
    assert len(found.label) == 59


def test_methods_in_either_order_take_the_noise_alike(files, tmp_path):
    tables = {}
    for first, second in (("latent", "direct"), ("direct", "latent")):
        assert run(files, "--label-n", "rated", "--method", f"{first},{second}", "--no-check") == 0
        table = pd.read_csv(tmp_path / "posterior.csv")
        tables[first] = table.rename(columns={"posterior": first, f"posterior ({second})": second})
    for method in ("latent", "direct"):
        np.testing.assert_array_equal(tables["latent"][method], tables["direct"][method])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            ["--label-n", "rated", "--he-weight", 4],
            "--he-weight 4.0: no use with --label-n rated: calibrated",
        ),
        (["--label-sd", 1, "--he-weight", 4], "--he-weight 4.0: no use with --label-sd 1.0"),
        (["--label-sd", 1, "--label-n", "rated"], "--label-sd 1: no use with --label-n"),
        (["--label-sd", -1], "--label-sd -1: expected 0 or more, at most 1000"),
        (["--label-sd", 1], "label 1 has an infinite logit.*--clip 0.001"),
        (["--label-sd", 1, "--method", "moments"], "--label-sd 1.0: no use with method moments"),
        (
            ["--label-sd", 1, "--method", "moments,direct"],
            "no use with methods moments, direct, which average",
        ),
        (["--label-n", "rated", "--clip", 0.01], "--clip 0.01: no use with --label-n"),
        (["--label-n", "label"], "column 'label' is named twice"),
        (["--label-n", "ratings"], "no column 'ratings'"),
        (["--rated-among-events"], "--rated-among-events: needs --label-n"),
    ],
)
def test_options_that_do_not_go_together_are_one_line(files, capsys, options, words):
    assert run(files, *options) == 2
    printed = capsys.readouterr().err
    assert printed.count("\n") == 1 and re.search(words, printed), printed
    assert not (files / "posterior.csv").exists()


def test_a_number_of_rated_events_that_is_none_is_named(files, capsys):
    text = (files / "labels.csv").read_text().splitlines()
    text[3] = ",".join([*text[3].split(",")[:2], "many"])
    (files / "labels.csv").write_text("\n".join(text) + "\n")
    assert run(files, "--label-n", "rated") == 2
    group = text[3].split(",")[0]
    assert f"group '{group}': column 'rated' is 'many'; expected the number" in capsys.readouterr().err


def test_noise_by_group_is_matched_by_the_names_of_the_groups(noisy):
    sd = pd.Series(np.linspace(0.1, 1, len(noisy.label)), index=noisy.groups)
    rightly = with_label_noise(noisy, sd.to_numpy()).calibrated().label
    np.testing.assert_array_equal(with_label_noise(noisy, sd[::-1]).calibrated().label, rightly)
    with pytest.raises(
        ValueError, match="group 60: counts but no label_sd; the label_sds' index has 1, 2, 3"
    ):
        with_label_noise(noisy, sd[:-1])


@pytest.mark.parametrize("kind", ["sd", "rated", "among"])
def test_the_mean_share_is_off_by_what_labels_leave_open_of_groups_and_in_common(kind):
    rng = np.random.default_rng(41)
    n_groups, events = 40, 20
    errors, stated, apart = [], [], []
    for _ in range(150):
        share = expit(rng.normal(-0.3, 0.5, n_groups))
        happy = rng.binomial(events, share)
        data = GroupedCounts(np.full((n_groups, 2), events / 2), label=share)
        if kind == "sd":
            data = replace(data, label=expit(logit(share) + rng.normal(0, 1, n_groups)))
            data = with_label_noise(data, label_sd=1)
        else:
            among = kind == "among"
            rated = rng.hypergeometric(happy, events - happy, 4) if among else rng.binomial(4, share)
            data = with_label_noise(replace(data, label=rated / 4), rated=4, among_events=among)
        given = data.label, data.drawn_sizes
        errors.append((data.calibrated().label - happy / events).mean() ** 2)
        apart.append(data.noise.variance(*given).sum() / n_groups**2)
        stated.append(apart[-1] + data.noise.common(*given).mean() ** 2)
    assert 0.7 < np.mean(errors) / np.mean(stated) < 1.3
    assert np.mean(errors) > 1.4 * np.mean(apart)


def test_an_exact_label_is_off_in_common_with_no_other():
    data = GroupedCounts([[8, 2], [3, 7], [5, 5]], label=[0.9, 0.2, 0.6])
    noise = with_label_noise(data, label_sd=np.array([0, 1, 1])).noise
    common = noise.common(data.label, data.drawn_sizes)
    assert common[0] == 0 and (common[1:] > 0).all()


def test_labels_with_next_to_no_error_are_off_by_next_to_nothing_in_common():
    data = GroupedCounts([[8, 2], [3, 7], [5, 5]], label=[0.9, 0.2, 0.6])
    noise = with_label_noise(data, label_sd=1e-9).noise
    assert noise.common(data.label, data.drawn_sizes) == pytest.approx(0, abs=1e-12)
