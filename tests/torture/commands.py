"""The commands that are stopped and disturbed, and the files that they read and write."""

import re
import subprocess
import sys
from dataclasses import dataclass
from random import Random

from torture.scene import text_of

WSCLUST = [sys.executable, "-m", "wsclust.cli"]
LABELLED = ["--labels", "labels.csv", "--factors", "level,shape"]
SECONDS = re.compile(rb"\"seconds\"[^\n]*|&#34;seconds&#34;[^\n]*")
FIT = ["fit", "events.csv", *LABELLED, "--half-samples", "50"]


@dataclass(frozen=True)
class Command:
    """`words` of `wsclust`, called in a folder with the inputs of `write_inputs`, and the `outputs` it writes."""

    words: tuple
    outputs: tuple

    def start(self, folder):
        """The running command, in a process group of its own."""
        return subprocess.Popen(
            [*WSCLUST, *self.words],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )


COMMANDS = {
    "fit": Command(
        (*FIT, "--output", "p.csv", "--summary", "p.json", "--report", "p.html"),
        ("p.csv", "p.json", "p.html"),
    ),
    "score": Command(
        ("score", "events.csv", "--posterior", "fitted.csv", "--output", "scored.csv"), ("scored.csv",)
    ),
    "count-shard": Command(
        ("count-shard", "events.csv", "--factors", "level,shape", "--output", "counts.parquet"),
        ("counts.parquet",),
    ),
    "add-counts": Command(("add-counts", "part.parquet", "--output", "total.parquet"), ("total.parquet",)),
    "audit": Command(
        ("fit", "events.csv", *LABELLED, "--audit", "audit.csv", "--output", "a.csv", "--summary", "a.json"),
        ("a.csv", "a.json"),
    ),
}


def write_inputs(folder, events=60_000, groups=200):
    """Events, labels, an audit, a fit and partial counts that take a command a while."""
    random = Random(1)
    share = {f"shop-{i:03d}": round(random.uniform(0.05, 0.95), 3) for i in range(groups)}
    rows = [["group", "level", "shape"]]
    for group in random.choices(list(share), k=events):
        level = random.choices("123", (1, 2, 4) if random.random() < share[group] else (4, 2, 1))[0]
        rows.append([group, level, random.choice(("circle", "square"))])
    labels = [["group", "label"], *([group, str(label)] for group, label in share.items())]
    audit = [[*rows[0], "outcome"], *([*row, random.choice("01")] for row in rows[1:200])]
    for name, table in (("events", rows), ("labels", labels), ("audit", audit)):
        (folder / f"{name}.csv").write_bytes(text_of(table))
    for words in (
        [*FIT, "--output", "fitted.csv"],
        ["count-shard", "events.csv", "--factors", "level,shape", "--output", "part.parquet"],
    ):
        subprocess.run([*WSCLUST, *words], cwd=folder, check=True, capture_output=True)


def outputs_of(command, folder):
    """The bytes of each output, without how long the run took, which is all that may differ."""
    return {output: SECONDS.sub(b"", (folder / output).read_bytes()) for output in command.outputs}
