"""The ledger of the paper's claims: every verdict is at least what was recorded, and each can be checked."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from replication.__main__ import main as command
from replication.claims import ledger as module
from replication.claims.command import evidence, worse_line
from replication.claims.entries import KINDS, NOT_MEASURED, RANKS, Part, read_claims
from replication.claims.expressions import evaluate, filled, select
from replication.claims.ledger import check, main, table_of
from replication.documents.claim_tables import claims, claims_extensions, claims_summary

ROOT = Path(__file__).parents[2]
LEDGER = ROOT / "paper/claims.yaml"
RESULTS = ROOT / "results"
CLAIMS = read_claims(LEDGER)


@pytest.fixture
def altered(tmp_path):
    """A function that copies the results and changes cells of one file."""

    def alter(path, change):
        folder = tmp_path / "results"
        shutil.copytree(RESULTS, folder)
        table = pd.read_csv(folder / path, keep_default_na=False, na_values=[""])
        change(table).to_csv(folder / path, index=False)
        return folder

    return alter


def claim(name):
    return next(claim for claim in CLAIMS if claim.id == name)


# The committed results.


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_no_claim_came_out_worse_than_recorded(claim):
    finding = check(claim, RESULTS)
    assert not finding.worse, worse_line(finding)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_each_recorded_verdict_follows_from_the_recorded_parts(claim):
    outcomes = tuple(part.expected for part in claim.parts)
    recorded = module.Finding(claim, {}, outcomes, "")
    assert recorded.verdict == claim.expected


def test_the_committed_table_is_that_of_the_committed_results(tmp_path):
    table = table_of([check(claim, RESULTS) for claim in CLAIMS])
    module.write_csv(table, tmp_path / "claims.csv")
    assert (tmp_path / "claims.csv").read_text() == (RESULTS / "claims.csv").read_text()


# The ledger.


def test_no_verdict_is_reproduced_where_the_data_were_built_to_show_it():
    for claim in CLAIMS:
        if "synthetic" in claim.rests_on or "is given these" in claim.rests_on:
            assert claim.expected != "reproduced", claim.id


def test_each_claim_that_rests_on_the_assumed_precincts_says_so():
    for claim in CLAIMS:
        if {"draws", "why", "groups"} & set(claim.files) and "is given these" not in claim.rests_on:
            assert "precincts" in claim.rests_on and "assumed" in claim.rests_on, claim.id


def test_every_kind_and_every_verdict_occurs():
    assert {claim.kind for claim in CLAIMS} == set(KINDS)
    assert {claim.expected for claim in CLAIMS} == set(RANKS) - {NOT_MEASURED}


def test_what_is_asked_of_other_data_is_no_statement_of_the_paper():
    for claim in CLAIMS:
        others = re.search(
            "MovieLens|CCES|official", f"{claim.statement} {claim.rests_on} {list(claim.files)}"
        )
        of_others = {"movies", "ideology", "first", "equivalents", "formula", "no_labels"} & set(claim.files)
        assert claim.extension == bool(others or of_others), claim.id


def test_the_paper_is_counted_without_extensions(tmp_path):
    few = [
        replace(claim("cap"), id="own"),
        replace(claim("cap"), id="other", extension=True),
        replace(claim("prior-sign"), id="slip"),
    ]
    (tmp_path / "results").mkdir()
    module.write_csv(table_of([check(one, RESULTS) for one in few]), tmp_path / "results/claims.csv")
    text = claims_summary(tmp_path)
    assert "the paper's 2 statements" in text and "extensions to other data (1)" in text
    assert "| by construction | errata |" in text and text.endswith("| all | 1 | 1 |\n")
    assert "own" in claims(tmp_path) and "other" not in claims(tmp_path)
    assert "other" in claims_extensions(tmp_path) and "own" not in claims_extensions(tmp_path)


def test_table_1_has_its_eight_numbers_and_the_nulls_two_are_one():
    numbers = [claim.paper for claim in CLAIMS if claim.place == "Table 1" and claim.kind == "number"]
    assert numbers == ["0.41; 0.49", 0.39, 0.33, 0.31, 0.48, 0.46, 0.45]


PRINTED = [claim for claim in CLAIMS if claim.kind == "number" and isinstance(claim.paper, float)]


@pytest.mark.parametrize("claim", PRINTED, ids=lambda claim: claim.id)
def test_more_draws_do_not_turn_a_verdict_on_a_printed_number(claim, monkeypatch):
    # As many more draws around the mean leave the mean what it is and narrow its Monte Carlo error.
    few = check(claim, RESULTS)
    select_few = module.select
    monkeypatch.setattr(module, "select", lambda *source: np.tile(select_few(*source), 10_000))
    many = check(claim, RESULTS)
    assert many.outcomes == few.outcomes == (round(few.values["draws"].mean(), 2) == claim.paper,)


@pytest.mark.parametrize(("mean", "verdict"), [(0.4549, "reproduced"), (0.456, "not reproduced")])
def test_a_printed_number_is_reproduced_where_ours_prints_as_it(altered, mean, verdict):
    def moved(table):
        rows = (table["pi"] == "poll") & (table["method"] == "oracle")
        table.loc[rows, "rmse"] += mean - table.loc[rows, "rmse"].mean()
        return table

    assert check(claim("table1-rmse-oracle"), altered("election1984/draws.csv", moved)).verdict == verdict


def test_the_values_that_a_claim_names_are_used_and_the_files_that_are_listed_too():
    used = set()
    for claim in CLAIMS:
        text = " ".join([claim.found, *(part.holds for part in claim.parts)])
        for name in claim.values:
            assert re.search(rf"\b{name}\b", text), f"{claim.id}: {name}"
        used |= set(claim.files)
    assert used == set(yaml.safe_load(LEDGER.read_text())["files"])


def test_each_file_is_made_by_the_rule_that_the_ledger_names():
    text = "\n".join(file.read_text() for file in sorted((ROOT / "rules").glob("*.smk")))
    bodies = dict(re.findall(r"^rule (\w+):\n(.*?)(?=^\S|\Z)", text, re.MULTILINE | re.DOTALL))
    for path, rule in {source for claim in CLAIMS for source in claim.files.values()}:
        if path.startswith("benchmarks/"):
            assert (ROOT / rule.split()[1]).is_file()
            continue
        outputs = re.findall(r'"(results/[^"]+\.csv)"', bodies[rule].split("    output:")[1])
        patterns = [re.sub(r"\\{\w+\\}", "[^/]+", re.escape(output)) for output in outputs]
        assert any(re.fullmatch(pattern, f"results/{path}") for pattern in patterns), (path, rule)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda entry: entry.update(kind="guess"), "kind: 'guess' is not one of"),
        (lambda entry: entry.update(expected="true"), "expected: 'true' is not one of"),
        (lambda entry: entry.update(place_=1), "unknown key 'place_'; did you mean 'place'?"),
        (lambda entry: entry.pop("place"), "key 'place' is missing"),
        (lambda entry: entry.update(id="Two Words"), "Two Words: id: 'Two Words' does not match"),
        (lambda entry: entry.update(note=True), "note: True is not of type 'string' (text)"),
        (lambda entry: entry["parts"][0].pop("says"), "parts[0]: key 'says' is missing"),
        (lambda entry: entry.update(values={"a": "nowhere column"}), "no file nowhere"),
        (lambda entry: entry.update(parts=[]), "expected parts, or confidential"),
        (
            lambda entry: entry.update(kind="number", parts=[{"says": "", "holds": "shown < 2 * sd(shown)"}]),
            "a printed number is compared as it is printed",
        ),
    ],
)
def test_a_ledger_that_says_nonsense_is_refused_by_claim(tmp_path, change, message):
    ledger = yaml.safe_load(LEDGER.read_text())
    change(ledger["claims"][0])
    path = tmp_path / "claims.yaml"
    path.write_text(yaml.safe_dump(ledger))
    with pytest.raises(ValueError, match=re.escape(message)):
        read_claims(path)


# Verdicts.


def test_verdicts_follow_from_the_parts():
    part = Part("", "")
    two = replace(claim("cap"), parts=(part, part), by_construction=False)
    verdicts = {
        outcomes: module.Finding(two, {}, outcomes, "").verdict
        for outcomes in [(True, True), (True, False), (False, False)]
    }
    assert list(verdicts.values()) == ["reproduced", "reproduced in part", "not reproduced"]
    built = module.Finding(replace(two, by_construction=True), {}, (True, True), "")
    assert built.verdict == "holds by construction"
    shown = module.Finding(replace(two, erratum=True), {}, (True, True), "")
    assert shown.verdict == "erratum"


def test_a_worse_verdict_fails_with_id_expected_and_found(altered, capsys):
    def worse(table):
        table.loc[table["method"] == "latent_wh10", "mean_absolute_error"] *= 10
        return table

    folder = altered("simulation/errors.csv", worse)
    assert command(["claim", "many-clicks-latent", "--ledger", str(LEDGER), "--results", str(folder)]) == 1
    error = capsys.readouterr().err
    assert "many-clicks-latent: expected reproduced, found reproduced in part" in error
    assert "no longer holds: W_H = 10 has less than half" in error


def test_a_part_that_fails_now_is_worse_though_the_verdict_stays(altered):
    def worse(table):
        table.loc[table["clicks_per_group"] == 100, "mean_absolute_error"] = 0.1
        return table

    finding = check(claim("moments-unstable"), altered("discussion/moments_by_size.csv", worse))
    assert finding.verdict == claim("moments-unstable").expected and finding.worse


def test_what_is_not_there_is_not_measured(altered):
    folder = altered("simulation/errors.csv", lambda table: table[table["clicks_per_group"] != 100])
    finding = check(claim("many-clicks-latent"), folder)
    assert finding.verdict == "not measured" and finding.worse
    assert finding.missing == "simulation/errors.csv: no row with clicks_per_group=100 method=direct"


def test_one_size_says_nothing_of_a_trend(altered):
    folder = altered("discussion/moments_by_size.csv", lambda table: table[table["clicks_per_group"] <= 5])
    assert check(claim("moments-worse-with-clicks"), folder).verdict == "not measured"


def test_a_benchmark_that_was_not_run_is_no_failure(tmp_path):
    finding = check(claim("million-clicks"), tmp_path)
    assert finding.verdict == "not measured" and not finding.worse
    other = check(claim("cap"), tmp_path)
    assert other.verdict == "not measured" and other.worse


def test_a_benchmark_is_judged_by_its_seconds(tmp_path):
    path = tmp_path / "benchmarks/solver.csv"
    path.parent.mkdir()
    rows = "implementation,bins,seconds_median\nr_per_click,15,{}\nwsclust,15,0.2\nwsclust,30,0.4\n"
    path.write_text(rows.format(6))
    finding = check(claim("million-clicks"), tmp_path)
    assert (finding.verdict, finding.found) == ("reproduced", "plain R 6.0 s, wsclust 0.20 s")


# Expressions.


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 < a < 3", True),
        ("all(b > a)", False),
        ("sum(b > a) == 1 and not a > 2", True),
        ("-a + 2 * mean(b) / sd(b)", -2 + 4 / np.sqrt(2)),
        ("all(totals(c, b) == list(4))", True),
        ("rising(b)", True),
        ("rounded(0.375 + a / 1000, 2) == 0.38 and not rounded(0.385, 1) == 0.3", True),
        ("max(a, min(b)) + range(b) + count(b) + distinct(c)", 7),
    ],
)
def test_expressions(text, value):
    names = {"a": 2, "b": np.array([1, 3]), "c": np.array(["x", "x"])}
    assert np.isclose(evaluate(text, names), value)


@pytest.mark.parametrize(
    "text", ["().__class__", "open('x')", "[a for a in b]", "a if a else b", "a[0]", "a +", "c"]
)
def test_what_is_no_part_of_the_language_is_refused(text):
    with pytest.raises(ValueError, match=r"no part of the language|not an expression|no value is named"):
        evaluate(text, {"a": 1, "b": [1]})


@pytest.mark.parametrize(
    "text", ["1 / a", "1 / mean(b)", "all(1 / b > 0)", "not " * 5000 + "a", "+".join(["a"] * 20_000), "a < t"]
)
def test_an_expression_that_has_no_value_is_refused_in_one_short_line(text):
    with pytest.raises(ValueError) as caught:
        evaluate(text, {"a": 0, "b": np.array([0, 0]), "t": np.array(["x"], dtype=object)})
    assert str(caught.value).startswith(text[:80]) and "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("text", ["rising(b)", "sd(b)", "sd(2)"])
def test_one_value_is_too_few_to_compare(text):
    with pytest.raises(LookupError, match="two or more"):
        evaluate(text, {"b": np.array([1])})


def test_a_template_shows_text_as_it_shows_numbers():
    assert filled("{t}; {n:.1f}", {"t": np.array(["x", "y"], dtype=object), "n": np.array([1, 2])}) == (
        "x, y; 1.0, 2.0"
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"parts": (Part("says", "1 / x > 0"),)}, "claim cap: 1 / x > 0: division by zero"),
        ({"parts": (Part("says", "y > 0"),)}, "claim cap: y > 0: "),
        ({"found": "{y:.2f}"}, "claim cap: "),
        ({"values": {"x": "a n n=two"}}, "claim cap: value x: n=two: the column holds numbers"),
        ({"values": {"x": "a n n>1"}}, "claim cap: value x: 'n>1' is no condition"),
        ({"files": {"a": ("b.csv", "r")}}, "b.csv: not a CSV table"),
    ],
)
def test_what_cannot_be_checked_is_refused_by_claim(tmp_path, changes, message):
    (tmp_path / "a.csv").write_text("n,text\n0,b\n1,c\n")
    (tmp_path / "b.csv").write_text("n\n1\n1,2\n")
    values, files = {"x": "a n n=0", "y": "a text"}, {"a": ("a.csv", "r")}
    usual = {"values": values, "files": files, "parts": (Part("says", "x < 1"),), "found": "{x}, {y}"}
    assert check(replace(claim("cap"), **usual), tmp_path).found == "0, b, c"
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        check(replace(claim("cap"), **usual | changes), tmp_path)
    assert str(caught.value).startswith("claim cap: ") and "\n" not in str(caught.value)


# The command.


def test_the_command_lists_all_and_shows_the_evidence_of_one(capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    where = ["--ledger", str(LEDGER), "--results", str(RESULTS)]
    assert command(["claim", *where]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(CLAIMS) + 2 and lines[-1].startswith(f"{len(CLAIMS)} claims: ")
    for claim in CLAIMS:
        assert command(["claim", claim.id, *where]) == 0
        shown = capsys.readouterr().out
        assert claim.id in shown and all(f"{name} = " in shown for name in claim.values)
        assert all(part.says in shown for part in claim.parts) and "verdict:" in shown


@pytest.mark.parametrize("columns", [60, 80])
def test_nothing_is_wider_than_the_terminal(capsys, monkeypatch, columns):
    where = ["--ledger", str(LEDGER), "--results", str(RESULTS)]
    for arguments in ([], ["distance-latent"], ["weight-robust"]):
        shown = {}
        for width in (columns, 10_000):
            monkeypatch.setenv("COLUMNS", str(width))
            assert command(["claim", *arguments, *where]) == 0
            shown[width] = capsys.readouterr().out
        # Only a word that is longer than the terminal may stick out.
        assert all(len(line) <= columns or len(line.split()) == 1 for line in shown[columns].splitlines())
        assert shown[columns].split() == shown[10_000].split()


def test_a_part_says_whether_it_came_out_as_recorded():
    parts = tuple(Part(f"part {number}", "", expected=number < 3) for number in (1, 2, 3, 4))
    some = replace(claim("cap"), parts=parts)
    text = evidence(module.Finding(some, {}, (True, False, True, False), ""))
    assert "\n  holds: part 1\n" in text and "\n  fails, as recorded: part 4\n" in text
    assert "\n  fails, although it held when it was recorded: part 2\n" in text
    assert "\n  holds, although it failed when it was recorded: part 3\n" in text


def test_an_unknown_claim_is_one_line(capsys):
    assert command(["claim", "nothing", "--ledger", str(LEDGER)]) == 2
    assert (
        capsys.readouterr().err.strip()
        == "python -m replication claim: no claim 'nothing'; `python -m replication claim` lists them"
    )


def test_the_module_writes_the_table(tmp_path):
    main([str(LEDGER), "--results", str(RESULTS), "--output", str(tmp_path / "claims.csv")])
    table = pd.read_csv(tmp_path / "claims.csv")
    assert list(table["id"]) == [claim.id for claim in CLAIMS]
    assert not table["worse"].any()


def test_conditions_on_true_and_false_and_empty_cells():
    table = pd.DataFrame({"b": [2.0, 4, np.nan], "flag": [True, False, True]})
    assert select(table, "b", ["flag=false"]) == 4
    for wrong in ("flag=True", "flag>=true", "flag=yes"):
        with pytest.raises(ValueError, match="holds true and false"):
            select(table, "b", [wrong])
    with pytest.raises(LookupError, match="an empty cell in b"):
        select(table, "b", ["flag=true"])
