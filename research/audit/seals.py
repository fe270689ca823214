"""Events become entries of the log, in order, and from time to time the log's head is signed and kept elsewhere.

Writers never wait for it: one sealer at a time gives events their places afterwards.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from research.audit.checkpoint import Head, sign_head
from research.audit.keys import heads_file, signing_key
from research.audit.merkle import Frontier, leaf_hash
from research.jsontext import canonical_json
from research.models import AuditEvent, AuditHead, AuditSeal

BATCH, BEHIND = 5_000, 10_000  # events


def seal_events(*, limit: int | None = None, everything: bool = False) -> int:
    """Seal the oldest unsealed events in order; returns how many. Two sealers at once: one wins, the other stops.

    Events are stored in the order in which their transactions end. One that ends when ``BEHIND`` later events are
    sealed already is passed over, unless ``everything`` that ever happened is to be looked through.
    """
    try:
        with transaction.atomic():
            last = AuditSeal.objects.order_by("-ordinal").first()
            done = last.ordinal if last else 0
            since = 0 if everything else _long_sealed(done)
            # both sides from an event on, so that a year's seals are not read for a minute's events
            has_seal = Exists(AuditSeal.objects.filter(event_id=OuterRef("pk"), event_id__gt=since))
            waiting = AuditEvent.objects.filter(~has_seal, id__gt=since)
            events = list(waiting.order_by("id")[: limit or BATCH])
            AuditSeal.objects.bulk_create(sealed(events, done))
            return len(events)
    except IntegrityError:
        return 0


def seal_all(*, everything: bool = False) -> int:
    """Seal until nothing is left, or somebody else is at it; returns how many."""
    total = 0
    while count := seal_events(everything=everything):
        total += count
    return total


def sealed(events: Sequence[AuditEvent], done: int) -> list[AuditSeal]:
    """The entries that follow the first ``done``; they are still to be stored."""
    return [
        AuditSeal(ordinal=ordinal, event=event, leaf=leaf_hash(entry_of(event).encode()).hex())
        for ordinal, event in enumerate(events, start=done + 1)
    ]


def entry_of(event: AuditEvent) -> str:
    """The bytes of an event in the log, as canonical JSON."""
    return canonical_json(
        {
            "id": event.pk,
            "at": event.at.isoformat(),
            "actor": event.actor_id,
            "action": event.action,
            "object": f"{event.object_type}:{event.object_id}",
            "detail": event.detail,
            "witnessed": event.witnessed,
        }
    )


def keep_head() -> AuditHead | None:
    """Sign what has been sealed since the last head, and keep it in the file of heads and in the database.

    None where nothing is new, or somebody else was first. The file comes first: a crash in
    between loses nothing. Raises OSError, NoteRefused: the file cannot be written, or the key does not sign;
    RuntimeError inside a transaction: if that is rolled back, the file names a log that never was.
    """
    try:
        with transaction.atomic(durable=True):
            return _next_head()
    except IntegrityError:
        return None


def _next_head() -> AuditHead | None:
    frontier = frontier_at(AuditHead.objects.order_by("-size").first())
    known = frontier.size
    for leaf in (
        AuditSeal.objects.filter(ordinal__gt=known).order_by("ordinal").values_list("leaf", flat=True)
    ):
        frontier.append(bytes.fromhex(leaf))
    if frontier.size == known:
        return None
    head = Head(frontier.size, frontier.root(), timezone.now().replace(microsecond=0))
    note = sign_head(head, *signing_key())
    append(heads_file(), note + "\n")
    roots = [root.hex() for root in frontier.roots]
    return AuditHead.objects.create(size=head.size, at=head.at, note=note, frontier=roots)


def frontier_at(head: AuditHead | None) -> Frontier:
    """What the log was when a head was signed."""
    return Frontier(head.size, [bytes.fromhex(root) for root in head.frontier]) if head else Frontier()


def append(path: Path, text: str) -> None:
    """Add to the end of a file, to the disk and not only to its cache."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(handle, text.encode())
        os.fsync(handle)
    finally:
        os.close(handle)


def _long_sealed(done: int) -> int:
    """An event before which nothing is expected to turn up any more."""
    long_ago = AuditSeal.objects.filter(ordinal=done - BEHIND).values_list("event_id", flat=True)
    return long_ago.first() or 0
