"""Names of entities in addresses: never empty, unique, readable where the name is written in Latin letters."""

import hashlib
import secrets

from django.utils.text import slugify

from entities.models import Entity

MAX_BASE = 100
NUMBERED = 9
APART = "-unverified-"


def free_slug(name: str) -> str:
    """A slug of the name; ``-2`` to ``-9``, then six random characters, when it is taken.

    A name without any Latin letter or digit gives ``entity-`` and the start of its own hash.
    """
    base = slugify(name)[:MAX_BASE].strip("-_") or f"entity-{_hash(name)}"
    wanted = [base, *(f"{base}-{number}" for number in range(2, NUMBERED + 1))]
    taken = set(Entity.objects.filter(slug__in=wanted).values_list("slug", flat=True))
    return next((slug for slug in wanted if slug not in taken), f"{base}-{secrets.token_hex(3)}")


def slug_apart(name: str, key: str = "") -> str:
    """The slug of an entity that is kept apart: ``…-unverified-<6>``, from its key where it has one."""
    base = slugify(name)[:90].strip("-_") or "entity"
    six = slugify(key)[:6].strip("-_")
    own = f"{base}{APART}{six}"
    if len(six) == 6 and not Entity.objects.filter(slug=own).exists():
        return own
    return f"{base}{APART}{secrets.token_hex(3)}"


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:8]
