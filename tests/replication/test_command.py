"""The command `python -m replication`: its errors are those of wsclust, and what is no ledger is one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from replication.__main__ import main

ROOT = Path(__file__).parents[2]
FULL = Path("/dev/full")
ENTRY = (
    "files: {{}}\nclaims: [{{id: a, place: p, kind: number, statement: s, rests_on: r, data: simulation, "
    "expected: reproduced, note: {}}}]\n"
)


def shell(command):
    """A run of `python -m replication COMMAND` in a shell, which may redirect its streams."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUNBUFFERED": ""}
    line = f"exec '{sys.executable}' -m replication {command}"
    return subprocess.run(["sh", "-c", line], cwd=ROOT, env=env, capture_output=True, text=True)


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize("command", ["claim nothing", "claim --nothing"])
def test_bad_input_is_2_where_stderr_takes_nothing(command):
    assert shell(f"{command} 2>/dev/full").returncode == 2


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "command",
    ["claim", "claim distance-latent", "compare results/election1984 results/election1984", "claim --help"],
)
def test_a_stdout_that_takes_nothing_is_named(command):
    run = shell(f"{command} >/dev/full")
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1 and "stdout: No space left on device" in run.stderr


# Ledgers.


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: [1\nb: 2\n", ["line 2", "correct the YAML"]),
        ("a: 1\n", ["key 'files' is missing"]),
        ("", ["None is not of type 'object'", "paper/claims.yaml"]),
        ("files: {}\n", ["key 'claims' is missing"]),
        ("files: {a: b}\nclaims: []\n", ["claims: [] should be non-empty"]),
        ("files: {}\nclaims: []\n", ["claims: [] should be non-empty"]),
        ("files: {}\nclaims: [1]\n", ["claims[0]: 1 is not of type"]),
        ("files: {}\nclaims: [{id: 7}]\n", ["claim 7", "missing"]),
        (ENTRY.format("7"), ["claim a", "note: 7 is not of type 'string' (text)"]),
        (ENTRY.format("x, values: {b: c}"), ["claim a", "values: expected"]),
        (ENTRY.format("x, parts: [1]"), ["claim a", "parts[0]: 1 is not of type"]),
        (
            ENTRY.format("x, parts: [{says: [b], holds: c}]"),
            ["claim a", "parts[0].says: ['b'] is not of type 'string'"],
        ),
        (
            ENTRY.format("x, parts: [{says: b, holds: 1}]"),
            ["claim a", "parts[0].holds: 1 is not of type 'string'"],
        ),
        (
            ENTRY.format('x, parts: [{says: b, holds: c, expected: "no"}]'),
            ["claim a", "true or false", "'no'"],
        ),
        (
            ENTRY.format('x, erratum: "no"'),
            ["claim a", "erratum: 'no' is not of type 'boolean' (true or false)"],
        ),
        (ENTRY.format("x, confidential: 1"), ["claim a", "confidential: 1 is not of type 'boolean'"]),
        (ENTRY.format("x, paper: [1]"), ["claim a", "paper: [1] is not of type", "(a number or text)"]),
        (ENTRY.format("x, values: {1: b c}"), ["claim a", "values: expected", "found 1: 'b c'"]),
        (ENTRY.format("x, values: {b: c d k}"), ["claim a", "'k' is no condition; expected such as J=5"]),
        (ENTRY.format("x, values: {b: c d k>a}"), ["claim a", "'k>a' is no condition"]),
        ("files: {a: " + "[" * 2000, []),  # words that differ by the version of YAML
    ],
)
def test_what_is_no_ledger_is_one_line(tmp_path, capsys, text, words):
    path = tmp_path / "ledger.yaml"
    path.write_text(text)
    assert main(["claim", "--ledger", str(path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"python -m replication claim: {path}") and error.count("\n") == 1
    assert all(word in error for word in words), error


def test_a_ledger_not_in_utf8_is_one_line(tmp_path, capsys):
    path = tmp_path / "ledger.yaml"
    path.write_bytes(b"\xff\xfe")
    assert main(["claim", "--ledger", str(path)]) == 2
    assert f"{path}: not a text file in UTF-8" in capsys.readouterr().err


def test_outside_the_project_the_remedy_is_said(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["claim"]) == 2
    assert "run in the project's folder, or give the ledger to --ledger" in capsys.readouterr().err
    assert main(["claim", "--ledger", str(ROOT / "paper/claims.yaml"), "--results", "nope"]) == 2
    assert capsys.readouterr() == (
        "",
        "python -m replication claim: nope: no such folder; "
        "run in the project's folder, or give its results to --results\n",
    )


def test_what_stdout_cannot_show_is_no_error():
    def claims(encoding):
        env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": encoding}
        command = [sys.executable, "-m", "replication", "claim"]
        run = subprocess.run(command, cwd=ROOT, env=env, capture_output=True)
        assert (run.returncode, run.stderr) == (0, b"")
        return run.stdout

    whole = claims("utf-8").decode("utf-8")
    assert "°" in whole and "∞" in whole
    for encoding in ("ascii", "latin-1", "cp1252"):
        assert claims(encoding) == whole.encode(encoding, "backslashreplace")
    assert claims("ascii:replace") == whole.encode("ascii", "replace")  # the user's own choice
