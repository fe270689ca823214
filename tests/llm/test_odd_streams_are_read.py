"""Streams as servers really send them: calls without numbers, ends without a blank line, no stream at all."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from research.llm.http import events_in
from research.llm.interface import ModelFault, Turn
from research.llm.models import open_model
from tests.cases import cases
from tests.llm.talking import KEY, request

CALL = {"name": "web_search", "arguments": '{"query":"one"}'}
OTHER = {"name": "web_search", "arguments": '{"query":"two"}'}
BEGUN = {
    "type": "message_start",
    "message": {"role": "assistant", "model": "m", "usage": {"input_tokens": 1}},
}
BLOCK = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "Hello"}}
OVER = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}}
STOP = {"type": "message_stop"}


def chunk(delta: object, finish: str | None = None) -> dict:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def calls(*pieces: dict) -> list[dict]:
    return [*(chunk({"tool_calls": [piece]}) for piece in pieces), chunk({}, "tool_calls")]


def events(*given: dict) -> bytes:
    return b"".join(f"data: {json.dumps(one)}\n\n".encode() for one in given)


@contextmanager
def playing(body: bytes, type_: str, *, promised: int = 0) -> Iterator[str]:
    """A server with one answer; it may promise more bytes than it sends, and hang up."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Type", type_)
            self.send_header("Content-Length", str(len(body) + promised))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:  # a server that is closed and goes on serving takes a core
            server.shutdown()


@pytest.fixture
def hear(settings):
    """``hear(name, body)``: what the model of that name makes of a stream."""

    def listen(
        name: str, body: bytes, *, type_: str = "text/event-stream", promised: int = 0, stream: str = "on"
    ) -> Turn:
        settings.DOSSIER_MODEL_STREAM = stream
        settings.ANTHROPIC_API_KEY = settings.OPENAI_API_KEY = KEY
        with playing(body, type_, promised=promised) as url:
            settings.ANTHROPIC_BASE_URL = settings.OPENAI_BASE_URL = url
            return open_model(name).complete(request())

    return listen


@cases(
    "pieces",
    [
        [{"index": 0, "id": "a", "function": CALL}, {"index": 0, "id": "b", "function": OTHER}],
        [{"index": None, "id": "a", "function": CALL}, {"index": None, "id": "b", "function": OTHER}],
        [{"id": "a", "function": CALL}, {"id": "b", "function": OTHER}],
        [{"function": CALL}, {"function": OTHER}],
        [
            {"id": "a", "function": {"name": "web_search", "arguments": '{"query":'}},
            {"function": {"arguments": '"one"}'}},
            {"id": "b", "function": OTHER},
        ],
        [
            {"index": 0, "id": "a", "function": {"name": "web_search", "arguments": ""}},
            {"index": 1, "id": "b", "function": {"name": "web_search", "arguments": '{"query":'}},
            {"index": 0, "function": {"arguments": '{"query":"one"}'}},
            {"index": 1, "function": {"arguments": '"two"}'}},
        ],
        [
            {"index": 0, "id": "a", "function": {"name": "web_search", "arguments": {"query": "one"}}},
            {"index": 1, "id": "b", "function": {"name": "web_search", "arguments": {"query": "two"}}},
        ],
    ],
)
def test_two_calls_are_two_however_they_are_numbered(hear, pieces):
    turn = hear("openai-chat:m", events(*calls(*pieces)) + b"data: [DONE]\n\n")
    assert [call.arguments for call in turn.tool_calls] == [{"query": "one"}, {"query": "two"}]
    assert len({call.id for call in turn.tool_calls}) == 2


def test_a_call_that_repeats_its_id_is_one(hear):
    pieces = [
        {"index": 0, "id": "a", "function": {"name": "web_search", "arguments": '{"query":'}},
        {"index": 0, "id": "a", "function": {"name": "web_search", "arguments": '"one"}'}},
    ]
    turn = hear("openai-chat:m", events(*calls(*pieces)) + b"data: [DONE]\n\n")
    assert [call.arguments for call in turn.tool_calls] == [{"query": "one"}]


def test_the_last_word_needs_no_blank_line_behind_it(hear):
    said = events(chunk({"content": "Hello"}), chunk({}, "stop"))
    assert hear("openai-chat:m", said + b"data: [DONE]\n").text == "Hello"


def test_a_connection_that_breaks_behind_the_end_has_lost_nothing(hear):
    assert hear("anthropic:m", events(BEGUN, BLOCK, OVER, STOP), promised=5).text == "Hello"
    with pytest.raises(ModelFault) as raised:
        hear("anthropic:m", events(BEGUN, BLOCK, OVER), promised=5)
    assert raised.value.kind == "truncated"


@pytest.mark.parametrize("type_", ["application/json", "text/html; charset=utf-8"])
def test_an_answer_that_is_no_stream_says_so(hear, type_):
    with pytest.raises(ModelFault, match="instead of a stream") as raised:
        hear("openai-chat:m", b"{}", type_=type_)
    assert raised.value.kind == "server"


