import pytest
from django.db import IntegrityError, transaction

from entities.models import Entity, Relationship, Representation
from research.models import Decision, Macro, Memo, ResearchResult, Run, Step
from tests.cases import cases
from tests.factories import (
    EntityFactory,
    MacroFactory,
    ResultFactory,
    RunFactory,
    SessionFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db


def refused(action):
    with pytest.raises(IntegrityError), transaction.atomic():
        action()
    return True


@cases(
    ("make", "model", "field"),
    [
        (MacroFactory, Macro, "status"),
        (RunFactory, Run, "state"),
        (RunFactory, Run, "trigger"),
        (RunFactory, Run, "autonomy"),
        (RunFactory, Run, "depth"),
        (ResultFactory, ResearchResult, "state"),
        (ResultFactory, ResearchResult, "review"),
    ],
)
def test_it_refuses_a_word_that_is_no_state(make, model, field):
    row = make()
    assert refused(lambda: model.objects.filter(pk=row.pk).update(**{field: "bogus"}))


def test_it_takes_one_active_version_of_a_macro():
    macro = MacroFactory(version="1.0")
    assert refused(lambda: MacroFactory(name=macro.name, version="1.1"))
    MacroFactory(name=macro.name, version="1.1", status="retired")


def test_it_takes_one_macro_per_name_and_version():
    macro = MacroFactory(status="retired")
    assert refused(lambda: MacroFactory(name=macro.name, version=macro.version, status="draft"))


def test_it_takes_one_open_run_in_a_session():
    session = SessionFactory()
    RunFactory(session=session, state="running")
    assert refused(lambda: RunFactory(session=session))
    RunFactory(session=session, state="failed")


def test_it_takes_one_pending_result_in_a_session():
    session = SessionFactory()
    ResultFactory(session=session)
    assert refused(lambda: ResultFactory(session=session))
    ResultFactory(session=session, state="rejected")


def test_it_takes_one_result_per_run():
    result = ResultFactory()
    assert refused(lambda: ResultFactory(run=result.run))


def test_it_numbers_the_steps_of_a_run_once():
    run = RunFactory()
    Step.objects.create(run=run, seq=1, kind="note", name="a", fence=0)
    assert refused(lambda: Step.objects.create(run=run, seq=1, kind="note", name="b", fence=0))


def test_it_gives_an_lei_to_one_entity():
    EntityFactory(lei="529900K9B0N5BT694847")
    assert refused(lambda: EntityFactory(lei="529900K9B0N5BT694847"))
    EntityFactory(lei="")
    EntityFactory(lei="")


def test_it_has_nobody_verify_nothing():
    entity = EntityFactory()
    assert refused(lambda: Entity.objects.filter(pk=entity.pk).update(verified=True))


def test_it_gives_an_active_key_to_one_entity():
    first, second = EntityFactory(), EntityFactory()
    Representation.objects.create(entity=first, type="isin", key="DE0008404005", active=False)
    Representation.objects.create(entity=first, type="isin", key="DE0008404005")
    assert refused(lambda: Representation.objects.create(entity=second, type="isin", key="DE0008404005"))


@pytest.mark.parametrize("percentage", [-1, 100.5])
def test_it_keeps_percentages_between_0_and_100(percentage):
    a, b = EntityFactory(), EntityFactory()
    assert refused(
        lambda: Relationship.objects.create(subject=a, object=b, type="owned-by", percentage=percentage)
    )


def test_it_states_a_current_relationship_once():
    a, b = EntityFactory(), EntityFactory()
    Relationship.objects.create(subject=a, object=b, type="owned-by", valid_to="2020-01-01")
    Relationship.objects.create(subject=a, object=b, type="owned-by")
    assert refused(lambda: Relationship.objects.create(subject=a, object=b, type="owned-by"))
    assert refused(lambda: Relationship.objects.create(subject=a, object=a, type="owned-by"))


@pytest.mark.parametrize(
    "fields",
    [
        {"verdict": "approved", "data": None, "digest": ""},
        {"verdict": "approved", "data": {"name": "x"}, "digest": ""},
        {"verdict": "rejected", "data": {"name": "x"}, "digest": "x"},
        {"verdict": "needs_changes", "data": None, "digest": "x"},
    ],
)
def test_it_takes_approved_data_with_its_digest_or_neither(fields):
    result = ResultFactory()
    given = {"result": result, "macro": result.run.macro, "reviewer": UserFactory(), "result_digest": "x"}
    assert refused(lambda: Decision.objects.create(**given, **fields))


@pytest.mark.parametrize("wrong", [{"style": "novel"}, {"format": "docm"}, {"language": "xx"}])
def test_it_takes_memos_in_the_forms_there_are(wrong):
    given = {"style": "memo", "format": "md", "language": "en", "body": b"", "digest": "x"}
    assert refused(lambda: Memo.objects.create(result=ResultFactory(), **{**given, **wrong}))
