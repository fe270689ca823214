"""What is stored of a record of the golden copy, made from the API's ``attributes`` or straight from a row of CSV.

Two rows of CSV with the same empty cells give documents of the same shape. So the shape is worked out once, by reading
a row whose cells hold their own column's number, and rows of that shape only fill it in: twice as fast.
"""

import json
import re
from collections.abc import Callable, Sequence
from datetime import date
from functools import lru_cache, partial
from itertools import compress
from json.encoder import encode_basestring  # type: ignore[attr-defined,unused-ignore]
from typing import Any, NamedTuple, TypeAlias, TypeVar

from entities.gleif.golden.cdf import utc
from entities.gleif.golden.columns import Header, Reader, Row, getter
from entities.gleif.records import LEGAL_NAME, JsonObject
from entities.lei import check_format, is_valid

SHAPES = 4_096  # kept at a time; a shape has some 3 kB
Name: TypeAlias = tuple[str, str, str]  # name, type, language
_MARK = "\ue000"  # a private character: it begins the number of a cell in a row that only shows a shape
_CELL = re.compile(f'"{_MARK}(\\d+)"')
_Made = TypeVar("_Made")
Fill: TypeAlias = Callable[[list[str], bool], _Made]
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class BadRecord(Exception):
    """A record that cannot be in a file of the golden copy; the message is one sentence without a full stop."""


class LeiRow(NamedTuple):
    """An LEI record as it is stored; ``document`` is its ``attributes`` as JSON text."""

    lei: str
    legal_name: str
    jurisdiction: str
    category: str
    entity_status: str
    registration_status: str
    next_renewal: str | None
    successor: str
    document: str
    names: Sequence[Name]


class RelationshipRow(NamedTuple):
    """A relationship as it is stored."""

    start: str
    end: str
    type: str
    status: str
    document: str
    deleted: bool


class ExceptionRow(NamedTuple):
    """A reporting exception as it is stored."""

    lei: str
    category: str
    reason: str
    reference: str
    deleted: bool


def lei_row(attributes: JsonObject) -> LeiRow:
    """Raises BadRecord when the LEI is missing or cannot be one."""
    entity: JsonObject = attributes.get("entity") or {}
    registration: JsonObject = attributes.get("registration") or {}
    successors = entity.get("successorEntities") or [{}]
    return LeiRow(
        checked(attributes.get("lei") or ""),
        _of(entity, "legalName", "name"),
        (entity.get("jurisdiction") or "")[:10],
        (entity.get("category") or "")[:40],
        (entity.get("status") or "")[:20],
        (registration.get("status") or "")[:30],
        day(registration.get("nextRenewalDate") or ""),
        (successors[0].get("lei") or "")[:20],
        _encode(attributes),
        _names(entity),
    )


def relationship_row(attributes: JsonObject) -> RelationshipRow:
    """Raises BadRecord when a node is missing or no LEI."""
    relation = attributes.get("relationship") or {}
    return RelationshipRow(
        checked(_of(relation, "startNode", "id"), "start node"),
        checked(_of(relation, "endNode", "id"), "end node"),
        (relation.get("type") or "")[:40],
        (relation.get("status") or "")[:20],
        _encode(attributes),
        _deleted(attributes),
    )


def exception_row(attributes: JsonObject) -> ExceptionRow:
    """Raises BadRecord when the LEI or the category is missing."""
    category = (attributes.get("category") or "")[:60]
    if not category:
        raise BadRecord("a reporting exception without a category")
    return ExceptionRow(
        checked(attributes.get("lei") or ""),
        category,
        (attributes.get("reason") or "")[:60],
        attributes.get("reference") or "",
        _deleted(attributes),
    )


ROWS: dict[str, Callable[[JsonObject], Any]] = {
    "lei2": lei_row,
    "rr": relationship_row,
    "repex": exception_row,
}


class CsvRows:
    """Makes what is stored of the rows of one CSV file."""

    def __init__(self, kind: str, header: Header) -> None:
        self.width = header.width
        self._read, self._make = Reader(kind, header), ROWS[kind]
        self._quick = kind == "lei2"
        self._grouped = set(header.all_of("Entity.LegalEntityEvents.LegalEntityEvent.group_id"))
        self._filling = lru_cache(maxsize=SHAPES)(self.filling)

    def __call__(self, row: Row) -> Any:
        columns = tuple(compress(range(self.width), row))
        return self._filling(columns)([cell for cell in row if cell], False)

    def filling(self, columns: Sequence[int]) -> Fill[Any]:
        """How a row is made of the cells of these columns, all others being empty.

        It takes the cells, and whether none of them holds what JSON writes otherwise.
        """
        shape = self.shape(columns)
        return shape.fill if shape else partial(self._spread, columns)

    def shape(self, columns: Sequence[int]) -> "Shape | None":
        """What all rows with these columns have in common; None where they are too different."""
        if not self._quick or self._grouped.intersection(columns):
            return None
        marked = [""] * self.width
        for place, column in enumerate(columns):
            marked[column] = f"{_MARK}{place}"
        return Shape(self._read(marked))

    def _spread(self, columns: Sequence[int], cells: list[str], plain: bool) -> Any:
        """Where the shape depends on more than what is empty: events in groups."""
        row = [""] * self.width
        for column, cell in zip(columns, cells, strict=True):
            row[column] = cell
        return self._make(self._read(row))


