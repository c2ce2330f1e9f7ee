"""Comparing two folders of results: what counts as a drift, what it says, and the exit codes."""

import math
import zlib

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from replication.__main__ import main
from replication.workflow.comparison import compare_folders
from replication.workflow.images import pdf_instructions
from replication.workflow.tolerances import Rules, excess


@pytest.fixture
def folders(tmp_path):
    """Two equal folders of results."""
    for name in ("old", "new"):
        folder = tmp_path / name / "study"
        folder.mkdir(parents=True)
        table = pd.DataFrame(
            {
                "method": ["direct", "latent", "moments"],
                "error": ["0.228666", "0.0305", "1e-07"],
                "converged": ["true", "true", ""],
                "seconds": ["1.5", "2.5", "3.5"],
                "em_iterations": ["30", "31", "32"],
            }
        )
        table.to_csv(folder / "errors.csv", index=False)
        pixels = np.full((40, 30, 4), 255, dtype=np.uint8)
        Image.fromarray(pixels).save(folder / "picture.png")
        (folder / "note.txt").write_text("the same")
    return tmp_path / "old", tmp_path / "new"


def change(folder, column, row, value, file="study/errors.csv"):
    table = pd.read_csv(folder / file, dtype=str, keep_default_na=False)
    table.loc[row, column] = value
    table.to_csv(folder / file, index=False)


def test_equal_folders_agree(folders, capsys):
    assert main(["compare", *map(str, folders)]) == 0
    assert capsys.readouterr().out == "3 files agree.\n"


def test_a_number_altered_by_one_per_cent_is_named_with_file_column_and_row(folders, capsys):
    change(folders[1], "error", 1, f"{0.0305 * 1.01:.6g}")
    assert main(["compare", *map(str, folders)]) == 1
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("study/errors.csv: error: 1 of 3 rows (rows 2); worst row 2: 0.0305 -> 0.030805")
    assert last == "1 of 3 files drifted."


@pytest.mark.parametrize(
    ("column", "row", "value"),
    [
        ("error", 0, "0.228676"),  # within 1e-4 of its size
        ("error", 2, "-5e-07"),  # within 1e-6
        ("error", 1, "3.05e-2"),  # written otherwise
        ("seconds", 0, "99"),
        ("em_iterations", 0, "99"),
    ],
)
def test_within_tolerance_or_measured_is_no_drift(folders, column, row, value):
    change(folders[1], column, row, value)
    assert compare_folders(*folders)[0] == []


@pytest.mark.parametrize(
    ("column", "row", "value"),
    [
        ("error", 0, "0.2288"),
        ("error", 2, "2e-06"),
        ("error", 1, ""),
        ("method", 0, "Direct"),
        ("converged", 0, "false"),
    ],
)
def test_text_is_exact_and_numbers_are_within_tolerance(folders, column, row, value):
    change(folders[1], column, row, value)
    (drift,) = compare_folders(*folders)[0]
    assert drift.what.startswith(f"{column}: 1 of 3 rows (rows {row + 1})")


def test_tolerance_of_a_column(folders, capsys):
    change(folders[1], "error", 0, "0.24")
    both = [*map(str, folders)]
    assert main(["compare", *both]) == 1
    assert main(["compare", *both, "--tolerance", "study/*.csv:err*=0.1"]) == 0
    assert main(["compare", *both, "--tolerance", "other.csv:error=0.1"]) == 1
    assert main(["compare", *both, "--relative", "0.1"]) == 0
    assert main(["compare", *both, "--leave-out", "study/errors.csv"]) == 0


def test_the_worst_comes_first(folders):
    change(folders[1], "error", 0, "0.23")
    table = pd.DataFrame({"x": [1.0, 2.0, 3.0]})
    table.to_csv(folders[0] / "a.csv", index=False)
    (table * 2).to_csv(folders[1] / "a.csv", index=False)
    (folders[0] / "study/gone.csv").write_text("x\n1\n")
    drifts, files = compare_folders(*folders)
    assert [drift.file for drift in drifts] == ["study/gone.csv", "a.csv", "study/errors.csv"]
    assert files == 5
    assert "3 of 3 rows (rows 1, 2, 3)" in str(drifts[1])


def test_a_file_row_or_column_on_one_side_is_drift(folders):
    (folders[1] / "study/extra.csv").write_text("x\n1\n")
    table = pd.read_csv(folders[1] / "study/errors.csv", dtype=str)
    table.drop(columns="method").head(2).to_csv(folders[1] / "study/errors.csv", index=False)
    (folders[1] / "study/note.txt").write_text("other")
    whats = sorted(str(drift) for drift in compare_folders(*folders)[0])
    assert whats == [
        "study/errors.csv: 3 rows -> 2 rows",
        "study/errors.csv: method: column is gone",
        "study/extra.csv: only in the new run",
        "study/note.txt: other content",
    ]


@pytest.mark.parametrize("name", ["benchmarks/rules.csv", "private/poll/table1.csv", ".hidden"])
def test_left_out(folders, name):
    file = folders[1] / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("x\n1\n")
    assert compare_folders(*folders)[0] == []


