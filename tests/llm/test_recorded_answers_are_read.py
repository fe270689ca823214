"""Answers that the real providers gave. They are no part of the project: DOSSIER_SHARED_DATA names their folder.

Each recording is ``{provider, path, status, content_type, request, response}``; a streamed response is its text.
"""

import json
import os
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from research.jsontext import check_json
from research.llm.interface import Message, ModelFault
from research.llm.models import open_model
from tests.llm.talking import KEY, request
from tests.llm.vendor_types import refused_by_the_vendor

FOLDER = Path(os.environ.get("DOSSIER_SHARED_DATA", "../shared/data")) / "llm"
NAMES = {"anthropic": "anthropic:m", "openai_responses": "openai:m", "openai": "openai-chat:m"}
pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="no recordings: set DOSSIER_SHARED_DATA to the folder that holds llm/"
)
RECORDINGS = sorted(path.stem for path in FOLDER.glob("*.json")) if FOLDER.is_dir() else []
GOOD = [name for name in RECORDINGS if "not_supported" not in name]
SEARCHES = [name for name in GOOD if "anthropic_web_search" in name or "pause_turn" in name]


def recorded(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


@contextmanager
def playing(recording):
    """A server that gives this one answer to whatever it is asked, and keeps what it was asked."""
    asked = []
    body = recording["response"]
    body = (body if isinstance(body, str) else json.dumps(body)).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(recording["status"])
            self.send_header("Content-Type", recording["content_type"])
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format, *args):
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", asked
        finally:
            server.shutdown()


@pytest.fixture
def read(settings):
    """The turn that our adapter reads from a recording, and the request it sent."""

    def ask(name, messages=None):
        recording = recorded(name)
        settings.ANTHROPIC_API_KEY = settings.OPENAI_API_KEY = settings.OPENAI_CHAT_API_KEY = KEY
        settings.DOSSIER_MODEL_STREAM = "on" if isinstance(recording["response"], str) else "off"
        with playing(recording) as (url, asked):
            settings.ANTHROPIC_BASE_URL = url
            settings.OPENAI_BASE_URL = settings.OPENAI_CHAT_BASE_URL = f"{url}/v1"
            model = open_model(NAMES[recording["provider"]])
            turn = model.complete(request(messages, tools=False, schema=None, server_search=True))
        return turn, asked[0]

    return ask


@pytest.mark.parametrize("name", GOOD)
def test_it_reads_the_answer(read, name):
    turn, _ = read(name)
    assert turn.stop == ("paused" if name == "test_pause_turn_web_search_vcr.0" else "end")
    assert turn.stop == "paused" or turn.text.strip()
    assert turn.model.startswith(("claude", "gpt"))
    assert turn.usage
    assert turn.usage.known
    assert turn.usage.output_tokens > 0
    check_json(turn.raw)


@pytest.mark.parametrize("name", [name for name in GOOD if isinstance(recorded(name)["response"], dict)])
def test_it_keeps_the_blocks_as_they_came_and_counts_as_the_provider_does(read, name):
    turn, _ = read(name)
    answer = recorded(name)["response"]
    blocks = answer.get("content") or answer.get("output") or answer["choices"][0]["message"]
    assert list(turn.raw.values()) == [blocks]
    used = answer["usage"]
    sums = turn.usage.input_tokens + turn.usage.cached_tokens + turn.usage.cache_write_tokens
    assert sums == used.get("input_tokens", used.get("prompt_tokens"))
    assert turn.usage.output_tokens == used.get("output_tokens", used.get("completion_tokens"))
    assert turn.usage.searches == (used.get("server_tool_use") or {}).get(
        "web_search_requests", sum(item["type"] == "web_search_call" for item in answer.get("output", []))
    )


@pytest.mark.parametrize("name", SEARCHES)
def test_it_keeps_what_was_cited_with_its_quote(read, name):
    turn, _ = read(name)
    assert turn.citations
    assert all(citation.url.startswith("http") for citation in turn.citations)
    assert turn.stop == "paused" or any(citation.quote for citation in turn.citations)


@pytest.mark.parametrize("name", GOOD)
def test_what_is_sent_back_is_known_to_the_vendor(read, name):
    turn, _ = read(name)
    messages = [Message("user", "Go."), Message("assistant", turn.text, turn=turn)]
    if turn.stop != "paused":
        messages.append(Message("user", "And then?"))
    _, sent = read(name, messages)
    assert refused_by_the_vendor(recorded(name)["path"].partition("?")[0], sent) == []


@pytest.mark.parametrize("name", [name for name in GOOD if name.endswith(".0") and name[:-1] + "1" in GOOD])
def test_it_goes_on_as_the_recorded_client_did(read, name):
    turn, _ = read(name)
    messages = [Message("user", "Go."), Message("assistant", turn.text, turn=turn)]
    _, sent = read(
        name[:-1] + "1", [*messages, *([] if turn.stop == "paused" else [Message("user", "And?")])]
    )
    theirs = recorded(name[:-1] + "1")["request"]
    for secret in ("signature", "encrypted_content"):
        assert found(sent, secret) == found(theirs, secret)
    assert {*found(sent, "encrypted_index")} >= {*found(theirs, "encrypted_index")}
    assert [one["role"] for one in sent.get("messages", [])] == [
        one["role"] for one in theirs.get("messages", [])
    ]


def found(value, key):
    """Every value of ``key`` at any depth, in order."""
    if isinstance(value, list):
        return [one for item in value for one in found(item, key)]
    if not isinstance(value, dict):
        return []
    inner = [one for name, item in value.items() if name != key for one in found(item, key)]
    return ([value[key]] if key in value else []) + inner


def test_a_real_refusal_is_known_for_what_it_is(read):
    with pytest.raises(ModelFault) as raised:
        read("test_openai_web_search_tool_model_not_supported.0")
    assert (raised.value.kind, raised.value.feature, raised.value.passing) == (
        "unsupported",
        "server_search",
        False,
    )
