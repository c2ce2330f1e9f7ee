"""Survey files: what each format says of codes is read alike, and a wrong file is called what it is."""

import io
import math
import os
import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replication.__main__ import main
from replication.polls.portable import base_30, read_portable
from replication.polls.survey_files import read_poll
from wsclust.tables import write_csv

ROOT = Path(__file__).parents[2]
ANES_MAP = ROOT / "config/polls/anes1984.yaml"
ANES_FILE = Path(os.environ.get("WSCLUST_MICRODATA", ROOT / "data/private"), "anes1984_original_codes.csv")
pyreadstat = pytest.importorskip("pyreadstat")

MAP = """
state: {column: ST, levels: {AL: 1, NY: 2, CA: 3}, missing: [blank]}
income: {column: INC, levels: {1: 1, 2: 2, 3: 3, 4: 4, 5: 5}}
union: {column: UN, levels: {self: 1, family: 2, none: 3}}
race: {column: RACE, levels: {white: 1, black: 2, other: 3}}
vote: {column: VOTE, levels: {reagan: 1, mondale: [2, 8]}, missing: [0, .a]}
"""
MEANINGS = {"VOTE": {0: "did not vote", 1: "Reagan", 2: "Mondale", 8: "refused"}}


def respondents(rows=300):
    rng = np.random.default_rng(33)
    highest = {"ST": 2, "INC": 5, "UN": 3, "RACE": 3}
    frame = pd.DataFrame({name: rng.integers(1, high + 1, rows) for name, high in highest.items()})
    return frame.assign(VOTE=rng.choice([0, 1, 2, 8], rows, p=[0.1, 0.4, 0.4, 0.1])).astype(float)


def write_survey(path, frame, missing=None, meanings=None):
    """A file of the frame's codes by pyreadstat; `missing`, {column: codes declared missing}."""
    missing, meanings = missing or {}, meanings or {}
    if path.suffix == ".csv":
        write_csv(frame, path)
    elif path.suffix == ".por":
        pyreadstat.write_por(frame, str(path))
        path.write_bytes(with_records(path.read_bytes(), missing, meanings))
    elif path.suffix == ".dta":  # in Stata a code declared missing is a letter
        frame, letters, labels = frame.astype(object), {}, {}
        for column, codes in missing.items():
            letters[column] = list("abcdefgh"[: len(codes)])
            for code, letter in zip(codes, letters[column], strict=True):
                frame.loc[frame[column] == code, column] = letter
        for column, texts in meanings.items():
            known = dict(zip(missing.get(column, []), letters.get(column, []), strict=True))
            labels[column] = {known.get(code, code): text for code, text in texts.items()}
        pyreadstat.write_dta(
            frame, str(path), missing_user_values=letters, variable_value_labels=labels, version=14
        )
    else:
        pyreadstat.write_sav(
            frame,
            str(path),
            missing_ranges=missing,
            variable_value_labels=meanings,
            compress=path.suffix == ".zsav",
        )
    return path


COLUMN = "70/{}5/8/2/5/8/2/"  # a record of a column of numbers, with its formats


def with_records(content, missing, meanings):
    """A portable file with missing codes and labels, which pyreadstat reads but does not write."""
    text = re.sub(r"\r?\n", "", content.decode("latin-1"))
    labels = ""
    for column, texts in meanings.items():
        labels += f"D1/{string(column)}{thirties(len(texts))}/"
        labels += "".join(f"{thirties(code)}/{string(text)}" for code, text in texts.items())
    data = text.index("F", list(re.finditer(COLUMN.format(r"\w+/\w+?"), text))[-1].end())
    text = text[:data] + labels + text[data:]
    for column, codes in missing.items():
        record = re.compile(COLUMN.format(string(column)))
        assert len(record.findall(text)) == 1
        text = record.sub(lambda found, codes=codes: found[0] + "".join(map(missing_record, codes)), text)
    return "\r\n".join(text[at : at + 80] for at in range(0, len(text), 80)).encode("latin-1") + b"\r\n"


def missing_record(code):
    if not isinstance(code, dict):
        return f"8{thirties(code)}/"
    if code["lo"] == -math.inf:
        return f"9{thirties(code['hi'])}/"
    if code["hi"] == math.inf:
        return f"A{thirties(code['lo'])}/"
    return f"B{thirties(code['lo'])}/{thirties(code['hi'])}/"


def thirties(number):
    digits = "" if number else "0"
    while number:
        number, digit = divmod(int(number), 30)
        digits = "0123456789ABCDEFGHIJKLMNOPQRST"[digit] + digits
    return digits


