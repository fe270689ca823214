"""A status alone does not say whether waiting helps."""

from datetime import UTC, datetime
from time import process_time

import pytest

from research.llm.faults import LONGEST_WAIT, fault_in_answer, fault_of, wait_asked_for
from tests.cases import cases

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def kind_of(status, body):
    fault = fault_of("The server", status, {}, body, NOW)
    return (fault.kind, fault.feature) if fault.feature else fault.kind


def test_a_long_refusal_is_known_at_once():
    began = process_time()  # others on this machine do not count
    assert kind_of(429, {"error": {"message": "request too large " * 5_000}}) == "rate_limit"
    assert process_time() - began < 0.3


@cases(
    ("status", "said", "kind"),
    [
        (400, "Your credit balance is too low to access the API.", "quota"),
        (429, "You exceeded your current quota, please check your plan.", "quota"),
        (429, "Rate limit reached for requests", "rate_limit"),
        (400, "This model's maximum context length is 8192 tokens.", "context"),
        (400, "the request exceeds the available context size (4096 tokens)", "context"),
        (400, "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000", "context"),
        (400, "This model's maximum prompt length is 131072 but the request contains 150000", "context"),
        (400, "The input token count exceeds the maximum number of tokens allowed (1048576).", "context"),
        (422, "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 and 1024", "context"),
        (500, "the request exceeds the available context size. try increasing it", "context"),
        (429, "Request too large for m on tokens per min (TPM): Limit 30000, Requested 45000.", "context"),
        (429, "Too many tokens, please wait before trying again.", "rate_limit"),
        (413, "Request exceeds the maximum size", "context"),
        (400, "registry/library/tiny does not support tools", ("unsupported", "tools")),
        (
            400,
            '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser',
            ("unsupported", "tools"),
        ),
        (500, "tools param requires --jinja flag", ("unsupported", "tools")),
        (400, "Cannot use custom grammar constraints with tools.", ("unsupported", "schema")),
        (400, "'response_format' of type 'json_schema' is not supported", ("unsupported", "schema")),
        (400, "Invalid schema for response_format 'x'", ("unsupported", "schema")),
        (400, "Web search options not supported with this model.", ("unsupported", "server_search")),
        (400, "adaptive thinking is not supported on this model", ("unsupported", "thinking")),
        (400, "output_config.effort: Extra inputs are not permitted", ("unsupported", "thinking")),
        (400, "Unsupported value: 'reasoning.effort' does not support 'none'", ("unsupported", "thinking")),
        (400, "Unrecognized request argument supplied: reasoning_effort", ("unsupported", "thinking")),
        (400, "Function tools with reasoning_effort are not supported here", ("unsupported", "thinking")),
        (400, "messages.1.content.0: Expected `thinking`, but found `tool_use`", "invalid"),
        (422, "messages.0.content: Field required", "invalid"),
        (404, "The model `nobody` does not exist", "invalid"),
        (408, "Request timeout", "server"),
        (501, "Not implemented", "server"),
        (524, "A timeout occurred", "server"),
        (418, "I'm a teapot", "invalid"),
    ],
)
def test_it_is_known_by_what_was_said(status, said, kind):
    assert kind_of(status, {"error": {"message": said, "type": "invalid_request_error"}}) == kind


@pytest.mark.parametrize(
    "body",
    [
        {"type": "error", "error": {"type": "billing_error", "message": "Pay."}, "request_id": "req_1"},
        {
            "error": {
                "type": "insufficient_quota",
                "code": "insufficient_quota",
                "message": "Pay.",
                "param": None,
            }
        },
        {"error": {"type": None, "code": "insufficient_quota", "message": "Pay."}},
        {"object": "error", "type": "insufficient_quota", "code": 429, "message": "Pay."},
    ],
)
def test_every_shape_of_error_body_is_read(body):
    fault = fault_of("The server", 429, {}, body, NOW)
    assert fault.kind == "quota"
    assert fault.message.endswith(": Pay.")


@cases("body", [None, "", "Bad gateway", [], {}, {"error": None}, {"error": "gone"}, {"detail": ["x"]}])
def test_a_body_without_shape_is_no_reason_to_fail(body):
    assert kind_of(502, body) == "server"


@cases(
    ("headers", "seconds"),
    [
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "Sat, 21 Nov 2026 12:01:40 GMT"}, 100.0),
        ({"retry-after": "Sat, 21 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after": "4294967295"}, LONGEST_WAIT),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Sat, 99 Nov 2026 12:01:40 GMT"}, None),
        ({}, None),
    ],
)
def test_the_wait_is_read_in_every_form(headers, seconds):
    assert wait_asked_for(headers, NOW) == seconds


def test_the_provider_may_say_that_asking_again_is_of_no_use():
    answered = {"error": {"message": "no", "type": "api_error"}}
    assert fault_of("The server", 500, {"x-should-retry": "true"}, answered, NOW).passing
    assert not fault_of("The server", 500, {"x-should-retry": "false"}, answered, NOW).passing
    assert not fault_of("The server", 401, {"x-should-retry": "true"}, answered, NOW).passing


@cases(
    ("error", "kind"),
    [
        ({"type": "overloaded_error", "message": "Overloaded"}, "overloaded"),
        ({"code": "rate_limit_exceeded", "message": "slow"}, "rate_limit"),
        ({"code": "server_error", "message": "oops"}, "server"),
        ({"code": "invalid_prompt", "message": "no"}, "invalid"),
        ({"code": "insufficient_quota", "message": "no"}, "quota"),
        ({"code": "context_length_exceeded", "message": "Your input exceeds the context window."}, "context"),
        (None, "server"),
    ],
)
def test_an_error_inside_a_good_answer_is_an_error(error, kind):
    fault = fault_in_answer("The server", error)
    assert (fault.kind, fault.billed) == (kind, True)


def test_a_message_is_one_line_of_bearable_length_without_what_a_database_refuses():
    fault = fault_of("The server", 400, {}, {"error": {"message": "a\n\0\ud800b " * 500}}, NOW)
    assert len(fault.message) < 600
    assert not {"\n", "\0", "\ud800"} & set(fault.message)
