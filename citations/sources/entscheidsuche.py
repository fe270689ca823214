"""Decisions of the courts from entscheidsuche.ch (``POST /_searchV2.php``, an Elasticsearch body).

The source fails silently: with HTTP 200 it says that some of its shards failed, gives a page that keeps robots out, or
leaves the hits away. None of these is an absence. A reference in double quotes is a phrase, also found where it is
merely cited, so that only what really bears it is given.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from citations.sources.client import open_client
from citations.sources.decisions import CourtDecision, docket_of, matches, read_decision
from citations.sources.kept import Kept
from common.outside.client import TRAFFIC, Traffic
from common.outside.faults import SourceFault
from common.outside.pace import Rate

NAME = "entscheidsuche"
PATH = "_searchV2.php"  # without V2 an older index answers, which holds none of the fields asked for here
COURTS_PATH = "docs/Facetten_alle.json"
FIELDS = ("title.*^5", "abstract.*^3", "meta.*^10", "attachment.content", "reference^3")
RATE = Rate(10, 60)
MAX_LIMIT, MAX_OFFSET, MAX_QUERY = 50, 9_000, 500
DECISION_SECONDS, SEARCH_SECONDS = 24 * 3_600.0, 3_600.0
MOST_DECISIONS, MOST_SEARCHES = 200, 50
_OF_THE_CODE = re.compile(r"\b[Aa]rt\. ?\d+[a-z]{0,3}(?: (?:Abs|lit|Ziff)\. ?\w{1,5}){0,3} OR\b")
_OPERATORS = re.compile(r'[+\-=&|><!(){}\[\]^~*?:\\/"]')


@dataclass(frozen=True, slots=True)
class Found:
    """Decisions, best first, and how many there are in all."""

    decisions: tuple[CourtDecision, ...] = ()
    total: int = 0


@dataclass(frozen=True, slots=True)
class Court:
    """An entry of the court tree below a canton, with its names in German, French and Italian and its chambers'."""

    code: str
    canton: str
    names: dict[str, str]
    of_canton: dict[str, str]
    chambers: dict[str, dict[str, str]]


class Entscheidsuche:
    """Decisions are kept for a day, searches for an hour, both in the memory of the process."""

    def __init__(self, base_url: str, *, traffic: Traffic = TRAFFIC, rate: Rate = RATE) -> None:
        self._client = open_client(NAME, base_url, rate, traffic)
        self._decisions: Kept[CourtDecision | None] = Kept(DECISION_SECONDS, MOST_DECISIONS, traffic.clock)
        self._courts: Kept[tuple[Court, ...]] = Kept(DECISION_SECONDS, 1, traffic.clock)
        self._searches: Kept[Found] = Kept(SEARCH_SECONDS, MOST_SEARCHES, traffic.clock)

    def search(
        self,
        query: str,
        *,
        courts: Sequence[str] = (),
        cantons: Sequence[str] = (),
        language: str = "",
        since: date | None = None,
        until: date | None = None,
        limit: int = 10,
        offset: int = 0,
    ) -> Found:
        """Decisions that hold all words; words in double quotes are a phrase, ``OR`` stands between alternatives.

        ``courts`` and ``cantons`` are entries of the court tree (``CH_BGer``, ``ZH``), any of which will do.

        Raises:
            SourceFault: the source could not be asked, or its answer cannot be relied on.
        """
        filters = [*_places([*courts, *cantons]), *_language(language), *_period(since, until)]
        return self._find(sendable(query), filters, limit, offset)

    def by_reference(self, reference: str) -> Found:
        """The decisions that bear a reference: ``5A_123/2024``, ``VGer ZH VB.2022.00382``, ``BGE 147 IV 73``.

        None is no proof that there is none: not every decision is published. Raises SourceFault.
        """
        docket, canton = docket_of(reference)
        phrase = '"' + " ".join(docket.replace('"', " ").replace("\\", " ").split())[:MAX_QUERY] + '"'
        if docket.startswith("BGE "):
            phrase = phrase.replace("BGE ", "", 1)
        places = ["CH_BGE", "CH_BGer"] if docket.startswith("BGE ") else [canton] if canton else []
        found = self._find(phrase, _places(places), 20, 0)
        borne = tuple(one for one in found.decisions if matches(one, reference))
        return Found(borne, len(borne))

    def get(self, identifier: str) -> CourtDecision | None:
        """The decision with this identifier; None when the source holds none. Raises SourceFault."""
        body = {
            "query": {"term": {"_id": identifier[:200]}},
            "size": 1,
        }  # a prefix on _id fails on every shard

        def ask() -> CourtDecision | None:
            decisions = self._read(body).decisions
            return next((one for one in decisions if one.id == identifier), None)

        return self._decisions.get(identifier, ask)

    def courts(self) -> tuple[Court, ...]:
        """The tree of courts, as the source publishes it. Raises SourceFault."""
        return self._courts.get("courts", lambda: read_courts(self._client.object(COURTS_PATH)))

    def _find(self, query: str, filters: list[dict[str, Any]], limit: int, offset: int) -> Found:
        if not query.strip('" '):
            return Found()
        body = {
            "size": max(1, min(limit, MAX_LIMIT)),
            "from": max(0, min(offset, MAX_OFFSET)),
            "track_total_hits": True,
            "query": {
                "bool": {
                    "must": [
                        {
                            "query_string": {
                                "query": query,
                                "fields": list(FIELDS),
                                "default_operator": "AND",
                                "type": "cross_fields",
                            }
                        }
                    ],
                    "filter": filters,
                }
            },
        }
        return self._searches.get(json.dumps(body, sort_keys=True), lambda: self._read(body))

    def _read(self, body: dict[str, Any]) -> Found:
        return read_answer(self._client.object(PATH, body=body))


