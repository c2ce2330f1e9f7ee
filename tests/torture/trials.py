"""One trial: a command with inputs of which some are broken, all from one number.

A trial writes its inputs to a folder of its own and says how the command is called, which files it may write, and
which other call must give the same bytes (the same rows in another order, or in another format).
"""

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

from replication import __main__ as replication
from replication.shared.yaml_files import read_yaml
from replication.workflow.settings import check_settings
from torture.mutations import break_bytes, break_table, parquet_bytes
from wsclust import cli

ROOT = Path(__file__).parents[2]
LEVELS, SHAPES = ("1", "2", "3"), ("circle", "square")
GROUPS = 25


@dataclass
class Trial:
    """`arguments` of `main`, called in the trial's folder; `inputs` and `outputs`, names of files there.

    `same_as` are arguments whose first output must be the same bytes, or None. `keeps` says that the command refuses to
    write where a file is.
    """

    arguments: list
    inputs: list
    outputs: list = field(default_factory=list)
    same_as: list | None = None
    main: Callable[[list], int] = cli.main
    keeps: bool = False


@cache
def sound_log():
    """A log that is as it should be: (events, labels, outcomes of some), lists of rows with a header."""
    random = Random(20)
    share = {f"shop-{i:02d}": round(random.uniform(0.05, 0.95), 3) for i in range(GROUPS)}
    events = [["group", "level", "shape", "basket", "n"]]
    for _ in range(300):
        group = random.choice(list(share))
        happy = random.random() < share[group]
        level = random.choices(LEVELS, (1, 2, 4) if happy else (4, 2, 1))[0]
        events.append(
            [group, level, random.choice(SHAPES), f"{random.expovariate(0.1):.1f}", str(random.randint(1, 9))]
        )
    labels = [["group", "label", "rated"], *([group, str(label), "12"] for group, label in share.items())]
    outcomes = [["row", "group", "level", "shape", "outcome"]]
    for row in random.sample(range(1, len(events)), 40):
        outcomes.append([str(row), *events[row][:3], str(random.randint(0, 1))])
    return events, labels, outcomes


def text_of(rows):
    """The rows as CSV."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows)
    return written.getvalue().encode("utf-8", "surrogatepass")


class Scene:
    """A folder in which a trial's inputs are written, each broken or not."""

    def __init__(self, random, folder):
        self.random, self.folder, self.names, self.as_rows = random, folder, [], {}

    def table(self, name, rows, broken, formats=("csv", "csv", "parquet")):
        """Write a table and return its file's name."""
        random = self.random
        file = f"{name}.{random.choice(formats)}"
        by_cell = broken and random.random() < 0.7
        rows = break_table(random, rows) if by_cell else rows
        try:
            content = parquet_bytes(random, rows, broken) if file.endswith("parquet") else text_of(rows)
        except (ValueError, csv.Error, UnicodeError):  # no such table can be written in this format
            file, content = f"{name}.csv", text_of(sound_log()[0])
        if broken and not by_cell:
            content = break_bytes(random, content)
        elif file.endswith("csv"):
            self.as_rows[file] = rows
        return self.file(file, content)

    def file(self, name, content):
        """Write a file and return its name."""
        (self.folder / name).write_bytes(content)
        self.names.append(name)
        return name

    def shuffled(self, file):
        """The same table with its rows in another order, if it has a reading that is beyond doubt; else None."""
        rows = self.as_rows.get(file)
        if rows is None or len({len(row) for row in rows}) != 1 or len(rows[0]) < 2:
            return None
        # A byte order mark in a cell is one only in the file's first bytes, and NUL is refused wherever it stands.
        header, body = rows[0], list(rows[1:])
        self.random.shuffle(body)
        return self.file(f"shuffled-{file}", text_of([header, *body]))

    def broken(self, share=0.6):
        return self.random.random() < share


