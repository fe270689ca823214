"""Keeping what was read: a text once, under the hash of its bytes, and what lay at an address when."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from research.jsontext import storable_text
from research.models import Document, Page, Source
from research.web.archive.analysis import bare_language

MAX_WARNINGS = 20


@dataclass(frozen=True)
class Fetch:
    """How an address answered: what the next fetch needs in order to ask whether it has changed."""

    final_url: str = ""
    status: int = 200
    etag: str = ""
    last_modified: str = ""
    links: Sequence[str] = ()


def keep(
    *,
    text: str,
    url: str,
    title: str = "",
    mime: str = "text/plain",
    language: str = "",
    warnings: Sequence[str] = (),
    fetched_at: datetime,
) -> Document:
    """The document of a text; a text that is known keeps the title and address under which it was first read."""
    text = storable_text(text)
    content = text.encode()
    document, _ = Document.objects.get_or_create(
        digest=hashlib.sha256(content).hexdigest(),
        defaults={
            "url": storable_text(url)[:2000],
            "host": host_of(url),
            "title": storable_text(title)[:500],
            "mime": mime[:100],
            "language": bare_language(language),
            "size": len(content),
            "text": text,
            "warnings": [storable_text(warning)[:500] for warning in warnings[:MAX_WARNINGS]],
            "fetched_at": fetched_at,
        },
    )
    return document


def replace(document: Document) -> None:
    """A text out of which words were taken is another one, with a row of its own: the index forgets this one."""
    digest = hashlib.sha256(document.text.encode()).hexdigest()
    new = Document.objects.filter(digest=digest).exclude(pk=document.pk).first()
    if new is None:
        kept = {field.attname: getattr(document, field.attname) for field in document._meta.concrete_fields}
        new = Document.objects.create(
            **{**kept, "id": None, "digest": digest, "size": len(document.text.encode()), "indexed_at": None}
        )
    for model in (Source, Page):
        model._default_manager.filter(document=document).update(document=new)
    document.delete()


def remember_page(*, url: str, fetch: Fetch, document: Document | None, fetched_at: datetime) -> Page:
    """Note what lay at a canonical URL, in place of what was noted before."""
    page, _ = Page.objects.update_or_create(
        url_hash=_hash(url),
        defaults={
            "url": url[:2000],
            "final_url": fetch.final_url[:2000],
            "status": fetch.status,
            "etag": fetch.etag if len(fetch.etag) <= 300 else "",
            "last_modified": fetch.last_modified[:100],
            "links": [link for link in fetch.links if len(link) <= 2_000],
            "document": document,
            "fetched_at": fetched_at,
        },
    )
    return page


def known_page(url: str) -> Page | None:
    """What lay at a canonical URL when it was last fetched, with its document; None if it never was."""
    return Page.objects.select_related("document").filter(url_hash=_hash(url)).first()


def host_of(url: str) -> str:
    """The host of a URL in small letters; empty where there is none."""
    try:
        return (urlsplit(url).hostname or "")[:255]
    except ValueError:  # an address that looks like IPv6 and is not
        return ""


def _hash(url: str) -> str:
    return hashlib.sha256(url.encode("utf-8", "replace")).hexdigest()
