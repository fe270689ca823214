"""The order of a menu: sections of the site first, then what can be pressed or filled in, deeper pages, other sites,
and what nobody came for last. A link that stands twice is told once."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from research.jsontext import JsonObject, storable_text
from research.web.urls import canonical_url, host_of, registrable_domain

SECTION, CONTROL, DEEPER, ELSEWHERE, JUNK = range(5)
MAX_LABEL = 80
_JUNK_LABEL = re.compile(
    r"\b(?:log ?in|sign ?(?:in|up)|register now|privacy|cookies?|imprint|terms|newsletter|share|tweet|advert\w*|"
    r"anmelden|"
    r"registrieren|datenschutz\w*|impressum|agb|teilen|werbung|connexion|confidentialité|mentions légales|partager|"
    r"accedi|condividi)\b",
    re.IGNORECASE,
)
_JUNK_PATH = re.compile(
    r"/(?:login|signin|sign-in|signup|logout|oauth|register-account|privacy|datenschutz|impressum|imprint|cookies?|"
    r"terms|share|newsletter|ads?)(?:[/.?-]|$)",
    re.IGNORECASE,
)
_SHARERS = frozenset(
    ("facebook.com", "twitter.com", "x.com", "linkedin.com", "pinterest.com", "whatsapp.com")
)
_LONG_JUNK = 40  # characters; a longer label is a headline, whatever words it has


def arrange(items: Iterable[JsonObject], url: str) -> list[JsonObject]:
    """The items of a page with ``id`` (``m0``, ``m1``, …) and ``rank``."""
    folded = _fold({**item, "label": plain_label(item["label"])} for item in items)
    site = registrable_domain(host_of(url))
    ranked = sorted(({**item, "rank": _rank(item, site)} for item in folded), key=lambda item: item["rank"])
    return [{"id": f"m{number}", **item} for number, item in enumerate(ranked)]


def same_menu(items: Sequence[JsonObject], others: Sequence[JsonObject]) -> bool:
    """Whether two menus offer the same under the same ids."""
    return list(map(_offer, items)) == list(map(_offer, others))


def _offer(item: JsonObject) -> tuple[object, ...]:
    return tuple(item[name] for name in ("id", "type", "label", "href", "hint", "disabled"))


def plain_label(label: str) -> str:
    """One line without what is not seen."""
    shown = (char for char in storable_text(label) if unicodedata.category(char) not in ("Cf", "Cc"))
    return " ".join("".join(char if char.strip() else " " for char in shown).split())[:MAX_LABEL]


def _fold(items: Iterable[JsonObject]) -> list[JsonObject]:
    found: dict[object, JsonObject] = {}
    for number, item in enumerate(items):
        is_link = item["type"] == "LINK" and item["href"]
        key = (_address(item["href"]), item["disabled"]) if is_link else number
        if key not in found or not found[key]["label"]:
            found[key] = item
    return list(found.values())


def _address(href: str) -> str:
    fragment = urlsplit(href).fragment
    try:
        return canonical_url(href) + (f"#{fragment}" if fragment.startswith(("/", "!")) else "")
    except ValueError:
        return href


def _rank(item: JsonObject, site: str) -> int:
    href, label = item["href"], item["label"]
    host = host_of(href) if href else ""
    short = len(label) <= _LONG_JUNK
    if (short and _JUNK_LABEL.search(label)) or (href and _JUNK_PATH.search(urlsplit(href).path)):
        return JUNK
    if not href:
        return CONTROL
    if registrable_domain(host) != site:
        return JUNK if registrable_domain(host) in _SHARERS else ELSEWHERE
    depth = len([part for part in urlsplit(href).path.split("/") if part])
    return SECTION if depth <= 1 and not urlsplit(href).query else DEEPER
