"""PostgreSQL is restarted while people read and write: gunicorn with two processes and a worker go on by themselves."""

import sys
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bench.faults.places import Told, folder, use
from bench.servers import Postgres, free_port, postgres, process, wait_for

READERS, WRITERS = 6, 2
DOWN = 2.0  # seconds between stop and start
AFTER = 20.0  # seconds that are watched once it is back


@dataclass
class Load:
    """What was answered, and when: (moment, whether it only reads, status; 0 where the connection broke)."""

    url: str
    token: str
    over: threading.Event = field(default_factory=threading.Event)
    answers: list[tuple[float, bool, int]] = field(default_factory=list)

    def run(self, reads: bool) -> None:
        while not self.over.is_set():
            self.answers.append((time.monotonic(), reads, self.ask(reads)))
            time.sleep(0.02)

    def ask(self, reads: bool) -> int:
        asked = b'{"macro": "client-discovery", "params": {"client_name": "Allianz SE"}}'
        path, body = ("results", None) if reads else ("runs", asked)
        headers = {"Authorization": f"Token {self.token}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}/api/v1/{path}", body, headers)  # noqa: S310 - ours
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
                return int(answer.status)
        except urllib.error.HTTPError as error:
            with error:
                return error.code
        except OSError:
            return 0


def run(trials: int, database: str) -> Told:
    """So many restarts, at most five; the seconds are those until the last refusal after it was back."""
    told = Told(min(trials, 5) if database == "postgresql" else 0)
    if not told.trials:
        told.note = "SQLite has no server"
        return told
    with ExitStack() as stack:
        variables, server = stack.enter_context(folder()), stack.enter_context(postgres())
        use({**variables, "DATABASE_URL": server.url, "DOSSIER_ALLOWED_HOSTS": "127.0.0.1"})
        load = Load(_serve(stack, Path(variables["DOSSIER_VAR"])), _token())
        seen: Counter[str] = Counter()
        for number in range(told.trials):
            answers, back = _restart(server, load)
            late = [at - back for at, _, status in answers if at > back and status >= 500]
            told.seconds.append(max(late, default=0.0))
            wrong = Counter(status for _, _, status in answers if status in (0, 500, 502))
            told.wrong += [f"{number}: {dict(wrong)}"] if wrong or told.seconds[-1] > 10 else []
            seen.update(f"{'read' if reads else 'write'} {status}" for _, reads, status in answers)
        told.note = ", ".join(f"{count} {name}" for name, count in sorted(seen.items()))
    return told


def _serve(stack: ExitStack, place: Path) -> str:
    """The web server and a worker; the address of the first."""
    port = free_port()
    web = [
        sys.executable,
        "-m",
        "gunicorn",
        "config.wsgi",
        "--bind",
        f"127.0.0.1:{port}",
        "--no-control-socket",
    ]
    worker = [sys.executable, "-m", "celery", "-A", "config", "worker", "-P", "threads", "-c", "4"]
    stack.enter_context(process([*web, "--workers", "2", "--threads", "4"], log=place / "web.log"))
    stack.enter_context(process(worker, log=place / "worker.log"))
    url = f"http://127.0.0.1:{port}"
    wait_for(lambda: Load(url, "").ask(reads=True) == 401, "the web server")
    return url


def _token() -> str:
    from django.contrib.auth import get_user_model

    from research.services.tokens import issue_token

    return issue_token(user=get_user_model().objects.get())[1]


def _restart(server: Postgres, load: Load) -> tuple[list[tuple[float, bool, int]], float]:
    """The answers around one restart, and the moment at which the database was back."""
    load.over.clear()
    load.answers.clear()
    kinds = [True] * READERS + [False] * WRITERS
    threads = [threading.Thread(target=load.run, args=(reads,)) for reads in kinds]
    for thread in threads:
        thread.start()
    time.sleep(3.0)
    server.stop("fast")
    time.sleep(DOWN)
    server.start()
    back = time.monotonic()
    time.sleep(AFTER)
    load.over.set()
    for thread in threads:
        thread.join()
    return list(load.answers), back
