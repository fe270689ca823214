"""A whole Dossier for the trials: database, broker, model, and workers that can be killed and are started again."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from bench.servers import Postgres, kill_group, wait_for

LEASE_SECONDS = 3
READY_SECONDS = 60.0


class Worker:
    """One Celery worker at the head of a process group of its own."""

    def __init__(self, folder: Path, number: int, environment: dict[str, str]) -> None:
        self.log = folder / f"worker-{number}.log"
        name = f"bench{number}@localhost"
        options = ["-P", "threads", "-c", "4", "-n", name, "--loglevel", "INFO", "--without-mingle"]
        command = [sys.executable, "-m", "celery", "-A", "bench.crash.worker", "worker", *options]
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                command, env=environment, stdout=output, stderr=output, start_new_session=True
            )

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    @property
    def ready(self) -> bool:
        """Whether it takes messages. RuntimeError when it never did and is gone."""
        began = b" ready." in self.log.read_bytes()
        if not self.alive and not began:
            raise RuntimeError(f"a worker did not start:\n{self.log.read_text()[-3000:]}")
        return self.alive and began

    def signal(self, number: int) -> None:
        os.killpg(self.process.pid, number)

    def kill(self) -> None:
        kill_group(self.process)


class Workers:
    """As many workers as a trial wants; what has died is started again, as a supervisor would."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder, self.environment = folder, environment
        self.all: list[Worker] = []
        self.started = 0

    def want(self, count: int) -> None:
        """Exactly so many, all of them taking messages; who dies meanwhile of the trial before is replaced."""
        self.all = [worker for worker in self.all if worker.alive]
        wait_for(lambda: self._are_there(count), "workers", READY_SECONDS)

    def _are_there(self, count: int) -> bool:
        self.all = [worker for worker in self.all if worker.alive or worker.ready]
        while len(self.all) > count:
            self.all.pop().kill()
        while len(self.all) < count:
            self.started += 1
            self.all.append(Worker(self.folder, self.started, self.environment))
        return all(worker.ready for worker in self.all)

    def kill(self) -> None:
        """Kill -9 for all of them, children included."""
        for worker in self.all:
            worker.kill()

    def replace_dead(self) -> None:
        if not all(worker.alive for worker in self.all):
            self.want(max(len(self.all), 1))

    def stop_first(self) -> Worker:
        """Freeze the worker that holds a run: to everybody else it looks dead."""
        worker = self.all[0]
        worker.signal(signal.SIGSTOP)
        return worker


def crash(database: Postgres, seconds: float = 1.0) -> None:
    """The database goes down without a word and is back a little later."""
    database.stop("immediate")
    time.sleep(seconds)
    database.start()