def string(text):
    return f"{thirties(len(text))}/{text}"


@pytest.fixture
def run(tmp_path, capsys):
    """Runs the import: run(path, map) -> (exit code, stdout, stderr, counts or None)."""

    def imported(path, text=MAP):
        (tmp_path / "map.yaml").write_text(text)
        output = tmp_path / "counts.csv"
        output.unlink(missing_ok=True)
        arguments = ["import-poll", str(path), "--map", str(tmp_path / "map.yaml"), "--output", str(output)]
        code = main(arguments)
        out, err = capsys.readouterr()
        return code, out, err, pd.read_csv(output) if output.exists() else None

    return imported


@pytest.fixture
def refused(run):
    """Runs the import on a bad file and returns the one line that it says."""

    def line(path):
        code, out, err, counts = run(path)
        assert (code, out, counts) == (2, "", None) and err.count("\n") == 1
        return err

    return line


# Codes declared missing.


@pytest.mark.parametrize("suffix", [".csv", ".por", ".sav", ".zsav"])
def test_one_map_gives_the_same_counts_whatever_the_file_declares_missing(tmp_path, run, suffix):
    frame = respondents()
    path = write_survey(tmp_path / f"poll{suffix}", frame, {"VOTE": [8]}, MEANINGS)
    code, _, err, counts = run(path)
    assert code == 0
    assert counts["reagan"].sum() == (frame["VOTE"] == 1).sum()
    assert counts["mondale"].sum() == frame["VOTE"].isin([2, 8]).sum()
    if suffix != ".csv":  # which declares nothing
        rows = (frame["VOTE"] == 8).sum()
        assert f"declares code 8 refused of VOTE missing, but the map gives its {rows} rows to mondale" in err


def test_pyreadstat_agrees_on_what_a_portable_file_declares_missing(tmp_path):
    frame = respondents()
    declared = {"VOTE": [8, 0], "INC": [{"lo": 4, "hi": math.inf}], "RACE": [{"lo": -math.inf, "hi": 1}],
                "UN": [{"lo": 2, "hi": 3}]}  # fmt: skip
    path = write_survey(tmp_path / "poll.por", frame, declared, MEANINGS)
    without, meta = pyreadstat.read_por(str(path))
    poll = read_poll(path)
    pd.testing.assert_frame_equal(poll.frame, frame)
    for column in frame:
        holds = frame[column].map(lambda code, column=column: poll.declared(column, f"{code:g}"))
        assert (holds == without[column].isna()).all()
    assert without.isna().any().sum() == 4 and poll.meanings == meta.variable_value_labels


def test_a_range_of_declared_codes_is_known_from_sav(tmp_path):
    poll = read_poll(write_survey(tmp_path / "a.sav", respondents(), {"VOTE": [8, {"lo": -9, "hi": 0}]}))
    assert [poll.declared("VOTE", code) for code in ("8", "0", "-5", "1", "")] == [True] * 3 + [False] * 2


def test_a_code_that_stata_lost_is_named_with_the_reason(tmp_path, run):
    frame = respondents()
    rows = (frame["VOTE"] == 8).sum()
    path = write_survey(tmp_path / "poll.dta", frame, {"VOTE": [8]}, MEANINGS)
    code, out, err, counts = run(path)
    assert code == 0 and counts["mondale"].sum() == (frame["VOTE"] == 2).sum()
    assert "code 8 (mondale) of vote occurs in no row of VOTE" in err
    assert f"{rows} rows have .a to .z, which Stata has in place of codes declared missing" in err
    assert f"    .a refused (declared missing): {rows}\n" in out
    # A letter that the map does not list is no level by itself.
    code, _, err, counts = run(path, MAP.replace("[0, .a]", "0"))
    assert (code, counts) == (2, None)
    assert f"code '.a' ({rows} rows): neither a level of vote nor missing" in err
    assert "(Stata has .a to .z in place of codes declared missing)" in err


def test_a_code_that_is_in_no_row_is_named(tmp_path, run):
    frame = respondents().replace({"VOTE": {8: np.nan}})
    _, _, err, _ = run(write_survey(tmp_path / "poll.sav", frame, {"VOTE": [8]}))
    assert "code 8 (mondale) of vote occurs in no row of VOTE: the file declares it missing; " in err
    assert f"{frame['VOTE'].isna().sum()} rows have no value" in err
    assert "code 3 (CA) of state occurs in no row of ST: compare it with the codebook" in err
    wide = MAP.replace("5: 5", "5: [5, 7-9]").replace("4: 4", "4: [4, 12]")
    assert "codes 12 (4), 7-9 (5) of income occur in no row of INC" in run(tmp_path / "poll.sav", wide)[2]


