"""Who waits for whom: one writer at a time for one thing, and all locks in one order, so that no two wait in a circle.

PostgreSQL has locks for it. SQLite needs none: its transactions begin IMMEDIATE, so writers queue as a whole.
"""

import hashlib
from collections.abc import Iterable

from django.db import connection

from entities.models import Entity, name_key
from entities.names.keys import search_key
from entities.names.pieces import without_forms

PLACES = (
    1_024  # a transaction holds at most so many locks, however much it writes; two things may share a place
)
_CLAIMS = 0x0D055  # the half of a lock's number that says that it is a claim


def alongside(key: str) -> None:
    """Until the end of the transaction together with others who call this, but never with who is ``one_at_a_time``."""
    _lock(key, "pg_advisory_xact_lock_shared")


def one_at_a_time(key: str) -> None:
    """Until the end of the transaction nobody else comes past this line with the same key."""
    _lock(key, "pg_advisory_xact_lock")


def claim(keys: Iterable[str]) -> None:
    """Until the end of the transaction nobody else has any of these; taken in one order, whoever asks.

    A piece of work claims all that it is about before it writes the first row: two that claim one after the other as
    they go along come to wait for each other. What is claimed may be claimed again.
    """
    places = sorted({_number(key) % PLACES for key in keys})
    if places:
        _take(places)


def keys_of(*entities: Entity, names: Iterable[str] = (), leis: Iterable[str] = ()) -> set[str]:
    """What to claim for entities that are there, for LEIs, and for names by which entities may be found or created."""
    wanted = {name for name in names if name}
    known = Entity.objects.filter(
        name_keys__key__in={name_key(name) for name in wanted}, name_keys__own=True, merged_into=None
    )
    found = [*entities, *(known.only("pk", "lei")[:PLACES] if wanted else ())]
    return {
        *(f"lei {each.lei}" if each.lei else f"entity {each.pk}" for each in found),
        *(f"lei {lei}" for lei in leis if lei),
        *map(key_of_name, wanted),
    }


def key_of_name(name: str) -> str:
    """The key of all entities of a name, whatever legal form it is written with: no key of the database tells them."""
    return f"name {without_forms(search_key(name)) or name_key(name)}"


def key_of_symbol(symbol: str) -> str:
    return f"symbol {name_key(symbol)}"


def _take(places: list[int]) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(pg_advisory_xact_lock(%s, place)) FROM unnest(%s::int[]) AS place",
                [_CLAIMS, places],
            )


def _lock(key: str, function: str) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {function}(%s)", [_number(key)])


def _number(key: str) -> int:
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big", signed=True)
