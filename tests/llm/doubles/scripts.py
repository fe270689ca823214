"""Scripts of the double by name. A script is a list of turns; each is JSON, so that it may come from a file too.

A turn: ``text``, ``calls`` [{name, arguments | raw}], ``stop``, ``thinking``, ``search`` {query, results
[{url, title}], quote, error}, ``resumes`` (a search that a paused turn began), ``usage`` {input, output, ...} or null,
``status`` and ``error`` (a failed response), ``before``: faults that are played first, one an attempt (names of
``FAULTS``, or objects).
"""

import json
from pathlib import Path
from typing import Any

Turn = dict[str, Any]

FOUND = [
    {"url": "https://example.org/report", "title": "A report"},
    {"url": "https://example.com/news", "title": "News"},
]
QUOTE = "Revenue was 12 million in 2025."

FAULTS: dict[str, dict[str, Any]] = {
    "rate_limit": {"status": 429, "type": "rate_limit_error", "message": "Wait.", "headers": {"Retry-After": "2"}},
    "rate_limit_long": {"status": 429, "type": "rate_limit_error", "message": "L.", "headers": {"Retry-After": "3600"}},
    "quota": {"status": 429, "type": "insufficient_quota", "code": "insufficient_quota", "message": "Nothing left."},
    "payment": {"status": 402, "type": "billing_error", "message": "Pay first."},
    "overloaded": {"status": 529, "type": "overloaded_error", "message": "Overloaded"},
    "unavailable": {"status": 503, "type": "api_error", "message": "Unavailable"},
    "server": {"status": 500, "type": "api_error", "message": "Internal server error"},
    "gateway": {"status": 504, "type": "timeout_error", "message": "Took too long"},
    "conflict": {"status": 409, "type": "conflict_error", "message": "Conflict"},
    "auth": {"status": 401, "type": "authentication_error", "message": "Incorrect API key provided: {key}."},
    "forbidden": {"status": 403, "type": "permission_error", "message": "Your key may not use this model: {key}."},
    "not_found": {"status": 404, "type": "not_found_error", "message": "model: nobody"},
    "invalid": {"status": 400, "type": "invalid_request_error", "message": "messages.0: wrong"},
    "context": {"status": 400, "type": "invalid_request_error", "message": "prompt is too long: 210000 tokens"},
    "no_tools": {"status": 400, "type": "invalid_request_error", "message": "this model does not support tools"},
    "no_thinking": {
        "status": 400,
        "type": "invalid_request_error",
        "message": "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
    },
    "no_schema": {"status": 400, "type": "invalid_request_error", "message": "'response_format' is not supported"},
    "never_again": {"status": 500, "type": "api_error", "message": "No.", "headers": {"x-should-retry": "false"}},
    "redirect": {"status": 307, "headers": {"Location": "/elsewhere"}, "message": ""},
    "html": {"raw": "<html>Welcome to the hotel network</html>"},
    "array": {"raw": "[1, 2]"},
    "cut": {"how": "cut"},  # breaks off in the middle: paid for
    "cut_softly": {"how": "cut_softly"},  # a well-formed end of the body, but the answer is not whole: paid for
    "hang": {"how": "hang"},  # takes the request, works, and never answers: paid for
    "drip": {"how": "drip"},  # a byte now and then, for ever: paid for
    "late": {"how": "late"},  # a byte of its headers now and then, for ever: paid for
    "hang_up": {"how": "hang_up"},  # closes the connection without a word
}  # fmt: skip


def research(searches: int = 6, tool: str = "web_search", final: Any = None) -> list[Turn]:
    """A run of ``searches`` turns with one call each, and the final document."""
    turns = [
        {"text": f"Step {n}.", "calls": [{"name": tool, "arguments": {"query": f"question {n}"}}]}
        for n in range(1, searches + 1)
    ]
    return [*turns, {"text": json.dumps(final or {"entity": "Example AG", "sources": searches})}]


SCRIPTS: dict[str, list[Turn]] = {
    "answer": [{"text": '{"entity": "Example AG"}'}],
    "seven-turns": research(6),
    "three-turns": research(2),
    "thinking": [{**turn, "thinking": f"Thought {n}."} for n, turn in enumerate(research(2))],
    "two-calls": [
        {"calls": [{"name": "web_search", "arguments": {"query": q}} for q in ("one", "two")]},
        {"text": '{"entity": "Example AG"}'},
    ],
    "same-id": [
        *(
            {
                "thinking": "Once more.",
                "calls": [{"name": "web_search", "arguments": {"query": q}, "id": "one"} for q in said],
            }
            for said in (("one", "two"), ("three",))
        ),
        {"text": '{"entity": "Example AG"}'},
    ],
    "server-search": [
        {
            "search": {"query": "Example AG", "results": FOUND, "quote": QUOTE},
            "text": '{"entity": "Example AG"}',
        }
    ],
    "paused": [
        {"stop": "paused", "thinking": "Searching.", "search": {"query": "Example AG"}},
        {"resumes": {"results": FOUND, "quote": QUOTE}, "text": '{"entity": "Example AG"}'},
    ],
    "troubles": [
        {**turn, "before": before}
        for turn, before in zip(
            research(6),
            (["rate_limit"], ["overloaded"], ["server", "server"], ["cut"], [], ["hang_up"], []),
            strict=True,
        )
    ],
}


def load_script(name: str) -> list[Turn]:
    """By name, or from a JSON file."""
    if name in SCRIPTS:
        return SCRIPTS[name]
    turns: list[Turn] = json.loads(Path(name).read_text(encoding="utf-8"))
    return turns
