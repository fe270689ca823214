"""An approval is looked at again when it grows old; only what changed bothers a person."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from entities.memory import merge_entities, plan_merge
from entities.models import Entity, EntityEvent
from research.models import AuditEvent, Run, Watch
from research.models.states import RunState, WatchState
from research.services.execution import execute_verbs
from research.services.reviews import approve_result, reject_result
from research.services.watches import JITTER, PATIENCE, refresh, settle, sweep_watches
from tests.factories import CheckFactory, EntityFactory, MacroFactory, ResultFactory, RunFactory, UserFactory

pytestmark = pytest.mark.django_db


def test_it_watches_what_was_approved(watch, approved):
    lasts = timedelta(days=90)
    assert watch.state == "resting"
    assert watch.fresh_until == approved.created_at + lasts
    assert approved.created_at + lasts * (1 - JITTER) <= watch.due_at <= watch.fresh_until


def test_it_watches_nothing_when_it_is_switched_off(settings, person):
    settings.DOSSIER_REFRESH_DAYS = 0
    result = ResultFactory()
    approve_result(result=result, reviewer=person, digest=result.digest)
    assert not Watch.objects.exists()


def test_it_watches_no_rejected_answer(person):
    result = ResultFactory()
    reject_result(result=result, reviewer=person, digest=result.digest, reason="Wrong company.")
    assert not Watch.objects.exists()


def test_it_spreads_what_was_approved_at_once(person):
    for number in range(20):
        result = ResultFactory(run__params={"client_name": f"Company {number}"})
        approve_result(result=result, reviewer=person, digest=result.digest)
    days = {watch.due_at.date() for watch in Watch.objects.all()}
    assert len(days) > 4


def test_it_begins_nothing_before_its_time(watch):
    assert sweep_watches(now=watch.due_at - timedelta(minutes=1)).begun == 0
    assert sweep_watches(now=watch.due_at).begun == 1


def test_it_begins_a_refresh_once(watch, later):
    assert [sweep_watches(now=later).begun for _ in range(2)] == [1, 0]
    run = Run.objects.get(trigger="schedule")
    assert run.params == watch.params
    assert run.macro.name == watch.macro_name


def test_it_looks_at_the_most_important_first(person, later, watch):
    other = ResultFactory(run__params={"client_name": "Other"})
    approve_result(result=other, reviewer=person, digest=other.digest)
    Watch.objects.filter(params={"client_name": "Other"}).update(importance=9)
    sweep_watches(now=later + timedelta(days=1), limit=1)
    assert Run.objects.get(trigger="schedule").params == {"client_name": "Other"}


def test_it_bothers_nobody_when_nothing_changed(watch, look_again, later):
    result = look_again({**watch.decision.data, "as_of": "2027-01-01"})
    assert settle(watch, now=later)
    result.refresh_from_db()
    assert (result.state, watch.state) == ("unchanged", "resting")
    assert result.baseline == watch.decision
    assert watch.fresh_until == later + timedelta(days=watch.every_days)
    assert watch.decision.result.expires_at == watch.fresh_until
    assert AuditEvent.objects.filter(action="watch.unchanged").count() == 1


def test_it_asks_a_person_when_something_changed(watch, look_again, later):
    result = look_again({**watch.decision.data, "confidence": "low"})
    assert settle(watch, now=later)
    result.refresh_from_db()
    assert (result.state, watch.state) == ("pending_review", "changed")
    assert result.baseline == watch.decision
    assert watch.outcome == "1 difference to what was approved."
    assert sweep_watches(now=later + timedelta(days=999)).begun == 0


def test_it_asks_a_person_when_a_check_is_worse(watch, look_again, later):
    result = look_again(watch.decision.data)
    CheckFactory(result=result, code="registration-status", verdict="warn", subject="X")
    settle(watch, now=later)
    assert (watch.state, watch.outcome) == ("changed", "1 check worse to what was approved.")


def test_it_goes_on_from_a_new_approval(watch, look_again, later, person):
    result = look_again({**watch.decision.data, "confidence": "low"})
    settle(watch, now=later)
    decision = approve_result(result=result, reviewer=person, digest=result.digest)
    watch.refresh_from_db()
    assert (watch.state, watch.decision) == ("resting", decision)
    assert Watch.objects.count() == 1


def test_it_keeps_the_old_answer_when_the_new_one_is_turned_down(watch, look_again, later, person, approved):
    result = look_again({**watch.decision.data, "confidence": "low"})
    settle(watch, now=later)
    reject_result(result=result, reviewer=person, digest=result.digest, reason="It did not move.")
    watch.refresh_from_db()
    assert (watch.state, watch.decision) == ("resting", approved)
    assert watch.due_at > later - timedelta(days=watch.every_days)


@pytest.mark.parametrize(
    "fields", [{"partial": True}, {"limitations": ["GLEIF did not answer."]}, {"schema_valid": False}]
)
def test_it_does_not_say_unchanged_of_half_a_look(watch, look_again, later, fields):
    until = watch.fresh_until
    result = look_again(watch.decision.data, **fields)
    settle(watch, now=later)
    result.refresh_from_db()
    assert (result.state, watch.state, watch.failures) == ("superseded", "resting", 1)
    assert watch.fresh_until == until
    assert later < watch.due_at <= later + timedelta(hours=1)


def test_it_does_not_say_unchanged_when_a_check_could_not_be_made(watch, look_again, later):
    result = look_again(watch.decision.data)
    CheckFactory(result=result, code="existence", verdict="unknown", subject="X", message="No answer.")
    settle(watch, now=later)
    assert watch.outcome == "1 check could not be made: No answer."
    assert watch.failures == 1


def test_it_shows_a_person_when_it_fails_again_and_again(watch, look_again, later):
    for _ in range(PATIENCE):
        result = look_again(watch.decision.data, partial=True)
        settle(watch, now=later)
    result.refresh_from_db()
    assert (result.state, watch.state) == ("pending_review", "changed")


def test_it_tries_a_failed_run_again_later_and_later(watch, look_again, later):
    pauses = []
    for _ in range(3):
        look_again(state=RunState.FAILED, error={"message": "GLEIF is down"})
        assert settle(watch, now=later)
        pauses.append(watch.due_at - later)
    assert pauses == [timedelta(hours=1), timedelta(hours=2), timedelta(hours=4)]
    assert watch.outcome == "GLEIF is down"


def test_it_waits_for_a_run_that_is_open(watch):
    refresh(watch=watch, actor=None)
    watch.refresh_from_db()
    assert not settle(watch)
    assert watch.state == WatchState.REFRESHING


def test_it_tells_why_a_macro_that_is_gone_is_not_asked(watch, later):
    watch.decision.result.run.macro.__class__.objects.update(status="retired")
    assert sweep_watches(now=later).begun == 0
    watch.refresh_from_db()
    assert watch.macro_name in watch.outcome
    assert watch.failures == 1


def test_it_leaves_the_result_to_the_person_who_was_quicker(watch, look_again, later, person):
    result = look_again({**watch.decision.data, "confidence": "low"})
    approve_result(result=result, reviewer=person, digest=result.digest)
    assert not settle(watch, now=later)
    watch.refresh_from_db()
    assert (watch.state, watch.decision.result) == ("resting", result)


def test_it_compares_an_answer_that_a_person_asked_for(watch, person, approved):
    run = RunFactory(macro=watch.decision.result.run.macro, params=watch.params, state="succeeded")
    result = ResultFactory(run=run)
    approve_result(result=result, reviewer=person, digest=result.digest)
    result.refresh_from_db()
    assert result.baseline == approved


def test_it_tells_the_entity(watch, look_again, later, person, approved):
    execute_verbs(decision=approved, actor=person)
    watch.refresh_from_db()
    look_again(watch.decision.data)
    settle(Watch.objects.get(), now=later)
    look_again({**watch.decision.data, "confidence": "low"})
    settle(Watch.objects.get(), now=later)
    types = set(EntityEvent.objects.values_list("type", flat=True))
    assert {"research-unchanged", "research-changed"} <= types


def test_it_tells_the_one_that_the_entity_went_into(watch, look_again, later, person, approved):
    execute_verbs(decision=approved, actor=person)
    subject = Entity.objects.get(pk=Run.objects.get(pk=watch.decision.result.run_id).subject_id)
    into, merger = EntityFactory(name="The same one"), UserFactory(rights=["merge_entity"])
    digest = plan_merge(into=into, other=subject).digest
    merge_entities(into=into, other=subject, actor=merger, reason="one company", digest=digest)
    look_again(watch.decision.data)
    settle(Watch.objects.get(), now=later)
    assert EntityEvent.objects.get(type="research-unchanged").entity == into


def test_a_question_that_its_macro_takes_no_more_is_paused_and_says_what_to_mend(
    watch, later, approved, person
):
    old = approved.result.run.macro
    text = old.text.replace('version: "1.0"', 'version: "2.0"').replace(
        "name: client_name\n", "name: client_name\n      pattern: '[0-9]+'\n"
    )
    type(old).objects.filter(pk=old.pk).update(status="retired")
    new = MacroFactory(name=old.name, version="2.0", text=text)
    assert text != old.text
    sweep_watches(now=later)
    watch.refresh_from_db()
    assert watch.state == WatchState.PAUSED
    assert watch.outcome.startswith("The macro takes this question no more: client_name ")
    assert watch.outcome.endswith("Ask it anew with other words; this one is paused.")
    assert not Run.objects.filter(trigger="schedule").exists()
    assert AuditEvent.objects.filter(action="watch.failed").count() == 1
    sweep_watches(now=later + timedelta(days=400))
    assert AuditEvent.objects.filter(action="watch.failed").count() == 1, "it is not tried again and again"

    client = Client()
    client.force_login(person)
    page = client.get(reverse("admin:research_watch_changelist")).content.decode()
    url = reverse("admin:research_macro_ask", args=[new.pk])
    assert f'<a href="{url}?like={approved.result.run_id}">Mend the question</a>' in page
    assert client.get(f"{url}?like={approved.result.run_id}").status_code == 200
