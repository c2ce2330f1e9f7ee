"""Newton's finish against EM run to the end, and the root for mu against scipy's brentq."""

import warnings

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import expit

from wsclust.counts import GroupedCounts
from wsclust.estimators import em
from wsclust.estimators.em import solve_quality
from wsclust.estimators.estimate import ConvergenceWarning
from wsclust.estimators.latent import latent

WEIGHTS = [0.05, 0.1, 1, 4, 10, np.inf]
SIZES = [2, 5, 100, "skewed"]
SEEDS = 3
SEEDS_OF_LONG = 20


# --- the root of equation (4.7)


def test_the_root_for_mu_is_brentqs():
    grid = np.array(
        [
            (he, size, size * part, weight)
            for he in (-30.0, -8.0, -2.0, 0.0, 0.7, 5.0, 30.0)
            for size in (1.0, 5.0, 500.0, 1e4, 1e6)
            for part in (0.0, 1e-9, 0.01, 0.5, 0.9, 1 - 1e-9, 1.0)
            for weight in (1e-3, 0.05, 1.0, 10.0, 1e3)
        ]
    )
    for weight in np.unique(grid[:, 3]):
        he, size, happy, _ = grid[grid[:, 3] == weight].T
        found = solve_quality(weight, he, size, happy)
        for i in range(len(he)):

            def left_hand_side(mu, i=i, weight=weight, he=he, size=size, happy=happy):
                # J sigma(mu) - z in the form that loses no digits when z is near J.
                if happy[i] > size[i] / 2:
                    rest = (size[i] - happy[i]) - size[i] * expit(-mu)
                else:
                    rest = size[i] * expit(mu) - happy[i]
                return weight * (mu - he[i]) + rest

            low = he[i] - (size[i] - happy[i]) / weight - 1
            high = he[i] + happy[i] / weight + 1
            root = brentq(left_hand_side, low, high, xtol=1e-12, rtol=1e-14, maxiter=500)
            # Where z is within rounding of J, the sum J sigma(mu) - z is known to J times epsilon only.
            slope = weight + size[i] * expit(root) * expit(-root)
            rounding = 4 * np.finfo(float).eps * (size[i] + weight * (abs(he[i]) + abs(root)))
            bound = 1e-9 * (1 + abs(root)) + rounding / slope
            case = weight, he[i], size[i], happy[i]
            assert abs(found[i] - root) <= bound, (case, found[i], root)


def test_the_root_for_mu_takes_few_steps(monkeypatch):
    """Bisection alone would take some fifty; near the root Newton takes five."""
    steps = []
    monkeypatch.setattr(em, "sigmoid", lambda mu: steps.append(mu) or expit(mu))
    he, size, happy = np.array(
        [(he, size, size * part) for he in (-30, 0, 30) for size in (1, 5, 1e6) for part in (0, 0.01, 0.5, 1)]
    ).T
    for he_weight in (1e-3, 1.0, 1e3):
        steps.clear()
        solve_quality(he_weight, he, size, happy)
        assert len(steps) <= 50
    steps.clear()
    solve_quality(10.0, np.linspace(-3, 3, 9), np.full(9, 100.0), 100 * expit(np.linspace(-2.5, 3.5, 9)))
    assert len(steps) <= 7


@pytest.mark.parametrize("guess", [-1e6, -40.0, 0.0, 40.0, 1e6])
def test_the_guess_changes_only_the_way(guess):
    he, size, happy = np.array([1.0, -2.0, 6.0]), np.array([500.0, 5.0, 50.0]), np.array([0.5, 4, 1])
    expected = solve_quality(10.0, he, size, happy)
    found = solve_quality(10.0, he, size, happy, np.full(3, guess))
    np.testing.assert_allclose(found, expected, atol=1e-11)


# --- Newton against EM


