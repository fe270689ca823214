"""What the rows of memory say, as single facts: the form in which statements keep them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from entities.models import (
    Entity,
    FactProperty,
    Precision,
    Relationship,
    Representation,
    Statement,
    name_key,
    slot_of,
)

MAX_VALUE = 20_000
MAX_KEY = 200
BY_KEY_ALONE = frozenset({Representation.Type.LEI, Representation.Type.ISIN})
DETAILS = {
    "entity_type": FactProperty.KIND,
    "entity_status": FactProperty.STATUS,
    "registration_status": FactProperty.REGISTRATION_STATUS,
    "legal_form": FactProperty.LEGAL_FORM,
    "category": FactProperty.CATEGORY,
    "date-of-birth": FactProperty.BIRTH_DATE,
    "nationality": FactProperty.NATIONALITY,
}
PROVENANCE = frozenset({"stated_by", "register"})  # says who said it, which the statement itself does
ADDRESSES = ("legal", "headquarters")  # the order in which the LEI register's addresses are kept


@dataclass(frozen=True)
class Period:
    """When a fact holds, half-open; None is open or not known. Each end has a precision (see Precision)."""

    start: date | None = None
    end: date | None = None
    start_precision: str = Precision.DAY
    end_precision: str = Precision.DAY


@dataclass(frozen=True)
class Fact:
    """One fact. ``key`` tells it from others of its property, ``value`` or ``object`` says it, shares are per cent."""

    property: str
    key: str = ""
    value: str = ""
    object: UUID | None = None
    data: Mapping[str, Any] = field(default_factory=dict, hash=False)
    share_low: Decimal | None = None
    share_high: Decimal | None = None
    share_low_open: bool = False
    share_high_open: bool = False
    valid: Period = Period()

    def words(self) -> tuple[Any, ...]:
        """What is said, without when."""
        share = self.share_low, self.share_high, self.share_low_open, self.share_high_open
        return self.property, self.key, self.object, self.value, dict(self.data), share


def fact_of(statement: Statement) -> Fact:
    """The fact that a statement states."""
    return Fact(
        property=statement.property,
        key=statement.key,
        value=statement.value,
        object=statement.object_id,
        data=statement.data,
        share_low=statement.share_low,
        share_high=statement.share_high,
        share_low_open=statement.share_low_open,
        share_high_open=statement.share_high_open,
        valid=Period(
            statement.valid_from,
            statement.valid_to,
            statement.valid_from_precision,
            statement.valid_to_precision,
        ),
    )


def facts_of_entity(entity: Entity) -> list[Fact]:
    """What the row of an entity says: names, type, jurisdiction, LEI, and its details one by one."""
    plain = {
        FactProperty.NAME: entity.name,
        FactProperty.TYPE: entity.type,
        FactProperty.SYMBOL: entity.symbol,
        FactProperty.JURISDICTION: entity.jurisdiction,
    }
    facts = [Fact(property, value=value) for property, value in plain.items() if value]
    facts += [_alias(alias) for alias in entity.aliases if alias.get("name")]
    if entity.lei:
        facts.append(identifier(Representation.Type.LEI, entity.lei, "GLEIF"))
    for key, value in entity.metadata.items():
        facts += _details(str(key), value)
    return list({(fact.property, fact.key): fact for fact in facts}.values())


def fact_of_form(form: Representation) -> Fact | None:
    """What a representation says; a former slug is ours and says nothing of the world."""
    if form.type == Representation.Type.FORMER_SLUG:
        return None
    return identifier(form.type, form.key, form.authority, form.chain)


def identifier(type: str, key: str, authority: str = "", chain: str = "") -> Fact:
    """That the entity has this key in this register, or on this market or chain."""
    parts = [type, key] if type in BY_KEY_ALONE else [type, authority, chain, key]
    data = {"type": str(type), "authority": authority, "chain": chain}
    return Fact(FactProperty.IDENTIFIER, _short(" ".join(part for part in parts if part)), key, data=data)


def fact_of_link(link: Relationship) -> Fact:
    """What a relationship says of its subject."""
    return Fact(
        property=link.type,
        object=link.object_id,
        data=link.metadata,
        share_low=link.percentage,
        share_high=link.percentage,
        valid=Period(link.valid_from, link.valid_to),
    )


def _alias(alias: Mapping[str, Any]) -> Fact:
    name = str(alias["name"])
    more = {key: value for key, value in alias.items() if key != "name" and value}
    return Fact(FactProperty.ALIAS, name_key(name), name[:MAX_VALUE], data=more)


def _details(key: str, value: Any) -> Iterator[Fact]:
    if key in PROVENANCE or value is None or value in ("", [], {}):
        return
    if key == "addresses" and isinstance(value, list):
        for place, address in enumerate(value):
            name = ADDRESSES[place] if place < len(ADDRESSES) else str(place)
            yield Fact(FactProperty.ADDRESS, name, _line(address)[:MAX_VALUE], data={"value": address})
    elif key == "registers" and isinstance(value, dict):
        for register, line in value.items():
            yield Fact(FactProperty.DETAIL, _short(f"registers.{register}"), data={"value": line})
    else:
        known = DETAILS.get(key)
        property, own = (known, "") if known else (FactProperty.DETAIL, _short(key))
        text = str(value) if isinstance(value, str | int | float) else ""
        data = {} if isinstance(value, str) and len(value) <= MAX_VALUE else {"value": value}
        yield Fact(property, own, text[:MAX_VALUE], data=data)


def _line(address: Any) -> str:
    """An address in one line: its texts, in order."""
    if isinstance(address, dict):
        return ", ".join(filter(None, map(_line, address.values())))
    if isinstance(address, list):
        return ", ".join(filter(None, map(_line, address)))
    return address if isinstance(address, str) else ""


def _short(key: str) -> str:
    return key if len(key) <= MAX_KEY else slot_of(key)
