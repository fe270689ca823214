"""The search plan: queries by source, language and term, their parallel groups, and limits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from citations.extract import extract
from citations.format import format_mention
from citations.mention import LANGUAGES, Language
from research.engine.legal.parameters import ResearchParameters
from research.engine.legal.places import CANTONS
from research.engine.legal.terms import named
from research.engine.questions.question import BadAnswer
from research.jsontext import Json, JsonObject

AT_ONCE = 5
SOURCES = ("bge-search", "cantonal-courts", "entscheidsuche", "doctrine", "fedlex")
COURT_LANGUAGES = ("de", "fr", "it")
MAX_QUERIES, MAX_QUERY = 40, 300
USUAL, MOST = 50, 200  # number of results to keep
FEDERAL_ADMINISTRATIVE = frozenset(
    ("migration", "tax", "competition", "finance", "intellectual_property", "administrative")
)
TERMS_A_QUERY = 3


class Extent(NamedTuple):
    """Extent of a depth: languages of federal courts, results per query, articles and word queries."""

    languages: int
    limit: int
    articles: int
    words: int
    threshold: float


EXTENTS = {
    "quick": Extent(1, 10, 1, 1, 0.4),
    "standard": Extent(2, 15, 2, 2, 0.3),
    "deep": Extent(3, 30, 4, 3, 0.2),
}


@dataclass(frozen=True)
class SearchQuery:
    """One query to one source. ``filters`` are those that the source supports."""

    source: str
    query: str
    language: str
    filters: JsonObject

    def as_json(self) -> JsonObject:
        return {
            "source": self.source,
            "query": self.query,
            "language": self.language,
            "filters": self.filters,
        }


@dataclass(frozen=True)
class SearchStrategy:
    """Sources by priority, queries in the order of their sources, and limits on results."""

    queries: tuple[SearchQuery, ...]
    limit: int
    threshold: float
    most: int

    @property
    def sources(self) -> tuple[str, ...]:
        """Without duplicates, by priority."""
        return tuple(dict.fromkeys(query.source for query in self.queries))

    def asking(self, sources: Sequence[str]) -> list[SearchQuery]:
        """The queries to some sources."""
        return [query for query in self.queries if query.source in sources]

    def paths(self) -> list[list[int]]:
        """Indexes of the queries that run in parallel."""
        return [
            list(range(start, min(start + AT_ONCE, len(self.queries))))
            for start in range(0, len(self.queries), AT_ONCE)
        ]

    def as_json(self) -> JsonObject:
        """In the terms of the specification."""
        volume = {name: self.limit * sum(one.source == name for one in self.queries) for name in self.sources}
        return {
            "sources": [
                {"name": name, "priority": place, "expectedVolume": volume[name]}
                for place, name in enumerate(self.sources, start=1)
            ],
            "queries": [query.as_json() for query in self.queries],
            "parallelPaths": self.paths(),
            "relevanceThreshold": self.threshold,
            "maxResults": self.most,
        }

    def edit(self) -> JsonObject:
        """What a person may change."""
        return {
            "queries": [query.as_json() for query in self.queries],
            "relevanceThreshold": self.threshold,
            "maxResults": self.most,
        }


def plan(found: ResearchParameters, depth: str, most: int) -> SearchStrategy:
    """The strategy for a question at a depth. Keeps ``most`` results."""
    extent = EXTENTS[depth]
    queries = [
        *(_federal(found, extent) if found.federal else ()),
        *_cantonal(found, extent),
        *(_all_courts(found, extent, depth)),
        *_doctrine(found, extent),
        *_acts(found, extent),
    ]
    return SearchStrategy(tuple(_each_once(queries))[:MAX_QUERIES], extent.limit, extent.threshold, most)


def edited(shown: SearchStrategy, said: JsonObject | None) -> SearchStrategy:
    """The strategy with a person's changes. Raises BadAnswer."""
    data = {**shown.edit(), **(said or {})}
    listed = data["queries"]
    if not isinstance(listed, list) or not listed:
        raise BadAnswer("queries must be a list of at least one query")
    if len(listed) > MAX_QUERIES:
        raise BadAnswer(f"queries must have at most {MAX_QUERIES} entries")
    threshold, most = data["relevanceThreshold"], data["maxResults"]
    if isinstance(threshold, bool) or not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
        raise BadAnswer("relevanceThreshold must be a number from 0 to 1")
    if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most <= MOST:
        raise BadAnswer(f"maxResults must be a whole number from 1 to {MOST}")
    queries = sorted(map(_query, listed), key=lambda one: SOURCES.index(one.source))
    return replace(shown, queries=tuple(_each_once(queries)), threshold=float(threshold), most=most)


def _query(value: Json) -> SearchQuery:
    if not isinstance(value, dict):
        raise BadAnswer("a query must be an object with source, query and language")
    source, query, language = value.get("source"), value.get("query"), value.get("language", "")
    filters = value.get("filters") or {}
    if source not in SOURCES:
        raise BadAnswer(f"source must be one of {', '.join(SOURCES)}")
    if not isinstance(query, str) or not query.strip() or len(query) > MAX_QUERY:
        raise BadAnswer(f"query must be text of at most {MAX_QUERY} characters")
    if language not in ("", *LANGUAGES):
        raise BadAnswer(f"language must be one of {', '.join(LANGUAGES)}, or empty")
    return SearchQuery(source, query.strip(), language, _filters(source, filters))


