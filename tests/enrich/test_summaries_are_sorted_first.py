"""A model says which events are interesting and which need research; what it cannot say passes through."""

import pytest

from research.engine.entity.classifier import batches, passed_through, read_sorted
from research.engine.entity.lookup import keys_of
from research.llm.interface import ModelFault
from tests.cases import cases
from tests.enrich.conftest import says, told
from tests.entities.markets.market import MINT

pytestmark = pytest.mark.django_db
FIRST = f"[2026-09-01T12:00:00Z] Wallet:7x bought 5 (needsResearch) (mint:{MINT}) | sig:abc"
SECOND = (
    "[2026-09-01T12:00:01Z] Wallet:7x sold 3 (mint:So11111111111111111111111111111111111111112) | sig:def"
)
THIRD = "[2026-09-01T12:00:02Z] Wallet:7x moved 1 SOL | sig:ghi"
BATCH = [FIRST, SECOND, THIRD]


def test_keys_are_taken_from_the_summaries():
    assert keys_of([FIRST, SECOND, THIRD, "(mint:) (mint: x ) (mint:x)"]) == [
        MINT,
        "So11111111111111111111111111111111111111112",
        "x",
    ]


def test_only_summaries_that_were_given_are_kept():
    answer = {
        "interesting": [FIRST, "[made up]", FIRST],
        "needsResearch": [SECOND, f"(mint:{MINT})"],
        "reasoning": "r",
    }
    found = read_sorted(BATCH, says(answer).text)
    assert (found.interesting, found.needs_research, found.reasoning) == ([FIRST], [SECOND], "r")
    assert found.fallback == ""


@cases(
    "text",
    [
        "",
        "sorry",
        "[]",
        "7",
        '{"interesting": []}',
        '{"interesting": "all", "needsResearch": []}',
        '{"interesting": [',
        "null",
    ],
)
def test_an_answer_that_cannot_be_read_lets_everything_through(text):
    found = read_sorted(BATCH, text)
    assert (found.interesting, found.needs_research) == (BATCH, [])
    assert found.fallback


@pytest.mark.parametrize("item", [None, 7, {}, [FIRST]])
def test_items_of_another_shape_are_no_summaries(item):
    assert read_sorted(BATCH, says({"interesting": [item], "needsResearch": [item]}).text).interesting == []


@pytest.mark.parametrize(("count", "sizes"), [(1, [1]), (10, [10]), (11, [10, 1]), (25, [10, 10, 5])])
def test_they_are_sorted_ten_at_a_time(count, sizes):
    assert [len(batch) for batch in batches([str(n) for n in range(count)])] == sizes


def test_passing_through_researches_nothing():
    assert passed_through(BATCH, "why").as_json() == {
        "interesting": BATCH,
        "needsResearch": [],
        "reasoning": "",
        "fallback": "why",
    }


def test_without_a_model_everything_is_interesting(market, research):
    run = research(summaries=BATCH)
    sorted_ = run.result.data["classification"]
    assert (sorted_["interesting"], sorted_["needsResearch"]) == (BATCH, [])
    assert run.result.data["entities"] == []
    assert market.asked == []
    assert any("not sorted" in sentence for sentence in run.result.limitations)


def test_a_model_that_fails_lets_everything_through(market, research, play):
    play(ModelFault("auth", "No key."))
    sorted_ = research(summaries=BATCH).result.data["classification"]
    assert (sorted_["interesting"], sorted_["needsResearch"]) == (BATCH, [])


def test_what_needs_research_is_researched(market, research, play):
    model = play(says({"interesting": [THIRD], "needsResearch": [FIRST], "summary": "s", "confidence": 1}))
    run = research(summaries=BATCH)
    assert list(told(run)) == [MINT]
    assert run.result.data["classification"]["interesting"] == [THIRD]
    assert "get_token_metadata" in told(run)[MINT]["audit"]["toolsSucceeded"]
    assert FIRST in model.requests[0].messages[0].text


def test_eleven_summaries_are_two_questions(market, research, play):
    model = play(says({"interesting": [], "needsResearch": []}))
    run = research(summaries=[f"{THIRD} {number}" for number in range(11)])
    assert len(model.requests) == 2
    assert run.result.data["entities"] == []
