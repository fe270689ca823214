"""What memory knows of its entities that can be compared with an entry of a list."""

from collections.abc import Sequence
from typing import Any

from entities.models import Entity, Representation, ShippedType
from entities.screening.dates import read_date
from entities.screening.places import country
from entities.screening.records import Identifier, clean
from entities.screening.subject import MAX_NAMES, Subject

NEVER = (ShippedType.CONCEPT, ShippedType.MEME, ShippedType.MACRO_ASSET)
"""Types of entities that no list can name."""
NUMBERED = (
    Representation.Type.LEI,
    Representation.Type.REGISTER_NUMBER,
    Representation.Type.BIC,
    Representation.Type.ISIN,
)


def subject_of(entity: Entity) -> Subject:
    """What memory knows of an entity."""
    return subjects_of([entity])[0]


def subjects_of(entities: Sequence[Entity]) -> list[Subject]:
    """What memory knows of entities, in their order; one query for the numbers of all."""
    forms = Representation.objects.filter(entity__in=entities, active=True, type__in=NUMBERED)
    numbers: dict[Any, list[Identifier]] = {}
    for owner, type, authority, key in forms.values_list("entity_id", "type", "authority", "key"):
        numbers.setdefault(owner, []).append(Identifier(str(type), key, country(authority)))
    return [_subject(entity, sorted(numbers.get(entity.pk, ()), key=_by_number)) for entity in entities]


def _subject(entity: Entity, identifiers: list[Identifier]) -> Subject:
    aliases = (str(alias.get("name") or "") for alias in entity.aliases)
    born = read_date(str(entity.metadata.get("date-of-birth") or ""))
    nationalities = str(entity.metadata.get("nationality") or "").split(",")
    places = {code for text in (entity.jurisdiction[:2], *nationalities) if (code := country(text))}
    return Subject(
        kind="person" if entity.type == ShippedType.PERSON else "entity",
        names=tuple(dict.fromkeys(filter(None, map(clean, [entity.name, *aliases]))))[:MAX_NAMES],
        births=(born,) if born else (),
        countries=tuple(sorted(places)),
        identifiers=tuple(identifiers),
    )


def _by_number(identifier: Identifier) -> tuple[str, str]:
    return identifier.type, identifier.number
