"""The source ledger: what a family of runs has read, each source once, under a permanent number.

The ledger hangs on the root run, and numbers are given under the lock of its row. What is compared is prepared before
the lock is taken. A source of the web is the same as one that is known when the address is (``url_match``), when it is
a mere search hit with the same long title (``title_match``), or when the texts are (``content_similarity``).
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from uuid import UUID

from django.db.models import Max
from django.db.models.functions import Substr
from django.utils import timezone

from research.engine.similarity import MAX_LENGTH, Sketch, similarity, sketch
from research.jsontext import Json, JsonObject, storable_json, storable_text
from research.llm.interface import Citation
from research.models import Document, Source
from research.web.archive.store import Fetch, keep, remember_page
from research.web.urls import canonical_url, host_of, registrable_domain

MAX_SOURCES = 500
MAX_SNIPPET = 2_000
MAX_KEY = 200
LONG_TITLE = 20
SAME, DUPLICATE, RELATED, SAME_DOMAIN = 0.8, 0.7, 0.3, 0.1
MIN_STORED_ONCE = 200  # minimum length of a text that is stored by reference
DOCUMENT = "$document"
GONE = "(the text is no longer in the archive)"


@dataclass
class Found:
    """A source from a tool, prepared for comparison."""

    kind: str
    key: str
    url: str
    title: str
    text: str
    given: JsonObject
    domain: str = ""
    sketch: Sketch = field(default_factory=lambda: Sketch(0, frozenset()))
    document: Document | None = None


@dataclass
class Known:
    """The fields of a numbered source that are compared."""

    number: int
    kind: str
    key: str
    title: str
    domain: str
    novelty: str
    sketch: Sketch
    digest: str


class Ledger:
    """The sources of one family, as far as this worker has seen them.

    What ``enter`` adds is known for certain when its transaction is committed, and only then: the caller says so by
    ``entered``. Without that the rows are read again.
    """

    def __init__(self, root_id: UUID) -> None:
        self.root_id = root_id
        self._known: dict[int, Known] = {}
        self._sure: dict[int, Known] = {}
        self._texts: dict[str, str] = {}

    def prepare(self, sources: Sequence[JsonObject]) -> list[Found]:
        """Outside the lock: everything that takes time."""
        found = [_found(storable_json(source)) for source in sources]
        self._forget()
        if any(one.kind == "web" for one in found):
            self._refresh()
            self._sure = self._known
        return found

    def enter(self, found: Sequence[Found]) -> list[JsonObject]:
        """Under the root's lock, in the transaction of the answer: one entry for each source, in their order.

        ``{number, novelty, related_to?, reason?, url}`` for the web, ``{number, key}`` for a register; without
        ``number`` when the family has MAX_SOURCES already.
        """
        self._forget()
        self._refresh()
        _archive(found)
        return [self._web(one) if one.kind == "web" else self._record(one) for one in found]

    def entered(self) -> None:
        """Confirm that the last ``enter`` is committed."""
        self._sure = self._known

    def _forget(self) -> None:
        """Forget entries of a transaction that was rolled back."""
        self._known = {number: replace(known) for number, known in self._sure.items()}

    def hydrate(self, content: JsonObject) -> JsonObject:
        """The answer of a tool as a model sees it, with archived texts restored."""
        referred = set(_references(content))
        if not referred:
            return content
        missing = [digest for digest in referred if digest not in self._texts]
        if missing:
            self._texts.update(Document.objects.filter(digest__in=missing).values_list("digest", "text"))
        return dict(self._filled(content))

    def dehydrate(self, content: JsonObject, found: Sequence[Found]) -> JsonObject:
        """The answer for the journal: archived texts are replaced by references."""
        texts = {_digest(one.text): one.text for one in found if len(one.text) >= MIN_STORED_ONCE}
        self._texts.update(texts)
        return dict(_referring(content, texts)) if texts or any(_references(content)) else content

    def _record(self, one: Found) -> JsonObject:
        """A register source: its key identifies it."""
        known = next((k.number for k in self._known.values() if (k.kind, k.key) == (one.kind, one.key)), None)
        number = known or self._add(one, "")
        return {"number": number, "key": one.key} if number else {"key": one.key}

    def _web(self, one: Found) -> JsonObject:
        same, reason = self._same(one)
        if same is None:
            scores = [
                (
                    similarity(known.sketch, one.sketch) + SAME_DOMAIN * (known.domain == one.domain),
                    known.number,
                )
                for known in self._known.values()
                if known.kind == "web"
            ]
            score, nearest = max(scores, default=(0.0, 0))
            novelty = "duplicate" if score >= DUPLICATE else "related" if score >= RELATED else "new"
            changed = any(known.key == one.key for known in self._known.values())  # since it was read
            key = f"{one.key[: MAX_KEY - 9]}#{_digest(one.text)[:8]}" if changed else one.key
            number = self._add(replace(one, key=key), novelty)
            entry: JsonObject = {"number": number} if number else {}
            entry |= {"novelty": novelty, "url": one.url}
            return entry if novelty == "new" else {**entry, "related_to": nearest}
        entry = {"number": same.number, "novelty": same.novelty or "new", "url": one.url}
        if one.text and not same.digest and reason == "url_match":
            known = Source.objects.filter(run_id=self.root_id, number=same.number)
            warnings = [str(warning)[:500] for warning in one.given.get("warnings") or ()]
            known.update(document=one.document, **({"warnings": warnings} if warnings else {}))
            same.digest, same.sketch = _digest(one.text), one.sketch
            return entry  # known from a search and now read: its novelty stays
        return {**entry, "novelty": "duplicate", "related_to": same.number, "reason": reason}

    def _same(self, one: Found) -> tuple[Known | None, str]:
        others = [known for known in self._known.values() if known.kind == "web"]
        for known in others:
            if known.key == one.key and not self._has_changed(known, one):
                return known, "url_match"
        title = _plain(one.title)
        if not one.text and len(title) > LONG_TITLE:
            for known in others:
                if _plain(known.title) == title:
                    return known, "title_match"
        for known in others:
            if similarity(known.sketch, one.sketch) >= SAME and known.key != one.key:
                return known, "content_similarity"
        return None, ""

    def _has_changed(self, known: Known, one: Found) -> bool:
        """Whether the address now has a text different from the one that was read."""
        if not one.text or not known.digest or known.digest == _digest(one.text):
            return False
        return similarity(known.sketch, one.sketch) < SAME

    def _add(self, one: Found, novelty: str) -> int:
        number = max(self._known, default=0) + 1
        if number > MAX_SOURCES:
            return 0
        document, given = one.document, one.given
        Source.objects.create(
            run_id=self.root_id,
            number=number,
            kind=one.kind[:20],
            key=one.key,
            document=document,
            url=one.url[:2000],
            title=one.title[:500],
            snippet=str(given.get("snippet", ""))[:MAX_SNIPPET],
            as_of=str(given.get("as_of", ""))[:40],
            quality=str(given.get("quality") or "")[:10],
            novelty=novelty,
            domain=one.domain[:255],
            found_by=str(given.get("found_by") or "")[:40],
            warnings=[str(warning)[:500] for warning in given.get("warnings") or ()],
        )
        digest = document.digest if document else ""
        self._known[number] = Known(
            number, one.kind, one.key, one.title, one.domain, novelty, one.sketch, digest
        )
        return number

    def _refresh(self) -> None:
        """Load the sources that others of the family have added."""
        known = max(self._known, default=0)
        last = Source.objects.filter(run_id=self.root_id).aggregate(last=Max("number"))["last"] or 0
        if last <= known:
            return
        added = Source.objects.filter(run_id=self.root_id, number__gt=known).select_related("document")
        shown = added.annotate(start=Substr("document__text", 1, MAX_LENGTH)).defer("document__text")
        for source in shown.order_by("number"):
            text = source.start or source.snippet if source.kind == "web" else ""
            digest = source.document.digest if source.document else ""
            self._known[source.number] = Known(
                source.number,
                source.kind,
                source.key,
                source.title,
                source.domain,
                source.novelty,
                sketch(text),
                digest,
            )

    def _filled(self, value: Json) -> Json:
        if isinstance(value, list):
            return [self._filled(item) for item in value]
        if not isinstance(value, dict):
            return value
        if DOCUMENT in value:
            text = self._texts.get(value[DOCUMENT], GONE)
            return text[: value["chars"]] if "chars" in value else text
        return {key: self._filled(item) for key, item in value.items()}


def unread_pages(root_id: UUID, numbers: Iterable[int]) -> list[str]:
    """The addresses of sources without an archived text, by number."""
    wanted = {
        number for number in numbers if 0 < number <= MAX_SOURCES
    }  # models may write addresses differently
    unread = Source.objects.filter(run_id=root_id, kind="web", document=None, number__in=wanted)
    return list(unread.exclude(url="").order_by("number").values_list("url", flat=True))


def cited_sources(citations: Iterable[Citation], found_by: str) -> list[JsonObject]:
    """The sources that a provider's own search cited, in the shape of tool sources."""
    return [
        {"kind": "web", "url": one.url, "title": one.title, "snippet": one.quote, "found_by": found_by}
        for one in citations
        if one.url
    ]


