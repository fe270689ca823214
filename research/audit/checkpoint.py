"""Heads of the log as signed notes: how many entries there were, and their root (C2SP tlog-checkpoint, signed-note).

    dossier/trail
    1204
    sOpVV+...=
    2026-11-22T16:00:00Z

    — dossier/trail 8m2x...

A note is plain text that anybody can keep, print and check. The line after the root is when it was signed.
"""

import base64
import binascii
import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ORIGIN = "dossier/trail"
ED25519 = b"\x01"
MARK = "\u2014 "  # an em dash begins the line of a signature
Sign = Callable[[bytes], bytes]


class NoteRefused(ValueError):
    """The text is no head of this log, or none that a known key has signed."""


@dataclass(frozen=True)
class Head:
    """The first ``size`` entries, by the root of their tree."""

    size: int
    root: bytes
    at: datetime

    def body(self) -> str:
        root = base64.b64encode(self.root).decode()
        return f"{ORIGIN}\n{self.size}\n{root}\n{self.at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}\n"


@dataclass(frozen=True)
class PublicKey:
    """Who can have signed a note; ``text`` is how keys are handed around."""

    raw: bytes

    @property
    def id(self) -> bytes:
        return hashlib.sha256(ORIGIN.encode() + b"\n" + ED25519 + self.raw).digest()[:4]

    @property
    def text(self) -> str:
        return f"{ORIGIN}+{self.id.hex()}+{base64.b64encode(ED25519 + self.raw).decode()}"


def read_key(text: str) -> PublicKey:
    """A key from its text. Raises NoteRefused."""
    name, _, rest = text.strip().partition("+")
    id, _, encoded = rest.partition("+")
    key = _decoded(encoded)
    if name != ORIGIN or key[:1] != ED25519 or len(key) != 33 or PublicKey(key[1:]).id.hex() != id:
        raise NoteRefused(f"not a public key of {ORIGIN}: {text.strip()[:100]}")
    return PublicKey(key[1:])


def signer(seed: bytes) -> tuple[Sign, PublicKey]:
    """What signs with a private key of 32 bytes, and the key that checks it."""
    private = Ed25519PrivateKey.from_private_bytes(seed)
    return private.sign, PublicKey(private.public_key().public_bytes_raw())


def sign_head(head: Head, sign: Sign, key: PublicKey) -> str:
    """The note of a head. Raises NoteRefused when what ``sign`` gives does not fit the key."""
    body = head.body()
    signature = sign(body.encode())
    note = f"{body}\n{MARK}{ORIGIN} {base64.b64encode(key.id + signature).decode()}\n"
    read_note(note, [key])
    return note


def read_note(note: str, keys: Iterable[PublicKey]) -> Head:
    """The head that a note tells of. Raises NoteRefused unless one of the keys has signed it, and none wrongly."""
    body, blank, lines = note.partition("\n\n")
    if not blank:
        raise NoteRefused("a note without a signature")
    known: Mapping[bytes, PublicKey] = {key.id: key for key in keys}
    signed = False
    for line in lines.splitlines():
        name, _, encoded = line.removeprefix(MARK).partition(" ")
        decoded = _decoded(encoded)
        key = known.get(decoded[:4])
        if not line.startswith(MARK) or name != ORIGIN or key is None:
            continue  # somebody else may have signed it too
        try:
            Ed25519PublicKey.from_public_bytes(key.raw).verify(decoded[4:], f"{body}\n".encode())
        except InvalidSignature:
            raise NoteRefused("the signature of a head does not fit its words") from None
        signed = True
    if not signed:
        raise NoteRefused("a head that none of the known keys has signed")
    return _head(body)


def read_notes(text: str) -> list[str]:
    """The notes of a file, in their order: each ends with its signatures and a blank line."""
    notes: list[str] = []
    lines: list[str] = []
    for line in text.splitlines():
        if not line and lines and lines[-1].startswith(MARK):
            notes.append("\n".join(lines) + "\n")
            lines = []
        elif line or lines:
            lines.append(line)
    return [*notes, "\n".join(lines) + "\n"] if lines else notes


def _head(body: str) -> Head:
    try:
        origin, size, root, at = body.split("\n")
        head = Head(
            int(size), _decoded(root), datetime.strptime(at, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
        )
    except ValueError:
        raise NoteRefused("a head that cannot be read") from None
    if origin != ORIGIN or head.body() != f"{body}\n" or len(head.root) != 32:
        raise NoteRefused(f"not a head of {ORIGIN}")
    return head


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        return b""
