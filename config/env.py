"""Typed reading of environment variables; every secret may also come from a file named by ``NAME_FILE``."""

import os
import secrets
from collections.abc import Callable
from pathlib import Path
from tempfile import gettempdir
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from common.private import close_to_others

Databases = dict[str, object]
OURS = {"secret-key", "dossier.sqlite3", "queue", "trail"}


def text(name: str, default: str = "") -> str:
    """The variable's text, stripped."""
    return os.environ.get(name, default).strip()


def flag(name: str, default: bool = False) -> bool:
    """True for 1, true, yes, on; anything else that is set is False."""
    value = text(name)
    return value.lower() in {"1", "true", "yes", "on"} if value else default


def integer(name: str, default: int) -> int:
    """The variable as an integer; ImproperlyConfigured names the variable."""
    value = text(name)
    try:
        return int(value) if value else default
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}") from None


def one_of(name: str, *choices: str) -> str:
    """One of these words, the first when nothing is set; ImproperlyConfigured names the variable and the words."""
    value = text(name).lower() or choices[0]
    if value not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}, not {value!r}")
    return value


def pairs(name: str) -> dict[str, str]:
    """``one=another,two=more`` as a mapping, each cut at its last ``=``; ImproperlyConfigured names the variable."""
    found = {}
    for word in words(name):
        one, _, other = (part.strip() for part in word.rpartition("="))
        if not (one and other):
            told = f"{name} must be a list such as one=another,two=more; there is no pair in {word!r}"
            raise ImproperlyConfigured(told)
        found[one] = other
    return found


def words(name: str, default: str = "") -> list[str]:
    """A comma separated list."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def secret(name: str, default: str = "") -> str:
    """The variable, or the content of the file that ``NAME_FILE`` points to."""
    path = text(f"{name}_FILE")
    try:
        return Path(path).read_text(encoding="utf-8").strip() if path else text(name, default)
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{name}_FILE: cannot be read: {error}") from None


def folder(name: str, default: Callable[[], Path]) -> Path:
    """A folder of our own to write in, made for its owner alone when it is not there yet."""
    try:
        path = Path(text(name) or default()).expanduser().absolute()
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:  # the second: who runs this has no home
        raise ImproperlyConfigured(
            f"cannot make the folder for data: {error}. Name another with {name}"
        ) from None
    if any((path / name).exists() for name in OURS):  # else it is for other things too, such as a home
        close_to_others(path)
    if not os.access(path, os.W_OK | os.X_OK):
        raise ImproperlyConfigured(f"cannot write to the folder {path}. Name another with {name}")
    return path


def database(url: str, folder: Path) -> Databases:
    """Django's settings for ``postgres://user:password@host:port/name`` or ``sqlite:///path``; SQLite by default.

    A password that does not stand in the address comes from ``POSTGRES_PASSWORD``, where it may hold any character.
    """
    parts = urlsplit(url)
    if not url:
        return _sqlite(str(folder / "dossier.sqlite3"))
    if parts.scheme == "sqlite":
        return _sqlite(parts.path if parts.path.startswith("//") else parts.path.removeprefix("/"))
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured(
            f"DATABASE_URL: {parts.scheme!r} is not supported; use postgresql:// or sqlite:///"
        )
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.removeprefix("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or "") or secret("POSTGRES_PASSWORD"),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": 0,  # the pool keeps connections
        "CONN_HEALTH_CHECKS": True,  # one that broke is replaced before anybody gets it
        "OPTIONS": {
            "pool": {
                "min_size": 1,
                "max_size": integer("DOSSIER_DB_POOL", 16),
                "timeout": 10,
                "max_lifetime": 1_800,  # seconds; after a failover the load spreads again
            },
            "connect_timeout": 5,
            # who has waited so long for a lock begins again; a process that was frozen lets go of its locks
            "options": "-c lock_timeout=20s -c idle_in_transaction_session_timeout=10min",
            **dict(parse_qsl(parts.query)),
        },
    }


def _sqlite(path: str) -> Databases:
    name = path if path.startswith("/") else f"/{path}"
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": name,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",  # writers queue instead of failing on upgrade
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;"
            "PRAGMA recursive_triggers=ON;",  # INSERT OR REPLACE meets the append-only triggers too
        },
        # a file, because several threads must see one database; of this process alone
        "TEST": {"NAME": str(Path(gettempdir()) / f"dossier-test-{os.getpid()}.sqlite3")},
    }


def local_secret(path: Path) -> str:
    """A random key made on first use and kept in ``path``, readable by its owner only."""
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50), encoding="utf-8")
    return path.read_text(encoding="utf-8")
