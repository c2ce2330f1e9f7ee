"""Copy the project's own files to another folder, so that a trial run there leaves this one alone.

    python scripts/scratch_copy.py DESTINATION [--without results] [--without figures]

In a git checkout these are the files that git knows and the new ones that it does not ignore, as
they are on disk; elsewhere, as in an unpacked archive, all but what set-up and runs leave behind.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# What .gitignore names, for a copy without git.
LEFT_FOLDERS = {
    *(".git", ".venv", ".snakemake", ".smoke", ".reproduce", "logs", "build", "dist"),
    *("__pycache__", ".pytest_cache", ".ruff_cache", ".hypothesis", ".idea", ".vscode"),
}
LEFT_FILES = {".setup.lock", ".snakemake-make.lock", ".workflow-began", ".DS_Store"}

# Not made by `make`, but by targets of their own or measured once: these stay when results are left out.
KEPT = {Path("results", name) for name in ("benchmarks", "coverage", "survey_others")}


def git_files(root):
    """Paths relative to `root` as git lists them; None where `root` is no checkout."""
    if not (root / ".git").exists():
        return None
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        found = subprocess.run(listing, cwd=root, check=True, capture_output=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    return [Path(os.fsdecode(name)) for name in found.split(b"\0") if name]


def walked_files(root):
    """The same from a walk of the folder."""
    files = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in LEFT_FOLDERS and not name.endswith(".egg-info")]
        files += [Path(folder, name).relative_to(root) for name in names if name not in LEFT_FILES]
    return files


def copy_project(root, destination, without=()):
    """Copy the files of the project in `root` to the folder `destination` and return how many.

    Args:
        root: the project's folder.
        destination: a folder that is empty or does not exist.
        without: folders of the project, relative to it, that are left out.

    Raises:
        FileExistsError: the destination holds something.
    """
    root, destination = Path(root).resolve(), Path(destination).resolve()
    if destination.exists() and any(destination.iterdir()):
        raise FileExistsError(f"{destination} is not empty; remove it or name another folder")
    files = git_files(root)
    if files is None:
        files = walked_files(root)
    left = {Path(folder) for folder in without}
    copied = 0
    for file in sorted(set(files)):
        source = root / file
        # git lists a file that was deleted until that is committed, and a submodule as one name.
        if (source.is_dir() and not source.is_symlink()) or not os.path.lexists(source):
            continue
        if source.is_relative_to(destination):
            continue
        if left.intersection(file.parents) and not KEPT.intersection(file.parents):
            continue
        target = destination / file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target, follow_symlinks=False)
        copied += 1
    return copied


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("destination", help="an empty or new folder")
    parser.add_argument("--without", action="append", default=[], metavar="FOLDER", help="leave out")
    options = parser.parse_args(arguments)
    try:
        copied = copy_project(ROOT, options.destination, options.without)
    except OSError as error:
        print(f"scratch copy: {error}", file=sys.stderr)
        return 2
    print(f"scratch copy: {copied} files to {options.destination}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
