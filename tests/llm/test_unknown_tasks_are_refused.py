"""What the register researcher cannot do, it says, with what would help."""

from dataclasses import replace

import pytest

from research.llm.interface import Message
from research.register_researcher.model import RegisterModel
from tests.llm.conftest import request_for


@pytest.fixture
def request_of(macro):
    return request_for(macro("client-discovery"), {"client_name": "Allianz SE"}, [Message("user", "go")])


def test_a_macro_without_playbook_needs_a_language_model(request_of):
    request = replace(
        request_of, task=replace(request_of.task, schema_name="horoscope-result", macro="horoscope")
    )
    turn = RegisterModel().complete(request)
    assert turn.stop == "refusal"
    assert turn.detail["code"] == "unsupported_macro"
    assert turn.detail["retryable"] is False
    assert "horoscope" in turn.text
    assert "DOSSIER_MODEL" in turn.text


def test_a_macro_that_offers_too_few_tools_is_told_which(request_of):
    offered = [tool for tool in request_of.tools if tool.name != "lei_parents"]
    turn = RegisterModel().complete(replace(request_of, tools=offered))
    assert turn.detail["code"] == "unsupported_macro"
    assert turn.detail["missing_tools"] == ["lei_parents"]
    assert "lei_parents" in turn.text
