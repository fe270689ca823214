"""Natural persons are shown only to people with a right of their own, in whatever list or answer they would stand.

Reading for somebody without the right, the functions of memory that look up and list leave persons out. What writes
and what runs by itself sees everybody: a person whom somebody may not see must still not be created twice.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from django.contrib.auth.models import AbstractUser, AnonymousUser
from django.db.models import Model, Q, QuerySet

from entities.models import Entity

VIEW_PERSON = "entities.view_person"
Row = TypeVar("Row", bound=Model)
_hidden: ContextVar[bool] = ContextVar("people_are_hidden", default=False)


def may_see_people(person: AbstractUser | AnonymousUser) -> bool:
    """Whether somebody may see natural persons."""
    return bool(person.is_active and person.has_perm(VIEW_PERSON))


@contextmanager
def as_seen_by(person: AbstractUser | AnonymousUser) -> Iterator[None]:
    """Look up and list as this person may see it."""
    token = _hidden.set(not may_see_people(person))
    try:
        yield
    finally:
        _hidden.reset(token)


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
