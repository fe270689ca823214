"""What the LEI register says, as values.

Parsed from the JSON:API items of GLEIF's API v1 (other sources are brought into that shape first). Registers
hold surprises, so parsing is tolerant: a missing or mistyped part reads as empty, an unknown enum value stays
verbatim, and text is freed of what PostgreSQL cannot store. Only an item without an LEI is refused.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, TypeAlias

from common.text import storable
from entities.gleif.errors import GleifBadAnswer
from entities.names.abbreviations import ABBREVIATED, stated_names
from entities.names.matching import LEGAL_NAME, NameVariant

JsonObject: TypeAlias = dict[str, Any]
Level: TypeAlias = Literal["direct", "ultimate"]
ParentLink: TypeAlias = Literal["record", "exception", ""]

PREVIOUS_NAME = "PREVIOUS_LEGAL_NAME"
DIRECT_CONSOLIDATION = "IS_DIRECTLY_CONSOLIDATED_BY"
ULTIMATE_CONSOLIDATION = "IS_ULTIMATELY_CONSOLIDATED_BY"
FUND_MANAGED = "IS_FUND-MANAGED_BY"  # the hyphen is GLEIF's
SUBFUND = "IS_SUBFUND_OF"
EXCEPTION_CATEGORY: dict[Level, str] = {
    "direct": "DIRECT_ACCOUNTING_CONSOLIDATION_PARENT",
    "ultimate": "ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT",
}


@dataclass(frozen=True, slots=True)
class Successor:
    """Who took over. The register knows some successors by name only, and never both empty."""

    lei: str | None
    name: str | None


@dataclass(frozen=True, slots=True)
class Record:
    """One LEI record. Texts are "" and dates None where the register is silent; dates are UTC days.

    ``jurisdiction`` may be a subdivision ("US-DE"). ``direct_parent_link`` and ``ultimate_parent_link`` say
    without a second call whether the register has a parent record or a reporting exception ("" for neither);
    ``relations`` names everything the register links from the record ("fund-manager", "sub-funds", ...).
    ``attributes`` is the register's own item, unabridged.
    """

    lei: str
    legal_name: str
    names: tuple[NameVariant, ...]
    jurisdiction: str = ""
    legal_country: str = ""
    hq_country: str = ""
    category: str = ""
    legal_form: str = ""
    legal_form_text: str = ""
    registered_as: str = ""
    registered_at: str = ""
    entity_status: str = ""
    registration_status: str = ""
    expiration_date: date | None = None
    expiration_reason: str = ""
    successors: tuple[Successor, ...] = ()
    initial_registration: date | None = None
    next_renewal: date | None = None
    last_update: date | None = None
    managing_lou: str = ""
    corroboration: str = ""
    conformity: str = ""
    bics: tuple[str, ...] = ()
    direct_parent_link: ParentLink = ""
    ultimate_parent_link: ParentLink = ""
    relations: tuple[str, ...] = field(default=(), compare=False)
    attributes: JsonObject = field(default_factory=dict, compare=False, repr=False)
    url: str = field(default="", compare=False)

    @property
    def country(self) -> str:
        """The country part of the jurisdiction, or of the legal address."""
        return self.jurisdiction.partition("-")[0] or self.legal_country

    def parent_link(self, level: Level) -> ParentLink:
        return self.direct_parent_link if level == "direct" else self.ultimate_parent_link


@dataclass(frozen=True, slots=True)
class Period:
    start: date | None
    end: date | None
    type: str


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relationship record: ``start`` is the child or fund, ``end`` the parent or manager."""

    start: str
    end: str
    type: str
    status: str = ""
    periods: tuple[Period, ...] = ()
    registration_status: str = ""
    last_update: date | None = None
    next_renewal: date | None = None
    corroboration: str = ""
    corroboration_documents: str = ""
    corroboration_reference: str = ""
    attributes: JsonObject = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ReportingException:
    """Why an entity reports no accounting parent of one level; ``reason`` is "" where the source has none."""

    lei: str
    category: str
    reason: str
    reference: str = ""


