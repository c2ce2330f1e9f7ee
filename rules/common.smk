import json
import os
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

sys.path.insert(0, "src")
from wsclust.provenance import module_files
from wsclust.settings import check_settings, read_yaml

try:
    check_settings(config, read_yaml("config/schema.yaml"))
except ValueError as error:
    raise WorkflowError(error)

# The interpreter that runs Snakemake runs the jobs too, so no environment needs activating; one thread a
# job, since sums in another order differ in the last digits.
shell.prefix(
    f"export PATH={str(Path(sys.executable).parent)!r}:$PATH PYTHONPATH=src OPENBLAS_NUM_THREADS=1 "
    "OMP_NUM_THREADS=1 MKL_NUM_THREADS=1; "
)


def modules(name):
    """The files that a rule's command imports, as its input."""
    return module_files(name)


def methods_of(section):
    """The methods that a section of the config names, with their settings, as JSON."""
    return json.dumps({name: config["methods"][name] for name in config[section]["methods"]})


def images(name):
    """A figure's files: PDF for print, PNG for the README."""
    return [f"figures/{name}.pdf", f"figures/{name}.png"]
