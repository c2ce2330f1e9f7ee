"""The one place that makes random generators.

A stream is named, not numbered: by study, setting, clicks per group, run and role. A new setting or another
order of work therefore shifts no other stream, and run r is the same alone, in any chunk, on any machine.
"""

from zlib import crc32

import numpy as np


def generator(seed, study, setting="", clicks_per_group=0, run=0, role=""):
    """The generator of one named stream.

    Arguments: `seed`, the master seed of config.yaml; the names of the study, the setting and the role of
    the stream (such as "labels"); two integers, 0 where they do not apply.

    >>> a = generator(1, "simulation", "default", 5, run=3, role="clicks")
    >>> b = generator(1, "simulation", "default", 5, run=3, role="clicks")
    >>> float(a.random()) == float(b.random())
    True
    """
    key = (_code(study), _code(setting), int(clicks_per_group), int(run), _code(role))
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key)))


def _code(name):
    return crc32(name.encode())
