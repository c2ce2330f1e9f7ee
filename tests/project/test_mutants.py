"""The list of mutants keeps up with the code that it breaks; `make mutants` runs them."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PARTS = yaml.safe_load((ROOT / "scripts/mutants.yaml").read_text())
ROWS = [(part, row) for part, rows in PARTS.items() for row in rows]


def test_every_step_has_mutants_and_there_are_twenty_or_more():
    assert {"direct", "moments", "E-step", "M-step", "curvature", "information", "check", "ledger"} <= set(
        PARTS
    )
    assert len({(part, row["name"]) for part, row in ROWS}) == len(ROWS) >= 20


@pytest.mark.parametrize(("part", "row"), ROWS, ids=lambda value: value["name"] if "name" in value else value)
def test_a_mutant_breaks_one_line_that_is_there_and_names_a_test_that_is(part, row):
    assert (ROOT / row["file"]).read_text().count(row["old"]) == 1 and row["old"] != row["new"]
    file, name = row["test"].split("::")
    assert re.search(rf"^def {name}\(", (ROOT / file).read_text(), re.MULTILINE)


def test_a_mutant_that_changes_nothing_survives(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    spec = importlib.util.spec_from_file_location("mutants", ROOT / "scripts/mutants.py")
    mutants = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(mutants)
    sys.modules.pop("scratch_copy", None)
    (tmp_path / "test_sum.py").write_text("def test_sum():\n    assert 1 + 1 == 2\n")
    (tmp_path / "test_wrong.py").write_text("def test_wrong():\n    assert 1 + 1 == 3\n")
    assert not mutants.failing(tmp_path, ["test_sum.py::test_sum"])
    assert mutants.failing(tmp_path, ["test_wrong.py::test_wrong"])
    with pytest.raises(RuntimeError, match="pytest ended with"):
        mutants.failing(tmp_path, ["test_nowhere.py::test_nowhere"])
