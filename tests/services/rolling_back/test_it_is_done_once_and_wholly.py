"""Who may roll back, from which states, once, and all of it or nothing; and what the rest of the house does with it."""

import threading

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from entities.models import Entity
from research.errors import InvalidTransition, NotPermitted, ReasonRequired, StaleDigest
from research.models import AuditEvent, Rollback, VerbCall, VerbEffect, Watch
from research.services.execution import enqueue_execution, execute_verbs, sweep_executions
from research.services.reviews import approve_result, reject_result
from research.services.rollback import may_be_rolled_back, preview_rollback, roll_back_verbs
from tests.factories import ALL_RIGHTS, ResultFactory, UserFactory
from tests.services.rolling_back.conftest import approve, memory

pytestmark = pytest.mark.django_db

NEW = '(entity.ensure :entity-type "company" :name "New" :as @new)'
TWO = NEW + '(entity.link :subject @new :type "member-of" :object "nobody-knows-it")'


def undo(decision, person, **more):
    return roll_back_verbs(result=decision.result, actor=person, reason="the wrong company", **more)


def test_it_says_who_when_and_why(executed, person):
    decision = executed(NEW)
    rollback = undo(decision, person)
    assert (rollback.actor, rollback.reason) == (person, "the wrong company")
    assert rollback.counts == {"remove": 1, "restore": 0, "mark": 0, "keep": 0}
    assert rollback.steps[0]["what"] == "New"
    actions = AuditEvent.objects.filter(actor=person, action__contains="rolled_back").order_by("id")
    assert [(event.action, event.detail["reason"]) for event in actions] == [
        ("verb.rolled_back", "the wrong company"),
        ("result.rolled_back", "the wrong company"),
    ]


def test_the_result_and_its_calls_are_rolled_back_and_the_session_is_idle(executed, person):
    decision = executed(NEW)
    undo(decision, person)
    decision.result.refresh_from_db()
    assert decision.result.state == "rolled_back"
    assert [call.state for call in decision.verb_calls.all()] == ["rolled_back"]
    assert decision.result.session is None or decision.result.session.status == "idle"


def test_what_was_written_stays_on_record(executed, person):
    decision = executed(NEW)
    undo(decision, person)
    assert VerbEffect.objects.get().new["name"] == "New"
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        VerbEffect.objects.update(new={})
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Rollback.objects.all().delete()


@pytest.mark.parametrize("reason", ["", "  \n "])
def test_it_needs_a_reason(executed, person, reason):
    decision = executed(NEW)
    with pytest.raises(ReasonRequired):
        roll_back_verbs(result=decision.result, actor=person, reason=reason)
    assert Entity.objects.exists()


def test_it_needs_the_permission_to_execute(executed):
    decision = executed(NEW)
    with pytest.raises(NotPermitted, match="execute_verbs"):
        undo(decision, UserFactory(rights=[right for right in ALL_RIGHTS if "execute" not in right]))
    assert Entity.objects.exists()


def test_it_is_done_once(executed, person):
    decision = executed(NEW)
    undo(decision, person)
    with pytest.raises(InvalidTransition, match=f"{person.get_username()} took this back already"):
        undo(decision, person)
    with pytest.raises(InvalidTransition, match="took this back already"):
        preview_rollback(result=decision.result, actor=person)


def test_nothing_of_it_is_executed_again(executed, person):
    decision = executed(NEW)
    undo(decision, person)
    for again in (execute_verbs, enqueue_execution):
        with pytest.raises(InvalidTransition, match="not executed again"):
            again(decision=decision, actor=person)
    assert sweep_executions() == 0
    assert not Entity.objects.exists()


def test_a_result_that_stopped_half_way_is_rolled_back_too(executed, person):
    decision = executed(TWO)
    assert [call.state for call in decision.verb_calls.order_by("ordinal")] == ["succeeded", "failed"]
    undo(decision, person)
    assert [call.state for call in decision.verb_calls.order_by("ordinal")] == ["rolled_back", "skipped"]
    assert not Entity.objects.exists()


def test_nothing_is_taken_back_of_what_was_never_written(person):
    waiting, approved = ResultFactory(), approve(NEW, person)
    rejected = ResultFactory()
    reject_result(result=rejected, reviewer=person, digest=rejected.digest, reason="no")
    for result in (waiting, approved.result, rejected):
        result.refresh_from_db()
        assert not may_be_rolled_back(result)
        with pytest.raises(InvalidTransition, match="nothing to take back"):
            roll_back_verbs(result=result, actor=person, reason="r")


