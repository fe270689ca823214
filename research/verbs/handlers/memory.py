"""Verbs that state facts in entity memory: entities, funds, links, ownership, red flags."""

from decimal import Decimal
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
PLACES = Decimal(
    "0.0001"
)  # the precision of percentages in memory, so that repeating a statement changes nothing
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

    return write


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

    return write


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

    return write


def record_ownership(arguments: JsonObject, context: Context) -> Write:
    """Ownership or control, with the percentage if known."""
    owner = Party(arguments, "owner", context)
    owned = Party(arguments, "owned", context)
    percentage = arguments.get("percentage")
    kind = str(arguments.get("ownership-type") or "direct_ownership")
    owns = kind in ("direct_ownership", "indirect_ownership")
    when = stated_days(arguments)

    def write(log: ChangeLog) -> JsonObject:
        above, below = owner(log), owned(log)
        memory.link(
            subject=below,
            object=above,
            type=Relationship.Type.OWNED_BY if owns else Relationship.Type.CONTROLLED_BY,
            percentage=None if percentage is None else Decimal(str(percentage)).quantize(PLACES),
            source=arguments.get("source") or context.source,
            metadata={"ownership_type": kind},
            log=log,
            **when,
        )
        return {"owner": above.slug, "owned": below.slug, "percentage": percentage}

    return write


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

    return write


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


def _optional_entity(arguments: JsonObject, key: str, context: Context) -> Entity | None:
    return find_entity(arguments[key], context) if arguments.get(key) else None


class Party:
    """One side of an ownership: an entity in memory, or a party stated by LEI or name."""

    def __init__(self, arguments: JsonObject, side: str, context: Context) -> None:
        self._lei = arguments.get(f"{side}-lei") or ""
        self._name = arguments.get(f"{side}-name") or ""
        self._source = context.source
        reference = arguments.get(side)
        self._entity = find_entity(reference, context) if reference else None
        if not (self._entity or self._lei or self._name):
            raise VerbRefused(f"ownership needs {side}, {side}-lei or {side}-name")

    def __call__(self, log: ChangeLog) -> Entity:
        return self._entity or memory.ensure_entity(
            name=self._name or self._lei, lei=self._lei, metadata={"stated_by": self._source}, log=log
        )


HANDLERS: dict[str, Handler] = {
    "entity.ensure": ensure_entity,
    "entity.link": link_entities,
    "fund.ensure": ensure_fund,
    "ownership.record": record_ownership,
    "red-flag.raise": raise_red_flag,
}