def test_each_code_that_was_left_out_is_listed(tmp_path, run):
    frame = respondents()
    frame.loc[:6, "ST"] = np.nan
    path = write_survey(tmp_path / "poll.sav", frame, {"VOTE": [0]}, MEANINGS)
    _, out, err, _ = run(path)
    rows = (frame["VOTE"] == 0).sum()
    assert f"  vote, from VOTE\n    0 did not vote (declared missing): {rows}\n" in out
    assert "  state, from ST\n    blank: 7\n" in out
    assert "declares" not in err  # the map calls 0 missing as well


def test_describe_says_what_is_declared_missing(tmp_path, capsys):
    path = write_survey(tmp_path / "poll.por", respondents(), {"VOTE": [8]}, MEANINGS)
    assert main(["import-poll", str(path), "--describe"]) == 0
    assert re.search(r"\n    8 refused \(declared missing\): \d+ rows\n", capsys.readouterr().out)


def test_describe_where_stdout_lacks_a_character(tmp_path, monkeypatch):
    path = write_survey(tmp_path / "poll.sav", respondents(), {}, {"VOTE": {1: "Réagan – yes"}})
    for encoding, shown in (("ascii", rb"R\xe9agan \u2013 yes"), ("latin-1", b"R\xe9agan \\u2013 yes")):
        monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
        assert main(["import-poll", str(path), "--describe"]) == 0
        assert shown in sys.stdout.buffer.getvalue()


def test_codes_with_one_meaning_at_two_levels_are_named(tmp_path, run):
    meanings = {"VOTE": {0: "none", 1: "Mondale", 2: "mondale ", 8: "refused"}, "INC": {1: "x", 2: "y"}}
    path = write_survey(tmp_path / "poll.sav", respondents(), {}, meanings)
    _, _, err, _ = run(path)
    assert "codes 1 and 2 of VOTE one meaning, 'Mondale', but the map gives 1 to reagan, 2 to mondale" in err
    assert "INC one meaning" not in err
    meanings["VOTE"][1] = "Reagan"
    meanings["VOTE"][8] = "Mondale"  # both are mondale
    assert "one meaning" not in run(write_survey(path, respondents(), {}, meanings))[2]


@pytest.mark.skipif(not ANES_FILE.exists(), reason="the ANES 1984 file may not be passed on")
@pytest.mark.parametrize("suffix", [".por", ".sav", ".zsav"])
def test_anes_1984_with_codes_declared_missing(tmp_path, run, suffix):
    frame = pd.read_csv(ANES_FILE)
    frame = frame.astype(dict.fromkeys(frame.columns.drop("V840008"), float))
    declared = {"V840680": [{"lo": 88, "hi": 99}], "V840708": [9], "V840788": [{"lo": 6, "hi": 9}],
                "V840676": [8, 9]}  # fmt: skip
    path = write_survey(tmp_path / f"anes{suffix}", frame, declared)
    code, out, err, counts = run(path, ANES_MAP.read_text(encoding="utf-8"))
    assert code == 0 and "All 6 figures" in out and "declares" not in err
    assert counts[["reagan", "mondale"]].to_numpy().sum() == 1246
    assert "  vote, from V840788\n    0: 808\n    9 (declared missing): 47\n" in out
    # To call code 9 a level is doubted; a level's code that no row has is, too.
    wrong = ANES_MAP.read_text(encoding="utf-8").replace("mondale: 2", "mondale: [2, 9]")
    wrong = wrong.replace("missing: [0, 6-9]", "missing: [0, 6-8]")
    assert "the file declares code 9 of V840788 missing, but the map gives its 47 rows" in run(path, wrong)[2]


# Portable files.


def test_portable_files_are_read_as_pyreadstat_reads_them(tmp_path):
    rng = np.random.default_rng(7)
    frame = pd.DataFrame({"X": rng.normal(size=500) * 10.0 ** rng.integers(-20, 20, 500)})
    frame["S"] = rng.choice(["AL", "", "a/b z", "  x", "0"], 500)
    frame["N"] = rng.choice([1.0, -7.5, np.nan], 500)
    pyreadstat.write_por(frame, str(tmp_path / "a.por"), column_labels={"S": "A state"})
    theirs, meta = pyreadstat.read_por(str(tmp_path / "a.por"))
    ours, labels, _, missing = read_portable((tmp_path / "a.por").read_bytes())
    pd.testing.assert_frame_equal(ours.assign(S=ours["S"].str.rstrip()), theirs, rtol=1e-15)
    pd.testing.assert_series_equal(ours["X"], frame["X"], rtol=1e-9)
    assert labels == meta.column_names_to_labels and missing == {}


