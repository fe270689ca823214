"""``manage.py check`` says what would only be seen when the first run fails."""

import pytest
from django.core.checks import run_checks

MODELS = [
    ("anthropic:some-model", "ANTHROPIC_API_KEY"),
    ("openai:some-model", "OPENAI_API_KEY"),
    ("openai-chat:some-model", "OPENAI_API_KEY"),
]


def told():
    return [(message.id, message.msg) for message in run_checks() if message.id.startswith("research.")]


@pytest.fixture(autouse=True)
def without_keys(settings):
    settings.ANTHROPIC_API_KEY = settings.OPENAI_API_KEY = settings.OPENAI_CHAT_API_KEY = ""
    settings.OPENAI_CHAT_BASE_URL = settings.OPENAI_BASE_URL = ""


@pytest.mark.parametrize(("name", "variable"), MODELS)
def test_it_warns_of_a_model_without_a_key(settings, name, variable):
    settings.DOSSIER_MODEL = f"register, {name}"
    assert told() == [("research.W001", f"DOSSIER_MODEL names {name}, and {variable} is not set.")]


@pytest.mark.parametrize(("name", "variable"), MODELS)
def test_it_is_silent_when_the_key_is_there(settings, name, variable):
    settings.DOSSIER_MODEL = name
    setattr(settings, variable, "secret")
    assert told() == []


def test_a_model_that_calls_tools_by_text_needs_its_key_too(settings):
    settings.DOSSIER_MODEL, settings.DOSSIER_MODEL_TEXT_PROTOCOL = "openai:some-model", ["some-model"]
    assert [id for id, _ in told()] == ["research.W001"]


def test_a_local_server_needs_no_key(settings):
    settings.DOSSIER_MODEL, settings.OPENAI_CHAT_BASE_URL = (
        "openai-chat:llama3:8b",
        "http://127.0.0.1:11434/v1",
    )
    assert told() == []


@pytest.mark.parametrize(
    ("name", "id"), [("", "research.E001"), (" , ", "research.E001"), ("oracle", "research.E002")]
)
def test_a_model_that_is_none_is_an_error(settings, name, id):
    settings.DOSSIER_MODEL = name
    assert [found for found, _ in told()] == [id]


def test_the_register_researcher_needs_nothing(settings):
    settings.DOSSIER_MODEL = "register"
    assert told() == []
