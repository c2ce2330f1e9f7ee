"""Runs the workflows on a real two-node Slurm and compares with what they make without it: `make slurm-test`.

Three parts: shards as they should run; shards with one job cancelled and one node set down in the middle,
then run again; the small configuration of the paper. It needs root and Debian's packages, and says in one
line where it cannot run.
"""

import json
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[2]
CLUSTER = ROOT / "tests" / "project" / "slurm_cluster.sh"
NOT_HERE = 3  # the exit code of CLUSTER where Slurm cannot be had
FACTORS = ["level", "shape"]
# The profile is a user's; a login node's patience is not needed here.
QUICK = ["--latency-wait", "5", "--seconds-between-status-checks", "1"]
SLURM = [sys.executable, "-m", "snakemake", "--profile", str(ROOT / "profiles" / "slurm"), *QUICK]
EQUAL = 1e-9
# A job costs two starts of Snakemake, so rules that depend on no other, and those on which no other depends,
# are sent several to a job. With one core they run in turn there; without it a group asks for all their CPUs.
DISCUSSION = ["identities", "label_weight", "label_share", "starts", "identification"]
DISCUSSION += ["moments_by_size", "moments_remedies", "cost"]
STUDIES = ["simulation_part", *(f"discussion_{name}" for name in DISCUSSION)]
PICTURES = ["figure1", "figure2", "figure3", "figure4", "figure5", "click_figure", "movielens_figure"]
PICTURES += ["figure_discussion_labels", "figure_discussion_moments", "figure_why", "survey_figure"]
GROUPS = ["--cores", "1", "--group-components", "studies=5", "pictures=5", "--groups"]
GROUPS += [
    f"{rule}={group}" for group, rules in (("studies", STUDIES), ("pictures", PICTURES)) for rule in rules
]


class Failure(Exception):
    """What did not hold, in one line."""


def make_shards(folder, names, shards, sum_of, events=20_000, groups=300):
    """Events and labels in `folder`, with group names of type `names`, and the workflow's config file."""
    rng = np.random.default_rng(11)
    happy = rng.beta(2, 2, groups)
    group = np.arange(groups) if names == "integer" else np.array([f"query {i}" for i in range(groups)])
    (folder / "log").mkdir(parents=True)
    pd.DataFrame({"group": group, "label": happy}).to_parquet(folder / "labels.parquet")
    for number in range(shards):
        of = np.r_[np.arange(groups), rng.integers(0, groups, events - groups)]
        level = rng.binomial(4, np.where(rng.random(events) < happy[of], 0.7, 0.3))
        shape = rng.choice(["round", "flat"], events)
        frame = pd.DataFrame({"group": group[of], "level": level, "shape": shape})
        frame.to_parquet(folder / "log" / f"part-{number}.parquet")
    settings = {"events": f"{folder}/log", "labels": f"{folder}/labels.parquet", "factors": FACTORS}
    settings |= {"output": f"{folder}/out", "sum_of": sum_of, "fit": {"half_samples": 20}}
    (folder / "config.yaml").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "wsclust.cli", "fit", settings["events"], "--labels", settings["labels"]]
    command += ["--factors", ",".join(FACTORS), "--half-samples", "20", "--output", f"{folder}/whole.csv"]
    subprocess.run([*command, "--summary", f"{folder}/whole.json"], cwd=ROOT, check=True)
    return [
        *SLURM,
        "--snakefile",
        str(ROOT / "shards" / "Snakefile"),
        "--configfile",
        f"{folder}/config.yaml",
    ]


def same_as_whole(folder):
    """The largest difference from the fit of the whole log; Failure where it is above 1e-9."""
    found, expected = (pd.read_csv(folder / name) for name in ("out/posterior.csv", "whole.csv"))
    if not found[FACTORS].equals(expected[FACTORS]):
        raise Failure(f"{folder.name}: other bins than those of the whole log")
    largest = float(np.abs(found.drop(columns=FACTORS) - expected.drop(columns=FACTORS)).max(axis=None))
    events = [json.loads((folder / name).read_text())["events"] for name in ("out/fit.json", "whole.json")]
    if not largest <= EQUAL or events[0] != events[1]:
        raise Failure(
            f"{folder.name}: differs by {largest:g}, expected 0; events {events[0]} and {events[1]}"
        )
    return largest


def run(command, folder, expected=0):
    """Run a workflow in `folder` and return what it said; Failure where its exit code is another."""
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if (result.returncode == 0) != (expected == 0):
        tail = "\n".join(result.stderr.splitlines()[-40:])
        raise Failure(f"{folder.name}: exit code {result.returncode}\n{tail}")
    return result.stderr


