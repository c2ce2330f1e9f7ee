"""Copy the project's own files to another folder, so that a trial run there leaves this one alone.

    python scripts/scratch_copy.py DESTINATION [--without results] [--without figures]

In a git checkout these are the files that git knows and the new ones that it does not ignore, as
they are on disk; elsewhere, as in an unpacked archive or where git refuses the folder, all but what
.gitignore names. Nothing private is ever copied, even if git was made to know it.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from replication.workflow.tolerances import ELSEWHERE

ROOT = Path(__file__).resolve().parent.parent

# What `make` does not make stays when results are left out.
KEPT = {Path("results", name) for name in ELSEWHERE}
# Made from files that may not be passed on.
PRIVATE = {Path("data/private"), Path("results/private")}


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
    """The same from a walk of the folder, without what its .gitignore names.

    Raises FileNotFoundError where there is no .gitignore.
    """
    ignored = re.compile("|".join(["[.]git/", *map(pattern, ignore_lines(root))]))
    files = []
    for folder, folders, names in os.walk(root):
        inside = Path(folder).relative_to(root)
        folders[:] = [name for name in folders if not ignored.fullmatch(f"{inside / name}/")]
        files += [inside / name for name in names if not ignored.fullmatch(str(inside / name))]
    return files


def ignore_lines(root):
    """The patterns of a project's .gitignore."""
    file = Path(root, ".gitignore")
    if not file.exists():
        raise FileNotFoundError(f"{file}: no such file; it says what is not to be copied")
    lines = map(str.strip, file.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def pattern(line):
    """A line of .gitignore as a regular expression for paths, of which those of folders end in a slash.

    Of git's signs `*`, `**/` and a slash at the end are known, which is what this project uses.

    >>> [bool(re.fullmatch(pattern("data/private/"), path)) for path in ("data/private/", "data/private")]
    [True, False]
    >>> bool(re.fullmatch(pattern("*.egg-info/"), "src/a.egg-info/"))
    True
    """
    signs = {"**/": "(.*/)?", "*": "[^/]*"}
    parts = [signs.get(part, re.escape(part)) for part in re.split(r"(\*\*/|\*)", line.rstrip("/"))]
    anywhere = "" if "/" in line.rstrip("/") else "(.*/)?"
    return f"{anywhere}{''.join(parts)}{'/' if line.endswith('/') else '/?'}"


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
        if source.is_relative_to(destination) or PRIVATE.intersection(file.parents):
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
