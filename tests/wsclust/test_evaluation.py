"""Held-out errors against a loop over every voter."""

import math

import numpy as np
import pytest

from wsclust.estimators.direct import direct
from wsclust.estimators.estimate import Estimate
from wsclust.estimators.latent import latent
from wsclust.estimators.oracle import oracle
from wsclust.evaluation import held_out_errors, prediction_errors, with_unseen_bins
from wsclust.outcomes import KnownOutcomes


@pytest.fixture(scope="module")
def votes():
    rng = np.random.default_rng(12)
    positives, negatives = rng.integers(0, 5, (9, 4)), rng.integers(0, 5, (9, 4))
    # Bin 3 occurs in two groups only, so that some splits train without it.
    positives[2:, 3] = negatives[2:, 3] = 0
    positives[:, 0] += 1
    return KnownOutcomes(positives, negatives)


def loop_over_voters(posterior, votes, groups):
    """Classification error at even odds and root mean squared error, one voter at a time."""
    voters, wrong, squared = 0, 0, 0.0
    for i in groups:
        for k in range(len(posterior)):
            outcomes = [1] * int(votes.positives[i, k]) + [0] * int(votes.negatives[i, k])
            for vote in outcomes:
                predicted = 1 if posterior[k] >= 0.5 else 0
                voters += 1
                wrong += predicted != vote
                squared += (vote - posterior[k]) ** 2
    return wrong / voters, math.sqrt(squared / voters)


@pytest.mark.parametrize("posterior", [[0.9, 0.2, 0.5, 0.6], [1.3, -0.2, 0.4999, 0.1], [0.5] * 4])
def test_errors_of_a_posterior(votes, posterior):
    expected = loop_over_voters(posterior, votes, range(9))
    assert prediction_errors(np.array(posterior), votes) == pytest.approx(expected, abs=1e-12)


def test_held_out_errors_are_those_of_every_voter_left_out(votes):
    predictors = {
        "direct": lambda train: direct(train.grouped),
        "latent": lambda train: latent(train.grouped, np.inf),
        "oracle": oracle,
    }
    frame = held_out_errors(predictors, votes, 6, np.random.default_rng)
    assert list(frame.columns) == ["split", "method", "classification_error", "rmse", "converged"]
    assert frame["split"].tolist() == [s for s in range(1, 7) for _ in range(3)]
    assert frame["method"].tolist() == ["direct", "latent", "oracle"] * 6
    assert frame["converged"].all()
    unseen = 0
    for split in range(1, 7):
        trained = np.sort(np.random.default_rng(split).choice(9, 4, replace=False))
        left_out = [i for i in range(9) if i not in trained]
        positives, negatives = votes.positives[trained], votes.negatives[trained]
        totals = (positives + negatives).sum(axis=0)
        unseen += (totals == 0).any()
        # The oracle, and the direct estimate from each group's own share, by hand.
        label = positives.sum(axis=1) / (positives + negatives).sum(axis=1)
        by_hand = {
            "oracle": (1 + positives.sum(axis=0)) / (2 + totals),
            "direct": (1 + label @ (positives + negatives)) / (2 + totals),
            "latent": latent(votes.subset(trained).grouped, np.inf).posterior,
        }
        for method, posterior in by_hand.items():
            posterior = np.where(totals == 0, positives.sum() / totals.sum(), posterior)
            row = frame[(frame["split"] == split) & (frame["method"] == method)].iloc[0]
            expected = loop_over_voters(posterior, votes, left_out)
            found = row["classification_error"], row["rmse"]
            assert found == pytest.approx(expected, abs=1e-12), (split, method)
    assert unseen > 0  # the case of a bin that training never saw did occur


def test_a_bin_without_training_events_predicts_the_training_share(votes):
    training = votes.subset(range(3, 9))
    filled = with_unseen_bins(np.array([0.1, 0.2, 0.3, np.nan]), training)
    share = training.positives.sum() / (training.positives + training.negatives).sum()
    np.testing.assert_allclose(filled, [0.1, 0.2, 0.3, share])


def test_a_split_does_not_depend_on_how_many_there_are_or_on_the_predictors(votes):
    few = held_out_errors({"oracle": oracle}, votes, 2, np.random.default_rng)
    more = held_out_errors(
        {"flat": lambda train: Estimate(np.full(4, 0.4)), "oracle": oracle}, votes, 5, np.random.default_rng
    )
    again = more[(more["method"] == "oracle") & (more["split"] <= 2)].reset_index(drop=True)
    assert few.equals(again)


def test_one_group_cannot_be_split(votes):
    with pytest.raises(ValueError, match="1 group: at least 2 are needed"):
        held_out_errors({"oracle": oracle}, votes.subset([0]), 3, np.random.default_rng)
