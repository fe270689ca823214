"""The audit trail: append-only events, sealed afterwards into a hash chain."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, models, transaction

from research import rows
from research.jsontext import canonical_json
from research.models import AuditEvent, AuditSeal

BATCH, BEHIND = 1_000, 10_000  # events


@dataclass(frozen=True)
class ChainReport:
    """What ``verify_chain`` saw: how many seals hold, how many events wait for one, and the first fault if any."""

    sealed: int
    unsealed: int
    fault: str = ""

    @property
    def ok(self) -> bool:
        return not self.fault


def record(
    action: str, subject: models.Model, actor: AbstractBaseUser | None = None, **detail: object
) -> AuditEvent:
    """Append one event; call it inside the transaction of the change it records."""
    event = about(action, subject, actor, **detail)
    rows.insert(event)
    return event


def about(
    action: str, subject: models.Model, actor: AbstractBaseUser | None = None, **detail: object
) -> AuditEvent:
    """An event that is still to be stored, together with the change it records."""
    return AuditEvent(
        actor_id=actor.pk if actor else None,
        action=action,
        object_type=subject._meta.model_name or "",
        object_id=str(subject.pk),
        detail=detail,
    )


def seal_events(*, limit: int | None = None, everything: bool = False) -> int:
    """Seal the oldest unsealed events in order; returns how many. Two sealers at once: one wins, the other stops.

    Events are stored in the order in which their transactions end. One that ends when ``BEHIND`` later events are
    sealed already is passed over, unless ``everything`` that ever happened is to be looked through.
    """
    try:
        with transaction.atomic():
            last = AuditSeal.objects.order_by("-ordinal").first()
            done, previous = (last.ordinal, last.digest) if last else (0, "")
            waiting = AuditEvent.objects.filter(seal__isnull=True)
            if not everything:
                waiting = waiting.filter(id__gt=_long_sealed(done))
            events = list(waiting.order_by("id")[: limit or BATCH])
            AuditSeal.objects.bulk_create(sealed(events, done, previous))
            return len(events)
    except IntegrityError:
        return 0


def seal_all(*, everything: bool = False) -> int:
    """Seal until nothing is left, or somebody else is at it; returns how many."""
    total = 0
    while count := seal_events(everything=everything):
        total += count
    return total


def _long_sealed(done: int) -> int:
    """An event before which nothing is expected to turn up any more."""
    long_ago = AuditSeal.objects.filter(ordinal=done - BEHIND).values_list("event_id", flat=True)
    return long_ago.first() or 0


def verify_chain() -> ChainReport:
    """Recompute every seal; the first event that was changed, removed or reordered is named."""
    unsealed = AuditEvent.objects.filter(seal__isnull=True).count()
    count = 0
    for count, fault in _faults():
        if fault:
            return ChainReport(count - 1, unsealed, fault)
    return ChainReport(count, unsealed)


def sealed(events: Sequence[AuditEvent], done: int, previous: str) -> list[AuditSeal]:
    """The next seals of a chain of ``done``, of which ``previous`` is the last digest; they are still to be stored."""
    seals: list[AuditSeal] = []
    for ordinal, event in enumerate(events, start=done + 1):
        digest = _digest(ordinal, event, previous)
        seals.append(AuditSeal(ordinal=ordinal, event=event, previous=previous, digest=digest))
        previous = digest
    return seals


def _faults() -> Iterator[tuple[int, str]]:
    previous = ""
    seals = AuditSeal.objects.select_related("event").order_by("ordinal").iterator(chunk_size=500)
    for position, seal in enumerate(seals, start=1):
        fault = ""
        if seal.ordinal != position:
            fault = f"seal {position} is missing"
        elif seal.previous != previous or seal.digest != _digest(seal.ordinal, seal.event, previous):
            fault = f"event {seal.event_id} ({seal.event.action}) does not fit its seal {seal.ordinal}"
        yield position, fault
        previous = seal.digest


def _digest(ordinal: int, event: AuditEvent, previous: str) -> str:
    content = {
        "ordinal": ordinal,
        "previous": previous,
        "id": event.pk,
        "at": event.at.isoformat(),
        "actor": event.actor_id,
        "action": event.action,
        "object": f"{event.object_type}:{event.object_id}",
        "detail": event.detail,
    }
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()
