"""Polls imported: the same counts from every format, a known file's figures, and one line an error."""

import os
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from replication.__main__ import main
from replication.polls.codes import parse_codes
from replication.polls.maps import LEVELS, parse_map, read_map
from wsclust.tables import write_csv

ROOT = Path(__file__).parents[2]
ANES_MAP = ROOT / "config/polls/anes1984.yaml"
ROPER_MAP = ROOT / "config/polls/roper1984.yaml"
ANES_FILE = Path(os.environ.get("WSCLUST_MICRODATA", ROOT / "data/private"), "anes1984_original_codes.csv")

# The codes of the map below, level by level; the first of two is the level's usual code.
CODES = {
    "ST": {"AL": "AL", "NY": "NY", "CA": "CA", "": ""},
    "INC": {1: 1, 2: 9, 3: 15, 4: 17, 5: 22, "": 98},
    "RACE": {"white": 1, "black": 2, "other": 7, "": 9},
    "VOTE": {"reagan": 1, "mondale": 2, "": 0},
}
UNION = {"self": (1, 11), "family": (1, 14), "none": (5, 0), "": (8, 0)}
MAP = """
state: {column: ST, levels: postal codes}
income: {column: INC, levels: {1: 1-7, 2: 8-14, 3: [15, 16], 4: 17-19, 5: 20-22}, missing: [88, 98, 99]}
union:
  rules:
    - {level: missing, when: {UN: [8, 9, blank]}}
    - {level: self, when: {UN: 1, WHO: [11, 13]}}
    - {level: family, when: {UN: 1, WHO: [12, 14]}}
    - {level: none, when: {UN: 5}}
    - {level: none, when: {WHO: 0}}
race: {column: RACE, levels: {white: 1, black: 2, other: [3, 4, 7]}, missing: 9}
vote: {column: VOTE, levels: {reagan: 1, mondale: 2}, missing: [0, 6-9]}
expected: {rows: 400}
"""


def draw_answers():
    rng = np.random.default_rng(1984)
    return pd.DataFrame(
        {
            "ST": rng.choice(list(CODES["ST"]), 400, p=[0.4, 0.4, 0.15, 0.05]),
            "INC": rng.choice(np.array([1, 2, 3, 4, 5, ""], dtype=object), 400),
            "union": rng.choice(list(UNION), 400),
            "RACE": rng.choice(list(CODES["RACE"]), 400),
            "VOTE": rng.choice(list(CODES["VOTE"]), 400),
        }
    )


def coded(answers):
    """The answers as a survey file has them."""
    frame = pd.DataFrame({name: answers[name].map(codes) for name, codes in CODES.items()})
    frame["UN"], frame["WHO"] = zip(*answers["union"].map(UNION), strict=True)
    frame["ID"] = range(1, len(frame) + 1)
    return frame.astype({name: float for name in frame.columns if name != "ST"})


def counted(answers):
    """The counts that must come out, made without the importer."""
    tally = {}
    for row in answers.itertuples():
        cell = (row.ST, row.INC, row.union, row.RACE)
        if row.VOTE and all(cell):
            tally.setdefault(cell, [0, 0])[row.VOTE == "mondale"] += 1
    rows = [(*cell, *votes) for cell, votes in sorted(tally.items())]
    return pd.DataFrame(rows, columns=["state", "income", "union", "race", "reagan", "mondale"])


def write_poll(frame, path, **options):
    if path.suffix == ".csv":
        write_csv(frame, path)
    else:
        pyreadstat = pytest.importorskip("pyreadstat")
        if path.suffix == ".zsav":
            options["compress"] = True
        getattr(pyreadstat, f"write_{path.suffix[1:].replace('zsav', 'sav')}")(frame, str(path), **options)
    return path


@pytest.fixture
def poll(tmp_path):
    """Runs the command: poll(frame or path, map text or path) -> (exit code, output path)."""

    def run(source, text=MAP, output=tmp_path / "out" / "counts.csv"):
        if isinstance(source, pd.DataFrame):
            source = write_poll(source, tmp_path / "poll.csv")
        if not isinstance(text, Path):
            (tmp_path / "map.yaml").write_text(text, encoding="utf-8")
            text = tmp_path / "map.yaml"
        return main(["import-poll", str(source), "--map", str(text), "--output", str(output)]), output

    return run


