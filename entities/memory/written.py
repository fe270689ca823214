"""Which rows a piece of work made, changed and relied on, exactly enough to take it back as long as nobody built on it.

The writers of memory tell it as they write; what stands in the rows is read from the database at the end, so that
nothing has to be told twice. Long values are kept by their digest where it is enough to see that they changed.
"""

import hashlib
import json
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, Literal, TypeAlias

from django.db import models

from entities.models import Entity, EntityEvent, EntityResearch, Relationship, Representation

Key: TypeAlias = tuple[str, str]
How: TypeAlias = Literal["made", "changed", "met"]
Row: TypeAlias = Any  # a row of one of TABLES

TABLES: dict[str, type[models.Model]] = {
    "entity": Entity,
    "representation": Representation,
    "relationship": Relationship,
    "entityevent": EntityEvent,
    "entityresearch": EntityResearch,
}
HOLDERS = {"representation": "entity", "relationship": "subject", "entityevent": "entity"}
ASIDE = frozenset({"id", "created_at", "updated_at"})  # says nothing of what was stated
VOUCHED = "verified_at"  # kept with every changed entity: a person may vouch for what was changed
MAX_ROWS = 50_000
MAX_VALUE = 2_000
MAX_WORDS = 300
CHUNK = 500


@dataclass(frozen=True)
class Written:
    """One row: ``old`` is what changed fields held, ``new`` what they hold since; of a row that was made, all fields.

    A field that holds a JSON object counts by its keys (``metadata.status``); one that is missing was not there.
    """

    table: str
    row: str
    how: How
    entity: str
    what: str
    old: dict[str, Any] = field(default_factory=dict)
    new: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        return self.table, self.row


class Ledger:
    """What is told of rows while they are written; ``overflown`` says that it were too many to keep."""

    def __init__(self) -> None:
        self._rows: dict[Key, dict[str, Any] | None] = {}  # old values by field; None for a row that was made
        self.overflown = False

    def made(self, row: models.Model) -> None:
        """The row is new."""
        self._entry(row, None)

    def changed(self, row: models.Model, old: Mapping[str, Any]) -> None:
        """Fields of the row were written over; ``old`` is what they held."""
        entry = self._entry(row, {})
        if entry is not None:
            for name, value in old.items():
                entry.setdefault(name, value)

    def met(self, row: models.Model) -> None:
        """The row was there and says what was to be said: the work rests on it."""
        self._entry(row, {})

    def settled(self) -> list[Written]:
        """The account, in the order of writing."""
        now = rows_of(self._rows)
        return [_written(key, old, now[key]) for key, old in self._rows.items() if key in now]

    def _entry(self, row: models.Model, new: dict[str, Any] | None) -> dict[str, Any] | None:
        key = (str(row._meta.model_name), str(row.pk))
        if key not in self._rows and len(self._rows) >= MAX_ROWS:
            self.overflown = True
            return None
        return self._rows.setdefault(key, new)


def rows_of(keys: Iterable[Key], *, lock: bool = False) -> dict[Key, Row]:
    """The rows as the database has them now, those that are still there; entities first, each table in order."""
    wanted: dict[str, list[str]] = {table: [] for table in TABLES}
    for table, pk in keys:
        wanted[table].append(pk)
    found: dict[Key, Row] = {}
    for table, pks in wanted.items():
        for chunk in chunks(sorted(pks)):
            found |= {(table, str(row.pk)): row for row in _read(table, chunk, lock)}
    return found


def chunks(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """No database takes any number of values in one statement."""
    return (items[start : start + CHUNK] for start in range(0, len(items), CHUNK))


def facts(row: Row) -> dict[str, Any]:
    """What the row says, by path, long values by their digest."""
    fields = (each for each in row._meta.concrete_fields if each.name not in ASIDE)
    said = (item for each in fields for item in paths(each.attname, each.value_from_object(row)).items())
    return {path: brief(value) for path, value in said}


def paths(name: str, value: Any) -> dict[str, Any]:
    """A field as JSON can keep it; one that holds an object as one path for each of its keys."""
    if isinstance(value, dict):
        return {f"{name}.{key}": as_json(item) for key, item in value.items()}
    return {name: as_json(value)}


def as_json(value: Any) -> Any:
    """The same text for the same value, whichever database it comes from."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, Decimal | date | uuid.UUID):
        return str(value)
    return value


def brief(value: Any) -> Any:
    """The value, or if it is long the digest of it."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return value if len(text) <= MAX_VALUE else {"sha256": hashlib.sha256(text.encode()).hexdigest()}


def holder_of(row: Row) -> Entity:
    """The entity that the row is a fact about."""
    holder: Entity = row if isinstance(row, Entity) else getattr(row, HOLDERS.get(_table(row), "entity"))
    return holder


def _table(row: Row) -> str:
    return str(row._meta.model_name)


def _read(table: str, pks: Sequence[str], lock: bool) -> Iterable[Row]:
    rows = TABLES[table]._default_manager.filter(pk__in=pks).order_by("pk")
    related = {"relationship": ("subject", "object"), "entity": ()}.get(table, ("entity",))
    rows = rows.select_related(*related) if related else rows
    return rows.select_for_update(of=("self",)) if lock else rows


def _written(key: Key, old: dict[str, Any] | None, row: Row) -> Written:
    about: dict[str, Any] = {"entity": holder_of(row).slug, "what": _words(row)}
    if old is None:
        return Written(*key, "made", **about, new=facts(row))
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    for name, value in old.items():
        was, is_now = paths(name, value), paths(name, getattr(row, name))
        moved = {path for path in {*was, *is_now} if was.get(path, key) != is_now.get(path, key)}
        before |= {path: was[path] for path in moved & was.keys()}
        after |= {path: brief(is_now[path]) for path in moved & is_now.keys()}
    if not before and not after:
        return Written(*key, "met", **about)
    if isinstance(row, Entity):
        after[VOUCHED] = as_json(row.verified_at)
    return Written(*key, "changed", **about, old=before, new=after)


def _words(row: Row) -> str:
    if isinstance(row, Entity):
        text = str(row)
    elif isinstance(row, Relationship):
        text = f"{row.type} {row.object.slug}"
    elif isinstance(row, EntityEvent):
        text = f"{row.type}: {row.summary}"
    elif isinstance(row, EntityResearch):
        text = f"findings of {row.at:%Y-%m-%d}"
    else:
        text = str(row)
    return text[:MAX_WORDS]
