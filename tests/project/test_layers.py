"""The contracts of .importlinter hold, name every figure, and notice an import that breaks them."""

import re
import shutil
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest

from replication.workflow.modules import module_files
from wsclust.registry import ESTIMATORS

ROOT = Path(__file__).parents[2]
LINT = "from importlinter.cli import lint_imports_command as lint; lint()"


def verdicts(folder):
    """Each contract's name and whether it is kept, by lint-imports on the sources in a folder."""
    done = subprocess.run(
        [sys.executable, "-c", LINT, "--no-cache", "--no-logo"],
        cwd=folder,
        env={"PYTHONPATH": str(folder / "src"), "COLUMNS": "1000"},
        capture_output=True,
        text=True,
    )
    found = dict(re.findall(r"^(\S.*?) (KEPT|BROKEN)\b", done.stdout, re.MULTILINE))
    assert found, done.stdout + done.stderr
    assert done.returncode == ("BROKEN" in found.values())
    return found


@pytest.fixture(scope="module")
def contracts():
    parser = ConfigParser()
    parser.read(ROOT / ".importlinter", encoding="utf-8")
    return {
        key.rpartition(":")[2]: dict(parser[key])
        for key in parser
        if key.startswith("importlinter:contract:")
    }


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("layers")
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / ".importlinter", folder)
    return folder


def test_every_contract_is_kept(contracts):
    assert verdicts(ROOT) == {contract["name"]: "KEPT" for contract in contracts.values()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("broken", "module", "line"),
    [
        ("method", "wsclust/report.py", "from replication.shared.methods import estimators_of"),
        ("method", "wsclust/registry.py", "import yaml"),
        (
            "layers",
            "wsclust/counts.py",
            "import wsclust.outcomes",
        ),
        ("layers", "wsclust/check/misfit.py", "from wsclust.events.finding import find_files"),
        ("estimators", "wsclust/estimators/direct.py", "from pathlib import Path"),
        ("estimator", "wsclust/estimators/oracle.py", "from wsclust.estimators.direct import direct"),
        ("drawing", "wsclust/fitting.py", "from wsclust.plots.posterior import draw"),
        ("rooms", "replication/clicks/study.py", "from replication.survey.study import main as survey"),
        ("rooms", "replication/shared/methods.py", "from replication.simulation.study import draw"),
        ("simulation", "replication/election2016/study.py", "from replication.simulation.study import draw"),
        ("figures", "replication/simulation/figure4.py", "from replication.simulation.study import draw"),
        (
            "figures",
            "replication/motivation/figure1.py",
            "from replication.shared.methods import estimators_of",
        ),
        ("studies", "replication/movielens/study.py", "from replication.movielens.figure import draw"),
    ],
)
def test_a_bad_import_is_noticed(contracts, copy, broken, module, line):
    path = copy / "src" / module
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}\n{line}\n", encoding="utf-8")
    try:
        found = verdicts(copy)
    finally:
        path.write_text(text, encoding="utf-8")
    assert found[contracts[broken]["name"]] == "BROKEN"


def test_a_module_without_a_place_is_noticed(contracts, copy):
    module = copy / "src/wsclust/helpful.py"
    module.write_text('"""Of no layer."""\n')
    try:
        assert verdicts(copy)[contracts["layers"]["name"]] == "BROKEN"
    finally:
        module.unlink()


def test_the_contracts_name_every_figure(contracts):
    drawing = set()
    for file in (ROOT / "src/replication").rglob("*.py"):
        if file.stem.startswith("figure") or "wsclust.plots" in file.read_text(encoding="utf-8"):
            drawing.add(".".join(file.relative_to(ROOT / "src").with_suffix("").parts))
    assert set(contracts["figures"]["source_modules"].split()) == drawing
    assert set(contracts["studies"]["protected_modules"].split()) == drawing


@pytest.mark.parametrize("name", ESTIMATORS)
def test_an_estimator_needs_no_other(name):
    module = ESTIMATORS[name].estimate.__module__
    others = {entry.estimate.__module__ for entry in ESTIMATORS.values()} - {module}
    files = {Path(file).stem for file in module_files(module, ROOT / "src")}
    assert module.rpartition(".")[2] in files
    assert not files & {other.rpartition(".")[2] for other in others}
