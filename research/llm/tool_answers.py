"""Tool answers as a model sees them: JSON, or numbered, fenced blocks for web pages.

Text from the web never looks like ours. It stands between two marks that it cannot hold, because they are made from a
digest of it; everything a page says, its title and address included, is inside.
"""

import hashlib
import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from research.jsontext import Json, JsonObject, canonical_json, compact_json
from research.llm.interface import ToolAnswer

LISTS = ("results", "pages")
_SHOWN = ("title", "url", "summary", "snippet", "excerpt", "text", "content", "markdown")
_LINES = ("title", "url")
_REMARKS = ("warnings", "note", "incomplete")  # our remarks about a page
_OURS = ("number", "novelty", "related_to", "reason", "excerpts", *_REMARKS, *_SHOWN)
_INVISIBLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")


def answer_text(answer: ToolAnswer) -> str:
    """The same text for the same answer, always: providers cache the conversation by its bytes.

    It is sent again with every turn, so the text is made once.
    """
    if not answer.shown:
        answer.shown.append(_answer_text(answer))
    return answer.shown[0]


def _answer_text(answer: ToolAnswer) -> str:
    data: Json = answer.content.get("data")
    items = next((data[name] for name in LISTS if _is_list_of_objects(data, name)), None)
    if not answer.content.get("success") or items is None:
        text = compact_json(answer.content, sort_keys=True).decode()
        return canonical_json(answer.content) if "-0.0" in text else text
    return "\n".join(_web_text(data, items, answer.content.get("sources") or []))


def _is_list_of_objects(data: Json, name: str) -> bool:
    items = data.get(name) if isinstance(data, dict) else None
    return isinstance(items, list) and all(isinstance(item, dict) for item in items)


def _web_text(data: JsonObject, items: list[JsonObject], sources: list[JsonObject]) -> Iterator[str]:
    placed = [_placed(item, place, sources) for place, item in enumerate(items)]
    fresh = [item for item in placed if item.get("novelty") == "new"]
    domains = {urlsplit(str(item.get("url", ""))).hostname for item in fresh}
    yield f"{len(fresh)} new {_plural('source', len(fresh))} from {len(domains)} {_plural('domain', len(domains))}"
    counts = [
        f"{sum(item.get('novelty') == kind for item in placed)} {kind}"
        for kind in ("new", "related", "duplicate")
    ]
    yield f"Novelty: {', '.join(counts)}, of {len(placed)} {_plural('result', len(placed))}"
    rest = {key: value for key, value in data.items() if key not in LISTS}
    if rest:
        yield f"Also: {_visible(canonical_json(rest))}"
    for item in placed:
        yield ""
        yield from _block(item)


def _placed(item: JsonObject, place: int, sources: list[JsonObject]) -> JsonObject:
    """The item with its number and novelty from the ledger: matched by address, else by position."""
    named = next((one for one in sources if one.get("url") and one["url"] == item.get("url")), None)
    by_place = sources[place] if place < len(sources) and "url" not in sources[place] else {}
    return {**item, **(named or by_place)}


def _block(item: JsonObject) -> Iterator[str]:
    number = item.get("number", "?")
    yield f"[{number}] {_novelty(item)}"
    body = _visible("\n".join(_page_lines(item)))
    # A mark that does not occur in the text, always the same for the same text.
    mark = hashlib.sha256(body.encode("utf-8", "replace")).hexdigest()[:16]
    while mark in body:
        mark = hashlib.sha256((mark + body).encode("utf-8", "replace")).hexdigest()[:16]
    for key in _REMARKS:
        if item.get(key):
            yield f"{key.capitalize()}: {_visible(canonical_json(item[key]))}"
    yield f"<<<source {number} {mark}"
    yield body
    yield f"source {number} {mark}>>>"


def _novelty(item: JsonObject) -> str:
    novelty, other = str(item.get("novelty") or "new"), item.get("related_to")
    if not isinstance(other, int) or other == item.get("number"):
        return f"[{novelty.upper()}]"
    return f"[{novelty.upper()} {'of' if novelty == 'duplicate' else 'to'} source {other}]"


def _page_lines(item: JsonObject) -> Iterator[str]:
    for key in _SHOWN:
        text = item.get(key)
        if isinstance(text, str) and text.strip():
            yield f"{key.capitalize()}: {' '.join(text.split()) if key in _LINES else text.strip()}"
    for excerpt in item.get("excerpts") or ():
        yield f"Excerpt: {str(excerpt).strip()}"
    rest = {key: value for key, value in item.items() if key not in _OURS and value not in (None, "", [], {})}
    if rest:
        yield f"Also: {canonical_json(rest)}"


def _visible(text: str) -> str:
    return _INVISIBLE.sub("", text)


def _plural(word: str, number: int) -> str:
    return word if number == 1 else f"{word}s"
