"""A row that somebody or something else has changed or relied on since stays, and the account says why."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from entities import memory
from entities.models import Entity, EntityEvent, Relationship, Representation
from research.models import Run
from research.services.rollback import preview_rollback, roll_back_verbs
from tests.factories import RunFactory, UserFactory
from tests.services.rolling_back.conftest import AGI, ALLIANZ

pytestmark = pytest.mark.django_db

NEW = '(entity.ensure :entity-type "company" :name "New" :jurisdiction "DE" :company-number "HRB 7" :as @new)'
OWNER = '(entity.ensure :entity-type "company" :name "Owner" :as @owner)'
OWNED = f"{NEW}{OWNER}(ownership.record :owner @owner :owned @new :percentage 60)"


@pytest.fixture
def undo(person):
    """``undo(decision)`` rolls back; gives why each kept row was kept, by what it is."""

    def roll_back(decision):
        rollback = roll_back_verbs(result=decision.result, actor=person, reason="wrong")
        return {step["what"]: step["why"] for step in rollback.steps if step["action"] == "keep"}

    return roll_back


def test_it_keeps_an_entity_that_another_relationship_leads_to(executed, undo):
    decision = executed(NEW)
    new, other = Entity.objects.get(name="New"), memory.ensure_entity(name="Other")
    memory.link(subject=new, object=other, type="member-of", source="a person")
    assert undo(decision) == {"New": "in use by now: 1 × relationship"}
    assert Relationship.objects.get().subject == new
    assert not new.representations.exists()


def test_it_keeps_an_entity_that_other_research_is_about(executed, undo):
    decision = executed(NEW)
    RunFactory(subject=Entity.objects.get(name="New"))
    assert undo(decision) == {"New": "in use by now: 1 × run"}


def test_its_own_run_does_not_hold_an_entity(executed, undo):
    decision = executed(NEW)
    assert decision.result.run.__class__.objects.get(pk=decision.result.run_id).subject.name == "New"
    assert undo(decision) == {}
    assert Run.objects.get(pk=decision.result.run_id).subject is None


def test_it_keeps_an_entity_whose_timeline_tells_of_something_else(executed, undo):
    decision = executed(NEW)
    new, other = Entity.objects.get(name="New"), memory.ensure_entity(name="Other")
    memory.add_event(entity=other, type="news", summary="They met.", related=[new])
    (why,) = undo(decision).values()
    assert why.startswith("in use by now: 1 × ")


def test_it_keeps_a_form_that_an_event_speaks_of(executed, undo):
    decision = executed(NEW)
    form = Representation.objects.get()
    memory.add_event(
        entity=memory.ensure_entity(name="Other"), type="news", summary="A.", representation=form
    )
    kept = undo(decision)
    assert kept["register-number HRB 7"] == "in use by now: 1 × entity event"
    assert EntityEvent.objects.filter(representation=form).exists()


def test_it_keeps_what_another_approved_result_states_too(executed, undo):
    decision = executed(OWNED)
    second = executed(OWNED)
    kept = undo(decision)
    assert set(kept) == {"New", "Owner", "register-number HRB 7", "owned-by owner"}
    assert all(str(second.result) in why for why in kept.values())
    assert undo(second) == {}
    assert Entity.objects.count() == 2  # the second found them there
    assert Relationship.objects.get().valid_to is None


def test_it_takes_back_what_an_earlier_result_said_already(executed, undo):
    executed('(entity.ensure :entity-type "company" :name "New")')
    decision = executed(NEW)
    assert undo(decision) == {}
    new = Entity.objects.get()
    assert (new.jurisdiction, new.representations.count()) == ("", 0)


def test_what_was_said_by_one_that_was_rolled_back_holds_nothing(executed, undo):
    decision, second = executed(OWNED), executed(OWNED)
    undo(second)
    assert undo(decision) == {}
    assert not Entity.objects.exists()


def test_it_keeps_a_field_that_was_changed_since_and_gives_the_others_back(executed, undo):
    executed('(entity.ensure :entity-type "company" :name "New")')
    decision = executed(
        '(entity.ensure :entity-type "trust" :name "New" :jurisdiction "DE" :company-number "HRB 7")'
    )
    Entity.objects.update(jurisdiction="FR")
    assert undo(decision) == {"New": "jurisdiction changed since"}
    new = Entity.objects.get()
    assert (new.jurisdiction, new.metadata["entity_type"]) == ("FR", "limited-company")


def test_it_leaves_details_alone_that_somebody_added_beside(executed, undo):
    executed('(entity.ensure :entity-type "company" :name "New")')
    decision = executed('(entity.ensure :entity-type "trust" :name "New")')
    memory.ensure_entity(name="New", metadata={"seen": "by another"})
    assert undo(decision) == {}
    assert Entity.objects.get().metadata["seen"] == "by another"
    assert Entity.objects.get().metadata["entity_type"] == "limited-company"


def test_it_keeps_a_percentage_that_was_stated_otherwise_since(executed, undo):
    decision = executed(OWNED)
    link = Relationship.objects.get()
    memory.link(subject=link.subject, object=link.object, type=link.type, percentage=75, source="a report")
    kept = undo(decision)
    assert kept["owned-by owner"] == "percentage, source changed since"
    assert Relationship.objects.get().percentage == Decimal(75)


def test_it_keeps_a_number_that_another_source_has_seen_since(executed, undo):
    decision = executed(NEW)
    memory.add_representation(
        entity=Entity.objects.get(), type="register-number", authority="DE", key="HRB 7"
    )
    assert undo(decision)["register-number HRB 7"] == "another source has seen it since"


def test_it_keeps_what_a_person_has_verified(executed, undo):
    decision = executed(NEW)
    memory.verify_entity(
        entity=Entity.objects.get(),
        actor=UserFactory(rights=["verify_entity"]),
        reason="seen the extract",
    )
    assert undo(decision)["New"] == "a person has verified it since"
    assert Entity.objects.get().verified


def test_it_does_not_change_what_a_person_has_verified(executed, undo):
    executed('(entity.ensure :entity-type "company" :name "New")')
    decision = executed(NEW)
    memory.verify_entity(
        entity=Entity.objects.get(),
        actor=UserFactory(rights=["verify_entity"]),
        reason="seen the extract",
    )
    assert "a person has verified it since" in undo(decision)["New"]
    assert Entity.objects.get().jurisdiction == "DE"


def test_it_keeps_what_was_merged_into_another(executed, undo):
    decision = executed(NEW)
    other = memory.ensure_entity(name="Other")
    new, actor = Entity.objects.get(name="New"), UserFactory(rights=["merge_entity"])
    plan = memory.plan_merge(into=other, other=new)
    memory.merge_entities(into=other, other=new, actor=actor, reason="one", digest=plan.digest)
    kept = undo(decision)
    assert kept["New"] == "it was merged into another entity since"
    assert kept["register-number HRB 7"] == "it has moved to another entity since"


def test_it_keeps_the_lei_of_an_entity_that_stays(executed, undo):
    decision = executed(f'(gleif.enrich :lei "{ALLIANZ}")')
    entity = Entity.objects.get(lei=ALLIANZ)
    memory.add_event(entity=entity, type="news", summary="Something else.")
    kept = undo(decision)
    assert kept[f"lei {ALLIANZ}"] == "allianz-se stays and carries this LEI"
    assert entity.representations.get().type == "lei"


def test_it_makes_an_ended_parent_current_again_unless_it_is_stated_anew(executed, undo):
    executed(f'(gleif.enrich :lei "{AGI}")')
    link = Relationship.objects.get(type="directly-consolidated-by")
    wrong = memory.ensure_entity(name="Former parent")
    Relationship.objects.filter(pk=link.pk).update(object=wrong)
    decision = executed(f'(gleif.enrich :lei "{AGI}")')
    link.refresh_from_db()
    assert link.valid_to == timezone.localdate()
    again = memory.link(subject=link.subject, object=wrong, type=link.type)
    assert undo(decision)["directly-consolidated-by former-parent"] == "it is stated anew by now"
    link.refresh_from_db()
    assert link.valid_to is not None
    assert Relationship.objects.filter(pk=again.pk, valid_to=None).exists()


def test_a_flag_stays_on_the_timeline_as_taken_back(executed, undo):
    memory.ensure_entity(name="Known")
    flag = '(red-flag.raise :entity-id "known" :flag-type "SANCTIONS_MATCH" :severity "HARD_STOP" :description "x")'
    undo(executed(flag))
    told = dict(EntityEvent.objects.values_list("type", "summary"))
    assert told["red-flag"] == "Taken back: SANCTIONS_MATCH: x"
    assert told["taken-back"] == "1 fact taken back: wrong"
    assert not memory.timeline_of(Entity.objects.get(), min_importance=7).exists()
    executed(flag)
    assert EntityEvent.objects.filter(type="red-flag", importance=10).count() == 1


def test_a_preview_says_the_same_and_writes_nothing(executed, person):
    decision = executed(OWNED)
    new = Entity.objects.get(name="New")
    RunFactory(subject=new)
    plan = preview_rollback(result=decision.result, actor=person)
    assert Entity.objects.count() == 2
    assert [(step.what, step.why) for step in plan.kept] == [("New", "in use by now: 1 × run")]
    rollback = roll_back_verbs(result=decision.result, actor=person, reason="w", digest=plan.digest)
    assert rollback.counts == plan.counts == {"remove": 3, "restore": 0, "mark": 0, "keep": 1}


def test_what_was_stated_between_two_calls_is_gone_back_to_or_kept(executed, person, undo):
    executed('(entity.ensure :entity-type "company" :name "New" :jurisdiction "DE")')
    decision = executed('(entity.ensure :entity-type "trust" :name "New")' * 2)
    first, second = decision.verb_calls.order_by("ordinal")
    assert first.effects.get(how="changed").old["metadata.entity_type"] == "limited-company"
    assert not second.effects.exclude(how="met").exists()
    undo(decision)
    assert Entity.objects.get().metadata["entity_type"] == "limited-company"


def test_old_rows_are_not_held_by_what_happened_before(executed, undo):
    """Another result that relied on an entity before this one changed it does not hold what this one changed."""
    executed('(entity.ensure :entity-type "company" :name "New")')
    executed('(entity.ensure :entity-type "company" :name "New")')
    decision = executed('(entity.ensure :entity-type "trust" :name "New")')
    assert undo(decision) == {}
    assert timezone.now() - Entity.objects.get().created_at < timedelta(hours=1)
