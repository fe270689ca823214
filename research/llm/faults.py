"""Turn a provider's error response into a ModelFault: status, headers and body.

Shapes: Anthropic ``{type: error, error: {type, message}}``, OpenAI ``{error: {message, type, code, param}}``, and what
servers that speak Chat Completions make of it. A status alone does not say whether waiting helps: a spent quota is a
429 too, and a conversation that is too long is a 400 like any other mistake.
"""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime

from common.outside.exchange import retry_after
from research.jsontext import Json, JsonObject, storable_text
from research.llm.interface import FaultKind, Feature, ModelFault

MAX_MESSAGE = 500
LONGEST_WAIT = 30 * 86_400.0  # seconds; a longer wait is a mistake, and would overflow dates

_QUOTA = {
    "billing_error",
    "billing_hard_limit_reached",
    "billing_not_active",
    "credits_exhausted",
    "insufficient_quota",
    "quota_exceeded",
}
_QUOTA_TEXT = re.compile(
    r"credit balance is too low|exceeded your current quota|insufficient (credit|fund|quota)", re.IGNORECASE
)
_CONTEXT = {"context_length_exceeded", "exceed_context_size_error", "model_context_window_exceeded"}
_CONTEXT_TEXT = re.compile(
    r"context (length|window|size|limit)|(prompt|input) (is )?too long|too many (input )?tokens|reduce the length"
    r"|maximum (prompt|input) length|exceeds the maximum number of tokens|tokens \+ `max_new_tokens",
    re.IGNORECASE,
)
_TOO_LARGE = re.compile(  # one request over the limit per minute: waiting does not help
    r"request too large.{0,300} tokens per min|tokens must be reduced", re.IGNORECASE | re.DOTALL
)
_REFUSES = re.compile(
    r"not (currently )?support|unsupported|not (be )?supported|requires? --|not allowed|unknown (parameter|field|name)"
    r"|unrecognized|unrecognised|extra (inputs|fields)|cannot (use|combine)|too complex|invalid schema"
    r"|invalid_json_schema|not permitted|not available|not enabled",
    re.IGNORECASE,
)
_FEATURES: tuple[tuple[Feature, re.Pattern[str]], ...] = (  # the first name found is the refused feature
    ("thinking", re.compile(r"\bthinking\b|\breasoning\b|reasoning_effort|\beffort\b", re.IGNORECASE)),
    (
        "schema",
        re.compile(
            r"response_format|text\.format|output_config|output_format|json_schema|grammar", re.IGNORECASE
        ),
    ),
    ("server_search", re.compile(r"web.?search", re.IGNORECASE)),
    ("tools", re.compile(r"\btools?\b|tool.choice|function.call", re.IGNORECASE)),
)
_KINDS: Mapping[int, FaultKind] = {
    401: "auth",
    402: "quota",
    403: "auth",
    408: "server",
    409: "server",
    413: "context",
    429: "rate_limit",
    503: "overloaded",
    529: "overloaded",
}
_TYPES: Mapping[str, FaultKind] = {
    "api_error": "server",
    "authentication_error": "auth",
    "overloaded_error": "overloaded",
    "permission_error": "auth",
    "rate_limit_error": "rate_limit",
    "rate_limit_exceeded": "rate_limit",
    "server_error": "server",
    "timeout_error": "server",
}
_MAY_BE_BILLED = {408, 499, 504, 524}  # the gateway timed out; the model may have worked


def fault_of(
    provider: str, status: int, headers: Mapping[str, str], body: Json, now: datetime | None = None
) -> ModelFault:
    """The fault of an HTTP response. ``body`` is its JSON, its text, or None."""
    type_, code, param, said = _error_of(body)
    kind, feature = _classify(status, {type_, code}, f"{param} {said}")
    return ModelFault(
        kind,
        _sentence(provider, status, kind, said),
        status=status,
        retry_after=wait_asked_for(headers, now or datetime.now(UTC)),
        billed=status in _MAY_BE_BILLED,
        feature=feature,
        should_retry=headers.get("x-should-retry", "").lower() != "false",
    )


def fault_in_answer(provider: str, error: Json, *, billed: bool = True) -> ModelFault:
    """The fault of an error object inside an HTTP 200 response: a failed response, an error event."""
    type_, code, param, said = _error_of({"error": error})
    names = {type_, code}
    kind, feature = _classify(
        400 if names & {"invalid_prompt", "invalid_request_error"} else 500, names, f"{param} {said}"
    )
    return ModelFault(kind, _sentence(provider, 0, kind, said), billed=billed, feature=feature)


def wait_asked_for(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds to wait: ``retry-after-ms``, or ``retry-after``, which some providers send with decimal places."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        seconds = _number(headers.get(name, ""))
        if seconds is not None:
            return min(max(seconds * unit, 0.0), LONGEST_WAIT)
    until = retry_after(headers.get("retry-after", ""), now)
    return None if until is None else min(until, LONGEST_WAIT)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _error_of(body: Json) -> tuple[str, str, str, str]:
    """``type``, ``code``, ``param`` and message of an error body as text, empty if missing."""
    if not isinstance(body, dict):
        return "", "", "", str(body or "")
    inner = body.get("error", body)
    error: JsonObject = inner if isinstance(inner, dict) else {"message": inner}
    said = error.get("message") or error.get("detail") or ""
    fields = (error.get("type"), error.get("code"), error.get("param"))
    type_, code, param = (field if isinstance(field, str) else "" for field in fields)
    return type_, code, param, said if isinstance(said, str) else str(said)


def _classify(status: int, names: set[str], text: str) -> tuple[FaultKind, Feature]:
    if names & _QUOTA or _QUOTA_TEXT.search(text):
        return "quota", ""
    if _is_too_long(status, names, text):
        return "context", ""
    if status in {400, 404, 422, 500, 501}:  # some servers answer 500 if they do not support tools
        feature = _refused(text)
        if feature:
            return "unsupported", feature
    if status in _KINDS:
        return _KINDS[status], ""
    named = next((_TYPES[name] for name in sorted(names) if name in _TYPES), None)
    if named and status != 400:
        return named, ""
    return ("server" if status >= 500 else "invalid"), ""


def _is_too_long(status: int, names: set[str], text: str) -> bool:
    if status == 429:
        return bool(_TOO_LARGE.search(text))
    return status in {400, 422, 500} and bool(names & _CONTEXT or _CONTEXT_TEXT.search(text))


def _refused(text: str) -> Feature:
    if not _REFUSES.search(text):
        return ""
    return next((feature for feature, named in _FEATURES if named.search(text)), "")


_ADVICE: Mapping[str, str] = {
    "auth": "the key is not accepted; check the key and what it may use",
    "quota": "the account has no quota or credit left; waiting does not help",
    "rate_limit": "too many requests for now",
    "overloaded": "the provider is overloaded",
    "context": "the conversation is longer than the model can read",
    "unsupported": "this model or server does not support what was asked for",
}


def _sentence(provider: str, status: int, kind: FaultKind, said: str) -> str:
    advice = _ADVICE.get(kind, "")
    if status == 404 and kind == "invalid":
        advice = "the model name or the base URL is not known there"
    if 300 <= status < 400:
        advice = "the address redirects; set the base URL to where it leads"
    where = f"{provider} answered {status}" if status else f"{provider} reported an error"
    words = " ".join(storable_text(said).split())[:MAX_MESSAGE]
    return ": ".join(part for part in (where, advice, words) if part)
