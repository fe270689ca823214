"""Results of the sources in one form, merged and ranked, and sentences on failed sources."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from research.engine.legal.parameters import ResearchParameters
from research.engine.legal.search_plan import SearchQuery, words_in
from research.engine.legal.terms import words_of
from research.jsontext import JsonObject

TOOLS: Mapping[str, str] = {
    "bge-search": "search_bge",
    "cantonal-courts": "search_canton",
    "entscheidsuche": "search_decisions",
    "doctrine": "search_commentaries",
    "fedlex": "get_article",
}
_TOLD = ("kind", "id", "key", "citation", "title", "court", "canton", "date", "language", "summary", "url")
_WEIGHT: Mapping[str, float] = {"CH_BGE": 0.25, "CH_BGer": 0.15, "CH_BVGE": 0.1}
_RANK, _WORDS, _COURT = 0.45, 0.4, 0.15
_HALF_LIFE = 8  # rank after which a result counts half


@dataclass(frozen=True)
class RawResult:
    """A decision, article or commentary. ``key`` identifies it in the archive, ``found`` lists its sources."""

    id: str
    key: str
    kind: str  # decision, article, commentary
    citation: str
    title: str
    court: str
    canton: str
    date: str
    year: int | None
    language: str
    summary: str
    url: str
    score: float = 0.0
    found: tuple[str, ...] = ()

    def as_json(self) -> JsonObject:
        return {**asdict(self), "found": list(self.found)}


@dataclass(frozen=True)
class SearchResults:
    """``found`` counts all hits, ``results`` are those kept, best first, ``failures`` are sentences by source."""

    results: tuple[RawResult, ...] = ()
    found: int = 0
    distinct: int = 0
    by_source: Mapping[str, int] = field(default_factory=dict)
    failures: Mapping[str, str] = field(default_factory=dict)

    @property
    def unanswered(self) -> bool:
        """Whether no source answered, so that an empty result means nothing."""
        return bool(self.failures) and not self.by_source

    @property
    def decisions(self) -> tuple[RawResult, ...]:
        return tuple(one for one in self.results if one.kind == "decision")

    def as_json(self) -> JsonObject:
        return {
            "results": [one.as_json() for one in self.results],
            "found": self.found,
            "distinct": self.distinct,
            "by_source": dict(self.by_source),
            "failures": dict(self.failures),
        }


def call_of(query: SearchQuery, limit: int) -> tuple[str, JsonObject]:
    """The tool for a query, and its arguments."""
    tool, filters = TOOLS[query.source], query.filters
    if tool == "get_article":
        return tool, {
            "statute": query.query,
            "article": filters.get("article", "1"),
            "language": query.language or "de",
        }
    language = {"language": query.language} if query.language else {}
    if tool == "search_commentaries":
        return tool, {"query": query.query, "limit": min(limit, 10), **language}
    arguments: JsonObject = {"query": query.query, "limit": limit, **language}
    for name, argument in (("from", "dateFrom"), ("to", "dateTo")):
        if filters.get(name):
            arguments[argument] = filters[name]
    for name in ("cantons", "courts"):
        if filters.get(name) and (name == "cantons" or tool == "search_decisions"):
            arguments[name] = filters[name]
    return tool, arguments


def collect(
    answers: Sequence[tuple[SearchQuery, JsonObject]],
    found: ResearchParameters,
    *,
    threshold: float,
    most: int,
) -> SearchResults:
    """The answers of the tools as results. Names each source with an unanswered query."""
    lists = [(query, results_of(query, answer)) for query, answer in answers if not is_trouble(answer)]
    failures: dict[str, str] = {}
    for query, answer in answers:
        if is_trouble(answer):
            failures.setdefault(query.source, str(answer["error"]["message"]))
    merged = _merged(lists, found)
    kept = [one for one in merged if one.score >= threshold or one.kind != "decision"]
    by_source: dict[str, int] = defaultdict(int)
    for query, results in lists:
        by_source[query.source] += len(results)
    total = sum(len(results) for _, results in lists)
    return SearchResults(tuple(kept[:most]), total, len(merged), dict(by_source), failures)


def is_trouble(answer: JsonObject) -> bool:
    """Whether a source failed. Finding nothing is not a failure."""
    return not answer.get("success") and answer["error"].get("code") != "not_found"


def results_of(query: SearchQuery, answer: JsonObject) -> list[RawResult]:
    """The results of one answer: a list, one article, or nothing."""
    if not answer.get("success"):
        return []
    data = answer["data"]
    return [_read(one, query.source) for one in data.get("results", [data])]


def _read(row: JsonObject, source: str) -> RawResult:
    """One entry of a tool's answer. All tools use the same shape."""
    fields: dict[str, Any] = {name: str(row.get(name) or "") for name in _TOLD}
    year = row.get("year")
    return RawResult(year=year if isinstance(year, int) else None, found=(source,), **fields)


def _merged(
    lists: Sequence[tuple[SearchQuery, Sequence[RawResult]]], found: ResearchParameters
) -> list[RawResult]:
    """Without duplicates, by citation. Several queries that find it raise its rank."""
    by_citation: dict[str, RawResult] = {}
    ranks: dict[str, list[float]] = defaultdict(list)
    for query, results in lists:
        for place, one in enumerate(results):
            name = f"{one.kind}:{one.citation.casefold()}"
            known = by_citation.get(name, one)
            sources = tuple(dict.fromkeys((*known.found, query.source)))
            by_citation[name] = replace(known, found=sources)
            ranks[name].append(0.5 ** (place / _HALF_LIFE))
    scored = [replace(one, score=_score(one, ranks[name], found)) for name, one in by_citation.items()]
    return sorted(scored, key=lambda one: (-one.score, one.kind, one.citation))


def _score(one: RawResult, ranks: Sequence[float], found: ResearchParameters) -> float:
    """Between 0 and 1: ranks in the lists, key terms in title and summary, and the level of the court."""
    missed = 1.0
    for rank in ranks:
        missed *= 1 - 0.8 * rank
    wanted = [words_of(word) for word in words_in(found, one.language or found.language)]
    there = set(words_of(f"{one.title} {one.summary}"))
    held = sum(all(_held(word, there) for word in words) for words in wanted)
    share = held / len(wanted) if wanted and (one.summary or one.title) else 0.5
    if not one.summary:
        share = max(share, 0.5)  # without a summary nothing is known of its contents
    court = _WEIGHT.get(one.court, 0.05) / 0.25
    return round(_RANK * (1 - missed) + _WORDS * share + _COURT * court, 3)


def _held(word: str, there: set[str]) -> bool:
    return word in there or (len(word) >= 5 and any(other.startswith(word) for other in there))
