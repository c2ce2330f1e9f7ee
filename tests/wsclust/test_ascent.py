"""When the way to a mode takes Newton's method, when it stops and what it says, on scripted moves."""

import warnings
from types import SimpleNamespace

import numpy as np
import pytest

from wsclust.estimators import ascent
from wsclust.estimators.ascent import Steps, check_settings, climb, with_expected_labels
from wsclust.estimators.estimate import ConvergenceWarning


class Scripted:
    """A problem whose state is the number of steps made, and whose rho changes at step j by `changes[j - 1]`."""

    sparse = False

    def __init__(self, changes, he_weight=10.0, n_bins=1):
        self.rho = np.concatenate([[0.0], np.cumsum(changes)])
        self.he_weight, self.totals = he_weight, np.ones(n_bins)

    def expectation(self, state):
        return SimpleNamespace(objective=self.objective(state))

    def objective(self, state):
        return float(state)

    def posterior(self, state, expectation):
        assert expectation.objective == state
        return np.array([self.rho[state]])


def walk(problem, newton=lambda state: None, tolerance=1e-8, steps=20, solver="newton"):
    """(steps made, converged, states at which Newton's direction was asked for)."""
    asked = []

    def em(given, state, expectation):
        assert given is problem and expectation.objective == state
        # Newton's step is never also EM's.
        assert not (asked and asked[-1] == state and newton(state))
        return state + 1

    def direction(given, state):
        assert given is problem
        asked.append(state)
        return newton(state)

    def along(given, state, direction, fraction):
        assert given is problem and direction == newton(state)
        return state + 1

    moves = Steps(em, direction, along)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        _, iterations, converged, trace, state = climb(
            problem, 0, moves, "scripted", tolerance, steps, solver
        )
    assert iterations == len(trace) == state + 1
    np.testing.assert_array_equal(trace, np.arange(iterations))
    return state, converged, asked


@pytest.mark.parametrize(
    ("he_weight", "change", "first"),
    [
        (10, 0.009, 10),
        (10, 0.011, None),
        (1, 0.009, 10),
        (0.9, 0.009, None),
        (0.9, 0.0009, 10),
        (0.9, 0.0011, None),
        (1e-6, 0.0009, 10),
        (np.inf, 5.0, 3),
        (0, 1e-6, None),
    ],
)
def test_newton_is_first_asked_once_em_is_near_its_mode(he_weight, change, first):
    """After ten steps of EM, and a step below .01 from W_H = 1 on, .001 below; after three where there is one mode."""
    _, _, asked = walk(Scripted([change] * 30, he_weight))
    assert asked == ([] if first is None else list(range(first, 19)))
    assert walk(Scripted([change] * 30, he_weight), solver="em")[2] == []


def test_newton_is_not_asked_with_more_bins_than_it_takes_or_sparse_counts(monkeypatch):
    monkeypatch.setattr(ascent, "MOST_BINS", 4)
    assert walk(Scripted([1e-3] * 30, n_bins=4))[2] and not walk(Scripted([1e-3] * 30, n_bins=5))[2]
    sparse = Scripted([1e-3] * 30)
    sparse.sparse = True
    assert walk(sparse)[2] == []


def test_after_a_step_newton_goes_on_however_far_it_moves():
    changes = [1e-3] * 10 + [0.5] * 20
    assert walk(Scripted(changes), newton=lambda state: "there")[2] == list(range(10, 19))
    # Where it has no direction EM takes over, until it is near its mode once more.
    assert walk(Scripted(changes), newton=lambda state: "there" if state < 12 else None)[2] == [10, 11, 12]


@pytest.mark.parametrize(
    ("solver", "newton", "changes", "stops"),
    [
        ("em", None, [0.5, 2**-10, 2**-11, 0.5], 3),
        ("newton", None, [0.5, 2**-11, 2**-10 / 999, 2**-10 / 1000.5, 0.5], 4),
        ("newton", "there", [2**-8] * 11 + [2**-11, 0.5], 12),
        ("newton", "there", [2**-8] * 11 + [2**-10, 2**-11, 0.5], 13),
    ],
)
def test_it_stops_at_a_change_below_the_tolerance_and_em_beside_newton_at_a_thousandth(
    solver, newton, changes, stops
):
    problem = Scripted(changes + [0.5] * 10)
    state, converged, _ = walk(problem, lambda state: newton, tolerance=2**-10, solver=solver)
    assert (state, converged) == (stops, True)


