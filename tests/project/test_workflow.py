"""The workflow as its users run it: what it makes, what reruns after a change, and what it refuses.

Everything runs the small configuration in copies of the project; nothing here touches results/ or figures/.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from replication.workflow.jobs import list_jobs
from replication.workflow.modules import module_files
from replication.workflow.tolerances import ELSEWHERE

ROOT = Path(__file__).parents[2]
SMOKE = ["--configfile", "config/config.yaml", "config/smoke.yaml"]
RUN = [sys.executable, "scripts/run_workflow.py", "--cores", "2", *SMOKE]

# One worker runs them all, since they share a copy that has been run.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("workflow")]


def copy_to(folder):
    command = [sys.executable, "scripts/scratch_copy.py", str(folder)]
    command += ["--without", "results", "--without", "figures"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


def run(folder, command=RUN, **options):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, **options)


def made(folder):
    files = [*Path(folder, "results").rglob("*"), *Path(folder, "figures").rglob("*")]
    return {str(file.relative_to(folder)): file.read_bytes() for file in files if file.is_file()}


def planned(folder, *options):
    """The rules that a run would execute now, with how often."""
    command = [sys.executable, "-m", "snakemake", "-n", "--cores", "2", *SMOKE, *options]
    output = run(folder, command, check=True).stdout
    table = re.search(r"^Job stats:\n.*\n[- ]+\n((?:.+\n)*?)total ", output, re.MULTILINE)
    if table is None:
        assert "Nothing to be done" in output
        return {}
    rows = (line.split() for line in table[1].splitlines())
    # The manifest follows everything.
    return {name: int(count) for name, count in rows if name not in ("all", "manifest")}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A copy in which the small configuration has run."""
    folder = copy_to(tmp_path_factory.mktemp("workflow") / "project")
    result = run(folder)
    assert result.returncode == 0, result.stderr
    return folder


@pytest.fixture(scope="module")
def jobs(finished):
    """Every job of the small configuration."""
    return list_jobs(finished, "config/smoke.yaml")


def test_a_rule_lists_the_modules_that_its_command_imports(jobs):
    for job in {job.rule: job for job in jobs}.values():
        assert job.modules, f"{job.rule} runs no module of the project"
        listed = {file for file in job.inputs if file.startswith("src/")}
        known = {file for module in job.modules for file in module_files(module, ROOT / "src")}
        assert listed == {str(Path(file).relative_to(ROOT)) for file in known}, job.rule


# Each module in a process of its own, which has from its parent what all would load from elsewhere.
IMPORT_EACH = """
import os, sys
import duckdb, matplotlib.pyplot, pandas, scipy.optimize, scipy.stats
PACKAGES = "wsclust", "replication"
for module in sys.argv[1:]:
    if not os.fork():
        __import__(module)
        ours = [getattr(m, "__file__", "") for n, m in sys.modules.items() if n.partition(".")[0] in PACKAGES]
        print(module, *(file for file in ours if file), sep="\t", flush=True)
        os._exit(0)
    if os.wait()[1]:
        sys.exit(f"{module} cannot be imported")
"""


def test_what_a_module_imports_is_found(jobs):
    modules = sorted({module for job in jobs for module in job.modules})
    environment = {**os.environ, "PYTHONPATH": "src"}
    output = run(ROOT, [sys.executable, "-c", IMPORT_EACH, *modules], env=environment, check=True).stdout
    found = {module: files for module, *files in (line.split("\t") for line in output.splitlines())}
    assert list(found) == modules
    for module, files in found.items():
        imported = {str(Path(file).resolve()) for file in files}
        assert imported <= set(module_files(module, ROOT / "src")), module


def test_every_file_of_the_committed_results_is_made_by_the_workflow(finished):
    listing = ["git", "ls-files", "results", "figures"]
    if not (ROOT / ".git").exists():
        pytest.skip("no git checkout")
    committed = set(run(ROOT, listing, check=True).stdout.split())
    elsewhere = tuple(f"results/{folder}/" for folder in ELSEWHERE)
    committed = {file for file in committed if not file.startswith(elsewhere)}
    assert committed <= set(made(finished))


def test_a_second_run_has_nothing_to_do(finished):
    assert planned(finished) == {}


def reruns(jobs, file):
    """The rules whose jobs take the file as input, and those that follow from them."""
    after, changed = set(), {file}
    for _ in jobs:
        found = {job for job in jobs if changed & set(job.inputs)}
        if found == after:
            break
        after, changed = found, changed.union(*(job.outputs for job in found))
    return {job.rule for job in after if job.rule != "manifest"}


@pytest.mark.parametrize(
    ("file", "always", "never"),
    [
        (
            "src/replication/simulation/figure4.py",
            {"figure4"},
            {"figure1", "simulation_part", "election2016"},
        ),
        ("src/replication/motivation/plates.py", {"figure2", "figure3"}, {"figure1", "figure4"}),
        (
            "src/replication/simulation/truth_curves.py",
            {"simulation_part", "figure4"},
            {"clicks", "election2016"},
        ),
        ("src/wsclust/estimators/latent.py", {"simulation_part", "election2016", "figure1"}, {"figure2"}),
        ("src/wsclust/evaluation.py", {"election2016", "movielens"}, {"simulation_part", "figure4"}),
    ],
)
def test_an_edit_reruns_exactly_what_imports_the_file_and_what_follows(finished, jobs, file, always, never):
    with edited(finished / file):
        now = set(planned(finished))
    assert now == reruns(jobs, file)
    assert always <= now and not never & now


