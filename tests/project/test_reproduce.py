"""`make reproduce` on a project whose workflow is a few lines: exit codes, and what is compared."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import reproduce

WORKFLOW = """import pathlib
for folder, text in (("results", "x\\n2.5\\n"), ("figures", "drawn")):
    pathlib.Path(folder).mkdir(exist_ok=True)
    pathlib.Path(folder, "a.csv").write_text(text)
assert pathlib.Path("results/benchmarks/rules.csv").exists()
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    for name, text in {
        ".gitignore": "/.reproduce/\n",
        "scripts/run_workflow.py": WORKFLOW,
        "results/a.csv": "x\n2.5\n",
        "results/benchmarks/rules.csv": "rule,seconds\na,1\n",
        "figures/a.csv": "drawn",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(reproduce, "ROOT", tmp_path)
    monkeypatch.setattr(reproduce, "COPY", tmp_path / ".reproduce")
    return tmp_path


def test_what_agrees(project, capsys):
    assert reproduce.main([]) == 0
    assert capsys.readouterr().out.strip() == "2 files agree."
    # A second time the copy of the first is in the way, and is removed.
    assert reproduce.main([]) == 0


def test_one_number_altered_by_one_per_cent(project, capsys):
    (project / "results/a.csv").write_text("x\n2.525\n")
    assert reproduce.main([]) == 1
    first, last = capsys.readouterr().out.strip().splitlines()
    assert first.startswith("results/a.csv: x: 1 of 1 rows (rows 1); worst row 1: 2.525 -> 2.5")
    assert last == "1 of 2 files drifted."


def test_a_file_that_nothing_makes_and_one_that_is_missing(project, capsys):
    (project / "results/a.csv").rename(project / "results/b.csv")
    assert reproduce.main([]) == 1
    assert capsys.readouterr().out.splitlines()[1:3] == [
        "results/b.csv: missing in the new run",
        "results/a.csv: only in the new run",
    ]


def test_a_workflow_that_fails_is_exit_code_2(project, capsys):
    (project / "scripts/run_workflow.py").write_text("raise SystemExit(1)")
    assert reproduce.main([]) == 2
    assert "the workflow failed" in capsys.readouterr().err
