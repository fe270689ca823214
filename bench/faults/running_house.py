"""A whole Dossier for the trials of the running side: database, broker, a scripted model, and workers.

``openai-chat:scripted`` answers after ``LATENCY`` ms, ``openai:hung`` never does.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench import dossier, servers

LATENCY = 200
HUNG = 3_600_000
QUICK_MODEL, HUNG_MODEL = "openai-chat:scripted", "openai:hung"
KINDS = ("postgresql", "sqlite")
READY_SECONDS = 90.0


class Worker:
    """One Celery worker as production starts it."""

    def __init__(self, folder: Path, number: int) -> None:
        self.log = folder / f"worker-{number}.log"
        options = ["-P", "threads", "-c", "8", "-n", f"w{number}@here", "--loglevel", "INFO"]
        command = [sys.executable, "-m", "celery", "-A", "bench.faults.running_app", "worker", *options]
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True)

    def wait_until_ready(self) -> None:
        servers.wait_for(lambda: b" ready." in self.log.read_bytes(), f"a worker: {self.log}", READY_SECONDS)

    def stop(self) -> float:
        """SIGTERM; after how many seconds it had ended."""
        begun = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=300)
        return time.monotonic() - begun

    @property
    def memory_mb(self) -> float:
        """Resident memory now."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024

    @property
    def threads(self) -> int:
        return len(list(Path(f"/proc/{self.process.pid}/task").iterdir()))


class House:
    """The servers' addresses are in the environment of this process; its workers are killed at the end."""

    def __init__(self, folder: Path, model: str, database: servers.Postgres | None) -> None:
        self.folder, self.model, self.database = folder, model, database
        self.workers: list[Worker] = []

    def start_worker(self) -> Worker:
        worker = Worker(self.folder, len(self.workers) + 1)
        self.workers.append(worker)
        return worker

    def start_workers(self, count: int) -> None:
        begun = [self.start_worker() for _ in range(count)]
        for worker in begun:
            worker.wait_until_ready()

    def kill(self) -> None:
        for worker in self.workers:
            servers.kill_group(worker.process)


@contextmanager
def house(kind: str, *, latency: int = LATENCY, model: str = "", **variables: str) -> Iterator[House]:
    """PostgreSQL with Redis, or SQLite with a folder; Django is set up in this process, once.

    ``model`` is the address of a scripted model that the trial starts and stops itself.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-faults-")))
        model = model or stack.enter_context(servers.model_server())
        os.environ |= dossier.environment(f"{model}/l{HUNG}/v1")
        os.environ |= {
            "DOSSIER_VAR": str(folder / "var"),
            "DOSSIER_MODEL": QUICK_MODEL,
            "OPENAI_CHAT_BASE_URL": f"{model}/l{latency}/v1",
            "OPENAI_CHAT_API_KEY": "x",
            "DATABASE_URL": "",
            "REDIS_URL": "",
            **variables,
        }
        database = None
        if kind == "postgresql":
            database = stack.enter_context(servers.postgres())
            os.environ |= {"DATABASE_URL": database.url, "REDIS_URL": stack.enter_context(servers.redis())}
        subprocess.run([sys.executable, "-m", "bench.dossier"], check=True)
        dossier.prepare()
        import config.celery  # noqa: F401 - rings reach the broker

        built = House(folder, model, database)
        stack.callback(built.kill)
        yield built


def percentile(seconds: list[float], share: float) -> float:
    return sorted(seconds)[min(int(len(seconds) * share), len(seconds) - 1)]
