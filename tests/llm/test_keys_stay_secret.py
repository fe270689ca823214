"""A key leaves for its provider, and for nowhere else."""

import logging
import traceback

import pytest

from research.llm.interface import ModelFault
from research.llm.models import open_model
from tests.cases import cases
from tests.llm.doubles.scripts import FAULTS, SCRIPTS
from tests.llm.doubles.server import Double
from tests.llm.talking import KEY, MODELS, point_at, request

ECHO = {
    "status": 400,
    "type": "invalid_request_error",
    "message": "Bearer {key} / {key} / sk-other-0123456789",
}


@cases("stream", ["on", "off"])
@cases("name", MODELS)
@cases("played", [*(name for name in FAULTS if name not in ("hang", "drip", "late")), "echo", "hang"])
def test_no_fault_says_it(settings, caplog, played, name, stream):
    with (
        Double([{"before": [ECHO if played == "echo" else played], "text": "{}"}]) as double,
        caplog.at_level("DEBUG"),
    ):
        point_at(settings, double, stream)
        settings.DOSSIER_MODEL_TIMEOUT = 0.2 if played == "hang" else 60
        model = open_model(name)
        with pytest.raises(ModelFault) as raised:
            model.complete(request())
        logging.getLogger("test").error("it failed", exc_info=raised.value)
    shown = [
        str(raised.value),
        repr(raised.value),
        raised.value.message,
        repr(vars(raised.value)),
        caplog.text,
    ]
    shown += [repr(model), repr(vars(model)), *traceback.format_exception(raised.value)]
    assert KEY not in "\n".join(shown)
    assert "sk-other" not in "\n".join(shown)


@pytest.mark.parametrize(
    ("name", "variable"), [("anthropic:m", "ANTHROPIC_API_KEY"), ("openai:m", "OPENAI_API_KEY")]
)
def test_a_missing_key_is_said_before_anything_is_sent(settings, name, variable):
    with Double(SCRIPTS["answer"]) as double:
        point_at(settings, double)
        settings.ANTHROPIC_API_KEY = settings.OPENAI_API_KEY = ""
        with pytest.raises(ModelFault, match=f"set {variable}, or {variable}_FILE") as raised:
            open_model(name).complete(request())
    assert (raised.value.kind, raised.value.billed, double.bill.requests) == ("auth", False, 0)


def test_openai_itself_wants_a_key_for_chat_completions_too(settings):
    settings.OPENAI_CHAT_BASE_URL = settings.OPENAI_BASE_URL = settings.OPENAI_API_KEY = ""
    with pytest.raises(ModelFault, match="set OPENAI_API_KEY"):
        open_model("openai-chat:m").complete(request())


def test_the_key_of_openai_is_not_sent_to_another_server(settings):
    with Double(SCRIPTS["answer"]) as double:
        settings.OPENAI_API_KEY, settings.OPENAI_CHAT_API_KEY = KEY, ""
        settings.OPENAI_CHAT_BASE_URL = f"{double.url}/v1"
        open_model("openai-chat:m").complete(request())
    assert KEY not in str(double.requests)


def test_a_password_in_the_address_is_not_said(settings):
    settings.OPENAI_CHAT_BASE_URL = "http://somebody:hidden@127.0.0.1:1/v1"
    with pytest.raises(ModelFault) as raised:
        open_model("openai-chat:m").complete(request())
    assert "hidden" not in "".join(traceback.format_exception(raised.value))


def test_no_key_is_in_a_request_body(settings):
    with Double(SCRIPTS["seven-turns"]) as double:
        point_at(settings, double)
        for name in MODELS:
            open_model(name).complete(request())
    assert KEY not in str(double.bodies())
