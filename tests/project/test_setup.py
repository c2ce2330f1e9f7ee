"""Set-up and `make`: the choice of Python, the lock, one run at a time, fresh copies, trial copies."""

import errno
import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import tomllib
from argparse import Namespace
from pathlib import Path

import psutil
import pytest
import yaml
from snakemake.cli import get_argument_parser

from replication.workflow import one_run
from replication.workflow.invocation import LOOKS, check_cluster, is_run
from replication.workflow.kept_results import keep, put_back, remove_temporaries
from replication.workflow.one_run import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
sys.path.insert(0, str(SCRIPTS))
import make_venv  # noqa: E402

pytestmark = pytest.mark.slow

# ------------------------------------------------------------------ the choice of Python


@pytest.fixture
def choose(tmp_path):
    """Run find_python.sh where the given Pythons are all there is; None is a shim that fails."""

    def run(versions, asked="", venv=True):
        folder = tmp_path / "bin"
        folder.mkdir()
        for name, version in versions.items():
            if version is None:
                body = "echo 'command not found' >&2; exit 127"
            else:
                imports = "exit 0" if venv else "exit 1"
                body = f'case "$2" in *ensurepip*) {imports};; esac; echo {version}'
            (folder / name).write_text(f"#!/bin/sh\n{body}\n")
            (folder / name).chmod(0o755)
        return subprocess.run(
            ["/bin/sh", SCRIPTS / "find_python.sh"],
            env={"PATH": str(folder), "PYTHON": asked.replace("BIN", str(folder))},
            capture_output=True,
            text=True,
        )

    return run


@pytest.mark.parametrize(
    ("versions", "chosen"),
    [
        ({"python3": "3.12"}, "python3"),
        ({"python3": "3.9", "python3.11": "3.11"}, "python3.11"),
        ({"python3": "3.9", "python3.13": None, "python3.12": "3.12"}, "python3.12"),
        ({"python3": "3.14", "python3.12": "3.12"}, "python3.12"),
    ],
)
def test_first_python_that_runs_and_is_new_enough(choose, versions, chosen):
    done = choose(versions)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, chosen, "")


def test_untested_python_is_tried_and_said(choose):
    done = choose({"python3": "3.15"})
    assert (done.returncode, done.stdout.strip()) == (0, "python3")
    assert done.stderr.count("\n") == 1
    assert "3.15, which is not tested" in done.stderr


def test_a_python_that_a_package_is_compiled_for_is_taken_last_and_said(choose):
    done = choose({"python3.14": "3.14"})
    assert (done.returncode, done.stdout.strip()) == (0, "python3.14")
    assert done.stderr.count("\n") == 1
    assert "3.14, for which one package is compiled" in done.stderr


def test_python_asked_for_is_taken_alone(choose):
    versions = {"python3": "3.11", "my python": "3.13"}
    assert choose(versions, asked="BIN/my python").stdout.strip().endswith("my python")


@pytest.mark.parametrize(
    ("versions", "asked", "venv", "words"),
    [
        ({}, "", True, "needs Python 3.11 or newer, and found none"),
        ({"python3": None}, "", True, "needs Python 3.11 or newer, and found none"),
        ({"python3": "3.9"}, "", True, "but python3 is 3.9; install"),
        ({"python3": "2.7"}, "", True, "but python3 is 2.7; install"),
        ({"python3": "3.12"}, "python4", True, "PYTHON=python4 is not a Python that runs"),
        ({"python3": "3.12", "old": "3.10"}, "old", True, "but old is 3.10"),
        ({"python3": "3.12"}, "", False, "apt install python3-venv"),
    ],
)
def test_no_python_will_do(choose, versions, asked, venv, words):
    done = choose(versions, asked, venv)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert words in done.stderr