@pytest.fixture
def refused(poll, capsys):
    """Runs the command on bad input; checks exit code, one line, nothing written; returns the line."""

    def run(*arguments, **options):
        code, output = poll(*arguments, **options)
        printed = capsys.readouterr()
        assert code == 2
        assert printed.out == ""
        assert printed.err.count("\n") == 1 and printed.err.startswith("python -m replication import-poll: ")
        assert not output.is_file()
        if output.parent.is_dir():
            assert not list(output.parent.glob(f".{output.stem}*"))
        return printed.err

    return run


@pytest.mark.parametrize("suffix", [".csv", ".por", ".sav", ".zsav", ".dta"])
def test_every_format_gives_the_same_counts(tmp_path, poll, suffix, capsys):
    answers = draw_answers()
    code, output = poll(write_poll(coded(answers), tmp_path / f"poll{suffix}"))
    assert code == 0
    assert "All 1 figures" in capsys.readouterr().out
    pd.testing.assert_frame_equal(pd.read_csv(output), counted(answers))


def test_declared_missing_codes_of_sav_stay_codes(tmp_path, poll):
    answers = draw_answers()
    path = write_poll(coded(answers), tmp_path / "poll.sav", missing_ranges={"UN": [8], "INC": [98]})
    code, output = poll(path)
    assert code == 0
    pd.testing.assert_frame_equal(pd.read_csv(output), counted(answers))


def test_no_value_is_missing(poll):
    answers = draw_answers()
    frame = coded(answers).replace({"UN": {8: np.nan}, "INC": {98: np.nan}, "VOTE": {0: np.nan}})
    code, output = poll(frame)
    assert code == 0
    pd.testing.assert_frame_equal(pd.read_csv(output), counted(answers))


def test_capitals_zeros_and_spaces_do_not_matter(tmp_path, poll):
    answers = draw_answers()
    frame = coded(answers).rename(columns=str.lower)
    frame["inc"] = [f" {income:02.0f}" for income in frame["inc"]]
    code, output = poll(frame)
    assert code == 0
    pd.testing.assert_frame_equal(pd.read_csv(output), counted(answers))


def test_differences_are_marked_and_the_file_is_written(poll, capsys):
    text = MAP.replace("{rows: 400}", "{rows: 401, cells: [{union: self, race: other, voters: 5000}]}")
    code, output = poll(coded(draw_answers()), text)
    out = capsys.readouterr().out
    assert code == 0 and output.exists()
    assert re.search(r"rows in the file +401 +400  differs", out)
    assert re.search(r"union self, race other +5,000 +\d+  differs", out)
    assert "2 of the 2 figures" in out and "DIFFER" in out


def test_describe_lists_columns_and_codes(tmp_path, capsys):
    path = write_poll(
        coded(draw_answers()),
        tmp_path / "poll.sav",
        column_labels={"UN": "Union household?"},
        variable_value_labels={"UN": {1: "yes"}},
    )
    assert main(["import-poll", str(path), "--describe"]) == 0
    out = capsys.readouterr().out
    assert "UN: Union household?\n    1 yes: " in out
    assert "ID\n    400 different codes\n" in out


@pytest.mark.skipif(not ANES_FILE.exists(), reason="the ANES 1984 file may not be passed on")
def test_anes_1984(tmp_path, poll, capsys):
    code, output = poll(ANES_FILE, ANES_MAP)
    out = capsys.readouterr().out
    assert code == 0 and "All 6 figures" in out and "differs" not in out
    counts = pd.read_csv(output)
    voters = counts["reagan"] + counts["mondale"]
    assert voters.sum() == 1246
    assert voters.groupby(counts["state"]).sum().describe()[["count", "50%"]].tolist() == [30, 32.5]
    assert len(counts[["income", "union", "race"]].drop_duplicates()) == 37
    # The same from SPSS and Stata files of it.
    frame = pd.read_csv(ANES_FILE)
    for suffix in (".por", ".sav", ".dta"):
        code, again = poll(write_poll(frame, tmp_path / f"anes{suffix}"), ANES_MAP, tmp_path / "again.csv")
        assert code == 0 and again.read_bytes() == output.read_bytes()


def test_missing_outranks_nobody_belongs():
    rules = read_map(ANES_MAP).rules["union"]
    assert rules[0][0] == "" and rules[0][1]["V840676"].match(pd.Series(["8", "9", ""])).all()


