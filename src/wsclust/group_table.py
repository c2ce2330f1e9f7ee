"""The table of a latent fit's groups: one row per group, with its share of happy events and an interval.

The mean of the scores of a group's events is no estimate of its share: a score is of a bin, the same in every group, so
these means lie too near to each other. The shares here are the model's: sigma(mu_i) where the group has a label, and
what its events alone say where it has none.
"""

import warnings

import numpy as np
import pandas as pd

from wsclust.check.misfit import excess_of_counts
from wsclust.columns.level_order import in_order
from wsclust.columns.names import names_as_text
from wsclust.estimators.shares import intervals_of_shares, shares_by_events, spread_of_groups
from wsclust.frames import counts_of, places_of_events, refuse_missing_columns

COLUMNS = ["group", "label", "events", "share", "lower", "upper", "excess"]


def table_of_groups(data, estimate, he_weight, events=None, group="group", count=None):
    """One row per group of the data, then one per further group of `events`: a frame with COLUMNS.

    Arguments: `data`, GroupedCounts; `estimate`, a LatentEstimate to it at `he_weight`; `events`, a frame with the
    columns `group`, the factors of the data and, where named, `count`, or None. Of its groups those with a label are
    passed over. Warns of events in bins that the data do not have; they are left out.
    """
    # Of counts after any cap, as the likelihoods below are, whose spread it gives.
    excess = excess_of_counts(data.counts, estimate.share, estimate.sad, estimate.happy)
    spread = spread_of_groups(excess, data.sizes)
    lower, upper = np.full(len(data.label), np.nan), np.full(len(data.label), np.nan)
    if 0 < he_weight < np.inf:  # at infinity the label is the share, and events do not enter
        lower, upper = intervals_of_shares(
            data.counts,
            estimate.share,
            estimate.sad,
            estimate.happy,
            spread(data.sizes),
            he_weight,
            data.label,
        )
    drawn = data.drawn_sizes
    columns = (data.groups, data.label, drawn, estimate.share, lower, upper, excess * drawn / data.sizes)
    table = pd.DataFrame(dict(zip(COLUMNS, columns, strict=True)))
    if events is None:
        return table
    names, counts = _counts_of_others(data, events, group, count)
    drawn, sizes = counts, counts.sum(axis=1)
    if data.capped_at is not None:
        counts = counts * np.minimum(1, data.capped_at / np.maximum(sizes, 1e-300))[:, None]
    shares = shares_by_events(counts, estimate.sad, estimate.happy, spread(counts.sum(axis=1)))
    excess = excess_of_counts(drawn, shares[0], estimate.sad, estimate.happy)
    columns = (names, np.full(len(names), np.nan), sizes, *shares, excess)
    others = pd.DataFrame(dict(zip(COLUMNS, columns, strict=True)))
    return pd.concat([table, others], ignore_index=True) if len(others) else table


def _counts_of_others(data, events, group, count):
    """The names of groups without a label, in order, and their events in the bins of the data, (I, K)."""
    factors = list(data.bins.columns)
    refuse_missing_columns(events, "events", [group, *factors, *([count] if count else [])])
    weight = np.ones(len(events)) if count is None else counts_of(events, count)
    names = names_as_text(events[group])
    other = ~pd.isna(names) & ~np.isin(names.astype(str), names_as_text(data.groups).astype(str))
    events, names, weight = events[other], names[other], weight[other]
    places = places_of_events(data.bins, events)
    if (unseen := weight[places < 0].sum()) > 0:
        warnings.warn(
            f"{unseen:,.10g} events of groups without a label are in bins that no group with a label has; they are "
            "left out of the shares",
            stacklevel=4,
        )
    order = in_order(set(names))
    codes = pd.Index(order).get_indexer(names)
    counts = np.zeros((len(order), len(data.bins)))
    seen = places >= 0
    np.add.at(counts, (codes[seen], places[seen]), weight[seen])
    return np.array(order, dtype=object), counts
