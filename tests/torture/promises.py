"""What must hold however broken an input is, as sentences about what was found instead."""

import gzip
import json
import math
import re

import pandas as pd
import pyarrow.parquet as pq

OLD = b"what was here before\n"
PROGRAM = re.compile(r"(wsclust|replication|python -m replication)\b[^:]*: ")


def broken_promises(trial, folder, code, stdout, stderr, same_code=None):
    """A list of sentences, empty where all promises are kept.

    Arguments: the Trial; the folder that it ran in, where each of its outputs held OLD before; the exit code, or the
    exception that came instead; what was printed; the exit code of `same_as`.
    """
    if not isinstance(code, int):
        return [f"{type(code).__name__} instead of a line: {code}"]
    found = []
    if code not in ((0, 1, 2, 3) if trial.arguments[0] == "claim" else (0, 2, 3)):
        found.append(f"exit code {code}")
    if "Traceback" in stderr:
        found.append("a traceback")
    found += _left_behind(trial, folder)
    if code == 2:
        found += _refusal(trial, folder, stderr)
    elif trial.outputs:
        unbounded = "moments" in trial.arguments
        found += [sentence for name in trial.outputs for sentence in _output(folder / name, unbounded)]
    if trial.same_as is not None and code in (0, 3) and same_code != code:
        found.append(f"exit code {code}, but {same_code} with the rows in another order or form")
    elif trial.same_as is not None and code in (0, 3):
        if (folder / trial.outputs[0]).read_bytes() != (folder / "same.csv").read_bytes():
            found.append("other bytes with the rows in another order or form")
    return found


def _left_behind(trial, folder):
    known = {*trial.inputs, *trial.outputs, "same.csv"}
    return [f"{path.name} was left behind" for path in folder.iterdir() if path.name not in known]


def _refusal(trial, folder, stderr):
    lines = [line for line in stderr.splitlines() if line and ": warning: " not in line]
    if len(lines) != 1:
        yield f"{len(lines)} lines instead of one: {lines[:3]}"
    elif len(lines[0]) > 1500:
        yield f"a line of {len(lines[0]):,} characters"
    for name in trial.outputs:
        if (folder / name).exists() if trial.keeps else (folder / name).read_bytes() != OLD:
            yield f"{name} was written although the exit code is 2"


def _output(path, unbounded):
    content = path.read_bytes()
    if content == OLD:
        yield f"{path.name} was not written although the exit code is not 2"
    elif path.suffix == ".parquet":
        pq.read_table(path)
    elif path.suffix == ".json":
        json.loads(content, parse_constant=_no_number)
    elif path.suffix == ".gz":
        gzip.decompress(content)
    elif path.name in ("posterior.csv", "plan.csv"):
        yield from _numbers(path, unbounded)


def _no_number(text):
    raise ValueError(f"{text} in JSON")


def _numbers(path, unbounded):
    table = pd.read_csv(path, keep_default_na=False, na_values=[""])
    if not len(table):
        yield f"{path.name} has no rows"
    for column in ("n", "posterior", "se", "lower", "upper"):
        if column in table and any(math.isinf(value) for value in pd.to_numeric(table[column])):
            yield f"an infinite {column}"
    if "posterior" not in table:
        return
    value = table["posterior"]
    if value.isna().any() and (table["n"][value.isna()] > 0).any():
        yield "a bin with events and no posterior"
    if ((value < 0) | (value > 1)).any() and not unbounded:
        yield "a posterior outside [0, 1]"
    if {"lower", "upper"} <= set(table):
        if ((table["lower"] > value + 1e-12) | (value > table["upper"] + 1e-12)).any():
            yield "a posterior outside its interval"
