"""Finding the entity that a text means. Nothing here writes, and nothing is ever picked silently."""

import uuid
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

from django.db.models import Q, QuerySet

from common.text import storable_text
from entities import lei as iso17442
from entities.memory.base import MAX_KEY
from entities.memory.confusable import latin_reading
from entities.memory.forms import isin_is_valid
from entities.memory.likeness import SAME_NAME, Likeness, decided, entities_alike
from entities.memory.people import is_hidden, seen, shown
from entities.models import Entity, Representation, name_key
from entities.names.matching import SAME

MAX_CANDIDATES = 10
MAX_FOUND = 100
PART = "part of the name"
SPELLED = "name, spelled otherwise"
ALIKE = "names that are alike"
LOOKS_LIKE = "the letters are of another alphabet and only look the same"
PENDING_ONLY = "only entities that wait for verification"


@dataclass(frozen=True)
class Resolution:
    """The one entity meant, or the candidates when several could be; ``how`` names the key that decided.

    ``lookalikes`` are entities kept apart that share the name or symbol that decided: possible fakes of it.
    ``alike`` says of each entity that was compared by its name how like it is (0 to 100), and why.
    """

    entity: Entity | None
    candidates: tuple[Entity, ...] = ()
    how: str = ""
    representation: Representation | None = None
    lookalikes: tuple[Entity, ...] = ()
    alike: tuple[Likeness, ...] = ()

    @property
    def message(self) -> str:
        """What came of it, in a sentence; empty when the one entity meant was found and nothing looks like it."""
        if self.entity is None:
            if not self.candidates:
                return "No entity is known by this."
            many = len(self.candidates)
            return f"{many} {'entity' if many == 1 else 'entities'} could be meant ({self.how}): choose one."
        if self.lookalikes:
            return f"{len(self.lookalikes)} unverified with the same name or symbol are kept apart."
        return ""


def resolve(text: str) -> Resolution:
    """Find the entity that a text means: UUID, LEI or other key, slug, symbol, name, alias, in that order.

    Several hits of the same kind are candidates. Where nothing has the name, names are compared: one that is the same
    but for its spelling decides, one that is only alike is a candidate with a score. A part of a name decides nothing:
    what it finds are candidates, even if it is only one. Entities that wait for verification are found by their own
    keys and slug only; by name or symbol they are candidates at most, and never stand in the way of another. One that
    was merged leads to the one it went into. Beyond MAX_KEY characters a text can only be a whole name.
    """
    found = _resolve(storable_text(text).strip())
    if found.entity and is_hidden(found.entity):
        return Resolution(None, how="not found")
    candidates, alike = (
        tuple(each for each in some if not is_hidden(each)) for some in (found.candidates, found.lookalikes)
    )
    return replace(found, candidates=candidates, lookalikes=alike)


def _resolve(text: str) -> Resolution:
    if not text:
        return Resolution(None, how="empty")
    if len(text) <= MAX_KEY:
        found = _by_key(text)
        if found:
            return found
    return _by_name(text)


def by_slug(slug: str) -> Entity | None:
    """The entity with this slug, present or former; of one that was merged, the one that it went into."""
    found = Entity.objects.filter(slug=slug).first()
    if found is None:
        form = _forms(slug).filter(type=Representation.Type.FORMER_SLUG).first()
        found = form.entity if form else None
    return _shown(survivor(found)) if found else None


def by_reference(reference: str) -> Entity | None:
    """The entity with this UUID or slug; of one that was merged, the one that it went into."""
    with suppress(ValueError):
        found = Entity.objects.filter(pk=uuid.UUID(reference)).first()
        return _shown(survivor(found)) if found else None
    return by_slug(reference)


def _shown(entity: Entity) -> Entity | None:
    if is_hidden(entity):
        return None
    if entity.type == Entity.Type.PERSON:
        shown(entity.pk)
    return entity


def survivor(entity: Entity) -> Entity:
    """The entity that this one went into, by however many merges; itself when it was never merged."""
    while entity.merged_into is not None:
        entity = entity.merged_into
    return entity


def search(
    *, query: str, type: str = "", jurisdiction: str = "", verified: bool | None = None, limit: int = 20
) -> list[Entity]:
    """Entities whose name, alias, symbol, slug or key fits: whole ones first, then parts of the name.

    Those that wait for verification come last; those that were merged into others do not come at all.
    """
    text = storable_text(query).strip()
    if not text:
        return []
    limit = max(1, min(limit, MAX_FOUND))
    every = _living()
    for field, value in (("type", type), ("jurisdiction", jurisdiction), ("verified", verified)):
        every = every.filter(**{field: value}) if value not in ("", None) else every
    keys = list(_forms(text).values_list("entity", flat=True)[:limit]) if len(text) <= MAX_KEY else []
    whole = every.filter(
        Q(name_keys__key=name_key(text)) | Q(pk__in=keys) | Q(slug=text.lower()) | Q(symbol__iexact=text)
    )
    found = {
        entity.pk: entity
        for entity in whole.distinct().order_by("pending_verification", "name", "id")[:limit]
    }
    if len(text) <= MAX_KEY and len(found) < limit:
        parts = every.filter(name__icontains=text).order_by("pending_verification", "name", "id")
        for entity in parts[: limit + len(found)]:
            found.setdefault(entity.pk, entity)
    return list(found.values())[:limit]


