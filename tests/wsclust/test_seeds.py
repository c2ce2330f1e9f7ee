"""Streams of random numbers are named: the golden values hold on any machine, and every name counts."""

from zlib import crc32

import numpy as np
import pytest

from wsclust.seeds import generator

NAME = {
    "seed": 1,
    "study": "simulation",
    "setting": "default",
    "clicks_per_group": 5,
    "run": 3,
    "role": "clicks",
}
GOLDEN_INTEGERS = [2547090435, 1679269215, 1455274877]
GOLDEN_UNIFORM = [0.7560973113052972, 0.7932312505744732]
GOLDEN_NORMAL = [-0.588419252076165, 0.8958443098960652]


def test_golden_values():
    rng = generator(**NAME)
    assert rng.integers(0, 2**32, 3).tolist() == GOLDEN_INTEGERS
    np.testing.assert_allclose(rng.random(2), GOLDEN_UNIFORM, rtol=1e-15)
    np.testing.assert_allclose(rng.standard_normal(2), GOLDEN_NORMAL, rtol=1e-12)


def test_defaults_are_the_empty_names():
    first = generator(1, "election").random(4)
    again = generator(1, "election", setting="", clicks_per_group=0, run=0, role="").random(4)
    assert first.tolist() == again.tolist()


def test_a_stream_is_numpys_own_for_that_key():
    key = (crc32(b"simulation"), crc32(b"default"), 5, 3, crc32(b"clicks"))
    expected = np.random.default_rng(np.random.SeedSequence(1, spawn_key=key))
    assert generator(**NAME).random(5).tolist() == expected.random(5).tolist()


@pytest.mark.parametrize(
    ("part", "other"),
    [
        ("seed", 2),
        ("study", "election"),
        ("setting", "linear"),
        ("clicks_per_group", 100),
        ("run", 4),
        ("role", "labels"),
    ],
)
def test_every_part_of_the_name_counts(part, other):
    assert generator(**NAME).random(4).tolist() != generator(**{**NAME, part: other}).random(4).tolist()


def test_numbers_do_not_run_into_each_other():
    streams = {tuple(generator(1, "s", "x", size, run).random(2)) for size in range(12) for run in range(12)}
    assert len(streams) == 144


def test_no_stream_depends_on_what_was_drawn_before():
    generator(**{**NAME, "run": 2}).random(1000)
    np.random.default_rng(0).random(10)
    assert generator(**NAME).random() == generator(**NAME).random()
