"""While the database is away, full or busy, people and programs are told so, and when to try again."""

import errno
import sqlite3
from contextlib import ExitStack

import psycopg
import pytest
from django.db import OperationalError, connection
from django.urls import reverse

from research.services import overview
from research.services.macros import sync_macros
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


def refusal(said):
    error = OperationalError(str(said))
    error.__cause__ = said
    return error


def full_sqlite():
    said = sqlite3.OperationalError("database or disk is full")
    said.sqlite_errorname = "SQLITE_FULL"
    return refusal(said)


OUTAGES = [
    (lambda: refusal(psycopg.errors.AdminShutdown("going down")), 503, "database-unavailable"),
    (
        lambda: refusal(psycopg.OperationalError("couldn't get a connection after 10.00 sec")),
        503,
        "database-unavailable",
    ),
    (lambda: refusal(psycopg.errors.LockNotAvailable("lock timeout")), 503, "database-busy"),
    (lambda: refusal(psycopg.errors.DiskFull("could not extend file")), 507, "storage-full"),
    (full_sqlite, 507, "storage-full"),
    (lambda: OSError(errno.ENOSPC, "No space left on device"), 507, "storage-full"),
]


@pytest.fixture(autouse=True)
def closed(monkeypatch):
    """How often connections were closed; the one of a test stays open, its transaction is on it."""
    times = []
    monkeypatch.setattr("config.outages.connections.close_all", lambda: times.append(1))
    return times


@pytest.fixture
def breaks():
    """``breaks(error, times)``: the first so many statements about runs break."""
    with ExitStack() as stack:

        def breaks(make, times=1_000):
            left = [times]

            def execute(run, sql, params, many, context):
                if "research_run" in sql and left[0]:
                    left[0] -= 1
                    raise make()
                return run(sql, params, many, context)

            stack.enter_context(connection.execute_wrapper(execute))

        yield breaks


@pytest.mark.parametrize(("make", "status", "code"), OUTAGES)
def test_a_program_gets_a_problem_document_with_a_time(client, breaks, make, status, code):
    client.raise_request_exception = False
    client.force_login(UserFactory(rights=["view_run"]))
    breaks(make)
    answer = client.get("/api/v1/runs")
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["type"] == f"urn:dossier:{code}"
    assert int(answer["Retry-After"]) > 0


@pytest.mark.parametrize(("make", "status", "code"), OUTAGES)
def test_a_person_gets_a_page_that_asks_no_database(client, monkeypatch, make, status, code):
    def broken(*args):
        raise make()

    monkeypatch.setitem(overview._PARTS, "research.view_run", broken)
    client.raise_request_exception = False
    client.force_login(UserFactory(rights=["view_run"]))
    answer = client.get(reverse("admin:index"))
    assert answer.status_code == status
    assert "To the start page" in answer.content.decode()


def test_a_request_that_only_reads_is_answered_over_a_new_connection(client, breaks, closed):
    client.raise_request_exception = False
    client.force_login(UserFactory(rights=["view_run"]))
    breaks(OUTAGES[0][0], times=1)
    assert client.get("/api/v1/runs").status_code == 200
    assert closed == [1]


def test_a_request_that_writes_is_made_once(client, breaks, closed):
    client.raise_request_exception = False
    client.force_login(UserFactory(is_superuser=True))
    sync_macros()
    breaks(OUTAGES[0][0], times=1)
    body = {"macro": "client-discovery", "params": {"client_name": "Allianz SE"}}
    answer = client.post("/api/v1/runs", body, content_type="application/json")
    assert (answer.status_code, closed) == (503, [])


def test_another_fault_stays_a_fault(client, breaks):
    client.raise_request_exception = False
    client.force_login(UserFactory(rights=["view_run"]))
    breaks(lambda: RuntimeError("of ours"))
    assert client.get("/api/v1/runs").status_code == 500
