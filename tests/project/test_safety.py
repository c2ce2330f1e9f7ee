"""No text that a user chose is run: neither by Python nor by a shell."""

import ast
import copy
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from replication.shared.yaml_files import read_yaml
from replication.workflow.inputs import check_tables
from replication.workflow.jobs import list_jobs
from replication.workflow.settings import check_settings

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from scratch_copy import copy_project  # noqa: E402

SOURCES = sorted(
    path for top in ("src", "scripts", "data", "benchmarks") for path in (ROOT / top).rglob("*.py")
)
RUNS_TEXT = {"eval", "exec", "compile", "__import__", "execfile"}
# Of any module, and by any name of it: `os.system`, `from yaml import load`, `pandas.read_pickle`.
RUNS_FILES = {
    *("system", "popen", "getoutput", "getstatusoutput", "create_subprocess_shell"),
    *("read_pickle", "to_pickle", "read_hdf", "Unpickler"),
    *("unsafe_load", "unsafe_load_all", "full_load", "full_load_all"),
    *("extractall", "unpack_archive", "exec_module", "run_path"),
}
# A text in pandas' own language, which must be the project's, and the YAML of a user's.
WITH_WORDS = {"eval", "query"}
KEEPS_OBJECTS = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "runpy"}
HOSTILE = 'x\'; touch here; "$(touch there)" `touch where` {input}'


def faults(tree):
    """Lines of a module that run text, take objects from a file, or hand a text to a shell."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            module = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names = [name.name for name in node.names]
            tops = {name.partition(".")[0] for name in module or names}
            if KEEPS_OBJECTS & tops or (module and _refused(module[0], names)):
                yield node.lineno
        elif isinstance(node, ast.Call):
            shell = any(word.arg == "shell" and not _is_false(word.value) for word in node.keywords)
            pickled = any(word.arg == "allow_pickle" and not _is_false(word.value) for word in node.keywords)
            owner, _, name = ast.unparse(node.func).rpartition(".")
            if shell or pickled or _refused(owner, [name], node.args):
                yield node.lineno


def _refused(owner, names, arguments=()):
    """Whether one of these names of a module or of an object runs what it is given."""
    fixed = all(isinstance(argument, ast.Constant) for argument in arguments) and arguments
    return any(
        (name in RUNS_TEXT and owner in ("", "builtins"))
        or name in RUNS_FILES
        or (name in WITH_WORDS and owner not in ("", "builtins") and not fixed)
        or (name in ("load", "load_all") and owner == "yaml")
        for name in names
    )


def _is_false(node):
    return isinstance(node, ast.Constant) and node.value is False


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_text_becomes_code(path):
    assert not list(faults(ast.parse(path.read_text(encoding="utf-8"))))


@pytest.mark.parametrize(
    "line",
    [
        "eval(x)",
        "import pickle",
        "from pickle import load",
        "run(x, shell=True)",
        "np.load(x, allow_pickle=y)",
        "pd.read_pickle(x)",
        "frame.query(x)",
        "builtins.eval(x)",
        "from builtins import exec",
        "from os import system",
        "os.popen(x)",
        "subprocess.getoutput(x)",
        "yaml.load(x)",
        "from yaml import load",
        "yaml.full_load(x)",
        "archive.extractall(x)",
        "from joblib import load",
    ],
)
def test_code_that_runs_text_is_noticed(line):
    assert list(faults(ast.parse(line))) == [1]


@pytest.mark.parametrize(
    "line", ["re.compile(x)", "frame.query('a > b')", "run(x, shell=False)", "json.load(x)"]
)
def test_code_that_runs_nothing_of_a_users_is_left_alone(line):
    assert not list(faults(ast.parse(line)))


def places(value, path=()):
    """Where a text stands in settings: (path, whether it is a key)."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        if isinstance(value, dict):
            yield (*path, key), True
        if isinstance(inner, str):
            yield (*path, key), False
        yield from places(inner, (*path, key))


def put(config, path, is_key, text):
    """Settings with a text in a place."""
    config = copy.deepcopy(config)
    inner = config
    for key in path[:-1]:
        inner = inner[key]
    if is_key:
        inner[text] = inner.pop(path[-1])
    else:
        inner[path[-1]] = text
    return config


@pytest.mark.slow
def test_no_setting_reaches_a_shell_unquoted(tmp_path):
    config, schema = (read_yaml(ROOT / "config" / name) for name in ("config.yaml", "schema.yaml"))
    taken = []
    for number, (path, is_key) in enumerate(places(config)):
        text = f"{HOSTILE} {number}"
        if not is_key and (ROOT / _value(config, path)).is_file():
            text = str(tmp_path / text.translate(str.maketrans("", "", "/{}")))
            shutil.copy(ROOT / _value(config, path), text)
        if path[:2] == ("survey", "others") or path[0] == "noisy_labels":
            continue  # of targets of their own
        changed = put(config, path, is_key, text)
        try:
            check_settings(changed, schema)
            check_tables(changed, ROOT)
        except ValueError:
            continue
        taken.append(text)
        config = (
            changed if not is_key else config
        )  # a key of a name that others use would be refused after the next
    assert len(taken) > 10
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(config))
    for job in list_jobs(ROOT, str(tmp_path / "config.yaml")):
        assert_quoted(job.command)


def assert_quoted(command):
    """A hostile name is part of one word of a shell command, whole."""
    for word in shlex.split(command):
        assert "touch" not in word or "x'; touch here; " in word, command


@pytest.mark.slow
def test_no_name_of_a_private_poll_reaches_a_shell_unquoted(tmp_path):
    copy_project(ROOT, tmp_path, without=("results", "figures"))
    (tmp_path / "data/private").mkdir()
    poll = tmp_path / "data/private" / f"{HOSTILE.translate(str.maketrans('', '', '/{}'))}.csv"
    poll.write_text("state,income,union,race,reagan,mondale\n")
    run = [sys.executable, "-m", "snakemake", "--dry-run", "--printshellcmds", "--cores", "1", "private"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "src")}
    done = subprocess.run(run, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    commands = re.findall(r"^\s*Shell command: (.*)", done.stdout + done.stderr, re.MULTILINE)
    hostile = [command for command in commands if "touch" in command]
    assert len(hostile) == 5
    for command in hostile:
        assert_quoted(command)


def _value(config, path):
    for key in path:
        config = config[key]
    return config
