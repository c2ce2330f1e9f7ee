"""The manifest agrees with the project, and notices what it must and nothing else."""

import ast
import shutil
from pathlib import Path

import pandas as pd
import pytest

from replication.workflow.jobs import Job, ancestors, list_jobs
from replication.workflow.manifest import NAME, PARTS, code_fingerprint, content_fingerprint, manifest, stale

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def jobs():
    return list_jobs(ROOT)


def test_no_committed_result_has_fallen_behind(jobs):
    committed = pd.read_csv(ROOT / NAME, dtype=str, keep_default_na=False)
    lines = stale(committed, manifest(jobs, ROOT))
    assert not lines, "\n".join(lines)


def test_every_result_and_figure_has_a_row(jobs):
    rows = set(manifest(jobs, ROOT)["result"])
    made = {output for job in jobs for output in job.outputs if not output.startswith("build/")}
    assert rows == made - {NAME}
    assert {"results/simulation/errors.csv", "figures/figure4.png"} <= rows
    assert not any("private" in row or "benchmarks" in row for row in rows)


@pytest.fixture
def project(tmp_path):
    """A project of two studies: `b.csv` is made from `a.csv`, and `c.csv` from neither."""
    for name, text in {
        "src/a.py": '"""Prose."""\n\nx = 1  # prose\n',
        "src/b.py": "y = 2\n",
        "src/c.py": "z = 3\n",
        "data/facts.csv": "n\n1\n",
        "requirements.txt": "numpy==2.4\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    jobs = [
        Job("a", ("src/a.py", "data/facts.csv"), ("build/a.csv",), "python -m a --runs 5"),
        Job("b", ("src/b.py", "build/a.csv"), ("results/b.csv",), "python -m b"),
        Job("c", ("src/c.py",), ("results/c.csv",), "python -m c"),
    ]
    return tmp_path, jobs


def changed(project, edit=None, jobs=None):
    folder, before = project
    old = manifest(before, folder)
    if edit:
        file, text = edit
        (folder / file).write_text(text)
    return stale(old, manifest(jobs or before, folder))


@pytest.mark.parametrize(
    ("file", "text", "lines"),
    [
        ("src/a.py", '"""Other prose."""\nx  =  1\n', []),
        ("src/a.py", '"""Prose."""\n\nx = 2\n', ["results/b.csv: code changed"]),
        ("src/b.py", "y = 3\n", ["results/b.csv: code changed"]),
        ("src/c.py", "z = 4\n", ["results/c.csv: code changed"]),
        ("data/facts.csv", "n\n2\n", ["results/b.csv: data changed"]),
        ("requirements.txt", "numpy==2.5\n", ["results/b.csv: lock changed", "results/c.csv: lock changed"]),
    ],
)
def test_an_edit_is_seen_where_it_matters(project, file, text, lines):
    found = changed(project, (file, text))
    assert [line.removesuffix(" after it was made; run make") for line in found] == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("n,p\n1,5.0e-1\n", []),
        ('"n","p"\r\n1,0.5\r\n', []),
        ("n,p\n1,0.6\n", ["results/b.csv: edited, removed or made again without the manifest; run make"]),
        ("n,q\n1,0.5\n", ["results/b.csv: edited, removed or made again without the manifest; run make"]),
        ("n,p\n", ["results/b.csv: edited, removed or made again without the manifest; run make"]),
    ],
)
def test_an_edit_of_a_result_is_seen_by_value(project, text, lines):
    folder, _ = project
    (folder / "results").mkdir()
    (folder / "results/b.csv").write_text("n,p\n1,0.5\n")
    assert changed(project, ("results/b.csv", text)) == lines


def test_a_figure_counts_by_what_it_shows(tmp_path):
    from PIL import Image

    files = [tmp_path / name for name in ("a.png", "b.png", "c.png")]
    for file, colour, level in zip(files, (9, 9, 10), (1, 9, 9), strict=True):
        Image.new("RGB", (40, 30), (colour, 0, 0)).save(file, compress_level=level)
    a, b, c = map(content_fingerprint, files)
    assert files[0].read_bytes() != files[1].read_bytes() and a == b != c


def test_a_setting_is_seen_through_what_is_made_in_between(project):
    _, jobs = project
    other = [Job("a", jobs[0].inputs, jobs[0].outputs, "python -m a --runs 6"), *jobs[1:]]
    assert changed(project, jobs=other) == ["results/b.csv: settings changed after it was made; run make"]


def test_results_that_come_and_go(project):
    _, jobs = project
    new = Job("d", ("src/c.py",), ("results/d.csv",), "python -m d")
    assert changed(project, jobs=[jobs[2], new]) == [
        "results/b.csv: nothing makes it any more; remove it",
        "results/d.csv: not made yet; run make",
    ]


def test_the_order_of_jobs_does_not_matter(project):
    folder, jobs = project
    pd.testing.assert_frame_equal(manifest(jobs, folder), manifest(jobs[::-1], folder))
    assert [job.rule for job in ancestors(jobs)["results/b.csv"]] == ["a", "b"]


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("def f():\n    return 1\n", 'def f():\n    """Prose."""\n    # prose\n    return 1\n', True),
        ("def f():\n    return 1\n", "def f():\n    return 2\n", False),
        ("x = 'a' + b\n", 'x = (\n    "a"\n    + b\n)\n', True),
        ("x = 1\n", "x = 1.0\n", False),
        ("x = a - b\n", "x = a + b\n", False),
        ("x = f(a, b)\n", "x = f(b, a)\n", False),
        ("x = f(a)\n", "x = f(*a)\n", False),
        ("class A:\n    x = 1\n", "class A:\n    '''Prose.'''\n    x = 1\n", True),
        ("x = ['prose']\n", "x = ['other']\n", False),
        ("if a:\n    b\nelse:\n    c\n", "if a:\n    b\nc\n", False),
        ("x = None\n", "x = 0\n", False),
        ("return_ = lambda: None\n", "return_ = lambda: ...\n", False),
    ],
)
def test_fingerprint_of_code(tmp_path, one, two, same):
    files = tmp_path / "one.py", tmp_path / "two.py"
    for file, text in zip(files, (one, two), strict=True):
        ast.parse(text)
        file.write_text(text)
    assert (code_fingerprint(files[0]) == code_fingerprint(files[1])) == same


def test_fingerprint_is_the_same_under_every_python(tmp_path):
    """The value was computed under Python 3.11.7, 3.12.1, 3.13.0 and 3.14.10."""
    file = tmp_path / "a.py"
    file.write_text(GOLDEN)
    assert code_fingerprint(file) == "21830f20b96ff0dc"


GOLDEN = """
def f(x, /, *a, b=1, **k):
    return f"{x!r:>{a}.{b}}{k}", f"{x=}", f"a{x}b" "c" f"{x:{b}}"


async def g():
    async with a as b, c:
        yield 1_000, 0x10, 1e3, b"x", ..., -1, None
    try:
        pass
    except* ValueError:
        match x:
            case {"a": 1, **r}:
                pass
"""


def test_a_workflow_that_cannot_be_read_is_an_error(tmp_path):
    shutil.copy(ROOT / "Makefile", tmp_path)
    with pytest.raises(ValueError, match="the workflow cannot be read"):
        list_jobs(tmp_path)


def test_parts_are_the_columns():
    assert PARTS == ("code", "settings", "data", "lock")
