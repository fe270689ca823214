"""What Dossier stores on its machine is for its owner alone: the folder of data, and SQLite's files."""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

FILES = ("", "-wal", "-shm", "-journal")  # beside each other, as SQLite names them
OTHERS = 0o077
_closed: set[str] = set()


def open_to_others(path: Path) -> bool:
    """Whether others on this machine may look into it. Of what is not there, nobody may."""
    try:
        return bool(stat.S_IMODE(path.stat().st_mode) & OTHERS)
    except OSError:
        return False


def close_to_others(path: Path) -> None:
    """Take the rights of others away, where it is ours; the doctor names what is not. Links are left alone."""
    with suppress(OSError):
        found = path.lstat()
        mode = stat.S_IMODE(found.st_mode)
        if mode & OTHERS and found.st_uid == os.geteuid() and not stat.S_ISLNK(found.st_mode):
            path.chmod(mode & ~OTHERS)


def close_database(connection: Any, **kwargs: Any) -> None:
    """A receiver of ``connection_created``: SQLite makes its other files with the rights of the first."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor != "sqlite" or name in _closed or ":memory:" in name or "mode=memory" in name:
        return
    for suffix in FILES:
        close_to_others(Path(name + suffix))
    _closed.add(name)
