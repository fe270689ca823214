"""Open commentaries from onlinekommentar.ch: ``GET /commentaries?search=&language=``, ``GET /commentaries/{id}``.

A list is ``{data: [{id, title, date, language, authors, legislative_act, html_link}], meta}``, and its titles name the
article in the language of the record (``Art. 10 DBG``); a single one has ``content`` besides, in HTML. The acts that
are commented have no address of their own: they are read off the list of all commentaries, page by page.
"""

import html
import re
from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import quote

from citations.sources.client import open_client
from citations.sources.kept import Kept
from common.outside.client import TRAFFIC, Traffic
from common.outside.faults import SourceFault
from common.outside.pace import Rate

NAME = "onlinekommentar"
RATE = Rate(3, 3)
SEARCH_SECONDS, TEXT_SECONDS = 3_600.0, 24 * 3_600.0
MAX_TEXT, MAX_LINE, MAX_RESULTS = 200_000, 500, 50
MOST_PAGES = 20
_TAG = re.compile(r"<[^<>]{0,2000}>")
_END = re.compile(r"</(?:p|h[1-6]|li|div|blockquote)>|<br ?/?>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Commentary:
    """``text`` is empty in a list; ``updated`` is the day of the last edition, as the source gives it."""

    id: str
    title: str
    authors: tuple[str, ...]
    act: str
    language: str
    updated: str
    url: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class CommentedAct:
    """An act that is commented, and on how many of its articles there is something."""

    id: str
    title: str
    commentaries: int


class Onlinekommentar:
    """Lists are kept for an hour, commentaries for a day, in the memory of the process."""

    def __init__(self, base_url: str, *, traffic: Traffic = TRAFFIC, rate: Rate = RATE) -> None:
        self._client = open_client(NAME, base_url, rate, traffic, attempt=30.0)
        self._lists: Kept[tuple[Commentary, ...]] = Kept(SEARCH_SECONDS, 100, traffic.clock)
        self._texts: Kept[Commentary | None] = Kept(TEXT_SECONDS, 50, traffic.clock)
        self._acts: Kept[tuple[tuple[CommentedAct, ...], bool]] = Kept(TEXT_SECONDS, 4, traffic.clock)

    def search(self, query: str, *, language: str = "", limit: int = 10) -> tuple[Commentary, ...]:
        """Commentaries without their texts, as the source orders them. Raises SourceFault."""
        words = " ".join(query.split())[:200]
        if not words:
            return ()
        params = {"search": words, **({"language": language} if language else {})}
        found = self._lists.get((words, language), lambda: self._list(params))
        return found[: max(1, min(limit, MAX_RESULTS))]

    def for_article(self, article: str, act: str, *, language: str = "") -> tuple[Commentary, ...]:
        """Those whose title is of this article: ``Art. 10 DBG``. Raises SourceFault."""
        wanted = _key(f"Art. {article} {act}")
        return tuple(
            one
            for one in self.search(f"Art. {article} {act}", language=language, limit=MAX_RESULTS)
            if _key(one.title) == wanted
        )

    def get(self, identifier: str) -> Commentary | None:
        """With its text; None when the source says that there is none. Raises SourceFault."""
        return self._texts.get(identifier, lambda: self._one(identifier[:80]))

    def acts(self, *, language: str = "de") -> tuple[tuple[CommentedAct, ...], bool]:
        """The acts that are commented in a language, and whether all pages were read. Raises SourceFault."""
        return self._acts.get(language, lambda: self._walk(language))

    def _walk(self, language: str) -> tuple[tuple[CommentedAct, ...], bool]:
        named: dict[str, str] = {}
        counted: Counter[str] = Counter()
        page = last = 1
        while page <= min(last, MOST_PAGES):
            params = {"language": language, "sort": "title", "page": str(page)}
            answer = self._client.object("commentaries", params=params)
            for value in _records(answer):
                act = value.get("legislative_act") if isinstance(value, dict) else None
                if isinstance(act, dict) and isinstance(act.get("id"), str):
                    named.setdefault(act["id"][:80], _line(act.get("title")))
                    counted[act["id"][:80]] += 1
            last, page = _last_page(answer), page + 1
        acts = (CommentedAct(key, title, counted[key]) for key, title in named.items())
        return tuple(sorted(acts, key=lambda one: one.title)), last <= MOST_PAGES

    def _list(self, params: dict[str, str]) -> tuple[Commentary, ...]:
        listed = _records(self._client.object("commentaries", params=params))
        return tuple(one for each in listed[:MAX_RESULTS] if (one := read_commentary(each)))

    def _one(self, identifier: str) -> Commentary | None:
        try:
            answer = self._client.object(f"commentaries/{quote(identifier, safe='')}")
        except SourceFault as fault:
            if fault.status == 404:
                return None
            raise
        return read_commentary(answer.get("data", answer))


def read_commentary(value: Any) -> Commentary | None:
    """A record as a commentary; None when it is not one."""
    if not isinstance(value, dict) or not isinstance(value.get("id"), str) or not value.get("title"):
        return None
    people = value.get("authors")
    act = value.get("legislative_act")
    link = value.get("html_link")
    return Commentary(
        id=value["id"][:80],
        title=_line(value["title"]),
        authors=tuple(name for one in (people if isinstance(people, list) else []) if (name := _name(one)))[
            :20
        ],
        act=_line(act.get("title")) if isinstance(act, dict) else "",
        language=_line(value.get("language"))[:2],
        updated=_day(value.get("date")),
        url=link[:2_000] if isinstance(link, str) and link.startswith(("https://", "http://")) else "",
        text=_plain(value.get("content")),
    )


def _records(answer: dict[str, Any]) -> list[Any]:
    listed = answer.get("data")
    if not isinstance(listed, list):
        raise SourceFault(NAME, "unreadable", "gave an answer without a list")
    return listed


def _last_page(answer: dict[str, Any]) -> int:
    meta = answer.get("meta")
    last = meta.get("last_page") if isinstance(meta, dict) else None
    return last if isinstance(last, int) and not isinstance(last, bool) else 1


def _name(value: Any) -> str:
    return _line(value.get("name") if isinstance(value, dict) else value)


def _line(value: Any) -> str:
    return " ".join(html.unescape(value).split())[:MAX_LINE] if isinstance(value, str) else ""


def _day(value: Any) -> str:
    try:
        return date.fromisoformat(str(value)[:10]).isoformat()
    except ValueError:
        return ""


def _plain(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    lines = html.unescape(_TAG.sub(" ", _END.sub("\n", value[: 3 * MAX_TEXT]))).splitlines()
    return "\n".join(filter(None, (" ".join(line.split()) for line in lines)))[:MAX_TEXT]


def _key(title: str) -> str:
    return " ".join(re.findall(r"\w+", title.casefold()))
