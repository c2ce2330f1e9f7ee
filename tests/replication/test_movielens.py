"""Ratings of movies: labels, the published counts, and every method against the oracle."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from replication.movielens import study as movielens
from replication.movielens.figure import draw
from replication.shared.yaml_files import read_yaml
from wsclust.estimators.oracle import oracle

ROOT = Path(__file__).parents[2]
CONFIG = read_yaml(ROOT / "config" / "config.yaml")
METHODS = {name: CONFIG["methods"][name] for name in CONFIG["movielens"]["methods"]}


@pytest.fixture(scope="module")
def outcomes():
    return movielens.rating_outcomes(pd.read_csv(ROOT / CONFIG["movielens"]["table"]))


@pytest.fixture(scope="module")
def posteriors(outcomes):
    return movielens.posteriors_of(outcomes, METHODS, 4, lambda _: np.random.default_rng(1))


def test_groups_and_events_are_those_of_the_data(outcomes):
    assert outcomes.positives.shape == (2245, 15)
    assert outcomes.grouped.sizes.sum() == 81_915
    assert outcomes.grouped.sizes.min() >= 10


def test_labels_are_shares_kept_off_0_and_1(outcomes):
    label = outcomes.grouped.label
    n = outcomes.grouped.sizes
    np.testing.assert_allclose(label * (n + 1) - 0.5, outcomes.positives.sum(axis=1), atol=1e-9)
    assert label.min() > 0
    assert label.max() < 1


@pytest.mark.parametrize(
    ("method", "lowest", "highest", "difference"),
    [
        ("oracle", 0.160, 0.800, 0),
        ("direct", 0.497, 0.584, 0.0249),
        ("moments", -0.219, 1.395, 0.0971),
        ("latent", 0.254, 0.835, 0.0076),
        ("latent_wh10", 0.232, 0.868, 0.0097),
    ],
)
def test_ranges_and_differences_from_the_oracle(posteriors, method, lowest, highest, difference):
    row = movielens.against_oracle(posteriors).set_index("method").loc[method]
    assert row["lowest"] == pytest.approx(lowest, abs=5e-4)
    assert row["highest"] == pytest.approx(highest, abs=5.1e-4)
    assert row["mean_squared_difference"] == pytest.approx(difference, abs=5.1e-5)


def test_saturated_logistic_regression_is_the_oracle(posteriors):
    row = movielens.against_oracle(posteriors).set_index("method").loc["logistic_saturated"]
    assert row["mean_squared_difference"] < 1e-12


def test_against_oracle_does_not_depend_on_the_order_of_rows(posteriors):
    table = movielens.against_oracle(posteriors).set_index("method")
    shuffled = movielens.against_oracle(posteriors.sample(frac=1, random_state=1)).set_index("method")
    pd.testing.assert_frame_equal(table, shuffled.loc[table.index])


def test_oracle_rows_are_the_shares_of_happy_ratings(outcomes, posteriors):
    rows = posteriors[posteriors["method"] == "oracle"]
    np.testing.assert_array_equal(rows["posterior"], oracle(outcomes).posterior)
    assert rows["n"].sum() == 81_915


def test_the_figure_draws_the_oracle_in_every_panel(posteriors):
    figure = draw(posteriors)
    assert len(figure.axes) == 3
    for axis in figure.axes:
        assert "oracle" in axis.get_legend_handles_labels()[1]
