"""No text that a user chose is run: neither by Python nor by a shell."""

import ast
import copy
import shlex
import shutil
from pathlib import Path

import pytest
import yaml

from replication.shared.yaml_files import read_yaml
from replication.workflow.inputs import check_tables
from replication.workflow.jobs import list_jobs
from replication.workflow.settings import check_settings

ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    path for top in ("src", "scripts", "data", "benchmarks") for path in (ROOT / top).rglob("*.py")
)
RUNS_TEXT = {
    "eval",
    "exec",
    "compile",
    "__import__",
    "os.system",
    "os.popen",
    "yaml.load",
    "yaml.unsafe_load",
}
KEEPS_OBJECTS = {"pickle", "cPickle", "dill", "joblib", "marshal", "shelve"}
HOSTILE = 'x\'; touch here; "$(touch there)" `touch where` {input}'


def faults(tree):
    """Lines of a module that run text, take objects from a file, or hand a text to a shell."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = (
                [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else [name.name for name in node.names]
            )
            if KEEPS_OBJECTS.intersection(name.partition(".")[0] for name in names):
                yield node.lineno
        elif isinstance(node, ast.Call):
            shell = any(word.arg == "shell" and not _is_false(word.value) for word in node.keywords)
            pickled = any(word.arg == "allow_pickle" and not _is_false(word.value) for word in node.keywords)
            if ast.unparse(node.func) in RUNS_TEXT or shell or pickled:
                yield node.lineno


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
    ],
)
def test_code_that_runs_text_is_noticed(line):
    assert list(faults(ast.parse(line))) == [1]


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
        for word in shlex.split(job.command):
            assert "touch" not in word or "x'; touch here; " in word, job.command  # whole, so it was quoted


def _value(config, path):
    for key in path:
        config = config[key]
    return config
