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
# Come as source archives alone, immutables from Python 3.14 on, which this builds; all are locked, so that a build
# fetches nothing else.
BUILT, BUILDER = ("connection-pool", "immutables"), "setuptools"
# Signs that a folder's name cannot have, and why.
REFUSED = {
    ":": "which separates folders in PATH",
    "{": "which Snakemake takes for the name of a wildcard",
    "}": "which Snakemake takes for the name of a wildcard",
    "\n": "which ends a path in the lists of pip and make",
}
# Variables of the user's that say where packages come from and how they are fetched. All others of pip and uv
# are left out: PIP_TARGET, UV_PYTHON and their like would have the packages go elsewhere, or be others.
FETCHING = re.compile(
    r"PIP_((EXTRA_)?INDEX_URL|FIND_LINKS|NO_INDEX|TRUSTED_HOST|(CLIENT_)?CERT|PROXY|(DEFAULT_)?TIMEOUT|RETRIES"
    r"|CACHE_DIR|NO_CACHE_DIR|CONFIG_FILE|KEYRING_PROVIDER)"
    r"|UV_((DEFAULT_|EXTRA_)?INDEX(_URL|_STRATEGY|_\w+_(USERNAME|PASSWORD))?|FIND_LINKS|OFFLINE|INSECURE_HOST"
    r"|(HTTP_|REQUEST_)(CONNECT_)?(TIMEOUT|RETRIES)|SYSTEM_CERTS|NATIVE_TLS|CACHE_DIR|NO_CACHE|LINK_MODE"
    r"|CONCURRENT_\w+|CONFIG_FILE|KEYRING_PROVIDER)"
)


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


def environment(variables):
    """What pip and uv run in: of the user's variables, those that do not change what goes where.

    >>> kept = environment({"PIP_TARGET": "t", "UV_PYTHON": "3.9", "PIP_INDEX_URL": "mirror", "HOME": "me"})
    >>> sorted(kept)
    ['HOME', 'PIP_DISABLE_PIP_VERSION_CHECK', 'PIP_INDEX_URL', 'PIP_USER', 'UV_COMPILE_BYTECODE']
    """
    kept = {
        name: value
        for name, value in variables.items()
        if name not in ("PYTHONPATH", "PYTHONHOME")
        and (not name.startswith(("PIP_", "UV_")) or FETCHING.fullmatch(name))
    }
    return {
        **kept,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_USER": "0",
        # Without compiled files the first import of everything takes three times as long.
        "UV_COMPILE_BYTECODE": "1",
    }


def check_folder(root=ROOT):
    """Raise SetUpError where the folder's name has what no set-up can deal with."""
    for sign, why in REFUSED.items():
        if sign in str(root):
            name = {"\n": "a line break"}.get(sign, f"the sign {sign}")
            raise SetUpError(
                f"{str(root)!r}: {name} in the folder's name, {why}; rename it or move the project"
            )


def run(arguments, failure):
    """Run a command quietly; `failure` is the line that follows its own words when it fails."""
    try:
        words = [str(argument) for argument in arguments]
        subprocess.run(words, check=True, env=environment(os.environ), cwd=ROOT)
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


def entry(package):
    """A requirements file in `.venv` of one package of the lock."""
    file = VENV / f"{package}.txt"
    file.write_text(locked(LOCK.read_text(encoding="utf-8"), package) + "\n", encoding="utf-8")
    return file


def install():
    """Install the locked packages, then the project itself where it stands."""
    uv = [PYTHON, "-m", "uv", "--quiet", "pip"]
    pip = [PYTHON, "-m", "pip", "-qq"]
    in_venv = ["--python", PYTHON]
    if not (VENV / "bin" / "uv").exists():
        run(
            [*pip, "install", "--require-hashes", "--no-deps", "-r", entry("uv")],
            "pip could not install uv (its words are above); the first set-up needs a network or a "
            "package mirror that pip is configured for",
        )
        if not (VENV / "bin" / "uv").exists():
            raise SetUpError(
                "pip put uv elsewhere than .venv; take target, prefix and root out of pip's configuration "
                "(`pip config list` shows it)"
            )
    try:
        install_lock([*uv, "install", *in_venv], [*uv, "sync", *in_venv], "")
    except SetUpError:
        # A mirror may be configured for pip alone.
        print("set-up: uv could not install the packages; trying with pip.", file=sys.stderr)
        install_pip = [*pip, "install"]
        failure = "the packages could not be installed (pip's words are above)"
        install_lock(install_pip, [*install_pip, "-r"], failure)
    run(
        # Not by its path, in which uv takes # for the end.
        [*uv, "install", "--no-deps", "--no-build-isolation", *in_venv, "-e", "."],
        "the project itself could not be installed (uv's words are above)",
    )


def install_lock(install_some, install_all, failure):
    """Install the lock by these two commands, first what is built, so that its build needs no network."""
    some = [*install_some, "--require-hashes", "--no-deps"]
    run([*some, "-r", entry(BUILDER)], failure)
    for package in BUILT:
        run([*some, "--no-build-isolation", "-r", entry(package)], failure)
    run([*install_all, LOCK, "--require-hashes"], failure)


def wait_for_turn(lock_file):
    """Hold the file's lock, once another set-up in this folder lets go of it."""
    try:
        try:
            fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("set-up: another set-up is running in this folder; waiting for it.", flush=True)
            fcntl.flock(lock_file, fcntl.LOCK_EX)
    except OSError as error:
        # Some network file systems have no locks.
        print(f"set-up: no file lock here ({error.strerror}); start no other set-up meanwhile.", flush=True)


def main():
    check_folder()
    with open(ROOT / ".setup.lock", "w") as lock_file:
        wait_for_turn(lock_file)
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
    except (SetUpError, OSError) as error:
        print(f"set-up: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
