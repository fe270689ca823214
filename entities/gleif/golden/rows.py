"""What is stored of a record of the golden copy: a line of text for each row of the register's tables.

The lines are as PostgreSQL's COPY reads them. Rows of a CSV file that fill the same columns give documents of the same
shape. So a shape is worked out once, from a row whose cells hold the number of their column, and rows of that shape
only fill it in: in a seventh of the time.
"""

import json
import re
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from itertools import compress
from operator import itemgetter
from typing import Any, TypeAlias

from entities.gleif.golden.attributes import attributes_of, column, field_of, utc
from entities.gleif.records import JsonObject
from entities.lei import check_format, is_valid
from entities.names.abbreviations import ABBREVIATED, stated_names
from entities.names.keys import search_key
from entities.names.matching import LEGAL_NAME

SHAPES = 4_096  # kept at a time; a shape has some 3 kB
GONE = "gone"  # the register of an incoming row that a delta takes away
Lines: TypeAlias = tuple[str, ...]  # the lines of one record for each table, in the order of ``store.TABLES``
Stamp: TypeAlias = tuple[str, str, str]  # register, publish date, when it was read
Name: TypeAlias = tuple[str, str, str]  # name, type, language
COLUMNS: dict[
    str, tuple[tuple[str, str], ...]
] = {  # where a column is in the attributes, and how long it may be
    "lei2": (
        ("lei", "%s"),
        ("entity.legalName.name", "%s"),
        ("entity.jurisdiction", "%.10s"),
        ("entity.category", "%.40s"),
        ("entity.status", "%.20s"),
        ("registration.status", "%.30s"),
        ("registration.nextRenewalDate", "%s"),
        ("entity.successorEntity.lei", "%.20s"),
    ),
    "rr": (
        ("relationship.startNode.id", "%s"),
        ("relationship.endNode.id", "%s"),
        ("relationship.type", "%.40s"),
        ("relationship.status", "%.20s"),
    ),
    "repex": (("lei", "%s"), ("category", "%.60s"), ("reason", "%.60s"), ("reference", "%s")),
}
RENEWAL, CATEGORY = 6, 1  # columns of an LEI record and of an exception
_MARK = "\ue000"  # a private character: it begins the number of a column in a row that only shows a shape
_CELL = re.compile(f'"{_MARK}(\\d+)"')
_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class BadRecord(Exception):
    """A record that cannot be in a file of the golden copy; the message is one sentence without a full stop."""


def lines_of(kind: str, attributes: JsonObject, stamp: Stamp) -> Lines:
    """Raises BadRecord when an LEI is missing or cannot be one, or an exception has no category."""
    cells = [(size % _at(attributes, path)).translate(_ESCAPES) for path, size in COLUMNS[kind]]
    _check(kind, cells)
    document = [] if kind == "repex" else [_encode(attributes).translate(_ESCAPES)]
    record = "\t".join((*cells, *document, *_stamped(attributes, stamp))) + "\n"
    names = [
        "\t".join((cells[0], *(part.translate(_ESCAPES) for part in name), search_key(name[0]))) + "\n"
        for stated in _names(attributes)
        for name in _stated_in(stated)
    ]
    return (record, "".join(names)) if kind == "lei2" else (record,)


class CsvRows:
    """Makes lines of the rows of one CSV file with the given header. Raises BadRecord as ``lines_of`` does."""

    def __init__(self, kind: str, header: Sequence[str], stamp: Stamp) -> None:
        self._kind, self._header, self._stamp = kind, header, stamp
        self._places = [*range(len(header))]
        self._grouped = {place for place in self._places if column(header[place]).name.endswith(".group_id")}
        self._shape = lru_cache(maxsize=SHAPES)(self._new_shape)

    def __call__(self, cells: list[str]) -> Lines:
        shape = self._shape(tuple(compress(self._places, cells)))
        return (shape and shape(cells)) or self.by_fields(cells)

    def by_fields(self, cells: Sequence[str]) -> Lines:
        """The lines of a row, field by field."""
        return lines_of(
            self._kind, attributes_of(self._kind, zip(self._header, cells, strict=False)), self._stamp
        )

    def _new_shape(self, filled: tuple[int, ...]) -> "Shape | None":
        """What all rows with these columns have in common; None where events are grouped by what is in them."""
        if self._grouped.intersection(filled):
            return None
        marked = attributes_of(self._kind, ((self._header[place], f"{_MARK}{place}") for place in filled))
        fields = ((place, field_of(self._kind, self._header[place])) for place in filled)
        dates = [place for place, field in fields if field and field.is_date]
        return Shape(self._kind, marked, dates, self._stamp)


