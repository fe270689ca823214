"""Proofs for somebody who holds a signed head: that an event is in the log, or that the log has only grown since.

They are checked by ``merkle.is_included`` and ``merkle.is_consistent``, or by any implementation of RFC 9162.
"""

from research.audit.checkpoint import Head, NoteRefused
from research.audit.merkle import Tree, leaf_hash
from research.audit.seals import entry_of, frontier_at, keep_head, seal_all
from research.jsontext import JsonObject
from research.models import AuditEvent, AuditHead, AuditSeal


class NoProof(ValueError):
    """There is none, and why."""


def prove_inclusion(event: AuditEvent) -> JsonObject:
    """``{entry, leaf, index, size, path, note}``: the entry as text and its hash, its place from 0 on, the path of
    hashes to the root, and the first head that covers it.

    Raises NoProof while the event waits to be sealed, or for the head.
    """
    place = AuditSeal.objects.filter(event=event).values_list("ordinal", flat=True).first()
    head = AuditHead.objects.filter(size__gte=place or 0).order_by("size").first()
    if place is None or head is None:
        raise NoProof(f"event {event.pk} is not under a signed head yet")
    before = frontier_at(AuditHead.objects.filter(size__lt=place).order_by("-size").first())
    path = Tree(_leaves(before.size, head.size), before).inclusion(place - 1)
    return {
        "entry": entry_of(event),
        "leaf": leaf_hash(entry_of(event).encode()).hex(),
        "index": place - 1,
        "size": head.size,
        "path": [each.hex() for each in path],
        "note": head.note,
    }


def prove_now(event: AuditEvent) -> JsonObject:
    """The same, but seal what waits and sign a head first where none covers the event. Raises NoProof."""
    try:
        return prove_inclusion(event)
    except NoProof:
        seal_all()
        try:
            keep_head()
        except (OSError, NoteRefused) as error:
            raise NoProof(f"the head cannot be signed and kept: {error}") from error
        return prove_inclusion(event)


def prove_consistency(old: Head) -> JsonObject:
    """``{from, size, path, note}``: that the log of an old head is the beginning of the log of the newest.

    Raises NoProof when the log is shorter than the old head says.
    """
    newest = AuditHead.objects.order_by("-size").first()
    if newest is None or newest.size < old.size:
        raise NoProof(
            f"the newest head is of {newest.size if newest else 0} entries, the old one of {old.size}"
        )
    path = Tree(_leaves(0, newest.size)).consistency(old.size)
    return {
        "from": old.size,
        "size": newest.size,
        "path": [each.hex() for each in path],
        "note": newest.note,
    }


def _leaves(start: int, end: int) -> list[bytes]:
    seals = AuditSeal.objects.filter(ordinal__gt=start, ordinal__lte=end).order_by("ordinal")
    return [bytes.fromhex(leaf) for leaf in seals.values_list("leaf", flat=True)]
