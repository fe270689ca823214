"""The demo register's answers: the paths, filters, paging and error bodies of GLEIF's API v1, over the table of facts.

Nothing here knows HTTP; ``adapter.py`` and ``server.py`` carry the same answers over ``requests`` and a socket.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from urllib.parse import urlencode

from common.likeness import fuzz, process
from entities.gleif.demo import items
from entities.gleif.demo.facts import AS_OF, Entity, load
from entities.gleif.records import (
    DIRECT_CONSOLIDATION,
    FUND_MANAGED,
    SUBFUND,
    ULTIMATE_CONSOLIDATION,
    JsonObject,
)

DEMO_URL = "demo://gleif/api/v1"
PER_PAGE, MOST_PER_PAGE = 15, 200
MOST_BY_NUMBER = 10_000  # beyond it the API wants the cursor
FUZZY_SCORE, FUZZY_HITS = 60, 10

UP = {  # one related record: the column that points to it, and the relationship's type
    "direct-parent": ("direct", DIRECT_CONSOLIDATION),
    "ultimate-parent": ("ultimate", ULTIMATE_CONSOLIDATION),
    "fund-manager": ("manager", FUND_MANAGED),
    "umbrella-fund": ("umbrella", SUBFUND),
}
DOWN = {  # the records that point here
    "direct-children": ("direct", DIRECT_CONSOLIDATION),
    "ultimate-children": ("ultimate", ULTIMATE_CONSOLIDATION),
    "managed-funds": ("manager", FUND_MANAGED),
    "sub-funds": ("umbrella", SUBFUND),
}
DOWN_RELATIONSHIPS = {
    "direct-child-relationships": "direct-children",
    "ultimate-child-relationships": "ultimate-children",
    "managed-fund-relationships": "managed-funds",
    "sub-fund-relationships": "sub-funds",
}
Answer = tuple[int, JsonObject]


class Refusal(Exception):
    """The answer is an error body."""

    def __init__(self, status: int, title: str, detail: str) -> None:
        self.status, self.title, self.detail = status, title, detail
        super().__init__(detail)


class DemoRegister:
    """Answers like the API, for the shipped table or for ``entities``; ``base`` is written into the links."""

    def __init__(self, entities: Iterable[Entity] | None = None, *, base: str = DEMO_URL) -> None:
        self.base = base
        self._entities = {entity.lei: entity for entity in (load() if entities is None else entities)}

    def __len__(self) -> int:
        return len(self._entities)

    def answer(self, path: str, query: Mapping[str, str] | None = None) -> Answer:
        """HTTP status and JSON:API body for a path below the base and its query parameters."""
        try:
            return 200, self._document(path.strip("/").split("/"), query or {})
        except Refusal as refusal:
            error = {"status": str(refusal.status), "title": refusal.title, "detail": refusal.detail}
            return refusal.status, {"errors": [error]}

    def _document(self, parts: list[str], query: Mapping[str, str]) -> JsonObject:
        match parts:
            case ["fuzzycompletions"]:
                return {"data": self._completions(query.get("q", ""))}
            case ["lei-records"]:
                found = [self._item(entity) for entity in self._filtered(query)]
                return self._page("lei-records", found, query)
            case ["lei-records", lei]:
                return self._single(self._item(self._entity(lei)))
            case ["lei-records", lei, relation]:
                return self._related(self._entity(lei), relation, query)
        raise Refusal(404, "Resource not found", "No such path")

    def _related(self, entity: Entity, relation: str, query: Mapping[str, str]) -> JsonObject:
        path = f"lei-records/{entity.lei}/{relation}"
        if relation in UP:
            return self._single(self._item(self._entity(entity.up(UP[relation][0]), related=True)))
        if relation == "successor-entity":
            return self._single(self._item(self._entity(entity.successor, related=True)))
        if relation in DOWN:
            return self._page(path, [self._item(one) for one in self._down(entity, relation)], query)
        if relation in DOWN_RELATIONSHIPS:
            return self._page(path, self._down_relationships(entity, DOWN_RELATIONSHIPS[relation]), query)
        if relation == "isins":
            return self._page(path, [_isin(entity, isin) for isin in entity.isins], query)
        return self._single(_up_relationship(entity, relation) or _exception(entity, relation))

    def _entity(self, lei: str, *, related: bool = False) -> Entity:
        if lei not in self._entities:
            detail = "Related resource not found" if related else "LEI record not found"
            raise Refusal(404, "Resource not found", detail)
        return self._entities[lei]

    def _item(self, entity: Entity) -> JsonObject:
        relations = [name for name in DOWN if self._down(entity, name)]
        relations += [name for name in ("fund-manager", "umbrella-fund") if entity.up(UP[name][0])]
        relations += ["isins"] if entity.isins else []
        relations += ["successor-entity"] if entity.successor in self._entities else []
        return items.record_item(entity, relations, self.base)

    def _down(self, entity: Entity, relation: str) -> list[Entity]:
        column, _ = DOWN[relation]
        return [child for child in self._entities.values() if child.up(column) == entity.lei]

    def _down_relationships(self, entity: Entity, relation: str) -> list[JsonObject]:
        _, type_ = DOWN[relation]
        return [
            items.relationship_item(child.lei, entity.lei, type_) for child in self._down(entity, relation)
        ]

    def _filtered(self, query: Mapping[str, str]) -> list[Entity]:
        found = list(self._entities.values())
        for key, value in query.items():
            if key.startswith("filter["):
                matches = FILTERS.get(key[7:-1])
                if matches is None:
                    raise Refusal(400, "Bad request", f"Unknown filter: {key[7:-1][:80]}")
                found = [entity for entity in found if matches(entity, value)]
        return found

    def _completions(self, text: str) -> list[JsonObject]:
        names = {entity.lei: fold(entity.name) for entity in self._entities.values()}
        hits = process.extract(
            fold(text), names, scorer=fuzz.WRatio, score_cutoff=FUZZY_SCORE, limit=FUZZY_HITS
        )
        return [self._completion(self._entities[lei]) for _, _, lei in hits]

    def _completion(self, entity: Entity) -> JsonObject:
        record = {"data": {"type": "lei-records", "id": entity.lei}}
        return {
            "type": "fuzzycompletions",
            "attributes": {"value": entity.name},
            "relationships": {"lei-records": record},
        }

    def _single(self, item: JsonObject) -> JsonObject:
        return {"meta": {"goldenCopy": {"publishDate": AS_OF}}, "data": item}

    def _page(self, path: str, data: list[JsonObject], query: Mapping[str, str]) -> JsonObject:
        size = min(_number(query, "page[size]", PER_PAGE), MOST_PER_PAGE)
        start = _start(query, size)
        shown = data[start : start + size]
        pagination = {
            "currentPage": start // size + 1,
            "perPage": size,
            "from": start + 1 if shown else None,
            "to": start + len(shown) if shown else None,
            "total": len(data),
            "lastPage": max(1, -(-len(data) // size)),
        }
        links = {"first": self._link(path, query, size, 0)}
        if start + size < len(data):
            links["next"] = self._link(path, query, size, start + size)
        meta = {"goldenCopy": {"publishDate": AS_OF}, "pagination": pagination}
        return {"meta": meta, "links": links, "data": shown}

    def _link(self, path: str, query: Mapping[str, str], size: int, start: int) -> str:
        kept = {key: value for key, value in query.items() if not key.startswith("page[")}
        if "page[cursor]" in query:
            page = {"page[cursor]": f"at-{start}" if start else "*"}
        else:
            page = {"page[number]": str(start // size + 1)}
        return f"{self.base}/{path}?{urlencode({**kept, **page, 'page[size]': str(size)})}"


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Text as the search compares it: case and accents do not matter."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(char for char in plain if not unicodedata.combining(char))
    return " ".join("".join(char if char.isalnum() else " " for char in letters).split())


def _has_words(text: str, wanted: str) -> bool:
    words = fold(wanted).split()
    return bool(words) and set(words) <= set(fold(text).split())


def _any_name(entity: Entity, wanted: str) -> bool:
    return any(_has_words(name, wanted) for name in (entity.name, *(other.name for other in entity.names)))


def _anywhere(entity: Entity, wanted: str) -> bool:
    names = (other.name for other in entity.names)
    return _has_words(" ".join((entity.lei, entity.name, *names, entity.seat, entity.register)), wanted)


FILTERS: dict[str, Callable[[Entity, str], bool]] = {
    "lei": lambda entity, value: entity.lei in value.split(","),
    "isin": lambda entity, value: not set(entity.isins).isdisjoint(value.split(",")),
    "entity.legalName": lambda entity, value: _has_words(entity.name, value),
    "entity.names": _any_name,
    "fulltext": _anywhere,
    "entity.category": lambda entity, value: entity.category in value.split(","),
    "entity.jurisdiction": lambda entity, value: entity.jurisdiction in value.split(","),
    "entity.legalAddress.country": lambda entity, value: (
        entity.seat.rpartition(" ")[2][:2] in value.split(",")
    ),
    "entity.status": lambda entity, value: entity.entity in value.split(","),
    "registration.status": lambda entity, value: entity.registration in value.split(","),
}


def _up_relationship(entity: Entity, relation: str) -> JsonObject | None:
    column, type_ = UP.get(relation.removesuffix("-relationship"), ("", ""))
    end = entity.up(column) if column and relation.endswith("-relationship") else ""
    return items.relationship_item(entity.lei, end, type_) if end else None


def _exception(entity: Entity, relation: str) -> JsonObject:
    for level in items.PARENTS:
        reason = entity.exception(level)
        if relation == f"{level}-parent-reporting-exception" and reason is not None:
            return items.exception_item(entity, level, reason)
    raise Refusal(404, "Resource not found", "Related resource not found")


def _isin(entity: Entity, isin: str) -> JsonObject:
    return {"type": "isins", "id": isin, "attributes": {"lei": entity.lei, "isin": isin}}


def _start(query: Mapping[str, str], size: int) -> int:
    cursor = query.get("page[cursor]")
    if cursor is None:
        start = (_number(query, "page[number]", 1) - 1) * size
        if start >= MOST_BY_NUMBER:
            raise Refusal(400, "Bad request", "Beyond 10,000 items the list is read with page[cursor]")
        return start
    if cursor == "*":
        return 0
    return _number({"page[cursor]": cursor.removeprefix("at-")}, "page[cursor]", 1)


def _number(query: Mapping[str, str], key: str, default: int) -> int:
    text = query.get(key, str(default))
    if not (text.isascii() and text.isdigit() and 0 < len(text) < 10 and int(text) > 0):
        raise Refusal(400, "Bad request", f"{key} must be a positive number")
    return int(text)
