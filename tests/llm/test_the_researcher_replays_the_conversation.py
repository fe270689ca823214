"""The model holds no state: the same conversation always gives the same turn, on any machine."""

import json
from dataclasses import replace

from research.llm.interface import Message, ToolAnswer
from research.register_researcher.model import RegisterModel
from tests.cases import cases

TASKS = [
    ("client-discovery", {"client_name": "Allianz SE"}),
    ("client-discovery", {"client_name": "PUMA UNITED KINGDOM LTD"}),
    ("client-discovery", {"client_name": "Nobody At All Ltd"}),
    ("ubo-investigation", {"entity_name": "MONOOVA FX PTY LTD"}),
    ("ubo-investigation", {"entity_name": "AGI", "entity_lei": "529900FAHFDMSXCPII15"}),
    ("regulatory-check", {"entity_name": "Commerzbank", "include_related_parties": True}),
]


@cases(("macro_name", "params"), TASKS)
def test_it_gives_the_same_turn_from_scratch_at_every_prefix(study, macro_name, params):
    done = study(macro_name, **params)
    for request, turn in zip(done.requests, done.turns, strict=True):
        assert RegisterModel().complete(request) == turn


@cases(("macro_name", "params"), TASKS)
def test_it_needs_only_the_answers_and_not_its_own_earlier_turns(study, macro_name, params):
    done = study(macro_name, **params)
    answers = tuple(answer for message in done.requests[-1].messages for answer in message.answers)
    bare = replace(done.requests[-1], messages=(Message("tool", answers=answers),))
    assert RegisterModel().complete(bare) == done.last


@cases(("macro_name", "params"), TASKS)
def test_every_call_has_an_id_of_its_own(study, macro_name, params):
    ids = [call.id for call in study(macro_name, **params).calls]
    assert len(ids) == len(set(ids))


def test_it_asks_again_for_what_a_turn_still_lacks(study):
    done = study("client-discovery", client_name="Allianz SE")
    several = next(turn for turn in done.turns if len(turn.tool_calls) > 1)
    request = done.requests[done.turns.index(several) + 1]
    *before, last = [message for message in request.messages if message.answers]
    cut = replace(request, messages=(*before, replace(last, answers=last.answers[:1])))
    assert RegisterModel().complete(cut) == several


def test_it_takes_no_answer_that_was_given_to_another_question(study):
    done = study("client-discovery", client_name="Allianz SE")
    stray = ToolAnswer("1.1-lei_search-00000000", "lei_search", {"success": True, "data": {"candidates": []}})
    request = replace(done.requests[0], messages=(Message("tool", answers=(stray,)),))
    assert RegisterModel().complete(request) == done.turns[0]


def test_its_last_word_is_one_json_document(study):
    done = study("client-discovery", client_name="Allianz SE")
    assert json.loads(done.last.text) == done.data
    assert done.last.tool_calls == ()
