"""The disk is full: what writes is refused with 507 and leaves nothing half, reads go on, and after it all is well.

The folder for data lies on a small file system of its own, which only root can make. SQLite is in it; a PostgreSQL has
its tables in a tablespace there, so that its own log still has room.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.faults.places import Told, folder, use
from bench.servers import OWNER, free_port, postgres, process, wait_for

SIZE = 64  # MB
ASKED = b'{"macro": "client-discovery", "params": {"client_name": "Allianz SE"}}'


@contextmanager
def small_disk() -> Iterator[Path]:
    """A folder on a file system of its own, in memory."""
    with tempfile.TemporaryDirectory(prefix="bench-full-") as name:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}m", "tmpfs", name], check=True)
        try:
            yield Path(name)
        finally:
            subprocess.run(["umount", "--lazy", name], check=True)


def run(trials: int, database: str) -> Told:
    """One filled disk; the seconds are those of each answer of ``/readyz`` meanwhile."""
    told = Told(min(trials, 1))
    if os.geteuid():
        return Told(0, note="only root can make a file system")
    with ExitStack() as stack:
        disk, variables = stack.enter_context(small_disk()), stack.enter_context(folder())
        if database == "sqlite":
            variables["DATABASE_URL"] = f"sqlite:///{disk}/dossier.sqlite3"
        else:
            variables["DATABASE_URL"] = _postgres_on(stack, disk)
        use({**variables, "DOSSIER_ALLOWED_HOSTS": "127.0.0.1"})
        url, token = _serve(stack, Path(variables["DOSSIER_VAR"])), _token()
        seen = Counter([f"before: {_ask(url, token, True)}/{_ask(url, token, False)}"])
        filler = disk / "filler"
        told.seconds = list(_meanwhile(url, token, filler, seen, told.wrong))
        filler.unlink()
        after = _ask(url, token, True), _ask(url, token, False)
        seen[f"after: {after[0]}/{after[1]}"] += 1
        told.wrong += [f"after it: {after}"] if after != (200, 202) else []
        told.note = ", ".join(f"{count} {name}" for name, count in seen.items())
    return told


def _meanwhile(url: str, token: str, filler: Path, seen: Counter[str], wrong: list[str]) -> Iterator[float]:
    """Fill what is left again and again, write until it is refused, read, and ask whether it is ready."""
    before = _runs()
    written = 0
    for _ in range(300):
        _fill(filler)
        status = _ask(url, token, False)
        seen[f"write {status}"] += 1
        written += status == 202
        if status == 507:
            read = _ask(url, token, True)
            seen[f"read {read}"] += 1
            wrong += [f"a read got {read}"] if read != 200 else []
            begin = time.monotonic()
            ready = _ask(url, "", True, "/readyz")
            seen[f"readyz {ready}"] += 1
            yield time.monotonic() - begin
        elif status != 202:
            wrong.append(f"a write got {status}")
        if seen["write 507"] >= 10:
            break
    if not seen["write 507"]:
        wrong.append("nothing was refused")
    if _runs() - before != written:
        wrong.append(f"{_runs() - before} runs are there, {written} were confirmed")


def _runs() -> int:
    from research.models import Run

    return Run.objects.count()


def _fill(filler: Path) -> None:
    """Until there is no room for another byte."""
    try:
        with filler.open("ab", buffering=0) as file:
            for size in (1 << 20, 1 << 12):
                while True:
                    try:
                        file.write(b"\0" * size)
                    except OSError:
                        break
    except OSError:
        return


def _postgres_on(stack: ExitStack, disk: Path) -> str:
    """A PostgreSQL whose tables lie there; gives the address of a database in it."""
    import psycopg

    server = stack.enter_context(postgres())
    place = disk / "tables"
    place.mkdir()
    subprocess.run(["chown", OWNER, str(place), str(disk)], check=True)
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(f"CREATE TABLESPACE small LOCATION '{place}'")
        connection.execute("CREATE DATABASE dossier TABLESPACE small")
    return server.url.rpartition("/")[0] + "/dossier"


def _serve(stack: ExitStack, place: Path) -> str:
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
    stack.enter_context(process([*web, "--workers", "1", "--threads", "4"], log=place / "web.log"))
    url = f"http://127.0.0.1:{port}"
    wait_for(lambda: _ask(url, "", True, "/healthz") == 200, "the web server")
    return url


def _token() -> str:
    from django.contrib.auth import get_user_model

    from research.services.tokens import issue_token

    return issue_token(user=get_user_model().objects.get())[1]


def _ask(url: str, token: str, reads: bool, path: str = "") -> int:
    headers = {"Authorization": f"Token {token}"} if token else {}
    address = f"{url}{path}" if path else f"{url}/api/v1/{'results' if reads else 'runs'}"
    request = urllib.request.Request(  # noqa: S310 - ours
        address, None if reads else ASKED, {**headers, "Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
            json.loads(answer.read())
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code
    except OSError:
        return 0
