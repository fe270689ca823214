"""What the archive says of what was seen: a document, a search, and the links that leave a site."""

from urllib.parse import urlsplit
from uuid import UUID

from research.browsing.walks import Owner
from research.jsontext import JsonObject
from research.models import Document, Run, WalkView
from research.web.archive.search import Found, search_documents
from research.web.archive.store import known_page
from research.web.urls import canonical_url, host_of, registrable_domain

MAX_TEXT, DEFAULT_TEXT = 20_000, 5_000
MAX_HITS, DEFAULT_HITS = 50, 10
MAX_EXTERNAL = 200
MAX_VIEWS = 500
EXCERPT = 1_200


def get_document(
    *, document_id: str = "", url: str = "", length: int = DEFAULT_TEXT, form: str = "TEXT"
) -> JsonObject:
    """``{state, text, metadata}`` of an archived document; ``state`` is ok, not_found or error."""
    try:
        document = _by_id(document_id) if document_id else _by_url(url)
    except ValueError as error:
        return {"state": "error", "text": "", "metadata": {}, "message": str(error)[:300]}
    if document is None:
        asked = document_id or url
        message = (
            f"Nothing is archived under {asked[:200]!r}. Open the page first, or search with research_search."
        )
        return {"state": "not_found", "text": "", "metadata": {}, "message": message}
    text = document.text[:length]
    metadata = {
        "documentId": document.pk,
        "url": document.url,
        "title": document.title,
        "mime": document.mime,
        "language": document.language,
        "digest": document.digest,
        "fetchedAt": document.fetched_at.isoformat(),
        "characters": len(document.text),
        "truncated": len(text) < len(document.text),
        "format": form,
    }
    return {"state": "ok", "text": text, "metadata": metadata, **_warned(document)}


def search_archive(
    query: str, *, limit: int = DEFAULT_HITS, host: str = "", run: str = ""
) -> tuple[JsonObject, list[Found]]:
    """``{hits: [{documentId, score, snippet, title, url, kind, createdAt, host, wordCount, excerpt}]}``, and the same
    as the archive has it. Raises ValueError: ``run`` is no run."""
    run_id = UUID(run) if run else None
    if run_id and not Run.objects.filter(pk=run_id).exists():
        raise ValueError(f"there is no run {run[:40]!r}")
    found = search_documents(query, host=host or None, run=run_id, limit=limit)
    return {"query": query, "hits": list(map(_hit, found))}, found


def external_links(owner: Owner, *, domain: str = "", session: str | None = None) -> JsonObject:
    """Links that leave the sites of somebody's walks, the latest first: ``{links: [{url, label, from}], total}``."""
    walks = owner.walks.filter(pk=session) if session else owner.walks
    views = WalkView.objects.filter(walk__in=walks).order_by("-seen_at", "-pk")[:MAX_VIEWS]
    wanted = registrable_domain(domain.strip().lower()) if domain else ""
    found: dict[str, JsonObject] = {}
    for url, items, links in views.values_list("url", "items", "links"):
        site = registrable_domain(host_of(url))
        labels = {item["href"]: item["label"] for item in items if item["href"]}
        for link in [*labels, *links]:
            leads_to = registrable_domain(host_of(link))
            if leads_to and leads_to != site and wanted in ("", leads_to):
                found.setdefault(_place(link), {"url": link, "label": labels.get(link, ""), "from": url})
    return {"links": list(found.values())[:MAX_EXTERNAL], "total": len(found)}


def _by_id(key: str) -> Document | None:
    if key.isascii() and key.isdigit() and len(key) < 19:
        return Document.objects.filter(pk=int(key)).first()
    if len(key) == 64:
        return Document.objects.filter(digest=key.lower()).first()
    raise ValueError(f"{key[:60]!r} is not the id of a document")


def _by_url(url: str) -> Document | None:
    """What was last read at an address, by a fetch or in a walk."""
    place = canonical_url(url)
    page = known_page(place)
    fragment = urlsplit(url).fragment
    names = {url, place, f"{place}#{fragment}"} if fragment else {url, place}
    views = WalkView.objects.select_related("document").filter(url__in=names, document__isnull=False)
    view = views.order_by("-seen_at").first()
    if view and not (page and page.document and page.fetched_at > view.seen_at):
        return view.document
    return page.document if page else Document.objects.filter(url=place).order_by("-fetched_at").first()


def _hit(found: Found) -> JsonObject:
    document = found.document
    return {
        "documentId": document.pk,
        "score": round(found.score, 4),
        "snippet": found.snippet.text,
        "title": document.title,
        "url": document.url,
        "kind": document.mime,
        "createdAt": document.fetched_at.isoformat(),
        "host": document.host,
        "wordCount": len(document.text.split()),
        "excerpt": document.text[:EXCERPT],
    }


def _warned(document: Document) -> JsonObject:
    return {"notes": list(document.warnings)} if document.warnings else {}


def _place(url: str) -> str:
    try:
        return canonical_url(url)
    except ValueError:
        return url
