"""Is the audit trail whole, and is what it vouches for still so? What cannot be known counts as a fault.

The log is built anew from the events and held against every head that was ever signed: those in the file outside the
database, those that somebody brings along, and those in the database. Then every row that an event vouches for is held
against the last event about it.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from django.db import connection
from django.db.models import Q
from django.utils import timezone

from common import append_only
from common.program import typed
from entities.models import Erasure
from research.append_only import GUARDED
from research.audit import witness
from research.audit.checkpoint import Head, NoteRefused, read_note, read_notes
from research.audit.events import ERASED, RESTORED
from research.audit.keys import heads_file, known_keys
from research.audit.many import Many
from research.audit.merkle import Frontier, leaf_hash
from research.audit.seals import entry_of
from research.models import AuditEvent, AuditHead, AuditSeal, Document

CHUNK = 1_000  # entries
UNCOVERED = timedelta(minutes=10)  # ten times what sealing takes to come round
FINAL = tuple(f"{kind}:" for kind in witness.FINAL)
Tell = Callable[[int, int], None]


@dataclass
class Report:
    """What was looked at, and what is wrong: sentences, in the order in which they were found.

    ``erased`` tells what is no longer there because people decided so: neither whole nor forged.
    Warnings tell when the tables were not guarded; the trail may be whole nevertheless.
    """

    sealed: int = 0
    unsealed: int = 0
    heads: int = 0
    kept: int = 0  # entries that a head outside the database vouches for
    rows: int = 0
    erased: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.faults


@dataclass(frozen=True)
class KeptHead:
    """A head and where it was found."""

    head: Head
    place: str

    def __str__(self) -> str:
        signed = f"{self.head.at:%Y-%m-%d %H:%M:%S}"
        return f"the head of {self.head.size} entries that was signed at {signed} ({self.place})"


@dataclass(frozen=True)
class Vouched:
    """The last event about a row, and the fingerprint of the row that it holds."""

    event: int
    label: str
    fingerprint: str


@dataclass
class Heard:
    """What events say of rows: the last word about each, and those that are held against it at once."""

    vouched: dict[str, Vouched] = field(default_factory=dict)
    many: dict[str, Many] = field(default_factory=lambda: {kind: Many(kind) for kind in witness.MANY})


def verify_trail(brought: Sequence[str] = (), tell: Tell | None = None) -> Report:
    """Compare everything with everything. ``brought`` are notes of heads that were kept elsewhere, such as in a memo.

    ``tell`` hears how many of how many events were read.
    """
    report = Report(faults=append_only.faults(connection, GUARDED))
    heads, heard = _heads(report, brought), Heard()
    _walk(report, heads, heard, tell)
    unsealed = AuditEvent.objects.filter(seal__isnull=True).order_by("pk")
    for event in unsealed.iterator(chunk_size=CHUNK):
        report.unsealed += 1
        _remember(report, heard, event)
    _uncovered(report)
    for kind in witness.KINDS:
        if kind in heard.many:
            report.faults += heard.many[kind].faults()
            report.rows += heard.many[kind].rows
        else:
            _compare(report, kind, heard.vouched)
    _documents(report)
    report.erased = [*map(_erased, Erasure.objects.select_related("actor").order_by("at"))]
    for event in AuditEvent.objects.filter(action=RESTORED).order_by("pk"):
        lost = "; ".join(event.detail["faults"])
        report.warnings.append(f"Until {event.at:%Y-%m-%d %H:%M:%S}, when migrate mended it: {lost}.")
    return report


def _heads(report: Report, brought: Sequence[str]) -> list[KeptHead]:
    """Every head that can be read, the smallest first. The newest of the database must be outside it too."""
    path = heads_file()
    outside = read_notes(path.read_text(encoding="utf-8", errors="replace")) if path.is_file() else []
    stored = list(AuditHead.objects.order_by("size"))
    notes = [("kept in the file", note) for note in outside]
    notes += [("brought along", note) for note in brought]
    notes += [("in the database", head.note) for head in stored]
    keys, found = known_keys(), []
    for place, note in notes:
        try:
            found.append(KeptHead(read_note(note, keys), place))
        except NoteRefused as error:
            report.faults.append(f"A head that is {place} does not hold: {error}.")
    kept = {each.head.size for each in found if each.place != "in the database"}
    report.heads, report.kept = len(found), max(kept, default=0)
    if AuditSeal.objects.exists() and not kept:
        report.faults.append(
            f"No head is kept in {path}: nothing shows that the end of the log is still there. "
            "Restore the file, or bring a head along."
        )
    elif stored and stored[-1].size > report.kept:
        report.faults.append(
            f"The newest head in the database is of {stored[-1].size} entries, the newest outside of {report.kept}: "
            f"{path} is not the file that was written, or lost its end."
        )
    return sorted(found, key=lambda each: each.head.size)


def _walk(report: Report, heads: list[KeptHead], heard: Heard, tell: Tell | None) -> None:
    """Build the log anew, and hold it against each head when it is as long as that head says."""
    total, frontier, waiting = AuditSeal.objects.count(), Frontier(), heads[::-1]
    for seal, event in _entries():
        if seal.ordinal != frontier.size + 1:
            report.faults.append(f"Entry {frontier.size + 1} of the log is gone.")
            break  # what follows has other places than it had
        label = f"Entry {seal.ordinal} ({_label(event)})" if event else f"Entry {seal.ordinal}"
        if event is None:
            report.faults.append(f"{label} speaks of event {seal.event_id}, which is gone.")
        elif leaf_hash(entry_of(event).encode()).hex() != seal.leaf and not witness.erased(
            "auditevent", event.pk, deleted=False
        ):
            report.faults.append(f"{label} was changed after it was sealed.")
        if event is not None:
            _remember(report, heard, event)
        frontier.append(bytes.fromhex(seal.leaf))
        report.sealed += 1
        while waiting and waiting[-1].head.size == frontier.size:
            kept = waiting.pop()
            if kept.head.root != frontier.root():
                report.faults.append(
                    f"The first {frontier.size} entries are not those of {kept}: the log was written anew."
                )
        if tell and report.sealed % CHUNK == 0:
            tell(report.sealed, total)
    if waiting:
        report.faults.append(
            f"The log ends after {frontier.size} entries, and there is {waiting[0]}: its end was removed."
        )


def _entries() -> Iterator[tuple[AuditSeal, AuditEvent | None]]:
    last = 0
    while seals := list(AuditSeal.objects.filter(ordinal__gt=last).order_by("ordinal")[:CHUNK]):
        events = AuditEvent.objects.in_bulk([seal.event_id for seal in seals])
        yield from ((seal, events.get(seal.event_id)) for seal in seals)
        last = seals[-1].ordinal


def _remember(report: Report, heard: Heard, event: AuditEvent) -> None:
    vouched = heard.vouched
    for row, fingerprint in event.witnessed.items():
        kind, _, key = row.partition(":")
        if kind in heard.many:
            heard.many[kind].hear(key, fingerprint, event.pk, _label(event), anew=event.action == ERASED)
            continue
        known = vouched.get(row)
        lawful = event.action == ERASED and witness.erased(kind, key, deleted=False)
        if known and known.fingerprint != fingerprint and row.startswith(FINAL) and not lawful:
            report.faults.append(
                f"{_label(event).capitalize()} tells of another {row.replace(':', ' ')} than {known.label}: "
                "one of the two was put in past Dossier, such a row never changes."
            )
        if known is None or known.event < event.pk:
            vouched[row] = Vouched(event.pk, _label(event), fingerprint)


def _uncovered(report: Report) -> None:
    """Whether what happened is under a head outside the database as soon as it should be; else it can be anything."""
    late = AuditEvent.objects.filter(at__lt=timezone.now() - UNCOVERED)
    event = late.filter(Q(seal__isnull=True) | Q(seal__ordinal__gt=report.kept)).order_by("pk").first()
    if event is not None:
        report.faults.append(
            f"{_label(event).capitalize()}, is under no head that is kept outside the database: nothing shows that it "
            f"is as it was written. Where sealing has only been late, run: {typed('audit seal')}"
        )


def _documents(report: Report) -> None:
    """Hold the texts that quotes were checked against to the hashes under which they are kept."""
    texts = Document.objects.order_by("pk").values_list("pk", "digest", "text")
    for key, digest, text in texts.iterator(chunk_size=CHUNK // 10):
        if hashlib.sha256(text.encode()).hexdigest() != digest:
            report.faults.append(
                f"Document {key} is not the text of its digest: it was changed past Dossier."
            )


def _compare(report: Report, kind: str, vouched: dict[str, Vouched]) -> None:
    """Hold the rows of a kind against the last events about them; what is left over afterwards is gone."""
    left = {
        row
        for row, last in vouched.items()
        if row.startswith(f"{kind}:") and last.fingerprint != witness.GONE
    }
    for key, state in witness.stand_now(kind):
        row, report.rows = f"{kind}:{key}", report.rows + 1
        left.discard(row)
        known = vouched.get(row)
        if known is None or witness.fingerprint(kind, key, state) != known.fingerprint:
            report.faults += _fault(kind, key)
    for row in sorted(left):
        report.faults += _fault(kind, row.partition(":")[2])


def _fault(kind: str, key: str) -> list[str]:
    """What is wrong with a row, looked at once more: it may have changed, as it should, since it was read."""
    row = f"{kind}:{key}"
    about = AuditEvent.objects.filter(witnessed__has_key=row).order_by("-pk").first()
    state = witness.KINDS[kind].read([key]).get(key)
    now = witness.GONE if state is None else witness.fingerprint(kind, key, state)
    name = witness.name_of(kind, key)
    if about is None:
        return [f"{name} stands in the database, and no event vouches for it."] if state else []
    if about.witnessed[row] == now:
        return []
    if state is None and witness.erased(kind, key, deleted=True):
        return []
    if state is None:
        return [f"{name} is gone; {_label(about)} vouches for it."]
    return [f"{name} is not as {_label(about)} recorded it: it was changed past Dossier."]


def _erased(erasure: Erasure) -> str:
    rows = sum(deleted + emptied for deleted, emptied in (each.values() for each in erasure.counts.values()))
    who = erasure.actor.get_username() if erasure.actor else "the policy of retention"
    day = f"{erasure.at:%Y-%m-%d %H:%M:%S}"
    return f"{rows:,} rows were erased lawfully at {day} by {who} ({erasure}): {erasure.reason}"


def _label(event: AuditEvent) -> str:
    return f"event {event.pk}, {event.action} at {event.at:%Y-%m-%d %H:%M:%S}"
