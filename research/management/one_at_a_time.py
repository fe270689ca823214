"""One ``up`` on one folder of data: two would run two clocks and two of everything on the same files."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from common.commands.base import Refusal

NAME = "up.lock"
MAX_TOLD = 300


@contextmanager
def alone(folder: Path, address: str) -> Iterator[None]:
    """Hold the folder during the block; the system lets go of it however the process ends.

    Raises:
        Refusal: another process holds it; the sentence says which, and where it listens.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / NAME).open("a+", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise Refusal(
                f"Dossier is already up on {folder}: {lock.read(MAX_TOLD).strip() or 'another process'}. Stop that "
                "one first, or give this one a folder of its own with DOSSIER_VAR.",
                {"code": "already_up"},
            ) from None
        lock.truncate(0)
        lock.write(f"process {os.getpid()}, {address}")
        lock.flush()
        yield
