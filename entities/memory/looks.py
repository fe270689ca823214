"""A record of who looked at what is known of natural persons: one row for a person, a reader, a day and a door."""

import logging
from collections.abc import Collection
from uuid import UUID

from django.contrib.auth.models import AbstractUser
from django.db import DatabaseError, transaction
from django.db.models import F
from django.utils import timezone

from entities.models import Entity, EntityLook

log = logging.getLogger(__name__)
AT_ONCE = 200  # persons on one page; a larger structure is not shown


def keep_looks(reader: AbstractUser, how: str, entities: Collection[UUID]) -> None:
    """Note that somebody has looked at these entities, as far as they are natural persons.

    A database that takes no writes keeps nobody from reading: that is logged instead.
    """
    now = timezone.now()
    mine = {"person": reader, "day": timezone.localdate(now), "how": how}
    try:
        with transaction.atomic():
            people = Entity.objects.filter(pk__in=list(entities)[:AT_ONCE], type=Entity.Type.PERSON)
            keys = set(people.values_list("pk", flat=True))
            known = EntityLook.objects.filter(entity__in=keys, **mine)
            new = keys - set(known.values_list("entity", flat=True))
            known.update(times=F("times") + 1, last_at=now)
            EntityLook.objects.bulk_create(
                (EntityLook(entity_id=key, last_at=now, **mine) for key in sorted(new)), ignore_conflicts=True
            )
    except DatabaseError as error:
        log.warning("looks of %s at %d persons were not recorded: %s", reader.pk, len(entities), error)
