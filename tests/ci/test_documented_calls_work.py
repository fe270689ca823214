"""Does what the pages for integrators tell work when it is typed as it stands there, against a server that runs?"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"<!-- live(?:: (\S+))? -->\n```(\w+)\n(.*?)```", re.DOTALL)
SECONDS = 90
pytestmark = pytest.mark.skipif(
    shutil.which("curl") is None, reason="the documented calls are made with curl"
)


def blocks(page):
    """Every marked block: (file name or "", language, text)."""
    return BLOCK.findall((ROOT / "docs" / page).read_text())


def free_ports():
    """Three that nobody listens on: the web server's, the one after it for agents, and a receiver's."""
    while True:
        with socket.socket() as web, socket.socket() as mcp, socket.socket() as receiver:
            web.bind(("127.0.0.1", 0))
            receiver.bind(("127.0.0.1", 0))
            try:
                mcp.bind(("127.0.0.1", web.getsockname()[1] + 1))
            except OSError:
                continue
            return [each.getsockname()[1] for each in (web, mcp, receiver)]


@pytest.fixture(scope="module")
def ports():
    return free_ports()


@pytest.fixture(scope="module")
def local(ports):
    """The text of a page with the ports of this test."""

    def local(text):
        for documented, ours in zip(("8000", "8001", "9000"), ports, strict=True):
            text = re.sub(rf'(127\.0\.0\.1(?:", |:)){documented}', rf"\g<1>{ours}", text)
        return text

    return local


@pytest.fixture(scope="module")
def password(tmp_path_factory, ports):
    """Dossier as ``make serve`` starts it, with nothing set up, until the last test is over; the password it gave."""
    # with the last of them it would speak at once, whatever it does
    mine = ("DATABASE_URL", "REDIS_URL", "PYTHONUNBUFFERED")
    outside = {name: value for name, value in os.environ.items() if name not in mine}
    own = {
        "DOSSIER_VAR": str(tmp_path_factory.mktemp("var")),
        "DOSSIER_REGISTER": "demo",
        "DOSSIER_FETCH_ALLOW": f"127.0.0.1:{ports[2]}",
    }
    command = [sys.executable, "manage.py", "up", "--port", str(ports[0]), "--json"]
    server = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**outside, **own},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    # what never says that it is ready would be waited for without end
    late = threading.Timer(SECONDS, server.terminate)
    late.start()
    try:
        told = {}
        while "ready" not in told:
            line = server.stdout.readline()
            assert line, "the server ended before it was ready"
            told |= json.loads(line)
        late.cancel()
        yield told["password"]
    finally:
        late.cancel()
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=60)


def run(command, folder, **environment):
    done = subprocess.run(
        command,
        check=False,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def test_by_rest_a_question_becomes_an_approved_fact(password, local, tmp_path):
    parts = [*blocks("tasks/use-the-rest-api.md"), *blocks("tasks/receive-webhooks.md")]
    [(_, _, receiver)] = [part for part in parts if part[0] == "receiver.py"]
    (tmp_path / "receiver.py").write_text(local(receiver))
    script = "\n".join(
        [
            "set -eu",
            "trap 'kill $(jobs -p) 2> /dev/null || true' EXIT",
            *(text for name, _, text in parts if not name),
        ]
    )
    said = run(["bash", "-c", local(script)], tmp_path, PASSWORD=password).split()
    assert said == ["delivered", "executed", "529900K9B0N5BT694847"]
    assert "Allianz SE" in (tmp_path / "memo.md").read_text()
    told = (tmp_path / "events.txt").read_text().splitlines()
    assert [line.split()[0] for line in told[:2]] == ["webhook.test", "run.succeeded"]


def test_by_mcp_a_question_becomes_an_approved_fact(password, local, tmp_path):
    [(name, _, agent)] = blocks("tasks/connect-an-agent.md")
    (tmp_path / name).write_text(local(agent))
    api = local("http://127.0.0.1:8000/api/v1")
    token = json.loads(
        run(["curl", "-sS", "-u", f"admin:{password}", "-X", "POST", f"{api}/tokens"], tmp_path)
    )["token"]
    said = run([sys.executable, name], tmp_path, TOKEN=token)
    assert "21380068P1DRHMJ8KU70" in said.splitlines()[-1]


def test_every_kind_of_event_is_documented():
    from research.services.webhooks import EVENTS

    page = (ROOT / "docs" / "tasks" / "receive-webhooks.md").read_text()
    assert [name for name in EVENTS.values() if f"`{name}`" not in page] == []
