# Before Snakemake reads the settings: a slip in them is one line with its place.
import sys

from snakemake.exceptions import WorkflowError

sys.path.insert(0, "src")
from replication.shared.yaml_files import read_yaml

try:
    for file in ["config/config.yaml", *workflow.overwrite_configfiles]:
        read_yaml(file)
except ValueError as error:
    raise WorkflowError(error)
