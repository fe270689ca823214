"""An erasure is refused with a reason, or done whole: by one person, once."""

import threading

import pytest
from django.db import connection

from entities import memory
from entities.memory.holds import holds_on, lift_hold, place_hold
from entities.models import Entity, EntityAct, Erasure, Statement
from entities.services import erasure as service
from entities.services.erasure import erase_entity, plan_erasure
from research.audit.verification import verify_trail
from research.models import AuditEvent, Run
from tests.erasure.conftest import NAME
from tests.factories import RunFactory, UserFactory


def test_a_hold_refuses_with_who_placed_it_and_why(jane, erase, person):
    hold = place_hold(entity=jane, actor=person, reason="suit 12/2026")
    assert "suit 12/2026" in plan_erasure(jane).blockers[0]
    with pytest.raises(memory.RefusedWrite, match=f"hold of {person.get_username()} since .* suit 12/2026"):
        erase(jane)
    lift_hold(hold=hold, actor=person, reason="settled")
    assert erase(jane)
    assert {"entity.held", "entity.released"} <= set(AuditEvent.objects.values_list("action", flat=True))
    connection.check_constraints()
    assert verify_trail().faults == []


def test_a_hold_is_lifted_once_and_only_by_who_may(jane, person):
    hold = place_hold(entity=jane, actor=person, reason="suit")
    with pytest.raises(memory.NotAllowed):
        lift_hold(hold=hold, actor=UserFactory(), reason="me too")
    lift_hold(hold=hold, actor=person, reason="settled")
    with pytest.raises(memory.OutOfDate):
        lift_hold(hold=hold, actor=person, reason="again")
    assert not holds_on([jane.pk]).exists()
    assert EntityAct.objects.filter(entity=jane, kind__in=["held", "released"]).count() == 2


def test_the_hold_of_an_entity_that_was_merged_into_it_counts(jane, person, erase):
    twin = memory.create_entity(name="Janet Roe-Müller", type="person")
    place_hold(entity=twin, actor=person, reason="suit")
    digest = memory.plan_merge(into=jane, other=twin).digest
    memory.merge_entities(into=jane, other=twin, actor=person, reason="one", digest=digest)
    with pytest.raises(memory.RefusedWrite, match="suit"):
        erase(jane)


def test_work_in_progress_is_waited_for(jane, erase):
    for run in (RunFactory(subject=jane, state="running"), RunFactory(params={"q": [NAME]}, state="queued")):
        with pytest.raises(memory.RefusedWrite, match=str(run.pk)):
            erase(jane)
        Run.objects.filter(pk=run.pk).update(state="cancelled")
    assert erase(jane)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"reason": " "}, "reason is needed"),
        ({"reason": f"{NAME} asked for it"}, "must not name"),
        ({"reason": "JANE ROE MÜLLER asked"}, "must not name"),
        ({"confirmed": "Jane"}, "type the name"),
        ({"digest": "0" * 64}, "more or less"),
    ],
)
def test_what_is_not_meant_is_refused(jane, erase, how, message):
    with pytest.raises(memory.RefusedWrite, match=message):
        erase(jane, **how)
    assert Entity.objects.filter(pk=jane.pk).exists()


def test_it_takes_the_right_to_erase_and_that_to_see_persons(jane, erase):
    for rights in (("view_person",), ("erase_entity",)):
        with pytest.raises(memory.NotAllowed):
            erase(jane, actor=UserFactory(rights=rights))


def test_what_breaks_in_the_middle_leaves_everything(jane, erase, monkeypatch):
    before = Statement.objects.count()

    def broken(*_):
        raise RuntimeError("killed")

    beyond = service._BEYOND[0]
    monkeypatch.setattr(
        service, "_BEYOND", [service.Beyond(beyond.wipes, beyond.follow, beyond.blockers, broken)]
    )
    with pytest.raises(RuntimeError):
        erase(jane)
    assert (Statement.objects.count(), Erasure.objects.count()) == (before, 0)
    assert verify_trail().faults == []


def test_whoever_comes_second_is_told(jane, erase, person):
    digest = plan_erasure(jane).digest
    erase(jane)
    with pytest.raises(memory.OutOfDate, match="erased already"):
        erase_entity(entity=jane, actor=person, reason="me too", confirmed=NAME, digest=digest)


def test_an_erased_slug_can_be_used_again(jane, erase, found_in):
    slug = jane.slug
    erase(jane)
    again = memory.create_entity(name=NAME, type="person")
    assert (again.slug, again.pk != jane.pk) == (slug, True)
    erase(again)
    assert found_in(NAME, slug) == []
    connection.check_constraints()
    assert verify_trail().faults == []


def test_what_was_merged_into_it_goes_too_and_alone_it_cannot_go(jane, erase, person, found_in):
    twin = memory.create_entity(name="Johanna Rhodes", type="person")
    digest = memory.plan_merge(into=jane, other=twin).digest
    memory.merge_entities(into=jane, other=twin, actor=person, reason="one", digest=digest)
    twin.refresh_from_db()
    with pytest.raises(memory.RefusedWrite, match="merged into"):
        erase(twin)
    erase(Entity.objects.get(pk=jane.pk))
    assert found_in("Johanna", "johanna-rhodes") == []
    assert not Entity.objects.filter(pk__in=[jane.pk, twin.pk]).exists()


def test_others_of_the_name_and_names_that_hold_it_stay(jane, alpha, erase):
    bank = memory.ensure_entity(name=f"{NAME} Vermögen AG", jurisdiction="CH")
    memory.add_event(entity=alpha, type="note", summary=f"{NAME} Vermögen AG manages it for {NAME}.")
    assert any("Vermögen AG" in text for text in plan_erasure(jane).stays)
    erase(jane)
    bank.refresh_from_db()
    assert bank.name == f"{NAME} Vermögen AG"
    assert alpha.events.get(type="note").summary == f"{NAME} Vermögen AG manages it for [erased]."


def test_a_name_that_says_too_little_is_not_looked_for(alpha, erase):
    apple = memory.create_entity(name="Apple", type="concept")
    memory.add_event(entity=alpha, type="note", summary="An apple a day.")
    assert plan_erasure(apple).words == ()
    erase(apple)
    assert alpha.events.get(type="note").summary == "An apple a day."


@pytest.mark.django_db(transaction=True)
def test_of_two_who_erase_at_once_one_is_told():
    person = UserFactory(is_superuser=True, is_staff=True)
    jane = memory.create_entity(name=NAME, type="person")
    digest, told = plan_erasure(jane).digest, []

    def erase():
        try:
            told.append(
                erase_entity(entity=jane, actor=person, reason="asked", confirmed=NAME, digest=digest).pk
            )
        except memory.OutOfDate as error:
            told.append(str(error))
        finally:
            connection.close()

    threads = [threading.Thread(target=erase) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum("erased already" in str(each) for each in told) == 1
    assert Erasure.objects.count() == 1
