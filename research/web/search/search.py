"""One search: several questions, each put to the providers in turn until one finds something, merged into one list."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from django.conf import settings

from common.outside.client import POLITE, TRAFFIC, Traffic
from common.outside.deadline import Deadline
from common.outside.faults import FaultCode, SourceFault
from research.jsontext import JsonObject
from research.web.search.base import Hit, Provider, usable_url
from research.web.search.client import PATIENCE, RATES
from research.web.urls import canonical_url

MAX_QUERIES = 10
MAY_BE_BILLED = ("timeout", "unreadable")  # it was asked, and may have worked
MAX_HITS = 20  # of all questions together: what a model can use of one answer


@dataclass(frozen=True)
class Failure:
    """A provider that could not be asked a question, and why."""

    provider: str
    query: str
    code: FaultCode
    message: str
    retryable: bool
    retry_after: float | None = None

    def as_json(self) -> JsonObject:
        found: JsonObject = {
            "provider": self.provider,
            "query": self.query,
            "code": self.code,
            "message": self.message,
        }
        return found if self.retry_after is None else {**found, "retry_after": round(self.retry_after, 1)}


@dataclass(frozen=True)
class SearchAnswer:
    """``hits`` have canonical URLs, each once; ``asked`` are the providers that were asked, in their order;
    ``answered`` are those that gave an answer at all, be it an empty one. ``billed`` counts the searches of each that
    were answered, ``maybe`` those that may have been worked on although no answer came of it."""

    hits: tuple[Hit, ...]
    asked: tuple[str, ...]
    failed: tuple[Failure, ...]
    answered: tuple[str, ...]
    billed: Mapping[str, int] = field(default_factory=dict)
    maybe: Mapping[str, int] = field(default_factory=dict)


def web_search(
    queries: Sequence[str],
    max_results: int,
    providers: Sequence[Provider],
    *,
    traffic: Traffic = TRAFFIC,
    seconds: float | None = None,
) -> SearchAnswer:
    """Search for up to ten questions, ``max_results`` hits each, and merge: the best of each first, at most twenty.

    A provider that fails or finds nothing passes the question on to the next. One that refused its key or has no quota
    left is not asked the other questions. Nothing is raised; ``seconds`` bounds the whole of it.
    """
    return _Search(traffic, providers, settings.DOSSIER_SEARCH_SECONDS if seconds is None else seconds).run(
        [query.strip() for query in queries if query.strip()][:MAX_QUERIES], max_results
    )


class _Search:
    def __init__(self, traffic: Traffic, providers: Sequence[Provider], seconds: float) -> None:
        self.traffic, self.providers = traffic, providers
        self.deadline = Deadline(seconds, traffic.clock)
        self.asked: dict[str, None] = {}
        self.failed: list[Failure] = []
        self.useless: set[str] = set()
        self.answered: dict[str, None] = {}
        self.billed: Counter[str] = Counter()
        self.maybe: Counter[str] = Counter()

    def run(self, queries: Sequence[str], max_results: int) -> SearchAnswer:
        found = [self._one(query, max_results) for query in dict.fromkeys(queries)]
        hits = tuple(merged(found))[: max(max_results, MAX_HITS)]
        return SearchAnswer(
            hits, tuple(self.asked), tuple(self.failed), tuple(self.answered), self.billed, self.maybe
        )

    def _one(self, query: str, max_results: int) -> list[Hit]:
        for provider in self.providers:
            if provider.name in self.useless:
                continue
            hits = self._ask(provider, query, max_results)
            if hits:
                return hits
        return []

    def _ask(self, provider: Provider, query: str, max_results: int) -> list[Hit]:
        counted = _Counted(provider, self.billed, self.maybe)
        try:
            patience = replace(PATIENCE, seconds=min(self._left(provider), PATIENCE.seconds))
            self.asked[provider.name] = None
            hits = self.traffic.call(
                provider.name,
                lambda seconds: counted.search(query, max_results, seconds=seconds),
                rate=RATES.get(provider.name, POLITE),
                patience=patience,
            )
        except SourceFault as fault:
            if fault.code in {"denied", "quota"}:
                self.useless.add(provider.name)
            self.failed.append(
                Failure(provider.name, query, fault.code, fault.message, fault.retryable, fault.retry_after)
            )
            return []
        self.answered[provider.name] = None
        return list(_canonical(hits))

    def _left(self, provider: Provider) -> float:
        try:
            return self.deadline.left()
        except TimeoutError:
            raise SourceFault(
                provider.name, "timeout", "was not asked: the time for this search is used up"
            ) from None


@dataclass(frozen=True)
class _Counted:
    """A provider whose every single attempt is counted, those that are made again too."""

    provider: Provider
    billed: Counter[str]
    maybe: Counter[str]

    @property
    def name(self) -> str:
        return self.provider.name

    def search(self, query: str, max_results: int, *, seconds: float) -> list[Hit]:
        try:
            hits = self.provider.search(query, max_results, seconds=seconds)
        except SourceFault as fault:
            self.maybe[self.name] += fault.code in MAY_BE_BILLED
            raise
        self.billed[self.name] += 1
        return hits


def _canonical(hits: Sequence[Hit]) -> Iterator[Hit]:
    """Hits whose address can be read, under its canonical form."""
    for hit in hits:
        try:
            yield replace(hit, url=canonical_url(usable_url(hit.url)))
        except ValueError:
            continue


def merged(lists: Sequence[Sequence[Hit]]) -> Iterator[Hit]:
    """The first of each list, then the second of each, and so on; an address only once, with the text if any had it."""
    best: dict[str, Hit] = {}
    for row in zip_longest(*lists):
        for hit in row:
            if hit is None:
                continue
            known = best.setdefault(hit.url, hit)
            if len(hit.text) > len(known.text):
                best[hit.url] = replace(known, text=hit.text)
    yield from best.values()
