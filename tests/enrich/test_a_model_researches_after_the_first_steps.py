"""A language model is asked once memory and metadata are known; what it does not store, the engine does."""

import pytest

from entities.models import Entity, EntityResearch
from research.llm.interface import ModelFault, Turn
from research.models import Run, Step
from tests.enrich.conftest import calls, says, told
from tests.entities.markets.market import MINT
from tests.factories import EntityFactory
from tests.web.search.doubles import Reply

pytestmark = pytest.mark.django_db
FINDINGS = {
    "summary": "Mill Coin is thinly traded.",
    "confidence": 55,
    "sentiment": "neutral",
    "risks": ["Thin market"],
    "opportunities": [],
}
ALLIANZ = "529900K9B0N5BT694847"


def test_the_model_is_told_what_is_known_and_its_findings_are_kept(market, research, play):
    model = play(calls(("check_rugcheck", {"mint": MINT})), says(FINDINGS))
    entry = told(research(MINT))[MINT]
    assert entry["status"] == "researched"
    assert entry["findings"]["summary"] == "Mill Coin is thinly traded."
    assert entry["audit"]["toolsSucceeded"] == ["get_token_metadata", "check_rugcheck"]
    prompt = model.requests[0].messages[0].text
    assert "Mill Coin" in prompt
    assert MINT in prompt
    assert "get_token_metadata" not in [tool.name for tool in model.requests[0].tools]  # asked already
    assert not [tool.name for tool in model.requests[0].tools if tool.name.startswith(("store", "create"))]


def test_what_is_fresh_costs_no_turn(market, research, play):
    model = play(calls(("check_rugcheck", {"mint": MINT})), says(FINDINGS))
    research(MINT)
    asked, spoken = len(market.asked), len(model.requests)
    again = research("Nobody of Nowhere at all", MINT[:-1] + "x")
    assert again.result is not None
    known = Run.objects.filter(params__identifier=MINT).count()
    assert known == 1
    assert asked <= len(market.asked)
    assert spoken < len(model.requests)


def test_one_source_is_not_enough_whatever_a_model_says(market, research, play):
    play(says({**FINDINGS, "confidence": 99}))
    entry = told(research(MINT))[MINT]
    assert (entry["status"], entry["confidence"]) == ("insufficient", 20)
    assert "thinly" not in EntityResearch.objects.get().findings["summary"]


@pytest.mark.parametrize(
    "line", [ModelFault("auth", "No key."), Turn(stop="refusal", text="No."), says("no JSON")]
)
def test_where_a_model_gives_nothing_rules_do(market, research, play, line):
    play(line)
    entry = told(research(MINT))[MINT]
    assert entry["status"] == "researched"
    assert entry["findings"]["metadata"]["composed_by"] == "rules"


def test_it_has_eight_turns(market, research, play):
    model = play(*[calls(("get_price_history", {"mint": MINT}))] * 30)
    research(MINT)
    assert len(model.requests) <= 9  # the last one is asked for the findings, without tools


def test_a_legal_entity_is_vouched_for_by_the_register(research, play):
    found = {**FINDINGS, "metadata": {"lei": ALLIANZ}}
    play(calls(("lei_record", {"lei": ALLIANZ}), ("lei_parents", {"lei": ALLIANZ})), says(found))
    entry = told(research("the big insurer in Munich"))["the big insurer in Munich"]
    assert entry["status"] == "researched"
    assert Entity.objects.get(slug=entry["entity"]).lei == ALLIANZ


def test_an_lei_that_no_tool_showed_makes_no_entity(research, play):
    play(says({**FINDINGS, "metadata": {"lei": ALLIANZ}}))
    entry = told(research("the big insurer in Munich"))["the big insurer in Munich"]
    assert (entry["status"], entry["error"]["code"]) == ("not_found", "no_entity")
    assert not Entity.objects.exists()


def test_the_record_of_a_known_lei_is_read_first(research, play):
    entity = EntityFactory(name="Allianz SE", lei=ALLIANZ)
    model = play(calls(("lei_parents", {"lei": ALLIANZ})), says(FINDINGS))
    entry = told(research(entity.slug))[entity.slug]
    assert entry["audit"]["toolsUsed"] == ["lei_record", "lei_parents"]
    assert "ISSUED" in model.requests[0].messages[0].text


def test_findings_nobody_put_together_are_not_kept_as_knowledge(research, play):
    entity = EntityFactory(name="Allianz SE", lei=ALLIANZ)
    both = calls(("lei_record", {"lei": ALLIANZ}), ("lei_parents", {"lei": ALLIANZ}))
    play(both, Turn(stop="refusal", text="I will not."))
    entry = told(research(entity.slug))[entity.slug]
    assert entry["status"] == "failed"
    assert not EntityResearch.objects.exists()


def test_steps_that_no_model_chose_are_not_in_its_conversation(market, research, play):
    market.says(posts=Reply({}, 500))
    model = play(calls(("check_rugcheck", {"mint": MINT})), says(FINDINGS))
    child = Run.objects.get(parent=research(MINT))
    answers = [answer.name for message in model.requests[-1].messages for answer in message.answers]
    assert answers == ["check_rugcheck"]
    assert Step.objects.filter(run=child, kind="tool").count() == 2
