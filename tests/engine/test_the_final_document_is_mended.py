"""A document that cannot be used is given back, with what is wrong, as often as the settings say."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from research.engine.answer import NoDocument, read_document, read_turn
from research.engine.runner import perform_run
from research.llm.interface import Turn
from research.models import Run, Step
from research.models.states import RunState
from tests.engine.conftest import ALLIANZ, FINAL, answers, asks
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db


def test_it_quotes_what_is_wrong_and_takes_the_mended_document(play):
    script = play(answers({"lei": ALLIANZ, "confidence": "certain"}), answers())
    run = RunFactory()
    perform_run(run.pk)
    told = script.requests[1].messages[-1]
    assert told.role == "user"
    assert "/confidence" in told.text
    assert "name" in told.text
    assert script.requests[1].tools == []
    assert run.result.data == FINAL
    assert run.result.schema_valid


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_it_gives_it_back_as_often_as_the_settings_say(play, settings, turns):
    settings.DOSSIER_REPAIR_TURNS = turns
    script = play(answers({"lei": ALLIANZ}))
    run = RunFactory()
    perform_run(run.pk)
    assert len(script.requests) == 1 + turns
    assert not run.result.schema_valid  # kept for a person to see


def test_it_does_not_pay_for_a_repair_again_after_a_kill(play):
    class Killed(BaseException):
        pass

    script = play(answers("no JSON"), Killed(), answers())
    run = RunFactory()
    with pytest.raises(Killed):
        perform_run(run.pk)
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    script = play(answers("no JSON"), answers())
    perform_run(run.pk)
    assert len(script.requests) == 1
    assert script.requests[0].messages[-1].text.startswith("Your answer cannot be used yet")
    assert Step.objects.filter(run=run, name="said").count() == 1
    assert run.result.data == FINAL


def test_it_never_completes_a_document_that_was_cut_off(play):
    script = play(Turn(text=json.dumps(FINAL)[:-20], stop="max_tokens"))
    run = RunFactory()
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error["code"]) == (RunState.FAILED, "max_tokens")
    assert "cut off" in script.requests[1].messages[-1].text


@pytest.mark.parametrize("stop", ["refusal", "content_filter"])
def test_it_does_not_argue_with_a_model_that_will_not(play, stop):
    script = play(Turn(text="I will not.", stop=stop))
    run = RunFactory()
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error["code"], len(script.requests)) == (RunState.FAILED, stop, 1)


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ('{"a": 1}', False),
        ('Here:\n```json\n{"a": 1}\n```\nDone.', True),
        ('The document is {"a": 1} as asked.', True),
        ('{"a": 1,}', True),
        ("{'a': 1}", True),
        ('I use {x} for the unknown. The answer is {"a": 1}.', True),
        ('{"a": 1}\n{"a": 1}', True),
    ],
)
def test_it_reads_a_document_that_is_all_there(text, repaired):
    document = read_document(text)
    assert (document.data, document.repaired) == ({"a": 1}, repaired)


def test_a_document_that_was_mended_on_its_way_counts_as_mended():
    """The JSON text protocol reads a reply before the engine does, and hands on what it has put right."""
    assert read_turn(Turn('{"a": 1}', detail={"repaired": True}), {}).repaired
    assert not read_turn(Turn('{"a": 1}'), {}).repaired


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[1]",
        '{"a": [1, 2',
        '```\n{}\n```\n```\n{"a": 1}\n```',
        '{"a": "b',
        'Either {"a": 1} or {"a": 2}',
        '{"a": 1}\n{"b": 2}',
        '{"a": 1, "a": 2}',
        'The answer: {"a": 1, "a": 2}',
    ],
)
def test_it_guesses_nothing(text):
    with pytest.raises(NoDocument):
        read_document(text)


def test_it_keeps_asking_the_register_researcher_only_once(play):
    script = play(asks(("lei_record", {"lei": ALLIANZ})), answers({"lei": ALLIANZ}))
    script.abilities = replace(script.abilities, language=False)
    run = RunFactory()
    perform_run(run.pk)
    assert len(script.requests) == 2
    assert "evidence" not in script.requests[0].schema["properties"]
    assert not run.result.schema_valid
