import os
import socket
import threading

import pytest

from common.commands.base import Refusal
from research.management.commands import up
from research.management.one_at_a_time import alone
from research.management.processes import Group, Service, python
from research.models import AuditEvent
from research.services.people import ensure_admin

pytestmark = pytest.mark.django_db


@pytest.fixture
def port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


@pytest.fixture
def stand_ins(monkeypatch):
    """A web server and a worker of one line each; nobody takes over the signals of the test."""

    def stand_ins(worker="import signal; signal.pause()"):
        monkeypatch.setattr(
            up,
            "services",
            lambda host, port, mcp: [
                Service("web", python("-m", "http.server", str(port), "--bind", host)),
                Service("worker", python("-c", worker)),
            ],
        )

    monkeypatch.setattr(up, "stop_on_signals", lambda stop, hurry: None)
    return stand_ins


@pytest.fixture
def stop_when_ready(monkeypatch):
    monkeypatch.setattr(Group, "keep", lambda self, wanted, stop, tell: None)


@pytest.fixture(autouse=True)
def folder_of_its_own(settings, tmp_path):
    settings.VAR_DIR = tmp_path / "var"


def test_it_says_when_it_is_ready_and_stops_when_told(run, port, stand_ins, stop_when_ready):
    stand_ins()
    outcome = run("up", "--mcp-port", "0", "--port", port)
    assert outcome.code == 0, outcome.err
    assert f"http://127.0.0.1:{port}/" in outcome.out
    assert outcome.out.splitlines()[-1] == "stopped"


def test_it_makes_an_administrator_on_the_first_start_only(
    run, port, stand_ins, stop_when_ready, django_user_model, client
):
    stand_ins()
    first = run("up", "--mcp-port", "0", "--port", port, "--json").documents
    second = run("up", "--mcp-port", "0", "--port", port, "--json").documents
    assert [set(document) for document in first] == [{"admin", "password"}, {"ready"}, {"stopped"}]
    assert [set(document) for document in second] == [{"ready"}, {"stopped"}]
    assert client.login(username=first[0]["admin"], password=first[0]["password"])
    assert django_user_model.objects.filter(is_superuser=True).count() == 1


def test_what_ends_before_it_is_ready_ends_everything(run, port, stand_ins, monkeypatch):
    stand_ins(worker="raise SystemExit(3)")
    monkeypatch.setattr(
        up, "answers", lambda host, port, stop, group, *rest: group.children["worker"].wait() < 0
    )
    outcome = run("up", "--mcp-port", "0", "--port", port)
    assert outcome.code == 1
    assert "worker ended before Dossier was ready" in outcome.err


def test_it_is_refused_on_a_folder_on_which_another_one_is_up(
    run, port, stand_ins, stop_when_ready, settings
):
    stand_ins()
    with alone(settings.VAR_DIR, "http://127.0.0.1:1234/"):
        outcome = run("up", "--mcp-port", "0", "--port", port)
    assert outcome.code == 1
    assert f"already up on {settings.VAR_DIR}: process {os.getpid()}, http://127.0.0.1:1234/" in outcome.err
    assert run("up", "--mcp-port", "0", "--port", port).code == 0


def test_a_slow_start_says_the_address(run, port, stand_ins, stop_when_ready, monkeypatch):
    stand_ins()
    answers = up.answers

    def slowly(host, port, stop, group, slow=None, limit=9.0):
        slow()
        return answers(host, port, stop, group)

    monkeypatch.setattr(up, "answers", slowly)
    outcome = run("up", "--mcp-port", "0", "--port", port)
    assert f"Its address will be http://127.0.0.1:{port}/" in outcome.out


def test_it_refuses_a_port_that_is_taken_before_it_starts_anything(run, django_user_model):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        outcome = run("up", "--port", str(other.getsockname()[1]))
    assert outcome.code == 1
    assert "Cannot listen" in outcome.err
    assert not django_user_model.objects.exists()


@pytest.mark.parametrize("arguments", [["--port", "99999"], ["--host", "no.such.host.invalid"]])
def test_it_refuses_an_address_that_cannot_be(run, arguments):
    assert run("up", *arguments).code == 1


def test_it_runs_web_worker_beat_and_the_server_for_agents():
    commands = {service.name: " ".join(service.command) for service in up.services("127.0.0.1", 8000, 8001)}
    assert set(commands) == {"web", "worker", "beat", "mcp"}
    assert "config.mcp:app --host 127.0.0.1 --port 8001" in commands["mcp"]
    assert "127.0.0.1:8000" in commands["web"]
    assert "-P threads" in commands["worker"]


@pytest.mark.parametrize(
    ("named", "told"), [(None, "http://127.0.0.1:8123"), ("https://d.example", "https://d.example")]
)
def test_links_lead_to_where_the_servers_are_unless_another_address_is_named(
    tmp_path, monkeypatch, named, told
):
    monkeypatch.delenv("DOSSIER_URL", raising=False)
    if named:
        monkeypatch.setenv("DOSSIER_URL", named)
    group = Group(tmp_path, up.addresses("http://127.0.0.1:8123", "http://127.0.0.1:8124"))
    say = (
        "import os; open('told', 'w').write(os.environ['DOSSIER_URL'] + ' ' + os.environ['DOSSIER_MCP_URL'])"
    )
    group.start(Service("web", python("-c", say)))
    group.children["web"].wait()
    assert (tmp_path / "told").read_text() == f"{told} http://127.0.0.1:8124"


def test_it_waits_for_the_web_server_only_while_all_live(port, tmp_path):
    group = Group(tmp_path)
    group.start(Service("web", python("-c", "")))
    group.children["web"].wait()
    assert not up.answers("127.0.0.1", int(port), threading.Event(), group)


def test_it_says_that_a_slow_machine_is_still_starting_and_goes_on_waiting(port, tmp_path, monkeypatch):
    monkeypatch.setattr(up, "SLOW_SECONDS", 0.0)
    group, server = Group(tmp_path), socket.socket()
    group.start(Service("web", python("-c", "import time; time.sleep(60)")))
    told = []

    def slow():
        told.append("still starting")
        if len(told) == 3:
            server.bind(("127.0.0.1", int(port)))
            server.listen()

    try:
        assert up.answers("127.0.0.1", int(port), threading.Event(), group, slow)
    finally:
        group.stop()
        server.close()
    assert len(told) == 3


def test_it_never_takes_the_name_of_somebody_else(django_user_model):
    django_user_model.objects.create_user("admin")
    name, password = ensure_admin()
    assert name != "admin"
    assert len(password) >= 12
    assert password not in str(list(AuditEvent.objects.values()))


def test_it_serves_no_agents_where_it_was_told_not_to():
    assert {service.name for service in up.services("127.0.0.1", 8000)} == {"web", "worker", "beat"}


def test_it_goes_without_agents_where_the_next_port_is_taken():
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        assert up.mcp_port("127.0.0.1", taken - 1, None) == 0
        with pytest.raises(Refusal, match="Cannot listen"):
            up.mcp_port("127.0.0.1", taken - 1, taken)


@pytest.mark.django_db
def test_the_page_to_log_in_says_how_to_get_a_password(client):
    shown = client.get("/admin/login/").content.decode()
    assert "<code>./manage.py changepassword NAME</code>" in shown
