"""What the adapters send is what the official SDKs would let a caller send."""

import pytest

from research.llm.interface import Message, ToolAnswer
from research.llm.models import open_model
from tests.cases import cases
from tests.llm.doubles.scripts import SCRIPTS, research
from tests.llm.doubles.server import Double
from tests.llm.talking import KEY, MODELS, point_at, request, talk
from tests.llm.vendor_types import refused_by_the_vendor

ASKED = [{"type": "text", "text": "go"}]
TALKS = {
    "plain": (SCRIPTS["three-turns"], {}),
    "thinking": (SCRIPTS["thinking"], {}),
    "two calls": (SCRIPTS["two-calls"], {}),
    "their search": ([*SCRIPTS["server-search"], {"text": "{}"}], {"server_search": True, "then": "More."}),
    "unreadable arguments": ([{"calls": [{"name": "web_search", "raw": "{"}]}, {"text": "{}"}], {}),
}


def assert_known(double):
    assert [fault for path, _, body in double.requests for fault in refused_by_the_vendor(path, body)] == []


@cases("talked", TALKS)
@cases("stream", ["on", "off"])
@cases("name", MODELS)
def test_every_request_of_a_conversation_is_known_to_the_vendor(settings, name, stream, talked):
    script, how = TALKS[talked]
    with Double(script) as double:
        point_at(settings, double, stream)
        talk(name, **how)
    assert len(double.requests) >= 2
    assert_known(double)


def test_a_continuation_after_a_pause_is_known_to_the_vendor(settings):
    with Double(SCRIPTS["paused"]) as double:
        point_at(settings, double)
        talk("anthropic:m", server_search=True)
    assert_known(double)


@cases("first", MODELS)
@cases("name", MODELS)
def test_what_another_provider_began_is_known_to_the_vendor(settings, first, name):
    with Double(research(2)) as double:
        point_at(settings, double)
        talk(first, name)
    assert_known(double)


@pytest.mark.parametrize("name", MODELS)
def test_a_last_question_without_tools_is_known_to_the_vendor(settings, name):
    with Double(research(1)) as double:
        point_at(settings, double)
        turn = open_model(name).complete(request())
        answers = tuple(ToolAnswer(call.id, call.name, {"success": False}) for call in turn.tool_calls)
        messages = [Message("user", "go"), Message("assistant", turn=turn), Message("tool", answers=answers)]
        open_model(name).complete(request(messages, tools=False))
    assert_known(double)


def test_a_background_request_is_known_to_the_vendor(settings):
    with Double(SCRIPTS["answer"]) as double:
        point_at(settings, double)
        open_model("openai:m").start(request())
    assert_known(double)


@pytest.mark.parametrize("name", MODELS)
def test_no_sampling_parameter_is_ever_sent(settings, name):
    with Double(SCRIPTS["three-turns"]) as double:
        point_at(settings, double)
        talk(name)
    assert not {"temperature", "top_p", "top_k"} & {key for body in double.bodies() for key in body}


@pytest.mark.parametrize("path", ["/v1/messages", "/v1/responses", "/v1/chat/completions"])
def test_the_check_itself_notices_what_the_vendor_does_not_know(path):
    items = "input" if path == "/v1/responses" else "messages"
    body = {"model": "m", items: [{"role": "user", "content": "go"}]}
    body |= {"max_tokens": 5} if path == "/v1/messages" else {}
    assert refused_by_the_vendor(path, body) == []
    assert refused_by_the_vendor(path, {**body, "tempo": 1}) == [f"{path}.tempo: unknown"]
    for wrong in ({"role": "nobody", "content": "go"}, {"role": "user", "content": 5}, {"role": "user"}):
        assert refused_by_the_vendor(path, {**body, items: [wrong]})
    assert refused_by_the_vendor(path, {**body, "tools": [{"type": "web_surf"}]})


@pytest.mark.parametrize("name", ["anthropic:m", "openai:m"])
def test_the_credential_and_the_version_are_sent_as_the_vendor_sends_them(settings, name):
    import anthropic
    import openai

    with Double(SCRIPTS["answer"]) as double:
        point_at(settings, double)
        open_model(name).complete(request())
        if name == "anthropic:m":
            with anthropic.Anthropic(api_key=KEY, base_url=double.url, max_retries=0) as theirs:
                theirs.messages.create(model="m", max_tokens=9, messages=[{"role": "user", "content": ASKED}])
        else:
            with openai.OpenAI(api_key=KEY, base_url=f"{double.url}/v1", max_retries=0) as theirs:
                theirs.responses.create(model="m", input=[{"role": "user", "content": "go"}])
    named = ("authorization", "x-api-key", "anthropic-version", "content-type")
    ours, theirs = ({name: headers.get(name) for name in named} for _, headers, _ in double.requests)
    assert ours == theirs


def test_a_gateway_may_want_the_key_in_its_older_header(settings):
    with Double(SCRIPTS["answer"]) as double:
        point_at(settings, double)
        settings.ANTHROPIC_AUTH = "x-api-key"
        open_model("anthropic:m").complete(request())
    assert double.requests[0][1]["x-api-key"] == KEY
    assert "authorization" not in double.requests[0][1]
