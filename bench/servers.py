"""A PostgreSQL and a Redis of our own for one measurement, on spare ports and in folders that go away with it.

Nothing that already listens on this machine is used, so nothing of anybody else can be stopped, emptied or slowed down.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

OWNER = "postgres"
PATIENCE = 30.0


def free_port() -> int:
    """A port nobody listens on right now."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(ready: Callable[[], bool], what: str, patience: float = PATIENCE) -> None:
    """Ask until it is so; TimeoutError names what was waited for."""
    end = time.monotonic() + patience
    while not ready():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {patience:g} s for {what}")
        time.sleep(0.02)


class Postgres:
    """One PostgreSQL instance, with ``fsync`` as it comes: what is measured is what production pays."""

    def __init__(self, folder: Path) -> None:
        self.data, self.port = folder / "data", free_port()
        self.programs = _postgres_programs()
        self._run(
            "initdb", "-D", str(self.data), "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8", "-U", OWNER
        )
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql://{OWNER}@127.0.0.1:{self.port}/{OWNER}"

    def start(self) -> None:
        """Start it, again after ``stop``, on the same port."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.data}"
        options += " -c max_connections=400"  # engines without a pool shall not fail for want of a seat
        self._control("-l", str(self.data / "log"), "-o", options, "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it: ``fast`` breaks connections, ``immediate`` is a crash that recovers at the next start."""
        self._control("-m", mode, "stop")

    def _control(self, *arguments: str) -> None:
        self._run("pg_ctl", "-D", str(self.data), "-w", *arguments)

    def _run(self, program: str, *arguments: str) -> None:
        user = ["runuser", "-u", OWNER, "--"] if os.geteuid() == 0 else []  # it refuses to run as root
        command = [*user, str(self.programs / program), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _postgres_programs() -> Path:
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if not versions:
        raise SystemExit(
            "this measurement starts a PostgreSQL of its own: install Debian's package postgresql"
        )
    return versions[-1].parent


@contextmanager
def postgres() -> Iterator[Postgres]:
    """A new instance, stopped and removed at the end."""
    with tempfile.TemporaryDirectory(prefix="bench-postgres-") as name:
        folder = Path(name)
        if os.geteuid() == 0:
            shutil.chown(folder, OWNER)
        server = Postgres(folder)
        try:
            yield server
        finally:
            server.stop("immediate")


@contextmanager
def redis() -> Iterator[str]:
    """The URL of a new, empty Redis that keeps nothing on disk."""
    if not shutil.which("redis-server"):
        raise SystemExit("this measurement starts a Redis of its own: install Debian's package redis-server")
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="bench-redis-") as folder:
        options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder]
        with process(["redis-server", *options]):
            wait_for(lambda: _listens(port), "redis-server")
            yield f"redis://127.0.0.1:{port}/0"


def _listens(port: int) -> bool:
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def process(
    command: Sequence[str], *, env: dict[str, str] | None = None, log: Path | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A process at the head of a group of its own; the whole group is killed at the end."""
    with (log or Path(os.devnull)).open("ab") as output:
        child = subprocess.Popen(command, env=env, stdout=output, stderr=output, start_new_session=True)
    try:
        yield child
    finally:
        kill_group(child)


def kill_group(child: subprocess.Popen[bytes]) -> None:
    """Kill -9 for the process and everything it started, at once."""
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def pinned(core: int, command: Sequence[str]) -> list[str]:
    """The command on one core, where the machine has two."""
    return ["taskset", "-c", str(core), *command] if (os.cpu_count() or 1) > 1 else list(command)


@contextmanager
def model_server(port: int = 0) -> Iterator[str]:
    """The base URL of a scripted model in a process of its own."""
    command = pinned(1, [sys.executable, "-m", "bench.model_server", "--port", str(port)])
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout  # noqa: S101 - a pipe was asked for
            yield f"http://127.0.0.1:{server.stdout.readline().strip()}"
        finally:
            server.kill()


def served(server: str) -> dict[str, Any]:
    """What the scripted model has answered so far."""
    with urllib.request.urlopen(f"{server}/stats") as answer:  # noqa: S310 - our own server
        stats: dict[str, Any] = json.loads(answer.read())
        return stats
