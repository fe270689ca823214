"""Whose signature stands under the heads of the log, and where heads are kept: both outside the database."""

import base64
import os
import secrets
import shlex
import subprocess
from pathlib import Path

from django.conf import settings

from research.audit.checkpoint import NoteRefused, PublicKey, Sign, read_key, signer

SIGN_SECONDS = 30


def heads_file() -> Path:
    """The file to which every head is appended (``DOSSIER_TRAIL_HEADS``)."""
    return Path(settings.DOSSIER_TRAIL_HEADS)


def signing_key() -> tuple[Sign, PublicKey]:
    """What signs heads: the command ``DOSSIER_TRAIL_SIGNER``, else the key in ``DOSSIER_TRAIL_KEY``, made if need be.

    Raises OSError, NoteRefused: the key cannot be read, or is none.
    """
    if settings.DOSSIER_TRAIL_SIGNER:
        return _ask_signer, read_key(settings.DOSSIER_TRAIL_PUBLIC_KEY)
    return signer(_seed(Path(settings.DOSSIER_TRAIL_KEY)))


def known_keys() -> list[PublicKey]:
    """The keys that may have signed a head of this log: today's first, then former ones."""
    return [signing_key()[1], *map(read_key, settings.DOSSIER_TRAIL_FORMER_KEYS)]


def _seed(path: Path) -> bytes:
    """The private key of 32 bytes that a file holds as base64; two processes at once make one."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    made = base64.b64encode(secrets.token_bytes(32)) + b"\n"
    spare = path.with_name(f".{path.name}.{os.getpid()}")
    if not path.exists():
        spare.touch(mode=0o600)
        spare.write_bytes(made)
        try:
            os.link(spare, path)  # whole, or not at all
        except FileExistsError:
            pass
        finally:
            spare.unlink()
    seed = base64.b64decode(path.read_bytes())
    if len(seed) != 32:
        raise NoteRefused(f"{path} holds no private key: 32 bytes as base64")
    return seed


def _ask_signer(body: bytes) -> bytes:
    """The signature that a command gives as base64; it reads what is to be signed from its standard input."""
    command = shlex.split(settings.DOSSIER_TRAIL_SIGNER)
    try:
        answer = subprocess.run(command, input=body, capture_output=True, timeout=SIGN_SECONDS, check=True)  # noqa: S603 - the operator's own
        return base64.b64decode(answer.stdout, validate=True)
    except (subprocess.SubprocessError, ValueError) as error:
        raise NoteRefused(f"DOSSIER_TRAIL_SIGNER gave no signature: {error}") from None
