"""Which addresses a run may ask for, and what it may say to others while it asks. Values in, answers out.

A page can order a model to carry what it knows to somebody's server: in an address, or in the words of a search. So an
address has to come from somewhere else than the model, and is asked for as it stood there, with at most its query.
"""

import codecs
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from urllib.parse import unquote, urlsplit

from research.web.urls import PORTS, canonical_url, parse_url

LAW = frozenset(
    (
        *("www.fedlex.admin.ch", "fedlex.data.admin.ch", "www.admin.ch", "www.bger.ch", "search.bger.ch"),
        *("relevancy.bger.ch", "entscheidsuche.ch", "onlinekommentar.ch", "eur-lex.europa.eu"),
        *("www.bvger.ch", "bvger.weblaw.ch", "www.bstger.ch", "hudoc.echr.coe.int"),
    )
)
"""Publishers of law, whose addresses are made by rules that people and models know."""
MAX_LAW = 200  # characters of a path, and of a query
MAX_PIECES = (
    8  # of a query of which some may be left out: that says no more than which of many links was taken
)
MAX_LINKS = 2_000  # of one text
COPIED_PROMPT, COPIED_PAGE = 8, 20  # words in a row
BLOB, LONG_BLOB = 24, 48  # characters of a word that is no word

_ADDRESS = re.compile(r"https?://[^\s<>\"'`{}|\\^\]]+", re.IGNORECASE)
_HOST = r"(?<![\w@.-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,24}"
_BARE = re.compile(rf"{_HOST}(?::\d{{1,5}})?(?:/[^\s<>\"'`{{}}|\\^\]]*)?", re.IGNORECASE)
_POINTED = re.compile(rf"(?:[a-z]+://|//)?(?:[^\s/@]+@)?{_HOST}(?::\d+)?[/?#]\S+", re.IGNORECASE)
_CODES = re.compile(r"(?:\b(?:[0-9a-f]{2}|[01]{8}|0x[0-9a-f]{2}|\d{2,3})\b[\s,;:.-]*){12,}", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_ROUND = (")", "."), (").", "."), (",", ","), (";", ";")


class Horizon:
    """The addresses that were given, found or linked."""

    def __init__(self) -> None:
        self._pages: dict[tuple[str, str], dict[str, Counter[str]]] = {}  # the spellings and their queries
        self._hosts: set[str] = set()

    def add(self, urls: Iterable[str]) -> None:
        for url in urls:
            try:
                host, path, query = _place(url)
            except ValueError:
                continue
            self._hosts.add(host)
            self._pages.setdefault((host, path), {})[url.strip()] = query

    def find(self, url: str) -> str | None:
        """How an address may be asked for, if it was found with at least this query; else None.

        That is as it stood, or in its one spelling: what a model adds for no reader to notice is not sent.

        ``www.``, http or https, a slash at the end and the order of a query tell no pages apart, and the start page of
        a host that was found is found as well.
        """
        try:
            host, path, query = _place(url)
            asked = canonical_url(url)
        except ValueError:
            return None
        if path == "" and not query and host in self._hosts:
            return asked
        for found, known in self._pages.get((host, path), {}).items():
            if query == known and query:
                return found
            if query <= known and (not query or known.total() <= MAX_PIECES):
                return found if canonical_url(found) == asked else asked
        law, parts = {name.removeprefix("www.") for name in LAW}, urlsplit(asked)
        return asked if host in law and max(len(parts.path), len(parts.query)) <= MAX_LAW else None


def addresses_in(text: str, *, bare: bool = False) -> Iterator[str]:
    """The addresses that stand in a text; with ``bare`` also those without ``https://``, such as www.example.org/a."""
    found = 0
    for pattern in (_ADDRESS, _BARE) if bare else (_ADDRESS,):
        for match in pattern.finditer(text):
            found += 1
            if found > MAX_LINKS:
                return
            url = match[0] if match[0].lower().startswith("http") else f"https://{match[0]}"
            yield url
            trimmed = url.rstrip(".,;:!?*_")
            trimmed = trimmed.rstrip(")") if trimmed.count(")") > trimmed.count("(") else trimmed
            if trimmed != url:
                yield trimmed


def carried(
    text: str,
    *,
    horizon: Callable[[], Horizon],
    given: Callable[[], str],
    instructions: str,
    read: Callable[[], Sequence[str]],
) -> str:
    """What a text carries outside that has no business there, in a few words; empty when it may be said.

    ``given`` is what people and registers said, ``instructions`` what the model was told, ``read`` the pages. They are
    asked for only where the text gives reason to: most calls carry a name or a number.
    """
    plain = plainly(text)
    for match in (*_ADDRESS.finditer(plain), *_POINTED.finditer(plain)):
        address = match[0] if "://" in match[0] else f"https://{match[0].lstrip('/')}"
        if horizon().find(address.rstrip(".,;:!?)\"'")) is None:
            return "an address that nobody gave and no page had"
    if _CODES.search(plain) or any(_is_blob(word) and word not in given() for word in plain.split()):
        return "a long coded text"
    copied = [part for spelling in _spellings(plain) for part in _runs(spelling, COPIED_PROMPT)]
    if copied and any(part in _said(instructions) for part in copied):
        return "the text of your instructions"
    parts = list(_runs(plain, COPIED_PAGE))
    if parts and any(part in page for page in map(_said, read()) for part in parts):
        return "a long part of a page that you read"
    return ""


def plainly(text: str) -> str:
    """A text without what hides in it: escapes undone, unseen characters gone, one spelling of each letter."""
    for _ in range(3):
        undone = unquote(text)
        if undone == text:
            break
        text = undone
    shown = (char for char in unicodedata.normalize("NFKC", text) if unicodedata.category(char) != "Cf")
    return "".join(shown)


def _place(url: str) -> tuple[str, str, Counter[str]]:
    """Host and path as the horizon compares them, and the pieces of the query."""
    address = parse_url(canonical_url(url))
    port = "" if address.port in PORTS.values() else f":{address.port}"
    path, _, query = address.target.partition("?")
    host = address.host.removeprefix("www.")
    return f"{host}{port}", path.rstrip("/"), Counter(piece for piece in query.split("&") if piece)


def _is_blob(word: str) -> bool:
    """Whether a word is a code rather than a word: letters and digits, or small and capital letters, mixed up."""
    for part in re.split(r"[-_.,/:;=&?()\[\]\"']", word):
        if len(part) < BLOB:
            continue
        switches = sum(
            _kind(one) != _kind(other) and (_kind(one), _kind(other)) != ("A", "a")
            for one, other in pairwise(part)
        )
        if switches >= 3:
            return True
    solid = re.sub(r"[-_=+/]", "", word)
    return len(solid) >= LONG_BLOB and solid.isascii() and any(map(str.isdigit, solid)) and solid.isalnum()


def _kind(char: str) -> str:
    return "0" if char.isdigit() else "A" if char.isupper() else "a"


def _runs(text: str, length: int) -> Iterator[str]:
    words = _WORD.findall(text.lower())
    for start in range(len(words) - length + 1):
        yield f" {' '.join(words[start : start + length])} "


@lru_cache(maxsize=256)
def _said(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.lower()))} "


def _spellings(text: str) -> tuple[str, ...]:
    """As it stands, backwards, and with its letters moved by thirteen."""
    return (text, text[::-1], codecs.encode(text, "rot13"))
