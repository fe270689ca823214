"""The imported register behind the same door as the API: it is asked the API's questions and answers from the database.

What no golden copy holds (ISINs), and what has not been imported (relationships), is asked of the API. So silence is
never taken for "none": when the API cannot be reached either, that is a ``GleifUnavailable``.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.db.models import JSONField
from django.db.models.functions import Cast

from entities.gleif.client import PAGE_SIZE, GleifClient, Items
from entities.gleif.errors import GleifNotFound
from entities.gleif.golden.attributes import completed
from entities.gleif.golden.importing import newest
from entities.gleif.golden.store import as_of
from entities.gleif.name_search import Narrow, find_leis, namesakes
from entities.gleif.records import (
    DIRECT_CONSOLIDATION,
    EXCEPTION_CATEGORY,
    FUND_MANAGED,
    SUBFUND,
    ULTIMATE_CONSOLIDATION,
    JsonObject,
)
from entities.gleif.sources import Imported
from entities.models import (
    GoldenCopyImport,
    LeiRecord,
    LeiRelationship,
    RegisterName,
    ReportingException,
)

FEEDER = "IS_FEEDER_TO"
UP = {
    "direct-parent": DIRECT_CONSOLIDATION,
    "ultimate-parent": ULTIMATE_CONSOLIDATION,
    "fund-manager": FUND_MANAGED,
    "umbrella-fund": SUBFUND,
    "master-fund": FEEDER,
}
DOWN = {
    "direct-children": DIRECT_CONSOLIDATION,
    "ultimate-children": ULTIMATE_CONSOLIDATION,
    "managed-funds": FUND_MANAGED,
    "sub-funds": SUBFUND,
}
EXCEPTIONS = {f"{level}-parent-reporting-exception": name for level, name in EXCEPTION_CATEGORY.items()}
FILTERS = {
    "entity.legalAddress.country": "document__entity__legalAddress__country",
    "entity.jurisdiction": "jurisdiction",
    "entity.category": "category",
    "entity.status": "entity_status",
    "registration.status": "registration_status",
}
_NAMES = ("filter[entity.names]", "filter[fulltext]", "filter[entity.legalName]")
_KNOWN = ("ACTIVE", "")  # of a relationship: in force, or of a source that does not say


class LocalCopy:
    """Answers like ``GleifClient`` from the imported tables; ``live`` is asked for what they do not hold."""

    def __init__(self, imported: GoldenCopyImport, live: GleifClient) -> None:
        self.base_url, self._live = live.base_url, live
        self.publish_date = as_of(imported.publish_date)

    def is_full(self) -> bool:
        """See ``is_full_copy``."""
        return is_full_copy()

    def get(self, path: str, query: Mapping[str, str] | None = None) -> JsonObject:
        """Raises GleifNotFound, or what the API raises where it is asked."""
        match path.strip("/").split("/"):
            case ["lei-records", lei]:
                return {"data": self._one([lei])}
            case ["lei-records", lei, relation] if (answer := self._related(lei, relation)) is not None:
                return {"data": answer}
            case ["fuzzycompletions"]:
                return {"data": self._completions((query or {}).get("q", ""))}
        return self._live.get(path, query)

    def items(self, path: str, query: Mapping[str, str] | None = None, *, limit: int | None = None) -> Items:
        """A list, up to ``limit`` items."""
        match path.strip("/").split("/"):
            case ["lei-records"] if name := next((name for name in _NAMES if name in (query or {})), ""):
                return self._named(dict(query or {}), name, limit or PAGE_SIZE)
            case ["lei-records", lei, relation] if relation in DOWN and newest("rr"):
                return self._listed(lei, DOWN[relation], limit)
        return self._live.items(path, query, limit=limit)

    def batch(self, leis: Iterable[str]) -> tuple[Any, ...]:
        """The records there are; what is missing is not in the register."""
        return tuple(self._items_of(dict.fromkeys(leis)))

    def namesakes(self, names: Iterable[str]) -> dict[str, list[str]]:
        """LEIs that have one of the names."""
        return namesakes(names)

    def _one(self, leis: Sequence[str]) -> JsonObject:
        found = self._items_of(leis)
        if not found:
            raise GleifNotFound(f"The golden copy of {self.publish_date[:10]} has no such LEI.")
        return found[0]

    def _items_of(self, leis: Iterable[str]) -> list[JsonObject]:
        """Records in the order asked for, with links to the relatives and exceptions that are known."""
        wanted = list(leis)
        found: dict[str, JsonObject] = {}
        for start in range(0, len(wanted), PAGE_SIZE):
            some = wanted[start : start + PAGE_SIZE]
            links = self._links(some)
            for record in LeiRecord.objects.filter(pk__in=some, register=RegisterName.LOCAL):
                found[record.pk] = self._item(record, links[record.pk])
        return [found[lei] for lei in wanted if lei in found]

    def _item(self, record: LeiRecord, links: JsonObject) -> JsonObject:
        own = f"{self.base_url}/lei-records/{record.pk}"
        return {
            "type": "lei-records",
            "id": record.pk,
            "attributes": completed(record.attributes),
            "relationships": {
                name: {"links": {key: f"{own}/{path}" for key, path in targets.items()}}
                for name, targets in links.items()
            },
            "links": {"self": own},
        }

    def _links(self, leis: Sequence[str]) -> dict[str, JsonObject]:
        found: dict[str, JsonObject] = defaultdict(dict)
        names = {kind: name for name, kind in UP.items()}
        edges = LeiRelationship.objects.filter(start__in=leis, register=RegisterName.LOCAL, status__in=_KNOWN)
        for start, kind in edges.values_list("start", "type"):
            if name := names.get(kind):
                found[start][name] = {"lei-record": name, "relationship-record": f"{name}-relationship"}
        exceptions = ReportingException.objects.filter(lei__in=leis, register=RegisterName.LOCAL)
        categories = {name: path for path, name in EXCEPTIONS.items()}
        for lei, category in exceptions.values_list("lei", "category"):
            if path := categories.get(category):
                found[lei].setdefault(
                    path.removesuffix("-reporting-exception"), {"reporting-exception": path}
                )
        return found

    def _related(self, lei: str, relation: str) -> JsonObject | None:
        """One related thing; None where the copy does not hold that kind, or not the record of one that is reported.

        Raises GleifNotFound where none is reported.
        """
        if relation in EXCEPTIONS and newest("repex"):
            return _exception(lei, EXCEPTIONS[relation])
        kind = UP.get(relation.removesuffix("-relationship"))
        if kind is None or not newest("rr"):
            return None
        edge = LeiRelationship.objects.filter(
            start=lei, type=kind, register=RegisterName.LOCAL, status__in=_KNOWN
        ).first()
        if edge is None:
            raise GleifNotFound(f"The golden copy reports no {relation} of {lei}.")
        if relation.endswith("-relationship"):
            return {"type": "relationship-records", "attributes": edge.attributes}
        return next(iter(self._items_of([edge.end])), None)

    def _listed(self, lei: str, kind: str, limit: int | None) -> Items:
        edges = LeiRelationship.objects.filter(
            end=lei, type=kind, register=RegisterName.LOCAL, status__in=_KNOWN
        ).order_by("start")
        total = edges.count()
        found = self._items_of(edges.values_list("start", flat=True)[:limit])
        return Items(tuple(found), total, truncated=len(found) < total)

    def _named(self, query: dict[str, str], name: str, limit: int) -> Items:
        leis = find_leis(query.pop(name), min(limit, PAGE_SIZE), _narrowed(query))
        return Items(tuple(self._items_of(leis)), len(leis), truncated=len(leis) == limit)

    def _completions(self, text: str) -> list[JsonObject]:
        leis = find_leis(text, 10)
        names = dict(LeiRecord.objects.filter(pk__in=leis).values_list("pk", "legal_name"))
        return [
            {
                "type": "fuzzycompletions",
                "attributes": {"value": names[lei]},
                "relationships": {"lei-records": {"data": {"type": "lei-records", "id": lei}}},
            }
            for lei in leis
            if lei in names
        ]


def is_full_copy() -> bool:
    """Whether a full file of LEI records lies under the deltas, and no record of it was left out as wrong."""
    live = GoldenCopyImport.objects.filter(kind=GoldenCopyImport.Kind.LEI, state=GoldenCopyImport.State.LIVE)
    base = live.filter(scope=GoldenCopyImport.Scope.FULL).order_by("-id").first()
    return base is not None and not live.filter(pk__gte=base.pk).exclude(left_out=[]).exists()


def imported_register(live: Callable[[], GleifClient]) -> Imported | None:
    """The golden copy that is live; None where none has been imported."""
    newest_import = newest(GoldenCopyImport.Kind.LEI)
    if newest_import is None:
        return None
    return Imported(
        newest_import.pk, LocalCopy(newest_import, live()), int(newest_import.counts.get("held", 0))
    )


def _narrowed(query: Mapping[str, str]) -> Narrow | None:
    conditions = {FILTERS[key[7:-1]]: value for key, value in query.items() if key[7:-1] in FILTERS}
    document = Cast("attributes", JSONField())  # text: only the candidates are looked into
    return (lambda records: records.alias(document=document).filter(**conditions)) if conditions else None


def _exception(lei: str, category: str) -> JsonObject:
    found = ReportingException.objects.filter(lei=lei, category=category, register=RegisterName.LOCAL).first()
    if found is None:
        raise GleifNotFound(f"The golden copy has no {category} exception of {lei}.")
    return {
        "type": "reporting-exceptions",
        "attributes": {
            "lei": found.lei,
            "category": found.category,
            "reason": found.reason,
            "reference": found.reference or None,
        },
    }
