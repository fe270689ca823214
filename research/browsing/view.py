"""What an engine saw of a page, and how that is told: in full, or in the compact form for small models."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from research.jsontext import JsonObject
from research.models import Walk, WalkView

MAX_LABEL = 80


@dataclass(frozen=True)
class Form:
    """How much of a view is told: how many items, how many characters, and whether as lines."""

    items: int = 50
    excerpt: int = 3_000
    compact: bool = False


FULL, COMPACT = Form(), Form(12, 500, compact=True)


@dataclass(frozen=True)
class Seen:
    """A page as an engine read it.

    ``items`` are ``{type, label, href, hint, disabled, how}`` in the order of the page, ``how`` is the engine's own.
    ``needs`` says why the page should be seen in a browser; ``status`` 0 is a page that was not asked for anew.
    """

    url: str
    title: str
    text: str
    engine: str
    items: Sequence[JsonObject] = ()
    forms: Sequence[JsonObject] = ()
    links: Sequence[str] = ()
    notes: Sequence[str] = ()
    warnings: Sequence[str] = ()
    mime: str = "text/html"
    language: str = ""
    needs: str = ""
    status: int = 200
    etag: str = ""
    last_modified: str = ""
    screenshot: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True)
class View:
    """A view of a walk with what only the moment knows: the text, whether asked for anew, and what else to say."""

    walk: Walk
    row: WalkView
    seen: Seen
    notes: Sequence[str] = ()

    def told(self, form: Form = FULL, *, only: Sequence[str] | None = None) -> JsonObject:
        """The answer of a tool. ``only`` are the ids of the items that were asked for."""
        row, items = self.row, self.row.items
        if only is not None:
            items = [item for item in items if item["id"] in only]
        kept = shown(items, form.items)
        answer: JsonObject = {
            "sessionId": str(self.walk.pk),
            "viewToken": f"v{row.number}",
            "title": row.title,
            "url": row.url,
            "excerpt": self.seen.text[: form.excerpt],
            "engine": row.engine,
            "documentId": row.document_id,
            **(
                {"menu": [line(item) for item in kept]}
                if form.compact
                else {"menuItems": list(map(entry, kept))}
            ),
        }
        if len(kept) < len(items):
            answer["menuItemsTotal"] = len(items)
        notes = [*self.seen.warnings, *row.notes, *self.notes]
        return {**answer, **({"notes": notes} if notes else {})}


def entry(item: JsonObject) -> JsonObject:
    """An item as the full form tells it."""
    told = {"menuItemId": item["id"], "type": item["type"], "label": item["label"], "href": item["href"]}
    told["actionHint"] = item["hint"]
    return {**told, "disabled": True} if item["disabled"] else told


def line(item: JsonObject) -> str:
    """An item as the compact form tells it: ``For Results: https://…``."""
    if item["href"]:
        return f"For {item['label']}: {item['href']}"
    hint = ", ".join(filter(None, [item["type"].lower(), item["hint"], "disabled" * bool(item["disabled"])]))
    return f"To choose {item['label'] or hint} ({hint}): {item['id']}"


def shown(items: Sequence[JsonObject], limit: int) -> list[JsonObject]:
    """The first items, where each group has its share: a long list of sections leaves room for what a page offers."""
    if len(items) <= limit:
        return list(items)
    groups: dict[int, list[JsonObject]] = {}
    for item in items:
        groups.setdefault(item["rank"], []).append(item)
    share = max(limit // len(groups), 1)
    first = [item["id"] for group in groups.values() for item in group[:share]][:limit]
    rest = [item["id"] for item in items if item["id"] not in set(first)]
    kept = {*first, *rest[: limit - len(first)]}
    return [item for item in items if item["id"] in kept]