@pytest.mark.parametrize(("he_weight", "tolerance"), [(10, 1e-8), (1e-6, 1e-8), (0, 1e-5)])
def test_the_tolerance_by_default(he_weight, tolerance):
    for change, converged in ((0.9 * tolerance, True), (1.1 * tolerance, False)):
        state, found, _ = walk(Scripted([change] * 30, he_weight), tolerance=None, solver="em")
        assert (state, found) == ((1, True) if converged else (19, False))


def test_stopping_early_is_said_in_one_line_with_its_numbers():
    problem = Scripted([0.25, 0.125, 0.1234])
    moves = Steps(lambda _, state, __: state + 1, None, None)
    with pytest.warns(ConvergenceWarning) as caught:
        answer = climb(problem, 0, moves, "scripted", 1e-7, 4, "em")
    assert str(caught[0].message) == (
        "scripted: rho still changed by 0.12 after 4 iterations (tolerance 1e-07); raise max_iterations or the "
        "tolerance"
    )
    assert answer[1:3] == (4, False)


# --- how far along a direction


def step(objectives, start=-1000.0):
    """The fraction that a step takes, and those tried, where the objective at each fraction is given."""
    tried = []

    def along(problem, state, direction, fraction):
        tried.append(fraction)
        return fraction if fraction in objectives else None

    problem = SimpleNamespace(objective=objectives.get)
    steps = Steps(None, lambda problem, state: "there", along)
    return ascent._newton(problem, 0, steps, start), tried


def test_a_step_is_halved_three_times_until_the_objective_rises():
    assert step({1.0: -999.0}) == (1.0, [1.0])
    assert step({1.0: -1001.0, 0.5: -999.0}) == (0.5, [1.0, 0.5])
    assert step({0.25: -999.0}) == (0.25, [1.0, 0.5, 0.25])  # where the others leave the simplex
    assert step({0.125: -999.0}) == (0.125, [1.0, 0.5, 0.25, 0.125])
    assert step({}) == (None, [1.0, 0.5, 0.25, 0.125])


@pytest.mark.parametrize("start", [-1000.0, 1000.0])
def test_a_rise_that_is_lost_in_rounding_is_no_fall(start):
    rounding = np.finfo(float).eps * 1000
    assert step({1.0: start - 3 * rounding}, start)[0] == 1.0
    assert step({1.0: start - 4.5 * rounding}, start)[0] is None
    assert step({1.0: 0.0}, 0.0)[0] == 1.0  # as high as before, and nothing to round


def test_no_direction_is_no_step():
    assert ascent._newton(None, 0, Steps(None, lambda problem, state: None, None), 0.0) is None


# --- what is refused


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"he_weight": -1e-9}, "he_weight=-1e-09: expected a number from 0 to infinity"),
        ({"max_iterations": 0.5}, "max_iterations=0.5: expected 1 or more"),
        ({"solver": "Newton"}, "solver=Newton: expected newton or em"),
    ],
)
def test_settings_that_cannot_be_used(small, settings, message):
    with pytest.raises(ValueError) as caught:
        check_settings(small[2], **{"he_weight": 10, "max_iterations": 1, "solver": "em", **settings})
    assert str(caught.value) == message


@pytest.mark.parametrize("solver", ["newton", "em"])
@pytest.mark.parametrize("he_weight", [0, 1e-9, np.inf])
def test_settings_at_their_limits_can_be_used(small, he_weight, solver):
    check_settings(small[2], he_weight, 1, solver)


def test_a_finite_weight_beside_labels_that_are_calibrated_is_refused():
    noisy = SimpleNamespace(noise="some", calibrated=lambda: "calibrated")
    assert with_expected_labels(noisy, np.inf) == "calibrated"
    with pytest.raises(ValueError) as caught:
        with_expected_labels(noisy, 10.0)
    assert str(caught.value) == (
        "he_weight=10: no use with label_sd or label_n, whose calibrated labels stand for shares; a finite weight "
        "would reckon with the same noise again, so leave one of them out"
    )
    for exact in (SimpleNamespace(noise=None), SimpleNamespace()):  # sparse counts do not know of noise
        assert with_expected_labels(exact, 10.0) is exact
