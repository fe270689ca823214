"""One HTTP question to one provider: JSON in, JSON out, everything that goes wrong is a ``SearchFault``.

Keys go into headers only, because addresses reach logs and messages of exceptions.
"""

from collections.abc import Callable, Mapping

from common.nesting import load_json
from common.outside.exchange import Reply, Trouble, TroubleKind, exchange, retry_after
from research.jsontext import Json, JsonObject
from research.web.search.base import FaultKind, SearchFault

Refine = Callable[[int, Json], FaultKind | None]
_KINDS: Mapping[TroubleKind, FaultKind] = {
    "timeout": "timeout",
    "network": "network",
    "invalid": "invalid",
    "too_large": "unknown",
}


def ask(
    provider: str,
    url: str,
    *,
    seconds: float,
    headers: Mapping[str, str] | None = None,
    params: Mapping[str, str | int] | None = None,
    body: JsonObject | None = None,
    refine: Refine | None = None,
) -> JsonObject:
    """The JSON object with which ``url`` answers: GET with ``params``, or POST with ``body``.

    ``seconds`` bounds the whole exchange, give or take one read of the socket. ``refine`` may know a fault better than
    its HTTP status does; it is given the status and the answer's JSON (None where it is no JSON).

    Raises:
        SearchFault: in every other case.
    """
    try:
        reply = exchange(provider, url, seconds=seconds, headers=headers, params=params, body=body)
    except Trouble as trouble:
        raise SearchFault(_KINDS[trouble.kind], trouble.message) from None
    return _document(provider, reply, refine)


def _document(provider: str, reply: Reply, refine: Refine | None) -> JsonObject:
    document, status = _json(reply.body), reply.status
    if status != 200:
        kind = (refine(status, document) if refine else None) or classify(status)
        raise SearchFault(kind, _sentence(provider, kind, status), retry_after(reply.headers))
    if not isinstance(document, dict):
        raise SearchFault("unknown", f"{provider} answered with something that is not its JSON.")
    return document


def _json(content: bytes) -> Json:
    try:
        return load_json(content)
    except ValueError:
        return None


def classify(status: int) -> FaultKind:
    """The class of an HTTP status that is not 200."""
    if status in {401, 403, 407}:
        return "auth"
    if status in {408, 504}:
        return "timeout"
    if status in {402, 429}:
        return "quota" if status == 402 else "rate_limit"
    if status >= 500:
        return "server_error"
    return "invalid" if 400 <= status < 500 else "unknown"


def _sentence(provider: str, kind: FaultKind, status: int) -> str:
    said = {
        "auth": "does not accept the key",
        "quota": "says that its quota is used up",
        "rate_limit": "asks for fewer questions",
        "timeout": "did not answer in time",
        "server_error": "is in trouble",
        "invalid": "refused the question",
    }
    return f"{provider} {said.get(kind, 'gave an unexpected answer')} (HTTP {status})."