@cases("name", ["anthropic:m", "openai:m", "openai-chat:m"])
@cases(
    ("error", "kind", "passing"),
    [
        ({"type": "overloaded_error", "message": "Overloaded"}, "overloaded", True),
        ({"type": "authentication_error", "message": "No such key"}, "auth", False),
    ],
)
def test_an_error_is_one_whatever_the_status_it_comes_with(hear, name, error, kind, passing):
    """Gateways answer 200 and put the error of whoever is behind them into the body."""
    body = json.dumps({"type": "error", "error": error}).encode()
    with pytest.raises(ModelFault, match=error["message"]) as raised:
        hear(name, body, type_="application/json", stream="off")
    assert (raised.value.kind, raised.value.passing) == (kind, passing)


@cases(
    ("name", "odd"),
    [
        ("anthropic:m", [{"type": "message_start", "message": "x"}, STOP]),
        ("anthropic:m", [BEGUN, {**BLOCK, "content_block": "x"}, STOP]),
        ("anthropic:m", [BEGUN, BLOCK, {**OVER, "usage": "x"}, STOP]),
        ("anthropic:m", [BEGUN, {**BLOCK, "index": [1]}, STOP]),
        ("openai:m", [{"type": "response.completed", "response": "x"}]),
        ("openai-chat:m", [chunk("x", "stop")]),
    ],
)
def test_a_stream_that_is_built_otherwise_is_a_fault_of_who_sent_it(hear, name, odd):
    with pytest.raises(ModelFault, match="not built as its protocol says") as raised:
        hear(name, events(*odd))
    assert (raised.value.kind, raised.value.billed) == ("server", True)


@cases(
    ("said", "text"),
    [
        ("I look.\n</think>\n\nHello", "Hello"),
        ("<think>I look.</think>Hello", "Hello"),
        ('{"note": "</think>"}', '{"note": "</think>"}'),
        ("The mark <think> begins, </think> ends.", "The mark <think> begins, </think> ends."),
        ("The mark </think> ends a thought.", "The mark </think> ends a thought."),
        ("Models write `</think>`, then answer.", "Models write `</think>`, then answer."),
        ("I look.</think>Hello </think> there", "Hello </think> there"),
        ("<think>What is </think> here?\n</think>\n\nHello", "Hello"),
        ("<think>hm</think>Hello", "Hello"),
        ("<think>Who might it be?", ""),
        ("<think>It has {x}, so\n\nThe answer is Hello.", ""),
        ('<think>Perhaps {x} or {"a": 0}? No.\n{"a": {"b": 1}}\n', '{"a": {"b": 1}}'),
        ('<think>So:\n```json\n{"a": 1}\n```', '{"a": 1}'),
        ('<think>It begins with {"a": 1} and goes on', ""),
        ('<think>It is cut: {"a": {"b": 1}', ""),
        ("<think>" + '{"a":' * 30_000, ""),
        ('{"note": "<think>"}', '{"note": "<think>"}'),
        ("So it is </think>\nHello", "Hello"),
    ],
)
def test_thoughts_without_their_first_mark_are_no_answer(hear, said, text):
    turn = hear("openai-chat:m", events(chunk({"content": said}), chunk({}, "stop")) + b"data: [DONE]\n\n")
    assert turn.text == text


@cases("end", ["\r", "\r\n", "\n"])
@cases("step", [1, 2, 7, 1_000])
def test_a_line_ends_as_the_standard_says_wherever_the_stream_is_cut(end, step):
    """WHATWG HTML, 9.2.5: CR, LF or both."""
    stream = f"event: x{end}data: one{end}data: two{end}{end}: note{end}data: ü\u2028{end}{end}".encode()
    pieces = [stream[place : place + step] for place in range(0, len(stream), step)]
    assert list(events_in(pieces)) == ["one\ntwo", "ü\u2028"]


def test_a_stream_may_begin_with_a_mark_of_its_encoding():
    assert list(events_in([b"\xef\xbb", b"\xbfdata: one\n\n"])) == ["one"]


def test_a_line_that_was_cut_is_left_out():
    assert list(events_in([b"data: one\n\ndata: tw"])) == ["one"]


def test_a_stream_with_old_line_ends_is_heard_to_its_end(hear):
    said = events(chunk({"content": "Hello"}), chunk({}, "stop")) + b"data: [DONE]\n\n"
    assert hear("openai-chat:m", said.replace(b"\n", b"\r")).text == "Hello"


def test_an_error_event_says_what_it_says_inside(hear):
    error = {"type": "error", "error": {"code": "context_length_exceeded", "message": "Too long."}}
    with pytest.raises(ModelFault, match="Too long") as raised:
        hear("openai:m", events(error))
    assert raised.value.kind == "context"
