"""One HTTP question and its answer, bounded in time and size; what an answer means is the caller's business.

The operator chose the address, so it is not held to the rules for addresses that the web chose. Even so: no redirects
(a key would travel along), no proxy or password from the environment, no cookies. What goes wrong is told in fixed
sentences: an exception of ``requests`` quotes the address, and some sources want their key in it.
"""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.cookiejar import DefaultCookiePolicy
from typing import Any, Literal, TypeAlias

import requests
import urllib3

from common.outside.deadline import punctual_session, was_late, within
from common.outside.trust import authorities

MAX_BODY = 5_000_000
CONNECT_SECONDS = 5.0
HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "dossier"}

TroubleKind: TypeAlias = Literal["timeout", "network", "invalid", "too_large"]

_threads = threading.local()


class Trouble(Exception):
    """There is no whole answer. ``message`` is a sentence without the address."""

    def __init__(self, kind: TroubleKind, message: str) -> None:
        self.kind, self.message = kind, message
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer, whatever its status; ``headers`` are found in any case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def exchange(
    name: str,
    url: str,
    *,
    seconds: float,
    headers: Mapping[str, str] | None = None,
    params: Mapping[str, str | int] | None = None,
    body: Mapping[str, Any] | None = None,
    form: Mapping[str, str] | None = None,
    max_body: int = MAX_BODY,
) -> Reply:
    """GET with ``params``, or POST with ``body`` as JSON or ``form``; ``name`` is whom a sentence about trouble names.

    ``seconds`` bounds the whole exchange.

    Raises:
        Trouble: no whole answer came in time and within ``max_body`` bytes.
    """
    try:
        with (
            within(seconds),
            session().request(
                "GET" if body is None and form is None else "POST",
                url,
                params=params,
                json=body,
                data=form,
                headers={**HEADERS, **(headers or {})},
                timeout=(min(CONNECT_SECONDS, seconds), seconds),
                allow_redirects=False,
                stream=True,
                verify=authorities(),
            ) as response,
        ):
            content = _content(name, response, max_body)
    except (requests.Timeout, urllib3.exceptions.TimeoutError):
        raise Trouble("timeout", f"{name} did not answer in time.") from None
    except ValueError:  # what requests says of an address, a header or a question that cannot be sent
        raise Trouble("invalid", f"The address of {name}, its key or the question cannot be sent.") from None
    except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
        if was_late(error):
            raise Trouble("timeout", f"{name} did not answer in time.") from None
        raise Trouble("network", f"{name} cannot be reached ({type(error).__name__}).") from None
    return seen(Reply(response.status_code, response.headers, content))


@contextmanager
def witnessed() -> Iterator[list[Reply]]:
    """The answers that come on this thread within the block, in their order: for whoever holds them against a shape."""
    before = getattr(_threads, "replies", None)
    _threads.replies = []
    try:
        yield _threads.replies
    finally:
        _threads.replies = before


def seen(reply: Reply) -> Reply:
    """The same reply, which a witness of this thread sees too; for clients that ask without ``exchange``."""
    replies: list[Reply] | None = getattr(_threads, "replies", None)
    if replies is not None:
        replies.append(reply)
    return reply


def session() -> requests.Session:
    """A session for each thread: they are not safe to share."""
    if not hasattr(_threads, "session"):
        made = punctual_session()
        made.trust_env = False
        made.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        _threads.session = made
    found: requests.Session = _threads.session
    return found


def _content(name: str, response: requests.Response, max_body: int) -> bytes:
    content = bytearray()
    while chunk := response.raw.read1(65_536, decode_content=True):
        content += chunk
        if len(content) > max_body:
            raise Trouble("too_large", f"{name} answered with more than {max_body:,} bytes.")
    return bytes(content)


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
