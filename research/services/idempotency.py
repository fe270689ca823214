"""Answering a repeated POST with what was answered the first time.

A key is claimed before the work begins and settled right after it, so two requests at once never both do the work. A
claim whose process died is free again after ``ABANDONED``; what the work itself stored is guarded by its own states.
"""

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from research.errors import KeyInUse, KeyReused
from research.jsontext import Json
from research.models import IdempotencyKey
from research.services.access import Person

ABANDONED = timedelta(minutes=5)
KEPT = timedelta(hours=24)


def claim_key(
    *, user: Person, key: str, fingerprint: str, now: datetime | None = None
) -> tuple[IdempotencyKey, bool]:
    """The key's row and whether it is new; an old one is settled and holds the answer to give again.

    Raises:
        KeyReused: the key came with another request before.
        KeyInUse: the first request with this key is not answered yet.
    """
    now = now or timezone.now()
    expired = Q(created_at__lt=now - KEPT) | Q(status=None, created_at__lt=now - ABANDONED)
    IdempotencyKey.objects.filter(expired, user_id=user.pk).delete()
    try:
        with transaction.atomic():
            row = IdempotencyKey.objects.create(
                user_id=user.pk, key=key, fingerprint=fingerprint, created_at=now
            )
        return row, True
    except IntegrityError:
        return _settled(user, key, fingerprint), False


def settle_key(*, row: IdempotencyKey, status: int, body: Json, location: str = "") -> None:
    """Keep the answer."""
    IdempotencyKey.objects.filter(pk=row.pk).update(status=status, body=body, location=location)


def release_key(*, row: IdempotencyKey) -> None:
    """Forget the key: the request was refused, so it may be repeated."""
    IdempotencyKey.objects.filter(pk=row.pk).delete()


def _settled(user: Person, key: str, fingerprint: str) -> IdempotencyKey:
    row = IdempotencyKey.objects.filter(user_id=user.pk, key=key).first()
    if row and row.fingerprint != fingerprint:
        raise KeyReused("This Idempotency-Key was used for another request; take a new one.")
    if row is None or row.status is None:
        raise KeyInUse("The first request with this Idempotency-Key is not answered yet; try again soon.")
    return row
