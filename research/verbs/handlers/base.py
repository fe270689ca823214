"""Shared helpers of handlers."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from entities import lei as iso17442
from entities import memory
from entities.gleif.register import Register
from entities.memory import ChangeLog
from entities.models import Entity

JsonObject: TypeAlias = dict[str, Any]


class VerbRefused(Exception):
    """The verb cannot be executed. The message is for people."""


@dataclass(frozen=True)
class Context:
    """What a verb may use: the register, and the outputs of earlier calls by symbol."""

    register: Register
    symbols: Mapping[str, JsonObject]
    source: str


@dataclass(frozen=True)
class Write:
    """What a verb changes: ``about`` are the keys of all that it may touch, see ``entities.memory.locks``.

    They are claimed before the first row is written. Two verbs about the same then follow one another; without this
    each would hold rows that the other waits for.
    """

    make: Callable[[ChangeLog], JsonObject]
    about: Collection[str] = ()

    def __call__(self, log: ChangeLog) -> JsonObject:
        memory.claim(self.about)
        return self.make(log)


Handler: TypeAlias = Callable[[JsonObject, Context], Write]


def reads(output: JsonObject) -> Write:
    """A verb without writes."""
    return Write(lambda log: output)


def find_entity(reference: Any, context: Context) -> Entity:
    """The entity that an argument means: a bound symbol, an LEI, a slug, a UUID or a unique name.

    Raises:
        VerbRefused: the entity is unknown, or several match (the message names them).
    """
    if isinstance(reference, dict) and "symbol" in reference:
        symbol = reference["symbol"]
        output = context.symbols.get(symbol)
        if output is None:
            raise VerbRefused(f"@{symbol} was not bound by an earlier call that succeeded")
        reference = str(output.get("entity_id") or output.get("lei") or "")
    found = memory.resolve(str(reference))
    if found.entity:
        return found.entity
    names = ", ".join(f"{entity} ({entity.slug})" for entity in found.candidates)
    if found.candidates and found.how not in (memory.ALIKE, memory.PART):
        raise VerbRefused(f"{str(reference)[:200]!r} could mean several entities: {names}")
    nearest = f"; {'the nearest are' if len(found.candidates) > 1 else 'the nearest is'} {names}" * bool(
        names
    )
    raise VerbRefused(f"no entity is known as {str(reference)[:200]!r}{nearest}")


def lei_of(arguments: JsonObject, context: Context, key: str = "lei") -> str:
    """The given LEI, or the LEI of the entity given as ``entity-id``."""
    value = arguments.get(key)
    if isinstance(value, str) and iso17442.is_valid(value):
        return value
    entity = find_entity(value if value is not None else arguments.get("entity-id"), context)
    if not entity.lei:
        raise VerbRefused(f"{entity.name} has no LEI in memory")
    return entity.lei


def entity_output(entity: Entity, **more: object) -> JsonObject:
    """The output for an entity that a verb created or found. ``:as`` binds this."""
    return {"entity_id": str(entity.pk), "slug": entity.slug, "name": entity.name, "lei": entity.lei, **more}