def fit(scene):
    """`wsclust fit` with any options."""
    random = scene.random
    rows, labels, outcomes = sound_log()
    events = scene.table("events", rows, scene.broken())
    options = ["--labels", scene.table("labels", labels, scene.broken(0.4)), "--factors"]
    options.append(random.choices(("level,shape", "level", "shape,level", "level,basket"), (7, 1, 1, 1))[0])
    options += _options(random)
    outputs = ["posterior.csv"]
    for option, name in OUTPUTS.items():
        if random.random() < (0.5 if option == "--summary" else 0.05):
            options += [option, name]
            outputs.append(name)
    audited = random.random() < 0.1
    if not audited and random.random() < 0.8 and "information" not in options:
        options += ["--half-samples", "0"]
    if audited:
        options += ["--audit", scene.table("audit", outcomes, scene.broken(), ("csv",))]
    elif "--count" not in options and (shuffled := scene.shuffled(events)):
        same = ["fit", shuffled, *_without_outputs(options), "--output", "same.csv"]
        return Trial(["fit", events, *options, "--output", "posterior.csv"], scene.names, outputs, same)
    return Trial(["fit", events, *options, "--output", "posterior.csv"], scene.names, outputs)


OUTPUTS = {
    "--summary": "fit.json",
    "--report": "page.html",
    "--plot": "fit.svg",
    "--plot-lines": "lines.svg",
    "--groups": "groups.csv",
    "--effects-output": "effects.csv",
}
# How often an option is given, values that can be, and values that cannot.
OPTIONS = {
    "--method": (
        0.5,
        ("direct", "moments", "latent", "additive", "latent,direct"),
        ("em", "latent,latent", ","),
    ),
    "--effects": (0.05, ("bins", "additive"), ()),
    "--numeric": (0.05, ("basket",), ("shape", "none")),
    "--by": (0.05, ("shape", "level"), ("none", "group", "n")),
    "--he-weight": (0.2, ("0", "0.1", "10", "1e6", "inf"), ("nan", "-1", "1e-300", "x")),
    "--cap": (0.2, ("5", "0.5", "1e9"), ("0", "nan", "inf", "-3")),
    "--clip": (0.4, ("0.001", "0.4", "1e-12"), ("0.5", "0", "nan")),
    "--count": (0.15, ("n", "basket"), ("level", "group", "none")),
    "--percent": (0.03, (None,), ()),
    "--drop-unlabelled": (0.7, (None,), ()),
    "--missing": (0.2, ("unknown", "1"), ("", " ")),
    "--cut": (
        0.2,
        ("level:2", "level:quantiles=2"),
        ("basket:20,10", "shape:1", "basket:nan", "basket:10,20"),
    ),
    "--order": (0.1, ("level=3,2,1",), ("shape=square", "level=1,1", "none=1")),
    "--label-n": (0.1, ("rated",), ("label", "group")),
    "--label-sd": (0.1, ("0", "0.5", "50"), ("nan", "-1")),
    "--se": (0.1, ("information", "half-samples"), ()),
    "--seed": (0.1, ("0", "7"), ("-1", "1" * 30)),
    "--no-check": (0.5, (None,), ()),
    "--strict": (0.05, (None,), ()),
    "--prior": (0.1, ("half", "mean"), ()),
    "--ordered": (0.05, ("level", "shape"), ("none",)),
    "--pseudo-events": (0.05, ("2", "1e-3", "1e9"), ("0", "-1", "nan")),
    "--tolerance": (0.03, ("1e-3", "1e-15"), ("0", "nan", "1e30")),
    "--max-iterations": (0.03, ("1", "5"), ("0", "-1")),
}
LATENT_ALONE = ("--he-weight", "--prior", "--pseudo-events", "--tolerance", "--max-iterations", "--label-n")


def _options(random, share_broken=0.05):
    """Some options of `wsclust fit`; a few have a value, or stand beside a method, that is refused."""
    method = random.choice(OPTIONS["--method"][1])
    words = ["--method", method] if random.random() < 0.7 else []
    for option, (chance, sound, broken) in OPTIONS.items():
        unfit = words and method in ("direct", "moments") and option in LATENT_ALONE
        if option == "--method" or random.random() >= chance or (unfit and random.random() < 0.9):
            continue
        values = broken if broken and random.random() < share_broken else sound
        words += [word for word in (option, random.choice(values)) if word is not None]
    return words


def _without_outputs(options):
    kept, words = [], iter(options)
    for word in words:
        if word in OUTPUTS:
            next(words)
        else:
            kept.append(word)
    return kept


@cache
def sound_fit():
    """Posterior and summary of a fit to the sound log, as bytes."""
    from tempfile import TemporaryDirectory

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
    return Trial([*words, "--output", output], scene.names, [output])


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
