"""Sparse counts against the same counts in full."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from wsclust.cells import GroupedCells
from wsclust.check.doubts import doubts_of
from wsclust.counts import GroupedCounts
from wsclust.estimators.additive import additive
from wsclust.estimators.direct import direct
from wsclust.estimators.latent import latent
from wsclust.events.reading import read_counts
from wsclust.fitting import fit


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
    monkeypatch.setattr("wsclust.group_parts.BLOCK_GROUPS", block_rows)
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


def test_groups_are_ordered_capped_and_halved_as_in_full(both):
    sparse, full = both
    tied = [0, 5, 9, 3, 5, 0, 9, 9]
    # Equal labels, sizes and some equal rows: the cells themselves decide.
    cells = GroupedCells(sparse.counts[tied], np.full(8, 0.5), list("hgfedcba"), sparse.bins)
    counts = GroupedCounts(full.counts[tied], np.full(8, 0.5), list("hgfedcba"), full.bins)
    np.testing.assert_array_equal(cells.group_order(), counts.group_order())
    np.testing.assert_allclose(sparse.cap(5).counts.toarray(), full.cap(5).counts)
    assert sparse.cap(5).capped_at == 5 and sparse.cap(5).events == full.events
    halves = (data.half_sample(np.random.default_rng(1)) for data in both)
    np.testing.assert_array_equal(*(half.label for half in halves))


@pytest.mark.parametrize("method", ["direct", "latent", "additive"])
def test_a_whole_fit_of_sparse_counts(both, method):
    """Table, standard errors, groups and warnings as of the same counts in full."""
    settings = {} if method == "direct" else {"tolerance": 1e-6}
    full_only = {} if method == "direct" else {"solver": "em"}
    sparse, full = fit(method, both[0], **settings), fit(method, both[1], **settings, **full_only)
    options = {"rng": 3, "half_samples": 12, "check": False}
    ours, theirs = sparse.report(**options), full.report(**options)
    pd.testing.assert_frame_equal(ours.table, theirs.table, rtol=1e-6)
    pd.testing.assert_frame_equal(sparse.groups(), full.groups(), rtol=1e-6)
    assert ours.warnings == theirs.warnings


def test_a_check_of_sparse_counts_draws_none(both):
    check = fit("latent", both[0], tolerance=1e-4).check(rng=1)
    expected = fit("latent", both[1], tolerance=1e-4, solver="em").check(rng=1)
    assert np.isnan(check.label_r2_implied) and np.isfinite(expected.label_r2_implied)
    assert check.label_r2 == pytest.approx(expected.label_r2, rel=1e-6)
    assert check.shuffle_ratio == pytest.approx(expected.shuffle_ratio, rel=1e-6)


def test_bins_alike_are_named_in_sparse_counts(both):
    counts = np.column_stack([both[1].counts, 3 * both[1].counts[:, 4]])
    data = GroupedCounts(counts, both[1].label)
    cells = GroupedCells(csr_array(counts), both[1].label)
    found = list(doubts_of(cells))
    assert found == list(doubts_of(data)) and any("'5' and '13'" in line for line in found)


def test_files_of_many_bins_are_kept_as_cells(tmp_path, monkeypatch):
    rng = np.random.default_rng(2)
    events = pd.DataFrame({"group": rng.integers(0, 9, 700), "film": rng.integers(0, 40, 700)})
    events["n"] = rng.integers(0, 4, 700)
    events.to_csv(tmp_path / "events.csv", index=False)
    pd.DataFrame({"group": range(9), "label": rng.uniform(0.1, 0.9, 9)}).to_csv(
        tmp_path / "labels.csv", index=False
    )
    files = tmp_path / "events.csv", tmp_path / "labels.csv", "film"
    full = read_counts(*files, count="n")
    monkeypatch.setattr("wsclust.cells._FEW_BINS", 20)
    monkeypatch.setattr("wsclust.cells._FEW_CELLS", 100)
    monkeypatch.setattr("wsclust.events.cells._VECTORS", 1)
    monkeypatch.setattr("wsclust.events.memory.available_memory", lambda: 10)
    sparse = read_counts(*files, count="n")
    assert isinstance(sparse, GroupedCells) and not isinstance(full, GroupedCells)
    np.testing.assert_array_equal(sparse.counts.toarray(), full.counts)
    np.testing.assert_array_equal(sparse.label, full.label)
    pd.testing.assert_frame_equal(sparse.bins, full.bins)
    with pytest.raises(ValueError, match="method moments: not for 9 groups x 40 bins"):
        fit("moments", sparse)


def test_no_audit_of_sparse_counts(both):
    with pytest.raises(ValueError, match="audit: not of 40 groups x 12 bins"):
        fit("additive", both[0], tolerance=1e-4).audit(pd.DataFrame())


@pytest.mark.parametrize("estimate", [latent, additive])
def test_a_block_of_groups_may_lack_the_last_bins(both, monkeypatch, estimate):
    monkeypatch.setattr("wsclust.group_parts.BLOCK_GROUPS", 5)
    counts = both[1].counts.copy()
    counts[5:, 10:] = 0
    counts[:5, 10:] += 1
    group, bin_ = np.nonzero(counts)
    cells = GroupedCells.from_triplets(group, bin_, counts[group, bin_], both[1].label, 12, bins=both[1].bins)
    full = estimate(GroupedCounts(counts, both[1].label, bins=both[1].bins), solver="em", tolerance=1e-4)
    np.testing.assert_allclose(estimate(cells, tolerance=1e-4).posterior, full.posterior, atol=1e-10)
