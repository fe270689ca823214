"""Who is screened: what Dossier knows of an entity that can be compared with an entry of a list."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from entities.models import Entity, Representation, ShippedType
from entities.screening.dates import read_date, span_of
from entities.screening.places import country
from entities.screening.records import Identifier, clean, digest_of

MAX_NAMES = 50
NEVER = (ShippedType.CONCEPT, ShippedType.MEME, ShippedType.MACRO_ASSET)
"""Types of entities that no list can name."""
NUMBERED = (
    Representation.Type.LEI,
    Representation.Type.REGISTER_NUMBER,
    Representation.Type.BIC,
    Representation.Type.ISIN,
)


@dataclass(frozen=True, slots=True)
class Subject:
    """``kind`` is person, entity or "" where nobody knows; names as they are written, the own one first."""

    kind: str
    names: tuple[str, ...]
    births: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    identifiers: tuple[Identifier, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {key: value for key, value in asdict(self).items() if value}

    @property
    def digest(self) -> str:
        """SHA-256 of the facts: another one is another version of the subject."""
        return digest_of(self.as_json())


def make_subject(
    *,
    names: Iterable[str],
    kind: str = "",
    births: Iterable[str] = (),
    countries: Iterable[str] = (),
    identifiers: Iterable[Identifier] = (),
) -> Subject:
    """A subject from what a person or a tool says. Raises ValueError without a name, or for a date that is none."""
    kept = tuple(dict.fromkeys(name for text in names if (name := clean(text))))[:MAX_NAMES]
    if not kept:
        raise ValueError("A name is needed to screen somebody.")
    stated = [text for text in births if text.strip()]
    read = [read_date(text) or (text if span_of(text) else "") for text in stated]
    if not all(read):
        raise ValueError(
            f"“{stated[read.index('')][:40]}” is no date of birth; write 1972, 1972-03 or 1972-03-08."
        )
    places = tuple(sorted({code for text in countries if (code := country(text))}))
    return Subject(kind, kept, tuple(read), places, tuple(identifiers))


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
    births = entity.metadata.get("birth_date") or ()
    nationalities = entity.metadata.get("nationalities") or ()
    stated = [births] if isinstance(births, str) else births
    places = {code for text in (entity.jurisdiction[:2], *nationalities) if (code := country(str(text)))}
    return Subject(
        kind="person" if entity.type == ShippedType.PERSON else "entity",
        names=tuple(dict.fromkeys(filter(None, map(clean, [entity.name, *aliases]))))[:MAX_NAMES],
        births=tuple(found for text in stated if (found := read_date(str(text)))),
        countries=tuple(sorted(places)),
        identifiers=tuple(identifiers),
    )


def _by_number(identifier: Identifier) -> tuple[str, str]:
    return identifier.type, identifier.number