def simulated(seed, clicks_per_group, n_groups=500):
    """Groups and clicks as in section 5 of the paper, with 15 bins; "skewed" sizes reach 5,000."""
    rng = np.random.default_rng([seed, 77])
    bins = np.arange(15)
    frequency = np.exp(0.2 * bins)
    frequency /= frequency.sum()
    truth = 0.05 + 0.748 * (bins / 14) ** 2
    happy, sad = frequency * truth, frequency * (1 - truth)
    mu = rng.standard_normal(n_groups)
    evaluation = mu + 0.5 * rng.standard_normal(n_groups)
    if clicks_per_group == "skewed":
        tail = 10 * (1 - rng.random(n_groups)) ** (-1 / 0.8)
        sizes = np.minimum(5000, np.ceil(tail)).astype(int)
    else:
        sizes = np.full(n_groups, clicks_per_group)
    positives = rng.binomial(sizes, expit(mu))
    counts = rng.multinomial(positives, happy / happy.sum())
    counts += rng.multinomial(sizes - positives, sad / sad.sum())
    return GroupedCounts(counts, expit(evaluation))


def check_same_mode(seed, clicks_per_group, he_weight, n_groups=500):
    data = simulated(seed, clicks_per_group, n_groups)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        em = latent(data, he_weight, tolerance=1e-10, max_iterations=100_000, solver="em")
        newton = latent(data, he_weight)
    case = f"seed {seed}, J {clicks_per_group}, W_H {he_weight}"
    apart = np.abs(newton.posterior - em.posterior).max()
    gain = newton.objective[-1] - em.objective[-1]
    answers = f"{newton.posterior} against {em.posterior}, objective {gain:+.3g}"
    assert apart < 1e-7, f"{case}: rho differs by {apart:.3g}: {answers}"
    assert gain > -1e-12 * abs(em.objective[-1]), f"{case}: {answers}"
    assert newton.iterations < em.iterations, case


@pytest.mark.parametrize("he_weight", WEIGHTS)
@pytest.mark.parametrize("clicks_per_group", SIZES)
def test_newton_finds_the_mode_of_em(clicks_per_group, he_weight):
    for seed in range(SEEDS):
        check_same_mode(seed, clicks_per_group, he_weight)


@pytest.mark.parametrize(
    ("seed", "clicks_per_group", "he_weight", "n_groups"),
    [(13, 2, 0.1, 60), (33, 2, 0.05, 60), (11, 2, 0.1, 500), (6, 5, 0.05, 500)],
)
def test_newton_waits_until_em_is_near_its_mode(seed, clicks_per_group, he_weight, n_groups):
    # After 30 steps EM is still far from its mode here, and Newton would find another.
    check_same_mode(seed, clicks_per_group, he_weight, n_groups)


@pytest.mark.long
@pytest.mark.parametrize("he_weight", WEIGHTS)
@pytest.mark.parametrize("clicks_per_group", SIZES)
@pytest.mark.parametrize("seed", range(SEEDS, SEEDS_OF_LONG))
def test_newton_finds_the_mode_of_em_in_more_seeds(seed, clicks_per_group, he_weight):
    check_same_mode(seed, clicks_per_group, he_weight)


@pytest.mark.parametrize("clicks_per_group", SIZES)
def test_stopping_em_early_leaves_what_newton_does_not(clicks_per_group):
    data = simulated(0, clicks_per_group)
    exact = latent(data, 1, tolerance=1e-12).posterior
    early = latent(data, 1, tolerance=1e-4, solver="em").posterior
    newton = latent(data, 1, tolerance=1e-4).posterior
    assert np.abs(early - exact).max() > 5e-4
    assert np.abs(newton - exact).max() < 1e-4


@pytest.mark.parametrize("tolerance", [1e-2, 1e-3])
@pytest.mark.parametrize("he_weight", [0.05, 1, 10])
def test_the_answer_is_within_its_tolerance(he_weight, tolerance):
    # EM moves little at a time and is far off still: beside Newton, its small steps are not believed.
    data = simulated(0, 5)
    exact = latent(data, he_weight, tolerance=1e-12).posterior
    assert np.abs(latent(data, he_weight, tolerance=tolerance).posterior - exact).max() < tolerance
