"""The wheel that people install works with what it asks for alone: no replication, no workflow."""

import json
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pandas as pd
import pytest
from packaging.requirements import Requirement

from wsclust import GroupedCounts, latent

ROOT = Path(__file__).parents[2]
ABSENT = ("daft", "jsonschema", "replication", "sklearn", "snakemake", "statsmodels", "yaml")

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]


def run(*command, **options):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, env={}, **options)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built by the backend that is installed here, without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", folder]
    done = run(sys.executable, "-m", "pip", "wheel", *options, ROOT)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("wsclust-*.whl")
    return built


def needed(names):
    """The distributions of these names and all that they need, without extras."""
    found, waiting = {}, list(names)
    while waiting:
        name = waiting.pop().lower()
        if name not in found:
            found[name] = distribution(name)
            requirements = map(Requirement, found[name].requires or ())
            waiting += [r.name for r in requirements if not r.marker or r.marker.evaluate({"extra": ""})]
    return found.values()


@pytest.fixture(scope="module")
def clean(tmp_path_factory, wheel):
    """The bin folder of an environment with the wheel and the packages that it asks for, and no other."""
    folder = tmp_path_factory.mktemp("clean") / "venv"
    assert run(sys.executable, "-m", "venv", "--without-pip", folder).returncode == 0
    (packages,) = folder.glob("lib/python*/site-packages")
    with ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        lines = archive.read(metadata).decode().splitlines()
    asked = [Requirement(line.partition(": ")[2]) for line in lines if line.startswith("Requires-Dist: ")]
    direct = [r.name for r in asked if not r.marker or r.marker.evaluate({"extra": ""})]
    assert set(direct) == {"duckdb", "matplotlib", "numpy", "pandas", "pyarrow", "scipy"}
    for package in needed(direct):
        for top in {Path(file).parts[0] for file in package.files} - {"..", "__pycache__"}:
            link = packages / top
            if not link.is_symlink():
                link.symlink_to(package.locate_file(top))
    pip = [sys.executable, "-m", "pip", "--quiet", "--python", folder / "bin/python", "install"]
    done = run(*pip, "--no-index", "--no-deps", wheel)
    assert done.returncode == 0, done.stderr
    return folder / "bin"


def test_the_wheel_has_the_method_and_no_more(wheel):
    with ZipFile(wheel) as archive:
        names = archive.namelist()
    sources = {str(file.relative_to(ROOT / "src")) for file in (ROOT / "src/wsclust").rglob("*.py")}
    files = {name for name in names if ".dist-info/" not in name}
    assert files == sources | {
        "wsclust/py.typed",
        "wsclust/check/verdicts.csv",
        "wsclust/page/page.css",
        "wsclust/page/tables.js",
    }
    assert wheel.stat().st_size < 400_000


def test_what_the_wheel_does_not_ask_for_is_not_there(clean, tmp_path):
    code = f"import importlib.util as u; print([n for n in {ABSENT} if u.find_spec(n)])"
    assert run(clean / "python", "-c", code, cwd=tmp_path).stdout == "[]\n"


def test_the_command_fits_the_example(clean, tmp_path):
    done = run(
        *(clean / "wsclust", "fit", ROOT / "examples/events.csv", "--labels", ROOT / "examples/labels.csv"),
        *("--factors", "level,shape,colour", "--se", "information", "--output", "posterior.csv"),
        *("--summary", "fit.json", "--plot", "posterior.png"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    events, labels = (pd.read_csv(ROOT / "examples" / name) for name in ("events.csv", "labels.csv"))
    fit = latent(GroupedCounts.from_events(events, labels, ["level", "shape", "colour"]))
    expected = fit.to_frame(se="information")
    table = pd.read_csv(tmp_path / "posterior.csv")
    columns = ["n", "posterior", "se", "lower", "upper"]
    np.testing.assert_allclose(table[columns], expected[columns], rtol=1e-9)
    assert json.loads((tmp_path / "fit.json").read_text())["check"]["verdict"] == "too little data to tell"
    assert (tmp_path / "posterior.png").read_bytes().startswith(b"\x89PNG")


def test_the_package_starts_lean_and_types_are_told(clean, tmp_path):
    heavy = ("duckdb", "matplotlib", "numpy", "pandas", "pyarrow", "scipy")
    code = f"import sys, wsclust; print([n for n in {heavy} if n in sys.modules], dir(wsclust)[:2])"
    assert run(clean / "python", "-c", code, cwd=tmp_path).stdout == "[] ['Audit', 'AuditedOutcomes']\n"
    assert run(clean / "wsclust", "--version", cwd=tmp_path).stdout.startswith("wsclust ")


def test_a_logistic_baseline_asks_for_its_package(clean, tmp_path):
    code = "from wsclust import *; logistic_saturated(KnownOutcomes([[3, 0], [1, 1]], [[1, 2], [0, 2]]))"
    done = run(clean / "python", "-c", code, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "ImportError: logistic regression needs statsmodels: pip install 'wsclust[logistic]'"
    )
