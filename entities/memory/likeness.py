"""Entities whose name is like a text, compared as the names of the LEI register are.

Memory is not complete as a register is: that nothing else is like a name does not say that this one is meant. So only
names that are the same, but for their spelling, decide here; a slip of the pen is a question.
"""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet

from entities.memory.confusable import latin_reading
from entities.models import Entity, NameKey, ShippedType, name_key
from entities.names.candidates import names_alike
from entities.names.index import MEMORY, name_index
from entities.names.keys import search_key
from entities.names.matching import RELATED, SAME, best_name
from entities.names.pieces import spellings

CANDIDATES = 60  # entities whose names are compared, however few are wanted
KEYED = 1_000
SHOWN = 75.0  # a name less alike is no candidate
ALIKE = RELATED  # from here on two entities may be the same: a slip, another legal form, a word more
SAME_NAME = 99.0  # the same but for case, accents, punctuation and how the legal form is spelled
MARGIN = 2.0  # scores less than so far apart tell nobody apart
# What is named by a short invented word: one letter more is another one, so only the whole name or symbol counts.
INVENTED = frozenset(
    (
        ShippedType.CRYPTO_TOKEN,
        ShippedType.MEME,
        ShippedType.MACRO_ASSET,
        ShippedType.PROTOCOL,
        ShippedType.CONCEPT,
    )
)
ORGANISATIONS = frozenset(
    (ShippedType.LEGAL_ENTITY, ShippedType.FUND, ShippedType.BRANCH, ShippedType.CLIENT_GROUP)
)


@dataclass(frozen=True, slots=True)
class Likeness:
    """An entity that a name may mean: 0 to 100, and one line that says which name was compared and why."""

    entity: Entity
    score: float
    explanation: str


def entities_alike(
    text: str, *, types: Collection[str] = (), besides: Entity | None = None
) -> list[Likeness]:
    """Living entities with a name like the text, the likest first: only of some types, and ``besides`` one."""
    key = search_key(text)
    if not key:
        return []
    found = dict.fromkeys(
        pk for pk in _with_keys(spellings(text, any_form=True)) if pk != (besides and besides.pk)
    )
    index = name_index(MEMORY)
    if not index.missing():
        own = {str(besides.pk), besides.pk.hex} if besides else ()  # as each of the databases writes it
        found |= dict.fromkeys(map(UUID, names_alike(index, key, known=bool(found), besides=own)))
    rows = Entity.objects.filter(pk__in=list(found)[: 4 * CANDIDATES], merged_into__isnull=True)
    rows = (rows.filter(type__in=types) if types else rows).defer("metadata")
    by_pk = {row.pk: row for row in rows}
    nearest = [by_pk[pk] for pk in found if pk in by_pk][:CANDIDATES]
    alike = [each for entity in nearest if (each := _compared(text, entity)).score >= SHOWN]
    return sorted(
        alike, key=lambda each: (-each.score, not each.entity.verified, each.entity.name, each.entity.pk)
    )


def decided(text: str, alike: Collection[Likeness], least: float = SAME) -> Entity | None:
    """The one entity that the name means: nobody else's is as like, and it is not kept apart.

    Never one that only looks the same because letters of another alphabet stand in its name or in the text.
    """
    open_ones = [each for each in alike if not each.entity.pending_verification]
    best = max((each.score for each in open_ones), default=0.0)
    near = [each.entity for each in open_ones if each.score > best - MARGIN]
    if best < least or len(near) > 1 or latin_reading(text) or latin_reading(near[0].name):
        return None
    return near[0]


def lookalikes(
    name: str, *, type: str, lei: str = "", jurisdiction: str = "", besides: Entity | None = None
) -> list[Likeness]:
    """Entities that one of this name may be the same as, ``besides`` itself. Two LEIs or countries tell two apart."""
    if type in INVENTED:
        return []
    types = ORGANISATIONS if type in ORGANISATIONS else {type}
    return [
        each
        for each in entities_alike(name, types=types, besides=besides)
        if each.score >= ALIKE
        and not (lei and each.entity.lei and lei != each.entity.lei)
        and not _elsewhere(jurisdiction, each.entity.jurisdiction)
    ]


def named_alike(name: str, type: str, symbol: str) -> QuerySet[Entity]:
    """Living entities of the same name and type, or of the same symbol, as it looks to a reader of Latin letters."""
    names = {name, latin_reading(name) or name}
    like = Q(name_keys__key__in=list(map(name_key, names)), type=type)
    for written in {symbol, latin_reading(symbol)} - {""}:
        like |= Q(symbol__iexact=written)
    return Entity.objects.filter(like, merged_into__isnull=True)


def _with_keys(keys: list[str]) -> list[UUID]:
    rows = NameKey.objects.filter(spelled__in=keys).order_by("-own", "spelled", "entity")
    return list(rows.values_list("entity", flat=True)[:KEYED])


def _compared(text: str, entity: Entity) -> Likeness:
    match = best_name(text, entity.names)
    return Likeness(entity, match.score, match.explanation)


def _elsewhere(one: str, other: str) -> bool:
    """Whether two jurisdictions are in different countries; "US-DE" is in "US"."""
    return bool(one and other) and one.partition("-")[0] != other.partition("-")[0]
