"""The HTTP side of GLEIF's API v1: one question, one answer, with pacing, bounded retries and typed errors.

The API is JSON:API without authentication. Its documented limit is 60 requests a minute; above it answers
429, for minutes. What an answer means (a 404 on a parent, say) is the register's business (``register.py``);
here a 404 is ``GleifNotFound`` and nothing else is ever mistaken for it.
"""

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NoReturn
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import requests

from common.nesting import load_json
from common.outside.deadline import may_try_again, punctual_session, was_late, within
from common.outside.exchange import Reply, seen
from common.outside.trust import authorities
from common.text import storable
from entities.gleif.errors import (
    GleifBadAnswer,
    GleifBadRequest,
    GleifError,
    GleifNotFound,
    GleifRateLimited,
    GleifUnavailable,
)
from entities.gleif.pacing import Pacer
from entities.gleif.records import JsonObject

PUBLIC_URL = "https://api.gleif.org/api/v1"
PAGE_SIZE = 100  # also the number of LEIs in one batch; the API's default of 15 would silently cut answers
MAX_BODY = 20_000_000
MAX_PAGES = 1_000
TOTAL = 3  # times the longest silence: so long may one whole answer take, however it drips
_PAUSES = (0.5, 1.0, 2.0)
_THROTTLED_PAUSES = (5.0, 10.0, 20.0)


@dataclass(frozen=True, slots=True)
class Items:
    """Raw items of a list; ``total`` as the register counts them, ``truncated`` when a limit cut the list."""

    items: tuple[Any, ...]
    total: int
    truncated: bool


class _Throttled(GleifRateLimited):
    """One 429: worth another try."""


