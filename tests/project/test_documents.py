"""The pages are in step with what they are written from, and say nothing that is not so."""

import argparse
import io
import re
import shlex
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path

import pandas as pd
import pytest
import yaml

from replication.__main__ import REPLICATION
from replication.documents.__main__ import main as write_pages
from replication.documents.api import PAGE as API
from replication.documents.api import reference
from replication.documents.numbers import NUMBER, expressions, read_numbers, stated, unmarked
from replication.documents.pages import TABLES, differences, written
from replication.documents.settings import PAGE as SETTINGS
from replication.documents.settings import page as settings_page
from replication.workflow.jobs import list_jobs
from wsclust import cli

ROOT = Path(__file__).parents[2]
DOCS = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
PAGES = [*DOCS, "CONTRIBUTING.md", "config/README.md", "data/README.md", "shards/README.md"]
OF_THE_WORKFLOW = "docs/reproducing.md"  # a dry run of the workflow is needed for it
# Measured by hand on machines of many kinds: there is no result that its sentences could be compared with.
MEASURED_BY_HAND = "docs/many-machines.md"
LONGEST_README = 150
CODE = re.compile(r"^( *)```(\w*)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)


def text_of(page):
    return (ROOT / page).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def numbers():
    return read_numbers(ROOT)


# In step with the results, the settings, the docstrings and the workflow.


@pytest.mark.parametrize("page", [page for page in DOCS if page not in (API, OF_THE_WORKFLOW)])
def test_tables_and_numbers_are_those_of_the_results(page, numbers):
    text = text_of(page)
    assert list(differences(text, written(text, ROOT, numbers, page))) == [], "run `make readme`"


def test_references_are_those_of_the_docstrings_and_the_schema():
    assert text_of(API) == reference(), "run `make readme`"
    assert text_of(SETTINGS) == settings_page(ROOT), "run `make readme`"


@pytest.mark.slow
def test_the_command_finds_every_page_in_step(capsys):
    assert write_pages(["--check"]) == 0, capsys.readouterr().err


def test_a_number_that_parted_from_the_results_is_named(numbers):
    text = text_of("docs/results.md")
    mark = NUMBER.search(text)
    stale = text.replace(mark[0], f"{mark[1]}7.77{mark[4]}", 1)
    (line,) = differences(stale, written(stale, ROOT, numbers))
    assert line == f"{mark[2]} is 7.77 in the text and {mark[3]} in the results"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!--={nothing:.2f}-->1<!--/-->", "text: {nothing:.2f}: nothing: no value is named nothing"),
        ("<!--={cap:.2q}-->1<!--/-->", "text: {cap:.2q}: "),
        ("<!-- table nothing -->\n<!-- end -->", "text: no table 'nothing'; there are motivation, "),
    ],
)
def test_a_mark_that_means_nothing_is_refused(text, message, numbers):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        written(text, ROOT, numbers)


@pytest.mark.parametrize("page", [page for page in DOCS if page not in (API, MEASURED_BY_HAND)])
def test_numbers_in_sentences_come_from_the_results(page):
    assert unmarked(text_of(page), stated(ROOT)) == [], (
        "mark it, or say in docs/numbers.yaml where it is from"
    )


def test_no_name_in_numbers_yaml_is_idle(numbers):
    marks = [mark[2] for page in DOCS for mark in NUMBER.finditer(text_of(page))]
    used = " ".join([*marks, *expressions(ROOT).values()])
    assert {name for name in numbers if not re.search(rf"\b{name}\b", used)} == set()
    pages = [text_of(page) for page in DOCS]
    found = {number for text in pages for number in unmarked(text)}
    assert set(stated(ROOT)) <= found


def test_no_table_is_idle():
    pages = "".join(text_of(page) for page in DOCS)
    assert [name for name in TABLES if f"<!-- table {name} -->" not in pages] == []


# How the pages read.


def test_the_readme_is_short():
    assert len(text_of("README.md").splitlines()) <= LONGEST_README


@pytest.mark.parametrize("page", DOCS)
def test_no_line_begins_with_a_mark(page):
    # Markdown would take the whole line for HTML.
    lines = text_of(page).splitlines()
    assert [line for line in lines if re.match(r"\s*([-*]|\d+\.)?\s*<!--=", line)] == []


def anchors(text):
    """The anchors of a page: those of its headings, as GitHub makes them, and its own."""
    found = set(re.findall(r'<a id="([\w-]+)"', text))
    for heading in re.findall(r"^#+ (.*)$", CODE.sub("", text), re.MULTILINE):
        found.add(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-"))
    return found


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", CODE.sub("", text_of(page))):
        if target.startswith("http"):
            continue
        file, _, anchor = target.partition("#")
        path = (ROOT / page).parent / file if file else ROOT / page
        assert path.exists(), target
        if anchor:
            assert anchor in anchors(path.read_text(encoding="utf-8")), target


def test_every_study_has_a_section_of_results():
    studies = {path.stem for path in (ROOT / "rules").glob("*.smk")}
    rooms = {path.name for path in (ROOT / "src/replication").iterdir() if path.is_dir()}
    assert studies & rooms - {"claims"} <= anchors(text_of("docs/results.md"))


def test_every_setting_is_described():
    for line in text_of(SETTINGS).splitlines():
        if line.startswith("| `"):
            _, _, kind, what = (cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1])
            assert kind and kind != "any" and what, line
    schema = yaml.safe_load((ROOT / "config/schema.yaml").read_text())
    for section in schema["properties"]:
        assert f"\n## {section}\n" in text_of(SETTINGS)


# What the pages tell one to type.


