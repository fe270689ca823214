"""Importing one file of one list: all of it, or nothing.

The file is read and compared with what is held before anything is written; what differs waits in a temporary file.
Then one transaction ends the entries that changed or are gone, writes the new ones and makes the version live. An
import that breaks off has changed nothing and can be repeated. One file of a list is read at a time.
"""

import hashlib
import json
import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import IO

from django.db import IntegrityError, transaction
from django.utils import timezone

from common.bounded_json import load_json
from entities.models import ListEntry, ListVersion
from entities.screening.errors import BadList, RefusedList
from entities.screening.lists import KINDS, LARGEST, ListKind
from entities.screening.records import Entry, digest_of
from entities.screening.told import Told

LEAST_SHARE = 0.8  # of the entries that are held: a file that lacks more is cut off
CLOCKS_APART = timedelta(days=1)  # how far ahead of ours a publisher's clock may be
DEAD_AFTER = timedelta(minutes=30)  # on another machine; on this one a process that is gone is known at once
BATCH = 500
CHUNK = 1 << 20
MAX_ENTRIES = 1_000_000
State = ListVersion.State


@dataclass
class _Changes:
    """What a file changes: entries that are new or changed wait in ``spool``, one JSON line each."""

    spool: IO[str]
    read: int = 0
    added: int = 0
    changed: int = 0
    ended: list[int] = field(default_factory=list)  # rows of entries that changed or are gone
    removed: int = 0


def import_list(
    path: Path, *, list_name: str, source: str = "", shrunk: bool = False, now: datetime | None = None
) -> ListVersion:
    """Import a file of a list and return its version, which is live. A file that is live already is only confirmed.

    ``shrunk`` takes a file although it has fewer entries than a whole one should.

    Raises:
        BadList: the file is broken, or no file of this list.
        RefusedList: another import of the list is running, the file is older than what is held, or lacks too much.
    """
    kind, now = KINDS[list_name], now or timezone.now()
    size = path.stat().st_size
    _refuse_other_things(path, kind, size, shrunk)
    digest = _digest(path)
    live = live_version(list_name)
    if live is not None and live.digest == digest:
        ListVersion.objects.filter(pk=live.pk, state=State.LIVE).update(confirmed_at=now)
        live.refresh_from_db()
        return live
    version = _begin(kind, source or path.name, digest, size, now)
    with _accounted(version), tempfile.TemporaryFile("w+", encoding="utf-8") as spool:
        told = Told()
        changes = _compare(kind, path, told, spool)
        _refuse_misfit(kind, told, changes, live, shrunk=shrunk, now=now)
        _go_live(version, told, changes, now)
    version.refresh_from_db()
    return version


def live_version(list_name: str) -> ListVersion | None:
    """The version that says what is held of a list."""
    return ListVersion.objects.filter(list_name=list_name, state=State.LIVE).first()


def _refuse_other_things(path: Path, kind: ListKind, size: int, shrunk: bool) -> None:
    """An error page, a file that is too large to be a list, or too small to be the whole of one."""
    if size > LARGEST:
        raise BadList(f"The file has {size:,} bytes; {LARGEST:,} are the most that is read.")
    with path.open("rb") as file:
        head = file.read(1_000).lstrip(b"\xef\xbb\xbf \r\n\t").lower()
    if head.startswith((b"<!doctype html", b"<html")) or b"<html" in head[:300]:
        raise BadList(
            "The file is a web page, not a list; the publisher may have answered with an error page."
        )
    if size < kind.bytes and not shrunk:
        raise BadList(f"The file has {size:,} bytes; the {kind.label} has at least {kind.bytes:,}.")


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _begin(kind: ListKind, source: str, digest: str, size: int, now: datetime) -> ListVersion:
    """Open the account. Raises RefusedList when another import of the list is running."""
    for _ in range(2):
        try:
            with transaction.atomic():
                return ListVersion.objects.create(
                    list_name=kind.list,
                    source=source[:500],
                    digest=digest,
                    size=size,
                    owner=f"{socket.gethostname()} {os.getpid()}",
                    started_at=now,
                    beat_at=now,
                )
        except IntegrityError:
            running = ListVersion.objects.filter(list_name=kind.list, state=State.READING).first()
            if running is None or (_is_dead(running, now) and _fail(running, "The import broke off.")):
                continue
            raise RefusedList(
                f"Another import of the {kind.label} is running, since {running.started_at:%H:%M} UTC."
            ) from None
    raise RefusedList(f"Another import of the {kind.label} is running.")


