"""The types that entities may have, and how long findings about them live."""

from common.transactions import atomic
from entities.memory.base import RefusedWrite
from entities.models import SHORTEST, Entity, EntityType, ShippedType
from entities.models.types import DAY, HOUR, LONGEST, MINUTE

# Seconds: how long findings live, and at most. A price is old after minutes, a register after weeks.
SHIPPED: dict[str, tuple[int, int]] = {
    ShippedType.LEGAL_ENTITY: (7 * DAY, LONGEST),
    ShippedType.FUND: (7 * DAY, LONGEST),
    ShippedType.BRANCH: (7 * DAY, LONGEST),
    ShippedType.CLIENT_GROUP: (7 * DAY, LONGEST),
    ShippedType.COURT: (30 * DAY, LONGEST),
    ShippedType.AUTHORITY: (30 * DAY, LONGEST),
    ShippedType.PERSON: (DAY, 30 * DAY),
    ShippedType.CRYPTO_TOKEN: (HOUR, DAY),
    ShippedType.MACRO_ASSET: (4 * HOUR, DAY),
    ShippedType.PROTOCOL: (30 * MINUTE, DAY),
    ShippedType.CONCEPT: (30 * MINUTE, DAY),
    ShippedType.MEME: (10 * MINUTE, DAY),
}


def fill_types(using: str = "default") -> None:
    """Enter the shipped types that are not there; what a person changed stays as it is."""
    rows = EntityType.objects.using(using)
    known = set(rows.values_list("word", flat=True))
    rows.bulk_create(
        [
            EntityType(word=word, label=ShippedType(word).label, ttl=ttl, longest_ttl=longest)
            for word, (ttl, longest) in SHIPPED.items()
            if word not in known
        ],
        ignore_conflicts=True,
    )


def require_type(word: str) -> EntityType:
    """The type of this word. Raises RefusedWrite for one that is unknown or no longer offered."""
    found = EntityType.objects.filter(word=word, offered=True).first()
    if found is None:
        raise RefusedWrite(f"there is no type of entity called {word[:60]!r}")
    return found


def time_to_live(entity: Entity, wished: int | None = None) -> int:
    """Seconds that findings about the entity live: the wish or else the type's own, within the type's bounds."""
    rule = EntityType.objects.get(word=entity.type)
    return max(SHORTEST, min(rule.ttl if wished is None else wished, rule.longest_ttl))


def save_type(*, type: EntityType) -> EntityType:
    """Enter a type, or change how long findings about it live. Raises ValidationError."""
    type.full_clean(validate_unique=type._state.adding)
    type.save()
    return type


def is_removable(word: str) -> bool:
    """Whether no entity has the type, and it does not come with Dossier."""
    return word not in ShippedType.values and not Entity.objects.filter(type=word).exists()


@atomic
def remove_type(*, word: str) -> None:
    """Remove a type that no entity has. Raises RefusedWrite for one that is in use or came with Dossier."""
    if not is_removable(word):
        raise RefusedWrite(f"{word} is in use or comes with Dossier; take it out of the offer instead")
    EntityType.objects.filter(word=word).delete()
