"""``/readyz`` knows each component, and a component that hangs holds nobody up."""

import threading
import time
from datetime import timedelta
from functools import partial

import pytest
from django.urls import reverse
from django.utils import timezone

from research.doctor import vitals
from research.doctor.findings import Finding
from research.doctor.heartbeats import Heart
from research.doctor.vitals import VITALS, Vitals, overall, queue, seals
from research.models import AuditEvent, Run
from tests.factories import RunFactory, UserFactory

WELL, BROKEN = Finding("ok", "It answers."), Finding("broken", "It does not.")


def test_a_component_that_hangs_is_told_as_broken_and_asked_once():
    let_go, asked = threading.Event(), []

    def hangs():
        asked.append(1)
        let_go.wait(10)
        return WELL

    looking = Vitals({"database": lambda: WELL, "broker": hangs}, patience=0.05)
    began = time.monotonic()
    told = [looking.now() for _ in range(5)]
    assert time.monotonic() - began < 2
    assert [one["broker"].state for one in told] == ["broken"] * 5
    assert {one["database"].state for one in told} == {"ok"}
    assert len(asked) == 1
    let_go.set()
    looking._pulses["broker"].looking and looking._pulses["broker"].looking.join(5)
    assert looking.now()["broker"].state == "ok"


def test_an_answer_is_kept_for_some_seconds():
    asked, now = [], [0.0]
    looking = Vitals({"database": lambda: (asked.append(1), WELL)[1]}, patience=5, clock=lambda: now[0])
    for moment in (0.0, 1.0, vitals.KEPT - 0.1, vitals.KEPT + 0.1):
        now[0] = moment
        looking.now()
    assert len(asked) == 2


def test_a_component_whose_look_fails_is_broken_without_a_word_of_what_it_said():
    def fails():
        raise RuntimeError("postgresql://user:secret@host")

    found = Vitals({"database": fails}, patience=5).now()["database"]
    assert found.state == "broken"
    assert "secret" not in found.seen


@pytest.mark.parametrize(
    ("database", "workers", "state"),
    [
        (WELL, WELL, "ok"),
        (WELL, BROKEN, "degraded"),
        (BROKEN, WELL, "unavailable"),
        (BROKEN, BROKEN, "unavailable"),
    ],
)
def test_only_the_database_makes_it_unavailable(database, workers, state):
    assert overall({"database": database, "workers": workers}) == state


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("minutes", "taken_up", "state"), [(1, False, "ok"), (6, False, "broken"), (6, True, "ok")]
)
def test_a_queue_is_broken_when_nothing_of_it_moves(minutes, taken_up, state):
    waiting = RunFactory(state="queued")
    Run.objects.filter(pk=waiting.pk).update(
        created_at=timezone.now() - timedelta(minutes=minutes), started_at=None
    )
    if taken_up:
        Run.objects.filter(pk=RunFactory().pk).update(started_at=timezone.now())
    assert queue().state == state


@pytest.mark.django_db
@pytest.mark.parametrize(("minutes", "state"), [(1, "ok"), (11, "broken")])
def test_seals_that_lag_are_broken(minutes, state):
    AuditEvent.objects.create(
        action="run.started", object_type="run", object_id="1", at=timezone.now() - timedelta(minutes=minutes)
    )
    assert seals().state == state


@pytest.fixture
def as_seen(monkeypatch):
    """``as_seen(workers=BROKEN)``: what the vitals find; all else is well."""

    def find(**findings):
        components = {name: partial(findings.get, name, WELL) for name in vitals.COMPONENTS}
        monkeypatch.setattr("config.health.VITALS", Vitals(components, patience=5))

    yield find
    VITALS.forget()


@pytest.mark.django_db
def test_readyz_stays_with_the_load_balancer_while_pages_can_be_read(client, as_seen):
    as_seen(workers=BROKEN)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (200, {"status": "degraded"})
    assert client.get("/readyz?of=workers").status_code == 503
    assert client.get("/readyz?of=beat").status_code == 200


@pytest.mark.django_db
def test_readyz_tells_each_component_to_whoever_may_see_it(client, as_seen):
    client.force_login(UserFactory(rights=["view_auditevent"]))
    as_seen(seals=Finding("broken", "They lag.", "Look."))
    told = client.get("/readyz").json()
    assert told["components"]["seals"] == {"state": "broken", "seen": "They lag.", "todo": "Look."}
    assert set(told["components"]) == set(vitals.COMPONENTS)


def test_readyz_asks_no_database_that_does_not_answer(client, as_seen):
    as_seen(database=Finding("broken", f"{vitals.NO_ANSWER} within 0.8 seconds."))
    answer = client.get("/readyz")  # without a database here: it would be an error to ask it
    assert (answer.status_code, answer.json()) == (503, {"status": "unavailable"})


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("rights", "told"), [(["start_run"], True), (["execute_verbs"], True), (["view_run"], False)]
)
def test_the_start_page_says_that_no_worker_is_alive_to_those_whose_work_waits(client, rights, told):
    Heart("worker", "gone:1", clock=lambda: time.time() - 600).beat()
    client.force_login(UserFactory(rights=rights))
    page = client.get(reverse("admin:index")).content.decode()
    assert ("No worker is alive" in page) == told
    Heart("worker", "gone:1").end()
