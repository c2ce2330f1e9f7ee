"""Names of columns and files that stand for none, and files that are none: one line, exit code 2, nothing written."""

import os
from pathlib import Path

import pytest

from wsclust.cli import main
from wsclust.events.finding import find_files

EXAMPLES = Path(__file__).parents[2] / "examples"
READ = [str(EXAMPLES / "events.csv"), "--labels", str(EXAMPLES / "labels.csv"), "--factors", "level,shape"]


def refused(capsys, arguments, *words):
    """Whether a command ends as bad input does, with one line that has the words."""
    try:
        code = main([str(word) for word in arguments])
    except SystemExit as stopped:
        code = stopped.code
    said = capsys.readouterr().err
    assert code == 2 and said.count("\n") == 1 and all(word in said for word in words), said
    return True


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("fit", ["label-n", "count", "group", "label", "label-group", "audit", "audit-id", "by", "labels"]),
        ("fit", ["output", "groups", "summary", "plot", "plot-lines", "report", "effects-output"]),
        ("audit-sample", ["id", "count", "group", "label", "label-group", "labels", "output"]),
        ("plan", ["like", "labels", "label-n", "count", "weights", "output", "summary", "plot"]),
        ("score", ["posterior", "summary", "output"]),
        ("count-shard", ["group", "count", "output"]),
        ("add-counts", ["output"]),
    ],
)
def test_an_empty_option_is_not_taken_for_none(tmp_path, monkeypatch, capsys, command, options):
    monkeypatch.chdir(tmp_path)
    read = {"fit": READ, "audit-sample": READ, "plan": ["--groups", 50, "--events", 20]}
    for option in options:
        given = [command, *read.get(command, READ[:1]), "--output", "o.csv", f"--{option}", ""]
        assert refused(capsys, given, f"argument --{option}: expected a name, found ''")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", ["fit", "audit-sample", "score", "count-shard", "add-counts"])
def test_empty_events_are_no_folder(capsys, command):
    assert refused(capsys, [command, ""], "expected a name, found ''")


def test_an_empty_path_is_refused_before_a_folder_is_looked_through(monkeypatch):
    monkeypatch.setattr("wsclust.events.finding._refuse_nested", lambda folder: pytest.fail("looked through"))
    with pytest.raises(ValueError, match="'': no name of a file; expected "):
        find_files("")


def test_an_empty_list_of_ordered_factors_is_told_in_words(capsys):
    assert refused(
        capsys, ["fit", *READ, "--output", "o.csv", "--ordered", ""], "--ordered: the list '': an empty"
    )


def test_a_link_to_itself_is_no_output(tmp_path, capsys):
    loop = tmp_path / "loop.csv"
    loop.symlink_to(loop)
    expected = f"{loop}: a link that leads back to itself; name another with --output"
    assert refused(capsys, ["fit", *READ, "--output", loop], expected)
    assert loop.is_symlink()


def test_a_pipe_is_not_waited_for(tmp_path, capsys):
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    for where in (pipe, tmp_path / "p*.csv"):
        assert refused(capsys, ["fit", where, *READ[1:], "--output", "o.csv"], f"{pipe}: a pipe, a socket or")
    assert refused(capsys, ["add-counts", pipe, "--output", "o.parquet"], f"{pipe}: a pipe, a socket or")
    ends = os.pipe()
    try:
        where = f"/dev/fd/{ends[0]}"
        assert refused(
            capsys, ["fit", where, *READ[1:], "--output", "o.csv"], f"{where}: a pipe, a socket or"
        )
    finally:
        for end in ends:
            os.close(end)


@pytest.mark.parametrize(
    ("option", "most", "beyond"), [("--label-sd", 1000, 1001), ("--pseudo-events", 1e9, 1.1e9)]
)
def test_numbers_too_large_to_reckon_with_are_refused(tmp_path, capsys, option, most, beyond):
    given = ["fit", *READ, "--output", tmp_path / "o.csv", "--half-samples", 0, "--no-check", option]
    assert main([str(word) for word in [*given, most]]) == 0
    assert "overflow" not in capsys.readouterr().err
    (tmp_path / "o.csv").unlink()
    for number in (beyond, 1e155, 1e308):
        assert refused(capsys, [*given, number], f"{option} ", f"at most {most:g}")
    assert not list(tmp_path.iterdir())


def test_a_summary_that_is_nested_too_deep_is_named(tmp_path, capsys):
    deep = tmp_path / "deep.json"
    deep.write_text("[" * 100_000)
    known = tmp_path / "known.csv"
    known.write_text("level,shape,posterior\n1,a,0.5\n")
    given = ["score", READ[0], "--posterior", known, "--summary", deep, "--output", tmp_path / "scored.csv"]
    assert refused(capsys, given, f"{deep}: no summary of wsclust fit")
