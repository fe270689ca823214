"""The HTTP side of GLEIF's API v1: one question, one answer, with typed errors.

The API is JSON:API without authentication. Its documented limit is 60 requests a minute; above it answers
429, for minutes. What an answer means (a 404 on a parent, say) is the register's business (``register.py``);
here a 404 is ``GleifNotFound`` and nothing else is ever mistaken for it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

from common.bounded_json import load_json
from common.outside.client import AGAIN, TRAFFIC, Client, Exchange, Patience, Traffic, json_object
from common.outside.exchange import Reply, exchange, sendable
from common.outside.faults import FaultCode, SourceFault
from common.outside.pace import Rate
from common.text import storable
from entities.gleif.errors import (
    GleifBadAnswer,
    GleifBadRequest,
    GleifError,
    GleifNotFound,
    GleifRateLimited,
    GleifUnavailable,
)
from entities.gleif.records import JsonObject

NAME = "The LEI register"
PUBLIC_URL = "https://api.gleif.org/api/v1"
PAGE_SIZE = 100  # also the number of LEIs in one batch; the API's default of 15 would silently cut answers
MAX_BODY = 20_000_000
MAX_PAGES = 1_000
# An answer that is no JSON comes from a gateway in front of the register, so it is asked again.
PATIENCE = Patience(seconds=180.0, attempt=30.0, tries=4, again=AGAIN | {"unreadable"})
_ERRORS: Mapping[FaultCode, type[GleifError]] = {
    "not_found": GleifNotFound,
    "refused": GleifBadRequest,
    "denied": GleifBadRequest,
    "quota": GleifBadRequest,
    "unreadable": GleifBadAnswer,
}


@dataclass(frozen=True, slots=True)
class Items:
    """Raw items of a list; ``total`` as the register counts them, ``truncated`` when a limit cut the list."""

    items: tuple[Any, ...]
    total: int
    truncated: bool


class GleifClient:
    """Asks one base URL; safe to share between threads.

    ``per_minute`` 0 turns pacing off; ``exchange`` may stand in for the network.
    """

    def __init__(
        self,
        base_url: str = PUBLIC_URL,
        *,
        per_minute: int = 60,
        patience: Patience = PATIENCE,
        max_body: int = MAX_BODY,
        traffic: Traffic = TRAFFIC,
        exchange: Exchange = exchange,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self.publish_date = ""  # of the golden copy behind the last answer, as ISO text
        self._client = Client(
            NAME,
            self.base_url,
            Rate(per_minute, 60.0, rolling=True),
            headers={"Accept": "application/vnd.api+json"},
            refine=_refine,
            patience=patience,
            max_body=max_body,
            traffic=traffic,
            exchange=exchange,
            proxied=True,
        )

    def get(self, path: str, query: Mapping[str, str] | None = None) -> JsonObject:
        """The answer to one question, as the whole JSON:API document.

        Raises:
            GleifNotFound: 404.
            GleifBadRequest: any other 4xx but 429.
            GleifRateLimited: still 429 after the tries, or a longer pause is asked for than a question lasts.
            GleifUnavailable: no connection, time-out, 5xx or no JSON after the tries, or it is left alone.
        """
        try:
            document = self._client.ask(quote(path.strip("/")), read=_document, params=sendable(query or {}))
        except SourceFault as fault:
            if fault.code == "rate_limited":
                raise GleifRateLimited(fault.message, fault.retry_after) from None
            raise _ERRORS.get(fault.code, GleifUnavailable)(fault.message) from None
        self._note_publish_date(document)
        return document

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

    def _note_publish_date(self, document: JsonObject) -> None:
        meta = document.get("meta")
        copy = meta.get("goldenCopy") if isinstance(meta, dict) else None
        date = copy.get("publishDate") if isinstance(copy, dict) else None
        if isinstance(date, str):
            self.publish_date = storable(date)[:40]


def _refine(reply: Reply) -> SourceFault | None:
    """What a refusal means and, as GLEIF knows no key that it could repeat, why it was refused in its own words."""
    if reply.status not in (400, 404):
        return None
    try:
        error = load_json(reply.body)["errors"][0]
        text = error.get("detail") or error.get("title")
    except (ValueError, LookupError, TypeError, AttributeError):
        text = ""
    reason = f": {storable(text)[:200]}" if isinstance(text, str) and text else ""
    if reply.status == 404:
        return SourceFault(NAME, "not_found", f"does not have it (HTTP 404{reason})", status=404)
    return SourceFault(NAME, "refused", f"refused the question (HTTP 400{reason})", status=400)


def _document(reply: Reply) -> JsonObject:
    document = json_object(reply)
    if "data" not in document:
        raise ValueError("JSON that is not the register's own")
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
