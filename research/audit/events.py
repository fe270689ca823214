"""What happened, recorded with the change itself."""

from collections.abc import Mapping, Sequence

from django.contrib.auth.models import AbstractBaseUser
from django.db import connection, models

from research.audit.witness import fingerprints
from research.models import AuditEvent

RESTORED = "triggers.restored"


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
