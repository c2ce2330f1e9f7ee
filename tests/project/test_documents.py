"""Pages that are written from something else are in step with it, and say nothing that is not so."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from replication.workflow.jobs import list_jobs

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "REPRODUCING.md", "CONTRIBUTING.md", "config/README.md", "data/README.md")

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("script", ["config_readme", "reproducing"])
def test_a_written_page_is_in_step(script):
    command = [sys.executable, f"scripts/{script}.py", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env={"PYTHONPATH": "src"})
    assert done.returncode == 0, done.stderr


def test_every_setting_is_described():
    page = (ROOT / "config/README.md").read_text()
    for line in page.splitlines():
        if line.startswith("| `"):
            _, _, kind, what = (cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1])
            assert kind and kind != "any" and what, line
    schema = yaml.safe_load((ROOT / "config/schema.yaml").read_text())
    for section in schema["properties"]:
        assert f"\n## {section}\n" in page


@pytest.mark.parametrize("page", PAGES)
def test_make_targets_and_files_that_a_page_names_exist(page):
    text = (ROOT / page).read_text()
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = set(re.findall(r"`(?:[A-Z]+=\S+ )*make ([a-z-]+)`", text))
    assert named <= targets
    for name in re.findall(r"`((?:src|config|data|rules|scripts|tests)/[\w/.-]+)`", text):
        if "private" not in name:
            assert (ROOT / name).exists(), name


def test_every_figure_has_a_caption_and_is_in_the_report():
    drawn = []
    for file in (ROOT / "rules").glob("*.smk"):
        for name, caption in re.findall(
            r'drawn\(\s*"([\w{}]+)",\s*"[^"]+"(?:,\s*caption="(\w+)")?', file.read_text()
        ):
            assert (ROOT / "captions" / f"{caption or name}.rst").exists()
            drawn.append(name.replace("{number}", "[678]"))
    figures = {Path(f).stem for job in list_jobs(ROOT) for f in job.outputs if f.startswith("figures/")}
    assert figures == {figure for figure in figures if any(re.fullmatch(name, figure) for name in drawn)}


def test_the_hosted_workflow_runs_targets_that_exist():
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())
    job = workflow["jobs"]["checks"]
    assert job["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13"]
    commands = [step["run"] for step in job["steps"] if "run" in step]
    assert {"make test", "make reproduce"} <= set(commands)
    makefile = (ROOT / "Makefile").read_text()
    for command in commands:
        assert re.search(rf"^{command.removeprefix('make ')}:", makefile, re.MULTILINE)


def test_the_readmes_python_runs(monkeypatch):
    monkeypatch.chdir(ROOT)
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    names = {}
    exec(code, names)
    assert len(names["fit"].posterior) == len(names["data"].bins) == len(names["table"]) == 30
    assert names["summary"]["check"]["verdict"] == "unsure"
