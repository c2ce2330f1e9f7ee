"""How Snakemake was called: for a run, which may write, or only for a look; on a cluster or here."""

import shlex
import shutil
import sys
from pathlib import Path

# Options of Snakemake's with which no job runs.
LOOKS = (
    *(
        "dryrun",
        "lint",
        "list_rules",
        "list_target_rules",
        "print_compilation",
        "dag",
        "rulegraph",
        "filegraph",
    ),
    *("d3dag", "unlock", "summary", "detailed_summary", "list_changes", "list_input_changes", "archive"),
    *("list_params_changes", "list_untracked", "list_conda_envs", "conda_cleanup_envs", "cleanup_metadata"),
    *("conda_create_envs_only", "cleanup_shadow", "container_cleanup_images", "generate_unit_tests"),
    *("delete_all_output", "delete_temp_output", "report"),
)


def command_line():
    """The options of the Snakemake command line that reads this Snakefile; None where there is none.

    Snakemake hands them to no Snakefile, and what it does hand on does not tell a dry run from another while
    the rules are read.
    """
    frame = sys._getframe()
    while frame is not None:
        if frame.f_globals.get("__name__") == "snakemake.cli" and hasattr(
            frame.f_locals.get("args"), "dryrun"
        ):
            return frame.f_locals["args"]
        frame = frame.f_back
    return None


def is_run(given):
    """Whether jobs run, started by this process: not in a look at them, nor in a job of another Snakemake's.

    >>> from argparse import Namespace
    >>> is_run(Namespace(mode="default", dryrun=False)), is_run(Namespace(mode="default", dryrun=True))
    (True, False)
    """
    if given is None or str(given.mode).lower().rpartition(".")[2] != "default":
        return False
    # A report after a run is no look.
    after_run = getattr(given, "report_after_run", False)
    return not any(getattr(given, name, None) for name in LOOKS if not (name == "report" and after_run))


def check_cluster(given, folder):
    """Raise ValueError, one line, where jobs are to go to Slurm and cannot.

    Arguments: as of `command_line`; the folder that Snakemake runs in.
    """
    if not is_run(given) or getattr(given, "executor", None) != "slurm":
        return
    if shutil.which("sbatch") is None:
        raise ValueError(
            "executor slurm: no Slurm here, there is no command sbatch; run it on a login node of the "
            "cluster, or leave out --profile profiles/slurm"
        )
    for path in (Path(folder).resolve(), sys.executable):
        if shlex.quote(str(path)) != str(path):
            raise ValueError(
                f"executor slurm: {str(path)!r}: a space or sign that a shell takes otherwise, which the "
                "cluster's jobs do not find; move the project to a path without"
            )