class Shape:
    """Makes lines of rows whose documents have the same fields as ``marked``, in which a mark names a text's column."""

    def __init__(self, kind: str, marked: JsonObject, dates: Sequence[int], stamp: Stamp) -> None:
        self._kind, self._dates = kind, dates
        text = _encode(marked).replace("%", "%%")
        document = [] if kind == "repex" else [_CELL.sub('"%s"', text)]
        after = (part.replace("%", "%%") for part in _stamped(marked, stamp))
        self._record = "\t".join((*(size for _, size in COLUMNS[kind]), *document, *after)) + "\n"
        places = [_place(_at(marked, path)) for path, _ in COLUMNS[kind]]
        self._cells = itemgetter(*places, *map(int, _CELL.findall(text) if document else ()))
        self._names = [
            (_place(name), "" if _place(word) >= 0 else word, _place(word), _place(tongue))
            for name, word, tongue in _names(marked)
        ]

    def __call__(self, row: list[str]) -> Lines | None:
        """None for a row in which something must be escaped."""
        row.append("")  # what is not there is the last
        for place in self._dates:
            if len(day := row[place]) != 20 or day[-1] != "Z":  # else it is as ``utc`` writes it
                row[place] = utc(day)
        cells = [*self._cells(row)]
        text = "".join(cells)
        if "\\" in text or '"' in text or not text.isprintable():
            return None
        _check(self._kind, cells)
        record = self._record % tuple(cells)
        if self._kind != "lei2":
            return (record,)
        names = [
            f"{cells[0]}\t{name}\t{kind}\t{language}\t{search_key(name)}\n"
            for place, word, type, tongue in self._names
            for name, kind, language in _stated_in((row[place], word or row[type][:60], row[tongue][:20]))
        ]
        return record, "".join(names)


def _stated_in(name: Name) -> tuple[Name, ...]:
    """The name, and where it states its abbreviation both parts of it."""
    text, kind, language = name
    parts = stated_names(text)
    return (name, (parts[0], kind, language), (parts[1], ABBREVIATED, language)) if parts else (name,)


def checked(lei: str, what: str = "LEI") -> None:
    """Raises BadRecord when there is no LEI or its form or check digits are wrong."""
    if is_valid(lei):
        return
    if not lei:
        raise BadRecord(f"a record without its {what}")
    why = check_format(lei).message.rstrip(".") or "it has blanks or small letters"
    raise BadRecord(f"the {what} {lei[:40]!r} is no LEI: {why}")


def _check(kind: str, cells: list[str]) -> None:
    """Whether the columns can be those of a record; a date that is none becomes null."""
    if kind == "rr":
        checked(cells[0], "start node")
        checked(cells[1], "end node")
        return
    if kind == "repex" and not cells[CATEGORY]:
        raise BadRecord("a reporting exception without a category")
    checked(cells[0])
    if kind == "lei2":
        cells[RENEWAL] = _day(cells[RENEWAL])


@lru_cache(maxsize=20_000)
def _day(text: str) -> str:
    """The day of a date in UTC; null where it is none."""
    try:
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        return "\\N"


def _stamped(attributes: JsonObject, stamp: Stamp) -> Stamp:
    return (GONE, *stamp[1:]) if "extension" in attributes else stamp


def _names(attributes: JsonObject) -> list[Name]:
    entity = attributes.get("entity", {})
    legal = entity.get("legalName", {})
    found = [(legal.get("name", ""), LEGAL_NAME, legal.get("language", ""))]
    for key in ("otherNames", "transliteratedOtherNames"):
        found += (
            (name.get("name", ""), name.get("type", ""), name.get("language", ""))
            for name in entity.get(key, ())
        )
    return [(name, word[:60], language[:20]) for name, word, language in found if name]


def _at(attributes: Any, path: str) -> str:
    for key in path.split("."):
        attributes = attributes.get(key) or {}
    return attributes or ""


def _place(mark: str) -> int:
    """The column that a mark stands for; the last, which is empty, for anything else."""
    return int(mark[1:]) if mark.startswith(_MARK) else -1
