"""How long each rule ran, from Snakemake's records of the last run, to results/benchmarks/rules.csv.

    python scripts/rule_seconds.py

Run it after `make clean` and `make`, so that the records are of one whole run on one machine.
"""

import argparse
import json
import os
import platform
import sys
from pathlib import Path

import pandas as pd

from replication.workflow.jobs import list_jobs
from wsclust.tables import write_csv

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "results" / "benchmarks" / "rules.csv"


def rule_seconds(records):
    """A frame rule, jobs, seconds (of all its jobs together) from the records of output files.

    >>> record = {"rule": "a", "job_hash": 1, "starttime": 10.0, "endtime": 12.5}
    >>> rule_seconds([record, record, {**record, "job_hash": 2}]).to_dict("records")
    [{'rule': 'a', 'jobs': 2, 'seconds': 5.0}]
    """
    table = pd.DataFrame(records, columns=["rule", "job_hash", "starttime", "endtime"])
    # A job with several outputs has a record for each.
    table = table.groupby(["rule", "job_hash"]).agg({"starttime": "min", "endtime": "max"}).reset_index()
    table["seconds"] = (table["endtime"] - table["starttime"]).round(2)
    by_rule = table.groupby("rule").agg(jobs=("job_hash", "size"), seconds=("seconds", "sum"))
    return by_rule.reset_index()


def main(arguments=None):
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args(arguments)
    rules = {job.rule for job in list_jobs(ROOT)}
    records = []
    for path in (ROOT / ".snakemake" / "metadata").rglob("*"):
        if path.is_file():
            record = json.loads(path.read_text(encoding="utf-8"))
            if record.get("rule") in rules and record.get("endtime"):
                records.append(record)
    table = rule_seconds(records)
    missing = rules - set(table["rule"])
    if missing:
        print(f"rule seconds: no record of {', '.join(sorted(missing))}; run make first", file=sys.stderr)
        return 2
    table["machine"] = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    write_csv(table, TARGET)
    return 0


if __name__ == "__main__":
    sys.exit(main())
