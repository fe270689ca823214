"""Rows that are older than statements get them, with the history that their verb calls noted."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from entities import memory
from entities.memory import knowledge_of
from entities.models import Entity, Relationship, Statement
from research.models import VerbCall
from research.services.execution import execute_verbs
from research.services.retelling import retell_memory
from research.services.rollback import roll_back_verbs
from tests.factories import ALL_RIGHTS, EntityFactory, UserFactory
from tests.services.rolling_back.conftest import AGI, approve

pytestmark = pytest.mark.django_db
OWN = (
    '(ownership.record :owner-name "Parent plc" :owner-type "company" :owned-name "Child Ltd" :percentage {})'
)


@pytest.fixture
def person():
    return UserFactory(username="reviewer", rights=ALL_RIGHTS)


@pytest.fixture
def execute(person, monkeypatch):
    """Executes verbs as it was done before statements were kept, so many days ago."""

    def work(text, days):
        decision = approve(text, person)
        with monkeypatch.context() as patched:
            patched.setattr("entities.memory.statements._write", lambda *rest: None)
            execute_verbs(decision=decision, actor=person)
        assert not decision.verb_calls.exclude(state="succeeded").exists()
        then = timezone.now() - timedelta(days=days)
        VerbCall.objects.filter(decision=decision).update(finished_at=then)
        for model in (Entity, Relationship):
            model.objects.filter(created_at__gt=then + timedelta(days=1)).update(created_at=then)
        return decision

    return work


@pytest.fixture
def old(execute):
    """70 %, a year later 40 %: one row in memory, two calls that noted it."""
    decisions = execute(OWN.format(70), 400), execute(OWN.format(40), 30)
    assert Relationship.objects.get().percentage == 40
    assert not Statement.objects.exists()
    return decisions


def shares(days_ago=0, known_days_ago=None):
    now = timezone.now()
    known = None if known_days_ago is None else now - timedelta(days=known_days_ago)
    day = timezone.localdate(now - timedelta(days=days_ago))
    facts = knowledge_of(memory.by_slug("child-ltd"), day=day, known_at=known).facts
    return [int(one.statement.share_low) for one in facts if one.statement.property == "owned-by"]


def test_what_a_call_wrote_over_is_there_again(old):
    assert retell_memory(limit=100)[0] == 2
    assert shares(days_ago=100) == [70]
    assert shares() == [40]
    assert shares(known_days_ago=100) == [70]
    assert shares(known_days_ago=500) == []
    rows = Statement.objects.filter(property="owned-by", recorded_to=None)
    assert {(int(row.share_low), row.decision, row.signed_by) for row in rows} == {
        (70, old[0].pk, "reviewer"),
        (40, old[1].pk, "reviewer"),
    }


def test_it_may_be_ended_at_any_moment_and_writes_nothing_twice(old):
    assert retell_memory(limit=1)[0] == 1
    count = Statement.objects.count()
    assert retell_memory(limit=100)[0] == 1
    told = Statement.objects.count()
    assert told > count
    assert retell_memory(limit=100) == (0, 0)
    assert Statement.objects.count() == told


def test_an_entity_is_told_wholly_or_not_at_all(old, monkeypatch):
    monkeypatch.setattr("entities.memory.retelling._tell_rest", lambda entity: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        retell_memory(limit=100)
    assert not Statement.objects.exists()


def test_what_was_taken_back_is_not_told(old, person):
    roll_back_verbs(result=old[1].result, actor=person, reason="misread")
    retell_memory(limit=100)
    assert shares() == shares(days_ago=10) == [70]


def test_what_nobody_noted_is_told_as_the_rows_say_it(person):
    entity = EntityFactory(name="Found", jurisdiction="DE", metadata={"entity_status": "ACTIVE"})
    Entity.objects.update(created_at=timezone.now() - timedelta(days=50))
    retell_memory(limit=100)
    told = {one.statement.property: one.statement.value for one in knowledge_of(entity).facts}
    assert told == {"name": "Found", "type": "legal-entity", "jurisdiction": "DE", "status": "ACTIVE"}
    assert set(Statement.objects.values_list("source_kind", flat=True)) == {"import"}


def test_all_that_the_rows_say_is_said_by_a_statement(execute):
    execute(f'(gleif.enrich :lei "{AGI}")(entity.ensure :entity-type "company" :name "Other")', 60)
    execute(OWN.format(12.5), 20)
    retell_memory(limit=100)
    for entity in Entity.objects.all():
        told = [
            (one.statement.property, one.statement.key, one.statement.value)
            for one in knowledge_of(entity).facts
        ]
        for fact in memory.facts_said_of(entity):
            assert (fact.property, fact.key, fact.value) in told
    assert not memory.contradictions().exists()


def test_new_entities_are_told_already(person):
    execute_verbs(decision=approve(OWN.format(70), person), actor=person)
    assert retell_memory(limit=100) == (0, 0)


def test_one_that_was_written_to_before_it_was_told_is_told_once(old, person):
    execute_verbs(decision=approve(OWN.format(55), person), actor=person)
    assert retell_memory(limit=100)[0] == 2
    assert retell_memory(limit=100) == (0, 0)
    assert 55 in shares()


def test_the_command_says_what_it_wrote(old):
    out = StringIO()
    call_command("statements", "fill", stdout=out)
    assert "statements of 2 entities were written" in out.getvalue()
