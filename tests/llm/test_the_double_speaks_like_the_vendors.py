"""The answers of our double are read by the vendors' own clients, so what our adapters read from it is their shape."""

import pytest

from tests.llm.doubles.scripts import SCRIPTS
from tests.llm.doubles.server import Double
from tests.llm.talking import KEY, SEARCH

CHAT_TOOL = {
    "type": "function",
    "function": {"name": SEARCH.name, "description": SEARCH.description, "parameters": SEARCH.parameters},
}
ANTHROPIC_TOOL = {"name": SEARCH.name, "description": SEARCH.description, "input_schema": SEARCH.parameters}
TOOL = {
    "type": "function",
    "name": SEARCH.name,
    "description": SEARCH.description,
    "parameters": SEARCH.parameters,
    "strict": False,
}
ASKED = [{"role": "user", "content": [{"type": "text", "text": "go"}]}]
PLAYED = ("thinking", "two-calls", "server-search")


@pytest.fixture
def serve():
    import anthropic
    import openai

    clients = []

    def open_clients(double):
        clients.append(anthropic.Anthropic(api_key=KEY, base_url=double.url, max_retries=0))
        clients.append(openai.OpenAI(api_key=KEY, base_url=f"{double.url}/v1", max_retries=0))
        return clients[-2:]

    yield open_clients
    for client in clients:
        client.close()


def strictly(answer):
    """The SDKs build their objects without validation; this validates."""
    type(answer).model_validate(answer.model_dump(mode="json", warnings="error"))
    return answer


@pytest.mark.parametrize("script", [*PLAYED, "paused"])
def test_the_client_of_anthropic_reads_it(serve, script):
    with Double(SCRIPTS[script]) as double:
        theirs, _ = serve(double)
        how = {"model": "m", "max_tokens": 100, "messages": ASKED, "tools": [ANTHROPIC_TOOL]}
        plain = strictly(theirs.messages.create(**how))
        with theirs.messages.stream(**how) as stream:
            streamed = stream.get_final_message()
    assert [block.type for block in plain.content] == [block.type for block in streamed.content]
    assert plain.stop_reason == streamed.stop_reason
    assert plain.usage.output_tokens == streamed.usage.output_tokens == 100


@pytest.mark.parametrize("script", PLAYED)
def test_the_client_of_openai_reads_responses(serve, script):
    with Double(SCRIPTS[script]) as double:
        _, theirs = serve(double)
        how = {"model": "m", "input": "go", "tools": [TOOL]} | {"input": [{"role": "user", "content": "go"}]}
        plain = strictly(theirs.responses.create(**how))
        events = list(theirs.responses.create(**how, stream=True))
    assert events[-1].type == "response.completed"
    assert [item.type for item in plain.output] == [item.type for item in events[-1].response.output]
    assert plain.output_text == events[-1].response.output_text


@pytest.mark.parametrize("script", ["seven-turns", "two-calls", "server-search"])
def test_the_client_of_openai_reads_chat_completions(serve, script):
    with Double(SCRIPTS[script]) as double:
        _, theirs = serve(double)
        how = {"model": "m", "messages": [{"role": "user", "content": "go"}], "tools": [CHAT_TOOL]}
        plain = strictly(theirs.chat.completions.create(**how))
        chunks = list(theirs.chat.completions.create(**how, stream=True))
    message = plain.choices[0].message
    texts = [choice.delta.content or "" for chunk in chunks for choice in chunk.choices]
    calls = [call for chunk in chunks for choice in chunk.choices for call in choice.delta.tool_calls or []]
    assert "".join(texts) == (message.content or "")
    assert sum(bool(call.id) for call in calls) == len(message.tool_calls or [])
    assert chunks[-1].usage == plain.usage


def test_a_background_answer_is_fetched_by_the_client_of_openai(serve):
    with Double(SCRIPTS["answer"], polls=1) as double:
        _, theirs = serve(double)
        begun = theirs.responses.create(
            model="m", input=[{"role": "user", "content": "go"}], background=True, store=True
        )
        statuses = [begun.status, *(theirs.responses.retrieve(begun.id).status for _ in range(2))]
    assert statuses == ["queued", "in_progress", "completed"]


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("rate_limit", "RateLimitError"),
        ("overloaded", "InternalServerError"),
        ("auth", "AuthenticationError"),
        ("context", "BadRequestError"),
        ("not_found", "NotFoundError"),
    ],
)
def test_the_clients_know_its_faults(serve, fault, kind):
    import anthropic
    import openai

    with Double([{"before": [fault] * 2, "text": "{}"}]) as double:
        for theirs in serve(double):
            asked = {"model": "m", "messages": ASKED}
            create = (
                theirs.messages.create
                if isinstance(theirs, anthropic.Anthropic)
                else theirs.chat.completions.create
            )
            with pytest.raises((anthropic.APIStatusError, openai.APIStatusError)) as raised:
                create(**asked, max_tokens=10)
            assert kind in {each.__name__ for each in type(raised.value).__mro__}
    assert double.bill.answered == 0
