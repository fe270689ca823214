import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from entities.gleif.demo.server import DemoServer
from entities.gleif.register import demo_register
from entities.models import Entity, LeiRecord, Relationship, ReportingException
from research.errors import InvalidTransition
from research.models import AuditEvent, Decision, ResearchResult, VerbCall
from research.services.execution import enqueue_execution, execute_verbs, sweep_executions
from research.services.reviews import approve_result, reject_result
from tests.factories import ALL_RIGHTS, ResultFactory, UserFactory
from tests.services.conftest import ALLIANZ

pytestmark = pytest.mark.django_db


@pytest.fixture
def approved(result, reviewer):
    """The approval of a result about Allianz SE: one gleif.enrich."""
    return approve_result(result=result, reviewer=reviewer, digest=result.digest)


class Broken:
    """A register that is down, but for its name."""

    name, as_of, label = "demo", "", "broken"

    def __getattr__(self, name):
        from entities.gleif.errors import GleifUnavailable

        def refuse(*args, **kwargs):
            raise GleifUnavailable("no answer")

        return refuse


def test_it_writes_what_the_register_says(approved, reviewer):
    (call,) = execute_verbs(decision=approved, actor=reviewer)
    entity = Entity.objects.get(lei=ALLIANZ)
    assert call.state == "succeeded"
    assert (entity.name, entity.jurisdiction, entity.verified) == ("Allianz SE", "DE", False)
    assert LeiRecord.objects.get(lei=ALLIANZ).registration_status == "ISSUED"
    assert set(entity.representations.values_list("type", flat=True)) >= {"lei", "register-number"}
    assert ReportingException.objects.filter(lei=ALLIANZ).count() == 2


def test_it_records_each_call_with_who_executed_it(approved, reviewer):
    execute_verbs(decision=approved, actor=reviewer, register=Broken())
    execute_verbs(decision=approved, actor=reviewer)
    events = AuditEvent.objects.filter(object_type="verbcall", actor=reviewer).order_by("id")
    actions = ["verb.started", "verb.failed", "verb.started", "verb.succeeded"]
    assert list(events.values_list("action", flat=True)) == actions


def test_it_notes_every_changed_field_with_old_and_new(approved, reviewer):
    (call,) = execute_verbs(decision=approved, actor=reviewer)
    created = next(change for change in call.changed if change["field"] == "created")
    assert created["old"] is None
    assert created["new"]["lei"] == ALLIANZ


def test_it_marks_the_result_executed_and_gives_its_run_a_subject(approved, reviewer, result):
    execute_verbs(decision=approved, actor=reviewer)
    result.refresh_from_db()
    assert result.state == "executed"
    assert result.run.subject.lei == ALLIANZ


def test_it_does_nothing_the_second_time(approved, reviewer):
    execute_verbs(decision=approved, actor=reviewer)
    before = list(VerbCall.objects.values("attempts", "finished_at"))
    execute_verbs(decision=approved, actor=reviewer)
    assert list(VerbCall.objects.values("attempts", "finished_at")) == before


def test_it_shows_a_failure_and_goes_on_from_there_later(approved, reviewer, result):
    (call,) = execute_verbs(decision=approved, actor=reviewer, register=Broken())
    result.refresh_from_db()
    assert (call.state, result.state) == ("failed", "approved")
    assert "try again" in call.error["message"]
    assert not Entity.objects.exists()
    (call,) = execute_verbs(decision=approved, actor=reviewer)
    assert (call.state, call.attempts, call.error) == ("succeeded", 2, None)


def test_it_stops_at_the_first_failure_and_keeps_what_was_done(reviewer, result):
    decision = Decision.objects.create(
        result=result,
        verdict="approved",
        reviewer=reviewer,
        result_digest=result.digest,
        macro=result.run.macro,
        data=result.data,
        digest=result.digest,
    )
    texts = [
        ("entity.ensure", {"entity-type": "limited-company", "name": "First"}, "first"),
        (
            "entity.link",
            {"subject": {"symbol": "first"}, "type": "member-of", "object": "no-such-entity"},
            "",
        ),
        ("entity.ensure", {"entity-type": "limited-company", "name": "Third"}, ""),
    ]
    for ordinal, (verb, arguments, binding) in enumerate(texts, start=1):
        VerbCall.objects.create(
            decision=decision, ordinal=ordinal, verb=verb, text="", arguments=arguments, binding=binding
        )
    calls = execute_verbs(decision=decision, actor=reviewer)
    assert [call.state for call in calls] == ["succeeded", "failed", "pending"]
    assert Entity.objects.filter(name="First").count() == 1
    Entity.objects.create(slug="no-such-entity", name="Now there", type="client-group")
    calls = execute_verbs(decision=decision, actor=reviewer)
    assert [call.state for call in calls] == ["succeeded"] * 3
    assert [call.attempts for call in calls] == [1, 2, 1]
    assert Relationship.objects.get().object.slug == "no-such-entity"


def test_it_writes_nothing_of_a_call_that_fails_half_way(approved, reviewer, monkeypatch):
    from django.db import DatabaseError

    def fail(*args, **kwargs):
        raise DatabaseError("disk full")

    monkeypatch.setattr("entities.memory.add_representation", fail)
    (call,) = execute_verbs(decision=approved, actor=reviewer)
    assert call.state == "failed"
    assert not Entity.objects.exists()
    assert not LeiRecord.objects.exists()


def test_it_executes_nothing_of_a_rejected_result(result, reviewer):
    decision = reject_result(result=result, reviewer=reviewer, digest=result.digest, reason="no")
    with pytest.raises(InvalidTransition):
        execute_verbs(decision=decision, actor=reviewer)