def _is_dead(running: ListVersion, now: datetime) -> bool:
    host, _, pid = running.owner.rpartition(" ")
    if host == socket.gethostname() and pid.isdigit() and int(pid) != os.getpid():
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            return False
    return now - running.beat_at > DEAD_AFTER


@contextmanager
def _accounted(version: ListVersion) -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        told = isinstance(error, BadList | RefusedList)
        _fail(version, str(error) if told else f"The import broke off ({type(error).__name__}).")
        raise


def _fail(version: ListVersion, reason: str) -> bool:
    reading = ListVersion.objects.filter(pk=version.pk, state=State.READING)
    return bool(reading.update(state=State.FAILED, error=reason[:2_000], finished_at=timezone.now()))


def _compare(kind: ListKind, path: Path, told: Told, spool: IO[str]) -> _Changes:
    """Read the file and put aside what differs from what is held. Raises BadList."""
    current = ListEntry.objects.filter(list_name=kind.list, until__isnull=True)
    held = {key: (pk, digest) for pk, key, digest in current.values_list("pk", "key", "digest").iterator()}
    seen: set[str] = set()
    changes = _Changes(spool)
    for entry in kind.read(path, told):
        if entry.key in seen:
            raise BadList(f"The entry {entry.key} is in the file twice.")
        if len(seen) >= MAX_ENTRIES:
            raise BadList(f"The file has more than {MAX_ENTRIES:,} entries.")
        seen.add(entry.key)
        _put_aside(changes, entry, held.get(entry.key))
    gone = held.keys() - seen
    changes.removed = len(gone)
    changes.ended += (held[key][0] for key in gone)
    changes.read = len(seen)
    return changes


def _put_aside(changes: _Changes, entry: Entry, held: tuple[int, str] | None) -> None:
    document = entry.as_json()
    digest = digest_of(document)
    if held is None:
        changes.added += 1
    elif held[1] == digest:
        return
    else:
        changes.changed += 1
        changes.ended.append(held[0])
    changes.spool.write(json.dumps([digest, document], ensure_ascii=False) + "\n")


def _refuse_misfit(
    kind: ListKind, told: Told, changes: _Changes, live: ListVersion | None, *, shrunk: bool, now: datetime
) -> None:
    """A file must not take a list back in time, nor lack what nobody has delisted."""
    there = changes.read + len(told.left_out)
    if told.stated is not None and told.stated != there + told.delisted:
        raise BadList(f"The file states {told.stated:,} entries and holds {there:,}; it may be cut off.")
    if told.published is None:
        raise BadList("The file does not say when it was published, so its age cannot be told.")
    if told.published > now + CLOCKS_APART:
        raise RefusedList(
            f"The file says that it was published on {told.published:%Y-%m-%d}, which is to come."
        )
    if live and live.published and told.published < live.published:
        raise RefusedList(
            f"The {kind.label} of {live.published:%Y-%m-%d} is held; the file of {told.published:%Y-%m-%d} is older."
        )
    held = live.counts.get("held", 0) if live else 0
    least = max(kind.entries, int(LEAST_SHARE * held))
    if changes.read < least and not shrunk:
        raise RefusedList(f"The file holds {changes.read:,} entries; a whole one has at least {least:,}.")


@transaction.atomic
def _go_live(version: ListVersion, told: Told, changes: _Changes, now: datetime) -> None:
    """Version and entries change together, unless somebody took the import for dead."""
    ListVersion.objects.filter(list_name=version.list_name, state=State.LIVE).update(state=State.REPLACED)
    counts = {
        "read": changes.read,
        "held": changes.read,
        "added": changes.added,
        "changed": changes.changed,
        "removed": changes.removed,
        "delisted": told.delisted,
        "left_out": len(told.left_out),
    }
    done = ListVersion.objects.filter(pk=version.pk, state=State.READING).update(
        state=State.LIVE,
        published=told.published,
        counts=counts,
        left_out=told.left_out,
        finished_at=timezone.now(),
        confirmed_at=now,
    )
    if not done:
        raise RefusedList("The import was taken for dead, and another may have begun.")
    for start in range(0, len(changes.ended), BATCH):
        ListEntry.objects.filter(pk__in=changes.ended[start : start + BATCH]).update(until=version)
    changes.spool.seek(0)
    while lines := [*islice(changes.spool, BATCH)]:
        ListEntry.objects.bulk_create(_row(version, line) for line in lines)


def _row(version: ListVersion, line: str) -> ListEntry:
    digest, document = load_json(line)
    return ListEntry(
        list_name=version.list_name,
        key=document["key"],
        digest=digest,
        kind=document["kind"],
        name=document["names"][0]["text"],
        content=document,
        since=version,
    )
