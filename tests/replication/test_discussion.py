"""The discussion's studies: closed forms against brute force, and what each table must say of known cases."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, logit

from replication.discussion import (
    cost,
    figure_labels,
    figure_moments,
    identification,
    identities,
    label_share,
    label_weight,
    moments_by_size,
    moments_equation,
    moments_few_groups,
    moments_remedies,
    newton_for_quality,
    resampling_schemes,
    starts,
)
from replication.discussion.moments_population import Population
from replication.discussion.runs import World, averages
from replication.simulation.study import simulate
from wsclust.counts import GroupedCounts
from wsclust.estimators.direct import direct
from wsclust.estimators.em import solve_quality
from wsclust.estimators.latent import latent
from wsclust.estimators.moments import moments

CURVE = {"curve": "quadratic", "bins": 15, "low": 0.05, "frequency_tilt": 0.2}
WORLD = World.of("default", CURVE, 120, 0.5, seed=7)


# --- data and averages


def test_a_run_is_that_of_the_simulation():
    frame = simulate("default", WORLD.true, 120, 20, 0.5, [3], {"direct": {"estimator": "direct"}}, 7)
    np.testing.assert_array_equal(frame["estimate"], direct(WORLD.data(20, 3)).posterior)


def test_labels_drawn_anew_leave_the_clicks_alone():
    one, other = WORLD.data(20, 1), WORLD.data(20, 1, labels="another")
    np.testing.assert_array_equal(one.counts, other.counts)
    assert np.abs(one.label - other.label).max() > 0.1
    noise = logit(one.label) - WORLD.quality(20, 1)
    assert noise.std() == pytest.approx(0.5, rel=0.2) and abs(noise.mean()) < 0.2


def test_averages_keep_the_order_and_divide_by_the_root_of_the_runs():
    frame = pd.DataFrame({"cell": list("bbbba"), "run": [1, 2, 3, 4, 1], "x": [1.0, 2, 3, 4, 7]})
    table = averages(frame, ["cell"])
    assert table["cell"].tolist() == ["b", "a"] and table["runs"].tolist() == [4, 1]
    assert table["x_mc_error"][0] == pytest.approx(np.std([1, 2, 3, 4], ddof=1) / 2)
    assert np.isnan(table["x_mc_error"][1])


# --- the labels' weight


def test_the_odds_of_the_labels_are_the_derivatives_of_mu():
    data = WORLD.data(50, 1)
    fit = latent(data, 10)
    known, unknown = label_share.label_odds(data, fit, 10)
    variance = fit.share * (1 - fit.share)
    np.testing.assert_allclose(known / (1 + known), 10 / (10 + 50 * variance))

    def log_likelihood(mu):
        share = expit(mu)[:, None]
        return (data.counts * np.log((1 - share) * fit.sad + share * fit.happy)).sum(axis=1)

    mu, step = logit(fit.share), 1e-3
    second = log_likelihood(mu + step) - 2 * log_likelihood(mu) + log_likelihood(mu - step)
    np.testing.assert_allclose(10 / unknown, -second / step**2, rtol=1e-3, atol=1e-3)


def test_the_m_step_forgets_the_labels_as_one_over_j():
    table = label_share.shares(WORLD, 10, [5, 50, 500], runs=2)
    slopes = label_share.slopes(table).set_index("quantity")["slope"]
    assert slopes["m_step_odds"] == pytest.approx(-1, abs=0.03)
    assert (table["outcomes_unknown_odds"] > 3 * table["m_step_odds"]).all()


def test_the_sweep_has_a_row_a_weight_and_size_in_the_order_given():
    table = label_weight.sweep(WORLD, [10, 0, np.inf], [20, 5], runs=2, tolerance_at_zero=1e-3)
    assert table["clicks_per_group"].tolist() == [20] * 3 + [5] * 3
    assert table["he_weight"].tolist() == [10, 0, np.inf] * 2
    expected = np.mean([WORLD.error(latent(WORLD.data(20, run), 10).posterior) for run in (1, 2)])
    assert table["mean_absolute_error"][0] == pytest.approx(expected)


def test_random_starts_find_what_the_labels_find_where_the_labels_count():
    row = starts.compare(WORLD, 20, 10, run=1, starts=4, tolerance=1e-6)
    assert row["same_answer"] == 1 and row["mirrored"] == 0 and row["better_starts"] == 0
    assert row["gap_to_best"] == row["gap_to_worst"] == 0
    again = starts.compare(WORLD, 20, 10, run=1, starts=4, tolerance=1e-6)
    assert row == again


def test_without_labels_random_starts_may_find_the_mirrored_answer():
    rows = starts.study(WORLD, [100], [0], runs=2, starts=10, tolerance=1e-5, tolerance_at_zero=1e-3)
    assert 0 < rows["mirrored"].mean() < 1
    assert (rows["error_of_best_either_way"] <= rows["error_of_best"]).all()


def test_stops_are_those_of_separate_fits():
    data = WORLD.data(20, 1)
    tolerances = [1e-2, 1e-3, 1e-4]
    for tolerance, (fit, iterations) in zip(
        tolerances, identification.stops(data, tolerances, 2000), strict=True
    ):
        alone = latent(data, 0, tolerance)
        assert iterations == alone.iterations
        np.testing.assert_array_equal(fit.posterior, alone.posterior)


def test_stops_share_one_limit_of_iterations():
    found = identification.stops(WORLD.data(20, 1), [1e-3, 1e-9], 60)
    assert found[-1][1] <= 61 and not found[-1][0].converged


def test_tolerances_that_do_not_fall_are_refused():
    with pytest.raises(ValueError, match="each below the one before"):
        identification.stops(WORLD.data(5, 1), [1e-4, 1e-3], 10)


# --- moments


@pytest.mark.parametrize("clicks", [1, 5, 100])
def test_the_population_is_what_many_groups_give(clicks):
    many = World.of("default", CURVE, 200_000, 0.5, seed=1)
    found = moments(many.data(clicks, 1)).posterior
    expected = Population(many.true, 0.5).moments(clicks)
    assert np.abs(found - expected).mean() < 0.02
    assert many.true.happy @ found == pytest.approx(many.true.happy @ expected, abs=0.005)


def test_the_limit_is_where_large_sizes_tend():
    population = Population(WORLD.true, 0.5)
    limit = population.moments(np.inf)
    np.testing.assert_allclose(population.moments(1e7), limit, atol=1e-4)
    assert WORLD.true.happy @ limit == pytest.approx(population.happy_value)
    assert WORLD.true.sad @ limit == pytest.approx(population.sad_value)
    exact = Population(WORLD.true, 0.0)
    assert (exact.happy_value, exact.sad_value) == pytest.approx((1, 0), abs=1e-12)
    # The least variance within groups among all with these two averages.
    rng = np.random.default_rng(1)
    weights = np.vstack([WORLD.true.happy, WORLD.true.sad])
    for _ in range(5):
        move = rng.standard_normal(15)
        move -= weights.T @ np.linalg.solve(weights @ weights.T, weights @ move)
        other = limit + 0.1 * move
        assert other @ population.noise @ other > limit @ population.noise @ limit


def test_noise_of_omega_is_the_ridge_penalty():
    """E (s - row . b)^2 = E (s - omega . b)^2 + b' C b / J for any b."""
    world = World.of("default", CURVE, 100_000, 0.5, seed=2)
    data, clicks = world.data(10, 1), 10
    b = np.random.default_rng(3).normal(size=15)
    share = expit(world.quality(10, 1))
    omega = np.outer(1 - share, world.true.sad) + np.outer(share, world.true.happy)
    noisy = np.mean((data.label - data.counts @ b / clicks) ** 2)
    clean = np.mean((data.label - omega @ b) ** 2)
    penalty = b @ Population(world.true, 0.5).noise @ b / clicks
    assert noisy == pytest.approx(clean + penalty, rel=0.02)