def test_it_waits_for_a_call_that_is_being_executed(executed, person):
    decision = executed(TWO)
    VerbCall.objects.filter(decision=decision, ordinal=2).update(state="running", alive_at=timezone.now())
    with pytest.raises(InvalidTransition, match="Verb 2 is being executed"):
        undo(decision, person)
    VerbCall.objects.filter(decision=decision, ordinal=2).update(alive_at="2020-01-01T00:00:00Z")
    undo(decision, person)
    assert decision.verb_calls.get(ordinal=2).state == "skipped"


def test_a_worker_that_wakes_up_after_it_writes_nothing(executed, person, monkeypatch):
    """Between two of its calls somebody takes the first back: the second is not executed any more."""
    from research.verbs.handlers import HANDLERS

    decision = approve(NEW + '(entity.ensure :entity-type "company" :name "Second")', person)
    ensure, seen = HANDLERS["entity.ensure"], []

    def slow(arguments, context):
        if seen:
            VerbCall.objects.filter(decision=decision, ordinal=2).update(alive_at="2020-01-01T00:00:00Z")
            undo(decision, person)
        seen.append(arguments["name"])
        return ensure(arguments, context)

    monkeypatch.setitem(HANDLERS, "entity.ensure", slow)
    execute_verbs(decision=decision, actor=person)
    assert seen == ["New", "Second"]
    assert not Entity.objects.exists()
    assert [call.state for call in decision.verb_calls.order_by("ordinal")] == ["rolled_back", "skipped"]


def test_a_plan_that_has_become_another_is_not_carried_out(executed, person):
    decision = executed(NEW)
    seen = preview_rollback(result=decision.result, actor=person).digest
    Entity.objects.update(jurisdiction="FR")
    with pytest.raises(StaleDigest):
        undo(decision, person, digest=seen)
    assert Entity.objects.exists()
    decision.result.refresh_from_db()
    assert decision.result.state == "executed"


def test_a_crash_in_the_middle_leaves_everything_as_it_was(executed, person, monkeypatch):
    trust = '(entity.ensure :entity-type "trust" :name "T")'
    decision = executed(NEW + f'(entity.link :subject @new :type "member-of" :object {trust})')
    before = memory()

    def crash(*args, **kwargs):
        raise SystemExit("the machine goes down")

    monkeypatch.setattr("research.services.rollback.audit.record", crash)
    with pytest.raises(SystemExit):
        undo(decision, person)
    monkeypatch.undo()
    decision.result.refresh_from_db()
    assert memory() == before
    assert decision.result.state == "executed"
    assert not Rollback.objects.exists()
    undo(decision, person)
    assert not Entity.objects.exists()


def test_calls_from_before_their_rows_were_recorded_are_left_and_named(executed, person):
    decision = executed(NEW + '(entity.ensure :entity-type "company" :name "Recorded")')
    decision.verb_calls.filter(ordinal=1).update(recorded=False)
    plan = preview_rollback(result=decision.result, actor=person)
    assert [call.ordinal for call in plan.left] == [1]
    undo(decision, person)
    assert [call.state for call in decision.verb_calls.order_by("ordinal")] == ["succeeded", "rolled_back"]
    assert Entity.objects.get().name == "New"


def test_nothing_is_promised_where_no_call_was_recorded(executed, person):
    decision = executed(NEW)
    decision.verb_calls.update(recorded=False)
    with pytest.raises(InvalidTransition, match="before it was recorded"):
        undo(decision, person)
    assert Entity.objects.exists()


def test_a_call_that_writes_more_rows_than_are_kept_says_so(person, monkeypatch, executed):
    monkeypatch.setattr("entities.memory.written.MAX_ROWS", 1)
    decision = executed('(entity.ensure :entity-type "company" :name "New" :company-number "HRB 7")')
    assert decision.verb_calls.get().recorded is False
    assert Entity.objects.exists()


def test_what_is_kept_fresh_is_paused(person):
    result = ResultFactory()
    decision = approve_result(result=result, reviewer=person, digest=result.digest)
    execute_verbs(decision=decision, actor=person)
    assert Watch.objects.get().state == "resting"
    undo(decision, person)
    watch = Watch.objects.get()
    assert (watch.state, watch.outcome) == (
        "paused",
        "What was approved has been taken back; nothing is kept fresh.",
    )


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_takes_it_back():
    person = UserFactory(rights=ALL_RIGHTS)
    decision = approve(NEW, person)
    execute_verbs(decision=decision, actor=person)
    start, outcomes = threading.Barrier(6), []

    def attempt():
        mine = type(decision).objects.select_related("result").get(pk=decision.pk)
        connection.close()
        start.wait(timeout=30)
        try:
            undo(mine, person)
            outcomes.append("taken back")
        except InvalidTransition:
            outcomes.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=attempt) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["refused"] * 5 + ["taken back"]
    assert Rollback.objects.count() == 1
    assert not Entity.objects.exists()
