"""Reading pages as a tool: fetched behind the guard, brought to text, cleaned; what failed stands beside what did not.

The whole text travels as the source's ``text``, so that the archive keeps what the model saw a part of; ``fetch``
beside it says how the address answered, for the next time.
"""

import re
from dataclasses import dataclass, replace
from datetime import timedelta

from django.db import connection
from django.utils import timezone

from research.jsontext import JsonObject
from research.models import Page
from research.tools.tool import Answer, ToolContext, ToolError, tool, under
from research.web.archive.store import known_page
from research.web.faults import FetchFault
from research.web.fetch import Fetched, open_fetcher
from research.web.search.quality import tier
from research.web.urls import canonical_url

MAX_PAGES_A_CALL = 2
MAX_SHOWN = 20_000  # characters of a page in one answer
MAX_SNIPPET = 500
FRESH = timedelta(minutes=10)  # do not fetch a page again that was read less than this ago
DEFAULT_PDF_PAGES, MAX_PDF_PAGES = 30, 100

_NOT_READ = {"code": "not_read", "message": "Only two pages are read in one call.", "retryable": True}

URL = {"type": "string", "minLength": 1, "maxLength": 2_000}
START = {
    "type": "integer",
    "minimum": 0,
    "default": 0,
    "description": "character at which to continue reading a long page",
}


@dataclass(frozen=True)
class PageText:
    """A page as tools show it. ``url`` is canonical; ``source`` holds what only the archive keeps."""

    url: str
    title: str
    text: str
    mime: str
    language: str = ""
    published: str = ""
    pages: int = 0
    cut: bool = False
    warnings: tuple[str, ...] = ()
    final_url: str = ""
    etag: str = ""
    last_modified: str = ""
    links: tuple[str, ...] = ()
    status: int = 200  # 0: taken from the archive without a request


@tool(
    "extract_content",
    "Read pages of the web (HTML, PDF, text): gives their text as Markdown. At most 2 addresses in a call; of a long "
    "page the beginning, and start reads on. Quote only what you read here.",
    {
        "required": ["urls"],
        "properties": {
            "urls": {"type": "array", "items": URL, "minItems": 1, "maxItems": 10},
            "start": START,
        },
    },
    web=True,
    found=under("pages"),
)
def extract_content(arguments: JsonObject, context: ToolContext) -> Answer:
    start = arguments.get("start", 0)
    pages: list[PageText] = []
    failed: list[JsonObject] = []
    room = MAX_PAGES_A_CALL
    for url in dict.fromkeys(arguments["urls"]):
        if not room:
            failed.append({"url": url[:300], **_NOT_READ})
            continue
        try:
            pages.append(read_page(context.reach.address(url)))
            room -= 1
        except FetchFault as fault:
            failed.append(_failure(url, fault))
            room -= fault.code not in ("blocked", "not_given")  # refusals are free
    return _answer(pages, failed, start)


@tool(
    "extract_pdf",
    "Read the first pages of a PDF; each begins with its number, such as [Page 3]. start reads on in a long one.",
    {
        "required": ["url"],
        "properties": {
            "url": URL,
            "max_pages": {
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_PDF_PAGES,
                "default": DEFAULT_PDF_PAGES,
            },
            "start": START,
        },
    },
    web=True,
    found=under("pages"),
)
def extract_pdf(arguments: JsonObject, context: ToolContext) -> Answer:
    try:
        page = read_page(context.reach.address(arguments["url"]))
        if page.mime != "application/pdf":
            raise FetchFault("mime", "This is not a PDF; read it with extract_content.")
    except FetchFault as fault:
        return _answer([], [_failure(arguments["url"], fault)], 0)
    return _answer([page], [], arguments.get("start", 0), arguments.get("max_pages", DEFAULT_PDF_PAGES))


def read_page(url: str) -> PageText:
    """Read one page: from the archive if it was read recently or has not changed, else from the site.

    Raises:
        FetchFault: the page could not be read.
    """
    known = _known(url)
    if known and known.document and known.fetched_at > timezone.now() - FRESH:
        return _archived(known)
    fetcher = open_fetcher()
    if known and known.document:
        fetched = fetcher.fetch(
            url, etag=known.etag, last_modified=known.last_modified, known_at=known.final_url or known.url
        )
    else:
        fetched = fetcher.fetch(url)
    if fetched.unchanged and known:
        return replace(_archived(known), final_url=fetched.final_url, status=304)
    return _extracted(fetched)


