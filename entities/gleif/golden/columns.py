"""Rows of GLEIF's CSV files as the API's ``attributes``.

A CSV column is a CDF path with dots for slashes, ``xmllang`` and ``type`` for the attributes, and a number for each
element that repeats. A file has 338 columns for an LEI record, most of them empty in any row, and millions of rows: so
the header is worked out once, into getters that take many columns at a time, and a list whose columns are all empty
costs one look.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, TypeAlias

from entities.gleif.golden import cdf
from entities.gleif.golden.cdf import Field, utc
from entities.gleif.records import JsonObject

Row: TypeAlias = Sequence[str]
Get: TypeAlias = Callable[[Row], tuple[str, ...]]
Columns: TypeAlias = dict[tuple[int, ...], int]  # the numbers in a column's name, and where it is

REQUIRED = {
    "lei2": ("LEI", "Entity.LegalName", "Entity.EntityStatus", "Registration.RegistrationStatus"),
    "rr": (
        "Relationship.StartNode.NodeID",
        "Relationship.EndNode.NodeID",
        "Relationship.RelationshipType",
        "Relationship.RelationshipStatus",
    ),
    "repex": ("LEI", "ExceptionCategory", "ExceptionReason"),
}
TABLES = {"lei2": cdf.LEI, "rr": cdf.RELATIONSHIP, "repex": cdf.EXCEPTION}
_ALIASES = {
    "Exception.Category": "ExceptionCategory",
    "Exception.Reason": "ExceptionReason",
    "Exception.Reference": "ExceptionReference",
    "Relationship.Period.startDate": "Relationship.RelationshipPeriods.RelationshipPeriod.StartDate",
    "Relationship.Period.endDate": "Relationship.RelationshipPeriods.RelationshipPeriod.EndDate",
    "Relationship.Period.periodType": "Relationship.RelationshipPeriods.RelationshipPeriod.PeriodType",
}
_EVENTS = "Entity.LegalEntityEvents.LegalEntityEvent"
_NUMBER = re.compile(r"\.(\d+)(?=\.|$)")


class Header:
    """The columns of a file by name without numbers; ``missing`` of what a kind of file needs."""

    def __init__(self, names: Iterable[str]) -> None:
        self.found: dict[str, Columns] = defaultdict(dict)
        self.width = 0
        for place, name in enumerate(names):
            self.width += 1
            numbers = tuple(int(number) for number in _NUMBER.findall(name))
            bare = _NUMBER.sub("", name.strip())
            self.found[_ALIASES.get(bare, bare)].setdefault(numbers, place)

    def missing(self, kind: str) -> list[str]:
        return [name for name in REQUIRED[kind] if name not in self.found]

    def one(self, name: str) -> int | None:
        """Where a column is that is there once, or the first of several."""
        return min(self.found[name].values()) if name in self.found else None

    def numbered(self, names: Mapping[str, str]) -> list[dict[str, int]]:
        """Columns of an element that repeats: per number what is where. ``names`` maps keys to column names."""
        elements: dict[tuple[int, ...], dict[str, int]] = defaultdict(dict)
        for key, name in names.items():
            for numbers, place in self.found.get(name, {}).items():
                elements[numbers[:1]][key] = place
        return [elements[numbers] for numbers in sorted(elements)]

    def all_of(self, name: str, first: int | None = None) -> list[int]:
        """Every column of a name in order; ``first`` limits to those under that number."""
        found = self.found.get(name, {})
        return [found[numbers] for numbers in sorted(found) if first is None or numbers[:1] == (first,)]


@dataclass(frozen=True, slots=True)
class _Part:
    """An object of the answer whose values are columns; it hangs in part ``parent`` under ``name``."""

    parent: int
    name: str
    keys: tuple[str, ...]
    get: Get
    dates: tuple[str, ...]
    lines: Get | None


@dataclass(frozen=True, slots=True)
class _List:
    """A list of the answer; nothing of it is there when ``span`` of a row is empty."""

    parent: int
    name: str
    span: slice
    items: tuple[Callable[[Row], Any], ...]


class Reader:
    """Makes ``attributes`` of rows under one header."""

    def __init__(self, kind: str, header: Header) -> None:
        self._parts: list[_Part] = []
        self._places: dict[tuple[str, ...], int] = {}
        self._lists: list[_List] = []
        table = TABLES[kind]
        scalars: dict[tuple[str, ...], list[Field]] = defaultdict(list)
        lists: dict[tuple[str, ...], list[Field]] = defaultdict(list)
        for field in table:
            (lists if field.repeats else scalars)[field.api if field.repeats else field.api[:-1]].append(
                field
            )
        for path in sorted(scalars, key=len):
            self._add_part(path, scalars[path], header)
        for path, members in lists.items():
            if members[0].api_item:
                self._add_list(path, _element_items(members, header))
        if kind == "lei2":
            self._add_list(("entity", "otherAddresses"), _addresses(header))
            self._events = _List(0, "", *_spanned(_events(header)))
        self._lei2 = kind == "lei2"
        self._conformity, self._deleted = header.one("ConformityFlag"), _deleted(header)

    def __call__(self, row: Row) -> JsonObject:
        made: list[JsonObject] = [{}]
        for part in self._parts:
            values: JsonObject = {
                key: value for key, value in zip(part.keys, part.get(row), strict=True) if value
            }
            for key in part.dates:
                if key in values:
                    values[key] = utc(values[key])
            if part.lines and (lines := [line for line in part.lines(row) if line]):
                values["addressLines"] = lines
            made.append(values)
            if part.name and values:
                made[part.parent][part.name] = values
            elif not part.name:
                made[0] |= values
        for each in self._lists:
            if any(row[each.span]) and (items := [item for make in each.items if (item := make(row))]):
                made[each.parent][each.name] = items
        return self._finished(made[0], row)

    def _finished(self, found: JsonObject, row: Row) -> JsonObject:
        if self._lei2:
            entity = found.setdefault("entity", {})
            cdf.add_successor(entity)
            if any(row[self._events.span]):
                entity["eventGroups"] = cdf.groups(
                    event for make in self._events.items if (event := make(row))
                )
            if self._conformity is not None and row[self._conformity]:
                found["conformityFlag"] = row[self._conformity]
        if self._deleted is not None and row[self._deleted]:
            found["extension"] = {"deletedAt": utc(row[self._deleted])}
        return found

    def _add_part(self, path: tuple[str, ...], members: Sequence[Field], header: Header) -> None:
        self._place(path[:-1])
        known = [(field, place) for field in members if (place := header.one(_column(field.cdf))) is not None]
        element = dict(cdf.ADDRESSES).get(path[-1]) if path else None
        parent = self._places.get(path[:-1], 0)
        self._parts.append(
            _Part(
                parent,
                path[-1] if path else "",
                tuple(field.api[-1] for field, _ in known),
                getter([place for _, place in known]),
                tuple(field.api[-1] for field, _ in known if field.date),
                getter(_line_columns(header, f"Entity.{element}")) if element else None,
            )
        )
        if path:
            self._places[path] = len(self._parts)

    def _add_list(self, path: tuple[str, ...], items: Sequence["_Item"]) -> None:
        if items:
            self._lists.append(_List(self._place(path[:-1]), path[-1], *_spanned(items)))

    def _place(self, path: tuple[str, ...]) -> int:
        """The part at a path; an empty one where nothing of its own is mapped."""
        if path and path not in self._places:
            parent = self._place(path[:-1])
            self._parts.append(_Part(parent, path[-1], (), getter([]), (), None))
            self._places[path] = len(self._parts)
        return self._places.get(path, 0)


@dataclass(frozen=True)
class _Item:
    """One element of a list: the columns it uses, and how it is made."""

    columns: list[int]
    make: Callable[[Row], Any]


def _spanned(items: Sequence[_Item]) -> tuple[slice, tuple[Callable[[Row], Any], ...]]:
    used = [column for item in items for column in item.columns]
    return slice(min(used, default=0), max(used, default=-1) + 1), tuple(item.make for item in items)


def _element_items(members: Sequence[Field], header: Header) -> list[_Item]:
    names = {".".join(field.api_item): _column((*field.cdf, *field.cdf_item)) for field in members}
    dates = tuple(".".join(field.api_item) for field in members if field.date)
    return [_item(places, dates) for places in header.numbered(names)]


def _item(places: Mapping[str, int], dates: tuple[str, ...]) -> _Item:
    keys, get = tuple(places), getter(list(places.values()))
    nested = any("." in key for key in keys)

    def make(row: Row) -> JsonObject:
        found: JsonObject = {key: value for key, value in zip(keys, get(row), strict=True) if value}
        for key in dates:
            if key in found:
                found[key] = utc(found[key])
        return _nested(found) if nested else found

    return _Item(list(places.values()), make)


def _nested(flat: JsonObject) -> JsonObject:
    found: JsonObject = {}
    for key, value in flat.items():
        *path, last = key.split(".")
        parent = found
        for step in path:
            parent = parent.setdefault(step, {})
        parent[last] = value
    return found


def _addresses(header: Header) -> list[_Item]:
    items = []
    for kind, path in cdf.OTHER_ADDRESSES:
        base = ".".join((*path, kind))
        names = {
            key: f"{base}.{_bare(element)}"
            for key, element in {**cdf.ADDRESS_FIELDS, "type": "@type"}.items()
        }
        numbers = sorted({key[0] for name in names.values() for key in header.found.get(name, {}) if key})
        for number, places in zip(numbers, header.numbered(names), strict=False):
            items.append(_address(kind, places, _line_columns(header, base, number)))
    return items


def _address(kind: str, places: Mapping[str, int], line_columns: list[int]) -> _Item:
    simple, lines = _item(places, ()), getter(line_columns)

    def make(row: Row) -> JsonObject | None:
        found = simple.make(row)
        if kept := [line for line in lines(row) if line]:
            found["addressLines"] = kept
        return {"fieldType": kind} | found if found else None

    return _Item([*simple.columns, *line_columns], make)


def _line_columns(header: Header, base: str, number: int | None = None) -> list[int]:
    return [
        place
        for element in ("FirstAddressLine", "AdditionalAddressLine")
        for place in header.all_of(f"{base}.{element}", number)
    ]


def _events(header: Header) -> list[_Item]:
    names = {key: f"{_EVENTS}.{_bare(element)}" for key, element in cdf.EVENT.items()}
    names |= {"group_type": f"{_EVENTS}.group_type", "group_id": f"{_EVENTS}.group_id"}
    affected = {
        "value": f"{_EVENTS}.AffectedFields.AffectedField",
        "xpath": f"{_EVENTS}.AffectedFields.field_xpath",
    }
    return [
        _event(places, *(header.all_of(affected[key], number) for key in ("value", "xpath")))
        for number, places in enumerate(header.numbered(names), start=1)
    ]


def _event(places: Mapping[str, int], values: list[int], xpaths: list[int]) -> _Item:
    simple = _item(places, ())

    def make(row: Row) -> tuple[str, str, JsonObject] | None:
        parts = simple.make(row)
        if not parts:
            return None
        kind, group_id = parts.pop("group_type", ""), parts.pop("group_id", "")
        pairs = zip(values, xpaths, strict=False)
        affected = [{"value": row[value], "xpath": row[xpath]} for value, xpath in pairs if row[value]]
        return kind, group_id, cdf.clean_event(parts, affected)

    return _Item([*simple.columns, *values, *xpaths], make)


def _deleted(header: Header) -> int | None:
    return next((header.one(name) for name in header.found if name.lower().endswith("deletedat")), None)


def _column(path: Iterable[str]) -> str:
    return ".".join(map(_bare, path))


def _bare(step: str) -> str:
    return step.removeprefix("@").replace("xml:lang", "xmllang")


def getter(columns: Sequence[int]) -> Get:
    """Several columns at once, always as a tuple."""
    if len(columns) > 1:
        return itemgetter(*columns)
    if columns:
        only = columns[0]
        return lambda row: (row[only],)
    return lambda row: ()
