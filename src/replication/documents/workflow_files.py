"""The table of the page on reproducing: for each file its rule, its module and its seconds.

The rules, modules and files come from a dry run of the workflow, the seconds from results/benchmarks/rules.csv.
"""

import os

import pandas as pd

from replication.workflow.jobs import list_jobs

SECONDS = "results/benchmarks/rules.csv"


def files(root):
    """The table in Markdown, for the workflow in the folder `root`."""
    path = root / SECONDS
    seconds = pd.read_csv(path).set_index("rule")["seconds"].to_dict() if path.exists() else {}
    return table(list_jobs(root), seconds)


def shortened(files):
    """Files in as few words as a shell would take.

    >>> shortened(["figures/a.pdf", "figures/a.png", "results/x/b.csv", "results/x/c.csv"])
    '`figures/a.{pdf,png}`, `results/x/{b,c}.csv`'
    """
    groups = {}
    for file in sorted(files):
        folder, _, name = file.rpartition("/")
        stem, _, ending = name.rpartition(".")
        # The two forms of a figure share a stem, the tables of a study share a folder.
        key = (folder, stem) if ending in ("pdf", "png") else (folder, f".{ending}")
        groups.setdefault(key, []).append(ending if ending in ("pdf", "png") else stem)
    words = []
    for (folder, shared), parts in groups.items():
        inside = parts[0] if len(parts) == 1 else "{" + ",".join(parts) + "}"
        words.append(f"`{folder}/{inside}{shared}`" if shared[0] == "." else f"`{folder}/{shared}.{inside}`")
    return ", ".join(words)


def table(jobs, seconds):
    """The table in Markdown: a row for each rule, figures first, then those that make tables, then parts.

    Arguments: a list of Job; a dict from a rule to its seconds.
    """
    rows = {}
    for job in jobs:
        modules, files = rows.setdefault(job.rule, (set(), []))
        modules.update(job.modules)
        files += job.outputs

    def order(rule):
        files = rows[rule][1]
        kinds = [file.split("/")[0] for file in files]
        return (0 if "figures" in kinds else 1 if "results" in kinds else 2, sorted(files)[0])

    lines = ["| files | rule | module | seconds |", "|---|---|---|---:|"]
    for rule in sorted(rows, key=order):
        modules, files = rows[rule]
        folder = os.path.commonpath([os.path.dirname(file) for file in files])
        made = shortened(files) if len(files) <= 15 else f"{len(files)} files in `{folder}/`"
        if all(file.startswith("build/") for file in files):
            made = f"{len(files)} part{'s' * (len(files) > 1)} in `{folder}/`"
        shown = ", ".join(f"`{module}`" for module in sorted(modules))
        time = f"{seconds[rule]:.0f}" if rule in seconds else ""
        lines.append(f"| {made} | `{rule}` | {shown} | {time} |")
    return "\n".join(lines) + "\n"