def steps(text):
    """How many jobs a run did.

    >>> steps("3 of 9 steps (33%) done\\n4 of 9 steps (44%) done")
    4
    """
    return max((int(done) for done in re.findall(r"^(\d+) of \d+ steps", text, re.MULTILINE)), default=0)


def jobs(state):
    """Job -> node of the jobs that Slurm has in a state."""
    command = ["squeue", "-h", "-t", state, "-o", "%i %N"]
    listing = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(line.split(" ", 1) for line in listing.stdout.splitlines())


def scontrol(*settings):
    subprocess.run(["scontrol", "update", *settings], check=True)


def on_both_nodes():
    """Node -> a job that runs on it, or nothing while a node has none."""
    found = {node: job for job, node in jobs("running").items()}
    return found if len(found) == 2 else None


def wait_until(condition, what, seconds=120):
    """What `condition` gives once it gives something; Failure where that does not come."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise Failure(f"{what}: not seen in {seconds} s")
        time.sleep(0.2)
    return found


def interrupted(command, folder):
    """Run the shards, cancel a job on one node and set the other down while it works, and run them again."""
    with open(folder / "first.log", "w") as log:
        first = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
        try:
            (_, cancelled), (node, lost) = wait_until(on_both_nodes, "jobs running on both nodes").items()
            subprocess.run(["scancel", cancelled], check=True)
            scontrol(f"nodename={node}", "state=down", "reason=test")
            # Slurm queues the job of a lost node again, to start in two minutes.
            wait_until(lambda: lost in jobs("pending"), f"job {lost} queued again")
            scontrol(f"nodename={node}", "state=resume")
            scontrol(f"jobid={lost}", "starttime=now")
            code = first.wait(timeout=300)
        finally:
            first.kill()
    text = (folder / "first.log").read_text()
    if code == 0 or (folder / "out/posterior.csv").exists():
        raise Failure(f"the run with a cancelled job ended with exit code {code}; expected a failure")
    again = run(command, folder)
    return cancelled, node, steps(text), steps(again)


def smoke(folder):
    """The small configuration of the paper on Slurm against the same without it, which `make smoke` made."""
    local = ROOT / ".smoke"
    if not (local / "figures").exists():
        subprocess.run(["make", "smoke"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    copy = [sys.executable, ROOT / "scripts" / "scratch_copy.py", folder]
    copy += ["--without", "results", "--without", "figures"]
    subprocess.run(copy, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    run([*SLURM, *GROUPS, "--configfile", "config/config.yaml", "config/smoke.yaml"], folder)
    compare = [sys.executable, "-m", "replication", "compare"]
    said = []
    for name in ("results", "figures"):
        result = subprocess.run(
            [*compare, local / name, folder / name], cwd=ROOT, capture_output=True, text=True
        )
        if result.returncode:
            raise Failure(f"smoke: {name} differ\n{result.stdout}{result.stderr}")
        said += [f"{name}: {result.stdout.strip()}"]
    return " ".join(said)


def report(began, text):
    print(f"slurm-test: {text} ({time.monotonic() - began:.0f} s)", flush=True)


def check(folder):
    began = time.monotonic()
    command = make_shards(folder / "integer", "integer", shards=3, sum_of=2)
    run(command, folder / "integer")
    difference = same_as_whole(folder / "integer")
    report(began, f"3 shards on two nodes: largest difference from the whole log {difference:g}")
    began = time.monotonic()
    command = make_shards(folder / "text", "text", shards=5, sum_of=5)
    job, node, first, again = interrupted(command, folder / "text")
    difference = same_as_whole(folder / "text")
    report(
        began,
        f"job {job} cancelled and node {node} set down: {first} jobs done, then {again} more; largest "
        f"difference {difference:g}",
    )
    began = time.monotonic()
    report(began, f"the small configuration: {smoke(folder / 'smoke')}")


def main():
    # A signal ends the cluster too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    scratch = Path(tempfile.mkdtemp(prefix="wsclust-slurm-test-"))
    try:
        up = subprocess.run([CLUSTER, "up"], stderr=subprocess.PIPE, text=True)
        if up.returncode == NOT_HERE:
            print(f"slurm-test: skipped; {up.stderr.strip().splitlines()[-1]}")
            return 0
        if up.returncode:
            print(f"slurm-test: the cluster did not start\n{up.stderr}", file=sys.stderr)
            return 1
        check(scratch)
    except Failure as failure:
        print(f"slurm-test: {failure}", file=sys.stderr)
        return 1
    finally:
        subprocess.run([CLUSTER, "down"])
        shutil.rmtree(scratch, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