def test_unfilled_map_names_each_key_in_turn():
    text = ROPER_MAP.read_text(encoding="utf-8")
    settings = re.sub(r"#.*", "", text)
    keys = []
    while "FILL IN" in settings:
        with pytest.raises(ValueError, match="is not filled in") as error:
            parse_map(yaml_text(settings))
        keys.append(re.match(r"the map: (\S+) is not", str(error.value)).group(1))
        settings = settings.replace(
            "FILL IN", "postal codes" if keys[-1] == "state.levels" else f"{len(keys)}", 1
        )
    filled = parse_map(yaml_text(settings))
    assert set(filled.rules) == set(LEVELS) and len(keys) == 23
    assert keys[:3] == ["state.column", "state.levels", "income.column"] and len(set(keys)) == 23
    assert filled.expected["voters with every answer"] == 8082
    assert filled.expected["union self, race other"] == 53


def yaml_text(text):
    import yaml

    return yaml.load(text, Loader=yaml.BaseLoader)


def test_unfilled_map_stops_the_command(refused):
    line = refused(coded(draw_answers()), ROPER_MAP)
    assert "roper1984.yaml: state.column is not filled in (nor are 22 other keys)" in line


BAD_MAPS = {
    "wrong column": ("column: INC", "column: INCM", "no column 'INCM'.*income; did you mean 'INC'"),
    "no such column": ("column: INC", "column: QQQQQ", "no column 'QQQQQ'.*its 7 columns are ST, INC"),
    "column of a rule": ("UN: [8, 9, blank]", "UM: [8, 9, blank]", "no column 'UM'.*under union"),
    "answer missing": ("race: {column: RACE, levels: {white: 1, black: 2, other: [3, 4, 7]}, missing: 9}", "",
                       "key 'race' is missing"),
    "key missing": ("column: RACE, ", "", "race: key 'column' is missing"),
    "unknown key": ("missing: 9}", "mising: 9}", "race: unknown key 'mising'; did you mean 'missing'"),
    "level missing": (", other: [3, 4, 7]", "", "race: no codes for level 'other'"),
    "unknown level": ("other: [3", "others: [3", "race.levels: unknown key 'others'; did you mean 'other'"),
    "level of a rule": ("level: family", "level: famly", "union.rules, rule 3: unknown level 'famly'"),
    "no codes": ("missing: 9}", "missing: }", "race.missing: expected codes, found nothing"),
    "code twice": ("4: 17-19", "4: 16-19", "income: code 16 is given to 3 and to 4"),
    "range downwards": ("1-7", "7-1", "income.levels.1: range 7-1 runs downwards"),
    "key twice": ("white: 1", "white: 1, white: 2", r"map.yaml, line \d+: key 'white' is given twice"),
    "broken YAML": ("rules:\n", "rules: [\n", r"map.yaml, line \d+: "),
    "not a number": ("rows: 400", "rows: many", "expected.rows: expected a number, found 'many'"),
    "unknown figure": ("rows: 400", "rwos: 400", "expected: unknown key 'rwos'; did you mean 'rows'"),
    "all left out": ("reagan: 1, mondale: 2}, missing: [0", "reagan: 31, mondale: 32}, missing: [0-2",
                     "no row has any vote"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_MAPS)
def test_bad_maps(refused, name):
    old, new, message = BAD_MAPS[name]
    assert MAP.count(old) == 1
    assert re.search(message, refused(coded(draw_answers()), MAP.replace(old, new)))


@pytest.mark.parametrize(
    ("text", "message"), [("", "expected keys state"), ("- 1\n", "expected keys state"), ("\x00", "map.yaml")]
)
def test_maps_of_another_kind(refused, text, message):
    assert message in refused(coded(draw_answers()), text)


def test_map_that_is_no_text(tmp_path, refused):
    path = tmp_path / "map.sav"
    path.write_bytes(b"\xff\xfe\x9d" * 9)
    assert "map.sav: not a text file" in refused(coded(draw_answers()), path)


def test_unknown_codes(refused):
    frame = coded(draw_answers())
    frame.loc[[3, 5, 8], "INC"], frame.loc[4, "INC"] = 23, 7.5
    line = refused(frame)
    assert "column 'INC': codes '23' (3 rows), '7.5' (1 row): neither a level of income nor missing" in line
    assert "list it under income in" in line and "map.yaml" in line


def test_unknown_state(refused):
    frame = coded(draw_answers())
    frame.loc[7, "ST"] = "ON"
    assert "column 'ST': code 'ON' (1 row)" in refused(frame)


def test_codes_that_no_rule_fits_together(refused):
    frame = coded(draw_answers())
    frame.loc[:1, ["UN", "WHO"]] = [9, 11]
    frame.loc[2:3, ["UN", "WHO"]] = [1, 0]
    text = MAP.replace("    - {level: none, when: {WHO: 0}}\n", "").replace("{UN: 5}", "{UN: 5, WHO: 0}")
    assert "columns UN, WHO: code '1 0' (2 rows): fitted by no rule of union" in refused(frame, text)


def bad_files(folder):
    write_poll(coded(draw_answers()), folder / "whole.csv")
    csv = (folder / "whole.csv").read_bytes()
    files = {
        "empty.csv": (b"", "the file is empty"),
        "empty.sav": (b"", "the file is empty"),
        "blank.csv": (b"\n\n", "no line with text"),
        "names.csv": (csv.split(b"\n")[0], "no rows"),
        "cut.csv": (csv[:-12], "line 401 has"),
        "twice.csv": (b"A,B,A\n1,2,3\n", "column 'A' is there twice"),
        "latin.csv": (b"A,B\n\xe9,2\n", "not UTF-8"),
        "quote.csv": (b'A,B\n"1,2\n', "not a readable CSV"),
        "other.csv": (b"not a table\nat all\n", "no column 'ST'"),
        "poll.xlsx": (
            b"PK\x03\x04",
            "unknown kind of file; expected one that ends in .por, .sav, .zsav, .dta, .csv",
        ),
    }
    for suffix in (".por", ".sav", ".dta"):
        whole = write_poll(coded(draw_answers()), folder / f"whole{suffix}").read_bytes()
        for part in (0.02, 0.5, 0.98):
            files[f"cut{part}{suffix}"] = whole[: int(len(whole) * part)], "not a whole"
        files[f"text{suffix}"] = b"Dear Sir or Madam,\n" * 99, "it is plain text"
    return files


def test_bad_files(tmp_path, refused):
    for name, (content, message) in bad_files(tmp_path).items():
        (tmp_path / name).write_bytes(content)
        line = refused(tmp_path / name)
        assert message in line and (name in line or "no column" in message)
    assert "absent.sav: No such file" in refused(tmp_path / "absent.sav")
    assert "Is a directory" in refused(tmp_path)


def test_reader_not_installed(tmp_path, refused, monkeypatch):
    (tmp_path / "poll.sav").write_bytes(b"$FL2")
    monkeypatch.setitem(__import__("sys").modules, "pyreadstat", None)
    assert "need pyreadstat, the extra `poll`" in refused(tmp_path / "poll.sav")


def test_outputs_that_cannot_be_written(tmp_path, refused):
    frame = coded(draw_answers())
    (tmp_path / "file").write_text("")
    assert "choose another --output" in refused(frame, output=tmp_path / "file" / "counts.csv")
    assert "a folder" in refused(frame, output=tmp_path)


def test_output_in_a_read_only_folder(tmp_path, refused):
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o555)
    if os.access(folder, os.W_OK):
        pytest.skip("this user may write anywhere")
    assert "Permission denied" in refused(coded(draw_answers()), output=folder / "counts.csv")