def test_sizes_say_where_moments_fail():
    table = moments_by_size.sizes(WORLD, [1, 5, 200], runs=3).set_index("clicks_per_group")
    error = table["mean_absolute_error"]
    assert error[5] < error[1] < error[200]
    assert table.loc[200, "bins_outside"] > 5 and table.loc[5, "bins_outside"] < 4
    values = moments_by_size.singular_values(WORLD, [5, 200], runs=2)
    noiseless = values[np.isinf(values["clicks_per_group"])]
    assert (noiseless["rank"] == 2).all() and (noiseless["singular_value"] > 0).sum() == 2
    assert (values.loc[values["clicks_per_group"] == 5, "rank"] == 15).all()


def test_leading_bins_outside_stop_at_the_first_inside():
    count = moments_by_size._leading_outside
    assert count(np.array([-1, 2, 0.5, 3])) == 2
    assert count(np.array([0.5, 2])) == 0 and count(np.array([2.0, -1.0])) == 2


def test_thinning_keeps_so_many_of_each_groups_clicks():
    data = WORLD.data(50, 1)
    thin = moments_remedies.thinned(data, 5, np.random.default_rng(1))
    assert (thin.sizes == 5).all() and (thin.counts <= data.counts).all()
    np.testing.assert_array_equal(thin.label, data.label)


def test_no_extra_noise_is_no_change():
    data = WORLD.data(50, 1)
    np.testing.assert_allclose(moments_remedies.penalised(data, 50), moments(data).posterior, atol=1e-9)
    same = moments_remedies.noise_added(data, 50, np.random.default_rng(1))
    np.testing.assert_allclose(same, moments(data).posterior, atol=1e-9)