@pytest.mark.parametrize("page", PAGES)
def test_make_targets_and_files_that_a_page_names_exist(page):
    text = text_of(page)
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = set(re.findall(r"(?:`|^)(?:[A-Z]+=\S+ )*make ([a-z-]+)(?:`|$)", text, re.MULTILINE))
    assert named <= targets
    for name in re.findall(
        r"`((?:src|config|data|rules|scripts|tests|paper|shards|profiles)/[\w/.-]+)`", text
    ):
        if "private" not in name:
            assert (ROOT / name).exists(), name


def command_lines(text):
    """The commands of a page: (words, whether it is all that one types)."""
    for block in CODE.finditer(text):
        if block[2] == "" and re.match(r"(wsclust|python|snakemake|make|pip)\b", block[3].strip()):
            for line in block[3].replace("\\\n", " ").splitlines():
                yield shlex.split(line, comments=True), True
    for inline in re.findall(r"`([^`\n]+)`", CODE.sub("", text)):
        if re.match(r"(wsclust|python -m replication|snakemake)\b", inline):
            yield inline.replace("'", "").split(), False


def parser_of(program, command):
    parser = argparse.ArgumentParser(exit_on_error=False)
    import_module(program.modules[command]).add_arguments(parser)
    return parser


@pytest.mark.parametrize("page", PAGES)
def test_commands_and_their_options_exist(page):
    for words, complete in command_lines(text_of(page)):
        line = " ".join(words)
        if words[:3] == ["python", "-m", "replication"]:
            program, rest = REPLICATION, words[3:]
        elif words[:1] == ["wsclust"]:
            program, rest = cli.WSCLUST, words[1:]
        else:
            continue
        if not rest or rest[0].startswith("-"):
            continue
        assert rest[0] in program.commands, line
        parser = parser_of(program, rest[0])
        known = {option for action in parser._actions for option in action.option_strings}
        assert {word for word in rest if word.startswith("--")} <= known, line
        if complete:
            parser.parse_args(rest[1:])


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_options_of_snakemake_exist(page):
    from snakemake.cli import get_argument_parser

    known = {option for action in get_argument_parser()._actions for option in action.option_strings}
    for words, _ in command_lines(text_of(page)):
        if words[:1] == ["snakemake"]:
            assert {word for word in words if word.startswith("--")} <= known, " ".join(words)


@pytest.mark.parametrize("page", ["README.md", "docs/your-data.md", "docs/the-check.md"])
def test_options_in_sentences_exist(page):
    known = set()
    for program in (cli.WSCLUST, REPLICATION):
        for command in program.commands:
            for action in parser_of(program, command)._actions:
                known.update(action.option_strings)
    inline = re.findall(r"`([^`\n]+)`", CODE.sub("", text_of(page)))
    assert {code.split()[0] for code in inline if code.startswith("--")} <= known


@pytest.mark.parametrize("page", ["README.md", API])
def test_the_python_of_a_page_runs(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    code = next(block[3] for block in CODE.finditer(text_of(page)) if "import pandas" in block[3])
    names = {}
    with redirect_stdout(io.StringIO()) as shown:
        exec(code, names)
    assert "Verdict: too little data to tell" in shown.getvalue()
    assert len(names["fit"].posterior) == len(names["data"].bins) == 30
    if page == "README.md":
        assert names["events"]["posterior"].notna().all()
        assert names["ax"].lines or names["ax"].collections


def test_the_example_of_your_data_gives_what_the_page_shows(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    blocks = [block[3] for block in CODE.finditer(text_of("docs/your-data.md"))]
    fit, score = (shlex.split(line)[1:] for line in blocks[0].replace("\\\n", " ").splitlines())
    for words in (fit, score):
        for place, word in enumerate(words):
            if words[place - 1] in ("--output", "--summary", "--plot", "--posterior"):
                words[place] = str(tmp_path / word)
        assert cli.main(words) == 0
    (verdict,) = (block for block in blocks if block.startswith("wsclust: "))
    assert capsys.readouterr().err.split() == verdict.split()  # on the page it is wrapped
    shown = pd.read_csv(io.StringIO(blocks[1]))
    found = pd.read_csv(tmp_path / "posterior.csv").round(3)
    pd.testing.assert_frame_equal(found.head(len(shown)), shown, check_dtype=False)
    events, scored = pd.read_csv("examples/events.csv"), pd.read_csv(tmp_path / "scored.csv")
    assert len(scored) == len(events) and [*scored.columns] == [*events.columns, "posterior"]
    assert f"{events['group'].nunique()} pages and {len(events):,} clicks" in text_of("docs/your-data.md")


# What else is written about the project.


@pytest.mark.slow
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


def hosted(name):
    """The matrix of the only job of a hosted workflow, and the commands that it runs."""
    workflow = yaml.safe_load((ROOT / ".github/workflows" / name).read_text())
    (job,) = workflow["jobs"].values()
    matrix = job["strategy"]["matrix"]
    commands = [step["run"] for step in job["steps"] if "run" in step]
    targets = matrix.get("target", [])
    return matrix, [
        command.replace("${{ matrix.target }}", t) for command in commands for t in targets or [""]
    ]


def test_the_hosted_workflows_run_targets_that_exist():
    matrix, commands = hosted("ci.yml")
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert {"make test", "make lowest", "make reproduce"} <= set(commands)
    _, weekly = hosted("weekly.yml")
    assert {f"make {name}" for name in ("independent", "lowest", "torture", "advisories")} <= set(weekly)
    makefile = (ROOT / "Makefile").read_text()
    for command in commands + weekly:
        assert re.search(rf"^{command.removeprefix('make ')}:", makefile, re.MULTILINE)
