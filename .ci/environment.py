"""Makes .venv hold what locks name. ``make`` runs it with the system's Python, which may be too old to go on.

usage: environment.py LOCK...

A lock is installed when its copy in .venv is the same. Work that was interrupted is done again from nothing, and of
two that are started at once the second waits.
"""

from __future__ import annotations  # Python 3.8 must get as far as to say that it is too old

import fcntl
import filecmp
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

VENV = Path(".venv")
UNFINISHED = VENV / "unfinished"
PIP = [str(VENV / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--no-input", "-qq"]
# A lock names every package, so pip has nothing to resolve.
INSTALL = [*PIP, "install", "--require-hashes", "--no-deps", "--no-compile", "-r"]


def main(locks: list[str]) -> None:
    """Exits with a sentence that says what to do, or with the exit code of what failed."""
    if sys.version_info < (3, 11):  # noqa: UP036 - make runs this with whatever Python there is
        version = ".".join(map(str, sys.version_info[:2]))
        sys.exit(f"Dossier needs Python 3.11 or newer, and this is {version}; try: make PYTHON=python3.12")
    try:
        with Path("Makefile").open(encoding="utf-8") as turn:
            wait_for(turn.fileno())
            prepare(locks)
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
    except KeyboardInterrupt:
        sys.exit("interrupted; the next make begins anew")


def wait_for(turn: int) -> None:
    """Hold the turn until this process has ended, and pip, which may live longer when this one is killed."""
    os.set_inheritable(turn, True)
    try:
        fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("waiting for another make in this folder ...", flush=True)
        fcntl.flock(turn, fcntl.LOCK_EX)


def prepare(locks: list[str]) -> None:
    if UNFINISHED.exists() or not works():
        make_venv()
    for lock in locks:
        installed = VENV / lock
        if installed.exists() and filecmp.cmp(lock, installed, shallow=False):
            continue
        print(f"installing {lock} ...", flush=True)
        UNFINISHED.touch()
        run([*INSTALL, lock])
        shutil.copyfile(lock, installed)
        UNFINISHED.unlink()


def works() -> bool:
    """Whether there is a venv that can import pip: not half made, nor made for a Python that is gone."""
    try:
        return subprocess.run([PIP[0], "-c", "import pip"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def make_venv() -> None:
    if not all(map(importlib.util.find_spec, ("venv", "ensurepip"))):
        package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        sys.exit(f"This Python cannot make virtual environments. On Debian and Ubuntu: apt install {package}")
    print("making .venv ...", flush=True)
    shutil.rmtree(VENV, ignore_errors=True)
    VENV.mkdir(exist_ok=True)
    UNFINISHED.touch()
    run([sys.executable, "-m", "venv", str(VENV)])
    UNFINISHED.unlink()


def run(command: list[str]) -> None:
    """Run it with the turn in its hands; a pip that is set up to install for the user would refuse a venv."""
    subprocess.run(command, check=True, close_fds=False, env={**os.environ, "PIP_USER": "0"})


if __name__ == "__main__":
    main(sys.argv[1:])