def _living() -> QuerySet[Entity]:
    return seen(Entity.objects.filter(merged_into__isnull=True), "")


def _forms(key: str) -> QuerySet[Representation]:
    return Representation.objects.filter(key=key, active=True).select_related("entity__merged_into")


def _by_key(text: str) -> Resolution | None:
    with suppress(ValueError):
        found = Entity.objects.filter(pk=uuid.UUID(text)).first()
        if found:
            return Resolution(survivor(found), how="id")
    lei = iso17442.normalise(text)
    if iso17442.is_valid(lei):
        hit = _one_of(list(Entity.objects.filter(lei=lei)), list(_forms(lei)), "lei")
        if hit:
            return hit
    for key in dict.fromkeys(
        [text, text.upper(), *([lei] if isin_is_valid(lei) else [])]
    ):  # as written first: the addresses of some chains mind the case
        hit = _one_of([], list(_forms(key)[: MAX_CANDIDATES + 1]), "key")
        if hit:
            return hit
    found = Entity.objects.filter(slug=text).first()  # a name that only looks like a slug is a name
    return Resolution(survivor(found), how="slug") if found else None


def _one_of(entities: list[Entity], forms: list[Representation], how: str) -> Resolution | None:
    """Whose key it is: an LEI may look like a token's address, and then it is a question for a person."""
    owners = {one.pk: one for one in map(survivor, [*entities, *(form.entity for form in forms)])}
    if len(owners) > 1:
        return Resolution(None, tuple(owners.values())[:MAX_CANDIDATES], how)
    if not owners:
        return None
    [owner] = owners.values()
    return Resolution(owner, how=how, representation=forms[0] if forms else None)


def _by_name(text: str) -> Resolution:
    waiting: tuple[Entity, ...] = ()
    for how, query in _name_queries(text):
        found = list(query.filter(pending_verification=False).distinct()[:MAX_CANDIDATES])
        apart = tuple(query.filter(pending_verification=True).distinct()[:MAX_CANDIDATES])
        if len(found) == 1:
            return Resolution(found[0], how=how, lookalikes=apart)
        if found:
            return Resolution(None, (*found, *apart)[:MAX_CANDIDATES], how)
        waiting = waiting or apart
    if waiting:
        return Resolution(None, waiting, PENDING_ONLY)
    if written_alike := _written_alike(text):
        return Resolution(None, written_alike, LOOKS_LIKE)
    return _by_likeness(text) if len(text) <= MAX_KEY else Resolution(None, how="not found")


def _by_likeness(text: str) -> Resolution:
    """Names that are spelled otherwise, and those that contain the text; how like each is stands beside it.

    The same name decides, but for case, accents, punctuation and how the legal form is spelled. One without its legal
    form, or with its words in another order, decides only where nothing else is like it or contains it.
    """
    alike = entities_alike(text)
    containing = tuple(
        _living().filter(name__icontains=text).order_by("pending_verification", "name", "id")[:MAX_CANDIDATES]
    )
    likest = tuple(alike[:MAX_CANDIDATES])
    several = tuple(dict.fromkeys((*(each.entity for each in likest), *containing)))[:MAX_CANDIDATES]
    alone = sum(not entity.pending_verification for entity in several) == 1
    one = decided(text, alike, SAME if alone else SAME_NAME)
    if one:
        same = tuple(each for each in alike if each.score >= SAME)
        apart = tuple(each.entity for each in same if each.entity.pending_verification)
        return Resolution(one, how=SPELLED, lookalikes=apart, alike=same)
    how = ALIKE if likest else PART if several else "not found"
    return Resolution(None, several, how, alike=likest)


def _written_alike(text: str) -> tuple[Entity, ...]:
    """Whose name looks the same, though its letters are of another alphabet: never the answer, always a question."""
    reading = latin_reading(text)
    if not reading:
        return ()
    return tuple(_living().filter(name_keys__key=name_key(reading)).distinct()[:MAX_CANDIDATES])


def _name_queries(text: str) -> Iterable[tuple[str, QuerySet[Entity]]]:
    every, key = _living(), name_key(text)
    if len(text) <= MAX_KEY:
        yield "symbol", every.filter(symbol__iexact=text)
    yield "name", every.filter(name_keys__key=key, name_keys__own=True)
    yield "alias", every.filter(name_keys__key=key, name_keys__own=False)
    if len(text) <= MAX_KEY:
        yield "slug", every.filter(slug=text.lower())
