"""Markers and small data that several test modules share."""

import json
import signal

import numpy as np
import pytest
from scipy.special import expit

from literal import counts_from_clicks, generate
from wsclust.counts import GroupedCounts

# Scripts for environments of their own; their answers are kept beside them.
collect_ignore = ["independent/nuts.py", "independent/mixture.py"]


def pytest_configure(config):
    # Commands started from here must feel a Ctrl-C, which a shell has its background jobs ignore.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    config.addinivalue_line("markers", "long: takes minutes; left out unless it is asked for by -m long")
    config.addinivalue_line(
        "markers", "slow: runs the workflow, set-up or other programs; -m 'not slow' leaves it out"
    )


def pytest_collection_modifyitems(config, items):
    if "long" in config.option.markexpr:
        return
    long = [item for item in items if item.get_closest_marker("long")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]


@pytest.fixture(scope="session")
def small():
    """Fourteen groups of 3 to 12 clicks in four bins: (clicks, HE, GroupedCounts)."""
    rng = np.random.default_rng(20)
    clicks, he = generate(
        rng, 14, rng.integers(3, 13, 14), [0.5, 0.3, 0.15, 0.05], [0.05, 0.15, 0.3, 0.5], 0.5
    )
    return clicks, he, GroupedCounts(counts_from_clicks(clicks, 4), expit(he))


@pytest.fixture
def settings_option(tmp_path):
    """A function from a job's settings, by name, to the option that gives them to a study."""

    def option(**settings):
        file = tmp_path / "settings.json"
        file.write_text(json.dumps(settings))
        return ["--settings", str(file)]

    return option
