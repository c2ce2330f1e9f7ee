"""The workflow's jobs, as a dry run of Snakemake lists them: which command makes which files from which.

Nothing is run or written. A dry run tells its loggers of every job in a structured record; this module
listens for those, in a process of its own, since Snakemake sets up signals and logging for the whole process.
"""

import argparse
import contextlib
import io
import json
import logging
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Job:
    """One job: its rule, the files it reads and makes, relative to the project, and its shell command."""

    rule: str
    inputs: tuple
    outputs: tuple
    command: str

    @property
    def modules(self):
        """The modules that the command runs.

        >>> Job("figure2", (), (), "python -m replication.motivation.figure2 --output a.png").modules
        ['replication.motivation.figure2']
        """
        return re.findall(r"python -m ([\w.]+)", self.command)


def list_jobs(folder=".", configfile=None):
    """Every job that `rule all` needs, in a fixed order, whether or not its files are there.

    Arguments: the project's folder; a YAML file of settings that override config/config.yaml. Raises
    ValueError with Snakemake's words where the workflow cannot be read.
    """
    command = [sys.executable, "-m", "replication.workflow.jobs"] + (
        ["--configfile", configfile] if configfile else []
    )
    source = str(Path(__file__).resolve().parents[2])
    environment = {**os.environ, "PYTHONPATH": source}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise ValueError(f"{folder}: the workflow cannot be read: {done.stderr.strip()}")
    return [
        Job(job["rule"], tuple(job["inputs"]), tuple(job["outputs"]), job["command"])
        for job in json.loads(done.stdout)
    ]


def ancestors(jobs):
    """Each output -> the jobs that it comes from: the one that makes it, and those that make its inputs.

    >>> first, last = Job("a", ("x",), ("y",), ""), Job("b", ("y",), ("z",), "")
    >>> [job.rule for job in ancestors([last, first])["z"]]
    ['a', 'b']
    """
    maker = {output: job for job in jobs for output in job.outputs}
    found = {}

    def of(job):
        if job not in found:
            before = {maker[file] for file in job.inputs if file in maker}
            found[job] = {job}.union(*(of(earlier) for earlier in before))
        return found[job]

    return {output: sorted(of(job), key=lambda each: each.outputs) for output, job in maker.items()}


class _Listener(logging.Handler):
    def __init__(self):
        super().__init__()
        self.jobs = {}

    def emit(self, record):
        if getattr(record, "event", None) == "job_info" and record.output:
            self.jobs[record.jobid] = {
                "rule": record.rule_name,
                # Snakemake puts remarks such as "(report)" after a name.
                "inputs": [str(file).split(" (")[0] for file in record.input],
                "outputs": [str(file).split(" (")[0] for file in record.output],
                "command": record.shellcmd or "",
            }


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--configfile", help="overrides of config/config.yaml")
    args = parser.parse_args(arguments)
    from snakemake.cli import main as snakemake

    listener = _Listener()
    logger = logging.getLogger("snakemake")
    logger.addHandler(listener)
    words = ["--dry-run", "--forceall", "--nolock", "--cores", "1"]
    words += ["--configfile", args.configfile] if args.configfile else []
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            snakemake(words)
        code = 0
    except SystemExit as stop:
        code = stop.code
    if code:
        print(said.getvalue(), file=sys.stderr)
        return 1
    print(json.dumps(sorted(listener.jobs.values(), key=lambda job: job["outputs"])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
