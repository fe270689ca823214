"""``DOSSIER_THINKING`` is said in the words of each protocol; without it the provider does as it likes."""

import pytest
from django.core.checks import run_checks

from research.llm.interface import ModelFault
from research.llm.models import open_model, without
from tests.cases import cases
from tests.llm.doubles.scripts import SCRIPTS
from tests.llm.doubles.server import Double
from tests.llm.talking import MODELS, point_at, request
from tests.llm.vendor_types import refused_by_the_vendor

SAID = {  # by kind: what "off" and "medium" become
    "anthropic": (
        {"thinking": {"type": "disabled"}},
        {"thinking": {"type": "adaptive"}, "output_config": {"effort": "medium"}},
    ),
    "openai": ({"reasoning": {"effort": "none"}}, {"reasoning": {"effort": "medium"}}),
    "openai-chat": ({"reasoning_effort": "none"}, {"reasoning_effort": "medium"}),
}
FIELDS = ("thinking", "reasoning", "reasoning_effort")


def sent(settings, name, thinking, **asked):
    settings.DOSSIER_THINKING = thinking
    with Double(SCRIPTS["answer"]) as double:
        point_at(settings, double)
        open_model(name).complete(request(**asked))
    [(path, _, body)] = double.requests
    assert list(refused_by_the_vendor(path, body)) == []
    return body


@cases("place", [0, 1])
@cases("name", MODELS)
def test_it_is_said_in_the_words_of_the_protocol(settings, name, place):
    body = sent(settings, name, ("off", "medium")[place])
    expected = SAID[name.partition(":")[0]][place]
    assert {field: body[field] for field in FIELDS if field in body} == {
        field: value for field, value in expected.items() if field != "output_config"
    }
    assert body.get("output_config", {}).get("effort") == expected.get("output_config", {}).get("effort")


@pytest.mark.parametrize("name", MODELS)
def test_nothing_is_said_by_default(settings, name):
    body = sent(settings, name, "")
    assert not set(FIELDS) & body.keys()
    assert "effort" not in body.get("output_config", {})


def test_a_schema_is_asked_for_all_the_same(settings):
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
    body = sent(settings, "anthropic:m", "high", schema={**schema, "required": ["a"]})
    assert set(body["output_config"]) == {"effort", "format"}


@cases("thinking", ["off", "high"])
@cases("name", MODELS)
def test_a_model_that_refuses_it_is_asked_without(settings, caplog, name, thinking):
    settings.DOSSIER_THINKING = thinking
    with Double(SCRIPTS["answer"], refuse=["thinking"]) as double:
        point_at(settings, double)
        model = open_model(name)
        with pytest.raises(ModelFault) as raised:
            model.complete(request())
        other = without(model, raised.value)
        assert other.complete(request()).stop == "end"
    assert (raised.value.kind, raised.value.feature, raised.value.billed) == (
        "unsupported",
        "thinking",
        False,
    )
    assert not set(FIELDS) & double.bodies()[-1].keys()
    assert "effort" not in double.bodies()[-1].get("output_config", {})
    assert f"{name}: its server refused thinking" in caplog.text
    assert without(other, raised.value) is None


@pytest.mark.parametrize(("said", "known"), [("", True), ("low", True), ("a lot", False)])
def test_a_word_that_no_provider_knows_is_noticed_before_it_is_sent(settings, said, known):
    settings.DOSSIER_THINKING = said
    assert ("research.E003" not in [message.id for message in run_checks()]) is known
