"""The LEI register as Dossier uses it: the one door for tools, checks and verbs, over the live API or the demo.

Every method answers with what the register says or raises a ``GleifError``; only ``GleifNotFound`` means absence.
"""

import re
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from datetime import date
from functools import partial
from typing import Any

from django.conf import settings

from common.outside.client import Patience, Traffic
from entities.gleif.client import PUBLIC_URL, GleifClient
from entities.gleif.demo.adapter import demo_exchange
from entities.gleif.demo.answers import DEMO_URL, DemoRegister
from entities.gleif.demo.facts import AS_OF
from entities.gleif.errors import (
    GleifBadAnswer,
    GleifBadRequest,
    GleifError,
    GleifNotFound,
    GleifUnavailable,
)
from entities.gleif.ranking import Match, good_enough, match_of, rank
from entities.gleif.records import (
    JsonObject,
    Level,
    Page,
    ParentAnswer,
    Record,
    Relationship,
    ReportingException,
    SuccessorChain,
    parse_completion,
    parse_exception,
    parse_record,
    parse_relationship,
)
from entities.gleif.sources import Keeper, KnowsItsExtent, KnowsNames, Source, stored

CANDIDATES = 100
MAX_CHAIN = 10
MAX_NAME = 300
PARENTS_ASKED = 10
CACHE_SECONDS, CACHE_RECORDS = 120.0, 5_000
PROBE_SECONDS, CHOICE_SECONDS = (
    3.0,
    60.0,
)  # how long "auto" waits for the API, and how long it keeps its choice
ENTITY_STATUS = frozenset({"ACTIVE", "INACTIVE", "NULL"})  # shares no word with the registration statuses
_LEI = re.compile(r"[0-9A-Z]{20}")


