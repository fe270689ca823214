"""One HTTP question to one provider: JSON in, JSON out, everything that goes wrong is a ``SearchFault``.

The operator chose the address, so it is not held to the rules for addresses that the web chose. Even so: no redirects
(a key would travel along), no proxy or password from the environment, no cookies, bounded size and time. Keys go into
headers only, because addresses reach logs and messages of exceptions.
"""

import json
import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.cookiejar import DefaultCookiePolicy

import requests
import urllib3

from research.jsontext import Json, JsonObject
from research.web.search.base import FaultKind, SearchFault
from research.web.search.deadline import PunctualAdapter

MAX_BODY = 5_000_000
CONNECT_SECONDS = 5.0
HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "dossier"}

Refine = Callable[[int, Json], FaultKind | None]

_threads = threading.local()


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
    deadline = time.monotonic() + seconds
    try:
        with _session().request(
            "GET" if body is None else "POST",
            url,
            params=params,
            json=body,
            headers={**HEADERS, **(headers or {})},
            timeout=(min(CONNECT_SECONDS, seconds), seconds),
            allow_redirects=False,
            stream=True,
        ) as response:
            content = _content(provider, response, deadline)
    except (requests.Timeout, urllib3.exceptions.TimeoutError):
        raise SearchFault("timeout", f"{provider} did not answer in time.") from None
    except (
        ValueError
    ):  # what requests says of an address, a header or a question that cannot be sent; it quotes them
        raise SearchFault(
            "invalid", f"The address of {provider}, its key or the question cannot be sent."
        ) from None
    except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
        raise SearchFault("network", f"{provider} cannot be reached ({type(error).__name__}).") from None
    return _document(provider, response, content, refine)


def _session() -> requests.Session:
    """A session for each thread: they are not safe to share."""
    if not hasattr(_threads, "session"):
        session = requests.Session()
        session.trust_env = False
        session.mount("http://", PunctualAdapter())
        session.mount("https://", PunctualAdapter())
        session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        _threads.session = session
    found: requests.Session = _threads.session
    return found


def _content(provider: str, response: requests.Response, deadline: float) -> bytes:
    """The body. ``read1`` returns what one read of the socket gave, so that a drip is noticed at the deadline."""
    content = bytearray()
    while chunk := response.raw.read1(65_536, decode_content=True):
        content += chunk
        if len(content) > MAX_BODY:
            raise SearchFault("unknown", f"{provider} answered with more than {MAX_BODY:,} bytes.")
        if time.monotonic() > deadline:
            raise SearchFault("timeout", f"{provider} did not finish its answer in time.")
    return bytes(content)


def _document(
    provider: str, response: requests.Response, content: bytes, refine: Refine | None
) -> JsonObject:
    document, status = _json(content), response.status_code
    if status != 200:
        kind = (refine(status, document) if refine else None) or classify(status)
        raise SearchFault(kind, _sentence(provider, kind, status), retry_after(response.headers))
    if not isinstance(document, dict):
        raise SearchFault("unknown", f"{provider} answered with something that is not its JSON.")
    return document


def _json(content: bytes) -> Json:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
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


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds of a Retry-After (RFC 9110: a number or a date); None when absent, unreadable or beyond reason."""
    value = headers.get("Retry-After", "").strip()
    if value.isascii() and value.isdigit():
        return float(value) if len(value) < 10 else None
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
