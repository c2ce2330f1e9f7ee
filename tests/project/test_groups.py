"""Tests that share an expensive set-up are marked as a group, which pytest-xdist keeps in one worker."""

import subprocess
import sys

import pytest

TESTS = """
import os
import pytest

@pytest.mark.xdist_group("workflow")
@pytest.mark.parametrize("place", range(8))
def test_where(place):
    with open("workers.txt", "a") as file:
        print(os.environ["PYTEST_XDIST_WORKER"], file=file)
"""


@pytest.mark.slow
def test_tests_of_a_group_run_in_one_worker(tmp_path):
    (tmp_path / "test_where.py").write_text(TESTS)
    options = "-q -n 2 --dist loadgroup -p no:cacheprovider".split()
    subprocess.run([sys.executable, "-m", "pytest", *options], cwd=tmp_path, check=True, capture_output=True)
    workers = (tmp_path / "workers.txt").read_text().split()
    assert len(workers) == 8 and len(set(workers)) == 1