class Shape:
    """Documents with the same fields: what to take from which of the filled cells.

    ``template`` is the document, ``places`` where the cells for it are, ``main`` those of a row's other columns (-1 for
    what is empty); of the cells in the document those at ``dates`` are dates. ``names`` are (name, fixed type, place of
    the type, language).
    """

    def __init__(self, attributes: JsonObject) -> None:
        text = _encode(attributes).replace("%", "%%")
        self.template = _CELL.sub('"%s"', text)
        self.places = [int(found) for found in _CELL.findall(text)]
        self.dates = [
            number
            for number, path in enumerate(_paths(attributes))
            if path.endswith("Date") or path == "date"
        ]
        entity, registration = attributes.get("entity") or {}, attributes.get("registration") or {}
        successors = entity.get("successorEntities") or [{}]
        self.main = [
            _place(attributes.get("lei")),
            _place((entity.get("legalName") or {}).get("name")),
            _place(entity.get("jurisdiction")),
            _place(entity.get("category")),
            _place(entity.get("status")),
            _place(registration.get("status")),
            _place(registration.get("nextRenewalDate")),
            _place(successors[0].get("lei")),
        ]
        names = _names(entity)
        legal = sum(kind == LEGAL_NAME for _, kind, _ in names)  # 1, or 0 for a record without a legal name
        self.names = [
            (_place(name), *((LEGAL_NAME, -1) if number < legal else ("", _place(kind))), _place(language))
            for number, (name, kind, language) in enumerate(names)
        ]
        self._cells, self._main = getter(self.places), getter(self.main)

    def fill(self, filled: list[str], plain: bool) -> LeiRow:
        """The row of these cells, which are ``plain`` when none holds what JSON writes otherwise."""
        filled.append("")  # what is not there is the last
        cells = list(self._cells(filled))
        for number in self.dates:
            cells[number] = utc(cells[number])
        if not plain:
            cells = [encode_basestring(cell)[1:-1] for cell in cells]
        lei, legal, jurisdiction, category, status, registered, renewal, successor = self._main(filled)
        return LeiRow(
            checked(lei),
            legal,
            jurisdiction[:10],
            category[:40],
            status[:20],
            registered[:30],
            day(utc(renewal)),
            successor[:20],
            self.template % tuple(cells),
            [(filled[name], word or filled[kind], filled[tongue]) for name, word, kind, tongue in self.names],
        )


def checked(lei: str, what: str = "LEI") -> str:
    """An LEI as it stands. Raises BadRecord when there is none or its form or check digits are wrong."""
    if is_valid(lei):
        return lei
    if not lei:
        raise BadRecord(f"a record without its {what}")
    why = check_format(lei).message.rstrip(".") or "it has blanks or small letters"
    raise BadRecord(f"the {what} {lei[:40]!r} is no LEI: {why}")


@lru_cache(maxsize=20_000)
def day(text: str) -> str | None:
    """The day of a date in UTC; None where it is none."""
    try:
        return date.fromisoformat(text[:10]).isoformat() if text else None
    except ValueError:
        return None


def _names(entity: JsonObject) -> list[Name]:
    legal = entity.get("legalName") or {}
    found = [(legal.get("name") or "", LEGAL_NAME, legal.get("language") or "")]
    for key in ("otherNames", "transliteratedOtherNames"):
        found += (
            (name.get("name") or "", name.get("type") or "", name.get("language") or "")
            for name in entity.get(key) or []
        )
    return [name for name in found if name[0]]


def _of(parent: JsonObject, part: str, key: str) -> str:
    return (parent.get(part) or {}).get(key) or ""


def _deleted(attributes: JsonObject) -> bool:
    return bool((attributes.get("extension") or {}).get("deletedAt"))


def _place(mark: str | None) -> int:
    """The place among the filled cells that a mark stands for; the last, which is empty, for nothing."""
    return int(mark[1:]) if mark else -1


def _paths(value: Any, name: str = "") -> list[str]:
    """The keys of all texts that come from cells, in the order in which they are written."""
    if isinstance(value, dict):
        return [path for key, part in value.items() for path in _paths(part, key)]
    if isinstance(value, list):
        return [path for part in value for path in _paths(part, name)]
    return [name] if value and value.startswith(_MARK) else []