def test_the_penalty_is_the_noise_on_average():
    world = World.of("default", CURVE, 50_000, 0.5, seed=4)
    data = world.data(100, 1)
    penalised = moments_remedies.penalised(data, 5)
    noisy = moments_remedies.noise_added(data, 5, np.random.default_rng(1))
    few = moments(moments_remedies.thinned(data, 5, np.random.default_rng(2))).posterior
    assert np.abs(noisy - penalised).mean() < 0.02
    assert np.abs(few - penalised).mean() < 0.02
    assert np.abs(moments(data).posterior - penalised).mean() > 0.5


def test_the_ridge_path_runs_from_moments_to_the_mean_label():
    data = WORLD.data(50, 1)
    estimates, condition = moments_remedies.ridge(data, [0, 1e-3, 1e9])
    np.testing.assert_allclose(estimates[0], moments(data).posterior, atol=1e-9)
    assert condition[0] == pytest.approx(moments(data).condition_number)
    np.testing.assert_allclose(estimates[2], data.label.mean(), atol=1e-6)
    omega = data.counts / 50
    centre = data.label.mean()
    left = omega.T @ omega + 1e-3 * 120 * np.eye(15)
    direct_way = centre + np.linalg.solve(left, omega.T @ (data.label - centre * omega.sum(axis=1)))
    np.testing.assert_allclose(estimates[1], direct_way, atol=1e-9)


def test_few_clicks_must_be_fewer():
    with pytest.raises(ValueError, match="few 20: expected fewer clicks than many, 20"):
        moments_remedies.study(WORLD, 20, 20, [0], runs=2)


# --- cost, resampling, identities


def test_cells_visited_are_iterations_times_cells():
    sizes = [(60, 20), (120, 20), (60, 5)]
    table = cost.count(WORLD, sizes, he_weight=10, tolerance=1e-5, runs=2)
    assert table["cells"].tolist() == [900, 1800, 900]
    np.testing.assert_allclose(table["em_cells_visited"], table["em_iterations"] * table["cells"])
    np.testing.assert_allclose(table["em_clicks_visited"], table["em_iterations"] * table["clicks"])
    linear = table.assign(
        em_iterations=80.0, em_cells_visited=80.0 * table["cells"], em_clicks_visited=80.0 * table["clicks"]
    )
    slopes = cost.slopes(linear, [60, 120], [20, 5])
    np.testing.assert_allclose(slopes["slope"], slopes["expected"], atol=1e-12)


def test_half_is_the_half_sample_of_the_estimators():
    data = WORLD.data(5, 1)
    rows = resampling_schemes.half(np.random.default_rng(5), 120)
    np.testing.assert_array_equal(data.subset(rows).counts, data.half_sample(np.random.default_rng(5)).counts)


def test_both_schemes_find_the_standard_error_of_a_mean():
    # With one bin taken by all groups alike, direct is the mean of the labels but for pseudo-observations.
    rng = np.random.default_rng(6)
    data = GroupedCounts(np.full((400, 2), 1000), rng.random(400))
    expected = np.sqrt(1 / 12 / 400)
    for scheme in resampling_schemes.SCHEMES:
        found = resampling_schemes.compare(data, direct, scheme, 300, rng)
        assert found["standard_error"] == pytest.approx(expected, rel=0.15)
    assert found["distinct_groups"] == pytest.approx(1 - np.exp(-1), abs=0.01)


def test_a_method_that_the_summary_lacks_is_named():
    summary = pd.DataFrame({"setting": ["default"], "clicks_per_group": [5], "method": ["direct"], "sd": [1]})
    methods = {"moments": {"estimator": "moments"}}
    with pytest.raises(ValueError, match=r"5 clicks a group and method moments; add .*simulation.methods"):
        resampling_schemes.study(WORLD, summary, [120], [5], methods, resamples=2, runs=2, true_runs=2)


def test_fewer_groups_have_a_true_sd_of_their_own():
    methods = {"direct": {"estimator": "direct"}}
    table = resampling_schemes.study(WORLD, None, [30], [20], methods, resamples=20, runs=2, true_runs=60)
    runs = [direct(WORLD.data(20, run, groups=30)).posterior for run in range(1, 61)]
    assert table["true_sd"].tolist() == pytest.approx([np.std(runs, axis=0, ddof=1).mean()] * 2)
    assert (table["ratio"].between(0.6, 1.5)).all()


