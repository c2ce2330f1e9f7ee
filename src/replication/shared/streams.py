"""Random streams by the one part of their name that varies within a study: a role, or the number of a run."""

from wsclust.seeds import generator


def by_role(seed, study, setting="", clicks_per_group=0, run=0):
    """The function from a role, such as "labels", to the generator of that stream, made anew at each call.

    Arguments as of `wsclust.seeds.generator`.

    >>> rng_of_role = by_role(1, "simulation", "default", 5, run=3)
    >>> rng_of_role("clicks").random() == generator(1, "simulation", "default", 5, 3, "clicks").random()
    True
    """
    return lambda role: generator(seed, study, setting, clicks_per_group, run, role)


def by_run(seed, study, setting, role):
    """The function from a run's number to the generator of that stream.

    >>> rng_of_split = by_run(1, "election", "mine", "split")
    >>> rng_of_split(7).random() == generator(1, "election", "mine", run=7, role="split").random()
    True
    """
    return lambda run: generator(seed, study, setting, run=run, role=role)
