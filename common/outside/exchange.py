"""One HTTP question and its answer, bounded in time and size; what an answer means is the caller's business.

The operator chose the address, so it is not held to the rules for addresses that the web chose. Even so: no redirects
(a key would travel along), no password from the environment and no proxy unless it is asked for, no cookies. What
goes wrong is told in fixed sentences: an exception of ``requests`` quotes the address, which may hold a key.
"""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.cookiejar import DefaultCookiePolicy
from typing import Any

import requests
import urllib3
from requests.utils import get_environ_proxies

from common.outside.deadline import punctual_session, was_late, within
from common.outside.faults import SourceFault
from common.outside.trust import authorities

MAX_BODY = 5_000_000
CONNECT_SECONDS = 5.0
HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "dossier"}

_threads = threading.local()


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
    proxied: bool = False,
) -> Reply:
    """GET with ``params``, or POST with ``body`` as JSON or ``form``; ``name`` is whom a fault names.

    ``seconds`` bounds the whole exchange. ``proxied`` goes through the proxy that the environment names.

    Raises:
        SourceFault: no whole answer came in time and within ``max_body`` bytes.
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
                proxies=get_environ_proxies(url) if proxied else None,
            ) as response,
        ):
            content = _content(name, response, max_body)
    except (requests.Timeout, urllib3.exceptions.TimeoutError):
        raise SourceFault(name, "timeout") from None
    except ValueError:  # what requests says of an address, a header or a question that cannot be sent
        raise SourceFault(
            name, "refused", "cannot be asked: its address, key or question cannot be sent"
        ) from None
    except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
        if was_late(error):
            raise SourceFault(name, "timeout") from None
        raise SourceFault(name, "network", f"cannot be reached ({type(error).__name__})") from None
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
            raise SourceFault(name, "unreadable", f"answered with more than {max_body:,} bytes")
    return bytes(content)


def sendable(params: Mapping[str, str]) -> dict[str, str]:
    """Text that an address can hold: no lone surrogates."""
    return {key: value.encode("utf-8", "replace").decode() for key, value in params.items()}


def retry_after(text: str, now: datetime | None = None) -> float | None:
    """The seconds of a Retry-After (RFC 9110, 10.2.3: a number or a date); None when unreadable or beyond reason."""
    value = text.strip()
    if value.isascii() and value.isdigit():
        return float(value) if len(value) < 10 else None
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - (now or datetime.now(UTC))).total_seconds())