def _found(source: JsonObject) -> Found:
    kind, url = str(source.get("kind") or "web"), str(source.get("url") or "")
    title, text = str(source.get("title") or url), str(source.get("text") or "")
    if kind != "web":
        return Found(kind, str(source.get("key") or url)[:MAX_KEY], url, title, text, source)
    with suppress(ValueError):
        url = canonical_url(url)
    content = text or str(source.get("snippet") or "")
    return Found(kind, _key(url), url, title, text, source, registrable_domain(host_of(url)), sketch(content))


def _key(url: str) -> str:
    return url if len(url) <= MAX_KEY else hashlib.sha256(url.encode("utf-8", "replace")).hexdigest()


def _archive(found: Sequence[Found]) -> None:
    """Store the texts, then the pages, each in a fixed order so that workers cannot deadlock."""
    now = timezone.now()
    read = [one for one in found if one.text]
    for one in sorted(read, key=lambda one: _digest(one.text)):
        one.document = keep(
            text=one.text,
            url=one.url,
            title=str(one.given.get("title") or ""),
            mime=str(one.given.get("mime") or "application/json"),
            language=str(one.given.get("language") or ""),
            warnings=[str(warning) for warning in one.given.get("warnings") or ()],
            fetched_at=now,
        )
    for one in sorted(read, key=lambda one: one.url):
        if "fetch" in one.given:  # sent by the site itself: the next fetch asks whether it has changed
            fetch = Fetch(**one.given["fetch"])
            remember_page(url=one.url, fetch=fetch, document=one.document, fetched_at=now)


def _digest(text: str) -> str:
    return hashlib.sha256(storable_text(text).encode()).hexdigest()


def _plain(title: str) -> str:
    return " ".join(re.findall(r"\w+", title.lower()))


def _referring(value: Json, texts: dict[str, str]) -> Json:
    if isinstance(value, list):
        return [_referring(item, texts) for item in value]
    if isinstance(value, dict):
        # a reference from outside must not open the archive
        return {key.lstrip("$"): _referring(item, texts) for key, item in value.items()}
    if isinstance(value, str) and len(value) >= MIN_STORED_ONCE:
        for digest, text in texts.items():
            if text.startswith(value):
                cut = {} if len(value) == len(text) else {"chars": len(value)}
                return {DOCUMENT: digest, **cut}
    return value


def _references(value: Json) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _references(item)
    elif isinstance(value, dict):
        if isinstance(value.get(DOCUMENT), str):
            yield value[DOCUMENT]
        for item in value.values():
            yield from _references(item)