def _filters(source: str, filters: Json) -> JsonObject:
    if not isinstance(filters, dict) or not set(filters) <= {"cantons", "courts", "from", "to", "article"}:
        raise BadAnswer("filters may hold cantons, courts, from, to and article")
    for name in ("cantons", "courts"):
        values = filters.get(name, [])
        if not isinstance(values, list) or not all(
            isinstance(each, str) and len(each) <= 60 for each in values
        ):
            raise BadAnswer(f"filters.{name} must be a list of texts")
    if any(canton not in CANTONS for canton in filters.get("cantons", [])):
        raise BadAnswer(f"filters.cantons must be among {', '.join(CANTONS)}")
    if source == "cantonal-courts" and not filters.get("cantons"):
        raise BadAnswer("a query to cantonal-courts must name cantons in its filters")
    if any(
        not isinstance(filters.get(name, ""), str) or len(filters.get(name, "")) > 12
        for name in ("from", "to", "article")
    ):
        raise BadAnswer("filters.from, filters.to and filters.article must be short texts")
    return filters


def court_languages(found: ResearchParameters, count: int) -> list[str]:
    """Languages for searching federal decisions, those of the question first. No court decides in English."""
    wanted = [language for language in found.languages if language in COURT_LANGUAGES]
    return [*wanted, *(one for one in COURT_LANGUAGES if one not in wanted)][: max(count, len(wanted))]


def words_in(found: ResearchParameters, language: str) -> list[str]:
    """The key terms in a language, translated where the table knows them; others only in the language of the question,
    or, as no court writes English, as they stand."""
    own = found.language
    words = []
    for term in found.terms:
        concept = named(term)
        if language == own or (concept is None and own == "en"):
            words.append(term)
        elif concept is not None:
            words.append(concept.term(language))
    if not words:
        words = [concept.term(language) for name in found.concepts if (concept := named(name))]
    return list(dict.fromkeys(words))


def _federal(found: ResearchParameters, extent: Extent) -> Iterator[SearchQuery]:
    for language in court_languages(found, extent.languages):
        for query in _court_queries(found, language, extent):
            yield SearchQuery("bge-search", query, language, _period(found))


def _cantonal(found: ResearchParameters, extent: Extent) -> Iterator[SearchQuery]:
    """In the language of its courts. A bilingual canton is also searched in that of the question."""
    for code in found.cantons:
        spoken = CANTONS[code].languages
        wanted = [language for language in spoken if language in found.languages] or [spoken[0]]
        for language in wanted:
            for query in _court_queries(found, language, extent):
                yield SearchQuery("cantonal-courts", query, language, {"cantons": [code], **_period(found)})


def _all_courts(found: ResearchParameters, extent: Extent, depth: str) -> Iterator[SearchQuery]:
    """All published decisions: for other federal courts, and in a deep search."""
    courts = ["CH_BVGE"] if FEDERAL_ADMINISTRATIVE & set(found.domains) and found.federal else []
    if not courts and depth != "deep":
        return
    language = court_languages(found, 1)[0]
    for query in _court_queries(found, language, extent)[: extent.words]:
        yield SearchQuery(
            "entscheidsuche",
            query,
            language,
            {**({"courts": courts} if depth != "deep" else {}), **_period(found)},
        )


def _doctrine(found: ResearchParameters, extent: Extent) -> Iterator[SearchQuery]:
    language = found.language
    for act, article in _articles(found)[: extent.articles]:
        query = f"Art. {article} {act}"
        yield SearchQuery("doctrine", query, language, {"article": article})
    words = words_in(found, language)[:2]
    if words:
        yield SearchQuery("doctrine", " ".join(words), language, {})


def _acts(found: ResearchParameters, extent: Extent) -> Iterator[SearchQuery]:
    """Cited articles, and the main provisions of the concepts."""
    for act, article in _articles(found)[: extent.articles + 1]:
        yield SearchQuery("fedlex", act, found.language, {"article": article})


def _articles(found: ResearchParameters) -> list[tuple[str, str]]:
    """(act, article) of citations, then of provisions of the concepts."""
    provisions = [concept.provision for name in found.concepts if (concept := named(name))]
    cited = [
        (str(one.data["act"]), str(one.data["article"]))
        for text in [*found.statutes, *provisions]
        for one in extract(text)
        if one.kind == "statute" and one.data and one.data.get("article", "")[:1].isdigit()
    ]
    return list(dict.fromkeys(pair for pair in cited if " " not in pair[1] and "-" not in pair[1]))


def _court_queries(found: ResearchParameters, language: str, extent: Extent) -> list[str]:
    """All words, then fewer, then each cited article: a wide query finds what a narrow one misses."""
    words = [(f'"{word}"' if " " in word or "'" in word else word) for word in words_in(found, language)]
    wide = [words[:TERMS_A_QUERY], words[:2], words[:1]]
    queries = list(dict.fromkeys(" ".join(some) for some in wide if some))[: extent.words]
    for text in found.statutes[: extent.articles]:
        written = _statute_in(text, language)
        queries.append(" ".join([f'"{written}"', *words[:1]]) if words else f'"{written}"')
    return list(dict.fromkeys(queries))


def _statute_in(text: str, language: str) -> str:
    spoken: Language = next((one for one in LANGUAGES if one == language), "de")
    mentions = [one for one in extract(text) if one.kind == "statute"]
    return format_mention(mentions[0], spoken) if mentions else text


def _period(found: ResearchParameters) -> JsonObject:
    bounds = {"from": found.since, "to": found.until}
    return {name: day.isoformat() for name, day in bounds.items() if day}


def _each_once(queries: Sequence[SearchQuery]) -> Iterator[SearchQuery]:
    seen: set[str] = set()
    for query in queries:
        key = repr(
            (query.source, query.query.casefold(), query.language, sorted(query.filters.items(), key=str))
        )
        if key not in seen:
            seen.add(key)
            yield query