@pytest.mark.parametrize(
    ("token", "value"),
    [("0/", 0), ("T/", 29), ("10/", 30), ("  8/", 8), (".F/", 0.5), ("1.F/", 1.5), ("-A/", -10),
     ("1+2/", 900), ("1-1/", 1 / 30), ("-2C-3/", -72 / 27000)],
)  # fmt: skip
def test_numbers_to_base_30(token, value):
    assert base_30(token) == value


@pytest.mark.parametrize("token", ["/", "U/", "-/", ".", "1+/", "1..2/", "1+TTT/"])
def test_what_is_no_number_to_base_30(token):
    with pytest.raises(ValueError, match="in place of a number"):
        base_30(token)


def test_a_portable_file_of_another_computer(tmp_path):
    """In EBCDIC, with lines that lost their spaces at the end."""
    path = write_survey(tmp_path / "poll.por", respondents(), {"VOTE": [8]}, MEANINGS)
    lines = path.read_bytes().decode("ascii").splitlines()
    foreign = b"\n".join(line.encode("cp037").rstrip(" ".encode("cp037")) for line in lines) + b"\n"
    ours, expected = read_portable(foreign), read_portable(path.read_bytes())
    pd.testing.assert_frame_equal(ours[0], expected[0])
    assert ours[1:] == expected[1:] and ours[3]["VOTE"].holds("8")


def test_lines_that_lost_their_spaces(tmp_path):
    frame = pd.DataFrame({"S": ["AL" + " " * 60 + str(row) for row in range(30)], "N": np.arange(30.0)})
    pyreadstat.write_por(frame, str(tmp_path / "a.por"))
    lines = (tmp_path / "a.por").read_bytes().splitlines()
    assert any(line.endswith(b" ") for line in lines)
    for end in (b"\n", b"\r\n", b"\r"):
        ours = read_portable(b"".join(line.rstrip(b" ") + end for line in lines))[0]
        pd.testing.assert_frame_equal(ours, frame)


def test_portable_text_that_is_windows_1252_or_utf_8(tmp_path):
    path = write_survey(tmp_path / "poll.por", respondents(), {}, {"VOTE": {1: "Reagan", 2: "Mxxndale"}})
    plain = path.read_bytes()
    for raw, text in ((b"\xe9\x96", "é–"), ("é".encode(), "é"), (b"\x81\xe9", "\\x81é")):
        path.write_bytes(plain.replace(b"Mxxndale", b"M" + raw + b"ndale"))
        assert read_poll(path).meanings["VOTE"][2.0] == f"M{text}ndale"


def test_the_date_stamp_of_a_portable_file_does_not_matter(tmp_path, run):
    path = write_survey(tmp_path / "poll.por", respondents())
    content = path.read_bytes()
    stamped = re.sub(rb"SPSSPORTA8/\d{8}", b"SPSSPORTA8/19 x/ 84", content)
    assert stamped != content
    path.write_bytes(stamped)
    with pytest.raises(pyreadstat.ReadstatError, match="timestamp"):
        pyreadstat.read_por(str(path))
    assert run(path)[0] == 0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [(b"8/20", b"U/20", "'U/' in place of a number"),
     (b"70/2/ST", b"W0/2/ST", "a record of unknown kind 'W'"),
     (b"70/2/ST", b"80/2/ST", "before any column"), (b"Z", b" ", "ends in the middle"),
     (b"D1/4/VOTE", b"D1/4/WOTE", "labels of the codes of WOTE")],
)  # fmt: skip
def test_damaged_portable_files(tmp_path, refused, old, new, message):
    path = write_survey(tmp_path / "poll.por", respondents(), {}, MEANINGS)
    text = path.read_bytes().replace(b"\r\n", b"")
    assert old in text
    path.write_bytes(text.replace(old, new))
    line = refused(path)
    assert "not a whole SPSS portable file (" in line and message in line


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "poll.por"
    return write_survey(path, respondents(20), {"VOTE": [8]}, MEANINGS).read_bytes()