def test_output_never_replaces_what_is_read(tmp_path, poll, capsys):
    path = write_poll(coded(draw_answers()), tmp_path / "poll.csv")
    before = path.read_bytes()
    assert poll(path, output=path)[0] == 2
    assert "would overwrite" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_a_failed_import_leaves_the_earlier_output(poll):
    code, output = poll(coded(draw_answers()))
    before = output.read_bytes()
    assert code == 0
    assert poll(coded(draw_answers()), MAP.replace("column: INC", "column: QQ"))[0] == 2
    assert output.read_bytes() == before


@pytest.mark.parametrize("option", ["--map", "--output"])
def test_options_that_are_missing(tmp_path, option, capsys):
    arguments = {"--map": str(ANES_MAP), "--output": str(tmp_path / "counts.csv")}
    del arguments[option]
    assert main(["import-poll", "poll.csv", *next(iter(arguments.items()))]) == 2
    assert f"{option} is missing" in capsys.readouterr().err


def test_overlapping_codes_are_found():
    def shared(one, other):
        return parse_codes(one, "").shared(parse_codes(other, ""))

    assert shared("1-7", "5-9") == "5" and shared("3", "1-7") == "3" and shared("blank", ["9", "blank"]) == ""
    assert shared("1-7", "8-9") is None and shared("White", "Black") is None


def test_what_is_private_stays_out_of_git():
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {"data/private/", "results/private/"} <= set(ignored)