def test_newton_gets_there_from_the_labels_and_not_from_anywhere():
    table = newton_for_quality.study(WORLD, [5, 500], [0.1, 10])
    steps = table[table["inputs"] == "simulation"].pivot(
        index=["clicks_per_group", "he_weight"], columns="start", values="solved"
    )
    assert (steps["labels"] == 1).all() and steps["middle"].min() < 0.5
    rng = np.random.default_rng(1)
    inputs = [np.full(50, 10.0), rng.normal(size=50), np.full(50, 20.0), 20 * rng.random(50)]
    taken = newton_for_quality.plain_newton(*inputs, guess=inputs[1])
    mu = inputs[1]
    for _ in range(taken.max()):
        share = expit(mu)
        mu = mu - (10 * (mu - inputs[1]) + 20 * share - inputs[3]) / (10 + 20 * share * (1 - share))
    np.testing.assert_allclose(mu, solve_quality(*inputs), atol=1e-9)


def test_few_groups_are_no_cure_for_moments_and_few_clicks_are():
    table = moments_few_groups.study(WORLD, [21, 500], [5, 200], runs=4)
    by_cell = table.set_index(["groups", "clicks_per_group"])
    data = WORLD.data(200, 1, groups=500)
    one = moments_few_groups.study(WORLD, [500], [200], runs=1)
    assert one["mean_absolute_error"][0] == pytest.approx(WORLD.error(moments(data).posterior))
    assert by_cell.loc[(500, 200), "mean_absolute_error"] > 3 * by_cell.loc[(500, 5), "mean_absolute_error"]
    population = Population(WORLD.true, 0.5).moments(200)
    assert by_cell.loc[(21, 200), "population_error"] == pytest.approx(WORLD.error(population))


def test_the_answer_at_zero_weight_is_nothing_from_the_unsupervised_one():
    table = label_weight.sweep(WORLD, [10, 0], [20], runs=2, tolerance_at_zero=1e-3).set_index("he_weight")
    data = [WORLD.data(20, run) for run in (1, 2)]
    moved = [np.abs(latent(d, 10).posterior - latent(d, 0, 1e-3).posterior).mean() for d in data]
    assert table.loc[0, "from_unsupervised"] == 0
    assert table.loc[10, "from_unsupervised"] == pytest.approx(np.mean(moved))


@pytest.fixture(scope="module")
def checked():
    return identities.table(WORLD, few=5, many=60).set_index("identity")


ERRATA = {
    "moments_equation_two_clicks",
    "moments_equation_one_click_beta",
    "moments_equation_two_clicks_beta",
    "moments_equation_simulation",
    "prior_sign_printed",
    "update_is_of_the_marginal",
    "convex_cauchy",  # the paper asks for an appropriate prior
}


def test_all_identities_hold_but_the_errata(checked):
    assert set(checked.index[~checked["holds"]]) == ERRATA
    assert checked.loc["moments_equation_two_clicks_beta", "value"] == pytest.approx(0.918, abs=5e-4)
    assert checked.loc["moments_equation_two_clicks_beta", "expected"] == pytest.approx(0.778, abs=5e-4)


@pytest.mark.parametrize("a", [0.5, 3.0])
@pytest.mark.parametrize("clicks", [1, 2, 4])
def test_conditional_means_are_those_of_simulated_groups(a, clicks):
    rng = np.random.default_rng(8)
    share = rng.beta(a, a, 400_000)
    happy = rng.binomial(clicks, share)
    all_in_bin = (rng.binomial(happy, 0.7) == happy) & (rng.binomial(clicks - happy, 0.2) == clicks - happy)
    found = share[all_in_bin].mean()
    expected = moments_equation.conditional_mean(0.7, 0.2, clicks, moments_equation.beta_moments(a))
    assert expected == pytest.approx(found, abs=5 * share.std() / np.sqrt(all_in_bin.sum()))


def test_the_haldane_prior_is_the_limit_of_beta():
    for clicks in (1, 2):
        haldane = moments_equation.conditional_mean(0.7, 0.2, clicks, moments_equation.haldane_moments)
        near = moments_equation.conditional_mean(0.7, 0.2, clicks, moments_equation.beta_moments(1e-7))
        assert near == pytest.approx(haldane, abs=1e-6)


# --- figures


def test_the_figures_draw_every_size_and_remedy(tmp_path):
    weight = label_weight.sweep(WORLD, [0, 10, np.inf], [5, 20], runs=2, tolerance_at_zero=1e-2)
    shares = label_share.shares(WORLD, 10, [5, 50], runs=2)
    stops = identification.study(WORLD, [5], [1e-2, 1e-3], 500, runs=2)
    figure = figure_labels.draw(weight, shares, stops)
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == ["5 clicks a group", "20 clicks a group"]
    sizes = moments_by_size.sizes(WORLD, [1, 20], runs=2)
    remedies, path = moments_remedies.study(WORLD, 20, 5, [0, 1e-3, 1e-2], runs=2)
    figure = figure_moments.draw(sizes, moments_by_size.limits(WORLD, sizes), remedies, path)
    assert len(figure.axes[2].patches) == len(figure_moments.REMEDIES) == len(remedies)
