"""Several processes kept together: what ends is started again, and none outlives whoever started it.

Only processes that were started here are ever signalled.
"""

import os
import shutil
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
LOOK_SECONDS = 0.3
LONG_SECONDS = 60.0  # what ran for so long and ends is started again at once
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds before the next start of what ends again and again
PATHS = ("_FILE", "_CA", "_CA_BUNDLE", "DOSSIER_VAR", "DOSSIER_STATIC")  # how variables end that name a path
CODE = ("citations", "common", "config", "entities", "research")
CODE_SUFFIXES = frozenset({".py", ".html", ".yaml", ".css", ".js"})
MOMENT_SECONDS = 2.0
TIED = Path(__file__).with_name("tied.py")
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
    hurry: threading.Event = field(
        default_factory=threading.Event
    )  # nobody wants to wait for their end any more
    begun: dict[str, float] = field(default_factory=dict)

    def start(self, service: Service) -> None:
        """Start one, which is told to end should this process die; OSError when its program is not there."""
        if shutil.which(service.command[0]) is None:
            raise FileNotFoundError(service.command[0])
        self.begun[service.name] = self.clock()
        self.children[service.name] = subprocess.Popen(  # noqa: S603
            python(str(TIED), str(os.getpid()), *service.command),
            cwd=self.folder,
            stdout=STDERR,
            start_new_session=True,
            env={**self.environment, **os.environ, **absolute_paths()},
        )

    def dead(self) -> str:
        """The name of a child that has ended, or an empty text."""
        return next((name for name, child in self.children.items() if child.poll() is not None), "")

    def keep(
        self, wanted: Sequence[Service], stop: threading.Event, tell: Callable[[str, int, float], None]
    ) -> None:
        """Until ``stop`` is set, start again what ends: after pauses that double, or at once after a long life.

        ``tell(name, exit code, seconds)`` is called before each pause.
        """
        ends = dict.fromkeys(self.children, 0)
        due: dict[str, float] = {}
        while not stop.wait(LOOK_SECONDS):
            for service in wanted:
                name, now = service.name, self.clock()
                code = self.children[name].poll()
                if code is None:
                    continue
                if name not in due:
                    ends[name] = 0 if now - self.begun[name] >= LONG_SECONDS else ends[name] + 1
                    pause = min(FIRST_PAUSE * 2 ** (ends[name] - 1), LONGEST_PAUSE) if ends[name] else 0.0
                    due[name] = now + pause
                    tell(name, code, pause)
                if now >= due[name]:
                    del due[name]
                    self.start(service)

    def stop(
        self, grace: float = GRACE_SECONDS, tell: Callable[[list[str]], None] | None = None
    ) -> list[str]:
        """Ask every child to end, wait, kill what is left; returns the names that had to be killed.

        ``tell`` is called once with those that take longer than a moment.
        """
        for child in self.children.values():
            if child.poll() is None:
                child.send_signal(signal.SIGTERM)
        begun, told = self.clock(), False
        while (left := self._alive()) and self.clock() - begun < grace and not self.hurry.wait(0.05):
            if tell and not told and self.clock() - begun > MOMENT_SECONDS:
                told = True
                tell(left)
        killed = self._alive()
        for name in killed:
            _kill_session(self.children[name])
        return killed

    def _alive(self) -> list[str]:
        return [name for name, child in self.children.items() if child.poll() is None]


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


def stop_on_signals(stop: threading.Event, hurry: threading.Event) -> None:
    """Ctrl-C and SIGTERM set ``stop`` instead of ending this process at once; the next one sets ``hurry``."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: (hurry if stop.is_set() else stop).set())


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


def _kill_session(child: subprocess.Popen[bytes]) -> None:
    """The child and what it started: it is not reaped yet, so its number cannot belong to anybody else."""
    if child.poll() is None:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
