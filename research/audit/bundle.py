"""The trail for a stranger: a ZIP that one short script checks, without a database and without Dossier.

``entries.jsonl`` holds the entries of the log, ``heads.txt`` the heads that were signed, ``keys.txt`` the public keys,
``rows.jsonl`` the rows that entries vouch for, as text whose SHA-256 is their fingerprint, ``verify.py`` the script.
People and groups are left out of the rows, and so is entity memory, which names natural persons: the log has their
fingerprints, and ``audit verify`` holds the rows against them where they are.
"""

import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile

from research.audit import witness
from research.audit.keys import heads_file, known_keys
from research.audit.seals import entry_of
from research.models import AuditEvent, AuditHead, AuditSeal

SCRIPT = Path(__file__).with_name("check_bundle.py")
PRIVATE = ("user", "group", *witness.MEMORY)
CHUNK = 1_000


def write_bundle(file: IO[bytes]) -> tuple[int, int]:
    """Write the ZIP: every entry up to the newest head, and the rows. Returns how many entries and rows."""
    head = AuditHead.objects.order_by("-size").first()
    size = head.size if head else 0
    kept = heads_file()
    heads = kept.read_text(encoding="utf-8") if kept.is_file() else ""
    with ZipFile(file, "w", ZIP_DEFLATED) as bundle:
        bundle.writestr("verify.py", SCRIPT.read_bytes())
        bundle.writestr("keys.txt", "".join(f"{key.text}\n" for key in known_keys()))
        bundle.writestr("heads.txt", heads)
        entries = _write(bundle, "entries.jsonl", _entries(size))
        rows = _write(bundle, "rows.jsonl", _rows())
    return entries, rows


def _write(bundle: ZipFile, name: str, lines: Iterable[str]) -> int:
    count = 0
    with io.TextIOWrapper(bundle.open(name, "w"), encoding="utf-8", newline="\n") as out:
        for line in lines:
            out.write(f"{line}\n")
            count += 1
    return count


def _entries(size: int) -> Iterator[str]:
    for start in range(0, size, CHUNK):
        seals = AuditSeal.objects.filter(ordinal__gt=start, ordinal__lte=min(start + CHUNK, size))
        places = list(seals.order_by("ordinal").values_list("event_id", flat=True))
        events = AuditEvent.objects.in_bulk(places)
        yield from (entry_of(events[pk]) for pk in places if pk in events)


def _rows() -> Iterator[str]:
    for kind in witness.KINDS:
        if kind not in PRIVATE:
            yield from (witness.canonical_row(kind, key, state) for key, state in witness.stand_now(kind))