@dataclass(frozen=True, slots=True)
class ParentAnswer:
    """A parent record with its relationship, or the reporting exception, or nothing reported at all."""

    kind: Literal["record", "exception", "none"]
    record: Record | None = None
    relationship: Relationship | None = None
    reason: str = ""
    exception: ReportingException | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """The first ``len(items)`` of ``total`` records; ``truncated`` when a limit cut the list."""

    items: tuple[Record, ...]
    total: int
    truncated: bool


@dataclass(frozen=True, slots=True)
class SuccessorChain:
    """``chain`` runs from the original to the current LEI, both included; ``loop``: it goes in circles."""

    original: str
    current: Record
    chain: tuple[str, ...]
    loop: bool = False


def parse_record(item: Any) -> Record:
    """One ``lei-records`` item of the API.

    Raises:
        GleifBadAnswer: the item is not an object or carries no LEI.
    """
    clean = _item(item, "LEI record")
    attributes = _part(clean, "attributes")
    lei = _text(attributes, "lei") or _text(clean, "id")
    if not lei:
        raise GleifBadAnswer("The register sent a record without an LEI.")
    entity, relationships = _part(attributes, "entity"), _part(clean, "relationships")
    return Record(
        lei=lei,
        legal_name=_text(_part(entity, "legalName"), "name"),
        names=_names(entity),
        successors=_successors(entity),
        bics=tuple(text for text in map(_as_text, _list(attributes, "bic")) if text),
        conformity=_text(attributes, "conformityFlag"),
        direct_parent_link=_parent_link(relationships, "direct"),
        ultimate_parent_link=_parent_link(relationships, "ultimate"),
        relations=tuple(relationships),
        attributes=attributes,
        url=_text(_part(clean, "links"), "self"),
        **_entity_fields(entity),
        **_registration_fields(_part(attributes, "registration")),
    )


def parse_relationship(item: Any) -> Relationship:
    """One ``relationship-records`` item. Raises GleifBadAnswer when a node is missing."""
    attributes = _part(_item(item, "relationship record"), "attributes")
    relation, registration = (
        _part(attributes, "relationship"),
        _part(attributes, "registration"),
    )
    start, end = (
        _text(_part(relation, "startNode"), "id"),
        _text(_part(relation, "endNode"), "id"),
    )
    if not (start and end):
        raise GleifBadAnswer("The register sent a relationship without both of its nodes.")
    return Relationship(
        start=start,
        end=end,
        type=_text(relation, "type"),
        status=_text(relation, "status"),
        periods=tuple(map(_period, _parts(relation, "periods"))),
        registration_status=_text(registration, "status"),
        last_update=_date(registration, "lastUpdateDate"),
        next_renewal=_date(registration, "nextRenewalDate"),
        corroboration=_text(registration, "corroborationLevel"),
        corroboration_documents=_text(registration, "corroborationDocuments"),
        corroboration_reference=_text(registration, "corroborationReference"),
        attributes=attributes,
    )


def parse_exception(item: Any) -> ReportingException:
    """One ``reporting-exceptions`` item. Raises GleifBadAnswer when it names no LEI."""
    attributes = _part(_item(item, "reporting exception"), "attributes")
    lei = _text(attributes, "lei")
    if not lei:
        raise GleifBadAnswer("The register sent a reporting exception without an LEI.")
    return ReportingException(
        lei=lei,
        category=_text(attributes, "category"),
        reason=_text(attributes, "reason"),
        reference=_text(attributes, "reference"),
    )


def parse_completion(item: Any) -> tuple[str, str | None]:
    """One item of ``fuzzycompletions``: the name, and the LEI when the item carries its record."""
    clean = _item(item, "completion")
    data = _part(_part(_part(clean, "relationships"), "lei-records"), "data")
    return _text(_part(clean, "attributes"), "value"), _text(data, "id") or None