def test_pictures_by_pixels(folders):
    file = folders[1] / "study/picture.png"
    pixels = np.asarray(Image.open(file)).copy()
    Image.fromarray(pixels).save(file, compress_level=1)
    assert file.read_bytes() != (folders[0] / "study/picture.png").read_bytes()
    pixels[3, 4] = [250, 250, 250, 255]
    Image.fromarray(pixels).save(file)
    assert compare_folders(*folders)[0] == [], "five levels are not seen"
    pixels[3:5, 4] = [0, 0, 0, 255]
    Image.fromarray(pixels).save(file)
    assert str(compare_folders(*folders)[0][0]) == "study/picture.png: 2 of 1,200 pixels differ"
    Image.fromarray(pixels[:30]).save(file)
    assert "30 x 40 pixels -> 30 x 30" in str(compare_folders(*folders)[0][0])


def pdf(instructions, level):
    return b"%PDF\nstream\n" + zlib.compress(instructions, level) + b"\nendstream\n"


def test_pdfs_by_what_they_draw():
    line = b"72.000001 10 m 100.5 20 l S"
    assert pdf(line, 9) != pdf(line, 0)
    assert pdf_instructions(pdf(line, 9)) == pdf_instructions(pdf(line, 0))
    assert pdf_instructions(pdf(line, 9)) == pdf_instructions(pdf(b"72 10.000 m 100.5 20 l S", 9))
    assert pdf_instructions(pdf(line, 9)) != pdf_instructions(pdf(b"72 10 m 100.6 20 l S", 9))
    assert pdf_instructions(pdf(line, 9)) != pdf_instructions(pdf(b"72 10 m 100.5 20 l f", 9))


@pytest.mark.parametrize("number", [b"1e999", b"1e308"])
def test_a_pdf_with_a_number_beyond_all_measure_is_a_drift(folders, number, capsys):
    for folder, instructions in zip(folders, (b"1 10 m", number + b" 10 m"), strict=True):
        (folder / "study/plot.PDF").write_bytes(pdf(instructions, 9))
    assert main(["compare", *map(str, folders)]) == 1
    assert capsys.readouterr().out.splitlines()[0] == "study/plot.PDF: draws something else"
    assert pdf_instructions(pdf(number, 9)) == pdf_instructions(pdf(number, 0))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("1", "1.0", 0),
        ("1", "1.000101", 0.9999),
        ("0", "2e-6", 2),
        ("", "0", math.inf),
        ("nan", "0", math.inf),
        ("12e4567890123456", "13e4567890123456", math.inf),
    ],
)
def test_excess(old, new, expected):
    assert excess(old, new, 1e-4, 1e-6) == pytest.approx(expected, rel=1e-3)


def test_zero_tolerance_is_exact():
    assert excess("1", "1.000001", 0, 0) == math.inf
    assert Rules(0, 0).tolerance("a.csv", "x") == (0, 0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["OLD", "nowhere"], "nowhere: no such folder"),
        (["OLD", "EMPTY"], "no file to compare"),
        (["OLD", "NEW", "--tolerance", "error=1"], "expected FILE:COLUMN=RELATIVE"),
        (["OLD", "NEW", "--tolerance", "a:b=x"], "found x; expected a number of 0 or more"),
        (["OLD", "NEW", "--relative", "-1"], "--relative: found -1.0"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(folders, tmp_path, capsys, arguments, words):
    (tmp_path / "empty").mkdir()
    named = {"OLD": folders[0], "NEW": folders[1], "EMPTY": tmp_path / "empty"}
    assert main(["compare", *(str(named.get(word, word)) for word in arguments)]) == 2
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1


@pytest.mark.parametrize("rows", ["1,2,3\n4,5,6\n7,8,9\n", "1,2,3\n4,5\n7,8\n"])
def test_rows_longer_than_their_header_are_a_drift(folders, rows, capsys):
    (folders[0] / "study/errors.csv").write_text("a,b\n1,2\n3,4\n5,6\n")
    (folders[1] / "study/errors.csv").write_text("a,b\n" + rows)
    assert main(["compare", *map(str, folders)]) == 1
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith(f"study/errors.csv: {folders[1]}/study/errors.csv: not a CSV table (rows longer")
    assert last == "1 of 3 files drifted."


def test_a_file_that_cannot_be_read_is_a_drift_beside_the_others(folders, capsys):
    (folders[1] / "study/errors.csv").write_bytes(b'a,b\n"1,2\n3\n')
    (folders[1] / "study/picture.png").write_bytes(b"no picture")
    (folders[1] / "study/note.txt").write_text("another")
    assert main(["compare", *map(str, folders)]) == 1
    first, second, third, last = capsys.readouterr().out.splitlines()
    assert first.startswith("study/errors.csv: ") and "not a CSV table" in first
    assert second == "study/note.txt: other content"
    assert third.startswith("study/picture.png: ") and "not a picture" in third
    assert last == "3 of 3 files drifted."


def test_files_that_are_no_pdf_are_compared_as_they_are(folders, capsys):
    for folder, text in zip(folders, "ab", strict=True):
        (folder / "study/figure.pdf").write_text(text)
    assert main(["compare", *map(str, folders)]) == 1
    assert "study/figure.pdf: draws something else" in capsys.readouterr().out
