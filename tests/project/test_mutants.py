"""The lists of mutants keep up with the code that they break: that of `make mutants` and that of `make all-mutants`."""

import csv
import importlib
import importlib.util
import inspect
import re
import sys
from collections import Counter
from functools import reduce
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PARTS = yaml.safe_load((ROOT / "scripts/mutants.yaml").read_text())
ROWS = [(part, row) for part, rows in PARTS.items() for row in rows]
with open(ROOT / "tests/equivalent_mutants.csv", encoding="utf-8", newline="") as file:
    EQUIVALENT = list(csv.DictReader(file))


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


def test_mutants_that_nothing_can_tell_are_of_code_that_is_there():
    """Each is of a function that exists and of lines of it; a method is there as Class.method."""
    for row in EQUIVALENT:
        where = f"{row['module']}.{row['function']}: {row['before']}"
        module = importlib.import_module(row["module"])
        function = inspect.unwrap(reduce(inspect.getattr_static, row["function"].split("."), module))
        source = " ".join(line.strip() for line in inspect.getsource(function).splitlines())
        assert row["before"] in source, where
        assert row["before"] != row["after"] and row["why"], where
    assert max(Counter(tuple(row.values())[:4] for row in EQUIVALENT).values()) == 1


def test_a_run_of_the_tool_is_told_the_listed_from_the_alive(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/equivalent_mutants.csv").write_text(
        'module,function,before,after,why\nwsclust.m,f,return x,"return x,",said\n'
    )
    spec = importlib.util.spec_from_file_location("all_mutants", ROOT / "scripts/all_mutants.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    listed = ("wsclust.m.x_f__mutmut_1", "survived", "-    return x\n+    return x,\n")
    alive = ("wsclust.m.x_f__mutmut_2", "no tests", "-    return x\n+    return None\n")
    killed = [
        (f"wsclust.m.x_f__mutmut_{n}", status, "") for n, status in enumerate(["killed"] * 18 + ["timeout"])
    ]
    monkeypatch.setattr(script.subprocess, "run", lambda command: SimpleNamespace(returncode=0))
    for found, code in (([listed, alive, *killed], 0), ([listed, alive, alive, *killed], 1)):
        monkeypatch.setattr(script, "results", lambda found=found: found)
        assert script.main([]) == code
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].split() == "wsclust.m 1 alive 18 killed 1 listed 1 timeout".split()
    assert printed[1] == "ALIVE wsclust.m f: return x  ->  return None"
    assert printed[2].startswith("19 of 20 mutants caught, 95.0%; 1 more are in")


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
