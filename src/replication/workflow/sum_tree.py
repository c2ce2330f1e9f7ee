"""Which files of a log are counted, and which counts are added to which: a tree, so that no job adds many."""

import os


def shard_names(files):
    """A dict from a short name to each file: its path below the folder that all share.

    A name does not depend on how many files there are, so one more leaves the others' counts as they are.
    Raises ValueError on a name with a brace, which a workflow takes for a wildcard.

    >>> shard_names(["log/a.csv", "log/b.csv"])
    {'a.csv': 'log/a.csv', 'b.csv': 'log/b.csv'}
    """
    for file in files:
        if "{" in file or "}" in file:
            raise ValueError(f"{file}: a brace in the name of a shard; rename it")
    shared = os.path.commonpath([os.path.dirname(file) or "." for file in map(os.path.normpath, files)])
    return {os.path.relpath(file, shared): file for file in files}


def sum_tree(files, sum_of, folder):
    """Files added `sum_of` at a time until one is left: (a dict from each sum to its parts, the last).

    >>> sums, total = sum_tree(["a", "b", "c"], 2, "sums")
    >>> for name, parts in sums.items():
    ...     print(name, parts)
    sums/1-1.parquet ['a', 'b']
    sums/1-2.parquet ['c']
    sums/2-1.parquet ['sums/1-1.parquet', 'sums/1-2.parquet']
    >>> total
    'sums/2-1.parquet'
    """
    sums, level = {}, 0
    while len(files) > 1:
        level += 1
        parts = [files[start : start + sum_of] for start in range(0, len(files), sum_of)]
        files = [f"{folder}/{level}-{number}.parquet" for number in range(1, len(parts) + 1)]
        sums |= dict(zip(files, parts, strict=True))
    return sums, files[0]