def _known(url: str) -> Page | None:
    """The archived version of an address. Frees the database connection before the site is asked."""
    try:
        return known_page(canonical_url(url))
    except ValueError:
        return None  # the guard gives a better message
    finally:
        if not connection.in_atomic_block:
            connection.close()


def _archived(known: Page) -> PageText:
    document = known.document
    assert document  # noqa: S101 - both callers have looked
    return PageText(
        url=known.url,
        title=document.title,
        text=document.text,
        mime=document.mime,
        language=document.language,
        warnings=tuple(document.warnings),
        final_url=known.final_url,
        etag=known.etag,
        last_modified=known.last_modified,
        links=tuple(known.links),
        status=0,
    )


def _extracted(fetched: Fetched) -> PageText:
    from research.web.reader import the_reader

    read = the_reader().read(
        fetched.body,
        mime=fetched.mime,
        charset=fetched.charset,
        url=fetched.final_url,
        max_pages=MAX_PDF_PAGES,
    )
    return PageText(
        url=fetched.url,
        title=read.document.title,
        text=read.document.text,
        mime=read.document.mime,
        language=read.document.language,
        published=read.document.published,
        pages=read.document.pages,
        cut=read.document.cut,
        warnings=read.warnings,
        final_url=fetched.final_url,
        etag=fetched.etag,
        last_modified=fetched.last_modified,
        links=read.document.links,
    )


def _answer(pages: list[PageText], failed: list[JsonObject], start: int, max_pages: int = 0) -> Answer:
    """Pages and failures side by side. A call without any page fails as a whole."""
    if not pages:
        waits = [one["retry_after"] for one in failed if "retry_after" in one]
        raise ToolError(
            failed[0]["code"],
            " ".join(f"{one['url']}: {one['message']}" for one in failed),
            retryable=any(one["retryable"] for one in failed),
            **({"retry_after": min(waits)} if waits else {}),
        )
    data: JsonObject = {"pages": [_shown(page, start, max_pages) for page in pages]}
    if failed:
        data["failed"] = failed
    return Answer(data, tuple(map(_source, pages)))


def _shown(page: PageText, start: int, max_pages: int) -> JsonObject:
    text = _first_pages(page.text, max_pages) if max_pages else page.text
    part = text[start : start + MAX_SHOWN]
    end = start + len(part)
    item: JsonObject = {"url": page.url, "title": page.title, "text": part}
    if end < len(text) or start:
        more = f"; call again with start={end} to read on" if end < len(text) else ""
        item["note"] = f"Characters {start + 1} to {end} of {len(text)} are shown{more}."
    if page.cut or len(text) < len(page.text):
        item["incomplete"] = "The document is longer than what was read of it."
    extra = {
        "final_url": page.final_url if page.final_url != page.url else "",
        "language": page.language,
        "published": page.published,
        "pdf_pages": page.pages,
        "warnings": list(page.warnings),
    }
    return {**item, **{key: value for key, value in extra.items() if value}}


def _first_pages(text: str, max_pages: int) -> str:
    end = re.search(rf"^\[Page {max_pages + 1}\]$", text, re.MULTILINE)
    return text[: end.start()].rstrip() if end else text


def _source(page: PageText) -> JsonObject:
    source: JsonObject = {
        "kind": "web",
        "url": page.url,
        "title": page.title or page.url,
        "snippet": " ".join(page.text[: 2 * MAX_SNIPPET].split())[:MAX_SNIPPET],
        "text": page.text,
        "mime": page.mime,
        "language": page.language,
        "found_by": "extract_content",
        "warnings": list(page.warnings),
        "quality": tier(page.url),
    }
    if page.status:
        source["fetch"] = {
            "final_url": page.final_url,
            "status": page.status,
            "etag": page.etag,
            "last_modified": page.last_modified,
            "links": list(page.links),
        }
    return source


def _failure(url: str, fault: FetchFault) -> JsonObject:
    failure: JsonObject = {
        "url": url[:300],
        "code": fault.code,
        "message": fault.message,
        "retryable": fault.retryable,
    }
    return failure if fault.retry_after is None else {**failure, "retry_after": round(fault.retry_after, 1)}
