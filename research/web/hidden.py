"""What an HTML page holds besides the text that a person sees: where it leads to, and what it says out of sight."""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import urljoin

from research.web.urls import parse_url

MAX_LINKS, MAX_UNSEEN = 1_000, 100_000
_COMMENT = re.compile(r"<!--(.{1,5000}?)(?:-->|$)", re.DOTALL)
_SPOKEN = (
    "alt",
    "title",
    "aria-label",
    "aria-description",
    "placeholder",
    "content",
    "value",
    "summary",
    "label",
)
_NOT_SHOWN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0+)?\s*(?:;|$)|font-size\s*:\s*[01](?:\.\d+)?(?:px|pt|em)?\s*(?:;|$)"
    r"|(?:left|top|text-indent)\s*:\s*-\d{3,}|(?:width|height)\s*:\s*[01]px|clip(?:-path)?\s*:"
    r"|(?<![-\w])color\s*:\s*(?:white|#fff(?:fff)?|transparent|rgba?\([^)]*,\s*0\))\s*(?:;|$)",
    re.IGNORECASE,
)
_UNREAD = frozenset(
    ("script", "template", "noscript", "noframes", "iframe", "object", "svg", "style", "textarea")
)


def links_of(tree: Any, url: str) -> tuple[str, ...]:
    """The http and https addresses that a page leads to, whole, each once, in their order."""
    base = next(iter(tree.xpath("//base/@href")), "")
    found: dict[str, None] = {}
    for link in tree.xpath("//a/@href | //area/@href | //link[@rel='canonical' or @rel='alternate']/@href"):
        if len(found) >= MAX_LINKS:
            break
        with suppress(ValueError):
            whole = urljoin(urljoin(url, base), str(link).strip())
            found[parse_url(whole).url] = None
    return tuple(found)


def unseen_text(tree: Any, text: str) -> str:
    """Comments, texts of attributes, and elements that are not shown: a machine may read them, a person does not."""
    return "\n".join(_pieces(tree, text))[:MAX_UNSEEN]


def _pieces(tree: Any, text: str) -> Iterator[str]:
    yield from (match[1] for match in _COMMENT.finditer(text[: 10 * MAX_UNSEEN]))
    for element in tree.iter():
        if not isinstance(element.tag, str):
            continue
        yield from (element.get(name) for name in _SPOKEN if len(element.get(name) or "") > 10)
        hidden = (
            element.tag in _UNREAD
            or "hidden" in element.attrib
            or element.get("aria-hidden") == "true"
            or _NOT_SHOWN.search(element.get("style") or "")
        )
        if hidden:
            yield element.text_content()[:MAX_UNSEEN]
