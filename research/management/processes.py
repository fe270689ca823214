"""Several processes kept together: all run, or none. Only processes that were started here are ever signalled."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

GRACE_SECONDS = 10.0
PATHS = ("_FILE", "_CA", "_CA_BUNDLE", "DOSSIER_VAR", "DOSSIER_STATIC")  # how variables end that name a path
CODE = ("citations", "common", "config", "entities", "research")
CODE_SUFFIXES = frozenset({".py", ".html", ".yaml", ".css", ".js"})
STDERR = 2  # what children say is no answer of the command: a program reads that from standard output


@dataclass(frozen=True)
class Service:
    """A name and a command line."""

    name: str
    command: Sequence[str]


@dataclass
class Group:
    """Child processes, each the leader of a session of its own, so that Ctrl-C reaches them only through us."""

    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)  # where ours says nothing
    children: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    clock: Callable[[], float] = time.monotonic

    def start(self, service: Service) -> None:
        """Start one; OSError when its program is not there."""
        self.children[service.name] = subprocess.Popen(  # noqa: S603
            service.command,
            cwd=self.folder,
            stdout=STDERR,
            start_new_session=True,
            env={**self.environment, **os.environ, **absolute_paths()},
        )

    def dead(self) -> str:
        """The name of a child that has ended, or an empty text."""
        return next((name for name, child in self.children.items() if child.poll() is not None), "")

    def watch(self, stop: threading.Event, pause: float = 0.3) -> str:
        """Wait until ``stop`` is set (an empty text) or a child ends (its name)."""
        while not stop.wait(pause):
            if name := self.dead():
                return name
        return ""

    def stop(self, grace: float = GRACE_SECONDS) -> list[str]:
        """Ask every child to end, wait, kill what is left; returns the names that had to be killed."""
        for child in self.children.values():
            if child.poll() is None:
                child.send_signal(signal.SIGTERM)
        end = self.clock() + grace
        killed = [name for name, child in self.children.items() if not _ended(child, end - self.clock())]
        for name in killed:
            _kill_session(self.children[name])
        return killed


class Code:
    """The files of the code below a folder, and which of them has changed, come or gone since one last looked."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen = self._look()

    def changed(self) -> str:
        """The name of one file, or an empty text."""
        seen, self._seen = self._seen, self._look()
        paths = sorted(path for path, _ in seen.items() ^ self._seen.items())
        return str(paths[0].relative_to(self._folder)) if paths else ""

    def _look(self) -> dict[Path, int]:
        seen: dict[Path, int] = {}
        for path in chain.from_iterable((self._folder / name).rglob("*") for name in CODE):
            if path.suffix in CODE_SUFFIXES:
                with suppress(FileNotFoundError):  # an editor puts a new file in the place of the old one
                    seen[path] = path.stat().st_mtime_ns
        return seen


def stop_on_signals(stop: threading.Event) -> None:
    """Ctrl-C and SIGTERM set the event instead of ending this process at once."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())


def python(*arguments: str) -> list[str]:
    """A command line of this very Python."""
    return [sys.executable, *arguments]


def absolute_paths() -> dict[str, str]:
    """The variables that name a path as seen from the current folder: a child in another one finds the same file."""
    return {
        name: str(Path(value).absolute())
        for name, value in os.environ.items()
        if name.endswith(PATHS) and value and Path(value).exists()
    }


def _ended(child: subprocess.Popen[bytes], seconds: float) -> bool:
    try:
        child.wait(timeout=max(seconds, 0.0))
    except subprocess.TimeoutExpired:
        return False
    return True


def _kill_session(child: subprocess.Popen[bytes]) -> None:
    """The child and what it started: it is not reaped yet, so its number cannot belong to anybody else."""
    if child.poll() is None:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
