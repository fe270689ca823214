"""Natural persons are shown only to people with a right of their own, in whatever list or answer they would stand.

Reading for somebody without the right, the functions of memory that look up and list leave persons out. What writes
and what runs by itself sees everybody: a person whom somebody may not see must still not be created twice.

Whoever has the right is told of: that they looked is recorded.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import UUID

from django.contrib.auth.models import AbstractUser, AnonymousUser
from django.db.models import Model, Q, QuerySet

from entities.memory.looks import keep_looks
from entities.models import Entity, LookHow

VIEW_PERSON = "entities.view_person"
Row = TypeVar("Row", bound=Model)


@dataclass
class Reader:
    """For whom something is read, through which door, and which natural persons were shown."""

    person: AbstractUser | AnonymousUser | None
    how: str
    shown: dict[UUID, None] = field(default_factory=dict)


_hidden: ContextVar[bool] = ContextVar("people_are_hidden", default=False)
_reader: ContextVar[Reader | None] = ContextVar("reader", default=None)


def may_see_people(person: AbstractUser | AnonymousUser) -> bool:
    """Whether somebody may see natural persons."""
    return bool(person.is_active and person.has_perm(VIEW_PERSON))


@contextmanager
def as_seen_by(person: AbstractUser | AnonymousUser, how: str = LookHow.PAGE) -> Iterator[None]:
    """Look up and list as this person may see it; at its end it is recorded which natural persons were shown."""
    reader = Reader(person, how)
    hidden, reading = _hidden.set(not may_see_people(person)), _reader.set(reader)
    try:
        yield
    finally:
        _hidden.reset(hidden)
        _reader.reset(reading)
        if reader.shown and isinstance(reader.person, AbstractUser):
            keep_looks(reader.person, reader.how, reader.shown)


def shown(*entities: UUID) -> None:
    """What is known of these is shown to whoever reads; who is no natural person is not recorded."""
    reader = _reader.get()
    if reader is not None and not _hidden.get():
        reader.shown.update(dict.fromkeys(entities))


def seen(rows: QuerySet[Row], *paths: str) -> QuerySet[Row]:
    """The rows without those about natural persons, if these are hidden; ``paths`` lead to entities, "" is the row."""
    return without_people(rows, *paths) if _hidden.get() else rows


def without_people(rows: QuerySet[Row], *paths: str) -> QuerySet[Row]:
    """The rows of which no entity at the end of the paths is a natural person."""
    about: dict[str, Any] = {f"{path}__type" if path else "type": Entity.Type.PERSON for path in paths}
    return rows.exclude(Q(**about, _connector=Q.OR)) if about else rows


def is_hidden(entity: Entity) -> bool:
    """Whether this one may not be shown now."""
    return _hidden.get() and entity.type == Entity.Type.PERSON


def see_as(person: AbstractUser | AnonymousUser | None) -> None:
    """Within ``as_seen_by``: it is this person after all; None sees everybody."""
    _hidden.set(person is not None and not may_see_people(person))
    reader = _reader.get()
    if reader is not None:
        reader.person = person
