"""Sparse counts against the same counts in full."""

import numpy as np
import pandas as pd
import pytest

from wsclust.cells import GroupedCells
from wsclust.counts import GroupedCounts
from wsclust.estimators.additive import additive
from wsclust.estimators.direct import direct
from wsclust.estimators.latent import latent


@pytest.fixture(scope="module")
def both():
    rng = np.random.default_rng(8)
    counts = rng.poisson(0.6, (40, 12)) + np.eye(40, 12, dtype=int)
    counts[12:, 0] += 1
    label = rng.uniform(0.05, 0.95, 40)
    bins = pd.DataFrame({"a": np.repeat(["x", "y", "z"], 4), "b": np.tile(list("pqrs"), 3)})
    group, bin_ = np.nonzero(counts)
    cells = GroupedCells.from_triplets(group, bin_, counts[group, bin_], label, 12, bins=bins)
    return cells, GroupedCounts(counts, label, bins=bins)


@pytest.mark.parametrize("block_rows", [7, 4096])
@pytest.mark.parametrize("he_weight", [0, 10, np.inf])
@pytest.mark.parametrize("estimate", [latent, additive])
def test_sparse_counts_are_the_full_ones(both, monkeypatch, estimate, he_weight, block_rows):
    monkeypatch.setattr("wsclust.counts.BLOCK_GROUPS", block_rows)
    settings = {"he_weight": he_weight, "tolerance": 1e-5}
    sparse, full = estimate(both[0], **settings), estimate(both[1], **settings, solver="em")
    assert sparse.iterations == full.iterations
    np.testing.assert_allclose(sparse.posterior, full.posterior, atol=1e-10)
    np.testing.assert_allclose(sparse.share, full.share, atol=1e-10)
    np.testing.assert_allclose(sparse.objective, full.objective, rtol=1e-12)


def test_direct_of_sparse_counts(both):
    for settings in ({}, {"prior": "mean", "pseudo_events": 5}):
        sparse, full = (direct(data, **settings).posterior for data in both)
        np.testing.assert_allclose(sparse, full, rtol=1e-13)


def test_there_is_no_information(both):
    assert additive(both[0]).effects()["se"].isna().all()


@pytest.mark.parametrize(
    ("count", "label", "message"),
    [
        ([1, -1], [0.5, 0.5], "group 2: count -1"),
        ([1, 0], [0.5, 0.5], "group 2: no events"),
        ([1, 1], [0.5, 50], r"group 2: label 50 is not in \[0, 1\]"),
    ],
)
def test_what_is_refused(count, label, message):
    with pytest.raises(ValueError, match=message):
        GroupedCells.from_triplets([0, 1], [0, 1], count, label, 2)
