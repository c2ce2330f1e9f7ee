"""Keeps the answers of another program as JSON, or says whether those that are kept still stand.

An answer is a list of numbers with the standard error of each; data and answers belong to a model:
{model: {"data": {name: numbers}, "answers": {name: {"value": [...], "error": [...]}}}}.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

# Of some hundred numbers the farthest is rarely more than three standard errors off.
MOST_ERRORS = 4


def read(name):
    """What is kept of a program: {model: {"data": ..., "answers": ...}}, each list as an array."""
    kept = json.loads(Path(__file__).with_name(f"{name}.json").read_text(encoding="utf-8"))
    return {
        model: {
            "data": {part: np.array(numbers) for part, numbers in found["data"].items()},
            "answers": {
                part: {kind: np.array(numbers) for kind, numbers in answer.items()}
                for part, answer in found["answers"].items()
            },
        }
        for model, found in kept.items()
    }


def apart(kept, fresh):
    """How far two answers are apart at most, in standard errors of their difference."""
    error = np.hypot(kept["error"], fresh["error"])
    return float(np.max(np.abs(kept["value"] - fresh["value"]) / error))


def compare(name, kept, fresh):
    """Print a line per answer; return whether all that are kept still stand."""
    stand = True
    for model in kept.keys() - fresh.keys():
        print(f"{name}, {model}: not asked again")
        stand = False
    for model, found in fresh.items():
        before = kept.get(model, {"data": {}, "answers": {}})
        same = before["data"].keys() == found["data"].keys() and all(
            np.allclose(before["data"][part], numbers, rtol=1e-12, atol=0)
            for part, numbers in found["data"].items()
        )
        if not same:
            print(f"{name}, {model}: the data are not those of the answers that are kept")
            stand = False
            continue
        for part, answer in found["answers"].items():
            errors = apart(before["answers"][part], answer)
            verdict = "stands" if errors < MOST_ERRORS else "does not stand"
            print(f"{name}, {model}, {part}: {verdict}; at most {errors:.1f} standard errors apart")
            stand &= errors < MOST_ERRORS
    return stand


def run(name, ask, description):
    """The command line of a program's script. `ask(again)` returns what `read` does, another time if `again`."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--check", action="store_true", help="ask again and compare with what is kept; exit code 1 if apart"
    )
    options = parser.parse_args()
    fresh = ask(options.check)
    if options.check:
        sys.exit(0 if compare(name, read(name), fresh) else 1)
    text = json.dumps(fresh, default=lambda numbers: np.asarray(numbers).tolist())
    Path(__file__).with_name(f"{name}.json").write_text(text + "\n", encoding="utf-8")