def test_an_edit_of_one_figure_reruns_that_figure_alone(finished):
    with edited(finished / "src/replication/simulation/figure4.py"):
        assert planned(finished) == {"figure4": 1}


def test_a_changed_setting_reruns_its_study_and_what_follows(finished, jobs):
    with edited(
        finished / "config/smoke.yaml", lambda text: text.replace("replicates: 3", "replicates: 4", 1)
    ):
        now = planned(finished)
    assert now.pop("settings") == 1
    assert set(now) == reruns(jobs, "src/replication/motivation/study.py")


@pytest.mark.parametrize(
    ("key", "value", "studies"),
    [
        ("clicks.without_cap.replicates", 3, {"click_cap"}),
        ("clicks.half_samples", 4, {"clicks"}),
        ("discussion.cost.runs", 3, {"discussion_cost"}),
        ("election1984.why.splits", 3, {"why_part"}),
    ],
)
def test_a_setting_reruns_no_study_but_its_own(finished, tmp_path, key, value, studies):
    for part in reversed(key.split(".")):
        value = {part: value}
    override = tmp_path / "override.yaml"
    override.write_text(json.dumps(value))
    now = planned(finished, str(override))
    assert now["settings"] == now[min(studies)]
    # What no other job of the workflow makes anything for: the studies, and neither figures nor summaries.
    assert studies <= set(now)
    assert not set(now) & (STUDIES - studies)


STUDIES = {
    "simulation_part",
    "election2016",
    "movielens",
    "survey_design",
    "motivation",
    "clicks",
    "click_cap",
}
STUDIES |= {"reconstruction1984", "election1984_part", "voter_groups", "why_part", "discussion_cost"}
STUDIES |= {"discussion_starts", "discussion_label_share", "discussion_moments_by_size"}


def test_a_name_or_path_of_a_user_s_own_does_nothing_in_a_shell(tmp_path):
    folder = copy_to(tmp_path / "project")
    name = "it's a $(touch pwned) `touch pwned`; touch pwned \" &"
    table = folder / "data" / f"{name}.csv"
    shutil.copy(folder / "data/cces2016/ideology_party.csv", table)
    design = {
        "table": f"data/{name}.csv",
        "factors": ["ideology", name],
        "positive": "trump",
        "negative": "other",
    }
    table.write_text(table.read_text().replace("party", '"' + name.replace('"', '""') + '"', 1))
    override = folder / "mine.yaml"
    override.write_text(json.dumps({"election2016": {"designs": {"mine": design}}}))
    command = [*RUN, str(override), "--", "results/election2016/mine.csv"]
    result = run(folder, command)
    assert result.returncode == 0, result.stderr
    assert (folder / "results/election2016/mine.csv").exists()
    assert not list(folder.rglob("pwned"))
    commands = [job.command for job in list_jobs(folder, str(override)) if "pwned" in job.command]
    assert commands
    for command in commands:
        # Outside single quotes, which shlex.quote leaves only for a single quote in double ones.
        assert "pwned" not in re.sub(r"'[^']*'", "", command.replace('"\'"', "")), command


class edited:
    """A file with a change, put back as it was with its time."""

    def __init__(self, path, change=lambda text: text + "\n# changed\n"):
        self.path, self.change = path, change

    def __enter__(self):
        self.text, self.stat = self.path.read_text(), self.path.stat()
        changed = self.change(self.text)
        assert changed != self.text
        self.path.write_text(changed)

    def __exit__(self, *_):
        self.path.write_text(self.text)
        os.utime(self.path, ns=(self.stat.st_atime_ns, self.stat.st_mtime_ns))


def test_another_run_on_one_core_makes_the_same_bytes(finished, tmp_path):
    folder = copy_to(tmp_path / "project")
    command = [word if word != "2" else "1" for word in RUN]
    assert run(folder, command).returncode == 0
    assert made(folder) == made(finished)


def test_a_killed_run_is_finished_by_the_next(finished, tmp_path):
    folder = copy_to(tmp_path / "project")
    process = subprocess.Popen(
        RUN, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    deadline = time.monotonic() + 120
    while len(list(folder.glob("build/simulation/*.csv"))) < 2:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert len(made(folder)) < len(made(finished))
    result = run(folder)
    assert result.returncode == 0, result.stderr
    assert made(folder) == made(finished)
    assert not list(folder.rglob(".*.[0-9]*.csv")), "a temporary file was left"


@pytest.mark.parametrize(
    ("override", "named"),
    [
        ("simulation: {rums: 3}", ["simulation", "'rums'", "'runs'"]),
        ("simulation: {clicks_per_group: [5, -3]}", ["simulation.clicks_per_group[1]", "-3"]),
        ("simulation: {methods: [direct, magic]}", ["simulation.methods", "'magic'"]),
        ("methods: {magic: {estimator: magic}}", ["methods.magic.estimator", "'magic'"]),
        ("simulation: {methods: [oracle]}", ["simulation.methods", "'oracle'"]),
        ("election2016: {designs: {mine: {factors: [a]}}}", ["election2016.designs.mine", "'table'"]),
    ],
)
def test_a_wrong_config_is_refused_in_a_line_that_names_the_key(finished, tmp_path, override, named):
    file = tmp_path / "wrong.yaml"
    file.write_text(override + "\n")
    command = [sys.executable, "-m", "snakemake", "-n", "--configfile", "config/config.yaml", str(file)]
    result = run(finished, command)
    assert result.returncode != 0
    # A dry run says it on stdout, a real one on stderr.
    said = (result.stdout + result.stderr).splitlines()
    line = next((line for line in said if "config:" in line), "no line about the config")
    assert all(name in line for name in named), line
