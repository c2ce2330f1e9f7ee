import csv
import json
import os
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

from replication.workflow.tolerances import ELSEWHERE
from replication.workflow.fresh_copy import is_fresh
from replication.workflow.inputs import check_tables
from replication.workflow.invocation import check_cluster, command_line, is_run
from replication.workflow.modules import module_files
from replication.workflow.one_run import hold_until_exit
from replication.workflow.settings import check_settings
from replication.shared.designs import read_definitions
from replication.shared.yaml_files import read_yaml

try:
    check_settings(config, read_yaml("config/schema.yaml"))
    check_tables(config)
    check_cluster(command_line(), ".")
    # A look, such as a dry run, changes nothing.
    if is_run(command_line()):
        hold_until_exit(".")
    elif is_fresh(".") and getattr(command_line(), "dryrun", False):
        print("The first run in this folder makes everything, whatever a dry run lists.", file=sys.stderr)
except (ValueError, OSError) as error:
    raise WorkflowError(error)

# Of the shell that runs a job, and not shell.prefix, which takes braces in a path for names. The interpreter that
# runs Snakemake runs the jobs too. A rule therefore has no environment of its own, which would be activated in
# vain; `make lint` leaves out the linter's complaint about that, and no other (replication.workflow.lint). One
# thread for each job, since sums in another order differ in the last digits; figures are drawn without a screen.
os.environ.update(
    PATH=f"{Path(sys.executable).parent}:{os.environ.get('PATH', os.defpath)}",
    PYTHONPATH="src",
    MPLBACKEND="Agg",
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
)


def modules(name):
    """The files that a rule's command imports, as its input."""
    return module_files(name)


# What each job depends on, by the name of its file, build/settings/NAME.json; the rooms' rules fill it.
SETTINGS = {}


def job_settings(section, leave_out=()):
    """A section of the config without some keys, its methods with their settings, and the seed, or one of its own."""
    chosen = {key: value for key, value in section.items() if key not in leave_out}
    if "methods" in chosen:
        chosen["methods"] = {name: config["methods"][name] for name in chosen["methods"]}
    return {**chosen, "seed": chosen.get("seed", config["seed"])}


def images(name):
    """A figure's files: PDF for print, PNG for the README."""
    return [f"figures/{name}.pdf", f"figures/{name}.png"]


def imported_polls():
    """The tables of voters in data/private, by name; other files there are left alone."""
    names = []
    for path in sorted(Path("data/private").glob("*.csv")):
        with open(path, newline="", encoding="utf-8", errors="replace") as file:
            header = next(csv.reader(file), [])
        if {"state", "income", "union", "race", "reagan", "mondale"} <= set(header):
            names.append(path.stem)
    return names


def private_tables(wildcards):
    names = imported_polls()
    if not names:
        raise WorkflowError(
            "data/private: no imported poll; first run `python -m replication import-poll FILE --map MAP --output "
            "data/private/NAME.csv`"
        )
    return [
        f"results/private/{name}/{file}"
        for name in names
        for file in ("distance.csv", "figure5.csv", "figure5.pdf", "figure5.png")
    ]


def private_table1s(wildcards):
    return [f"results/private/{name}/table1.csv" for name in imported_polls()]


def survey_table(design):
    """Where the table of a design is and which columns it has: kept here, or as a rebuild made it."""
    return SURVEY["tables"].get(design, {"table": f"build/survey/{design}.csv"})


def audited_designs():
    """The designs of `make audit`: those whose tables have the columns group, bin, positive and n."""
    return [name for name in DESIGNS if set(survey_table(name)) == {"table"}]


def tables_of_designs(wildcards):
    """The tables of a set of designs: kept here, or as `make survey` made them."""
    tables = [survey_table(design)["table"] for design in NOISY_REAL["sets"][wildcards.set]]
    for table in tables:
        if not Path(table).exists():
            raise WorkflowError(f"{table}: no such table; run `make survey` first")
    return tables


def drawn(name, title, caption=None):
    """The same as an output, whose PNG the report shows under this title."""
    pdf, png = images(name)
    caption = f"../captions/{caption or name}.rst"
    return [pdf, report(png, caption=caption, category="Figures", labels={"figure": title})]


def table_page(file):
    """A table's page, filed in the report by the table's folder."""
    name = file.removeprefix("results/").removesuffix(".csv")
    category = "Claims" if name == "claims" else "Tables"
    return report(f"build/report/{name}.html", category=category, labels={"table": name})


def claim_results():
    """The files that the claims name; benchmarks, which no rule makes, only where they were run.

    What `make` does not make is read as it is: as an input it would have to be made first.
    """
    files = [Path("results", file["path"]) for file in read_yaml("paper/claims.yaml")["files"].values()]
    measured = [file for file in files if file.parts[1] == "benchmarks" and file.exists()]
    return [str(file) for file in [*(f for f in files if f.parts[1] not in ELSEWHERE), *measured]]