class Register:
    """One LEI register: ``name`` is "gleif" or "demo", ``size`` its number of records when known.

    ``local``: it is GLEIF's golden copy, imported into the database. ``kept`` keeps answers of the API for longer.
    """

    def __init__(
        self,
        client: Source,
        *,
        name: str = "gleif",
        size: int | None = None,
        local: bool = False,
        kept: Keeper | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name, self.size = name, size
        self.local, self._kept = local, kept
        self._client, self._clock = client, clock
        self._cache: dict[str, tuple[float, Record]] = {}
        self._lock = threading.Lock()

    @property
    def base_url(self) -> str:
        return self._client.base_url

    @property
    def as_of(self) -> str:
        """Publish date of the golden copy behind the last answer, ISO; "" before the first."""
        return self._client.publish_date

    @property
    def label(self) -> str:
        """One line for people: which register, how many records, as of when."""
        size = f", {self.size:,} records" if self.size else ""
        copy = f", golden copy of {self.as_of[:10]}" if self.as_of else ""
        if self.name == "demo":
            return f"demo register shipped with Dossier{size} of real entities, facts up to {self.as_of[:10]}"
        return f"LEI register of GLEIF{' in this database' * self.local}{size}{copy}"

    @property
    def pin(self) -> str:
        """The name under which ``open_register`` opens this very kind of register again, whatever is imported since."""
        return "demo" if self.name == "demo" else "local" if self.local else "live"

    def silence(self, today: date, max_age_days: int) -> str:
        """Why it means nothing that an LEI is not in this register; empty for one that is complete and fresh."""
        if self.name == "demo":
            return "it holds a small selection of entities"
        if not self.local:
            return ""
        if isinstance(self._client, KnowsItsExtent) and not self._client.is_full():
            return "it is a part of GLEIF's golden copy"
        age = (today - date.fromisoformat(self.as_of[:10])).days if self.as_of else None
        if age is None or age > max_age_days:
            old = f"{age} days old" if age is not None else "of an unknown date"
            return f"the copy is {old}, and younger LEIs are not in it"
        return ""

    def record(self, lei: str) -> Record:
        """The record of an LEI. Raises GleifNotFound when the register has none."""
        wanted = _askable(lei)
        known = self._recall(wanted)
        if known is None:
            known = parse_record(self._client.get(f"lei-records/{wanted}")["data"])
            if known.lei != wanted:
                raise GleifBadAnswer(f"The register was asked for {wanted} and sent {known.lei}.")
            self._remember([known])
            self._keep([known])
        return known

    def records(self, leis: Iterable[str]) -> dict[str, Record]:
        """The records of many LEIs, 100 a call; an LEI that the register does not have is not in the answer."""
        wanted = [lei for lei in dict.fromkeys(lei.strip().upper() for lei in leis) if _LEI.fullmatch(lei)]
        found = {lei: record for lei in wanted if (record := self._recall(lei))}
        found |= self._recall_kept([lei for lei in wanted if lei not in found])
        fetched = [
            parse_record(item) for item in self._client.batch(lei for lei in wanted if lei not in found)
        ]
        self._remember(fetched)
        self._keep(fetched)
        found.update((record.lei, record) for record in fetched)
        return {lei: found[lei] for lei in wanted if lei in found}

    def search(
        self,
        name: str,
        *,
        limit: int = 20,
        jurisdiction: str | None = None,
        category: str | None = None,
        status: str | None = None,
    ) -> list[Match]:
        """Records by name, best first; ``jurisdiction`` is "DE" or "US-DE".

        ``status`` is an entity status (ACTIVE, INACTIVE, NULL) or else a registration status (ISSUED, LAPSED, ...).
        Names first, then the full text, then fuzzy completion, each only while nothing scores well; in the imported
        register names alike are found at once. ``limit`` only cuts the list: as many candidates are compared whatever
        it is, so that an answer does not depend on how much of it is shown.
        """
        narrow = _narrowing(jurisdiction, category, status)
        matches: dict[str, Match] = {}
        for find in (
            (self._by_names,) if self.local else (self._by_names, self._by_fulltext, self._by_completion)
        ):
            found = find(name, narrow, CANDIDATES)
            fits = (record for record in found if _fits(record, jurisdiction, category, status))
            matches |= {record.lei: match_of(name, record) for record in fits if record.lei not in matches}
            if good_enough(matches.values(), CANDIDATES):
                break
        return sorted(matches.values(), key=rank)[:limit]

    def nearest(self, name: str, limit: int = 5) -> list[Match]:
        """The closest names there are, for "did you mean": the search, and if it finds nothing its single words."""
        found = self.search(name, limit=limit)
        for word in sorted(_query_text(name).split(), key=len, reverse=True)[:3]:
            if found:
                break
            found = sorted((match_of(name, record) for record in self._by_completion(word)), key=rank)
        return found[:limit]

    def parent(self, lei: str, level: Level) -> ParentAnswer:
        """Who consolidates an entity, or the reporting exception, or "none" when the register reports neither.

        The record itself says where to look, so that mostly one question is enough.
        """
        record = self.record(lei)
        if record.parent_link(level) != "exception":
            parent = self._related(record.lei, f"{level}-parent")
            if parent is not None:
                relationship = self._relationship(record.lei, f"{level}-parent-relationship")
                return ParentAnswer("record", record=parent, relationship=relationship)
        exception = self._exception(record.lei, level)
        if exception is None:
            return ParentAnswer("none")
        return ParentAnswer("exception", reason=exception.reason, exception=exception)

    def parents(self, leis: Iterable[str]) -> dict[str, dict[Level, ParentAnswer]]:
        """The direct and the ultimate parent of several entities; of the API only of so many as it can bear.

        GLEIF documents no call for the parents of several, and a record links to its parent without naming it.
        """
        wanted = list(leis) if self.local else list(leis)[:PARENTS_ASKED]
        levels: tuple[Level, ...] = ("direct", "ultimate")
        return {lei: {level: self.parent(lei, level) for level in levels} for lei in wanted}

    def namesakes(self, names: Iterable[str]) -> dict[str, list[Record]]:
        """Who has the same names. Only in the imported register: of the API it would be a call for each name."""
        if not isinstance(self._client, KnowsNames):
            return {}
        found = self._client.namesakes(names)
        records = self.records(lei for leis in found.values() for lei in leis)
        return {name: [records[lei] for lei in leis if lei in records] for name, leis in found.items()}

    def children(self, lei: str, *, level: Level = "direct", limit: int = 100) -> Page:
        """The entities that report ``lei`` as their parent; an empty page when none does."""
        return self._page(lei, f"{level}-children", limit)

    def managed_funds(self, lei: str, *, limit: int = 100) -> Page:
        return self._page(lei, "managed-funds", limit)

    def fund_manager(self, lei: str) -> Record | None:
        return self._related(self.record(lei).lei, "fund-manager")

    def umbrella(self, lei: str) -> Record | None:
        return self._linked(lei, "umbrella")

    def master_fund(self, lei: str) -> Record | None:
        return self._linked(lei, "master")

    def isins(self, lei: str, limit: int = 100) -> list[str]:
        """The ISINs mapped to an LEI, up to ``limit``."""
        path = f"lei-records/{_askable(lei)}/isins"
        try:
            items = self._client.items(path, limit=limit).items
        except GleifNotFound:
            return []
        return [isin for item in items if (isin := _isin(item))]

    def by_isin(self, isin: str) -> list[Record]:
        """The issuers of an ISIN: one, rarely more, or none."""
        return list(self._listed({"filter[isin]": _query_text(isin)}))

    def successor(self, lei: str) -> SuccessorChain:
        """Follow successors with an LEI to the current record; ``current.successors`` tells of one without."""
        current = self.record(lei)
        chain = [current.lei]
        while (following := _successor_lei(current)) and len(chain) < MAX_CHAIN:
            if following in chain:
                return SuccessorChain(chain[0], current, tuple(chain), loop=True)
            try:
                current = self.record(following)
            except GleifNotFound:
                break
            chain.append(current.lei)
        return SuccessorChain(chain[0], current, tuple(chain))

    def _by_names(self, name: str, narrow: dict[str, str], most: int) -> Iterator[Record]:
        return self._filtered("filter[entity.names]", name, narrow, most)

    def _by_fulltext(self, name: str, narrow: dict[str, str], most: int) -> Iterator[Record]:
        return self._filtered("filter[fulltext]", name, narrow, most)

    def _by_completion(self, name: str, *_: object) -> Iterator[Record]:
        """Completions carry a name and an LEI at best, so the records are fetched in one batch."""
        text = _query_text(name)
        if not text:
            return
        data = self._client.get("fuzzycompletions", {"field": "entity.legalName", "q": text})["data"]
        completions = [parse_completion(item) for item in data if isinstance(item, dict)]
        yield from self.records(lei for _, lei in completions if lei).values()

    def _filtered(self, key: str, name: str, narrow: dict[str, str], most: int) -> Iterator[Record]:
        text = _query_text(name)
        if not text:
            return
        try:
            yield from self._listed({key: text, **narrow}, most)
        except GleifBadRequest:
            if not narrow:
                raise
            yield from self._listed({key: text}, most)  # the caller filters the answer again anyway

    def _listed(self, query: dict[str, str], most: int = CANDIDATES) -> list[Record]:
        records = list(map(parse_record, self._client.items("lei-records", query, limit=most).items))
        self._remember(records)
        return records

    def _page(self, lei: str, relation: str, limit: int) -> Page:
        path = f"lei-records/{_askable(lei)}/{relation}"
        try:
            answer = self._client.items(path, limit=limit)
        except GleifNotFound:
            return Page((), 0, truncated=False)
        records = tuple(map(parse_record, answer.items))
        self._remember(records)
        return Page(records, answer.total, answer.truncated)

    def _linked(self, lei: str, kind: str) -> Record | None:
        """By the link that the record itself carries: GLEIF does not document what it is called."""
        record = self.record(lei)
        links = [relation for relation in record.relations if relation.startswith(kind)]
        return self._related(record.lei, links[0]) if links else None

    def _related(self, lei: str, relation: str) -> Record | None:
        item = self._reported(lei, relation)
        if item is None:
            return None
        record = parse_record(item)
        self._remember([record])
        return record

    def _relationship(self, lei: str, relation: str) -> Relationship | None:
        item = self._reported(lei, relation)
        return parse_relationship(item) if item else None

    def _exception(self, lei: str, level: Level) -> ReportingException | None:
        item = self._reported(lei, f"{level}-parent-reporting-exception")
        return parse_exception(item) if item else None

    def _reported(self, lei: str, relation: str) -> JsonObject | None:
        """One related item; None when the register reports none (404, or an empty list)."""
        try:
            data = self._client.get(f"lei-records/{lei}/{relation}")["data"]
        except GleifNotFound:
            return None
        item: JsonObject | None = (data[0] if data else None) if isinstance(data, list) else data
        return item or None

    def _recall_kept(self, leis: Collection[str]) -> dict[str, Record]:
        """Records kept from earlier answers. Their links are not kept, so they answer for a batch only."""
        if self._kept is None or not leis:
            return {}
        known = self._kept.recall(leis)
        if known and not self._client.publish_date:
            self._client.publish_date = min(as_of for _, as_of in known.values())
        own = f"{self.base_url}/lei-records"
        return {
            lei: parse_record({"attributes": attributes, "links": {"self": f"{own}/{lei}"}})
            for lei, (attributes, _) in known.items()
        }

    def _keep(self, records: Collection[Record]) -> None:
        if self._kept is not None and records:
            self._kept.keep(records, self.as_of)

    def _recall(self, lei: str) -> Record | None:
        with self._lock:
            until, record = self._cache.get(lei, (0.0, None))
        return record if record is not None and self._clock() < until else None

    def _remember(self, records: Iterable[Record]) -> None:
        until = self._clock() + CACHE_SECONDS
        with self._lock:
            if len(self._cache) > CACHE_RECORDS:
                self._cache.clear()
            self._cache.update((record.lei, (until, record)) for record in records)


def _askable(lei: str) -> str:
    """An LEI fit for a path; what has not even its form is not found, without a question."""
    wanted = lei.strip().upper()
    if not _LEI.fullmatch(wanted):
        raise GleifNotFound("That is not the form of an LEI, so no register has it.")
    return wanted


def _query_text(text: str) -> str:
    """A name as a filter value: the API reads a comma as "or" and some leading signs as operators."""
    words = "".join(" " if char == "," or not char.isprintable() else char for char in text).split()
    return " ".join(words)[:MAX_NAME].lstrip("!<>=*~. ")


def _narrowing(jurisdiction: str | None, category: str | None, status: str | None) -> dict[str, str]:
    """A country asks for the address: as a jurisdiction, "US" would not find the records of "US-DE"."""
    place = "entity.jurisdiction" if "-" in (jurisdiction or "") else "entity.legalAddress.country"
    filters = {place: jurisdiction, "entity.category": category, _status_field(status): status}
    return {f"filter[{key}]": value.upper() for key, value in filters.items() if value}


def _fits(record: Record, jurisdiction: str | None, category: str | None, status: str | None) -> bool:
    wanted = (jurisdiction or "").upper()
    own_status = (
        record.entity_status if _status_field(status) == "entity.status" else record.registration_status
    )
    return (
        (not wanted or wanted in (record.jurisdiction, record.country))
        and (not category or category.upper() == record.category)
        and (not status or status.upper() == own_status)
    )


def _status_field(status: str | None) -> str:
    return "entity.status" if (status or "").upper() in ENTITY_STATUS else "registration.status"


def _successor_lei(record: Record) -> str | None:
    return next((one.lei for one in record.successors if one.lei and _LEI.fullmatch(one.lei)), None)


def _isin(item: Any) -> str:
    attributes = item.get("attributes") if isinstance(item, dict) else None
    isin = attributes.get("isin") if isinstance(attributes, dict) else None
    return isin if isinstance(isin, str) and isin.isalnum() else ""


_open_lock = threading.Lock()
_opened: dict[tuple[str, str], Register] = {}
_chosen: dict[str, tuple[float, str]] = {}


def open_register(name: str = "auto") -> Register:
    """The register called "gleif" or "demo"; "auto" is GLEIF when its API answers within 3 seconds, else the demo.

    "gleif" and "auto" are the golden copy where one is imported: it answers without the network and says of when it is.
    A process has one register per name and base URL, so that all its threads keep one pace. With ``GLEIF_BASE_URL``
    set to another address than the public one, "auto" means that address. The empty name is ``DOSSIER_REGISTER``.
    """
    wanted = name or getattr(settings, "DOSSIER_REGISTER", "") or "auto"
    url = getattr(settings, "GLEIF_BASE_URL", "") or PUBLIC_URL
    if wanted not in {"auto", "demo", "gleif", "live", "local"}:
        raise ValueError(f"There is no register called {wanted!r}; use gleif, demo or auto.")
    with _open_lock:
        if wanted not in ("demo", "live") and (local := _open_local(url)):
            return local
        if wanted == "local":
            raise GleifUnavailable("The golden copy that this was begun with is no longer in the database.")
        if wanted == "auto":
            wanted = _choose(url)
        return _open_demo() if wanted == "demo" else _open_gleif(url)


def _open_local(url: str) -> Register | None:
    """The imported register, or None; each import has a register of its own, so that nothing old is remembered."""
    imported = stored.local(partial(_live_client, url)) if stored.local else None
    if imported is None:
        return None
    key = ("local", f"{imported.version} {url}")
    if key not in _opened:
        for old in [key for key in _opened if key[0] == "local"]:
            del _opened[old]
        _opened[key] = Register(imported.source, size=imported.size, local=True)
    return _opened[key]


def _live_client(url: str) -> GleifClient:
    return GleifClient(url, per_minute=settings.GLEIF_PER_MINUTE)


def _choose(url: str) -> str:
    if url.rstrip("/") != PUBLIC_URL:
        return "gleif"
    until, choice = _chosen.get(url, (0.0, ""))
    if time.monotonic() >= until:
        choice = "gleif" if _answers(_open_gleif(url)) else "demo"
        _chosen[url] = time.monotonic() + CHOICE_SECONDS, choice
    return choice


def _open_gleif(url: str) -> Register:
    key = ("gleif", url)
    if key not in _opened:
        _opened[key] = Register(_live_client(url), kept=stored.keeper() if stored.keeper else None)
    return _opened[key]


def _open_demo() -> Register:
    key = ("demo", DEMO_URL)
    if key not in _opened:
        _opened[key] = demo_register()
    return _opened[key]


def demo_register(source: DemoRegister | None = None) -> Register:
    """The shipped demo register, or one over another table; it needs no network and no pacing."""
    table = source or DemoRegister()
    client = GleifClient(DEMO_URL, exchange=demo_exchange(table), per_minute=0)
    client.publish_date = AS_OF
    return Register(client, name="demo", size=len(table))


def _answers(register: Register) -> bool:
    """Whether the API is there. In a thread, because looking up a host name cannot be given a time limit."""
    answered = threading.Event()

    def ask() -> None:
        once = Patience(seconds=PROBE_SECONDS, attempt=PROBE_SECONDS, tries=1)
        client = GleifClient(register.base_url, per_minute=0, patience=once, traffic=Traffic())
        with suppress(GleifError):
            register.size = client.items("lei-records", limit=1).total
            answered.set()

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(PROBE_SECONDS)
    return answered.is_set()