@pytest.mark.django_db(transaction=True)
def test_it_executes_a_verb_once_when_twenty_ask_at_once():
    person = UserFactory(rights=ALL_RIGHTS)
    result = ResultFactory()
    approval = approve_result(result=result, reviewer=person, digest=result.digest)
    start, outcomes = threading.Barrier(20), []

    def execute():
        mine = Decision.objects.select_related("result__run").get(pk=approval.pk)
        connection.close()  # twenty waiting threads must not hold the pool's connections
        start.wait(timeout=30)
        try:
            execute_verbs(decision=mine, actor=person)
            outcomes.append("executed")
        except InvalidTransition:
            outcomes.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=execute) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 20
    assert "executed" in outcomes
    assert VerbCall.objects.get().attempts == 1
    assert Entity.objects.filter(lei=ALLIANZ).count() == 1
    assert ResearchResult.objects.get().state == "executed"


def test_it_uses_the_same_words_over_http_as_over_the_table(approved, reviewer):
    """The server that stands in for GLEIF and the shipped table give the same entity."""
    from entities.gleif.client import GleifClient
    from entities.gleif.register import Register

    with DemoServer() as server:
        execute_verbs(
            decision=approved, actor=reviewer, register=Register(GleifClient(server.url, per_minute=0))
        )
    over_http = Entity.objects.values("name", "lei", "jurisdiction", "aliases").get(lei=ALLIANZ)
    record = demo_register().record(ALLIANZ)
    assert over_http["name"] == record.legal_name


def test_it_leaves_no_call_running_when_a_handler_breaks(approved, reviewer, monkeypatch):
    from research.verbs.handlers import HANDLERS

    def broken(arguments, context):
        raise KeyError("what nobody thought of")

    monkeypatch.setitem(HANDLERS, "gleif.enrich", broken)
    (call,) = execute_verbs(decision=approved, actor=reviewer)
    assert (call.state, call.error["code"]) == ("failed", "internal")
    monkeypatch.undo()
    (call,) = execute_verbs(decision=approved, actor=reviewer)
    assert call.state == "succeeded"


def test_it_writes_nothing_when_another_worker_took_the_call_over(approved, reviewer, monkeypatch):
    from research.verbs.handlers import HANDLERS

    enrich = HANDLERS["gleif.enrich"]

    def slow(arguments, context):
        VerbCall.objects.filter(decision=approved).update(attempts=2)  # as the claim of another does
        return enrich(arguments, context)

    monkeypatch.setitem(HANDLERS, "gleif.enrich", slow)
    (call,) = execute_verbs(decision=approved, actor=reviewer)
    assert (call.state, call.attempts, call.error) == ("running", 2, None)
    assert not Entity.objects.exists()


def test_it_tells_nothing_of_the_database_in_the_error(approved, reviewer, monkeypatch):
    from django.db import IntegrityError

    def fail(*args, **kwargs):
        raise IntegrityError("duplicate key value violates unique constraint; DETAIL: Key (secret)")

    monkeypatch.setattr("entities.memory.add_representation", fail)
    (call,) = execute_verbs(decision=approved, actor=reviewer)
    assert call.error["code"] == "database"
    assert "Key" not in call.error["message"]


@pytest.fixture
def forgotten(approved, reviewer, result):
    """An approval that somebody wanted executed an hour ago."""
    enqueue_execution(decision=approved, actor=reviewer)
    asked = timezone.now() - timedelta(hours=1)
    ResearchResult.objects.filter(pk=result.pk).update(execution_asked_at=asked)
    return approved


def swept(capture, rings):
    rings.clear()
    with capture(execute=True):
        count = sweep_executions()
    return count, list(rings)


def test_it_rings_again_when_the_message_or_the_worker_was_lost(
    forgotten, reviewer, silent_doorbell, django_capture_on_commit_callbacks
):
    ring = ("execute_decision", (forgotten.pk, reviewer.pk))
    assert swept(django_capture_on_commit_callbacks, silent_doorbell) == (1, [ring])
    assert swept(django_capture_on_commit_callbacks, silent_doorbell) == (0, [])


@pytest.mark.parametrize(
    ("state", "code", "seconds", "rings"),
    [
        ("failed", "refused", 5_400, 0),
        ("failed", "internal", 5_400, 0),
        ("failed", "busy", 50, 0),
        ("failed", "busy", 70, 1),
        ("failed", "away", 70, 1),
        ("failed", "full", 70, 1),
        ("running", None, 8, 0),
        ("running", None, 12, 1),
        ("succeeded", None, 5_400, 1),
        ("pending", None, 5_400, 1),
    ],
)
def test_it_rings_for_what_nobody_is_at_and_no_person_has_to_look_at(forgotten, state, code, seconds, rings):
    then = timezone.now() - timedelta(seconds=seconds)
    VerbCall.objects.filter(decision=forgotten).update(
        state=state,
        started_at=then - timedelta(hours=2),
        alive_at=then,
        finished_at=then,
        error={"code": code} if code else None,
    )
    assert sweep_executions() == rings


def test_it_does_not_ring_for_what_is_executed_or_was_never_asked_for(forgotten, reviewer):
    execute_verbs(decision=forgotten, actor=reviewer)
    other = ResultFactory()
    approve_result(result=other, reviewer=reviewer, digest=other.digest)
    ResearchResult.objects.filter(pk=forgotten.result_id).update(execution_asked_at="2020-01-01T00:00:00Z")
    assert sweep_executions() == 0
