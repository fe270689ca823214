"""What happened, recorded with the change itself."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import connection, models

from research.audit.witness import fingerprints, fingerprints_of_keys
from research.models import AuditEvent

RESTORED, WRITTEN, ERASED = "triggers.restored", "memory.written", "entity.erased"
AT_ONCE = 500  # rows that one event vouches for


def record(
    action: str,
    subject: models.Model,
    actor: AbstractBaseUser | None = None,
    *also: models.Model,
    **detail: object,
) -> AuditEvent:
    """Append one event; call it inside the transaction of the change it records, after the change.

    The event vouches for the subject and for ``also`` as they stand now (``witness.KINDS``).
    """
    event = about(action, subject, actor, fingerprints([subject, *also]), **detail)
    event.save(force_insert=True)
    return event


def record_restored(faults: Sequence[str]) -> AuditEvent:
    """Record that triggers were found missing, disabled or hollow, and have just been put back."""
    event = AuditEvent(
        action=RESTORED, object_type="database", object_id=connection.vendor, detail={"faults": list(faults)}
    )
    event.save(force_insert=True)
    return event


def record_written(touched: Mapping[str, Collection[Any]]) -> None:
    """Vouch for rows of entity memory that one piece of work wrote, in its transaction: AT_ONCE rows with one event."""
    witnessed: dict[str, str] = {}
    for kind, told in touched.items():
        keys = list(told)
        for start in range(0, len(keys), AT_ONCE):
            witnessed |= fingerprints_of_keys(kind, keys[start : start + AT_ONCE])
    _record_all(witnessed, action=WRITTEN, object_type="memory", object_id=next(iter(witnessed), ""))


def record_erased(
    erasure: models.Model, actor: AbstractBaseUser | None, witnessed: Mapping[str, str]
) -> None:
    """Vouch for an erasure, for the rows that it names, and for what is left of those that it emptied."""
    whose = {"object_type": "erasure", "object_id": str(erasure.pk), "actor_id": actor.pk if actor else None}
    _record_all(witnessed, action=ERASED, **whose)


def _record_all(witnessed: Mapping[str, str], **values: Any) -> None:
    rows = list(witnessed.items())
    for start in range(0, len(rows), AT_ONCE):
        AuditEvent(witnessed=dict(rows[start : start + AT_ONCE]), **values).save(force_insert=True)


def about(
    action: str,
    subject: models.Model,
    actor: AbstractBaseUser | None = None,
    witnessed: Mapping[str, str] | None = None,
    **detail: object,
) -> AuditEvent:
    """An event that is still to be stored, together with the change it records."""
    return AuditEvent(
        actor_id=actor.pk if actor else None,
        action=action,
        object_type=subject._meta.model_name or "",
        object_id=str(subject.pk),
        detail=detail,
        witnessed=dict(witnessed or {}),
    )
