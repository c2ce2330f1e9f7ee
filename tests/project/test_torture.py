"""Broken inputs, kills and full disks, a few of what `make torture` tries."""

import os
import signal
from pathlib import Path
from random import Random

import pytest

from torture.commands import COMMANDS, write_inputs
from torture.faults import FAULTS
from torture.fuzz import run_trials
from torture.kills import stopped
from torture.promises import OLD, broken_promises
from torture.scene import Trial
from torture.trials import trial


def test_no_promise_is_broken_by_300_broken_inputs():
    counts, failures = run_trials(first=0, trials=300)
    assert not failures, "\n".join(f"trial {seed}: {sentences}\n{said}" for seed, sentences, said in failures)
    # Neither all refused nor none, or nothing was tried.
    assert counts["fit", 0] > 10 and counts["fit", 2] > 10


@pytest.mark.parametrize(
    ("code", "said", "posterior", "sentence"),
    [
        (ZeroDivisionError("x"), "", OLD, "ZeroDivisionError instead of a line: x"),
        (2, "one\ntwo\n", OLD, "2 lines instead of one: ['one', 'two']"),
        (2, "one\n", b"half", "posterior.csv was written although the exit code is 2"),
        (0, "", OLD, "posterior.csv was not written although the exit code is not 2"),
        (0, "", b"n,posterior\n5,.5\n5,\n", "a bin with events and no posterior"),
        (0, "", b"n,posterior,lower,upper\n5,.5,.6,.7\n", "a posterior outside its interval"),
        (0, "", b"n,posterior\n5,1.5\n", "a posterior outside [0, 1]"),
        (1, "", b"n,posterior\n5,.5\n", "exit code 1"),
    ],
)
def test_a_broken_promise_is_noticed(tmp_path, code, said, posterior, sentence):
    (tmp_path / "posterior.csv").write_bytes(posterior)
    tried = Trial(["fit"], [], ["posterior.csv"])
    assert list(broken_promises(tried, tmp_path, code, "", said)) == [sentence]


def test_a_crash_and_what_was_left_behind_are_noticed(tmp_path, monkeypatch):
    (tmp_path / ".posterior.1.csv").touch()
    assert list(broken_promises(Trial(["claim"], []), tmp_path, 0, "", "")) == [
        ".posterior.1.csv was left behind"
    ]
    monkeypatch.setattr("torture.fuzz._worker", _crash)
    assert run_trials(first=7, trials=1) == ({}, [(7, ["the process died: SIGSEGV"], "")])


def _crash(seeds, results):
    results.send((seeds[0], None))
    os.kill(os.getpid(), signal.SIGSEGV)


def test_a_trial_is_its_number(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    for seed in range(30):
        one, two = (trial(seed, tmp_path / name) for name in ("one", "two"))
        assert one.arguments == two.arguments
        assert [(tmp_path / "one" / name).read_bytes() for name in one.inputs] == [
            (tmp_path / "two" / name).read_bytes() for name in two.inputs
        ]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kills")
    write_inputs(folder, events=20_000, groups=60)
    return Path(folder)


@pytest.mark.slow
@pytest.mark.xdist_group("kills")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_is_stopped_loses_nothing(inputs, command):
    random = Random(command)
    found = [*stopped(command, 1, random, inputs), *stopped(command, 1, random, inputs, signal.SIGINT)]
    assert not found


@pytest.mark.slow
@pytest.mark.xdist_group("kills")
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_is_disturbed_loses_nothing(inputs, command, fault):
    assert not list(fault(command, inputs))