class GleifClient:
    """Asks one base URL; safe to share between threads (a ``requests`` session each, one pace for all).

    ``session`` makes a thread's session; ``per_minute`` 0 turns pacing off; ``timeout`` is (connect, read) in
    seconds; ``max_wait`` caps what a Retry-After can ask of us.
    """

    def __init__(
        self,
        base_url: str = PUBLIC_URL,
        *,
        session: Callable[[], requests.Session] = punctual_session,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        per_minute: int = 60,
        timeout: tuple[float, float] = (5, 20),
        retries: int = 3,
        max_wait: float = 30.0,
        max_body: int = MAX_BODY,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self.publish_date = ""  # of the golden copy behind the last answer, as ISO text
        self._new_session, self._threads = session, threading.local()
        self._timeout = timeout
        self._retries, self._max_wait, self._max_body = retries, max_wait, max_body
        self._pacer = Pacer(per_minute, clock=clock, sleep=sleep)

    def get(self, path: str, query: Mapping[str, str] | None = None) -> JsonObject:
        """The answer to one question, as the whole JSON:API document.

        Raises:
            GleifNotFound: 404.
            GleifBadRequest: any other 4xx but 429.
            GleifRateLimited: still 429 after the retries.
            GleifUnavailable: no connection, time-out, 5xx or no JSON, after the retries.
        """
        url = self._url(path, query or {})
        for attempt in range(self._retries + 1):
            self._pacer.wait()
            try:
                return self._ask(url)
            except (_Throttled, GleifUnavailable) as error:
                pause = self._pause(error, attempt)
                if attempt == self._retries or not may_try_again(pause):
                    self._give_up(error)
                self._pacer.hold(pause)
        raise AssertionError("unreachable")

    def items(self, path: str, query: Mapping[str, str] | None = None, *, limit: int | None = None) -> Items:
        """A list, page after page by cursor, up to ``limit`` items (None: all of them).

        Only the paging parameters of the register's ``links.next`` are used: whatever host that link names,
        the question goes to our base URL. A list that refuses the cursor is read by page number.

        Raises:
            GleifBadAnswer: the pages go in circles or never end; and whatever ``get`` raises.
        """
        if limit is not None and limit < 1:
            raise ValueError("limit must be at least 1")
        size = PAGE_SIZE if limit is None else min(PAGE_SIZE, limit)
        page = {"page[cursor]": "*", "page[size]": str(size)}
        found: list[Any] = []
        seen: list[dict[str, str]] = []
        total = 0
        while page not in seen and len(seen) < MAX_PAGES:
            seen.append(page)
            try:
                document = self.get(path, {**(query or {}), **page})
            except GleifBadRequest:
                if found or "page[cursor]" not in page:
                    raise
                page = {"page[number]": "1", "page[size]": str(size)}  # a list that knows no cursor
                continue
            data = _list(document)
            found += data
            total = max(total, _total(document))
            following = _next_page(document)
            if not following or not data or (limit is not None and len(found) >= limit):
                return _cut(found, total, limit, more=bool(following and data))
            page = {"page[size]": str(size), **following}
        raise GleifBadAnswer("The register's pages do not come to an end.")

    def batch(self, leis: Iterable[str]) -> tuple[Any, ...]:
        """The records of many LEIs, 100 a call; an LEI without an item here is not in the register.

        Raises:
            GleifBadAnswer: an answer is not complete, so absence would prove nothing.
        """
        wanted = list(dict.fromkeys(leis))
        found: list[Any] = []
        for start in range(0, len(wanted), PAGE_SIZE):
            answer = self.items("lei-records", {"filter[lei]": ",".join(wanted[start : start + PAGE_SIZE])})
            if answer.total > len(answer.items):
                raise GleifBadAnswer("The register sent fewer records than it says it has found.")
            found += answer.items
        return tuple(found)

    def _url(self, path: str, query: Mapping[str, str]) -> str:
        encoded = urlencode(query, errors="replace")
        return f"{self.base_url}/{quote(path.strip('/'))}" + (f"?{encoded}" if encoded else "")

    def _session(self) -> requests.Session:
        if not hasattr(self._threads, "session"):
            self._threads.session = self._new_session()
        session: requests.Session = self._threads.session
        return session

    def _ask(self, url: str) -> JsonObject:
        try:
            with (
                within(TOTAL * self._timeout[1]),
                self._session().get(
                    url,
                    headers={"Accept": "application/vnd.api+json", "User-Agent": "dossier"},
                    timeout=self._timeout,
                    stream=True,
                    allow_redirects=False,
                    verify=authorities(),
                ) as response,
            ):
                body = self._body(response)
        except requests.Timeout as error:
            raise GleifUnavailable("The LEI register did not answer in time.") from error
        except (requests.RequestException, UnicodeError) as error:
            if was_late(error):
                raise GleifUnavailable("The LEI register did not finish its answer in time.") from error
            raise GleifUnavailable(f"The LEI register cannot be reached ({type(error).__name__}).") from error
        seen(Reply(response.status_code, response.headers, body))
        _refuse_status(response, body)
        document = _document(body)
        self._note_publish_date(document)
        return document

    def _body(self, response: requests.Response) -> bytes:
        """The body within bounds of size."""
        body = bytearray()
        for chunk in response.iter_content(65_536):
            body += chunk
            if len(body) > self._max_body:
                raise GleifBadAnswer(f"The register's answer is larger than {self._max_body:,} bytes.")
        return bytes(body)

    def _pause(self, error: GleifError, attempt: int) -> float:
        if isinstance(error, _Throttled):
            asked = error.retry_after if error.retry_after is not None else _at(_THROTTLED_PAUSES, attempt)
            return min(max(asked, 0.0), self._max_wait)
        return _at(_PAUSES, attempt)

    @staticmethod
    def _give_up(error: GleifError) -> NoReturn:
        if isinstance(error, _Throttled):
            raise GleifRateLimited(str(error), error.retry_after) from error
        raise error

    def _note_publish_date(self, document: JsonObject) -> None:
        meta = document.get("meta")
        copy = meta.get("goldenCopy") if isinstance(meta, dict) else None
        date = copy.get("publishDate") if isinstance(copy, dict) else None
        if isinstance(date, str):
            self.publish_date = storable(date)[:40]


def _refuse_status(response: requests.Response, body: bytes) -> None:
    status = response.status_code
    if status == 200:
        return
    if status == 404:
        raise GleifNotFound(_reason(body) or "The register has no such resource.")
    if status == 429:
        raise _Throttled("The LEI register's rate limit is exhausted.", _retry_after(response))
    if status == 408 or status >= 500:
        raise GleifUnavailable(f"The LEI register is in trouble (HTTP {status}).")
    if 400 <= status < 500:
        reason = _reason(body)
        raise GleifBadRequest(
            f"The LEI register refused the question (HTTP {status}{': ' + reason if reason else ''})."
        )
    raise GleifBadAnswer(f"The LEI register answered with an unexpected HTTP {status}.")


def _retry_after(response: requests.Response) -> float | None:
    """The seconds a Retry-After (number or HTTP date) asks for; None when absent or unreadable."""
    value = response.headers.get("Retry-After", "").strip()
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None


def _reason(body: bytes) -> str:
    """What a JSON:API error body says, bounded; "" when it is not one."""
    try:
        error = load_json(body)["errors"][0]
        text = error.get("detail") or error.get("title") or ""
    except (ValueError, LookupError, TypeError, AttributeError):
        return ""
    return str(storable(text))[:200] if isinstance(text, str) else ""


def _document(body: bytes) -> JsonObject:
    try:
        document = load_json(body)
    except ValueError as error:
        raise GleifBadAnswer("The LEI register answered with something that is not JSON.") from error
    if not isinstance(document, dict) or "data" not in document:
        raise GleifBadAnswer("The LEI register answered with JSON that is not its own.")
    return document


def _list(document: JsonObject) -> list[Any]:
    data = document["data"]
    if not isinstance(data, list):
        raise GleifBadAnswer("The LEI register sent one item where a list belongs.")
    return data


def _total(document: JsonObject) -> int:
    meta = document.get("meta")
    pagination = meta.get("pagination") if isinstance(meta, dict) else None
    total = pagination.get("total") if isinstance(pagination, dict) else None
    return total if isinstance(total, int) else 0


def _next_page(document: JsonObject) -> dict[str, str]:
    """The paging parameters of ``links.next``; empty on the last page."""
    links = document.get("links")
    link = links.get("next") if isinstance(links, dict) else None
    if not isinstance(link, str):
        return {}
    return {key: value for key, value in parse_qsl(urlsplit(link).query) if key.startswith("page[")}


def _cut(found: list[Any], total: int, limit: int | None, *, more: bool) -> Items:
    kept = tuple(found if limit is None else found[:limit])
    total = max(total, len(found))
    return Items(kept, total, truncated=more or len(kept) < total)


def _at(pauses: tuple[float, ...], attempt: int) -> float:
    return pauses[min(attempt, len(pauses) - 1)]