def read_answer(answer: dict[str, Any]) -> Found:
    """The decisions of an answer. Raises SourceFault for one that cannot be relied on."""
    if "message" in answer and "hits" not in answer:
        raise SourceFault(NAME, "denied", "keeps robots out", status=200)
    shards = answer.get("_shards")
    if answer.get("timed_out") or (isinstance(shards, dict) and shards.get("failed")):
        raise SourceFault(NAME, "incomplete", "answered only in part", status=200)
    hits = answer.get("hits")
    listed = hits.get("hits") if isinstance(hits, dict) else None
    if not isinstance(hits, dict) or not isinstance(listed, list):
        raise SourceFault(NAME, "unreadable", "gave an answer without hits", status=200)
    decisions = tuple(one for hit in listed if (one := read_decision(hit)))
    return Found(decisions, max(_total(hits.get("total")), len(decisions)))


def read_courts(tree: dict[str, Any]) -> tuple[Court, ...]:
    """``{canton: {de, fr, it, gerichte: {court: {de, fr, it, kammern: {chamber: {de, fr, it}}}}}}``.

    Raises SourceFault when it holds no court.
    """
    found = [
        Court(code, canton, _names(names), _names(branch), _chambers(names))
        for canton, branch in tree.items()
        if isinstance(branch, dict) and isinstance(branch.get("gerichte"), dict)
        for code, names in branch["gerichte"].items()
        if isinstance(names, dict)
    ]
    if not found:
        raise SourceFault(NAME, "unreadable", "gave a list without courts", status=200)
    return tuple(found)


def _chambers(court: dict[str, Any]) -> dict[str, dict[str, str]]:
    chambers = court.get("kammern")
    listed = chambers.items() if isinstance(chambers, dict) else ()
    return {code: _names(names) for code, names in listed if isinstance(names, dict)}


def _names(entry: dict[str, Any]) -> dict[str, str]:
    return {language: str(entry.get(language) or "").strip() for language in ("de", "fr", "it")}


def sendable(query: str) -> str:
    """A query without operators of the query language, but for phrases in double quotes, AND and OR."""
    parts = _quoted(" ".join(query.split())[:MAX_QUERY]).split('"')
    if len(parts) % 2 == 0:  # a quote that is not closed is none
        parts[-2:] = [" ".join(parts[-2:])]
    plain = [_OPERATORS.sub(" ", part).split() for part in parts]
    written = [f'"{" ".join(words)}"' if at % 2 else " ".join(words) for at, words in enumerate(plain)]
    return _without_loose_ends(" ".join(word for word in written if word and word != '""'))


def _quoted(query: str) -> str:
    """``Art. 363 OR`` names the Code of Obligations: as a phrase, its last word is no operator."""
    parts = query.split('"')
    return '"'.join(part if at % 2 else _OF_THE_CODE.sub(r'"\g<0>"', part) for at, part in enumerate(parts))


def _without_loose_ends(query: str) -> str:
    """AND, OR and NOT only between words: elsewhere the source refuses the question."""
    words = [word for word in query.split() if word != "NOT"]
    while words and words[0] in ("AND", "OR"):
        words.pop(0)
    while words and words[-1] in ("AND", "OR"):
        words.pop()
    kept: list[str] = []
    for word in words:
        if not (word in ("AND", "OR") and kept and kept[-1] in ("AND", "OR")):
            kept.append(word)
    return " ".join(kept)


def _places(places: Sequence[str]) -> list[dict[str, Any]]:
    """``hierarchy`` itself: ``hierarchy.keyword`` does not exist, and the answer would be empty without a word."""
    return [{"terms": {"hierarchy": sorted(set(places))}}] if places else []


def _language(language: str) -> list[dict[str, Any]]:
    """Not every hit says its language; the attachment of each does."""
    if not language:
        return []
    said = [{"term": {"language": language}}, {"term": {"attachment.language": language}}]
    return [{"bool": {"should": said, "minimum_should_match": 1}}]


def _period(since: date | None, until: date | None) -> list[dict[str, Any]]:
    bounds = {"gte": since, "lte": until}
    asked = {name: day.isoformat() for name, day in bounds.items() if day}
    return [{"range": {"date": asked}}] if asked else []


def _total(value: Any) -> int:
    number = value.get("value") if isinstance(value, dict) else value
    return number if isinstance(number, int) and not isinstance(number, bool) else 0
