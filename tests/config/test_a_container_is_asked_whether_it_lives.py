import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.core.cache import caches

from config import alive
from research.doctor.heartbeats import Heart


@pytest.fixture
def server():
    """It answers ``/200``, ``/503`` and so on with that status, and keeps the headers it was asked with."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.server.asked = self.headers
            self.send_response(int(self.path.strip("/")))
            self.end_headers()

        def log_message(self, *args):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.mark.parametrize(("status", "well"), [(200, True), (503, False), (400, False), (301, False)])
def test_only_a_server_that_says_so_is_well(server, status, well):
    assert alive.answers(server.server_port, f"/{status}") == well


@pytest.mark.parametrize(
    ("allowed", "host"),
    [("d.example.org,other", "d.example.org"), (".example.org", "example.org"), ("*", "localhost")],
)
def test_it_is_asked_by_the_name_that_people_use(server, monkeypatch, allowed, host):
    monkeypatch.setenv("DOSSIER_ALLOWED_HOSTS", allowed)
    assert alive.answers(server.server_port, "/200")
    assert server.asked["Host"] == host


def test_one_that_is_gone_is_not_well(server):
    port = server.server_port
    server.shutdown()
    server.server_close()
    assert not alive.answers(port, "/200")


@pytest.mark.django_db
def test_it_asks_for_pages_that_there_are(client):
    assert client.get(alive.SERVERS["web"][1]).status_code in (200, 503)


def gave_a_sign(name, ago=0.0):
    Heart("worker", name, clock=lambda: time.time() - ago).beat()


@pytest.fixture
def no_signs():
    caches["signs"].delete("worker")
    yield
    caches["signs"].delete("worker")


def test_a_worker_of_this_machine_that_gave_a_sign_of_late_lives(no_signs):
    assert not alive.gives_signs("worker")
    gave_a_sign(f"{socket.gethostname()}:17")
    assert alive.gives_signs("worker")


@pytest.mark.parametrize(("machine", "ago"), [("another", 0.0), ("", 120.0)])
def test_one_of_another_machine_or_of_long_ago_proves_nothing(no_signs, machine, ago):
    gave_a_sign(f"{machine or socket.gethostname()}:17", ago)
    assert not alive.gives_signs("worker")
