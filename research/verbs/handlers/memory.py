"""Verbs that state facts in entity memory: entities, funds, links, red flags."""

from typing import Any

from django.utils import timezone

from entities import memory
from entities.memory import ChangeLog
from entities.models import Entity, Precision, Relationship, Representation
from research.verbs.handlers.base import (
    Context,
    Handler,
    JsonObject,
    VerbRefused,
    Write,
    entity_output,
    find_entity,
)

ENTITY_TYPES = {
    "fund": Entity.Type.FUND,
    "branch": Entity.Type.BRANCH,
    "person": Entity.Type.PERSON,
    "natural-person": Entity.Type.PERSON,
    "proper-person": Entity.Type.PERSON,
    "client-group": Entity.Type.CLIENT_GROUP,
}
IMPORTANCE = {"SOFT": 5, "ESCALATE": 8, "HARD_STOP": 10}


def ensure_entity(arguments: JsonObject, context: Context) -> Write:
    """The entity with this LEI or name. Created unverified if memory has none."""
    name = arguments.get("name") or " ".join(
        part for part in (arguments.get("first-name"), arguments.get("last-name")) if part
    )
    if not name:
        raise VerbRefused("an entity needs a name, or a first and last name")
    kind = str(arguments["entity-type"])
    number = arguments.get("company-number")

    def write(log: ChangeLog) -> JsonObject:
        entity = memory.ensure_entity(
            name=name,
            type=ENTITY_TYPES.get(kind, Entity.Type.LEGAL_ENTITY),
            lei=arguments.get("lei") or "",
            jurisdiction=arguments.get("jurisdiction") or "",
            metadata={
                "entity_type": kind,
                "stated_by": context.source,
                **{key: arguments[key] for key in ("date-of-birth", "nationality") if arguments.get(key)},
            },
            log=log,
        )
        if number:
            authority = arguments.get("jurisdiction") or ""
            memory.add_representation(
                entity=entity,
                type=Representation.Type.REGISTER_NUMBER,
                authority=authority,
                key=number,
                log=log,
            )
        return entity_output(entity)

    return Write(write, _about(arguments, name))


def ensure_fund(arguments: JsonObject, context: Context) -> Write:
    """A fund, with its manager and umbrella if given."""
    manager = _optional_entity(arguments, "manager", context)
    umbrella = _optional_entity(arguments, "umbrella", context)
    details = {key: arguments[key] for key in ("fund-type", "structure", "isin") if arguments.get(key)}

    def write(log: ChangeLog) -> JsonObject:
        fund = memory.ensure_entity(
            name=arguments["name"],
            type=Entity.Type.FUND,
            lei=arguments.get("lei") or "",
            jurisdiction=arguments.get("jurisdiction") or "",
            metadata={"stated_by": context.source, **details},
            log=log,
        )
        for other, kind in (
            (manager, Relationship.Type.FUND_MANAGED_BY),
            (umbrella, Relationship.Type.SUBFUND_OF),
        ):
            if other and other.pk != fund.pk:
                memory.link(subject=fund, object=other, type=kind, source=context.source, log=log)
        if arguments.get("isin"):
            memory.add_representation(
                entity=fund, type=Representation.Type.ISIN, key=arguments["isin"], log=log
            )
        return entity_output(fund)

    return Write(write, _about(arguments, arguments["name"], manager, umbrella))


def link_entities(arguments: JsonObject, context: Context) -> Write:
    """A relationship between two entities in memory."""
    subject = find_entity(arguments["subject"], context)
    other = find_entity(arguments["object"], context)

    when = stated_days(arguments)

    def write(log: ChangeLog) -> JsonObject:
        memory.link(
            subject=subject,
            object=other,
            type=arguments["type"],
            source=arguments.get("source") or context.source,
            log=log,
            **when,
        )
        return {"subject": subject.slug, "type": arguments["type"], "object": other.slug}

    return Write(write, memory.keys_of(subject, other))


def raise_red_flag(arguments: JsonObject, context: Context) -> Write:
    """A warning on the entity's timeline."""
    entity = find_entity(arguments["entity-id"], context)

    def write(log: ChangeLog) -> JsonObject:
        event = memory.add_event(
            entity=entity,
            type="red-flag",
            summary=f"{arguments['flag-type']}: {arguments.get('description') or 'no description'}",
            importance=IMPORTANCE.get(arguments["severity"], 5),
            data={key: arguments.get(key) for key in ("flag-type", "severity", "source-url")},
            source=arguments.get("source-url") or context.source,
            log=log,
        )
        return {"event_id": event.pk, **entity_output(entity)}

    return Write(write, memory.keys_of(entity))


def stated_days(arguments: JsonObject) -> dict[str, Any]:
    """From when, until when, and the day for which the source speaks, as ``memory.link`` takes them.

    Raises RefusedWrite for a day that is none, and for a report of a day to come.
    """
    days = {
        name: memory.read_day(arguments[name]) for name in ("valid-from", "valid-to") if arguments.get(name)
    }
    exactly = Precision.DAY
    stated: dict[str, Any] = {name.replace("-", "_"): day for name, (day, _) in days.items()}
    precision = tuple(days[name][1] if name in days else exactly for name in ("valid-from", "valid-to"))
    as_of = arguments.get("as-of")
    return {
        **stated,
        "precision": precision,
        "as_of": memory.last_day(as_of, timezone.localdate()) if as_of else None,
    }


def _about(arguments: JsonObject, name: str, *others: Entity | None) -> set[str]:
    """What an entity that is stated by name, LEI or number is about, with those it is linked to."""
    numbers = (arguments.get("company-number"), arguments.get("isin"))
    about = memory.keys_of(*filter(None, others), names=[name], leis=[arguments.get("lei") or ""])
    return about.union(f"number {number}" for number in numbers if number)


def _optional_entity(arguments: JsonObject, key: str, context: Context) -> Entity | None:
    return find_entity(arguments[key], context) if arguments.get(key) else None


HANDLERS: dict[str, Handler] = {
    "entity.ensure": ensure_entity,
    "entity.link": link_entities,
    "fund.ensure": ensure_fund,
    "red-flag.raise": raise_red_flag,
}
