"""What makes an estimate doubtful that the counts and the labels alone can show, as lines for the user.

None of it needs a fit: few groups, few labels, bins with few events, bins that no data can tell apart.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array, issparse

FEW_GROUPS, FEW_LABELS, FEW_EVENTS = 20, 5, 10
FEW_GROUPS_OF_A_BIN = 5  # a bin that fewer groups have is not known better than those groups
MANY_BINS = 1_000
COARSE = 1e-3  # a tolerance from here on shows in the digits that people read
_SAME = 1e-9  # shares closer than this differ by rounding


def labels_do_not_vary(label: np.ndarray) -> bool:
    """Whether the labels are all the same, but for a thousandth of their mean or of the rest.

    >>> labels_do_not_vary(np.array([0.37, 0.370001])), labels_do_not_vary(np.array([1e-5, 2e-5]))
    (True, False)
    """
    mean = label.mean()
    return bool(np.ptp(label) <= 1e-3 * min(mean, 1 - mean))


def doubts_of(data, weighs_events: bool = True, bounds_rare_bins: bool = False) -> Iterator[str]:
    """Lines on what makes any estimate from these GroupedCounts doubtful.

    Arguments: `weighs_events`, whether the method counts a group by its events rather than once; `bounds_rare_bins`,
    whether bins with few events have intervals all the same, as an audited answer's have.

    >>> from wsclust.counts import GroupedCounts
    >>> next(doubts_of(GroupedCounts([[90, 10], [20, 80]], label=[0.8, 0.3])))
    '2 groups: standard errors and estimates are not to be trusted below 20 groups'
    """
    groups, labels = len(data.label), len(np.unique(data.label))
    if groups < FEW_GROUPS:
        yield (
            f"{groups} groups: standard errors and estimates are not to be trusted below {FEW_GROUPS} groups"
        )
    # As many equal groups would have the variance of an average over events that these have.
    equal = data.sizes.sum() ** 2 / (data.sizes**2).sum()
    if weighs_events and equal < min(FEW_GROUPS, groups / 2) and groups >= FEW_GROUPS:
        yield (
            f"{groups} groups, but a few have most of the events, as if there were {equal:.0f}; let none count for "
            "more than some number of events, such as cap=500"
        )
    if labels < FEW_LABELS:
        yield f"{labels} distinct labels: too few to tell the bins apart well; finer labels would help"
    if same_mix(data):
        yield (
            "every group has the same mix of the bins, so nothing tells the bins apart; where a row of the events "
            "stands for several events, name the column that says how many (count=...)"
        )
    else:
        yield from _bins_alike(data)
    yield from _few_events(data, bounds_rare_bins)


def doubts_of_settings(data, settings) -> Iterator[str]:
    """Lines on settings that leave the data, or the iteration, little to say.

    >>> from wsclust.counts import GroupedCounts
    >>> data = GroupedCounts([[90, 10], [20, 80]], label=[0.8, 0.3])
    >>> next(doubts_of_settings(data, {"pseudo_events": 100}))
    'pseudo_events=100: the prior weighs more than the events in 1 of 2 bins, whose estimates are mostly the prior'
    """
    pseudo_events, tolerance = settings.get("pseudo_events") or 0, settings.get("tolerance") or 0
    outweighed = int((data.totals < pseudo_events).sum())
    if pseudo_events > FEW_EVENTS and outweighed:
        yield (
            f"pseudo_events={pseudo_events:g}: the prior weighs more than the events in {outweighed:,} of "
            f"{len(data.totals):,} bins, whose estimates are mostly the prior"
        )
    if tolerance >= COARSE:
        yield (
            f"tolerance={tolerance:g}: the fit stops while posteriors still change by so much; take a smaller one, "
            "or leave it out"
        )


def same_mix(data) -> bool:
    """Whether every group has the same share of each bin, so that labels can tell nothing."""
    counts = data.counts
    if issparse(counts):
        if counts.nnz < np.prod(counts.shape):
            return False  # no bin is empty, so some group lacks one that another has
        counts = counts.toarray()
    return bool((np.ptp(counts / data.sizes[:, None], axis=0) < _SAME).all())


def rare_bins(data) -> np.ndarray:
    """Which bins have too few events for an interval, (K,)."""
    return data.totals < FEW_EVENTS


def bins_of_few_groups(data) -> np.ndarray:
    """Which bins so few groups have that the information says nothing of their variance, (K,)."""
    return (data.counts > 0).sum(axis=0) < FEW_GROUPS_OF_A_BIN


def levels_of_few(data, factor) -> np.ndarray:
    """The levels of a factor with too few events, or in too few groups, for a standard error.

    >>> from wsclust.counts import GroupedCounts
    >>> levels_of_few(GroupedCounts([[30, 1]] * 5, [0.2, 0.3, 0.4, 0.5, 0.6]), "bin").tolist()
    [2]
    """
    of_levels, levels = _counts_of_levels(data, factor)
    few = (of_levels.sum(axis=0) < FEW_EVENTS) | ((of_levels > 0).sum(axis=0) < FEW_GROUPS_OF_A_BIN)
    return np.asarray(levels)[few]


def factors_of_groups(data) -> list[str]:
    """The factors that have one level in all events of each group, so that they tell groups apart and not events.

    The latent variables model takes events to fall into bins by their happiness alone, whatever their group; a factor
    of groups makes it move the labels' differences between groups into the bins, many times enlarged. A factor is
    named where, with levels drawn for each event, fewer than half as many groups of several events had one level.

    >>> import pandas as pd
    >>> from wsclust.counts import GroupedCounts
    >>> bins = pd.DataFrame({"country": ["DE", "DE", "FR", "FR"], "level": ["1", "2", "1", "2"]})
    >>> factors_of_groups(GroupedCounts([[5, 4, 0, 0], [0, 0, 6, 3]] * 9, [0.2, 0.7] * 9, bins=bins))
    ['country']
    """
    sizes, found = data.drawn_sizes, []
    several = sizes >= 2
    for factor in data.bins:
        of_levels, _ = _counts_of_levels(data, factor)
        if ((of_levels > 0).sum(axis=1)[several] > 1).any():
            continue
        frequency = of_levels.sum(axis=0) / of_levels.sum()
        by_chance = sum((frequency**size).sum() for size in sizes[several])
        if by_chance < several.sum() / 2:
            found.append(str(factor))
    return found


def _counts_of_levels(data, factor):
    """The events of each group at each level of a factor, (I, levels), and the levels."""
    places, levels = data.bins[factor].factorize()
    return data.counts @ csr_array((np.ones(len(places)), (np.arange(len(places)), places))), levels


def name_of_bin(data, place: int) -> str:
    """A bin's levels in quotes.

    >>> from wsclust.counts import GroupedCounts
    >>> name_of_bin(GroupedCounts([[3, 1]], [0.2]), 0)
    "'1'"
    """
    return " x ".join(f"'{level}'" for level in data.bins.iloc[place])


def _few_events(data, bounds_rare_bins):
    rare, n_bins = rare_bins(data), len(data.totals)
    if rare.any():
        some = ", ".join(name_of_bin(data, place) for place in np.flatnonzero(rare)[:3])
        more = ", ..." if rare.sum() > 3 else ""
        yield (
            f"{rare.sum():,} of {n_bins:,} bins {'has' if rare.sum() == 1 else 'have'} fewer than {FEW_EVENTS} "
            f"events ({some}{more}): what stands there is mostly the prior's"
            + ("" if bounds_rare_bins else ", and there is no interval")
            + ("; cut numbers into ranges, or join rare levels" if 2 * rare.sum() > n_bins else "")
        )
    if n_bins > MANY_BINS and data.totals.sum() < FEW_EVENTS * n_bins:
        levels = {name: data.bins[name].nunique() for name in data.bins.columns}
        name = max(levels, key=levels.get)
        yield (
            f"{n_bins:,} bins of {data.totals.sum() / n_bins:.1f} events on average, since factor {name!r} has "
            f"{levels[name]:,} levels; cut numbers into ranges, join rare levels, or leave the factor out"
        )


def _bins_alike(data):
    """A line on bins that are in the same proportion to each other in every group."""
    enough = np.flatnonzero(~rare_bins(data))
    if not len(enough):
        return
    # Equal columns have equal sums with any weights; those that agree in two are compared in full.
    weights = np.random.default_rng(0).random((2, len(data.label)))
    sums = np.zeros((2, len(data.totals)))
    sums[:, enough] = weights @ data.counts[:, enough] / data.totals[enough]
    order = enough[np.lexsort(np.round(sums[:, enough], 10))]
    near = (np.abs(np.diff(sums[:, order])) < _SAME).all(axis=0)
    pairs = [
        (min(a, b), max(a, b))
        for (a, b), alike in zip(pairwise(order), near, strict=True)
        if alike and _in_proportion(data, a, b)
    ]
    if pairs:
        some = ", ".join(
            " and ".join(name_of_bin(data, place) for place in pair) for pair in sorted(pairs)[:3]
        )
        yield (
            f"bins that are always in the same proportion, which no data of these groups can tell apart: {some}"
            + (", ..." if len(pairs) > 3 else "")
        )


def _in_proportion(data, a, b):
    counts = data.counts[:, [a, b]]
    shares = (counts.toarray() if issparse(counts) else counts) / data.totals[[a, b]]
    apart = np.abs(shares[:, 0] - shares[:, 1]).max()
    return apart < _SAME / len(data.label)
