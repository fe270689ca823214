"""A name of 10 kB, hostile on top, from the researcher's answer to the memo, on whichever database."""

import json

import pytest

from entities.memory import MAX_NAME, resolve
from entities.models import Entity
from research.engine.runner import perform_run
from research.errors import InvalidVerbs
from research.models import ResearchResult, VerbCall
from research.services.execution import execute_verbs
from research.services.memos import compose_memo
from research.services.reviews import approve_result
from research.services.runs import start_run
from tests.engine.conftest import answers
from tests.factories import ALL_RIGHTS, MacroFactory, UserFactory

pytestmark = pytest.mark.django_db

# No two pieces are alike: an index that compresses what it holds must not be what makes this pass.
WORDS = " ".join(f"{number * 2654435761 % 2**32:08x}" for number in range(1100))
NAMES = {
    "of ten kilobytes": WORDS[:10_240].strip(),
    "of the greatest length": (WORDS * 3)[:MAX_NAME].strip(),
    "in three bytes a letter": "".join(chr(0x4E00 + number % 20_000) for number in range(0, 70_000, 7)),
    "that looks like something else": (f'A") (entity.ensure :name "x {{{{x}}}} ;; \\ % _ {WORDS}')[
        :10_240
    ].strip(),
}


@pytest.fixture(params=list(NAMES.values()), ids=list(NAMES))
def name(request):
    return request.param


def test_it_is_found_approved_executed_remembered_and_told(play, name):
    person = UserFactory(rights=ALL_RIGHTS)
    play(answers({"name": name, "jurisdiction": "DE", "confidence": "low"}))
    run = start_run(macro=MacroFactory().name, params={"client_name": name}, trigger="cli")
    perform_run(run.pk)
    result = ResearchResult.objects.get(run=run)
    decision = approve_result(
        result=result, reviewer=person, digest=result.digest, reason="Name: I know them."
    )
    (call,) = execute_verbs(decision=decision, actor=person)
    entity = Entity.objects.get()
    assert (call.state, call.error) == ("succeeded", None)
    assert entity.name == name
    assert len(entity.slug) <= 120
    assert resolve(name).entity == entity
    memo = compose_memo(result=result, style="json", format="json")
    assert json.loads(bytes(memo.body))["data"]["name"] == name
    assert memo.decision == decision


def test_the_same_long_name_is_one_entity(play, name):
    person = UserFactory(rights=ALL_RIGHTS)
    macro = MacroFactory()
    play(answers({"name": name, "jurisdiction": "DE"}))
    for _ in range(2):
        run = start_run(macro=macro.name, params={"client_name": "x"}, trigger="cli")
        perform_run(run.pk)
        result = ResearchResult.objects.get(run=run)
        execute_verbs(
            decision=approve_result(
                result=result, reviewer=person, digest=result.digest, reason="Name: I know them."
            ),
            actor=person,
        )
    assert Entity.objects.count() == 1
    assert set(VerbCall.objects.values_list("state", flat=True)) == {"succeeded"}


def test_a_longer_name_is_refused_before_anybody_signs(play):
    play(answers({"name": "x" * (MAX_NAME + 1), "jurisdiction": "DE"}))
    run = start_run(macro=MacroFactory().name, params={"client_name": "x"}, trigger="cli")
    perform_run(run.pk)
    result = ResearchResult.objects.get(run=run)
    with pytest.raises(InvalidVerbs, match=f"at most {MAX_NAME:,}"):
        approve_result(result=result, reviewer=UserFactory(rights=ALL_RIGHTS), digest=result.digest)