def _entity_fields(entity: JsonObject) -> JsonObject:
    form, authority, expiration = (_part(entity, key) for key in ("legalForm", "registeredAt", "expiration"))
    return {
        "jurisdiction": _text(entity, "jurisdiction"),
        "legal_country": _text(_part(entity, "legalAddress"), "country"),
        "hq_country": _text(_part(entity, "headquartersAddress"), "country"),
        "category": _text(entity, "category"),
        "legal_form": _text(form, "id"),
        "legal_form_text": _text(form, "other"),
        "registered_as": _text(entity, "registeredAs"),
        "registered_at": _text(authority, "id") or _text(authority, "other"),
        "entity_status": _text(entity, "status"),
        "expiration_date": _date(expiration, "date"),
        "expiration_reason": _text(expiration, "reason"),
    }


def _registration_fields(registration: JsonObject) -> JsonObject:
    return {
        "registration_status": _text(registration, "status"),
        "initial_registration": _date(registration, "initialRegistrationDate"),
        "next_renewal": _date(registration, "nextRenewalDate"),
        "last_update": _date(registration, "lastUpdateDate"),
        "managing_lou": _text(registration, "managingLou"),
        "corroboration": _text(registration, "corroborationLevel"),
    }


def _names(entity: JsonObject) -> tuple[NameVariant, ...]:
    legal = _part(entity, "legalName")
    variants = [NameVariant(_text(legal, "name"), LEGAL_NAME, _text(legal, "language"))]
    for key in ("otherNames", "transliteratedOtherNames"):
        variants += (
            NameVariant(_text(name, "name"), _text(name, "type"), _text(name, "language"))
            for name in _parts(entity, key)
        )
    return tuple(dict.fromkeys(each for variant in variants if variant.name for each in _stated_in(variant)))


def _stated_in(variant: NameVariant) -> Iterator[NameVariant]:
    """The name, and where it states its abbreviation both parts of it."""
    yield variant
    if parts := stated_names(variant.name):
        yield NameVariant(parts[0], variant.type, variant.language)
        yield NameVariant(parts[1], ABBREVIATED, variant.language)


def _successors(entity: JsonObject) -> tuple[Successor, ...]:
    """``successorEntity`` and ``successorEntities`` together: records fill one, the other, or both alike."""
    found: dict[str, Successor] = {}
    for node in [
        *_parts(entity, "successorEntity"),
        *_parts(entity, "successorEntities"),
    ]:
        lei, name = _text(node, "lei") or None, _text(node, "name") or None
        if lei or name:
            found.setdefault(lei or f"name:{name}", Successor(lei, name))
    return tuple(found.values())


def _parent_link(relationships: JsonObject, level: Level) -> ParentLink:
    links = _part(_part(relationships, f"{level}-parent"), "links")
    if links.get("lei-record") or links.get("relationship-record"):
        return "record"
    return "exception" if links.get("reporting-exception") else ""


def _period(node: JsonObject) -> Period:
    return Period(_date(node, "startDate"), _date(node, "endDate"), _text(node, "type"))


def _item(item: Any, what: str) -> JsonObject:
    if not isinstance(item, dict):
        raise GleifBadAnswer(f"The register sent a {type(item).__name__} where a {what} belongs.")
    try:
        clean: JsonObject = storable(item)
    except RecursionError:
        raise GleifBadAnswer(f"The register sent a {what} that is nested too deeply to read.") from None
    return clean


def _part(parent: JsonObject, key: str) -> JsonObject:
    value = parent.get(key)
    return value if isinstance(value, dict) else {}


def _list(parent: JsonObject, key: str) -> list[Any]:
    """A repeatable part: the register sends null, one value, or a list."""
    value = parent.get(key)
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _parts(parent: JsonObject, key: str) -> Iterator[JsonObject]:
    return (value for value in _list(parent, key) if isinstance(value, dict))


def _text(parent: JsonObject, key: str) -> str:
    return _as_text(parent.get(key))


def _as_text(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _date(parent: JsonObject, key: str) -> date | None:
    try:
        return date.fromisoformat(_text(parent, key)[:10])
    except ValueError:
        return None