def test_make_says_it_in_one_line_and_exits_2(tmp_path):
    for name in ("Makefile", "requirements.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(SCRIPTS, tmp_path / "scripts")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
    done = subprocess.run(
        ["make", "PYTHON=/no/such/python"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    said = done.stderr.splitlines()
    assert len(said) == 2
    assert said[0].startswith("set-up: PYTHON=/no/such/python")
    assert not (tmp_path / ".venv").exists()


def test_a_clone_that_git_gives_windows_line_ends_has_scripts_that_run(tmp_path):
    original, clone = tmp_path / "original", tmp_path / "clone"
    (original / "scripts").mkdir(parents=True)
    for name in (".gitattributes", "Makefile", "scripts/find_python.sh"):
        shutil.copy(ROOT / name, original / name)
    (original / "figure.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    git("init", "--quiet", original)
    git("-C", original, "add", ".")
    git("-C", original, "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "all")
    git("clone", "--quiet", "-c", "core.autocrlf=true", original, clone)
    for name in ("Makefile", "scripts/find_python.sh", "figure.png"):
        assert (clone / name).read_bytes() == (original / name).read_bytes()


def git(*words):
    subprocess.run(["git", *map(str, words)], check=True)


# ------------------------------------------------------------------ the lock


def lock_entries():
    text = (ROOT / "requirements.txt").read_text()
    return dict(re.findall(r"^([a-z0-9.-]+)==((?:.*\\\n)*.*)", text, re.MULTILINE))


def test_lock_names_no_place_to_fetch_from():
    text = (ROOT / "requirements.txt").read_text()
    assert "://" not in text
    assert not re.search(r"--(extra-)?index|--find-links|file:", text)


def test_lock_has_a_hash_for_everything_and_one_version_for_every_python():
    text = (ROOT / "requirements.txt").read_text()
    names = re.findall(r"^([a-z0-9.-]+)==", text, re.MULTILINE)
    assert len(names) == len(set(names))
    # No path, no name without a version, no option.
    assert len(re.findall(r"^[^\s#].*", text, re.MULTILINE)) == len(names)
    assert all("--hash=sha256:" in entry for entry in lock_entries().values())
    assert not re.search(r"^\S.*python_(full_)?version", text, re.MULTILINE)


def test_lock_covers_what_the_project_asks_for():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    asked = list(project["project"]["dependencies"]) + project["build-system"]["requires"]
    for name, extra in project["project"]["optional-dependencies"].items():
        asked += [] if name == "survey" else extra
    asked += project["dependency-groups"][
        "setup"
    ]  # not `mutation`, which `make all-mutants` installs by itself
    names = {re.match(r"[\w.-]+", requirement).group().lower() for requirement in asked}
    assert names <= set(lock_entries())


def test_what_is_built_here_is_built_by_what_is_locked():
    """A build that fetched its own tools would need the net, and have no hash."""
    text = (ROOT / "requirements.txt").read_text()
    for package in (*make_venv.BUILT, make_venv.BUILDER):
        entry = make_venv.locked(text, package)
        assert entry.startswith(f"{package}==") and "--hash=sha256:" in entry


def test_variables_that_would_send_packages_elsewhere_do_not_reach_set_up():
    given = {
        "PIP_TARGET": "x",
        "PIP_PREFIX": "x",
        "PIP_ROOT": "x",
        "UV_PYTHON": "x",
        "PYTHONPATH": "x",
        "A": "x",
    }
    kept = make_venv.environment({**given, "PIP_INDEX_URL": "mirror", "UV_CACHE_DIR": "c"})
    assert not (set(given) - {"A"}) & set(kept)
    assert (kept["PIP_INDEX_URL"], kept["UV_CACHE_DIR"], kept["A"]) == ("mirror", "c", "x")


def test_conda_environment_installs_the_lock():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    assert set(environment) == {"name", "channels", "dependencies"}
    *packages, pip = environment["dependencies"]
    assert [re.match(r"\w+", package).group() for package in packages] == ["python", "pip"]
    # Hash mode takes no `-e .` beside the lock.
    assert pip == {"pip": ["-r requirements.txt"]}


@pytest.mark.parametrize("name", ["a{x}b", "a{}b", "a:b", "a\nb"])
def test_a_folder_that_cannot_work_is_refused_by_name(tmp_path, name):
    with pytest.raises(make_venv.SetUpError) as refusal:
        make_venv.check_folder(tmp_path / name)
    assert repr(str(tmp_path / name)) in str(refusal.value) and "\n" not in str(refusal.value)
    make_venv.check_folder(tmp_path / "a#b?c*d e'f")


@pytest.mark.parametrize(
    ("variables", "missing"),
    [
        ({"HOME": "FOLDER", "USER": "me"}, []),
        ({"HOME": "/proc", "USER": "me"}, ["cache"]),
        ({"HOME": "/no/such/folder", "XDG_CACHE_HOME": "FOLDER", "USER": "me"}, ["home"]),
        ({"XDG_CACHE_HOME": "/proc/no", "LOGNAME": "me"}, ["home", "cache"]),
    ],
)
def test_what_is_missing_for_caches_is_said(tmp_path, variables, missing):
    variables = {name: value.replace("FOLDER", str(tmp_path)) for name, value in variables.items()}
    words = ["/bin/sh", SCRIPTS / "caches.sh"]
    done = subprocess.run(words, env={"PATH": os.defpath, **variables}, capture_output=True, text=True)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, missing, "")
    assert not list(tmp_path.rglob(".wsclust*"))


def test_jobs_for_a_cluster_are_refused_in_a_line_where_they_cannot_go(tmp_path, monkeypatch):
    given = Namespace(mode="default", dryrun=False, executor="slurm")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ValueError, match=r"executor slurm: no Slurm here.*login node"):
        check_cluster(given, tmp_path)
    (tmp_path / "sbatch").write_text("#!/bin/sh\n")
    (tmp_path / "sbatch").chmod(0o755)
    check_cluster(given, tmp_path)
    with pytest.raises(ValueError, match=r"executor slurm: '.*/a b': a space or sign"):
        check_cluster(given, tmp_path / "a b")
    check_cluster(Namespace(mode="default", dryrun=True, executor="slurm"), tmp_path / "a b")
    check_cluster(Namespace(mode="default", dryrun=False, executor="local"), tmp_path / "a b")


# ------------------------------------------------------------------ one run, and fresh copies

SNAKEFILE = """
import sys
import tempfile
sys.path.insert(0, "src")
from snakemake.exceptions import WorkflowError
from replication.workflow.invocation import command_line, is_run
from replication.workflow.one_run import hold_until_exit
try:
    if is_run(command_line()):
        hold_until_exit(".")
except ValueError as error:
    raise WorkflowError(error)

rule all:
    input: "results/first.csv", "figures/second.txt"

rule first:
    input: code="code.txt"
    output: "results/first.csv"
    shell: "echo made > {output}; echo first >> ran.txt"

rule second:
    input: "results/first.csv"
    output: "figures/second.txt"
    shell: "test ! -e broken.txt && cp {input} {output} && echo second >> ran.txt"
"""


@pytest.fixture
def project(tmp_path):
    """A small project in which committed results look newer than all else."""
    folder = tmp_path / "a project"
    for name in ("scripts", "results", "figures", "profiles/default"):
        (folder / name).mkdir(parents=True)
    shutil.copy(SCRIPTS / "run_workflow.py", folder / "scripts")
    shutil.copytree(ROOT / "src/replication/workflow", folder / "src/replication/workflow")
    shutil.copy(ROOT / "src/replication/__init__.py", folder / "src/replication")
    (folder / "profiles/default/config.yaml").write_text("rerun-incomplete: true\n")
    (folder / "Snakefile").write_text(SNAKEFILE)
    (folder / "code.txt").write_text("code\n")
    later = time.time() + 60
    for name in ("results/first.csv", "figures/second.txt", "results/notes.md"):
        (folder / name).write_text("committed\n")
        os.utime(folder / name, (later, later))
    return folder


def workflow(project, *arguments):
    """Run the workflow and return the completed process and the rules that ran."""
    (project / "ran.txt").unlink(missing_ok=True)
    words = [sys.executable, project / "scripts/run_workflow.py", "--cores", "1", *arguments]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    ran = project / "ran.txt"
    return done, ran.read_text().split() if ran.exists() else []


def test_fresh_copy_is_made_anew_once(project):
    done, ran = workflow(project)
    assert done.returncode == 0, done.stderr
    assert ran == ["first", "second"]
    assert (project / "figures/second.txt").read_text() == "made\n"
    assert (project / "results/notes.md").read_text() == "committed\n"
    assert workflow(project)[1] == []


def test_single_file_in_a_fresh_copy_leaves_the_rest_to_the_next_run(project):
    assert workflow(project, "results/first.csv")[1] == ["first"]
    assert workflow(project, "results/first.csv")[1] == []
    assert workflow(project)[1] == ["second"]


def test_failed_run_goes_on_from_where_it_was(project):
    (project / "broken.txt").touch()
    done, ran = workflow(project)
    assert (done.returncode, ran) == (1, ["first"])
    (project / "broken.txt").unlink()
    assert workflow(project)[1] == ["second"]


def test_second_run_is_refused_and_a_dead_one_is_not_in_the_way(project):
    with open(project / ".snakemake-make.lock", "w") as held:
        held.write(f"{os.getpid()}\n")
        held.flush()
        fcntl.flock(held, fcntl.LOCK_EX)
        done, ran = workflow(project)
        assert (done.returncode, done.stdout, ran) == (2, "", [])
        assert done.stderr.count("\n") == 1
        assert f"process {os.getpid()}" in done.stderr
    assert workflow(project)[0].returncode == 0


def test_the_guard_of_a_killed_run_is_waited_for(project):
    gone = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True
    )
    with open(project / ".snakemake-make.lock", "w") as held:
        held.write(gone.stdout)
        held.flush()
        fcntl.flock(held, fcntl.LOCK_EX)
        let_go = threading.Timer(PATIENCE + 3, fcntl.flock, (held, fcntl.LOCK_UN))
        let_go.start()
        done, ran = workflow(project)
        let_go.join()
    assert (done.returncode, ran) == (0, ["first", "second"])


def snakemake(project, *arguments):
    words = [sys.executable, "-m", "snakemake", *arguments]
    done = subprocess.run(words, cwd=project, capture_output=True, text=True, timeout=120)
    return done, done.stdout + done.stderr


@pytest.mark.parametrize("held_by", ["make", "snakemake"])
def test_make_and_plain_snakemake_exclude_each_other(project, held_by):
    (project / "Snakefile").write_text(SNAKEFILE.replace("echo made >", "touch begun; sleep 60; echo made >"))
    words = (
        [sys.executable, "scripts/run_workflow.py"]
        if held_by == "make"
        else [sys.executable, "-m", "snakemake"]
    )
    first = subprocess.Popen(
        [*words, "--cores", "1"], cwd=project, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    try:
        await_file(project / "begun", first)
        if held_by == "make":
            done, said = snakemake(project, "--cores", "1", "--nolock")
        else:
            done, _ = workflow(project)
            said = done.stderr
        assert done.returncode != 0
        assert "another run (process" in said
        # A look is free.
        assert snakemake(project, "-n", "--nolock")[0].returncode == 0
    finally:
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()


def await_file(path, process):
    deadline = time.monotonic() + 60
    while not path.exists():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)


def state(project):
    files = [path for path in project.rglob("*") if path.is_file() and ".snakemake" not in path.parts]
    return {path: path.stat().st_mtime_ns for path in files if "__pycache__" not in path.parts}


@pytest.mark.parametrize("look", [["-n"], ["--lint"], ["--summary"], ["--dag"], ["--unlock"]])
def test_a_look_at_the_workflow_writes_nothing(project, look):
    before = state(project)
    snakemake(project, *look, "--cores", "1")
    assert state(project) == before


def test_every_option_that_is_only_a_look_is_snakemakes():
    given = get_argument_parser().parse_args(["--cores", "1"])
    assert is_run(given)
    assert all(hasattr(given, name) for name in LOOKS)


def test_a_file_from_the_future_is_named_before_anything_runs(project):
    later = time.time() + 3600
    os.utime(project / "code.txt", (later, later))
    done, ran = workflow(project)
    assert (done.returncode, ran, done.stderr.count("\n")) == (2, [], 1)
    assert done.stderr.startswith("workflow: code.txt: its time, ") and "touch code.txt" in done.stderr
    assert (project / "results/first.csv").read_text() == "committed\n"
    (project / "code.txt").touch()
    assert workflow(project)[1] == ["first", "second"]


def test_results_that_a_failed_run_removed_are_put_back_and_made_by_the_next(project):
    (project / "broken.txt").touch()
    done, ran = workflow(project)
    assert (done.returncode, ran) == (1, ["first"])
    assert (project / "figures/second.txt").read_text() == "committed\n"
    assert "put back 1 results" in done.stderr
    (project / "broken.txt").unlink()
    assert workflow(project)[1] == ["second"]
    assert (project / "figures/second.txt").read_text() == "made\n"


@pytest.mark.parametrize("guarded", [True, False])
def test_after_a_kill_results_are_put_back_and_what_was_being_written_is_removed(project, guarded):
    script = "echo half > results/.first.$PPID.csv; touch begun; sleep 60; echo made >"
    (project / "Snakefile").write_text(SNAKEFILE.replace("echo made >", script))
    words = [sys.executable, "scripts/run_workflow.py", "--cores", "1"]
    process = subprocess.Popen(words, cwd=project, stderr=subprocess.DEVNULL, start_new_session=True)
    await_file(project / "begun", process)
    assert not (project / "results/first.csv").exists()
    assert list((project / "results").glob(".first.*.csv"))
    children = psutil.Process(process.pid).children()
    guard = next(child for child in children if "replication.workflow.guard" in child.cmdline())
    if guarded:
        os.killpg(process.pid, signal.SIGKILL)
        guard.wait(timeout=60)
        assert (project / "results/first.csv").read_text() == "committed\n"
    else:  # as where the machine lost its power
        guard.kill()
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    (project / "Snakefile").write_text(SNAKEFILE.replace("echo made >", "exit 1 >"))
    assert workflow(project)[0].returncode == 1
    assert (project / "results/first.csv").read_text() == "committed\n"
    assert not list((project / "results").glob(".first.*.csv"))


def test_a_run_killed_while_it_keeps_results_has_a_guard_already(project, monkeypatch):
    """A result that waits to be made is moved aside then, and is gone until it is put back."""
    (project / "broken.txt").touch()
    assert workflow(project)[0].returncode == 1
    waits = project / "figures/second.txt"
    assert waits.read_text() == "committed\n"
    code = "import os, signal, sys\nfrom replication.workflow import one_run\n"
    code += "def stopped(folder):\n    keep(folder)\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    code += "keep, one_run.keep = one_run.keep, stopped\nwith one_run.prepared_run('.'):\n    pass"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    assert (
        subprocess.run([sys.executable, "-c", code], cwd=project, env=environment).returncode
        == -signal.SIGKILL
    )
    until = time.monotonic() + 60
    while not waits.exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert waits.read_text() == "committed\n"


def test_results_on_another_file_system_are_put_back(tmp_path):
    memory = Path("/dev/shm")
    if (
        not memory.is_dir()
        or memory.stat().st_dev == tmp_path.stat().st_dev
        or not os.access(memory, os.W_OK)
    ):
        pytest.skip("no second file system to write to")
    with tempfile.TemporaryDirectory(dir=memory) as elsewhere:
        (tmp_path / "results").symlink_to(elsewhere)
        result = tmp_path / "results" / "a.csv"
        result.write_text("a")
        for _ in range(2):  # the second time it is one that was put back and not made since
            keep(tmp_path)
            result.unlink(missing_ok=True)
            assert put_back(tmp_path) == 1 and result.read_text() == "a"


def test_an_interrupted_run_puts_its_results_back_at_once(project):
    (project / "Snakefile").write_text(SNAKEFILE.replace("echo made >", "touch begun; sleep 60; echo made >"))
    words = [sys.executable, "scripts/run_workflow.py", "--cores", "1"]
    process = subprocess.Popen(words, cwd=project, stderr=subprocess.DEVNULL, start_new_session=True)
    await_file(project / "begun", process)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(timeout=60) != 0
    assert (project / "results/first.csv").read_text() == "committed\n"


def test_a_file_that_a_living_process_writes_is_left_alone(tmp_path):
    (tmp_path / "results").mkdir()
    mine, dead = (tmp_path / "results" / f".a.{pid}.csv" for pid in (os.getpid(), 2**30))
    for path in (mine, dead):
        path.touch()
    remove_temporaries(tmp_path)
    assert mine.exists() and not dead.exists()


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.ENOLCK])
def test_without_file_locks_a_run_goes_on_and_says_so(tmp_path, monkeypatch, capsys, number):
    def no_locks(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with one_run.only_run(tmp_path) as descriptor:
        assert descriptor is None
    with open(tmp_path / "lock", "w") as file:
        make_venv.wait_for_turn(file)
    said = capsys.readouterr()
    assert "workflow: no file lock here" in said.err and said.err.count("\n") == 1
    assert "set-up: no file lock here" in said.out and said.out.count("\n") == 1


# ------------------------------------------------------------------ trial copies


@pytest.fixture
def tree(tmp_path):
    """A project with what runs leave behind; its own .gitignore."""
    folder = tmp_path / "project"
    for name in (
        *("src/wsclust/counts.py", "results/one.csv", "figures/one.pdf", "data/new.csv"),
        *(".venv/bin/python", ".snakemake/log/x", ".workflow-began", "logs/a.log"),
        *("src/wsclust/__pycache__/counts.pyc", ".smoke/src/x.py"),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    shutil.copy(ROOT / ".gitignore", folder)
    (folder / "scripts").mkdir()
    shutil.copy(SCRIPTS / "scratch_copy.py", folder / "scripts")
    return folder


def copied(tree, destination, *arguments):
    words = [sys.executable, tree / "scripts/scratch_copy.py", destination, *arguments]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    files = (path for path in Path(destination).rglob("*") if path.is_file())
    return {path.relative_to(destination).as_posix() for path in files}


OWN_FILES = {
    *(".gitignore", "scripts/scratch_copy.py", "src/wsclust/counts.py", "data/new.csv"),
    *("results/one.csv", "figures/one.pdf"),
}


@pytest.mark.parametrize("git", [True, False])
def test_trial_copy_holds_the_projects_own_files(tree, tmp_path, git):
    if git:
        subprocess.run(["git", "init", "--quiet", tree], check=True)
        subprocess.run(["git", "-C", tree, "add", "src"], check=True)
    assert copied(tree, tmp_path / "all") == OWN_FILES
    some = copied(tree, tmp_path / "some", "--without", "results", "--without", "figures")
    assert some == OWN_FILES - {"results/one.csv", "figures/one.pdf"}
    inside = copied(tree, tree / "trial")
    assert inside == OWN_FILES


def test_trial_copy_never_holds_what_is_private_where_git_refuses_the_folder(tree, tmp_path):
    for name in ("data/private/poll.csv", "results/private/poll/table1.csv", "results/.one.17.csv"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(name)
    git("init", "--quiet", tree)
    git("-C", tree, "add", ".")
    # As for a folder of another user's, "dubious ownership".
    environment = {**os.environ, "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    refused = subprocess.run(["git", "-C", tree, "ls-files"], env=environment, capture_output=True, text=True)
    assert "dubious ownership" in refused.stderr
    words = [sys.executable, tree / "scripts/scratch_copy.py", tmp_path / "copy"]
    subprocess.run(words, env=environment, check=True, capture_output=True)
    files = {path.relative_to(tmp_path / "copy").as_posix() for path in (tmp_path / "copy").rglob("*.*")}
    assert OWN_FILES <= files and not any("private" in file or "/.one" in file for file in files)


AUTHOR = ("-c", "user.name=A", "-c", "user.email=a@example.org")
PRIVATE = ("data/private/poll.csv", "results/private/poll/table1.csv")


@pytest.fixture
def forced(tree):
    """The project with private files that git was made to know."""
    for name in PRIVATE:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(name)
    shutil.copy(ROOT / ".gitattributes", tree)
    git("init", "--quiet", tree)
    git("-C", tree, "add", ".")
    git("-C", tree, "add", "--force", *PRIVATE)
    return tree


def test_trial_copy_leaves_out_what_is_private_where_git_was_made_to_know_it(forced, tmp_path):
    assert copied(forced, tmp_path / "copy") == OWN_FILES | {".gitattributes"}


def test_archives_leave_out_what_is_private_where_git_was_made_to_know_it(forced, tmp_path):
    git("-C", forced, *AUTHOR, "commit", "--quiet", "--message", "all")
    git("-C", forced, "archive", "--output", tmp_path / "all.tar", "HEAD")
    names = tarfile.open(tmp_path / "all.tar").getnames()
    assert "data/new.csv" in names and not any("private" in name for name in names)


def test_git_ignores_and_knows_nothing_that_is_private():
    if not (ROOT / ".git").exists():
        pytest.skip("no checkout")
    for name in PRIVATE:
        git("-C", ROOT, "check-ignore", "--quiet", name)
    listing = [
        "git",
        "-C",
        ROOT,
        "log",
        "--all",
        "--format=",
        "--name-only",
        "--",
        "data/private",
        "results/private",
    ]
    assert subprocess.run(listing, check=True, capture_output=True).stdout == b""


def test_trial_copy_without_git_needs_to_know_what_is_private(tree):
    (tree / ".gitignore").unlink()
    words = [sys.executable, tree / "scripts/scratch_copy.py", tree / "copy"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert ".gitignore: no such file" in done.stderr and not (tree / "copy").exists()


def test_trial_copy_ignores_an_outer_checkout_and_leaves_out_deleted_files(tree, tmp_path):
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    assert copied(tree, tmp_path / "copy") == OWN_FILES
    subprocess.run(["git", "init", "--quiet", tree], check=True)
    subprocess.run(["git", "-C", tree, "add", "."], check=True)
    (tree / "data/new.csv").unlink()
    assert copied(tree, tmp_path / "other") == OWN_FILES - {"data/new.csv"}


def test_trial_copy_needs_an_empty_folder(tree):
    words = [sys.executable, tree / "scripts/scratch_copy.py", tree / "src"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "is not empty" in done.stderr
