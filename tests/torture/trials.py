"""One trial: a command with inputs of which some are broken, all from one number.

A trial writes its inputs to a folder of its own and says how the command is called, which files it may write, and
which other call must give the same bytes (the same rows in another order, or in another format).
"""

import csv
import io
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from replication import __main__ as replication
from replication.shared.yaml_files import read_yaml
from replication.workflow.settings import check_settings
from torture.broken_files import break_bytes
from torture.fit_trials import fit
from torture.scene import ROOT, Scene, Trial, sound_log, text_of
from wsclust import cli


@cache
def sound_fit():
    """Posterior and summary of a fit to the sound log, as bytes."""
    with TemporaryDirectory() as folder:
        folder = Path(folder)
        rows, labels, _ = sound_log()
        for name, table in (("events", rows), ("labels", labels)):
            (folder / f"{name}.csv").write_bytes(text_of(table))
        words = [
            "fit",
            f"{folder}/events.csv",
            "--labels",
            f"{folder}/labels.csv",
            "--factors",
            "level,shape,basket",
        ]
        words += [
            "--cut",
            "basket:quantiles=2",
            "--half-samples",
            "0",
            "--no-check",
            "--output",
            f"{folder}/p.csv",
        ]
        code = cli.main([*words, "--summary", f"{folder}/fit.json"])
        assert code == 0, code
        return (folder / "p.csv").read_bytes(), (folder / "fit.json").read_bytes()


def score(scene):
    """`wsclust score` of a broken log, with a broken posterior or summary."""
    random = scene.random
    posterior, summary = sound_fit()
    events = scene.table("events", sound_log()[0], scene.broken())
    rows = list(csv.reader(io.StringIO(posterior.decode())))
    words = ["score", events, "--posterior", scene.table("posterior", rows, scene.broken(0.4), ("csv",))]
    if random.random() < 0.95:
        broken = break_bytes(random, summary) if scene.broken(0.1) else summary
        words += ["--summary", scene.file("fit.json", broken)]
    output = random.choice(("scored.csv", "scored.csv.gz", "scored.parquet"))
    same = None
    if output == "scored.csv" and (other := scene.another_form(events, in_order=True)):
        same = ["score", other, *words[2:], "--output", "same.csv"]
    return Trial([*words, "--output", output], scene.names, [output], same)


def count_shard(scene):
    """`wsclust count-shard` of a broken log."""
    random = scene.random
    events = scene.table("events", sound_log()[0], True)
    words = ["count-shard", events, "--factors", random.choice(("level", "level,shape", "shape,group"))]
    words += ["--count", random.choice(("n", "basket"))] if random.random() < 0.3 else []
    words += ["--missing", "unknown"] if random.random() < 0.3 else []
    return Trial([*words, "--output", "counts.parquet"], scene.names, ["counts.parquet"])


def add_counts(scene):
    """`wsclust add-counts` of broken parts."""
    rows, _, _ = sound_log()
    parts = [[*row[:3], row[4]] for row in rows]
    names = [
        scene.table(f"part{i}", parts[:1] + parts[1 + i :: 3], scene.broken(), ("parquet",)) for i in range(3)
    ]
    return Trial(["add-counts", *names, "--output", "total.parquet"], scene.names, ["total.parquet"])


def audit_sample(scene):
    """`wsclust audit-sample` of a broken log."""
    random = scene.random
    rows, labels, _ = sound_log()
    events = scene.table("events", rows, scene.broken())
    words = ["audit-sample", events, "--labels", scene.table("labels", labels, scene.broken(0.4))]
    words += ["--factors", "level,shape", "--size", random.choice(("20", "20", "1", "1000", "0"))]
    words += ["--design", random.choice(("bins", "random", "groups"))]
    words += ["--id", random.choice(("basket", "n", "none"))] if random.random() < 0.2 else []
    return Trial([*words, "--output", "look.csv"], scene.names, ["look.csv"], keeps=True)


def plan(scene):
    """`wsclust plan` from broken data or with any numbers."""
    random = scene.random
    words = ["plan", "--simulate", "0", "--output", "plan.csv"]
    if random.random() < 0.5:
        rows, labels, _ = sound_log()
        words += ["--like", scene.table("events", rows, scene.broken()), "--factors", "level,shape"]
        words += ["--labels", scene.table("labels", labels, scene.broken(0.4))]
    else:
        numbers = ("0", "1", "2", "15", "300", "1e3", "-1", "nan", "inf", "0.5", "1e300")
        for option in ("--groups", "--clicks", "--label-sd", "--mu-sd", "--bins"):
            if random.random() < 0.7:
                words += [option, random.choice(numbers)]
        words += (
            ["--rho", random.choice(numbers), random.choice((".9", *numbers))]
            if random.random() < 0.3
            else []
        )
    return Trial(words, scene.names, ["plan.csv"])


def import_poll(scene):
    """`python -m replication import-poll` of a broken survey file with a broken map."""
    random = scene.random
    rows = [["ST", "INC", "UN", "RACE", "VOTE"]]
    for _ in range(80):
        rows.append([random.choice(codes) for codes in (("AL", "NY"), "12345", "123", "123", "12")])
    text = """
state: {column: ST, levels: postal codes}
income: {column: INC, levels: {1: 1, 2: 2, 3: 3, 4: 4, 5: 5}}
union: {column: UN, levels: {self: 1, family: 2, none: 3}}
race: {column: RACE, levels: {white: 1, black: 2, other: 3}}
vote: {column: VOTE, levels: {reagan: 1, mondale: 2}}
"""
    file = scene.table("poll", rows, scene.broken(), ("csv",))
    coded = scene.file("map.yaml", break_bytes(random, text.encode()) if scene.broken() else text.encode())
    words = ["import-poll", file, "--map", coded, "--output", "counts.csv"]
    return Trial(words, scene.names, ["counts.csv"], main=replication.main)


def claim(scene):
    """`python -m replication claim` with a broken ledger."""
    ledger = scene.file("claims.yaml", break_bytes(scene.random, (ROOT / "paper/claims.yaml").read_bytes()))
    results = str(ROOT / "results")
    return Trial(["claim", "--ledger", ledger, "--results", results], scene.names, main=replication.main)


def configuration(scene):
    """The check of a broken config.yaml, as every run of the workflow begins with."""
    broken = scene.file("config.yaml", break_bytes(scene.random, (ROOT / "config/config.yaml").read_bytes()))
    return Trial([broken], scene.names, main=_check_config)


def _check_config(arguments):
    from wsclust.commands.streams import remark

    try:
        check_settings(read_yaml(arguments[0]), read_yaml(ROOT / "config/schema.yaml"))
    except (ValueError, OSError) as error:
        remark(str(error))
        return 2
    return 0


COMMANDS = (
    *(fit, fit, fit, fit, fit, score, score, count_shard, add_counts, audit_sample, plan),
    *(import_poll, claim, configuration),
)


def trial(seed, folder):
    """The trial of a number, with its inputs written to `folder`."""
    random = Random(seed)
    return random.choice(COMMANDS)(Scene(random, folder))
