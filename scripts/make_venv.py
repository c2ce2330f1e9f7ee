"""Make `.venv` from the lock, or bring it up to date; nothing is done to one that is ready.

The set-up is ready when `.venv/.ready` exists, which is written last and removed first: a set-up
that was killed at any point is made again from nothing. The stamp holds what it was made from (see
`fingerprint`), so a folder that was moved, another lock or another Python is noticed too.

Only the standard library is used here: this runs on the Python that `find_python.sh` chose.
"""

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / ".ready"
LOCK = ROOT / "requirements.txt"
PYTHON = VENV / "bin" / "python"
ENVIRONMENT = {
    **os.environ,
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PIP_USER": "0",
    # Without compiled files the first import of everything takes three times as long.
    "UV_COMPILE_BYTECODE": "1",
}


class SetUpError(Exception):
    """What went wrong and what to do, in one line."""


def fingerprint(root=ROOT):
    """What `.venv` depends on, a line each: lock and project table, Python, folder."""
    digest = hashlib.sha256()
    for name in ("requirements.txt", "pyproject.toml"):
        digest.update((root / name).read_bytes())
    version = "{}.{}.{}".format(*sys.version_info)
    return f"{digest.hexdigest()}\n{version} {sys.base_prefix}\n{root}\n"


def locked(lock_text, package):
    """The lines of one package in the lock, with its hashes, as a requirements file of its own.

    >>> print(locked("a==1 \\\\\\n    --hash=sha256:0\\nuv==2 \\\\\\n    --hash=sha256:1\\n", "uv"))
    uv==2 \\
        --hash=sha256:1
    """
    entry = re.search(rf"^{re.escape(package)}==(?:.*\\\n)*.*", lock_text, re.MULTILINE)
    if entry is None:
        raise SetUpError(f"requirements.txt does not name {package}; write it anew with `make lock`")
    return entry.group()


def run(arguments, failure):
    """Run a command quietly; `failure` is the line that follows its own words when it fails."""
    try:
        subprocess.run([str(argument) for argument in arguments], check=True, env=ENVIRONMENT)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SetUpError(failure) from error


def make_empty():
    """A new `.venv` that holds pip alone."""
    if VENV.is_symlink() or VENV.is_file():
        VENV.unlink()
    elif VENV.exists():
        shutil.rmtree(VENV)
    # Where .venv is activated, sys.executable is the one that was just removed.
    python = getattr(sys, "_base_executable", sys.executable)
    run([python, "-m", "venv", VENV], f"{python} could not make .venv (its words are above)")


def install():
    """Install the locked packages, then the project itself where it stands."""
    uv = [PYTHON, "-m", "uv", "--quiet"]
    pip = [PYTHON, "-m", "pip", "-qq"]
    if not (VENV / "bin" / "uv").exists():
        only_uv = VENV / "uv.txt"
        only_uv.write_text(locked(LOCK.read_text(encoding="utf-8"), "uv") + "\n", encoding="utf-8")
        run(
            [*pip, "install", "--require-hashes", "--no-deps", "-r", only_uv],
            "pip could not install uv (its words are above); the first set-up needs a network or a "
            "package mirror that pip is configured for",
        )
    in_venv = ["--python", PYTHON]
    try:
        run([*uv, "pip", "sync", "--require-hashes", *in_venv, LOCK], "")
    except SetUpError:
        # A mirror may be configured for pip alone.
        print("set-up: uv could not install the packages; trying with pip.", file=sys.stderr)
        run(
            [*pip, "install", "--require-hashes", "-r", LOCK],
            "the packages could not be installed (pip's words are above)",
        )
    run(
        [*uv, "pip", "install", "--no-deps", "--no-build-isolation", *in_venv, "-e", ROOT],
        "the project itself could not be installed (uv's words are above)",
    )


def main():
    with open(ROOT / ".setup.lock", "w") as lock_file:
        try:
            fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("set-up: another set-up is running in this folder; waiting for it.", flush=True)
            fcntl.flock(lock_file, fcntl.LOCK_EX)
        wanted = fingerprint()
        found = STAMP.read_text(encoding="utf-8") if STAMP.exists() else None
        if found == wanted and PYTHON.exists():
            STAMP.touch()
            return
        began = time.monotonic()
        usable = (
            found is not None
            # Another Python or another folder calls for a new one, another lock does not.
            and found.splitlines()[1:] == wanted.splitlines()[1:]
            and PYTHON.exists()
        )
        how = "bringing .venv up to date" if usable else "making .venv (a minute or so)"
        print(f"set-up: {how} ...", flush=True)
        STAMP.unlink(missing_ok=True)
        if not usable:
            make_empty()
        install()
        STAMP.write_text(wanted, encoding="utf-8")
        print(f"set-up: done in {time.monotonic() - began:.0f} s.", flush=True)


if __name__ == "__main__":
    try:
        main()
    except SetUpError as error:
        print(f"set-up: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
