"""Where a trial is run: servers of its own, workers, one run at a time, and a house that is kept until it is over."""

import os
import signal
import tempfile
import time
from contextlib import ExitStack
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from bench import dossier
from bench.crash.house import LEASE_SECONDS, Worker, Workers, crash
from bench.crash.trials import PROTOCOLS, Trial
from bench.servers import Postgres, model_server, postgres, redis, served, wait_for

if TYPE_CHECKING:  # both need the settings, and those the servers
    from bench.crash.ledger import Outcome
    from research.models import Run

LATENCY = 150  # ms of a model call
INSIDE = 0.06  # seconds after the model got a request: the receipt of a background call is committed, the answer is not
PATIENCE = 120.0


class Laboratory:
    """Everything a trial needs, and how it is run."""

    def __init__(self, stack: ExitStack) -> None:
        self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-crash-")))
        self.database: Postgres = stack.enter_context(postgres())
        self.model = stack.enter_context(model_server())
        os.environ |= dossier.environment(f"{self.model}/l{LATENCY}/v1")
        os.environ |= {
            "DATABASE_URL": self.database.url,
            "REDIS_URL": stack.enter_context(redis()),
            "DOSSIER_VAR": str(self.folder),
            "DOSSIER_LEASE_SECONDS": str(LEASE_SECONDS),
            "DOSSIER_LOG_LEVEL": "ERROR",  # that connections break is what is done to them here
            "DOSSIER_MODEL_BACKGROUND": "on",
            "BENCH_FOLDER": str(self.folder),
        }
        self.workers = Workers(self.folder, dict(os.environ))
        stack.callback(self.workers.kill)
        from bench.crash import worker

        dossier.migrate()
        from bench.crash.ledger import set_price

        set_price()
        self.worker, self.case = worker, 0
        self.order, self.tools = worker.ORDER, worker.TOOLS

    def calibrate(self, protocol: str) -> tuple[int, list[int]]:
        """One undisturbed run here: how many transactions it commits, and which of them follow a request."""
        from research.engine.runner import perform_run

        seen: list[int] = []

        def look(moment: str, number: int) -> None:
            if moment == "before":
                seen.append(self.requests())

        original, self.worker.obey = self.worker.obey, look
        try:
            run = self.start(protocol, enqueue=False)
            perform_run(run.pk)
        finally:
            self.worker.obey = original
        faults = list(self.outcome(run).faults(in_flight=False))
        if faults:
            raise SystemExit(f"an undisturbed run is wrong already: {faults}")
        asked = [
            number for number, (last, now) in enumerate(zip([0, *seen], seen, strict=False), 1) if now > last
        ]
        return len(seen), asked

    def start(self, protocol: str, *, enqueue: bool = True) -> "Run":
        """A new run; its message is sent."""
        from django.conf import settings

        from research.services.runs import start_run

        self.case += 1
        self.tools.write_text("")
        settings.DOSSIER_MODEL = PROTOCOLS[protocol]
        return start_run(
            macro="bench",
            params={"case": str(self.case)},
            trigger="cli",
            budget_usd=Decimal(10),
            enqueue=enqueue,
        )

    def requests(self) -> int:
        return len(self.bill())

    def bill(self) -> list[tuple[int, int]]:
        return [(turn, tokens) for turn, tokens in served(self.model)["bill"].get(str(self.case), [])]

    def outcome(self, run: "Run") -> "Outcome":
        from bench.crash.ledger import Outcome

        run.refresh_from_db()
        return Outcome(run, self.bill(), len(self.tools.read_text().splitlines()))

    def perform(self, trial: Trial) -> "Outcome":
        """Do it to a run, keep house until the run is over, and look what became of it."""
        self.order.unlink(missing_ok=True)
        self.workers.want({"lost": 0, "race": 2, "stale": 2, "group": 2}.get(trial.kind, 1))
        if trial.kind in {"commit", "tool"}:
            self.order.write_text(f"{trial.moment} {trial.number}")
        run = self.start(trial.protocol)
        frozen = self.strike(trial, run)
        self.keep_house(run)
        if frozen:
            frozen.signal(signal.SIGCONT)
            time.sleep(1.0)  # it must find that it may write nothing any more
        return self.outcome(run)

    def strike(self, trial: Trial, run: "Run") -> Worker | None:
        """Do what the trial says; the worker that was frozen by it, if any."""
        if trial.kind == "race":
            _ring(run)
        elif trial.kind == "lost":
            _flush()
            self.workers.want(1)
        elif trial.moment == "call":
            # the worker of the trial before may die only now, with this run in its hands
            wait_for(lambda: self._over(run) or self.requests() >= trial.number, "a model call", PATIENCE)
            time.sleep(INSIDE)
            return self._strike_inside(trial.kind, run)
        return None

    def _strike_inside(self, kind: str, run: "Run") -> Worker | None:
        if kind == "database":
            crash(self.database)
            return None
        if kind == "stale":
            return self._freeze(run)
        if kind == "flush":
            _flush()
        self.workers.kill()
        return None

    def _freeze(self, run: "Run") -> Worker:
        run.refresh_from_db()
        holder = next(w for w in self.workers.all if f":{w.process.pid}:" in run.lease_owner)
        holder.signal(signal.SIGSTOP)
        return holder

    def keep_house(self, run: "Run") -> None:
        """Until the run is over."""
        wait_for(lambda: self._over(run), f"run {run.pk}", PATIENCE)

    def _over(self, run: "Run") -> bool:
        """The sweep that beat rings every half minute, more often; dead workers are replaced; is the run over?"""
        from django.db import DatabaseError, connection

        from research.models.states import OPEN_RUN_STATES
        from research.services.runs import sweep_runs

        self.workers.replace_dead()
        try:
            sweep_runs()
            run.refresh_from_db()
        except DatabaseError:
            connection.close()  # it is down; the next round finds it again
            return False
        return run.state not in OPEN_RUN_STATES


def _ring(run: "Run") -> None:
    from celery import current_app

    current_app.send_task("research.tasks.perform_run", args=[str(run.pk)])


def _flush() -> None:
    from django.conf import settings
    from redis import Redis

    Redis.from_url(settings.REDIS_URL).flushdb()