@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_whatever_befell_a_portable_file_is_one_sentence(whole, data):
    at = data.draw(st.integers(0, len(whole) - 1))
    lost, put = data.draw(st.integers(0, 40)), data.draw(st.binary(max_size=8))
    try:
        frame = read_portable(whole[:at] + put + whole[at + lost :])[0]
    except ValueError as error:
        assert "\n" not in str(error)
    else:
        assert len(frame.columns) == frame.columns.nunique() > 0


def test_a_column_that_is_there_twice(whole):
    text = whole.replace(b"\r\n", b"").replace(b"70/3/INC5", b"70/2/ST5")
    with pytest.raises(ValueError, match="column ST twice"):
        read_portable(text)


# Files that are not what their name says, and text that is not what it claims.


@pytest.mark.parametrize(
    ("written", "named", "message"),
    [(".sav", ".por", "SPSS portable file, but it is an SPSS file; rename it to end in .sav"),
     (".sav", ".dta", "a Stata file, but it is an SPSS file; rename it to end in .sav"),
     (".zsav", ".csv", "a CSV file, but it is an SPSS file; rename it to end in .sav"),
     (".dta", ".sav", "an SPSS file, but it is a Stata file; rename it to end in .dta"),
     (".por", ".sav", "an SPSS file, but it is an SPSS portable file; rename it to end in .por"),
     (".por", ".csv", "a CSV file, but it is an SPSS portable file; rename it to end in .por"),
     (".csv", ".dta", "a Stata file, but it is plain text; if that is a table, rename it to .csv")],
)  # fmt: skip
def test_a_file_under_the_name_of_another_kind(tmp_path, refused, written, named, message):
    path = write_survey(tmp_path / f"poll{written}", respondents())
    assert message in refused(path.rename(path.with_suffix(named)))


@pytest.mark.parametrize("version", [8, 10, 12, 13, 15])
def test_every_version_of_stata_is_known(tmp_path, refused, version):
    pyreadstat.write_dta(respondents(), str(tmp_path / "poll.dta"), version=version)
    assert len(read_poll(tmp_path / "poll.dta").frame) == 300
    (tmp_path / "poll.dta").rename(tmp_path / "poll.sav")
    assert "it is a Stata file; rename it to end in .dta" in refused(tmp_path / "poll.sav")


def test_an_spss_file_may_be_compressed_under_either_name(tmp_path, run):
    path = write_survey(tmp_path / "poll.zsav", respondents())
    assert run(path)[0] == run(path.rename(tmp_path / "poll.sav"))[0] == 0


@pytest.mark.parametrize("suffix", [".por", ".sav", ".dta", ".csv"])
@pytest.mark.parametrize(
    ("start", "message"),
    [(b"\n<!DOCTYPE html><html>Please sign in", "it is a web page; download the file itself"),
     (b"\xef\xbb\xbf<html>", "it is a web page"),
     (b"PK\x03\x04\0\0", "it is a zip archive or an Excel workbook; unpack it"),
     (b"\x1f\x8b\x08\0", "it is compressed by gzip; unpack it"),
     (b"%PDF-1.4\n\0", "it is a PDF, such as a codebook; take the data file")],
)  # fmt: skip
def test_files_of_no_survey(tmp_path, refused, suffix, start, message):
    path = tmp_path / f"poll{suffix}"
    path.write_bytes(start + b" " * 3000)
    assert message in refused(path)


def test_windows_1252_that_claims_to_be_utf_8(tmp_path, run, refused):
    meanings = {"VOTE": {1: "Reagan", 2: "Mxxndale"}}
    path = write_survey(tmp_path / "poll.sav", respondents(), {}, meanings)
    plain = path.read_bytes()
    path.write_bytes(plain.replace(b"Mxxndale", b"M\xe9\x96ndale"))
    with pytest.warns(UserWarning, match="Windows-1252 was taken"):
        assert read_poll(path).meanings["VOTE"][2] == "Mé–ndale"
    code, _, err, _ = run(path)
    assert code == 0 and "poll.sav: the text is not in the encoding that the file claims" in err
    path.write_bytes(plain.replace(b"Mxxndale", b"M\x81\xe9ndale"))
    assert "neither in the encoding that the file claims nor in Windows-1252; open it" in refused(path)


def test_stata_text_in_windows_1252(tmp_path):
    frame = respondents().assign(NAME="xxrich")
    path = write_survey(tmp_path / "poll.dta", frame)
    path.write_bytes(path.read_bytes().replace(b"xxrich", b"Z\xfcrich"))
    with pytest.warns(UserWarning, match="Windows-1252 was taken"):
        assert set(read_poll(path).frame["NAME"]) == {"Zürich"}
