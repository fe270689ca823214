"""``python -m bench.faults.running_up``: ``manage.py up`` with everything that it starts, on a folder of its own.

Each of its processes is killed and must come back; a second one on the same folder is refused; killed itself, nothing
is left; and it comes up again on the same folder and port.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from bench.servers import free_port, kill_group, wait_for

NAMES = {
    "web": "config.wsgi",
    "worker": "config worker",
    "beat": "config beat",
    "mcp": "config.mcp:app",
}
PATIENCE = 120.0


def main() -> None:
    told: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="bench-up-") as name:
        folder = Path(name)
        port = free_port()
        environment = {
            **os.environ,
            "DOSSIER_VAR": name,
            "DATABASE_URL": "",
            "REDIS_URL": "",
            "PYTHONUNBUFFERED": "1",
        }
        command = [sys.executable, "manage.py", "up", "--port", str(port), "--json"]
        with up(command, environment, folder / "first.log") as first:
            told["ready_after_s"] = ready(folder / "first.log", port)
            second = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            told["second_refused"] = second.returncode == 1 and "already up" in second.stdout
            for each in NAMES:
                told[f"{each}_back_after_s"] = killed_and_back(each, first.pid, port)
            left = [pid for each in NAMES for pid in pids(each, port)]
            begun = time.monotonic()
            first.kill()
            first.wait()
            wait_for(lambda: not any(alive(pid) for pid in left), "orphans to end", PATIENCE)
            told["orphans_gone_after_s"] = round(time.monotonic() - begun, 1)
        with up(command, environment, folder / "again.log") as again:
            told["ready_again_after_s"] = ready(folder / "again.log", port)
            begun = time.monotonic()
            again.send_signal(signal.SIGTERM)
            told["exit_code"] = again.wait(timeout=PATIENCE)
            told["stopped_after_s"] = round(time.monotonic() - begun, 1)
            told["left"] = sum(len(pids(each, port)) for each in NAMES)
    json.dump(told, sys.stdout, indent=1)
    print()


@contextmanager
def up(command: list[str], environment: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, env=environment, stdout=output, stderr=output, start_new_session=True
        )
    try:
        yield process
    finally:
        kill_group(process)


def ready(log: Path, port: int) -> float:
    begun = time.monotonic()
    wait_for(lambda: b'"ready"' in log.read_bytes(), "up", PATIENCE)
    wait_for(lambda: answers(port), "the pages", PATIENCE)
    return round(time.monotonic() - begun, 1)


def answers(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def pids(name: str, port: int) -> list[int]:
    """The processes of this trial with such a command line: those that have its port in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            line = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            mine = f"DOSSIER_URL=http://127.0.0.1:{port}".encode() in (path / "environ").read_bytes()
        except OSError:
            continue
        if mine and NAMES[name] in line:
            found.append(int(path.name))
    return sorted(found)


def killed_and_back(name: str, parent: int, port: int) -> float:
    """Kill -9 for the process that ``up`` has started; after how many seconds there is another one that works."""
    victim = next(pid for pid in pids(name, port) if parent_of(pid) == parent)
    os.kill(victim, signal.SIGKILL)
    begun = time.monotonic()
    wait_for(lambda: not alive(victim), "its end", PATIENCE)

    def back() -> bool:
        time.sleep(0.1)
        new = [pid for pid in pids(name, port) if parent_of(pid) == parent]
        return bool(new) and (name != "web" or answers(port))

    wait_for(back, name, PATIENCE)
    return round(time.monotonic() - begun, 1)


def parent_of(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


if __name__ == "__main__":
    main()
